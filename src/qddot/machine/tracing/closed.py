"""Traces the functions of a closed chain: the tree's dynamics with the forces of its loops, over a graph's nodes.

With A_d, the columns of A for the dependent coordinates: q̈ = R u̇ + s, where A_d s = −γ, and M̄ u̇ = Rᵀ (τ − bias − M s).
A_d is inverted without pivots that could vanish while A_d is regular; see `elimination`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import Any

from qddot.algebra.program import derivatives
from qddot.algebra.program.factors import factored
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import inner
from qddot.base.errors import QddotError, check_one_of
from qddot.base.system.collector import without_collector
from qddot.machine.tracing import functions
from qddot.machine.tracing.joined import Joined
from qddot.machine.tracing.traced import TOOL, TracedArm
from qddot.physics.algorithms import closure, forward
from qddot.physics.algorithms.elimination import Elimination
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel, names_of_conditions

LEAST = 1e-24  # of the square of a determinant, relative to its bound; the root is about the part that rounding leaves
ILL = 1e-16  # the same where a function that does not depend on the choice of coordinates is computed without one


class Chain:
    """This is a closed chain in a graph: an arm whose links form loops, or roll on other links."""

    def __init__(self, traced: TracedArm, model: ClosedModel, choice: Independents) -> None:
        """model: the conditions; its tree may have fewer bodies than the arm"""
        self.arm, self.model, self.choice = traced, model, choice
        self.inputs = traced.inputs

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the independent rows of A."""
        rows = closure.jacobian(self.arm.links, self.model)
        return [rows[k] for k in self.choice.conditions]

    @cached_property
    def _elimination(self) -> Elimination:
        return Elimination([[row[k] for k in self.choice.dependent] for row in self.A])

    def regularity(self, least: float = LEAST) -> Any:
        """Returns a number that is positive unless other coordinates are hardly determined.

        least: the square of a determinant, relative to its bound; by default one that rounding decides
        """
        sizes, zero = [inner(row, row) for row in self.A], self.arm.graph.constant(0.0)
        parts = [zero + top - whole * least for top, whole in self._elimination.regularities(sizes)]
        return reduce(lambda least, part: least.apply("minimum", part), parts)

    def following(self, b: Sequence[Any]) -> list[Any]:
        """Returns x (n) with A_d x_d = b, which is zero for the independent coordinates."""
        x: list[Any] = [0] * self.arm.model.n
        for k, value in zip(self.choice.dependent, self._elimination.solved(b), strict=True):
            x[k] = value
        return x

    def held(self, torques: Sequence[Any]) -> list[Any]:
        """Returns λ with A_dᵀ λ = the torques on the dependent coordinates: ∂(τᵀ A_d⁻¹ b)/∂b."""
        b = self.arm.graph.unknowns(len(self.choice.conditions))
        return derivatives.jacobian([inner(torques, self.following(b))], b)[0]

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

    def velocities(self, u: Sequence[Any]) -> list[Any]:
        """Returns q̇ = R u."""
        return [inner(row, u) for row in zip(*self.columns, strict=True)]

    @cached_property
    def drift(self) -> list[Any]:
        """Returns s, the accelerations of the dependent coordinates at u̇ = 0."""
        gamma = self.arm.along_the_motion([inner(row, self.inputs["qd"]) for row in self.A])
        return self.following([-entry for entry in gamma])

    @cached_property
    def directions(self) -> list[list[Any]]:
        """Returns the directions in which q may differ: one for each coordinate that the loops leave free."""
        if self.model.integrable:
            return self.columns
        if not self.model.loops:
            n = range(self.arm.model.n)
            return [[int(k == l) for k in n] for l in n]
        return self.of_loops.columns

    @cached_property
    def of_loops(self) -> Chain:
        """Returns the chain without its wheels."""
        return Chain(self.arm, replace(self.model, rolling=()), of_loops(self.model, self.choice))

    def along(self, values: Sequence[Any], direction: Sequence[Any], accelerations: Sequence[Any] = ()) -> list[Any]:
        """Returns derivatives of functions of q, q̇ and q̈ in a direction of q, at the same u and u̇.

        accelerations: q̈ as a function of q and q̇ at the same u̇; none for functions of q and q̇ alone
        """
        q, qd = self.inputs["q"], self.inputs["qd"]
        onward = _slopes(q, self.arm.rates_of_positions(direction))
        rates = self.velocities([qd[k] for k in self.choice.independent])
        onward |= _slopes(qd, derivatives.directional(rates, onward))
        return self._onward(values, onward, accelerations)

    def by_rate(self, values: Sequence[Any], l: int, accelerations: Sequence[Any] = ()) -> list[Any]:
        """Returns derivatives of values with respect to the l-th entry of u; accelerations: as in `along`."""
        return self._onward(values, _slopes(self.inputs["qd"], self.columns[l]), accelerations)

    def _onward(self, values: Sequence[Any], onward: dict[int, Any], accelerations: Sequence[Any]) -> list[Any]:
        """Returns derivatives of values; onward: those of q and q̇, by node

        accelerations: q̈ as a function of q and q̇, if the values depend on it
        """
        if accelerations:
            onward |= _slopes(self.inputs["qdd"], derivatives.directional(accelerations, onward))
        return derivatives.directional(values, onward)

    def accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau."""
        left = zip(self.inputs["tau"], self.arm.dynamics.bias(), self.arm.dynamics.mass_matrix(), strict=True)
        forces = [torque - bias - inner(row, self.drift) for torque, bias, row in left]
        above = {k: list(reversed(range(k))) for k in range(len(self.columns))}
        factors = (*forward.factorised(self.M, above), above)
        return self.moved(forward.solved(*factors, [inner(column, forces) for column in self.columns]))

    def moved(self, u_rates: Sequence[Any]) -> list[Any]:
        """Returns q̈ = R u̇ + s."""
        return [rate + own for rate, own in zip(self.velocities(u_rates), self.drift, strict=True)]


def _slopes(inputs: Sequence[Any], slopes: Iterable[Any]) -> dict[int, Any]:
    """Returns the derivatives of inputs by their places in the graph."""
    return {x.index: slope for x, slope in zip(inputs, slopes, strict=True)}


def _closure(chain: Chain) -> Mapping[str, Any]:
    return {
        "phi": closure.residuals(chain.arm.links, chain.model, chain.arm.evaluate),
        "A": closure.jacobian(chain.arm.links, chain.model),
    }


def _inverse_dynamics(chain: Chain) -> Mapping[str, Any]:
    tau = chain.arm.dynamics.inverse_dynamics()
    return {"tau": [inner(column, tau) for column in chain.columns]}


def _multipliers(chain: Chain) -> Mapping[str, Any]:
    """Returns λ: M q̈ + bias − τ = Aᵀ λ."""
    tau = chain.arm.dynamics.inverse_dynamics()
    return {"lambda": chain.held([needed - motor for needed, motor in zip(tau, chain.inputs["tau"], strict=True)])}


def _jacobian(chain: Chain) -> Mapping[str, Any]:
    """Returns J of the tool, (6, m): its rows are the linear and the angular velocity in base axes."""
    rows = functions.jacobian(chain.arm, TOOL)["J"]
    return {"J": [[inner(row, column) for column in chain.columns] for row in rows]}


def _forward_dynamics_derivatives(chain: Chain) -> Mapping[str, Any]:
    """Returns ∂u̇/∂q in the directions that the loops leave free, ∂u̇/∂u and ∂u̇/∂τ."""
    own, m = chain.choice.independent, range(len(chain.columns))
    accelerations = chain.accelerations()
    u_rates = [accelerations[k] for k in own]
    return {
        "by_q": _across(chain.along(u_rates, direction) for direction in chain.directions),
        "by_u": _across(chain.by_rate(u_rates, l) for l in m),
        "by_tau": derivatives.jacobian(u_rates, chain.inputs["tau"]),
    }


def _inverse_dynamics_derivatives(chain: Chain) -> Mapping[str, Any]:
    """Returns ∂(Rᵀτ)/∂q in the directions that the loops leave free, ∂(Rᵀτ)/∂u and M̄ = ∂(Rᵀτ)/∂u̇."""
    torques, m = _inverse_dynamics(chain)["tau"], range(len(chain.columns))
    moving = chain.moved([chain.inputs["qdd"][k] for k in chain.choice.independent])
    return {
        "by_q": _across(chain.along(torques, direction, moving) for direction in chain.directions),
        "by_u": _across(chain.by_rate(torques, l, moving) for l in m),
        "M": chain.M,
    }


def _across(columns: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*columns, strict=True)]


FUNCTIONS: Mapping[str, tuple[tuple[str, ...], Callable[[Chain], Mapping[str, Any]]]] = {
    "velocities": (("q", "u"), lambda chain: {"qd": chain.velocities(chain.inputs["u"])}),
    "accelerations": (("q", "qd", "ud"), lambda chain: {"qdd": chain.moved(chain.inputs["ud"])}),
    "closure": (("q",), _closure),
    "mass_matrix": (("q",), lambda chain: {"M": chain.M}),
    "forward_dynamics": (("q", "qd", "tau"), lambda chain: {"qdd": chain.accelerations()}),
    "inverse_dynamics": (("q", "qd", "qdd"), _inverse_dynamics),
    "multipliers": (("q", "qd", "qdd", "tau"), _multipliers),
    "jacobian": (("q",), _jacobian),
    "forward_dynamics_derivatives": (("q", "qd", "tau"), _forward_dynamics_derivatives),
    "inverse_dynamics_derivatives": (("q", "qd", "qdd"), _inverse_dynamics_derivatives),
}


IN_ALL_COORDINATES: Mapping[str, Callable[[Joined], Mapping[str, Any]]] = {
    "forward_dynamics": lambda chain: {"qdd": chain.accelerations()},
    "multipliers": lambda chain: {"lambda": chain.multipliers()},
}


def _regularity(chain: Chain, name: str) -> Any:
    """Returns the chain's regularity; derivatives by q also depend on that of its loops alone."""
    if name in IN_ALL_COORDINATES:
        return chain.regularity(ILL)
    of_loops_too = name.endswith("derivatives") and chain.model.loops and not chain.model.integrable
    own = chain.regularity()
    return own.apply("minimum", chain.of_loops.regularity()) if of_loops_too else own


