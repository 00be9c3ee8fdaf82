"""Traces the functions of a closed chain: the tree's dynamics with the forces of its loops, over a graph's nodes.

With A_d, the columns of A for the dependent coordinates: q̈ = R u̇ + s, where A_d s = −γ, and M̄ u̇ = Rᵀ (τ − bias − M s).
A_d is inverted by Cramer's rule in independent blocks, so that there are no pivots that could vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from qddot.dynamics.algorithms import closure, forward
from qddot.dynamics.algorithms.cramer import Block, blocks
from qddot.dynamics.independent import Choice
from qddot.errors import QddotError, near, shortened
from qddot.model.loops import ClosedModel, Loop
from qddot.program.factors import factored
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.spatial import inner
from qddot.system.collector import without_collector
from qddot.tracing.arms import UNITS, Arm


class Chain:
    """This is an arm in a graph whose links form loops."""

    def __init__(self, arm: Arm, loops: Sequence[Loop], choice: Choice) -> None:
        self.arm, self.loops, self.choice = arm, loops, choice
        self.inputs = arm.inputs

    @classmethod
    def with_ports(
        cls, model: ClosedModel, choice: Choice, arrays: Sequence[str], values: Mapping[str, float]
    ) -> Chain:
        """Returns the chain in a new graph with the arrays as inputs."""
        graph, sizes = Graph(), {"u": len(choice.independent)}
        inputs = {name: graph.input(name, (sizes.get(name, model.tree.n),), UNITS[name]) for name in arrays}
        return cls(Arm(model.tree, graph, inputs, values), model.loops, choice)

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the independent rows of A."""
        rows = closure.jacobian(self.arm.links, self.loops)
        return [rows[k] for k in self.choice.conditions]

    @cached_property
    def _dependent_columns(self) -> list[list[Any]]:
        return [[row[k] for k in self.choice.dependent] for row in self.A]

    @cached_property
    def _blocks(self) -> list[tuple[Block, Any]]:
        """Returns the blocks of A_d with the reciprocals of their determinants."""
        return [(block, 1 / block.determinant) for block in blocks(self._dependent_columns)]

    @property
    def determinants(self) -> list[tuple[tuple[int, ...], Any]]:
        """Returns the dependent coordinates of each block, by places in q, with the determinant of its columns of A."""
        places = self.choice.dependent
        return [(tuple(places[k] for k in block.columns), block.determinant) for block, _ in self._blocks]

    def following(self, b: Sequence[Any]) -> list[Any]:
        """Returns x (n) with A_d x_d = b, which is zero for the independent coordinates."""
        x: list[Any] = [0] * self.arm.model.n
        for block, inverse in self._blocks:
            for place, top in block.numerators(self._dependent_columns, b).items():
                x[self.choice.dependent[place]] = top * inverse
        return x

    def held(self, torques: Sequence[Any]) -> list[Any]:
        """Returns λ with A_dᵀ λ = the torques on the dependent coordinates."""
        across = [list(column) for column in zip(*self._dependent_columns, strict=True)]
        b = [torques[k] for k in self.choice.dependent]
        forces: list[Any] = [0] * len(b)
        for block in blocks(across):
            inverse = 1 / block.determinant
            for place, top in block.numerators(across, b).items():
                forces[place] = top * inverse
        return forces

    @cached_property
    def columns(self) -> list[list[Any]]:
        """Returns the columns of R."""
        columns = []
        for own in self.choice.independent:
            column = self.following([-row[own] for row in self.A])
            column[own] = 1
            columns.append(column)
        return columns

    @cached_property
    def M(self) -> list[list[Any]]:
        """Returns M̄ = Rᵀ M R."""
        M = self.arm.dynamics.mass_matrix()
        MR = [[inner(row, column) for row in M] for column in self.columns]
        m = range(len(self.columns))
        return [[inner(self.columns[min(i, j)], MR[max(i, j)]) for j in m] for i in m]

    @property
    def residuals(self) -> list[Any]:
        """Returns the independent conditions φ."""
        phi = closure.residuals(self.arm.links, self.loops, self.arm.evaluate)
        return [phi[k] for k in self.choice.conditions]

    def corrections(self) -> list[Any]:
        """Returns the step of Newton's method that closes the loops by the dependent coordinates."""
        return self.following([-entry for entry in self.residuals])

    def velocities(self, u: Sequence[Any]) -> list[Any]:
        """Returns q̇ = R u."""
        return [inner(row, u) for row in zip(*self.columns, strict=True)]

    def drift(self) -> list[Any]:
        """Returns s, the accelerations of the dependent coordinates at u̇ = 0."""
        gamma = self.arm.along_the_motion([inner(row, self.inputs["qd"]) for row in self.A])
        return self.following([-entry for entry in gamma])

    def accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau."""
        s, M = self.drift(), self.arm.dynamics.mass_matrix()
        left = zip(self.inputs["tau"], self.arm.dynamics.bias(), M, strict=True)
        forces = [torque - bias - inner(row, s) for torque, bias, row in left]
        above = {k: list(reversed(range(k))) for k in range(len(self.columns))}
        factors = (*forward.factorised(self.M, above), above)
        u_rates = forward.solved(*factors, [inner(column, forces) for column in self.columns])
        moving = zip(*self.columns, strict=True)
        return [inner(row, u_rates) + own for row, own in zip(moving, s, strict=True)]


def _velocities(chain: Chain) -> Mapping[str, Any]:
    return {"qd": chain.velocities(chain.inputs["u"])}


def _closure(chain: Chain) -> Mapping[str, Any]:
    return {
        "phi": closure.residuals(chain.arm.links, chain.loops, chain.arm.evaluate),
        "A": closure.jacobian(chain.arm.links, chain.loops),
    }


def _mass_matrix(chain: Chain) -> Mapping[str, Any]:
    return {"M": chain.M}


def _forward_dynamics(chain: Chain) -> Mapping[str, Any]:
    return {"qdd": chain.accelerations()}


def _inverse_dynamics(chain: Chain) -> Mapping[str, Any]:
    tau = chain.arm.dynamics.inverse_dynamics()
    return {"tau": [inner(column, tau) for column in chain.columns]}


def _multipliers(chain: Chain) -> Mapping[str, Any]:
    """Returns λ: M q̈ + bias − τ = Aᵀ λ."""
    tau = chain.arm.dynamics.inverse_dynamics()
    return {"lambda": chain.held([needed - motor for needed, motor in zip(tau, chain.inputs["tau"], strict=True)])}


FUNCTIONS: Mapping[str, tuple[tuple[str, ...], Callable[[Chain], Mapping[str, Any]]]] = {
    "velocities": (("q", "u"), _velocities),
    "closure": (("q",), _closure),
    "mass_matrix": (("q",), _mass_matrix),
    "forward_dynamics": (("q", "qd", "tau"), _forward_dynamics),
    "inverse_dynamics": (("q", "qd", "qdd"), _inverse_dynamics),
    "multipliers": (("q", "qd", "qdd", "tau"), _multipliers),
}


def trace(model: ClosedModel, choice: Choice, name: str, values: Mapping[str, float]) -> Program:
    """Returns the program of one function; values: those of all symbols. raises QddotError: no such function"""
    if name not in FUNCTIONS:
        raise QddotError(f"no function {shortened(name)}", expected=", ".join(FUNCTIONS), remedy=near(name, FUNCTIONS))
    arrays, compute = FUNCTIONS[name]
    with without_collector():
        chain = Chain.with_ports(model, choice, arrays, values)
        return factored(chain.arm.graph.program(name, compute(chain)))
