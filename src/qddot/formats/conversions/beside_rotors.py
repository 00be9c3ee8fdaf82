"""Converts an arm with rotors: its links as if there were none, then each rotor into its carrier's new frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import FormatError
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model
from qddot.robot.placements import folded_entry, simplified
from qddot.robot.rotors import about_axis, axial_moment


def converted(model: Model, convert: Callable[[Model], Model]) -> Model:
    """Returns the converted arm with its rotors. raises FormatError: the conversion merges the carrier of one"""
    if len(model.links) == len(model.bodies):
        return convert(model)
    links = replace(model, bodies=tuple(model.links))
    done = convert(links)
    old, new = _homes(links), _homes(done)
    turns = dict[str, Pose]()
    rotors = list[Body]()
    for body in model.bodies:
        if not body.joint.spins:
            continue
        parent = body.joint.parent
        if parent not in turns and parent not in new:
            raise FormatError("rotor-on-merged-link", where=f"rotor {body.name!r}", carrier=repr(parent))
        turn = turns[parent] if parent in turns else simplified(new[parent].inverse() @ old[parent])
        turns[body.name] = turn
        rotors.append(_turned(body, turn, parent in old))
    return replace(done, bodies=(*done.bodies, *rotors))


def _homes(model: Model) -> dict[str, Pose]:
    """Returns the pose of each link's frame in the base at q = 0."""
    homes = {BASE: Pose.identity()}
    for body in model.bodies:
        joint = body.joint
        homes[body.name] = simplified(homes[joint.parent] @ joint.placement @ joint.offset)
    return homes


def _turned(body: Body, turn: Pose, is_first: bool) -> Body:
    """Returns a rotor's body with its axis in the new frame; is_first: whether it stands on the link itself."""
    axis: Vec3 = turn.R.apply(body.joint.axis).map(lambda entry: folded(reduced(Expression.constant(0) + entry)))
    axis = nearly_unit(axis)[0]
    place = Pose(Pose.identity().R, simplified(turn @ body.joint.placement).p) if is_first else Pose.identity()
    joint = replace(body.joint, axis=axis, placement=place)
    return replace(body, joint=joint, inertia=about_axis(axial_moment(body), axis).map(folded_entry))
