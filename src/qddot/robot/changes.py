"""Changes a model: locks joints, moves the base or the tool, frees the base, or adds a load."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.algebra.freedoms import FREE
from qddot.algebra.spatial import Inertia, Pose
from qddot.base.errors import ModelError, did_you_mean, shortened
from qddot.base.words.message import Message, say
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.elastic import held, joined, motors_of
from qddot.robot.joint_tree import with_coordinates
from qddot.robot.model import Model
from qddot.robot.notes import noted
from qddot.robot.placements import pose, simplified
from qddot.robot.rotors import axial_moment, rotor, rotors_of
from qddot.robot.symbol_tables import with_declared


def locked(model: Model, positions: Mapping[str, Any]) -> Model:
    """Returns the model with coordinates locked: their joints, and those that move by a ratio of them, become fixed.

    positions: for each coordinate a number [rad or m] or a text such as "90deg". Friction and other effects in a locked
    joint are left out, since it does not move.
    raises ModelError: a coordinate does not exist, no moving joint is left, or the equations are given entry by entry
    """
    _check_has_bodies(model, say("a-locked-joint"))
    for name in positions:
        coordinates = [each for each in model.coordinates if each in model.positions]
        if name not in coordinates:
            raise ModelError(
                "no-coordinate-name", where=model.name, name=repr(name), remedy=did_you_mean(name, coordinates)
            )

    def fixed(body: Body) -> Body:
        joint = body.joint
        if not joint.moves or joint.coordinate not in positions:
            return body
        by = expression(positions[str(joint.coordinate)])
        by = by if joint.ratio is None else by * expression(joint.ratio)
        placement = simplified(joint.placement @ joint.kind.displaced(joint.axis, by))
        return replace(
            body, joint=Joint("fixed", joint.parent, placement=placement, offset=joint.offset, name=joint.name)
        )

    left = tuple(name for name in model.coordinates if name not in positions)
    if not left:
        raise ModelError("all-joints-locked", where=model.name)
    links = [fixed(_beside_held(body, positions)) for body in model.links]
    motors = [_beside_held(body, positions) for body in _motors_of_held(model, positions)]
    return with_fewer(model, _with_rotors([*links, *motors], model, positions), left)


def _beside_held(body: Body, locked: Mapping[str, Any]) -> Body:
    """Returns a body whose effects between its coordinate and one that is locked act on its own alone."""
    own = body.joint.effects
    partly = [effect for effect in own if effect.second and getattr(effect, effect.second) in locked]
    if not partly or body.joint.coordinate in locked:
        return body
    kept = tuple(effect for effect in own if effect not in partly)
    left = [part for effect in partly for part in held([effect], expression(locked[getattr(effect, effect.second)]))]
    return replace(body, joint=replace(body.joint, effects=joined((*kept, *left))))


def _motors_of_held(model: Model, locked: Mapping[str, Any]) -> Iterator[Body]:
    """Yields the motors that can still move, with the springs that join them to locked links."""
    for motor in motors_of(model.bodies):
        if motor.joint.coordinate in locked:
            continue
        between = [
            replace(effect, **{effect.second: str(body.joint.coordinate)})
            for body in model.moving()
            if body.joint.coordinate in locked
            for effect in body.joint.effects
            if effect.second and getattr(effect, effect.second) == motor.joint.coordinate
        ]
        yield replace(motor, joint=replace(motor.joint, effects=(*motor.joint.effects, *between)))


def _with_rotors(links: list[Body], model: Model, locked: Collection[str]) -> list[Body]:
    """Returns links with the model's rotors: one whose coordinates are all locked is a part of its carrier."""
    by_name = {body.name: body for body in links}
    rotors, names = list[Body](), {body.name for body in model.bodies}
    for body, joint, ratios in rotors_of(model.bodies):
        left = {name: ratio for name, ratio in ratios.items() if name not in locked}
        if left:
            taken = names - {body.name}
            rotors += rotor(body.name, joint.parent, left, axial_moment(body), joint.axis, joint.placement.p, taken)[0]
        elif joint.parent in by_name:
            carrier = by_name[joint.parent]
            by_name[joint.parent] = replace(carrier, inertia=carrier.inertia + body.inertia)
    return [*by_name.values(), *rotors]


def with_fewer(model: Model, bodies: Iterable[Body], coordinates: tuple[str, ...]) -> Model:
    """Returns the model with other bodies, whose joints have these coordinates, some of its own.

    Effects between one of them and a coordinate that is lost are left out.
    """

    def within(body: Body) -> Body:
        own = body.joint.effects
        kept = tuple(effect for effect in own if not effect.second or getattr(effect, effect.second) in coordinates)
        return body if kept == own else replace(body, joint=replace(body.joint, effects=kept))

    driven = None if model.driven is None else tuple(name for name in model.driven if name in coordinates)
    return replace(model, bodies=tuple(map(within, bodies)), coordinates=coordinates, driven=driven)


