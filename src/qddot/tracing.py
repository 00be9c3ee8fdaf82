"""The functions of an arm as Programs: the physics run over the nodes of a graph.

Each function says which arrays it takes and what it gives; symbols are constants, or inputs where a value
is to be given later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from qddot.dynamics import (
    articulated,
    composite,
    effects,
    energy,
    forward,
    kinematics,
    newton_euler,
    regressor,
    sensitivities,
)
from qddot.errors import EvaluationError, QddotError, near, shortened
from qddot.model.expressions import Expression
from qddot.model.mechanism import Mechanism
from qddot.model.model import Model
from qddot.model.regroup import at_joints, regrouped
from qddot.numbers.graph import GraphNumbers
from qddot.program import derivatives
from qddot.program.factors import factored
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.spatial import Force, Motion, Pose, Vec3

UNITS = {"q": "rad or m", "qd": "rad/s or m/s", "qdd": "rad/s^2 or m/s^2", "tau": "N m or N", "wrenches": "N, N m"}
FRAMES = ("world", "body")
GEOMETRIC = ("forward_kinematics", "jacobian", "jacobian_rate", "skeleton")  # where no inertia enters
SIMILAR = 1.2  # common factors may turn a program into the shortest that was so much longer


class Arm:
    """One arm in a graph: its inputs, its mechanism, and the effects in its joints."""

    def __init__(
        self,
        model: Model,
        graph: Graph,
        given: Mapping[str, Sequence[Any]],
        symbols: Mapping[str, Any],
        variant: bool | None,
    ) -> None:
        """given: nodes by the array's name; symbols: a number or a node each; variant: see `short`."""
        self.model = model
        self.graph = graph
        self.given = given
        self.variant = variant
        q, qd, qdd = (self._named(name) for name in ("q", "qd", "qdd"))
        self.numbers = GraphNumbers(graph, symbols, q, qd, qdd)

    @classmethod
    def with_ports(
        cls,
        model: Model,
        arrays: Sequence[str],
        values: Mapping[str, float],
        free: Sequence[str],
        variant: bool | None,
    ) -> Arm:
        """In a graph of its own, where arrays and free symbols are inputs."""
        graph, shapes = Graph(), {"wrenches": (len(model.bodies), 6)}
        given = {name: graph.input(name, shapes.get(name, (model.n,)), UNITS[name]) for name in arrays}
        symbols = {name: graph.input(name, (), model.symbols[name].unit)[0] for name in free}
        return cls(model, graph, given, {**values, **symbols}, variant)

    def _named(self, array: str) -> dict[str, Any]:
        return dict(zip(self.model.coordinates, self.given.get(array, ()), strict=False))

    @cached_property
    def links(self) -> Mechanism:
        """With the links' own frames."""
        return Mechanism.of(self.model, self.numbers)

    @cached_property
    def short(self) -> Mechanism:
        """With the fewest constants, for functions that no link's frame enters.

        variant: None leaves the links as they are, True slides frames along their axes, False does not
        """
        return self.links if self.variant is None else regrouped(self.links, self.variant)

    def evaluate(self, expression: Expression) -> Any:
        return expression.evaluate(self.numbers)

    def q(self, i: int) -> Any:
        return self.given["q"][i]

    def body(self, body: int | str) -> int:
        """A link by its index (negative from the end) or its name."""
        names = [link.name for link in self.links.links]
        if isinstance(body, str) and body in names:
            return names.index(body)
        if not isinstance(body, int) or not -len(names) <= body < len(names):
            known = f"{', '.join(names)} or an index"
            raise EvaluationError(f"no body {shortened(body)}", expected=known, remedy=near(body, names))
        return body % len(names)

    # what the functions share

    def mass_matrix(self) -> list[list[Any]]:
        return effects.add_armature(composite.mass_matrix(self.short), self.model, self.evaluate)

    @cached_property
    def _factors(self) -> tuple[Any, Any, Any]:
        above = forward.ancestors(self.links)
        return *forward.factorised(self.mass_matrix(), above, self._reciprocal), above

    def _reciprocal(self, pivot: Any, k: int) -> Any:
        if pivot == 0 or getattr(pivot, "constant", None) == 0:
            raise EvaluationError(
                f"the mass matrix is singular: nothing that joint {self.model.coordinates[k]!r} moves has inertia",
                where=self.model.name,
                remedy="give its links mass, or the joint an armature",
            )
        return 1 / pivot

    def solve(self, b: Sequence[Any]) -> list[Any]:
        """M⁻¹ b."""
        return forward.solved(*self._factors, b)

    def outside(self) -> list[Any]:
        """Friction and springs."""
        sign = lambda i: self.given["qd"][i].apply("sign")  # noqa: E731
        friction = effects.friction_torques(self.model, tuple(self.given["qd"]), sign, self.evaluate)
        springs = effects.spring_torques(self.model, self.q, self.evaluate)
        return [a + b for a, b in zip(friction, springs, strict=True)]

    def torques(self) -> list[Any]:
        """Inverse dynamics with all effects and, where there are any, external wrenches."""
        moving = self.links if "wrenches" in self.given else self.short
        motion = newton_euler.outward(moving)
        inertial = [newton_euler.inertial_wrench(a.inertia, b) for a, b in zip(moving.links, motion, strict=True)]
        reaction = newton_euler.inward(moving, [a + b for a, b in zip(inertial, self.pushes(), strict=True)])
        tau = newton_euler.joint_torques(moving, reaction)
        rotors = effects.armature_torques(self.model, moving.qdd, self.evaluate)
        return [a + b + c for a, b, c in zip(tau, rotors, self.outside(), strict=True)]

    def pushes(self) -> list[Force]:
        """Minus the external wrench on each link, which the joints need not supply."""
        given = self.given.get("wrenches")
        if given is None:
            return [Force.zero()] * len(self.links.links)
        rows = [given[6 * k : 6 * k + 6] for k in range(len(self.links.links))]
        return [Force(-Vec3(*row[3:]), -Vec3(*row[:3])) for row in rows]

    def bias(self) -> list[Any]:
        """Inverse dynamics at q̈ = 0."""
        return self.with_accelerations([0] * self.model.n).torques()

    def torque_derivatives(self) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
        """(∂τ/∂q, ∂τ/∂q̇, M) with all effects."""
        moving = self.short if self.variant is not None else at_joints(self.short)
        by_q, by_qd, M = sensitivities.inverse_dynamics_derivatives(moving)
        outside, n = self.outside(), range(self.model.n)
        beside = [derivatives.jacobian(outside, self.given[name]) for name in ("q", "qd")]
        full = [
            [[rows[i][j] + more[i][j] for j in n] for i in n] for rows, more in zip((by_q, by_qd), beside, strict=True)
        ]
        return full[0], full[1], effects.add_armature(M, self.model, self.evaluate)

    def with_accelerations(self, qdd: Sequence[Any]) -> Arm:
        """The same arm in the same graph, with q̈ given as numbers."""
        moved = copy(self)
        moved.links = replace(self.links, qdd=tuple(qdd))
        moved.short = replace(self.short, qdd=tuple(qdd))
        return moved

    def along_the_motion(self) -> dict[int, Any]:
        """The rate of each coordinate, by its node."""
        return {q.index: rate for q, rate in zip(self.given["q"], self.given["qd"], strict=True)}


