"""Computes an arm's description and its equations at a state as balls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.numbers.balls import Balls, ball
from qddot.algebra.spatial import inner
from qddot.base.records import record
from qddot.physics.algorithms import kinematics
from qddot.physics.algorithms.kinematics import jacobian_rows
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.bodies import Body, Joint
from qddot.robot.model import Model

Matrix = Sequence[Sequence[Any]]
EIGHTHS = [Fraction(k, 8) for k in range(-20, 21) if k]
# (w, x, y, z), each of norm 1; none has a pitch of 90° or a yaw of 180°, where Drake's angles jump
QUATERNIONS = [
    [Fraction(part, 10) for part in parts] for parts in ((8, 6, 0, 0), (5, 5, 5, 5), (1, 3, -9, 3), (4, 2, 8, 4))
]


@record()
class Values:
    """These are the quantities at one state, for velocities ν in one convention; q and ν are in it, too.

    M, C: n × n; h = C ν; M ν̇ + h + G + springs + friction = τ; frames: the pose of each link in the base frame, three
    rows of four; jacobians: of each link's origin along the world's axes, linear, then angular rows
    """

    q: Sequence[Any]
    qd: Sequence[Any]
    qdd: Sequence[Any]
    M: Matrix
    C: Matrix
    h: Sequence[Any]
    G: Sequence[Any]
    springs: Sequence[Any]
    friction: Sequence[Any]
    tau: Sequence[Any]
    frames: dict[str, Matrix]
    jacobians: dict[str, Matrix]


def symbols(model: Model) -> dict[str, Any]:
    """Returns the symbols' values as balls; every symbol must have a value."""
    return {name: symbol.value.evaluate(Balls()) for name, symbol in model.symbols.items() if symbol.value is not None}


def values(model: Model, state: ExactState) -> tuple[Values, dict[str, Any]]:
    """Returns the quantities in this project's convention, and each link's centre of mass by its name."""
    numbers = Balls(symbols(model), state.q, state.qd, state.qdd)
    mechanism = with_balls(Mechanism.of(model, numbers))
    dynamics = dynamics_of(model, numbers, lambda: mechanism)
    C, T = dynamics.coriolis_matrix(), kinematics.poses(mechanism)
    result = Values(
        q=list(map(ball, state.q.values())),
        qd=mechanism.qd,
        qdd=mechanism.qdd,
        M=dynamics.mass_matrix(),
        C=C,
        h=[inner(row, mechanism.qd) for row in C],
        G=dynamics.gravity_torques(),
        springs=dynamics.torques_of("springs"),
        friction=dynamics.torques_of("friction"),
        tau=dynamics.inverse_dynamics(),
        frames={link.name: T[link.index].matrix()[:3] for link in mechanism.links},
        jacobians={
            link.name: jacobian_rows(kinematics.jacobian(mechanism, link.index, T=T)) for link in mechanism.links
        },
    )
    return result, {link.name: _centre(link.inertia) for link in mechanism.links}


def with_balls(mechanism: Mechanism) -> Mechanism:
    """Returns the arm with balls as inertias, except 0: half of a ball is a ball, but half of 1 would be a fraction."""
    links = (replace(link, inertia=link.inertia.map(lambda part: part and ball(part))) for link in mechanism.links)
    return replace(mechanism, links=tuple(links))


def _centre(inertia: Any) -> list[Any]:
    """Returns the centre of mass, or the origin for a body without mass."""
    m = inertia.m
    return [0 if m == 0 else part / m for part in inertia.h]


def description(model: Model) -> dict[str, Any]:
    """Returns gravity and the bodies: what a library needs to compute the same, in numbers."""
    evaluate = evaluator(Balls(symbols(model)))
    return {"gravity": list(model.gravity.map(evaluate)), "bodies": [_body(body, evaluate) for body in model.bodies]}


def _body(body: Body, evaluate: Any) -> dict[str, Any]:
    inertia = body.inertia.map(evaluate)
    return {
        "name": body.name,
        "joint": _joint(body.joint, evaluate),
        "mass": inertia.m,
        "first_moment": list(inertia.h),
        "inertia": [list(row) for row in inertia.I.rows()],
    }


def _joint(joint: Joint, evaluate: Any) -> dict[str, Any]:
    return {
        "name": joint.name,
        "type": joint.type,
        "parent": joint.parent,
        "axis": list(joint.axis.map(evaluate)),
        "placement": joint.placement.map(evaluate).matrix()[:3],
        "offset": joint.offset.map(evaluate).matrix()[:3],
        "positions": list(joint.positions) if joint.moves else [],
        "velocities": list(joint.velocities) if joint.moves else [],
        "ratio": evaluate(1 if joint.ratio is None else joint.ratio),
        "effects": [
            {"kind": type(effect).__name__.lower()}
            | {name: evaluate(number) for name, number in effect.numbers.items()}
            | ({effect.second: getattr(effect, effect.second)} if effect.second else {})
            for effect in joint.effects
        ],
    }


@record()
class ExactState:
    """A state has q by the names of positions, and ν and its rate by the names of velocities."""

    q: dict[str, Fraction]
    qd: dict[str, Fraction]
    qdd: dict[str, Fraction]


def state(model: Model, number: int) -> ExactState:
    """Returns one of the states of a model, by its number; it is the same on every machine."""
    q = {name: _eighth(k, 3 * number) for k, name in enumerate(model.positions)}
    for k, freedoms in enumerate(model.freedoms):
        q |= zip(freedoms.quaternion, QUATERNIONS[(number + k) % len(QUATERNIONS)], strict=True)
    rates, accelerations = (
        {name: _eighth(k, 3 * number + which) for k, name in enumerate(model.coordinates)} for which in (1, 2)
    )
    return ExactState(q, rates, accelerations)


def _eighth(k: int, row: int) -> Fraction:
    return EIGHTHS[(7 * k + 11 * row + k * k * (row + 2)) % len(EIGHTHS)]
