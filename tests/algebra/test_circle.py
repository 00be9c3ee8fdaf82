"""Pairs (cos, sin), rational points, and square roots of rationals satisfy their axioms."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from qddot.algebra.expressions.circle import (
    Pair,
    circle_point,
    double_angle,
    multiple_of_angle,
    negative_angle,
    sphere_point,
    sum_of_angles,
)
from qddot.algebra.expressions.roots import square_root

fractions = st.fractions(-3, 3, max_denominator=7)
points = st.builds(circle_point, fractions)


@given(points, points, points)
def test_angles_add_as_a_commutative_group(a: Pair, b: Pair, c: Pair) -> None:
    assert sum_of_angles(a, b) == sum_of_angles(b, a)
    assert sum_of_angles(a, sum_of_angles(b, c)) == sum_of_angles(sum_of_angles(a, b), c)
    assert sum_of_angles(a, negative_angle(a)) == multiple_of_angle(a, 0) == (1, 0)


@given(points, st.integers(-4, 4), st.integers(-4, 4))
def test_multiples_of_an_angle_add(a: Pair, n: int, m: int) -> None:
    assert multiple_of_angle(a, n + m) == sum_of_angles(multiple_of_angle(a, n), multiple_of_angle(a, m))
    assert double_angle(a) == multiple_of_angle(a, 2)


@given(fractions, fractions)
def test_rational_points_are_at_distance_one(a: Fraction, b: Fraction) -> None:
    assert sum(part * part for part in circle_point(a)) == 1
    assert sum(part * part for part in sphere_point(a, b)) == 1


@given(st.fractions(0, 50, max_denominator=20), st.sampled_from([1, 2, 3, 6]))
def test_a_root_is_exact_where_two_and_three_are_all_that_stays_under_it(r: Fraction, radicand: int) -> None:
    root = square_root(r * r * radicand)
    assert root is not None
    rational, primes = root
    assert rational == r
    assert not r or {1: (), 2: (2,), 3: (3,), 6: (2, 3)}[radicand] == primes


def test_other_roots_have_no_exact_form() -> None:
    assert square_root(Fraction(5)) is None
    assert square_root(Fraction(-4)) is None
