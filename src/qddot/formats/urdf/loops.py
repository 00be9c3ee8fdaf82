"""Reads URDF+ into a closed chain: <loop> holds a frame of one link to a frame of another, <coupling> couples joints.

Source: Chignoli, Slotine, Wensing, Kim, "URDF+: An enhanced URDF for robots with kinematic loops", 2024
(arXiv:2411.19753), and its authors' parser, for the types, the default axis and the attribute independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import FormatError, check_one_of, located, shortened
from qddot.base.words.message import say
from qddot.formats.shared import closing
from qddot.formats.shared.closing import Chain, Closure, Held
from qddot.formats.urdf.coupling import ENDS
from qddot.formats.urdf.numbers import numbers, origin
from qddot.formats.urdf.urdf_reader import LOOP, Reader
from qddot.formats.xml.elements import Element
from qddot.robot.axes import unit
from qddot.robot.placements import simplified

TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "fixed": "fixed",
}
TRUTHS = {"true": True, "false": False}


def read(_: Path, root: Element) -> Chain:
    """Returns the closed chain of a <robot> element; the path is not used.

    raises QddotError: the file has no loops, or is invalid, with the line and the element
    """
    with located(root.file):
        reader = Reader(root)
        loops = list(root.all(LOOP))
        if not loops:
            raise FormatError("file-without-loop-elements", loop=LOOP)
        tree = reader.model()
        before = len(reader.notes)
        closures = [_closure(reader, loop) for loop in loops]
        tree = replace(tree, notes=(*tree.notes, *reader.notes[before:]))
        leading = {body.joint.name: body.joint for body in tree.moving()}
        independent = tuple(
            coordinate for name in _independent(reader) if name in leading for coordinate in leading[name].velocities
        )
        return Chain(closing.closed(tree, closures), independent)


def _closure(reader: Reader, loop: Element) -> Closure:
    kind, name = loop.required("type"), loop.required("name")
    check_one_of(kind, TYPES, say("loop-type"), FormatError, loop.where)
    ends = [reader.end(loop, end) for end in ENDS]
    entries = numbers(loop.child("axis") or loop, "xyz", "1 0 0")
    with located(loop.where):
        axis, note = unit(entries)
    R, change = closing.along(axis) if kind != "fixed" else (Pose.identity().R, "")
    held = []
    for link, tag in zip(ends, ENDS, strict=True):
        element = loop.child(tag)
        pose, notes = origin(element.child("origin") if element is not None else None)
        reader.note(f"loop {name!r}", [note, change, *notes])
        held.append(Held(reader.carrier(link), simplified(pose @ Pose(R, Vec3.zero()))))
    return Closure(name, TYPES[kind], *held)


def _independent(reader: Reader) -> Iterator[str]:
    """If any joint has the attribute independent, yields the joints where it is "true" or missing; else none."""
    if not any("independent" in joint.attributes for joint in reader.joints.values()):
        return
    for name, joint in reader.joints.items():
        text = joint.attributes.get("independent", "true")
        if text.lower() not in TRUTHS:
            raise FormatError("independent-wrong", where=joint.where, text=shortened(text))
        if TRUTHS[text.lower()]:
            yield name
