"""Makes exact unit vectors from the decimals of files and programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.circle import sphere_point
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import ExpressionError, FormatError
from qddot.robot.notes import note

CLOSE_ENOUGH = 1e-12  # the largest change of a ratio
NEARLY = Fraction(1, 10**6)  # the largest error of the squared length of a unit vector: six digits of 1/√3


def unit(axis: Sequence[Fraction]) -> tuple[Vec3, str]:
    """Returns the exact unit vector along three numbers, and a note if their length was not 1.

    The direction is exact if the length is a rational number times 1, √2, √3 or √6. Otherwise the result is a rational
    unit vector near it, found by stereographic projection.
    raises FormatError: the numbers are zero and have no direction
    """
    square = sum((part * part for part in axis), Fraction(0))
    if not square:
        raise FormatError("axis-no-direction")
    if square == 1:
        return Vec3(*(folded(Expression.constant(part)) for part in axis)), ""
    scaled = note("axis-scaled", axis=" ".join(f"{float(part):.10g}" for part in axis))
    try:
        shrink = expression(f"sqrt({1 / square})")
        return Vec3(*(folded(shrink * part) for part in axis)), scaled
    except ExpressionError:
        # dividing by the largest first keeps the squares in the range of floats
        largest = max(map(abs, axis))
        ratios = [float(part / largest) for part in axis]
        return _nearest_unit([ratio / math.hypot(*ratios) for ratio in ratios]), scaled


def nearly_unit(axis: Vec3) -> tuple[Vec3, str]:
    """Returns an exact unit vector, with a note, for a vector whose length is 1 to six digits; others are unchanged."""
    numbers = rationals(axis)
    if numbers is None:
        return axis, ""
    square = sum((part * part for part in numbers), Fraction(0))
    return unit(numbers) if 0 < abs(square - 1) <= NEARLY else (axis, "")


def rationals(vector: Vec3) -> list[Fraction] | None:
    """Returns the entries as rational numbers, or None if one contains a symbol or a root."""
    entries = [(Expression.constant(0) + entry).rational for entry in vector]
    numbers = [entry for entry in entries if entry is not None]
    return numbers if len(numbers) == 3 else None


def _nearest_unit(v: list[float]) -> Vec3:
    k = max(range(3), key=lambda i: abs(v[i]))
    i, j = (k + 1) % 3, (k + 2) % 3
    one, a, b = nearest_rational((1 + abs(v[k]), v[i], v[j]))
    x, y, z = sphere_point(a / one, b / one)
    exact = {i: x, j: y, k: z if v[k] > 0 else -z}
    return Vec3(*(folded(Expression.constant(exact[axis])) for axis in range(3)))


def nearest_rational(parts: Sequence[float]) -> list[Fraction]:
    """Returns numbers with small denominators in nearly the same ratio, within CLOSE_ENOUGH of the largest."""
    largest = max(parts, key=abs)
    ratios: list[Any] = []
    for part in parts:
        ratio = Fraction(part / largest)
        limit = 1
        while abs(ratio.limit_denominator(limit) - ratio) > CLOSE_ENOUGH:
            limit *= 10
        ratios.append(ratio.limit_denominator(limit))
    return ratios
