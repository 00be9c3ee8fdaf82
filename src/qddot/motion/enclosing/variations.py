"""Expands the solution of x' = f(t, x, p) and its derivatives in Taylor series over balls.

The derivative V with respect to the initial state and p, (start, p), solves V' = ∂f/∂x V + (0, ∂f/∂p); the derivative
of V along a direction of (start, p) solves this equation, differentiated once more.
Source: Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 1993, §I.14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, TypeAlias

from flint import arb, arb_mat, arb_series

from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Program
from qddot.base.records import record

Box: TypeAlias = list[arb]
FEW, FOLDED = 2.0**20, 2.0**-49  # a constant of few bits is exact; any other has been rounded a few times
PARAMETERS = 2  # the place of this port


@record()
class VectorField:
    """A vector field has f and its derivatives as programs over the ports `state` (m,), `time` (1,), `parameters` (p,).

    rates: returns f (m,); jacobian: returns f, and ∂f by the state and k parameters, (m, m + k)
    parameters: balls that contain p; unsure: the places of the k uncertain ones
    curvature: has another port `direction` (m + k,), and returns f, the Jacobian, and its derivative along the
    direction; needed only for unsure parameters
    """

    rates: Program
    jacobian: Program
    parameters: Box
    unsure: tuple[int, ...] = ()
    curvature: Program | None = None

    @property
    def size(self) -> int:
        return self.rates.inputs[0].size

    @property
    def columns(self) -> int:
        """Returns the number of the Jacobian's columns: those of the state, then those of the unsure parameters."""
        return self.size + len(self.unsure)

    @cached_property
    def middle(self) -> VectorField:
        """Returns the equations in which the unsure parameters are at their midpoints."""
        if not self.unsure:
            return self
        return replace(
            self, parameters=[arb(x.mid()) if k in self.unsure else x for k, x in enumerate(self.parameters)]
        )

    def rates_of(self, state: Sequence[Any], time: Any) -> list[Any]:
        """Returns f over balls or series of them."""
        return self._results(self.rates, [*state], [time])

    def jacobian_of(self, state: Sequence[Any], time: Any) -> list[Any]:
        """Returns f, followed by the rows of its Jacobian."""
        return self._results(self.jacobian, [*state], [time])

    def curvature_of(self, state: Sequence[Any], time: Any, direction: Sequence[Any]) -> list[Any]:
        """Returns f, the rows of its Jacobian, and those of its derivative along a direction."""
        assert self.curvature is not None
        return self._results(self.curvature, [*state], [time], [], [*direction])

    def _results(self, program: Program, *inputs: list[Any]) -> list[Any]:
        values = self._walks[program.hash](inputs)
        return [values[place] for place in program.results]

    @cached_property
    def _walks(self) -> dict[str, Walk]:
        programs = [each for each in (self.rates, self.jacobian, self.curvature) if each]
        return {each.hash: Walk(each, column("ball"), _constant, {PARAMETERS: self.parameters}) for each in programs}


def expanded(rates_of: Callable[[Any, Any], list[Any]], start: Sequence[arb], time: arb, order: int) -> list[Any]:
    """Returns the Taylor series of the solution of y' = rates_of(y, t) from a box, up to an order."""
    coefficients = [[x] for x in start]
    for k in range(1, order + 1):
        t = arb_series([time, arb(1)][:k], prec=k)
        rates = rates_of([arb_series(each, prec=k) for each in coefficients], t)
        for each, rate in zip(coefficients, rates, strict=True):
            each.append(coefficient(rate, k - 1) / k)
    return [arb_series(each, prec=order + 1) for each in coefficients]


def slope(of: VectorField, box: Box, V: Box, time: arb, order: int) -> list[Any]:
    """Returns the Taylor series of the solution's derivative with respect to (start, p), by rows, from a box and V."""
    m, columns = of.size, of.columns

    def rates_of(y: Any, t: Any) -> list[Any]:
        rows = of.jacobian_of(y[:m], t)
        return [*rows[:m], *slope_rates(rows[m:], y[m:], columns)]

    return expanded(rates_of, [*box, *V], time, order)[m:]


def turning(of: VectorField, box: Box, direction: Box, time: arb, order: int) -> list[Any]:
    """Returns the Taylor series of the derivative of V along a direction of (start, p)."""
    m, columns = of.size, of.columns
    size = m * columns

    def rates_of(y: Any, t: Any) -> list[Any]:
        V, U = y[m : m + size], y[m + size :]
        state_direction = [sum(v * d for v, d in zip(V[columns * i :], direction, strict=False)) for i in range(m)]
        rows = of.curvature_of(y[:m], t, [*state_direction, *direction[m:]])
        J, J_change = rows[m : m + size], rows[m + size :]
        slope_change = [x + y for x, y in zip(_product(J, U, columns), slope_rates(J_change, V, columns), strict=True)]
        return [*rows[:m], *slope_rates(J, V, columns), *slope_change]

    return expanded(rates_of, [*box, *unit(m, columns).entries(), *[arb(0)] * size], time, order)[m + size :]


def slope_rates(J: Sequence[Any], V: Sequence[Any], columns: int) -> list[Any]:
    """Returns V' = ∂f/∂x V + (0, ∂f/∂p), row by row; J: the rows of (∂f/∂x, ∂f/∂p)."""
    m = len(J) // columns
    return [x + J[k] if k % columns >= m else x for k, x in enumerate(_product(J, V, columns))]


def _product(J: Sequence[Any], V: Sequence[Any], columns: int) -> list[Any]:
    """Returns ∂f/∂x V, row by row."""
    m = len(J) // columns
    return [sum(J[columns * i + k] * V[columns * k + j] for k in range(m)) for i in range(m) for j in range(columns)]


def unit(rows: int, columns: int) -> arb_mat:
    """Returns a rectangular unit matrix: ones on the diagonal, zeros elsewhere."""
    return arb_mat([[int(i == j) for j in range(columns)] for i in range(rows)])


def coefficient(x: Any, k: int) -> arb:
    """Returns a coefficient of a series, or of a ball that is constant."""
    return x[k] if isinstance(x, arb_series) else arb(x if k == 0 else 0)


@cache
def _constant(value: float) -> arb:
    """Returns a ball for a program's constant, which may have been rounded when it was computed from others."""
    exact = (value * FEW).is_integer() and abs(value) < FEW
    return arb(value) if exact else arb(value, abs(value) * FOLDED)
