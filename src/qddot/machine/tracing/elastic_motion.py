"""Traces the motion and the torques of motors that make the links of an arm with elastic joints move as asked.

In the equation of a link, r(q, q̇, q̈) + k (q − θ) = 0, where r are the other torques that the motion requires; so
θ = q + r / k, whose rates follow from those of r along the motion, up to the fourth derivative of q. Then
τ = B θ̈ + friction + k (θ − q).
Source: De Luca & Lucibello, "A general algorithm for dynamic feedback linearization of robots with elastic joints",
ICRA 1998.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Symbolic
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import divided
from qddot.base.errors import EvaluationError
from qddot.machine.tracing.ports import STATE, of_joints
from qddot.machine.tracing.traced import TracedArm
from qddot.robot.bodies import Body
from qddot.robot.effects.elastic import Elastic
from qddot.robot.elastic import motors_of
from qddot.robot.model import Model
from qddot.robot.symbol_values import all_values

MOTION = tuple(of_joints(f"q{'d' * k}", "velocities", f"derivative {k} of the coordinates", "qdd") for k in (2, 3, 4))
OUTPUTS = ("q", "qd", "qdd", "tau")


def traced_motion(model: Model) -> Program:
    """Returns q, q̇, q̈ and τ of links and motors as functions of q … q⁗, of which the motors' entries are not used.

    raises EvaluationError: no elastic joint, one with damping or a cubic spring, a ball or a free joint, a motor that a
        link feels through its rotor's carrier, or a spring between two links
    """
    elastic = [body for body in model.moving() if body.joint.has(Elastic)]
    _check(model, elastic)
    arm = TracedArm.with_ports(model, (*STATE, *MOTION), all_values(model))
    motion = [arm.inputs[port.name] for port in (*STATE, *MOTION)]
    torques, places = arm.dynamics.inverse_dynamics(), {name: k for k, name in enumerate(model.coordinates)}
    images: list[dict[int, Any]] = [{}, {}, {}]
    for body in elastic:
        k: Any
        (k,) = (effect.over(arm.numbers).stiffness for effect in body.joint.effects if isinstance(effect, Elastic))
        i, j = places[str(body.joint.coordinate)], places[_motor(body)]
        # the equation of the link without what the motor's coordinate adds to it
        (rest,) = derivatives.replaced([torques[i]], {motion[0][j].index: motion[0][i]})
        _check_uncoupled(rest, [part[places[_motor(each)]] for part in motion[:3] for each in elastic], body)
        series = [rest, *_rates(rest, motion)]
        for order, (image, r) in enumerate(zip(images, series, strict=True)):
            image[j] = motion[order][i] + divided(r, k)
    moved = [[image.get(k, x) for k, x in enumerate(part)] for image, part in zip(images, motion, strict=False)]
    at_motors = {part[j].index: new[j] for part, new in zip(motion, moved, strict=False) for j in images[0]}
    links = {places[str(body.joint.coordinate)] for body in elastic}  # whose equations are solved
    tau = [0 if k in links else x for k, x in enumerate(derivatives.replaced(torques, at_motors))]
    return arm.graph.program(model.name, dict(zip(OUTPUTS, (*moved, tau), strict=True)))


def _rates(value: Any, motion: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
    """Returns the first and the second rate of a value along the motion."""
    slopes = {x.index: rate for pair in pairwise(motion) for x, rate in zip(*pair, strict=True)}
    (first,) = derivatives.directional([value], slopes)
    (second,) = derivatives.directional([first], slopes)
    return first, second


def _motor(body: Body) -> str:
    (law,) = (effect for effect in body.joint.effects if isinstance(effect, Elastic))
    return law.motor


def _check(model: Model, elastic: Sequence[Body]) -> None:
    if not elastic or model.freedoms:
        raise EvaluationError("no-elastic-joints", where=model.name)
    motors = {motor.joint.coordinate for motor in motors_of(model.bodies)}
    driven, values = [_motor(body) for body in elastic], all_values(model)
    if len(set(driven)) < len(driven) or not set(driven) <= motors:
        raise EvaluationError("elastic-between-links", where=model.name)
    for body in elastic:
        for effect in body.joint.effects:
            if effect.second and (not isinstance(effect, Elastic) or effect.cubic != 0):
                raise EvaluationError("elastic-motion-unsolved", where=f"link {body.name!r}")
            if isinstance(effect, Elastic) and effect.stiffness.value(values) == 0:
                raise EvaluationError("elastic-without-stiffness", where=f"link {body.name!r}")


def _check_uncoupled(rest: Any, of_motors: Sequence[Any], body: Body) -> None:
    """Raises EvaluationError if a link's equation has more of the motors than the springs."""
    if isinstance(rest, Symbolic) and any(derivatives.jacobian([rest], of_motors)[0]):
        raise EvaluationError("elastic-motion-coupled", where=f"link {body.name!r}")
