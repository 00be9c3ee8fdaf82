"""Encloses the starts of a closed chain, and its motion in all coordinates.

The accelerations solve M q̈ = τ − bias + Aᵀ λ and A q̈ = −γ. So A q̇ is constant along each solution, and with A q̇ = 0 so
is φ(q): a motion that begins with closed loops keeps them closed, and no condition is enforced.

The starts are the configurations q(s, p) with closed loops, for all values s of the coordinates that loops leave free
and p of uncertain symbols in a box, and the velocities q̇ = R(q, p) u for all independent rates u in one. Krawczyk's
operator proves for a box of the other coordinates that it has exactly one solution for each (s, p). By the mean value
theorem q(s, p) lies in q(s₀, p₀) + Q (s − s₀, p − p₀), where Q contains the derivatives
∂q_d/∂(s, p) = −(∂φ/∂q_d)⁻¹ ∂φ/∂(s, p) over these boxes; q̇ likewise. So the first set has the dimensions of (s, u, p),
and none for what follows from them. Source: Neumaier, *Interval Methods for Systems of Equations*, 1990, §5.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
from flint import arb, arb_mat

from qddot.algebra.numbers.balls import precise
from qddot.algebra.spatial import inner
from qddot.base.errors import SimulationError
from qddot.base.nested_lists import nested
from qddot.machine.numeric import assembly
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.choice import PLAIN
from qddot.machine.tracing.joined import Joined
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.enclosing.lohner import Set
from qddot.motion.enclosing.variations import VectorField, unit
from qddot.motion.simulate.plant import Closed, Plant, PlantState
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.fields import Fields
from qddot.physics.algorithms import closure
from qddot.physics.algorithms.pivoted import pivots
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem

WIDER = (2.0, 4.0, 16.0)  # than the first step of Newton's method from the middle: boxes that are tried
LEAST = 1e-12  # half width of a box


def rates(setup: Setup, fields: Fields) -> VectorField:
    """Returns d/dt (q, q̇, z, ledger), by an elimination whose pivots are those of the beginning."""
    closed = setup.plant.closed
    assert closed is not None
    size = setup.plant.n + len(closed.choice.conditions)
    order = pivots(nested(fields.at(setup.q0[0], partial(_matrix, closed)), (size, size)))
    return fields.of(setup.plant.state_size, partial(_rates, closed, order))


def _rates(
    closed: Closed, order: Sequence[tuple[int, int]], plant: Plant, t: Any, state: list[Any], parameters: list[Any]
) -> list[Any]:
    motion = PlantState(plant, t, state, [], parameters, PLAIN)
    accelerations = Joined(motion.traced, closed.model, closed.choice).accelerations_by(order)
    return [*motion.traced.position_rates, *accelerations, *motion.memory_rates, *motion.powers()]


def _matrix(closed: Closed, plant: Plant, _: Any, q: list[Any], parameters: list[Any]) -> list[Any]:
    return list(chain.from_iterable(Joined(_traced(plant, q, parameters), closed.model, closed.choice).matrix))


def _residuals(closed: Closed, plant: Plant, _: Any, q: list[Any], parameters: list[Any]) -> list[Any]:
    """Returns φ."""
    traced = _traced(plant, q, parameters)
    return closure.residuals(traced.links, closed.model, traced.evaluate)


def _velocities(closed: Closed, plant: Plant, _: Any, state: list[Any], parameters: list[Any]) -> list[Any]:
    """Returns q̇ = R u; state: q and u"""
    system = ClosedSystem(closed.model, closed.choice)
    return TracedChain(_traced(plant, state, parameters), system).velocities(state[plant.at_q.stop :])


def _traced(plant: Plant, state: Sequence[Any], parameters: Sequence[Any]) -> TracedArm:
    """Returns the arm at the configuration with which a state begins."""
    return TracedArm(plant.model, state[0].graph, {"q": state[plant.at_q]}, plant.symbols(parameters, []))


class Starts:
    """These are the states with closed loops in which a run may begin.

    The coordinates that loops leave free, the independent rates and the uncertain symbols have all values in a box.
    """

    def __init__(self, setup: Setup, fields: Fields) -> None:
        closed, sizes = setup.plant.closed, setup.radii
        assert closed is not None and sizes is not None
        self._setup, self._fields, self._closed, self._sizes = setup, fields, closed, sizes
        self._model, self._choice, self._values = closed.model, of_loops(closed.model, closed.choice), fields.values
        unsure = [fields.names[place] for place in fields.unsure]
        middles = {name: arb(self._values[name].mid()) for name in unsure}
        self._middle_values = {**self._values, **middles}
        self._errors = [self._values[name] - middle for name, middle in middles.items()]
        if self._choice.near:
            self._refuse_lengths(unsure)

    def set(self) -> Set:
        """Returns the set in which the motion begins.

        raises SimulationError: the loops are not proved to close in the whole box
        """
        with precise():
            return self._set()

    def _set(self) -> Set:
        setup, places, k = self._setup, list(self._closed.choice.independent), len(self._errors)
        u, rest = (list(map(arb, map(float, part))) for part in (setup.qd0[0][places], self._at_rest))
        m, free = len(u), len(self._choice.independent)
        velocities = self._fields.of(len(self._middle) + m, partial(_velocities, self._closed))
        Q = [[*row[:free], *[arb(0)] * m, *row[free:]] for row in self._slopes.tolist()]
        others = [[arb(int(j == i)) for j in range(free + m + k)] for i in range(free, free + m + k)]
        box = [*self._box[0].values(), *(x + arb(0, self._sizes.qd) for x in u)]
        G = arb_mat(setup.plant.n, velocities.columns, velocities.jacobian_of(box, arb(0))[setup.plant.n :])
        slopes = arb_mat([*Q, *(G * arb_mat([*Q, *others])).tolist(), *[[arb(0)] * (free + m + k)] * len(rest)])
        r0 = [*[arb(0, self._sizes.q)] * free, *[arb(0, self._sizes.qd)] * m, *self._errors]
        middle = [*self._middle.values(), *velocities.middle.rates_of([*self._middle.values(), *u], arb(0)), *rest]
        c, spread = [arb(x.mid()) for x in middle], (slopes - slopes.mid()) * arb_mat([[x] for x in r0])
        r = [x - y + spread[i, 0] for i, (x, y) in enumerate(zip(middle, c, strict=True))]
        return Set(c, slopes.mid(), r0, unit(len(c), len(c)), r, k)

    @property
    def _at_rest(self) -> Any:
        """Returns z and the ledger at the start, which are exact."""
        return self._setup.beginning[0][self._setup.plant.at_rates.stop :]

    @cached_property
    def _inverse(self) -> Any:
        """Returns an approximate inverse of A_d."""
        names, choice = self._model.tree.positions, self._choice
        at = dict(zip(names, map(arb, map(float, self._setup.q0[0])), strict=True))
        A = np.array([[float(arb(x).mid()) for x in row] for row in assembly.jacobian(self._model, self._values, at)])
        return np.linalg.inv(A[np.ix_(choice.conditions, choice.dependent)]).tolist()

    @cached_property
    def _middle(self) -> Mapping[str, Any]:
        """Returns balls of the configuration with the free coordinates of q0, by position."""
        q0 = self._setup.q0[0]
        middle = assembly.enclosed_near(self._model, self._choice, q0, self._inverse, self._middle_values)
        if middle is None:
            raise self._unproved("no configuration with closed loops is proved near q0", "begin elsewhere")
        return middle

    @cached_property
    def _box(self) -> tuple[Mapping[str, Any], Any]:
        """Returns balls of q that contain all starts, each of which is proved to be there, and of its largest step."""
        if not self._sizes.q and not self._errors:
            return self._middle, arb(0)
        free = dict.fromkeys(self._choice.independent, arb(0, self._sizes.q))
        phi = assembly.residuals(self._model, self._values, assembly.moved(self._model, self._middle, free))
        kept = [arb(phi[i]) for i in self._choice.conditions]
        reach = max((float(abs(arb(inner(row, kept))).upper()) for row in self._inverse), default=0.0)
        for wider in WIDER:
            radius = arb(wider * reach + LEAST)
            at = self._middle, self._inverse, radius, free
            box = assembly.enclosed(self._model, self._choice, self._values, *at)
            if box is not None:
                return box, max(radius, arb(self._sizes.q))
        raise self._unproved("the loops are not proved to close at all starts within the radius", "take a smaller one")

    @cached_property
    def _slopes(self) -> arb_mat:
        """Returns the derivatives of q by the free coordinates and the uncertain symbols over the box."""
        choice, (box, reach) = self._choice, self._box
        by_steps = arb_mat(assembly.slopes_of_positions(self._model, box, reach))
        free = {place: j for j, place in enumerate(choice.independent)}
        size = len(free) + len(self._errors)
        rows = [[arb(int(free.get(i) == j)) for j in range(size)] for i in range(self._model.tree.n)]
        if choice.dependent:
            slopes = self._slopes_of_residuals(box)
            kept = [slopes[i] for i in choice.conditions]
            along = (arb_mat([row[: len(box)] for row in kept]) * by_steps).tolist()
            A = arb_mat([[row[j] for j in choice.dependent] for row in along])
            by_values = (own[len(box) :] for own in kept)
            others = [[*(-row[j] for j in free), *(-x for x in own)] for row, own in zip(along, by_values, strict=True)]
            for place, row in zip(choice.dependent, A.solve(arb_mat(others)).tolist(), strict=True):
                rows[place] = row
        return by_steps * arb_mat(rows)

    def _slopes_of_residuals(self, box: Mapping[str, Any]) -> list[list[Any]]:
        """Returns the derivatives of φ by q and the uncertain symbols."""
        of = self._fields.of(len(box), partial(_residuals, self._closed))
        count = len(of.rates.results)
        return arb_mat(count, of.columns, of.jacobian_of([*box.values()], arb(0))[count:]).tolist()  # type: ignore[no-any-return]

    def _refuse_lengths(self, unsure: Sequence[str]) -> None:
        """Raises SimulationError for uncertain lengths of loops that close with special lengths alone."""
        slopes = self._slopes_of_residuals(self._middle)
        for name, column in zip(unsure, list(zip(*slopes, strict=True))[len(self._middle) :], strict=True):
            if not all(entry == 0 for entry in column):
                raise SimulationError(
                    f"a radius of {name}, which is in the loops of an over-constrained chain",
                    where=self._model.name,
                    expected="radii of q, qd and other symbols: such loops close with special lengths alone",
                )

    def _unproved(self, problem: str, remedy: str) -> SimulationError:
        return SimulationError(problem, where=self._model.name, remedy=remedy)
