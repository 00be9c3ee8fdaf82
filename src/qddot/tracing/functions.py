"""A Function says which arrays a function of an arm takes, and how it is computed from the dynamics.

This file loads no dynamics, so that a robot's methods are cheap to name; `trace` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.errors import EvaluationError, shortened
from qddot.spatial import Motion, Pose

if TYPE_CHECKING:
    from qddot.dynamics.dynamics import Dynamics
    from qddot.tracing.arms import Arm

FRAMES = ("world", "body")
TASK = ("x", "y", "z", "rx", "ry", "rz")  # the rows of a Jacobian
Compute: TypeAlias = Callable[..., Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Function:
    """This is one function of an arm: the arrays it takes, how its outputs are computed, the options it has.

    pushed: whether it can take external wrenches, too
    algorithms: those for it, of an arm's dynamics, where `compute` takes one
    """

    name: str
    arrays: tuple[str, ...]
    compute: Compute
    options: tuple[str, ...] = ()
    pushed: bool = False
    algorithms: Callable[[Dynamics], tuple[str, ...]] | None = None


def _inverse_dynamics(arm: Arm) -> Mapping[str, Any]:
    return {"tau": arm.dynamics.inverse_dynamics()}


def _bias(arm: Arm) -> Mapping[str, Any]:
    return {"bias": arm.dynamics.bias()}


def _forward_dynamics(arm: Arm, algorithm: str) -> Mapping[str, Any]:
    return {"qdd": arm.accelerations(algorithm)}


def _state_derivative(arm: Arm, algorithm: str) -> Mapping[str, Any]:
    return {"xd": [*arm.given["qd"], *arm.accelerations(algorithm)]}


def _mass_matrix(arm: Arm, algorithm: str) -> Mapping[str, Any]:
    return {"M": arm.dynamics.mass_matrix(algorithm)}


def _gravity(arm: Arm) -> Mapping[str, Any]:
    return {"G": arm.dynamics.gravity_torques()}


def _forward_kinematics(arm: Arm, body: int | str | None = None) -> Mapping[str, Any]:
    link, frame = arm.place(body)
    return {"T": (arm.poses[link] @ frame).matrix()}


def _skeleton(arm: Arm) -> Mapping[str, Any]:
    """Returns what a drawing needs, in the base frame.

    For each body: its joint's point before and after the joint's motion, the joint's axis, its frame's origin. Then the
    tool's point.
    """
    poses, rows = arm.poses, []
    for link, pose in zip(arm.links.links, poses, strict=True):
        above = Pose.identity() if link.parent is None else poses[link.parent]
        joint = above @ link.placement
        moved = pose.apply(link.offset.inverse().p)
        rows.append([list(joint.p), list(moved), list(joint.R.apply(link.axis)), list(pose.p)])
    return {"bodies": rows, "tool": list(arm.tool_pose.p)}


def _jacobian(arm: Arm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    _check_frame(frame)
    link, place = arm.place(body)
    if frame == "world":
        found = arm.jacobian(link, place.p)
    else:
        found = [c and place.inverse().adjoint(c) for c in arm.body_jacobian(link)]
    columns = [column or Motion.zero() for column in found]
    return {"J": [list(row) for row in zip(*((*c.v, *c.w) for c in columns), strict=True)]}


def rows_of(task: str) -> list[int]:
    """Returns the rows of a Jacobian that a text such as "x y rz" names. raises EvaluationError: other texts"""
    names = task.split() if isinstance(task, str) else []
    if not names or len(set(names)) < len(names) or not set(names) <= set(TASK):
        raise EvaluationError(f"task {shortened(task)}", expected=f"some of {' '.join(TASK)}, each once")
    return [TASK.index(name) for name in names]


def _operational_space(arm: Arm, body: int | str | None = None, task: str = " ".join(TASK)) -> Mapping[str, Any]:
    """Returns Λ, μ, p of some rows of J, and J M⁻¹ Jᵀ, by which a caller sees whether they can be believed."""
    from qddot.dynamics.algorithms.forward import factorised, solved

    picked = rows_of(task)
    if len(picked) > arm.model.n:
        raise _out_of_reach(len(picked))
    J = [_jacobian(arm, body)["J"][k] for k in picked]
    drift = [_jacobian_drift(arm, body)["Jdot_qd"][k] for k in picked]
    MJ = [arm.solve(row) for row in J]
    mobility = [[_dot(a, b) for b in MJ] for a in J]
    above = {k: list(reversed(range(k))) for k in range(len(J))}
    factors = (*factorised(mobility, above, lambda pivot, _: _reciprocal(pivot, len(J))), above)
    unit = [[int(i == j) for j in range(len(J))] for i in range(len(J))]
    G = arm.dynamics.gravity_torques()
    still = arm.dynamics.with_accelerations([0] * arm.model.n).body_torques()
    h = [torque - weight for torque, weight in zip(still, G, strict=True)]
    mu = solved(*factors, [_dot(row, h) - rate for row, rate in zip(MJ, drift, strict=True)])
    inertia = [solved(*factors, column) for column in unit]
    return {"Lambda": inertia, "mu": mu, "p": solved(*factors, [_dot(row, G) for row in MJ]), "mobility": mobility}


def _reciprocal(pivot: Any, rank: int) -> Any:
    """Returns 1 / pivot. raises EvaluationError: it is zero wherever the arm is"""
    if pivot == 0 or getattr(pivot, "constant", None) == 0:
        raise _out_of_reach(rank)
    return 1 / pivot


def _out_of_reach(rank: int) -> EvaluationError:
    count = "six" if rank == len(TASK) else rank
    return EvaluationError(
        f"the body cannot move in all {count} directions", expected="a Jacobian of that rank; task= names its rows"
    )


def _dot(a: Any, b: Any) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), start=0)


def _kinetic_energy(arm: Arm) -> Mapping[str, Any]:
    return {"K": arm.dynamics.kinetic_energy()}


def _potential_energy(arm: Arm) -> Mapping[str, Any]:
    return {"P": arm.dynamics.potential_energy()}


def _momentum(arm: Arm) -> Mapping[str, Any]:
    return {"p": arm.dynamics.momentum()}


def _reactions(arm: Arm) -> Mapping[str, Any]:
    return {"wrenches": [[*wrench.f, *wrench.n] for wrench in arm.with_links("the joints' reactions").reactions()]}


def _regressor(arm: Arm, armature: bool = False, friction: bool = False) -> Mapping[str, Any]:
    """Returns Y of the links, and of the joints' own parameters where they are asked for."""
    moving, rows = arm.dynamics.arm, [list(row) for row in arm.with_links("a regressor").regressor()]
    factors = {"Ia": moving.qdd, "Fv": moving.qd, "Fc": [arm.numbers.sign(q) for q in arm.model.coordinates]}
    for kind, i, _ in arm.joint_parameters(armature, friction):
        for j, row in enumerate(rows):
            row.append(factors[kind][i] if i == j else 0)
    return {"Y": rows}


