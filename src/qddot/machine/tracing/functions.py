"""Lists the functions of an arm: their arrays and options, and how they are computed from the dynamics.

FUNCTIONS is the only list: `trace` and `numeric` use it, and a test compares it with the methods of an arm and their
    table in the documentation. This file does not import the dynamics, so that listing a robot's methods is fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.algebra.spatial import Pose, Twist, inner
from qddot.base.errors import EvaluationError, flag, shortened
from qddot.base.records import record

if TYPE_CHECKING:
    from qddot.machine.tracing.traced import TracedArm

FRAMES = ("world", "body")
TASK = ("x", "y", "z", "rx", "ry", "rz")  # the rows of a Jacobian
WRENCHES = "wrenches"
LARGEST_INDEX = 1_000_000
Compute: TypeAlias = Callable[..., Mapping[str, Any]]


@record(eq=False)
class Function:
    """A function of an arm has input arrays, a computation of its outputs, and options.

    pushed: whether it accepts external wrenches
    algorithms: returns an arm's algorithms for it, if `compute` takes one
    """

    name: str
    arrays: tuple[str, ...]
    compute: Compute
    options: tuple[str, ...] = ()
    pushed: bool = False
    algorithms: Callable[[TracedArm], tuple[str, ...]] | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """Returns the names of all arrays and options, in the order of a call."""
        return (*self.arrays, *((WRENCHES,) if self.pushed else ()), *self.options)

    @property
    def divided(self) -> bool:
        """Returns whether the function divides by M, as those of torques do."""
        return "tau" in self.arrays

    @cached_property
    def with_wrenches(self) -> Function:
        """Returns the same function with external wrenches among its arrays."""
        return replace(self, arrays=(*self.arrays, WRENCHES), pushed=False)

    def chosen(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Returns those of the values that are options and not defaults, as plain values by name.

        raises EvaluationError: an option cannot have this value
        """
        plain = {name: OPTIONS[name].plain(values[name]) for name in self.options if name in values}
        return {name: value for name, value in plain.items() if value != OPTIONS[name].usual}


@record()
class Option:
    """An option of functions has a default and a function that converts a caller's value to a plain one."""

    usual: int | str | bool | None
    plain: Callable[[Any], Any]


def _forward_dynamics(traced: TracedArm, algorithm: str) -> Mapping[str, Any]:
    return {"qdd": traced.accelerations(algorithm)}


def _state_derivative(traced: TracedArm, algorithm: str) -> Mapping[str, Any]:
    return {"xd": [*traced.position_rates, *traced.accelerations(algorithm)]}


def _mass_matrix(traced: TracedArm, algorithm: str) -> Mapping[str, Any]:
    return {"M": traced.dynamics.mass_matrix(algorithm)}


def _forward_kinematics(traced: TracedArm, body: int | str | None = None) -> Mapping[str, Any]:
    link, frame = traced.place(body)
    return {"T": (traced.poses[link] @ frame).matrix()}


def _skeleton(traced: TracedArm) -> Mapping[str, Any]:
    """Returns the points and axes for a drawing, in the base frame.

    For each body they are its joint's point before and after the joint's motion, the joint's axis, and its frame's
    origin; the tool's point follows.
    """
    poses, rows = traced.poses, []
    for link, pose in zip(traced.links.links, poses, strict=True):
        above = Pose.identity() if link.parent is None else poses[link.parent]
        joint = above @ link.placement
        moved = pose.apply(link.offset.inverse().p)
        rows.append([list(joint.p), list(moved), list(joint.R.apply(link.axis)), list(pose.p)])
    return {"bodies": rows, "tool": list(traced.tool_pose.p)}


