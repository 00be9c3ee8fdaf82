"""Points within a step at which a polynomial is held against its differential equation, or made from it.

They are the nodes of Radau's quadrature, the last of which is the end of the step.
Source: Hairer & Wanner, *Solving Ordinary Differential Equations II*, 1996, §IV.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise

FIXED = 5  # nodes of a step of fixed order
TURNS = 60  # bisections


@cache
def nodes(count: int) -> tuple[float, ...]:
    """Returns the zeros in (0, 1] of P_n(2x − 1) − P_{n−1}(2x − 1), in order."""
    grid = [k / (20 * count * count) for k in range(20 * count * count)]
    between = [_zero(count, a, b) for a, b in pairwise(grid) if _radau(count, a) * _radau(count, b) < 0]
    return (*between, 1.0)


@cache
def weights(points: Sequence[float]) -> tuple[float, ...]:
    """Returns the weights whose sum with the values of a polynomial at these points is its integral over [0, 1]."""
    return tuple(float(sum(column[k] / (k + 1) for k in range(len(points)))) for column in _inverse(points))


@cache
def coefficients(points: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """Returns a matrix with a row for each power, which turns the values of a polynomial at points to coefficients."""
    return tuple(tuple(map(float, row)) for row in zip(*_inverse(points), strict=True))


def _radau(count: int, x: float) -> float:
    """Returns P_n(2x − 1) − P_{n−1}(2x − 1), by Legendre's recursion."""
    z, before, value = 2 * x - 1, 1.0, 2 * x - 1
    for n in range(2, count + 1):
        before, value = value, ((2 * n - 1) * z * value - (n - 1) * before) / n
    return value - before


def _zero(count: int, low: float, high: float) -> float:
    """Returns the zero between two numbers at which the signs differ."""
    rises = _radau(count, high) > 0
    for _ in range(TURNS):
        middle = (low + high) / 2
        low, high = (low, middle) if (_radau(count, middle) > 0) == rises else (middle, high)
    return (low + high) / 2


@cache
def _inverse(points: Sequence[float]) -> list[list[Fraction]]:
    """Returns the coefficients of Lagrange's polynomials, each of which is 1 at one point and 0 at the others."""
    exact = [Fraction(x) for x in points]
    polynomials = []
    for j, own in enumerate(exact):
        product = [Fraction(1)]
        for k, x in enumerate(exact):
            if k != j:
                shifted, scaled = [Fraction(0), *product], [*(-x * c for c in product), Fraction(0)]
                product = [(a + b) / (own - x) for a, b in zip(shifted, scaled, strict=True)]
        polynomials.append(product)
    return polynomials