def _jacobian_drift(arm: Arm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    """Returns J̇ q̇, the rate of J q̇ along the motion with constant rates."""
    rows = _jacobian(arm, body, frame)["J"]
    qd = arm.given["qd"]
    speeds = [sum((entry * rate for entry, rate in zip(row, qd, strict=True)), start=0) for row in rows]
    return {"Jdot_qd": arm.along_the_motion(speeds)}


def _coriolis_matrix(arm: Arm, algorithm: str) -> Mapping[str, Any]:
    return {"C": arm.dynamics.coriolis_matrix(arm, algorithm)}


def _inverse_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    by_q, by_qd, M = arm.dynamics.torque_derivatives(arm)
    return {"dtau_dq": by_q, "dtau_dqd": by_qd, "M": M}


def _forward_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    """Returns ∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇ with τ's derivatives at the motion's q̈, and M⁻¹."""
    bias = arm.dynamics.bias_beside_derivatives(arm)
    moving = arm.with_accelerations(arm.solve([t - b for t, b in zip(arm.given["tau"], bias, strict=True)]))
    by_q, by_qd, _ = moving.dynamics.torque_derivatives(moving)

    def through(rows: list[list[Any]]) -> list[list[Any]]:
        """Returns −M⁻¹ times a matrix, column by column."""
        columns = [arm.solve([-x for x in column]) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    n = range(arm.model.n)
    full = through([[-int(i == j) for j in n] for i in n])
    inverse = [[full[min(i, j)][max(i, j)] for j in n] for i in n]
    return {"dqdd_dq": through(by_q), "dqdd_dqd": through(by_qd), "M_inverse": inverse}


def _check_frame(frame: str) -> None:
    if not isinstance(frame, str) or frame not in FRAMES:
        raise EvaluationError(f"frame {shortened(frame)}", expected='"world" or "body"')


def _accelerations(dynamics: Dynamics) -> tuple[str, ...]:
    return dynamics.algorithms


INVERSE_DYNAMICS = Function("inverse_dynamics", ("q", "qd", "qdd"), _inverse_dynamics, pushed=True)
FORWARD_DYNAMICS = Function(
    "forward_dynamics", ("q", "qd", "tau"), _forward_dynamics, pushed=True, algorithms=_accelerations
)
STATE_DERIVATIVE = Function("state_derivative", ("q", "qd", "tau"), _state_derivative, algorithms=_accelerations)
MASS_MATRIX = Function("mass_matrix", ("q",), _mass_matrix, algorithms=lambda dynamics: dynamics.mass_algorithms)
GRAVITY = Function("gravity", ("q",), _gravity)
BIAS = Function("bias", ("q", "qd"), _bias)
FORWARD_KINEMATICS = Function("forward_kinematics", ("q",), _forward_kinematics, ("body",))
SKELETON = Function("skeleton", ("q",), _skeleton)
JACOBIAN = Function("jacobian", ("q",), _jacobian, ("body", "frame"))
KINETIC_ENERGY = Function("kinetic_energy", ("q", "qd"), _kinetic_energy)
POTENTIAL_ENERGY = Function("potential_energy", ("q",), _potential_energy)
MOMENTUM = Function("momentum", ("q", "qd"), _momentum)
REACTIONS = Function("reactions", ("q", "qd", "qdd"), _reactions)
REGRESSOR = Function("regressor", ("q", "qd", "qdd"), _regressor, ("armature", "friction"))
JACOBIAN_DRIFT = Function("jacobian_drift", ("q", "qd"), _jacobian_drift, ("body", "frame"))
OPERATIONAL_SPACE = Function("operational_space", ("q", "qd"), _operational_space, ("body", "task"))
CORIOLIS_MATRIX = Function(
    "coriolis_matrix", ("q", "qd"), _coriolis_matrix, algorithms=lambda dynamics: dynamics.coriolis_algorithms
)
INVERSE_DYNAMICS_DERIVATIVES = Function(
    "inverse_dynamics_derivatives", ("q", "qd", "qdd"), _inverse_dynamics_derivatives
)
FORWARD_DYNAMICS_DERIVATIVES = Function(
    "forward_dynamics_derivatives", ("q", "qd", "tau"), _forward_dynamics_derivatives
)
FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        *(INVERSE_DYNAMICS, FORWARD_DYNAMICS, STATE_DERIVATIVE, MASS_MATRIX, GRAVITY, BIAS, FORWARD_KINEMATICS),
        *(SKELETON, JACOBIAN, KINETIC_ENERGY, POTENTIAL_ENERGY, MOMENTUM, REACTIONS, REGRESSOR, JACOBIAN_DRIFT),
        *(OPERATIONAL_SPACE, CORIOLIS_MATRIX, INVERSE_DYNAMICS_DERIVATIVES, FORWARD_DYNAMICS_DERIVATIVES),
    )
}
