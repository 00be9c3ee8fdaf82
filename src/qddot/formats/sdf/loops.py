"""Reads SDF into a closed chain: joints whose child has a parent already, or carries the parent, close loops.

The two frames of such a joint coincide where the file's poses place the links, which is at q = 0.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, located
from qddot.base.words.message import Listed, say
from qddot.formats.sdf import known
from qddot.formats.sdf.joints import along, mimics
from qddot.formats.sdf.sdf_reader import Closing, Reader, opened
from qddot.formats.shared import closing
from qddot.formats.shared.closing import Chain, Closure, Held
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import BASE
from qddot.robot.effects.effect import Effect
from qddot.robot.notes import note, noted
from qddot.robot.placements import simplified

TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    known.BALL: "spherical",
    **dict.fromkeys(known.TWO_AXES, "universal"),
}


def read(path: Path, root: Element, name: str = "") -> Chain:
    """Returns the closed chain of the file whose root element is `root`; included files lie in its folder or below.

    name: that of the model to read, where the file has several
    raises QddotError: the file has no loops, or is invalid, with the line and the element
    """
    with located(root.file):
        reader = opened(path, root, name)
        if not reader.closing:
            raise FormatError("file-without-closing-joint")
        tree = reader.model()
        before = len(reader.notes)
        closures = [_closure(reader, each) for each in reader.closing]
        notes = (*tree.notes, *reader.notes[before:], *reader.parts.frames.notes)
        return Chain(closing.closed(replace(tree, notes=notes), closures))


def _closure(reader: Reader, loop: Closing) -> Closure:
    """Returns the loop of a joint, whose frame is placed in both links."""
    name, frames, where = reader.short(loop.name), reader.parts.frames, loop.joint.element.where
    kind = known.joint_type(loop.joint.element)
    if kind not in TYPES:
        raise FormatError("closing-joint-type", where=where, kind=kind, types=Listed(TYPES))
    if mimics(loop.joint.element) is not None:
        raise FormatError("mimic-in-closing-joint", where=where)
    R = _attitude(reader, loop, kind)
    at_joint = Pose(R, Vec3.zero())
    held = [
        Held(reader.called.get(link, BASE), simplified(frames.between(link, loop.joint.frame, where) @ at_joint))
        for link in (loop.parent, loop.child)
    ]
    reader.notes.append(
        note("joint-closes-since-carried", name=repr(name), child=repr(reader.short(loop.child)))
        if loop.child in reader.carried
        else note("joint-closes-since-carrying", name=repr(name))
    )
    return Closure(name, TYPES[kind], *held)


def _attitude(reader: Reader, loop: Closing, kind: str) -> Rotation:
    """Returns the attitude of the loop's frame in the joint's: z along the axis, or x and y along two axes.

    raises FormatError: the joint has friction or a spring, or two axes that are not perpendicular
    """
    if kind == "fixed" or (kind == known.BALL and loop.joint.element.child("axis") is None):
        return Rotation.identity()
    axes = []
    for tag in known.axes(loop.joint.element):
        axis, freedom = along(loop.joint, tag, reader.parts.frames, reader.notes)
        _check_no_effects(reader, loop, freedom.effects)
        if freedom.limits is not None:
            reader.notes.append(noted(loop.joint.element.label, note("closing-limits-unread")))
        axes.append(axis)
    if kind == known.BALL:
        return Rotation.identity()
    if len(axes) == 1:
        R, change = closing.along(axes[0])
        reader.notes += [noted(loop.joint.element.label, change)] if change else []
        return R
    x, y = axes
    if folded(reduced(Expression.constant(0) + x.dot(y))):
        raise FormatError("loop-axes-not-perpendicular", where=loop.joint.element.where)
    return Rotation(x, y, x.cross(y)).T


def _check_no_effects(reader: Reader, loop: Closing, effects: tuple[Effect, ...]) -> None:
    if effects:
        carrier = reader.carried.get(loop.child)
        other = say("or-move-joint-before", name=repr(reader.short(carrier.joint))) if carrier else ""
        raise FormatError("effects-in-closing-joint", where=loop.joint.element.where, otherwise=other)
