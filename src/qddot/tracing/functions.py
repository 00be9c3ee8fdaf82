"""The functions of an arm as Programs: the physics run over the nodes of a graph.

Each function says which arrays it takes and what it gives; symbols are constants, or inputs where a value
is to be given later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from qddot.dynamics import kinematics
from qddot.dynamics.effects import parameters_of
from qddot.errors import EvaluationError, QddotError, near, shortened
from qddot.model.model import Model
from qddot.program.factors import factored
from qddot.program.program import Program
from qddot.spatial import Motion, Pose
from qddot.tracing.arms import Arm

FRAMES = ("world", "body")
PUSHED = ("inverse_dynamics", "forward_dynamics")  # that take external wrenches
Compute: TypeAlias = Callable[..., Mapping[str, Any]]
SIMILAR = 1.2  # common factors may turn a program into the shortest that was so much longer


@dataclass(frozen=True)
class Function:
    """One function of an arm: the arrays it takes, the outputs it gives, the options it has.

    others: other algorithms for the same outputs, where each joint has its own coordinate; the one with the fewest
    operations is taken
    """

    arrays: tuple[str, ...]
    compute: Compute
    options: tuple[str, ...] = ()
    others: tuple[Compute, ...] = ()


def trace(
    model: Model,
    name: str,
    values: Mapping[str, float],
    free: Sequence[str] = (),
    wrenches: bool = False,
    **options: Any,
) -> Program:
    """The Program of one function; of the ways to set the frames, the one with the fewest operations.

    values: of all symbols but those in `free`, which become inputs after the arrays
    wrenches: whether there are external ones among the arrays
    raises QddotError: an unknown function or option
    """
    if not isinstance(name, str) or name not in FUNCTIONS:
        raise QddotError(f"no function {shortened(name)}", expected=", ".join(FUNCTIONS), remedy=near(name, FUNCTIONS))
    function = FUNCTIONS[name]
    for option in options:
        if option not in function.options:
            raise QddotError(f"{name} has no option {option!r}", expected=", ".join(function.options) or "none")
    if not isinstance(wrenches, bool) or (wrenches and name not in PUSHED):
        raise QddotError(f"{name} with wrenches={shortened(wrenches)}", expected=f"True, with {' or '.join(PUSHED)}")
    arrays = (*function.arrays, "wrenches") if wrenches else function.arrays
    programs = []
    for variant in variants(free):
        for compute in algorithms(model, function.compute, *function.others):
            arm = Arm.with_ports(model, arrays, values, free, variant)
            programs.append(arm.graph.program(name, compute(arm, **options)))
    return shortest(programs)


def algorithms(model: Model, compute: Compute, *others: Compute) -> tuple[Compute, ...]:
    """Those that a model has: the others need links with inertias, each joint with a coordinate of its own."""
    return (compute, *others) if model.explicit is None and not model.has_followers else (compute,)


def variants(free: Sequence[str]) -> tuple[bool | None, ...]:
    """The ways to set the frames that may save operations; regrouping pays where numbers are folded."""
    return (None,) if free else (False, True, None)


def shortest(programs: Sequence[Program]) -> Program:
    """Of programs that compute the same, the one with the fewest operations once common factors are out."""
    fewest = min(program.total_operations for program in programs)
    near_it = [factored(program) for program in programs if program.total_operations <= SIMILAR * fewest]
    return min(near_it, key=lambda program: program.total_operations)


def _inverse_dynamics(arm: Arm) -> Mapping[str, Any]:
    return {"tau": arm.dynamics.inverse_dynamics()}


def _bias(arm: Arm) -> Mapping[str, Any]:
    return {"bias": arm.dynamics.bias()}


def forward_dynamics(arm: Arm) -> Mapping[str, Any]:
    """By the mass matrix and the bias."""
    return {"qdd": arm.solve([t - b for t, b in zip(arm.given["tau"], arm.dynamics.bias(), strict=True)])}


def forward_dynamics_articulated(arm: Arm) -> Mapping[str, Any]:
    """Forward dynamics by articulated bodies."""
    left = [t - b for t, b in zip(arm.given["tau"], arm.dynamics.outside(), strict=True)]
    return {"qdd": arm.dynamics.articulated(left, arm.reciprocal)}


def _state_derivative(arm: Arm) -> Mapping[str, Any]:
    return {"xd": [*arm.given["qd"], *forward_dynamics(arm)["qdd"]]}


def _state_derivative_articulated(arm: Arm) -> Mapping[str, Any]:
    return {"xd": [*arm.given["qd"], *forward_dynamics_articulated(arm)["qdd"]]}


def _mass_matrix(arm: Arm) -> Mapping[str, Any]:
    return {"M": arm.dynamics.mass_matrix()}


def _gravity(arm: Arm) -> Mapping[str, Any]:
    return {"G": arm.dynamics.gravity_torques()}


def _forward_kinematics(arm: Arm, body: int | str | None = None) -> Mapping[str, Any]:
    link, frame = arm.place(body)
    return {"T": (kinematics.poses(arm.links)[link] @ frame).matrix()}


def _skeleton(arm: Arm) -> Mapping[str, Any]:
    """What a drawing needs: for each body its joint's point before and after the joint's motion, the joint's
    axis, its frame's origin; then the tool's point; all in the base frame."""
    poses, rows = kinematics.poses(arm.links), []
    for link, pose in zip(arm.links.links, poses, strict=True):
        above = Pose.identity() if link.parent is None else poses[link.parent]
        joint = above @ link.placement
        moved = pose.apply(link.offset.inverse().p)
        rows.append([list(joint.p), list(moved), list(joint.R.apply(link.axis)), list(pose.p)])
    return {"bodies": rows, "tool": list(kinematics.tool_pose(arm.links).p)}


def _jacobian(arm: Arm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    _check_frame(frame)
    link, place = arm.place(body)
    if frame == "world":
        found = kinematics.jacobian(arm.links, link, place.p)
    else:
        found = [c and place.inverse().adjoint(c) for c in kinematics.body_jacobian(arm.links, link)]
    columns = [column or Motion.zero() for column in found]
    return {"J": [list(row) for row in zip(*((*c.v, *c.w) for c in columns), strict=True)]}


def _kinetic_energy(arm: Arm) -> Mapping[str, Any]:
    return {"K": arm.dynamics.kinetic_energy()}


def _potential_energy(arm: Arm) -> Mapping[str, Any]:
    return {"P": arm.dynamics.potential_energy()}


def _momentum(arm: Arm) -> Mapping[str, Any]:
    return {"p": arm.dynamics.momentum()}


def _reactions(arm: Arm) -> Mapping[str, Any]:
    return {"wrenches": [[*wrench.f, *wrench.n] for wrench in arm.dynamics.reactions()]}


def _regressor(arm: Arm, armature: bool = False, friction: bool = False) -> Mapping[str, Any]:
    """Y of the links, and of the joints' own parameters where they are asked for."""
    moving, rows = arm.dynamics.arm, [list(row) for row in arm.dynamics.regressor()]
    factors = {"Ia": moving.qdd, "Fv": moving.qd, "Fc": [arm.numbers.sign(q) for q in arm.model.coordinates]}
    for kind, i, _ in parameters_of(moving, armature, friction):
        for j, row in enumerate(rows):
            row.append(factors[kind][i] if i == j else 0)
    return {"Y": rows}


