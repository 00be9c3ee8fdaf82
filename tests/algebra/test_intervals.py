"""Intervals contain the results for all numbers in them, rounding included."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb

from qddot.algebra.numbers.balls import precise
from qddot.algebra.numbers.intervals import Interval, Intervals

COUNT = 300
SIZES = 10.0 ** np.random.default_rng(1).integers(-9, 4, COUNT)


def intervals(seed: int) -> Interval:
    """Intervals of many sizes, of which each third has one number."""
    random = np.random.default_rng(seed)
    low = random.normal(size=COUNT) * SIZES[random.permutation(COUNT)]
    return Interval(low, low + random.exponential(size=COUNT) * SIZES * random.integers(0, 3, COUNT))


def inside(of: Interval, seed: int) -> list[Fraction]:
    """A number in each interval, which may be an end."""
    shares = [Fraction(int(k), 4) for k in np.random.default_rng(seed).integers(0, 5, COUNT)]
    ends = zip(of.low.tolist(), of.high.tolist(), strict=True)
    return [Fraction(a) + (Fraction(b) - Fraction(a)) * t for (a, b), t in zip(ends, shares, strict=True)]


def contains(of: Interval, values: list[Any]) -> bool:
    return all(
        Fraction(a) <= x <= Fraction(b) for a, b, x in zip(of.low.tolist(), of.high.tolist(), values, strict=True)
    )


@pytest.mark.parametrize("seed", range(3))
def test_sums_products_and_shares_contain_those_of_all_numbers(seed: int) -> None:
    a, b = intervals(seed), intervals(seed + 100)
    x, y = inside(a, seed), inside(b, seed)
    pairs = list(zip(x, y, strict=True))
    assert contains(a + b, [p + q for p, q in pairs])
    assert contains(a - b, [p - q for p, q in pairs])
    assert contains(a * b, [p * q for p, q in pairs])
    assert contains(a * Fraction(1, 3) / 7, [p / 21 for p in x])
    assert contains(
        1 - a * Interval.point(b.low), [1 - p * Fraction(q) for p, q in zip(x, b.low.tolist(), strict=True)]
    )


@pytest.mark.parametrize("times", [Fraction(1), Fraction(1, 2), Fraction(2, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_cosines_and_sines_contain_those_of_all_angles(times: Fraction, seed: int) -> None:
    angles = intervals(seed)
    pair = Intervals({}, {"q": angles}).cos_sin("q", times)
    with precise():
        for k, angle in enumerate(inside(angles, seed)):
            exact = arb(angle.numerator) / arb(angle.denominator) * arb(times.numerator) / arb(times.denominator)
            for each, value in zip(pair, (exact.cos(), exact.sin()), strict=True):
                assert arb(float(each.low[k])) <= value <= arb(float(each.high[k]))


def test_cosines_and_sines_are_not_wider_than_they_must_be() -> None:
    c, s = Intervals({}, {"q": Interval(np.array([-0.5, 1.0]), np.array([0.25, 4.0]))}).cos_sin("q")
    assert c.low == pytest.approx([np.cos(0.5), -1]) and c.high == pytest.approx([1, np.cos(1)])
    assert s.low == pytest.approx([np.sin(-0.5), np.sin(4)]) and s.high == pytest.approx([np.sin(0.25), 1])
