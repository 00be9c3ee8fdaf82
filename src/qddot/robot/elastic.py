"""Gives a joint an elastic drive: its motor gets a coordinate of its own, which a spring joins to that of the link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.derivative import inverse
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ModelError, did_you_mean
from qddot.base.words.message import say
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import Body, Joint
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.elastic import Elastic
from qddot.robot.effects.internal_damping import InternalDamping
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joint_tree import velocities_of_joints
from qddot.robot.joints.kinds import ROTOR
from qddot.robot.model import Model
from qddot.robot.placements import folded_entry, pose
from qddot.robot.symbol_tables import with_declared

MOTOR = "theta"  # the letter of motors' coordinates


def motor(name: str, coordinate: str, **joint: Any) -> Body:
    """Returns the massless body of a motor with a coordinate of its own; its inertia is an armature, or a rotor's.

    joint: entries of `Joint`: type, parent, axis and placement, which no equation contains, effects and limits
    """
    return Body(name, Joint(coordinate=coordinate, part_of=ROTOR, **joint), partial_inertia=True)


def motors_of(bodies: Iterable[Body]) -> Iterator[Body]:
    """Yields the bodies of motors with coordinates of their own."""
    return (body for body in bodies if body.joint.kind.is_rotor and body.joint.leads)


def elastic(
    model: Model, joint: str, laws: Mapping[str, Any], armature: Any, coordinate: str, name: str, symbols: Any
) -> Model:
    """Returns the model with a motor that drives a joint by a spring; arguments and errors are those of `with_elastic`.

    laws: stiffness, cubic and damping
    """
    if model.explicit is not None or model.lagrangian is not None:
        raise ModelError("not-possible-equations-given", where=model.name, what=say("an-elastic-joint"))
    link = _link(model, joint)
    own = link.joint
    if own.freedoms is not None or own.kind.is_rotor or any(effect.second for effect in own.effects):
        raise ModelError("joint-not-made-elastic", where=model.name, name=repr(joint))
    theta = coordinate or _default(str(own.coordinate), {*model.coordinates, *model.symbols})
    moved = [effect for effect in own.effects if isinstance(effect, Armature)]
    inertias = moved if armature is None else [Armature(armature)] if expression(armature) != 0 else []
    label = name or fresh(f"motor_{link.name}", {body.name for body in model.bodies})
    axis = nearly_unit(own.placement.R.apply(own.axis).map(folded_entry))[0]
    place = {"type": own.type, "parent": own.parent, "axis": axis, "placement": pose(own.placement.p)}
    drive = motor(label, theta, **place, effects=tuple(inertias), effort=own.effort, velocity=own.velocity)
    kept = [effect for effect in own.effects if effect not in moved]
    effects = (*kept, *_between(theta, **laws))
    joined_to_motor = replace(own, effects=effects, effort=None, velocity=None)
    bodies = (replace(body, joint=joined_to_motor) if body.name == link.name else body for body in model.bodies)
    motors = model.coordinates if model.driven is None else model.driven
    return replace(
        model,
        bodies=(*bodies, drive),
        coordinates=(*model.coordinates, theta),
        driven=tuple(theta if each == own.coordinate else each for each in motors),
        symbols=with_declared(model, symbols),
    )


def driven_by_motors(model: Model) -> Model:
    """Returns the model without torques at the links of elastic joints, unless its description says what is driven."""
    elastic = {name for body in model.moving() if body.joint.has(Elastic) for name in body.joint.velocities}
    if model.driven is not None or not elastic:
        return model
    return replace(model, driven=tuple(name for name in model.coordinates if name not in elastic))


def held(effects: Iterable[Effect], position: Expression) -> list[Effect]:
    """Returns what is left of the effects between two coordinates where the other one is held at a position.

    raises ModelError: a spring with a cubic part, which a joint on its own does not have
    """
    left = list[Effect]()
    for effect in effects:
        if isinstance(effect, Elastic):
            if effect.cubic != 0:
                raise ModelError("cubic-spring-locked", coordinate=repr(effect.motor))
            left.append(Spring(effect.stiffness, position))
        elif isinstance(effect, InternalDamping):
            left.append(Viscous(effect.coefficient))
    return left


def joined(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Returns effects with one spring in place of several: k = Σ k_i, at rest at Σ k_i r_i / k."""
    effects = tuple(effects)
    springs = [effect for effect in effects if isinstance(effect, Spring)]
    if len(springs) < 2:
        return effects
    zero = Expression.constant(0)
    k = sum((each.stiffness for each in springs), start=zero)
    moment = sum((each.stiffness * each.rest for each in springs), start=zero)
    return (*(effect for effect in effects if effect not in springs), Spring(k, moment * inverse(k)))


def _between(theta: str, stiffness: Any, cubic: Any, damping: Any) -> Iterator[Effect]:
    yield Elastic(stiffness, cubic, theta)
    if expression(damping) != 0:
        yield InternalDamping(damping, theta)


def _link(model: Model, joint: str) -> Body:
    """Returns the body that a joint moves; joint: its name, its coordinate's, or its link's."""
    leading = {body.joint.velocities: body for body in model.moving()}
    named = {name: body for body in leading.values() for name in (body.name, *body.joint.velocities)}
    named |= {name: leading[own] for name, own in velocities_of_joints(model.bodies).items() if own in leading}
    if joint not in named:
        names = list(named)
        raise ModelError("no-coordinate-name", where=model.name, name=repr(joint), remedy=did_you_mean(joint, names))
    return named[joint]


def _default(coordinate: str, taken: set[str]) -> str:
    """Returns theta1 for q1, theta_x for x."""
    rest = coordinate.removeprefix("q") if coordinate.startswith("q") else f"_{coordinate}"
    return fresh(f"{MOTOR}{rest}", taken)
