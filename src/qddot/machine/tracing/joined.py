"""Traces the motion of a closed chain in all its coordinates, of which none has to be independent.

So nothing ends where some coordinates cease to determine the others; see `loop_forces`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from qddot.algebra.program import derivatives
from qddot.algebra.program.factors import factored
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import inner
from qddot.base.system.collector import without_collector
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.algorithms import closure
from qddot.physics.algorithms.loop_forces import Held, LoopForces
from qddot.physics.algorithms.preconditioned import Preconditioned
from qddot.physics.independent import Independents
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel


class Joined:
    """This is an arm in a graph whose links form loops, or roll on other links."""

    def __init__(self, traced: TracedArm, model: ClosedModel, choice: Independents, mixing: Sequence[Any] = ()) -> None:
        """model: the conditions; its tree may have fewer bodies than the arm; choice: its conditions hold

        mixing: W, row by row, of a chain that was opened near a configuration: the conditions W A q̇ = 0 hold. Which of
        its own conditions are independent may change along a motion
        """
        self.arm, self.model = traced, model
        phi, rows = closure.residuals(traced.links, model, traced.evaluate), closure.jacobian(traced.links, model)
        residuals = [*phi, *[0] * (len(rows) - len(phi))]  # wheels have conditions on velocities alone
        self.every_residual, self.every_row = residuals, rows
        count = len(rows)
        parts = [mixing[k : k + count] for k in range(0, len(mixing), count)]
        mixed = [list(column) for column in zip(*rows, strict=True)]
        self.A = [[inner(part, column) for column in mixed] for part in parts] or [rows[k] for k in choice.conditions]
        self.residuals = [inner(part, residuals) for part in parts] or [residuals[k] for k in choice.conditions]

    def corrections(self) -> list[Any]:
        """Returns the shortest step of Newton's method, for each entry of q̇, that closes the loops."""
        held = Held(self.A)
        return held.forces(held.multipliers([-entry for entry in self.residuals]))

    def velocities(self) -> list[Any]:
        """Returns the velocities that keep the conditions and are nearest to q̇ by the energy of what is between."""
        qd = self.arm.inputs["qd"]
        excess = [-inner(row, qd) for row in self.A]
        return [rate + part for rate, part in zip(qd, self._loops.accelerations([0] * len(qd), excess)[0], strict=True)]

    @cached_property
    def _forces(self) -> list[Any]:
        """Returns τ − bias."""
        return [torque - bias for torque, bias in zip(self.arm.inputs["tau"], self.arm.dynamics.bias(), strict=True)]

    @cached_property
    def _right(self) -> list[Any]:
        """Returns −γ, with A q̈ = −γ."""
        speeds = [inner(row, self.arm.inputs["qd"]) for row in self.A]
        return [-entry for entry in self.arm.along_the_motion(speeds)]

    @cached_property
    def _loops(self) -> LoopForces:
        return LoopForces(self.arm.dynamics.mass_matrix(), self.A)

    @property
    def determinant(self) -> Any:
        """Returns that of A Aᵀ, which is 0 in a singular configuration, where a condition follows from others."""
        return Held(self.A).determinant

    def accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau."""
        return self._loops.accelerations(self._forces, self._right)[0]

    @property
    def matrix(self) -> list[list[Any]]:
        """Returns the matrix of the equations M q̈ − Aᵀ λ = τ − bias and A q̈ = −γ for (q̈, −λ)."""
        M = [
            [*row, *column]
            for row, column in zip(self.arm.dynamics.mass_matrix(), zip(*self.A, strict=True), strict=True)
        ]
        return [*M, *([*row, *[0] * len(self.A)] for row in self.A)]

    def preconditioned(self, C: Sequence[Sequence[Any]]) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
        """Returns q̈, solved for as over intervals, and a function of nodes that returns the derivatives by them.

        C: about the inverse of `matrix`
        """
        n, matrix, right = self.arm.model.n, self.matrix, [*self._forces, *self._right]
        equations = Preconditioned(matrix, C)
        solution = equations.solved(right)

        def slopes(by: Sequence[Any]) -> list[list[Any]]:
            unknown = self.arm.graph.unknowns(len(matrix))
            missing = [b - inner(row, unknown) for b, row in zip(right, matrix, strict=True)]
            known = {x.index: value for x, value in zip(unknown, solution, strict=True)}
            rows = [derivatives.replaced(row, known) for row in derivatives.jacobian(missing, by)]
            columns = [equations.solved(column)[:n] for column in zip(*rows, strict=True)]
            return [list(row) for row in zip(*columns, strict=True)]

        return solution[:n], slopes

    def multipliers(self) -> list[Any]:
        """Returns λ, with M q̈ + bias − τ = Aᵀ λ."""
        missing = zip(self.arm.dynamics.inverse_dynamics(), self.arm.inputs["tau"], strict=True)
        forces = [needed - motor for needed, motor in missing]
        return Held(self.A).multipliers([inner(row, forces) for row in self.A])

    def held_by_friction(self, held: Mapping[int, Any]) -> HeldByFriction:
        """Returns the motion where friction holds some joints; held: by joint, 1 if friction holds it, else 0."""
        n, count = range(self.arm.model.n), len(self.A)
        units = {joint: [int(k == joint) for k in n] for joint in held}
        rows = [[share * entry for entry in units[joint]] for joint, share in held.items()]
        both = LoopForces(self.arm.dynamics.mass_matrix(), [*self.A, *rows])
        accelerations, forces = both.accelerations(self._forces, [*self._right, *[0] * len(rows)])
        torques = [-(share * force) for share, force in zip(held.values(), forces[count:], strict=True)]
        answers = [self._loops.accelerations(unit, [0] * count)[0] for unit in units.values()]
        responses = [[answer[joint] for answer in answers] for joint in held]
        return HeldByFriction(accelerations, torques, responses)


class HeldByFriction(NamedTuple):
    """This is the motion of a chain where friction holds some joints.

    accelerations: q̈; torques: μ, with which friction holds them; responses: −∂q̈_j/∂μ_k of the joints that it may hold
    """

    accelerations: list[Any]
    torques: list[Any]
    responses: list[list[Any]]


IN_ALL_COORDINATES: Mapping[str, Callable[[Joined], Any]] = {
    "forward_dynamics": Joined.accelerations,
    "state_derivative": lambda chain: [*chain.arm.position_rates, *chain.accelerations()],
    "multipliers": Joined.multipliers,
}  # functions that need no independent coordinates


def trace_in_all_coordinates(
    system: ClosedSystem, name: str, values: Mapping[str, float], free: Sequence[str] = ()
) -> Program:
    """Returns the program of a function in IN_ALL_COORDINATES; arguments as for `trace`.

    Of a chain that was opened near a configuration, W follows the arrays, except for λ of its independent conditions.
    """
    with without_collector():
        traced = TracedArm.with_ports(system, FUNCTIONS[name].inputs, values, free)
        size = system.sizes["held"] * system.sizes["conditions"] if is_mixed(name, system.choice) else 0
        mixing = traced.graph.input("mixing", (size,)) if size else ()
        results = IN_ALL_COORDINATES[name](Joined(traced, system.model, system.choice, mixing))
        return factored(traced.graph.program(name, {"result": results}))


def is_mixed(name: str, choice: Independents) -> bool:
    """Returns whether a function in all coordinates mixes conditions."""
    return choice.near and name != "multipliers"
