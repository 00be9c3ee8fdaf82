"""Encloses numbers over many boxes at once: a linear form in the box's coordinates, a radius, and an interval.

Over a box whose coordinates are m_k + h_k ε_k with |ε_k| ≤ 1, a number is within `radius` of centre + Σ slope_k ε_k,
and also between `low` and `high`. Radii and ends are widened by more than any error of the floats that compute them
(Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, §3.1), so that both hold for the exact numbers.
Source: de Figueiredo & Stolfi, *Affine arithmetic: concepts and applications*, 2004.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

UNIT = 2.0**-53  # the relative error of one operation
TINY = 1e-300  # exceeds what underflow loses in the operations of one node
MANY = 64 * UNIT  # exceeds the relative error of one node's numbers, in boxes of up to MOST_COORDINATES
MOST_COORDINATES = 12


class Form:
    """A form encloses one number over all boxes: centre, radius, low and high (boxes,), slopes (coordinates, boxes)."""

    __slots__ = ("centre", "circle", "high", "low", "radius", "reach", "slopes", "spread")

    def __init__(self, centre: Array, slopes: Array, radius: Array, low: Array, high: Array) -> None:
        self.centre, self.slopes, self.radius = centre, slopes, radius
        self.circle: tuple[Form, Form] | None = None  # its cosine and sine, which are computed together
        self.spread: Array = np.abs(slopes).sum(axis=0)
        self.reach: Array = np.abs(centre) + self.spread
        whole = (self.spread + radius) + (self.reach + radius) * MANY
        self.low, self.high = np.maximum(low, centre - whole), np.minimum(high, centre + whole)


def constant(low: float, high: float, coordinates: int, boxes: int) -> Form:
    """Returns the form of a number between two floats."""
    middle = low + (high - low) / 2
    radius = 0.0 if low == high else (high - low) * (1 + MANY) + abs(middle) * MANY
    rows = [np.full(boxes, value) for value in (middle, radius, low, high)]
    return Form(rows[0], np.zeros((coordinates, boxes)), *rows[1:])


def coordinate(k: int, low: Array, high: Array) -> Form:
    """Returns the form of the k-th coordinate of boxes with these corners, each (boxes, coordinates)."""
    middle, half = halves(low, high)
    slopes = np.zeros(low.shape[::-1])
    slopes[k] = half[:, k]
    return Form(middle[:, k], slopes, np.zeros(len(low)), low[:, k], high[:, k])


def linear(centre: Array, slopes: Array, radius: Array) -> Form:
    """Returns the form of a number that is known by its linear form alone."""
    return Form(centre, slopes, radius, np.full_like(centre, -np.inf), np.full_like(centre, np.inf))


def halves(low: Array, high: Array) -> tuple[Array, Array]:
    """Returns the middles of boxes and halves of their widths, which are wide enough to reach both corners."""
    middle = low + (high - low) / 2
    return middle, np.maximum(high - middle, middle - low) * (1 + 4 * UNIT)


def down(x: Array) -> Array:
    """Returns a number below every exact result of which x is the rounded one."""
    return x - (np.abs(x) * (2 * UNIT) + TINY)


def up(x: Array) -> Array:
    """Returns a number above every exact result of which x is the rounded one."""
    return x + (np.abs(x) * (2 * UNIT) + TINY)


def negated(a: Form) -> Form:
    new = Form.__new__(Form)
    new.centre, new.slopes, new.radius, new.low, new.high = -a.centre, -a.slopes, a.radius, -a.high, -a.low
    new.spread, new.reach, new.circle = a.spread, a.reach, None
    return new


def added(a: Form, b: Form) -> Form:
    radius = (a.radius + b.radius + (a.reach + b.reach) * MANY) * (1 + MANY)
    return Form(a.centre + b.centre, a.slopes + b.slopes, radius, down(a.low + b.low), up(a.high + b.high))


def subtracted(a: Form, b: Form) -> Form:
    radius = (a.radius + b.radius + (a.reach + b.reach) * MANY) * (1 + MANY)
    return Form(a.centre - b.centre, a.slopes - b.slopes, radius, down(a.low - b.high), up(a.high - b.low))


def multiplied(a: Form, b: Form) -> Form:
    """Returns the product, in which ε_k² is replaced by ½ ± ½, and every ε_k ε_l by 0 ± 1."""
    squares = a.slopes * b.slopes
    quadratic = a.spread * b.spread - 0.5 * np.abs(squares).sum(axis=0)
    beside = a.reach * b.radius + a.radius * (b.reach + b.radius)
    radius = (quadratic + beside + a.reach * b.reach * MANY + TINY) * (1 + MANY)
    centre = a.centre * b.centre + 0.5 * squares.sum(axis=0)
    ends = (a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)
    low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
    if a is b:
        low = np.maximum(low, 0.0)
    return Form(centre, a.centre * b.slopes + b.centre * a.slopes, radius, down(low), up(high))


def divided(a: Form, b: Form) -> Form:
    """Returns the quotient, which has no bounds in boxes where the divisor may be zero."""
    return multiplied(a, reciprocal(b))


def reciprocal(a: Form) -> Form:
    """Returns 1/a, by the chord of its curve from l to h and the parallel tangent, which touches at √(l h).

    Both have the slope −1/(l h); the chord is 1/l + 1/h at zero, the tangent 2/√(l h). It has no bounds where a may be
    zero.
    """
    signs = np.where(a.low > 0, 1.0, np.where(a.high < 0, -1.0, np.nan))
    one, other = signs / a.low, signs / a.high
    steepness, tangent = one * other, 2 * np.sqrt(one * other)
    radius = steepness * a.radius + (one + other - tangent) / 2
    radius = (radius + (steepness * a.reach + one + other) * MANY + TINY) * (1 + MANY)
    centre = signs * ((one + other + tangent) / 2) - steepness * a.centre
    return Form(centre, -steepness * a.slopes, radius, down(signs * other), up(signs * one))


def maximum(a: Form, b: Form) -> Form:
    """Returns the larger one, as an interval where either may be that."""
    low, high = np.maximum(a.low, b.low), np.maximum(a.high, b.high)
    centre, radius = halves(low, high)
    slopes = np.zeros_like(a.slopes)
    for one, other in ((a, b), (b, a)):
        larger = one.low >= other.high
        centre, radius = np.where(larger, one.centre, centre), np.where(larger, one.radius, radius)
        slopes = np.where(larger, one.slopes, slopes)
    return Form(centre, slopes, radius, low, high)


def cosine(a: Form) -> Form:
    return cosine_and_sine(a)[0]


def sine(a: Form) -> Form:
    return cosine_and_sine(a)[1]


def cosine_and_sine(a: Form) -> tuple[Form, Form]:
    """Returns the cosine and the sine of an angle, each by the tangent to its curve at the centre."""
    if a.circle:
        return a.circle
    c, s = np.cos(a.centre), np.sin(a.centre)
    half = a.spread + a.radius
    curve = 0.25 * half * half  # a curve of second derivative up to 1 leaves the middle of its tangent's strip by this
    wrong = (np.abs(a.centre) + 4) * MANY  # the library's sine is far more accurate
    radius = (curve * 2 + a.radius + wrong + half * MANY) * (1 + MANY)
    a.circle = (
        Form(c, -s * a.slopes, radius, *cosine_range(a.low, a.high)),
        Form(s, c * a.slopes, radius, *cosine_range(a.low - QUARTER, a.high - QUARTER)),
    )
    return a.circle


QUARTER = np.pi / 2


def cosine_range(low: Array, high: Array) -> tuple[Array, Array]:
    """Returns bounds of the cosine between two angles, which may be wrong by some ulps."""
    wrong = (np.abs(low) + np.abs(high) + 4) * MANY
    turn = 2 * np.pi
    top = np.floor((high + wrong) / turn) >= np.ceil((low - wrong) / turn)
    bottom = np.floor((high + wrong - np.pi) / turn) >= np.ceil((low - wrong - np.pi) / turn)
    one, other = np.cos(low), np.cos(high)
    return (
        np.where(bottom, -1.0, np.maximum(-1.0, np.minimum(one, other) - wrong)),
        np.where(top, 1.0, np.minimum(1.0, np.maximum(one, other) + wrong)),
    )
