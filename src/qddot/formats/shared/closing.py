"""Closes a tree of links by loops that a file describes in a format other than the robot file's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from qddot.algebra.expressions.names import fresh
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.formats.shared.compound_joints import in_plane
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.closed_model import ClosedModel
from qddot.robot.loops import Loop
from qddot.robot.model import Model


class Held(NamedTuple):
    """This is a frame that a loop holds, with its pose in a link."""

    link: str
    pose: Pose


class Closure(NamedTuple):
    """A closure is a loop of a file; its type is one of `loops.CONDITIONS`, whose axes are those of both frames."""

    name: str
    type: str
    first: Held
    second: Held


class Chain(NamedTuple):
    """A chain is a closed model with the independent coordinates that its file names, or () if it names none."""

    model: ClosedModel
    independent: tuple[str, ...] = ()


def closed(tree: Model, closures: Sequence[Closure]) -> ClosedModel:
    """Returns the tree with loops; a frame that is not a link's own becomes a massless body, fixed to the link.

    raises ModelError: a loop is invalid
    """
    names = {BASE, *(body.name for body in tree.bodies)}
    frames: list[Body] = []

    def end(name: str, held: Held) -> str:
        if held.pose == Pose.identity() and held.link != BASE:
            return held.link
        frames.append(Body(fresh(name, names), Joint("fixed", held.link, placement=held.pose)))
        return frames[-1].name

    loops = [
        Loop(name, (end(f"{name}_first", first), end(f"{name}_second", second)), kind)
        for name, kind, first, second in closures
    ]
    return ClosedModel(replace(tree, bodies=(*tree.bodies, *frames)), tuple(loops))


def along(axis: Vec3) -> tuple[Rotation, str]:
    """Returns the least rotation whose z axis is the given unit vector, and a note if it had to be made rational."""
    x, y, z, note = in_plane(axis)
    return Rotation(x, y, z).T, note