def mounted(model: Model, xyz: Any, rpy: Any) -> Model:
    """Returns the model with its base moved in the old base frame; gravity keeps its direction in the old frame.

    raises ModelError: xyz or rpy is not three numbers, or the equations are given entry by entry
    """
    _check_has_bodies(model, say("another-base"))
    base = pose(xyz, rpy)

    def moved(body: Body) -> Body:
        if body.joint.parent != BASE:
            return body
        return replace(body, joint=replace(body.joint, placement=simplified(base @ body.joint.placement)))

    return replace(model, bodies=tuple(moved(body) for body in model.bodies))


def freed(model: Model, name: str = "free_base", symbols: Mapping[str, Any] | None = None, **mass: Any) -> Model:
    """Returns the model on a base that moves freely.

    mass: the base's inertia, as in `loaded`; name: the name of the new body. If neither mass nor inertia is given and
        exactly one link is fixed to the ground in the ground's frame, that link becomes the base, with its own name.
        symbols: all symbols of the new model, by default the old ones
    raises ModelError: the base is free already, the equations are given entry by entry, or the inertia is physically
        impossible
    """
    _check_has_bodies(model, say("a-free-base"))
    standing = [body for body in model.bodies if body.joint.parent == BASE]
    if any(body.joint.type == FREE for body in standing):
        raise ModelError("base-free-already", where=model.name)
    base = Body.of(name, Joint(FREE), **mass)
    if base.inertia == Inertia.zero() and len(standing) == 1 and _is_ground(standing[0].joint):
        floats = Joint(FREE, name=standing[0].joint.name)
        bodies = [replace(body, joint=floats) if body is standing[0] else body for body in model.bodies]
    else:
        if any(body.name == name for body in model.bodies):
            raise ModelError("payload-name-taken", where=model.name, name=repr(name))
        bodies = [base]
        for body in model.bodies:
            on_base = body.joint.parent == BASE
            bodies.append(replace(body, joint=replace(body.joint, parent=name)) if on_base else body)
    velocities = next(body.joint.velocities for body in with_coordinates(tuple(bodies)) if body.joint.type == FREE)
    symbols = model.symbols if symbols is None else symbols
    return replace(model, bodies=tuple(bodies), coordinates=(*velocities, *model.coordinates), symbols=symbols)


def _is_ground(joint: Joint) -> bool:
    """Returns whether a joint makes a link's frame coincide with the ground's."""
    return joint.type == "fixed" and joint.placement == joint.offset == Pose.identity()


def tooled(model: Model, xyz: Any, rpy: Any, body: str | None) -> Model:
    """Returns the model with its tool's pose given in a link's frame, by default that of the link which carries it.

    raises ModelError: xyz or rpy is not three numbers, or the link does not exist
    """
    carrier = model.tool_body if body is None else model.body(body).name
    return replace(model, tool=pose(xyz, rpy), tool_body=carrier)


def loaded(
    model: Model, mass: Mapping[str, Any], name: str, body: int | str | None, symbols: Any, notes: Iterable[str] = ()
) -> Model:
    """Returns the model with an additional body, which is fixed at the tool's frame or at a link's frame.

    mass: the arguments of `mass_properties`; notes: on the new body
    raises ModelError: the link does not exist, or the inertia is physically impossible
    """
    names = [other.name for other in model.bodies]
    if not isinstance(name, str) or not isinstance(body, int | str | None):
        raise ModelError("body-or-name-wrong", body=shortened(body), name=shortened(name))
    if not isinstance(mass.get("about", ""), str):
        raise ModelError("about-unknown", about=shortened(mass["about"]))
    if isinstance(body, int) and -len(names) <= body < len(names):
        body = names[body]
    at_tool = body is None or body == "tool"
    carrier = model.tool_body if at_tool else model.body(body).name  # type: ignore[arg-type]
    numbered = ("payload" if k == 1 else f"payload{k}" for k in count(1))
    free = next(each for each in numbered if each not in names)
    joint = Joint("fixed", parent=carrier, placement=model.tool if at_tool else Pose.identity())
    payload = Body.of(name or free, joint, **mass)
    own = tuple(noted(f"link {payload.name!r}", each) for each in notes)
    bodies, declared = (*model.bodies, payload), with_declared(model, symbols)
    return replace(model, bodies=bodies, symbols=declared, notes=(*model.notes, *own))


def geared(
    model: Model, carrier: str, ratios: Mapping[str, Any], inertia: Any, axis: Any, xyz: Any, name: str, symbols: Any
) -> Model:
    """Returns the model with a rotor on a link, as `rotor` describes it; its default name is rotor1, rotor2 …

    raises ModelError: the link or a coordinate does not exist, or the equations are given entry by entry
    """
    _check_has_bodies(model, say("a-rotor"))
    names = [other.name for other in model.bodies]
    on = carrier if carrier == BASE else model.body(carrier).name
    free = next(each for k in count(1) if (each := f"rotor{k}") not in names)
    bodies, notes = rotor(name or free, on, ratios, inertia, axis, xyz, names)
    declared = with_declared(model, symbols)
    return replace(model, bodies=(*model.bodies, *bodies), symbols=declared, notes=(*model.notes, *notes))


def _check_has_bodies(model: Model, what: Message) -> None:
    if model.explicit is not None:
        raise ModelError("not-possible-equations-given", where=model.name, what=what)
