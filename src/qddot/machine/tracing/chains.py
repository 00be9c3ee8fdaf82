"""Traces the functions of a closed chain: the tree's dynamics with the forces of its loops, over a graph's nodes.

With A_d, the columns of A for the dependent coordinates: q̈ = R u̇ + s, where A_d s = −γ, and M̄ u̇ = Rᵀ (τ − bias − M s).
A_d is inverted without pivots that could vanish while A_d is regular; see `elimination`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, reduce
from typing import Any, Self

from qddot.algebra.program import derivatives
from qddot.algebra.spatial import Force, Twist, Vec3, inner
from qddot.machine.tracing.traced import Tensor, TracedArm, in_rows
from qddot.physics.algorithms import closure, forward
from qddot.physics.algorithms.elimination import Elimination
from qddot.physics.algorithms.external_wrenches import ExternalWrenches
from qddot.physics.dynamics import Matrix
from qddot.physics.independent import of_loops
from qddot.physics.of_loops import LoopDynamics
from qddot.physics.systems import ClosedSystem

LEAST = 1e-24  # of the square of a determinant, relative to its bound; the root is about the part that rounding leaves
ILL = 1e-16  # the same where a function that does not depend on the choice of coordinates is computed without one


class TracedChain:
    """This is a closed chain in a graph: an arm whose links form loops, or roll on other links.

    It has what `functions` use of a `TracedArm`, along the rates of its independent coordinates.
    """

    def __init__(self, tree: TracedArm, system: ClosedSystem) -> None:
        """system: its tree may have fewer bodies than the arm"""
        self.tree, self.system = tree, system
        self.model, self.choice = system.model, system.choice
        self.inputs, self.graph, self.numbers = tree.inputs, tree.graph, tree.numbers

    @property
    def rates(self) -> tuple[str, ...]:
        return self.system.rates

    # the loops

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the independent rows of A."""
        rows = closure.jacobian(self.tree.links, self.model)
        return [rows[k] for k in self.choice.conditions]

    @cached_property
    def _elimination(self) -> Elimination:
        return Elimination([[row[k] for k in self.choice.dependent] for row in self.A])

    def closure(self) -> tuple[list[Any], list[list[Any]]]:
        """Returns φ and all rows of A."""
        links = self.tree.links
        return closure.residuals(links, self.model, self.tree.evaluate), closure.jacobian(links, self.model)

    @property
    def depends_on_choice(self) -> bool:
        """Returns whether something has been computed that depends on the choice of coordinates."""
        return bool(self.choice.dependent) and "_elimination" in vars(self)

    def regularity(self, least: float = LEAST) -> Any:
        """Returns a number that is positive unless other coordinates are hardly determined.

        least: the square of a determinant, relative to its bound; by default one that rounding decides
        """
        sizes = [inner(row, row) for row in self.A]
        parts = [top - whole * least for top, whole in self._elimination.regularities(sizes)]
        if "of_loops" in vars(self) and self.of_loops.choice.dependent:
            parts.append(self.of_loops.regularity())
        return self.least(parts)

    def least(self, parts: Sequence[Any]) -> Any:
        """Returns the least of some numbers."""
        zero = self.graph.constant(0.0)
        return reduce(lambda least, part: least.apply("minimum", part), [zero + part for part in parts])

    def following(self, b: Sequence[Any]) -> list[Any]:
        """Returns x (n) with A_d x_d = b, which is zero for the independent coordinates."""
        x: list[Any] = [0] * self.tree.model.n
        for k, value in zip(self.choice.dependent, self._elimination.solved(b), strict=True):
            x[k] = value
        return x

    def held(self, torques: Sequence[Any]) -> list[Any]:
        """Returns λ with A_dᵀ λ = the torques on the dependent coordinates: ∂(τᵀ A_d⁻¹ b)/∂b."""
        b = self.graph.unknowns(len(self.choice.conditions))
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

    def velocities(self, u: Sequence[Any]) -> list[Any]:
        """Returns q̇ = R u."""
        return [inner(row, u) for row in zip(*self.columns, strict=True)]

    @cached_property
    def drift(self) -> list[Any]:
        """Returns s, the accelerations of the dependent coordinates at u̇ = 0."""
        gamma = self.tree.along_the_motion([inner(row, self.inputs["qd"]) for row in self.A])
        return self.following([-entry for entry in gamma])

    def moved(self, u_rates: Sequence[Any]) -> list[Any]:
        """Returns q̈ = R u̇ + s."""
        return [rate + own for rate, own in zip(self.velocities(u_rates), self.drift, strict=True)]

    @property
    def reference(self) -> tuple[list[Any], list[Any]]:
        """Returns q̇_r = R u_r and q̈_r = R u̇_r + Ṙ u_r of a reference motion; u̇_r that is no input is zero."""
        u_r = self.inputs["qd_r"]
        rates = self.velocities(u_r)
        moved = self.velocities(self.inputs.get("qdd_r", [0] * len(u_r)))
        return rates, [a + b for a, b in zip(moved, self.tree.along_the_motion(rates), strict=True)]

    # what functions use

    @cached_property
    def dynamics(self) -> LoopDynamics:
        return LoopDynamics(self.tree.dynamics, self.columns, lambda: self.drift)

    def onto(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Returns Rᵀ times rows, one for each joint."""
        across = list(zip(*rows, strict=True))
        return [[inner(column, entries) for entries in across] for column in self.columns]

    def jacobian(self, link: int, point: Vec3) -> list[Twist | None]:
        """Returns the columns of J R of a link at a point, in world axes."""
        return self._along_rates(self.tree.jacobian(link, point))

    def body_jacobian(self, link: int) -> list[Twist | None]:
        """Returns the columns of J R of a link along its own axes."""
        return self._along_rates(self.tree.body_jacobian(link))

    def _along_rates(self, columns: Sequence[Twist | None]) -> list[Twist | None]:
        return [
            sum((J * share for J, share in zip(columns, own, strict=True) if J), start=Twist.zero())
            for own in self.columns
        ]

    def along_the_motion(self, values: Sequence[Any]) -> list[Any]:
        """Returns d/dt of functions of q and q̇ in the motion with u̇ = 0."""
        by_rates = derivatives.directional(values, _slopes(self.inputs["qd"], self.drift))
        return [a + b for a, b in zip(self.tree.along_the_motion(values), by_rates, strict=True)]

    @cached_property
    def _factors(self) -> tuple[Any, Any, Any]:
        above = {k: list(reversed(range(k))) for k in range(len(self.columns))}
        return *forward.factorised(self.dynamics.mass_matrix(), above, self.reciprocal), above

    def reciprocal(self, pivot: Any, _: int) -> Any:
        return 1 / pivot

    def solve(self, b: Sequence[Any]) -> list[Any]:
        """Returns M̄⁻¹ b."""
        return forward.solved(*self._factors, b)

    def accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau."""
        tree = self.tree.dynamics
        left = zip(self.inputs["tau"], tree.bias(), tree.mass_matrix(), strict=True)
        forces = [torque - bias - inner(row, self.drift) for torque, bias, row in left]
        return self.moved(self.solve(self.dynamics.onto(forces)))

    def reactions(self) -> list[Force]:
        """Returns the wrench that each link's parent exerts on it, if only independent coordinates have torques."""
        multipliers = self._all_multipliers(self.held(self.tree.dynamics.inverse_dynamics()))
        on_links = closure.wrenches(self.tree.links, self.model, multipliers)
        return self.tree.pushed(ExternalWrenches(lambda _: on_links)).reactions()

    def _all_multipliers(self, multipliers: Sequence[Any]) -> list[Any]:
        """Returns a λ for each row of A; those of conditions that are left out are zero."""
        own = dict(zip(self.choice.conditions, multipliers, strict=True))
        return [own.get(k, 0) for k in range(self.system.sizes["conditions"])]

    def multipliers(self) -> list[Any]:
        """Returns λ: M q̈ + bias − τ = Aᵀ λ."""
        tau = zip(self.tree.dynamics.inverse_dynamics(), self.inputs["tau"], strict=True)
        return self.held([needed - motor for needed, motor in tau])

    # derivatives

    @cached_property
    def directions(self) -> list[list[Any]]:
        """Returns the directions in which q may differ: one for each coordinate that the loops leave free."""
        if self.model.integrable:
            return self.columns
        if not self.model.positional:
            n = range(self.tree.model.n)
            return [[int(k == l) for k in n] for l in n]
        return self.of_loops.columns

    @cached_property
    def of_loops(self) -> Self:
        """Returns the chain without its wheels."""
        loops = ClosedSystem(self.model.of_positions, of_loops(self.model, self.choice))
        return type(self)(self.tree, loops)

    def along(self, values: Sequence[Any], direction: Sequence[Any], accelerations: Sequence[Any] = ()) -> list[Any]:
        """Returns derivatives of functions of q, q̇ and q̈ in a direction of q, at the same u and u̇.

        accelerations: q̈ as a function of q and q̇ at the same u̇; none for functions of q and q̇ alone
        """
        q, qd = self.inputs["q"], self.inputs["qd"]
        onward = _slopes(q, self.tree.rates_of_positions(direction))
        rates = self.velocities([qd[k] for k in self.choice.independent])
        onward |= _slopes(qd, derivatives.directional(rates, onward))
        return self._onward(values, onward, accelerations)

    def by_q(self, values: Sequence[Any]) -> list[list[Any]]:
        """Returns derivatives of functions of q along the rates, one row per value."""
        q, to_positions = self.inputs["q"], self.tree.rates_of_positions
        return _across(derivatives.directional(values, _slopes(q, to_positions(each))) for each in self.columns)

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

    def velocity_derivatives(self) -> tuple[list[list[Any]], list[list[Any]]]:
        """Returns ∂q̇/∂q in the directions that the loops leave free, at the same u, and R = ∂q̇/∂u."""
        qd = self.velocities([self.inputs["qd"][k] for k in self.choice.independent])
        return _across(self.along(qd, direction) for direction in self.directions), _across(self.columns)

    def acceleration_derivatives(self) -> tuple[list[list[Any]], ...]:
        """Returns ∂u̇/∂q in the directions that the loops leave free, ∂u̇/∂u and ∂u̇/∂τ."""
        accelerations = self.accelerations()
        u_rates = [accelerations[k] for k in self.choice.independent]
        by_q = _across(self.along(u_rates, direction) for direction in self.directions)
        by_u = _across(self.by_rate(u_rates, l) for l in range(len(self.columns)))
        return by_q, by_u, derivatives.jacobian(u_rates, self.inputs["tau"])

    def torque_derivatives(self) -> tuple[list[list[Any]], ...]:
        """Returns ∂(Rᵀτ)/∂q in the directions that the loops leave free, ∂(Rᵀτ)/∂u and M̄ = ∂(Rᵀτ)/∂u̇."""
        torques = self.dynamics.inverse_dynamics()
        return self._by_directions(torques), self._by_rates(torques), self.dynamics.mass_matrix()

    def second_torque_derivatives(self) -> tuple[Tensor, ...]:
        """Returns the second derivatives of Rᵀτ and the first of M̄, in the directions and rates of these."""
        by_q, by_u, M = self.torque_derivatives()

        def each(rows: Matrix, by: Callable[[Sequence[Any]], Matrix]) -> Tensor:
            return in_rows(by([entry for row in rows for entry in row]), len(rows))

        return (
            each(by_q, self._by_directions),
            each(by_u, self._by_rates),
            each(by_q, self._by_rates),
            each(M, self._by_directions),
        )

    @cached_property
    def _moving(self) -> list[Any]:
        """Returns q̈ as a function of q, q̇ and u̇."""
        return self.moved([self.inputs["qdd"][k] for k in self.choice.independent])

    def _by_directions(self, values: Sequence[Any]) -> Matrix:
        """Returns derivatives of functions of q, q̇ and q̈ in the directions that the loops leave free."""
        return _across(self.along(values, direction, self._moving) for direction in self.directions)

    def _by_rates(self, values: Sequence[Any]) -> Matrix:
        """Returns derivatives of functions of q, q̇ and q̈ by each entry of u."""
        return _across(self.by_rate(values, l, self._moving) for l in range(len(self.columns)))


def _slopes(inputs: Sequence[Any], slopes: Iterable[Any]) -> dict[int, Any]:
    """Returns the derivatives of inputs by their places in the graph."""
    return {x.index: slope for x, slope in zip(inputs, slopes, strict=True)}


def _across(columns: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*columns, strict=True)]
