"""Encloses the states with closed loops in which a chain's motion may begin.

They have the configurations q(s, p) with closed loops, for all values s of the coordinates that loops leave free and p
of uncertain symbols in a box, and the velocities q̇ = R(q, p) u for all independent rates u in one. Krawczyk's operator
proves for a box of the other coordinates that it has exactly one solution for each (s, p). By the mean value theorem
q(s, p) lies in q(s₀, p₀) + Q (s − s₀, p − p₀), where Q contains the derivatives
∂q_d/∂(s, p) = −(∂φ/∂q_d)⁻¹ ∂φ/∂(s, p) over these boxes; q̇ likewise. So the first set has the dimensions of (s, u, p),
and none for what follows from them. Source: Neumaier, *Interval Methods for Systems of Equations*, 1990, ch. 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, arb_mat

from qddot.algebra.numbers.balls import precise
from qddot.algebra.spatial import inner
from qddot.base.errors import SimulationError
from qddot.machine.numeric import assembly
from qddot.motion.enclosing.lohner import Set
from qddot.motion.enclosing.variations import Box, VectorField, unit
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel

WIDER = (2.0, 4.0, 16.0)  # than the first step of Newton's method from the middle: boxes that are tried
LEAST = 1e-12  # half width of a box


def near_middle(rates: VectorField, matrix: VectorField, here: Set) -> VectorField:
    """Returns the rates whose last parameters are about the inverse of a matrix in the middle of a set.

    matrix: a function of the first entries of the state
    """
    entries = matrix.rates_of(here.c[: matrix.size], arb(0))
    size = round(len(entries) ** 0.5)
    middle = np.array([float(arb(x).mid()) for x in entries]).reshape(size, size)
    try:
        inverse = np.linalg.inv(middle)
    except np.linalg.LinAlgError:  # nor is it regular over the set
        inverse = np.eye(size)
    return replace(rates, parameters=[*rates.parameters, *map(arb, inverse.ravel().tolist())])


class Starts:
    """These are the states with closed loops in which a run may begin.

    The coordinates that loops leave free, the independent rates and the uncertain symbols have all values in a box.
    """

    def __init__(
        self,
        model: ClosedModel,
        choice: Independents,
        symbols: Sequence[str],
        radii: tuple[float, float],
        q0: Sequence[float],
        residuals: VectorField,
    ) -> None:
        """symbols: names of the first parameters; radii: of q and u; residuals: φ as a function of q"""
        self._model, self._choice, self._radii = model, of_loops(model, choice), radii
        self._q0, self._residuals = dict(zip(model.tree.positions, map(arb, map(float, q0)), strict=True)), residuals
        self._values = dict(zip(symbols, residuals.parameters, strict=False))
        self._middle_values = dict(zip(symbols, residuals.middle.parameters, strict=False))
        self._unsure = [symbols[place] for place in residuals.unsure]
        self._errors = [self._values[name] - self._middle_values[name] for name in self._unsure]

    def set(self, velocities: VectorField, u: Sequence[float], rest: Sequence[float]) -> Set:
        """Returns the set in which the motion begins.

        velocities: q̇ as a function of q and u; u: the middles of the independent rates; rest: the rest of the state
        raises SimulationError: the loops are not proved to close in the whole box
        """
        with precise():
            try:
                if self._choice.near:
                    self._refuse_lengths()
                start = self._set(velocities, [arb(float(x)) for x in u], [arb(float(x)) for x in rest])
            except (ZeroDivisionError, ValueError, np.linalg.LinAlgError):  # A_d may be singular
                raise self._unproved("start-not-determined") from None
        if not all(x.is_finite() for x in (*start.c, *start.r)):
            raise self._unproved("start-not-determined")
        return start

    def _set(self, velocities: VectorField, u: Box, rest: Box) -> Set:
        m, k, free, n = len(u), len(self._errors), len(self._choice.independent), len(velocities.rates.results)
        Q = [[*row[:free], *[arb(0)] * m, *row[free:]] for row in self._slopes.tolist()]
        others = [[arb(int(j == i)) for j in range(free + m + k)] for i in range(free, free + m + k)]
        box = [*self._box[0].values(), *(x + arb(0, self._radii[1]) for x in u)]
        G = arb_mat(n, velocities.columns, velocities.jacobian_of(box, arb(0))[n:])
        slopes = arb_mat([*Q, *(G * arb_mat([*Q, *others])).tolist(), *[[arb(0)] * (free + m + k)] * len(rest)])
        q = list(self._middle.values())
        middle = [*q, *velocities.middle.rates_of([*q, *u], arb(0)), *rest]
        r0 = [*[arb(0, self._radii[0])] * free, *[arb(0, self._radii[1])] * m, *self._errors]
        c, spread = [arb(x.mid()) for x in middle], (slopes - slopes.mid()) * arb_mat([[x] for x in r0])
        r = [x - y + spread[i, 0] for i, (x, y) in enumerate(zip(middle, c, strict=True))]
        return Set(c, slopes.mid(), r0, unit(len(c), len(c)), r, k)

    @cached_property
    def _inverse(self) -> Any:
        """Returns an approximate inverse of A_d."""
        rows = assembly.jacobian(self._model, self._middle_values, self._q0)
        A = np.array([[float(arb(x).mid()) for x in row] for row in rows])
        return np.linalg.inv(A[np.ix_(self._choice.conditions, self._choice.dependent)]).tolist()

    @cached_property
    def _middle(self) -> Mapping[str, Any]:
        """Returns balls of the configuration with the free coordinates of q0, by position."""
        q0 = np.array([float(x) for x in self._q0.values()])
        middle = assembly.enclosed_near(self._model, self._choice, q0, self._inverse, self._middle_values)
        if middle is None:
            raise self._unproved("start-not-determined")
        return middle

    @cached_property
    def _box(self) -> tuple[Mapping[str, Any], Any]:
        """Returns balls of q that contain all starts, each of which is proved to be there, and of its largest step."""
        if not self._radii[0] and not self._errors:
            return self._middle, arb(0)
        free = dict.fromkeys(self._choice.independent, arb(0, self._radii[0]))
        phi = assembly.residuals(self._model, self._values, assembly.moved(self._model, self._middle, free))
        kept = [arb(phi[i]) for i in self._choice.conditions]
        reach = max((float(abs(arb(inner(row, kept))).upper()) for row in self._inverse), default=0.0)
        for wider in WIDER:
            radius = arb(wider * reach + LEAST)
            at = self._middle, self._inverse, radius, free
            box = assembly.enclosed(self._model, self._choice, self._values, *at)
            if box is not None:
                return box, max(radius, arb(self._radii[0]))
        raise self._unproved("loops-not-proved-within-radius")

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
        of = self._residuals
        count = len(of.rates.results)
        return arb_mat(count, of.columns, of.jacobian_of([*box.values()], arb(0))[count:]).tolist()

    def _refuse_lengths(self) -> None:
        """Raises SimulationError for uncertain lengths of loops that close with special lengths alone."""
        slopes = self._slopes_of_residuals(self._middle)
        for name, column in zip(self._unsure, list(zip(*slopes, strict=True))[len(self._middle) :], strict=True):
            if not all(entry == 0 for entry in column):
                raise SimulationError("radius-in-over-constrained-loops", where=self._model.name, name=name)

    def _unproved(self, key: str) -> SimulationError:
        return SimulationError(key, where=self._model.name)