def is_checked(name: str, choice: Independents) -> bool:
    """Returns whether a function of this name has the chain's regularity as its last output."""
    return name != "closure" and bool(choice.dependent)


def trace(
    model: ClosedModel, choice: Independents, name: str, values: Mapping[str, float], free: Sequence[str] = ()
) -> Program:
    """Returns the program of one function. raises QddotError: no such function

    values: values of all symbols except those in `free`, which become inputs after the arrays
    """
    check_one_of(name, FUNCTIONS, "no function", QddotError)
    arrays, compute = FUNCTIONS[name]
    with without_collector():
        traced = TracedArm.with_ports(model.tree, arrays, values, free, len(choice.independent))
        chain = Chain(traced, model, choice)
        checked = {"regularity": [_regularity(chain, name)]} if is_checked(name, choice) else {}
        return factored(traced.graph.program(name, {**compute(chain), **checked}))


def trace_in_all_coordinates(
    model: ClosedModel, choice: Independents, name: str, values: Mapping[str, float], free: Sequence[str] = ()
) -> Program:
    """Returns the program of a function in IN_ALL_COORDINATES; arguments as for `trace`.

    Of a chain that was opened near a configuration, its first argument is W, except for λ of its independent conditions
    """
    with without_collector():
        traced = TracedArm.with_ports(model.tree, FUNCTIONS[name][0], values, free)
        size = len(choice.conditions) * len(names_of_conditions(model)) if is_mixed(name, choice) else 0
        chain = Joined(traced, model, choice, traced.graph.input("mixing", (size,)) if size else ())
        return factored(traced.graph.program(name, IN_ALL_COORDINATES[name](chain)))


def is_mixed(name: str, choice: Independents) -> bool:
    """Returns whether a function in all coordinates mixes conditions."""
    return choice.near and name != "multipliers"