def _jacobian_drift(arm: Arm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    """J̇ q̇: how J q̇ changes along the motion while the rates stay."""
    rows = _jacobian(arm, body, frame)["J"]
    qd = arm.given["qd"]
    speeds = [sum((entry * rate for entry, rate in zip(row, qd, strict=True)), start=0) for row in rows]
    return {"Jdot_qd": arm.along_the_motion(speeds)}


def _coriolis_matrix(arm: Arm) -> Mapping[str, Any]:
    return {"C": arm.dynamics.coriolis_matrix(arm)}


def _inverse_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    by_q, by_qd, M = arm.dynamics.torque_derivatives(arm)
    return {"dtau_dq": by_q, "dtau_dqd": by_qd, "M": M}


def _forward_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    """∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇, the derivatives of τ taken at the q̈ of the motion."""
    bias = arm.dynamics.bias_beside_derivatives(arm)
    moving = arm.with_accelerations(arm.solve([t - b for t, b in zip(arm.given["tau"], bias, strict=True)]))
    by_q, by_qd, _ = moving.dynamics.torque_derivatives(moving)

    def through(rows: list[list[Any]]) -> list[list[Any]]:
        """−M⁻¹ times a matrix, column by column."""
        columns = [arm.solve([-x for x in column]) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    n = range(arm.model.n)
    full = through([[-int(i == j) for j in n] for i in n])
    inverse = [[full[min(i, j)][max(i, j)] for j in n] for i in n]
    return {"dqdd_dq": through(by_q), "dqdd_dqd": through(by_qd), "M_inverse": inverse}


def _check_frame(frame: str) -> None:
    if not isinstance(frame, str) or frame not in FRAMES:
        raise EvaluationError(f"frame {shortened(frame)}", expected='"world" or "body"')


FUNCTIONS: Mapping[str, Function] = {
    "inverse_dynamics": Function(("q", "qd", "qdd"), _inverse_dynamics),
    "forward_dynamics": Function(("q", "qd", "tau"), forward_dynamics, others=(forward_dynamics_articulated,)),
    "state_derivative": Function(("q", "qd", "tau"), _state_derivative, others=(_state_derivative_articulated,)),
    "mass_matrix": Function(("q",), _mass_matrix),
    "gravity": Function(("q",), _gravity),
    "bias": Function(("q", "qd"), _bias),
    "forward_kinematics": Function(("q",), _forward_kinematics, ("body",)),
    "skeleton": Function(("q",), _skeleton),
    "jacobian": Function(("q",), _jacobian, ("body", "frame")),
    "kinetic_energy": Function(("q", "qd"), _kinetic_energy),
    "potential_energy": Function(("q",), _potential_energy),
    "momentum": Function(("q", "qd"), _momentum),
    "reactions": Function(("q", "qd", "qdd"), _reactions),
    "regressor": Function(("q", "qd", "qdd"), _regressor, ("armature", "friction")),
    "jacobian_drift": Function(("q", "qd"), _jacobian_drift, ("body", "frame")),
    "coriolis_matrix": Function(("q", "qd"), _coriolis_matrix),
    "inverse_dynamics_derivatives": Function(("q", "qd", "qdd"), _inverse_dynamics_derivatives),
    "forward_dynamics_derivatives": Function(("q", "qd", "tau"), _forward_dynamics_derivatives),
}
