"""Traces the matrices of an arm's equations over exact constants, as functions of its coordinates alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from qddot.algebra.numbers.balls import ends
from qddot.algebra.numbers.exact_nodes import ExactGraph, ExactNodes
from qddot.algebra.program import derivatives
from qddot.algebra.program.program import Program
from qddot.machine.tracing.arms import Arm
from qddot.physics.dynamics import SLID
from qddot.physics.effects import summed_torques
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing


class ExactProgram(NamedTuple):
    """A program whose constants are fractions, with enclosures of its irrational inputs; its other input is q."""

    program: Program
    irrational: Sequence[tuple[float, float]]

    @property
    def coordinates(self) -> list[int]:
        """Returns the places in q on which the results depend."""
        inputs = self.program.inputs
        nodes = [node for node in self.program.nodes if node.op == "input"]
        return sorted({node.element[1] for node in nodes if inputs[node.element[0]].name == "q"})


class Equations:
    """The parts of an arm's equation of motion as nodes of one graph, from which programs of some of them are made.

    M and ∂M/∂q; Γ_ijk of the first kind, whose sum over k with v_k is C(q, v); G; static: G and the springs' torques
    raises QddotError: a symbol without a value
    """

    def __init__(self, model: Model) -> None:
        symbols = {name: symbol.value for name, symbol in model.symbols.items() if symbol.value is not None}
        used = [name for name in model.symbols if name not in symbols]
        refuse_missing(used, model.name)
        self.model, self.graph = model, ExactGraph()
        self.q = self.graph.input("q", (model.n,))
        arm = Arm(model, self.graph, {"q": self.q}, symbols, kind=ExactNodes)
        self.arm = arm.in_frames(SLID) if model.explicit is None else arm

    @cached_property
    def M(self) -> list[list[Any]]:
        return self.arm.dynamics.mass_matrix()

    @cached_property
    def gravity(self) -> list[Any]:
        return self.arm.dynamics.gravity_torques()

    @cached_property
    def static(self) -> list[Any]:
        return self.arm.dynamics.inverse_dynamics()

    def friction(self, account: str, rates: Sequence[float]) -> list[Any]:
        """Returns the torques of one kind of friction, "viscous" or "coulomb", at these rates."""
        dynamics = self.arm.in_motion(qd=[self.graph.constant(rate) for rate in rates]).dynamics
        effects = [effect for effect in dynamics.arm.effects if effect.account == account]
        return summed_torques(self.model.n, effects, dynamics.arm)

    @cached_property
    def stiffness(self) -> list[list[Any]]:
        return derivatives.jacobian(self.gravity, self.q)

    @cached_property
    def christoffel(self) -> list[list[list[Any]]]:
        """Returns Γ_ijk = ½(∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        n = range(self.model.n)
        pairs = [(i, j) for i in n for j in n if j <= i]
        rows = derivatives.jacobian([self.M[i][j] for i, j in pairs], self.q)
        slopes = dict(zip(pairs, rows, strict=True))

        def dM(i: int, j: int, k: int) -> Any:
            return slopes[max(i, j), min(i, j)][k]

        return [[[(dM(i, j, k) + dM(i, k, j) - dM(j, k, i)) * self._half for k in n] for j in n] for i in n]

    @property
    def _half(self) -> Any:
        return self.graph.constant(0.5)

    def program(self, outputs: Mapping[str, Any]) -> ExactProgram:
        """Returns the program of nested lists of nodes, by name."""
        return ExactProgram(self.graph.program(self.model.name, outputs), [ends(x) for x in self.graph.irrational])
