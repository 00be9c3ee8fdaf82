"""Computes with pairs (cos, sin) and with rational points of the unit circle and sphere, for numbers of any kind."""

from __future__ import annotations

from typing import Any, TypeAlias

Pair: TypeAlias = tuple[Any, Any]


def sum_of_angles(first: Pair, second: Pair) -> Pair:
    """Returns (cos, sin) of α + β from (cos α, sin α) and (cos β, sin β)."""
    (c1, s1), (c2, s2) = first, second
    return c1 * c2 - s1 * s2, s1 * c2 + c1 * s2


def negative_angle(pair: Pair) -> Pair:
    """Returns (cos, sin) of −α."""
    c, s = pair
    return c, -s


def double_angle(pair: Pair) -> Pair:
    """Returns (cos, sin) of 2α as 1 − 2 sin² α and 2 sin α cos α, in four operations; α + α takes six."""
    c, s = pair
    twice = s + s
    return 1 - twice * s, twice * c


def multiple_of_angle(pair: Pair, n: int) -> Pair:
    """Returns (cos, sin) of n α by repeated addition of angles."""
    if not n:
        return 1, 0
    total = pair
    for _ in range(abs(n) - 1):
        total = sum_of_angles(total, pair)
    return total if n > 0 else negative_angle(total)


def circle_point(t: Any) -> Pair:
    """Returns the point of the unit circle at the angle 2 arctan t; it is rational where t is."""
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def sphere_point(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Returns where the line from (0, 0, −1) through (a, b, 0) meets the unit sphere, rational for rational a, b."""
    square = a * a + b * b
    return 2 * a / (1 + square), 2 * b / (1 + square), (1 - square) / (1 + square)
