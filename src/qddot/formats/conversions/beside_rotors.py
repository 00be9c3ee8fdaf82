"""Converts an arm with rotors: its links as if there were none, then each rotor into its carrier's new frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import Pose, Vec3
from qddot.formats.conversions.substitute import replaced
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import BASE, Body
from qddot.robot.changes import with_fewer
from qddot.robot.effects.effect import Effect
from qddot.robot.elastic import motors_of
from qddot.robot.joints.rotor import about_axis
from qddot.robot.model import Model
from qddot.robot.placements import folded_entry, simplified
from qddot.robot.rotors import axial_moment


def converted(model: Model, convert: Callable[[Model], Model]) -> Model:
    """Returns the converted arm with its rotors; one on a link that is merged into another goes with it."""
    if len(model.links) == len(model.bodies):
        return convert(model)
    links = _without_motors(model)
    done = convert(links)
    lost = {name: symbol.value for name, symbol in model.symbols.items() if name not in done.symbols}
    values = {name: value for name, value in lost.items() if value is not None}
    bodies: list[Body] = [replaced(body, values) for body in model.bodies]
    between = {
        body.joint.coordinate: [effect for effect in body.joint.effects if effect.second]
        for body in bodies
        if body.joint.leads
    }
    old, new = _homes([body for body in bodies if not body.joint.kind.is_rotor]), _homes(done.bodies)
    parents = {body.name: body.joint.parent for body in bodies}
    turns, rotors = dict[str, Pose](), list[Body]()
    for body in bodies:
        if not body.joint.kind.is_rotor:
            continue
        parent = body.joint.parent
        if parent in turns:
            turns[body.name] = turns[parent]
            rotors.append(_turned(body, turns[parent], parent, is_first=False))
            continue
        carrier = parent
        while carrier not in new:
            carrier = parents[carrier]
        turns[body.name] = simplified(new[carrier].inverse() @ old[parent])
        rotors.append(_turned(body, turns[body.name], carrier, is_first=True))
    whole = [_with_effects(body, between[body.joint.coordinate]) if body.joint.leads else body for body in done.bodies]
    return replace(done, bodies=(*whole, *rotors), coordinates=model.coordinates, driven=model.driven)


def _without_motors(model: Model) -> Model:
    """Returns the links with their coordinates."""
    motors = {motor.joint.coordinate for motor in motors_of(model.bodies)}
    return with_fewer(model, model.links, tuple(name for name in model.coordinates if name not in motors))


def _with_effects(body: Body, between: Iterable[Effect]) -> Body:
    """Returns the body with other effects between its coordinate and others."""
    own = [each for each in body.joint.effects if not each.second]
    return replace(body, joint=replace(body.joint, effects=(*own, *between)))


def _homes(bodies: Iterable[Body]) -> dict[str, Pose]:
    """Returns the pose of each link's frame in the base at q = 0."""
    homes = {BASE: Pose.identity()}
    for body in bodies:
        joint = body.joint
        homes[body.name] = simplified(homes[joint.parent] @ joint.placement @ joint.offset)
    return homes


def _turned(body: Body, turn: Pose, parent: str, is_first: bool) -> Body:
    """Returns a rotor's body with its axis in the new frame; is_first: whether it stands on a link itself."""
    axis: Vec3 = turn.R.apply(body.joint.axis).map(lambda entry: folded(reduced(Expression.constant(0) + entry)))
    axis = nearly_unit(axis)[0]
    place = Pose(Pose.identity().R, simplified(turn @ body.joint.placement).p) if is_first else Pose.identity()
    joint = replace(body.joint, parent=parent, axis=axis, placement=place)
    return replace(body, joint=joint, inertia=about_axis(axial_moment(body), axis).map(folded_entry))