def jacobian(traced: TracedArm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    link, place = traced.place(body)
    if frame == "world":
        moving = traced.jacobian(link, place.p)
    else:
        moving = [c and place.inverse().adjoint(c) for c in traced.body_jacobian(link)]
    columns = [column or Twist.zero() for column in moving]
    return {"J": [list(row) for row in zip(*((*c.v, *c.w) for c in columns), strict=True)]}


def rows_of(task: str) -> list[int]:
    """Returns the rows of a Jacobian that a text such as "x y rz" names. raises EvaluationError: the text is invalid"""
    names = task.split() if isinstance(task, str) else []
    if not names or len(set(names)) < len(names) or not set(names) <= set(TASK):
        raise EvaluationError(f"task {shortened(task)}", expected=f"some of {' '.join(TASK)}, each once")
    return [TASK.index(name) for name in names]


def _operational_space(
    traced: TracedArm, body: int | str | None = None, task: str = " ".join(TASK)
) -> Mapping[str, Any]:
    """Returns Λ, μ, p for some rows of J, and for each row about the largest mobility that joints could give it."""
    from qddot.machine.tracing.operational_space import largest_mobilities, matrices

    picked = rows_of(task)
    if len(picked) > traced.model.n:
        raise _out_of_reach(len(picked))
    J = [jacobian(traced, body)["J"][k] for k in picked]
    drift = [_jacobian_drift(traced, body)["Jdot_qd"][k] for k in picked]
    results = matrices(traced, J, drift, lambda pivot, _: _reciprocal(pivot, len(J)))
    along, about = largest_mobilities(traced, *traced.place(body))
    return {**results, "largest": [along if k < TASK.index("rx") else about for k in picked]}


def _reciprocal(pivot: Any, rank: int) -> Any:
    """Returns 1 / pivot. raises EvaluationError: it is zero in all positions of the arm"""
    if pivot == 0 or getattr(pivot, "constant", None) == 0:
        raise _out_of_reach(rank)
    return 1 / pivot


def _out_of_reach(rank: int) -> EvaluationError:
    return EvaluationError(cannot_move(rank), expected=f"a Jacobian of rank {rank}", remedy="choose its rows by task=")


def cannot_move(rank: int) -> str:
    """Returns the sentence about a body whose Jacobian has too small a rank."""
    return f"the body cannot move in {'the direction' if rank == 1 else f'all {rank} directions'} of its task"


def _reactions(traced: TracedArm) -> Mapping[str, Any]:
    return {"wrenches": [[*wrench.f, *wrench.n] for wrench in traced.with_links("the joints' reactions").reactions()]}


def _regressor(traced: TracedArm, armature: bool = False, friction: bool = False) -> Mapping[str, Any]:
    """Returns Y for the links, and for parameters of the joints if requested."""
    moving, rows = traced.links, [list(row) for row in traced.with_links("a regressor").regressor()]
    factors = {"Ia": moving.qdd, "Fv": moving.qd, "Fc": [traced.numbers.sign(q) for q in traced.model.coordinates]}
    for kind, i, _ in traced.joint_parameters(armature, friction):
        for j, row in enumerate(rows):
            row.append(factors[kind][i] if i == j else 0)
    return {"Y": rows}


def _jacobian_drift(traced: TracedArm, body: int | str | None = None, frame: str = "world") -> Mapping[str, Any]:
    """Returns J̇ q̇, the rate of J q̇ along the motion with constant rates."""
    rows = jacobian(traced, body, frame)["J"]
    speeds = [inner(row, traced.inputs["qd"]) for row in rows]
    return {"Jdot_qd": traced.along_the_motion(speeds)}


def _coriolis_matrix(traced: TracedArm, algorithm: str) -> Mapping[str, Any]:
    return {"C": traced.dynamics.coriolis_matrix(traced, algorithm)}


def _inverse_dynamics_derivatives(traced: TracedArm) -> Mapping[str, Any]:
    by_q, by_qd, M = traced.dynamics.torque_derivatives(traced)
    return {"dtau_dq": by_q, "dtau_dqd": by_qd, "M": M}


def _forward_dynamics_derivatives(traced: TracedArm) -> Mapping[str, Any]:
    """Returns ∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇ with τ's derivatives at the motion's q̈, and M⁻¹."""
    bias = traced.dynamics.bias_beside_derivatives(traced)
    moving = traced.with_accelerations(traced.solve([t - b for t, b in zip(traced.inputs["tau"], bias, strict=True)]))
    by_q, by_qd, _ = moving.dynamics.torque_derivatives(moving)

    def through(rows: list[list[Any]]) -> list[list[Any]]:
        """Returns −M⁻¹ times a matrix, column by column."""
        columns = [traced.solve([-x for x in column]) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    n = range(traced.model.n)
    full = through([[-int(i == j) for j in n] for i in n])
    inverse = [[full[min(i, j)][max(i, j)] for j in n] for i in n]
    return {"dqdd_dq": through(by_q), "dqdd_dqd": through(by_qd), "M_inverse": inverse}


def _body(value: Any) -> int | str | None:
    """Returns a body's name or index, or None. raises EvaluationError: another type"""
    if value is None or isinstance(value, str):
        return value
    try:
        place = index(value)
    except TypeError:
        place = LARGEST_INDEX
    if abs(place) >= LARGEST_INDEX:
        raise EvaluationError(f"body {shortened(value)}", expected="a name or an index")
    return place


def _frame(value: Any) -> str:
    if not isinstance(value, str) or value not in FRAMES:
        raise EvaluationError(f"frame {shortened(value)}", expected='"world" or "body"')
    return value


def _accelerations(traced: TracedArm) -> tuple[str, ...]:
    from qddot.physics.of_model import algorithms

    return algorithms(traced.model)


_STATE = ("q", "qd")
_MOTION, _DRIVEN = (*_STATE, "qdd"), (*_STATE, "tau")
FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function("inverse_dynamics", _MOTION, lambda arm: {"tau": arm.dynamics.inverse_dynamics()}, pushed=True),
        Function("forward_dynamics", _DRIVEN, _forward_dynamics, pushed=True, algorithms=_accelerations),
        Function("state_derivative", _DRIVEN, _state_derivative, algorithms=_accelerations),
        Function("mass_matrix", ("q",), _mass_matrix, algorithms=lambda arm: arm.dynamics.mass_algorithms),
        Function("gravity", ("q",), lambda arm: {"G": arm.dynamics.gravity_torques()}),
        Function("bias", _STATE, lambda arm: {"bias": arm.dynamics.bias()}),
        Function("forward_kinematics", ("q",), _forward_kinematics, ("body",)),
        Function("skeleton", ("q",), _skeleton),
        Function("jacobian", ("q",), jacobian, ("body", "frame")),
        Function("kinetic_energy", _STATE, lambda arm: {"K": arm.dynamics.kinetic_energy()}),
        Function("potential_energy", ("q",), lambda arm: {"P": arm.dynamics.potential_energy()}),
        Function("momentum", _STATE, lambda arm: {"p": arm.dynamics.momentum()}),
        Function("reactions", _MOTION, _reactions),
        Function("regressor", _MOTION, _regressor, ("armature", "friction")),
        Function("jacobian_drift", _STATE, _jacobian_drift, ("body", "frame")),
        Function("operational_space", _STATE, _operational_space, ("body", "task")),
        Function("coriolis_matrix", _STATE, _coriolis_matrix, algorithms=lambda arm: arm.dynamics.coriolis_algorithms),
        Function("inverse_dynamics_derivatives", _MOTION, _inverse_dynamics_derivatives),
        Function("forward_dynamics_derivatives", _DRIVEN, _forward_dynamics_derivatives),
    )
}
OF_COORDINATES = ("skeleton",)  # functions that are not available for joints with quasi-velocities
INVERSE_DYNAMICS = FUNCTIONS["inverse_dynamics"]  # the function by which frames are chosen
OPTIONS: Mapping[str, Option] = {
    "body": Option(None, _body),
    "frame": Option("world", _frame),
    "task": Option(None, lambda task: task if task is None or rows_of(task) else None),
    **{columns: Option(False, partial(flag, what=columns)) for columns in ("armature", "friction")},
}