@dataclass(frozen=True)
class Function:
    """One function of an arm: the arrays it takes, the outputs it gives, the options it has.

    others: other algorithms for the same outputs, where each joint has its own coordinate; the one with the fewest
    operations is taken
    """

    arrays: tuple[str, ...]
    compute: Callable[..., Mapping[str, Any]]
    options: tuple[str, ...] = ()
    others: tuple[Callable[..., Mapping[str, Any]], ...] = ()


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
    raises QddotError: an unknown function or option
    """
    if not isinstance(name, str) or name not in FUNCTIONS:
        raise QddotError(f"no function {shortened(name)}", expected=", ".join(FUNCTIONS), remedy=near(name, FUNCTIONS))
    function = FUNCTIONS[name]
    for option in options:
        if option not in function.options:
            raise QddotError(f"{name} has no option {option!r}", expected=", ".join(function.options) or "none")
    arrays = (*function.arrays, "wrenches") if wrenches else function.arrays
    programs = []
    for variant in variants(free):
        for compute in (function.compute, *(() if model.has_followers else function.others)):
            arm = Arm.with_ports(model, arrays, values, free, variant)
            programs.append(arm.graph.program(name, compute(arm, **options)))
    return shortest(programs)


def variants(free: Sequence[str]) -> tuple[bool | None, ...]:
    """The ways to set the frames that may save operations; regrouping pays where numbers are folded."""
    return (None,) if free else (False, True, None)


def shortest(programs: Sequence[Program]) -> Program:
    """Of programs that compute the same, the one with the fewest operations once common factors are out."""
    fewest = min(program.total_operations for program in programs)
    near_it = [factored(program) for program in programs if program.total_operations <= SIMILAR * fewest]
    return min(near_it, key=lambda program: program.total_operations)


def _inverse_dynamics(arm: Arm) -> Mapping[str, Any]:
    return {"tau": arm.torques()}


def _bias(arm: Arm) -> Mapping[str, Any]:
    return {"bias": arm.bias()}


def forward_dynamics(arm: Arm) -> Mapping[str, Any]:
    """By the mass matrix and the bias."""
    return {"qdd": arm.solve([t - b for t, b in zip(arm.given["tau"], arm.bias(), strict=True)])}


def forward_dynamics_articulated(arm: Arm) -> Mapping[str, Any]:
    """Forward dynamics by articulated bodies."""
    n = arm.model.n
    left = [t - b for t, b in zip(arm.given["tau"], arm.outside(), strict=True)]
    rotors = effects.armature_torques(arm.model, (1,) * n, arm.evaluate)
    moving = arm.links if "wrenches" in arm.given else arm.short
    return {"qdd": articulated.forward_dynamics(moving, left, rotors, arm.pushes(), arm._reciprocal)}


def _state_derivative(arm: Arm) -> Mapping[str, Any]:
    return {"xd": [*arm.given["qd"], *forward_dynamics(arm)["qdd"]]}


def _state_derivative_articulated(arm: Arm) -> Mapping[str, Any]:
    return {"xd": [*arm.given["qd"], *forward_dynamics_articulated(arm)["qdd"]]}


def _mass_matrix(arm: Arm) -> Mapping[str, Any]:
    return {"M": arm.mass_matrix()}


def _gravity(arm: Arm) -> Mapping[str, Any]:
    return {"G": composite.gravity_torques(arm.short)}


def _forward_kinematics(arm: Arm, body: int | str = -1) -> Mapping[str, Any]:
    return {"T": kinematics.poses(arm.links)[arm.body(body)].matrix()}


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


def _jacobian(arm: Arm, body: int | str = -1, frame: str = "world") -> Mapping[str, Any]:
    _check_frame(frame)
    find = kinematics.jacobian if frame == "world" else kinematics.body_jacobian
    columns = [column or Motion.zero() for column in find(arm.links, arm.body(body))]
    return {"J": [list(row) for row in zip(*((*c.v, *c.w) for c in columns), strict=True)]}


def _kinetic_energy(arm: Arm) -> Mapping[str, Any]:
    rotors = effects.armature_energy(arm.model, tuple(arm.given["qd"]), arm.evaluate)
    return {"T": energy.kinetic_energy(arm.links) + rotors}


def _potential_energy(arm: Arm) -> Mapping[str, Any]:
    return {"V": energy.potential_energy(arm.links)}


def _momentum(arm: Arm) -> Mapping[str, Any]:
    return {"p": energy.momentum(arm.mass_matrix(), tuple(arm.given["qd"]))}


def _reactions(arm: Arm) -> Mapping[str, Any]:
    found = newton_euler.inverse_dynamics(arm.links).reaction
    return {"wrenches": [[*wrench.f, *wrench.n] for wrench in found]}


def _regressor(arm: Arm) -> Mapping[str, Any]:
    return {"Y": regressor.regressor(arm.links)}


def _jacobian_rate(arm: Arm, body: int | str = -1, frame: str = "world") -> Mapping[str, Any]:
    """J̇ q̇: how J q̇ changes along the motion while the rates stay."""
    rows = _jacobian(arm, body, frame)["J"]
    qd = arm.given["qd"]
    speeds = [sum((entry * rate for entry, rate in zip(row, qd, strict=True)), start=0) for row in rows]
    return {"Jdot_qd": derivatives.directional(speeds, arm.along_the_motion())}


def _coriolis_matrix(arm: Arm) -> Mapping[str, Any]:
    """C_ij = ½ (Ṁ_ij + ∂p_i/∂q_j − ∂p_j/∂q_i) with p = M q̇: the same as Σ_k Γ_ijk q̇_k."""
    n, M = range(arm.model.n), arm.mass_matrix()
    flat = derivatives.directional([entry for row in M for entry in row], arm.along_the_motion())
    slopes = derivatives.jacobian(energy.momentum(M, tuple(arm.given["qd"])), arm.given["q"])
    return {"C": [[0.5 * (flat[i * len(n) + j] + (slopes[i][j] - slopes[j][i])) for j in n] for i in n]}


def _inverse_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    by_q, by_qd, M = arm.torque_derivatives()
    return {"dtau_dq": by_q, "dtau_dqd": by_qd, "M": M}


def _forward_dynamics_derivatives(arm: Arm) -> Mapping[str, Any]:
    """∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇, the derivatives of τ taken at the q̈ of the motion."""
    by_q, by_qd, _ = arm.with_accelerations(forward_dynamics(arm)["qdd"]).torque_derivatives()

    def through(rows: list[list[Any]]) -> list[list[Any]]:
        """−M⁻¹ times a matrix, column by column."""
        columns = [arm.solve([-x for x in column]) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    n = range(arm.model.n)
    full = through([[-int(i == j) for j in n] for i in n])
    inverse = [[full[max(i, j)][min(i, j)] for j in n] for i in n]
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
    "regressor": Function(("q", "qd", "qdd"), _regressor),
    "jacobian_rate": Function(("q", "qd"), _jacobian_rate, ("body", "frame")),
    "coriolis_matrix": Function(("q", "qd"), _coriolis_matrix),
    "inverse_dynamics_derivatives": Function(("q", "qd", "qdd"), _inverse_dynamics_derivatives),
    "forward_dynamics_derivatives": Function(("q", "qd", "tau"), _forward_dynamics_derivatives),
}
