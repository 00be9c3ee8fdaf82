"""Computes guaranteed bounds of trigonometric sums over a region, by interval arithmetic and subdivision.

Every quantity is an interval that contains its exact values over a box of states; boxes are halved until the bound is
near the largest value in single states. A margin larger than any error of the floats covers rounding (Higham,
*Accuracy and Stability of Numerical Algorithms*, 2002, §3.1), so that the bounds hold for the exact sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.climbing import climbed
from qddot.algebra.expressions.turning import Combination
from qddot.base.records import record

Array: TypeAlias = NDArray[np.float64]
Boxes: TypeAlias = tuple[Array, Array]  # lower and upper corners, each (boxes, coordinates)

MARGIN = 1e-12  # relative to the sum of the terms' sizes: covers thousands of roundings
NEAR_ENOUGH = 1.2  # a bound below this times the largest value in single states is not refined further
MOST_BOXES = 60_000


@record()
class Factor:
    """A factor is sin or cos of Σ n q, or q itself, to a power."""

    kind: str
    angle: Combination
    exponent: int


@record()
class Term:
    coefficient: float
    factors: tuple[Factor, ...]

    def coordinates(self) -> set[str]:
        return {q for factor in self.factors for q, _ in factor.angle}


def values(terms: Sequence[Term], q: Mapping[str, Array]) -> Array:
    """Returns the sum of the terms in some states, in floats."""
    count = len(next(iter(q.values()), (0,)))
    total = np.zeros(count)
    for term in terms:
        product = np.full(count, term.coefficient)
        for factor in term.factors:
            argument = sum((float(n) * q[name] for name, n in factor.angle), start=np.zeros(count))
            product *= (argument if factor.kind == "q" else getattr(np, factor.kind)(argument)) ** factor.exponent
        total += product
    return total


def most(terms: Sequence[Term], region: Mapping[str, tuple[float, float]]) -> float:
    """Returns the largest |Σ terms| that a search over the region finds."""
    names = sorted({name for term in terms for name in term.coordinates()})
    low, high = (np.array([region[name][k] for name in names]) for k in (0, 1))

    def magnitude(points: Array) -> Array:
        return np.abs(values(terms, dict(zip(names, points.T, strict=True))))

    return climbed(magnitude, low, high)[0]


def sizes(terms: Sequence[Term], region: Mapping[str, tuple[float, float]]) -> Array:
    """Returns a bound of each term's magnitude over the region."""
    names = sorted(region)
    box = tuple(np.array([[region[name][k] for name in names]]) for k in (0, 1))
    magnitudes = []
    for term in terms:
        low, high = _term(term, names, (box[0], box[1]), {})
        magnitudes.append(max(abs(low[0]), abs(high[0])))
    return np.array(magnitudes)


def largest(terms: Sequence[Term], region: Mapping[str, tuple[float, float]], observed: float) -> float:
    """Returns a bound of |Σ terms| over the region.

    observed: the largest value in single states; no bound can be smaller
    """
    if not terms:
        return 0.0
    names = sorted({name for term in terms for name in term.coordinates()})
    margin = MARGIN * float(sizes(terms, region).sum())
    target = NEAR_ENOUGH * observed + margin
    boxes = tuple(np.array([[region[name][k] for name in names]]) for k in (0, 1))
    low, high = boxes[0], boxes[1]
    settled, spent = 0.0, 0
    while True:
        bottom, top = enclosure(terms, names, (low, high))
        bound = np.maximum(np.abs(bottom), np.abs(top))
        spent += len(bound)
        open_ones = bound > target
        settled = max(settled, float(bound[~open_ones].max(initial=0.0)))
        if not open_ones.any() or spent + 2 * int(open_ones.sum()) > MOST_BOXES or not names:
            return max(settled, float(bound[open_ones].max(initial=0.0))) + margin
        low, high = halved(low[open_ones], high[open_ones])


def halved(low: Array, high: Array) -> Boxes:
    """Returns the halves of each box, cut across its widest side."""
    widest = np.argmax(high - low, axis=1)
    rows = np.arange(len(low))
    middle = (low[rows, widest] + high[rows, widest]) / 2
    upper_low, lower_high = low.copy(), high.copy()
    upper_low[rows, widest] = middle
    lower_high[rows, widest] = middle
    return np.concatenate([low, upper_low]), np.concatenate([lower_high, high])


def enclosure(terms: Sequence[Term], names: Sequence[str], boxes: Boxes) -> Boxes:
    """Returns lower and upper bounds of the sum over each box."""
    bottom, top = np.zeros(len(boxes[0])), np.zeros(len(boxes[0]))
    values: dict[tuple[str, Combination], Boxes] = {}
    for term in terms:
        low, high = _term(term, names, boxes, values)
        bottom += low
        top += high
    return bottom, top


def _term(term: Term, names: Sequence[str], boxes: Boxes, values: dict[tuple[str, Combination], Boxes]) -> Boxes:
    low = high = np.full(len(boxes[0]), term.coefficient)
    for factor in term.factors:
        key = (factor.kind, factor.angle)
        if key not in values:
            values[key] = _range(factor, names, boxes)
        low, high = _product((low, high), _power(values[key], factor.exponent))
    return low, high


def _range(factor: Factor, names: Sequence[str], boxes: Boxes) -> Boxes:
    """Returns the ranges of sin, cos or the coordinate itself over the boxes."""
    low, high = np.zeros(len(boxes[0])), np.zeros(len(boxes[0]))
    for name, n in factor.angle:
        k = names.index(name)
        low = low + float(n) * (boxes[0] if n > 0 else boxes[1])[:, k]
        high = high + float(n) * (boxes[1] if n > 0 else boxes[0])[:, k]
    if factor.kind == "q":
        return low, high
    if factor.kind == "sin":  # sin x = cos(x − π/2)
        low, high = low - np.pi / 2, high - np.pi / 2
    # a cosine is 1 if the interval contains a multiple of 2π, and −1 if it contains one plus π
    slack = 1e-12 * (1 + np.abs(low) + np.abs(high))
    top = np.where(np.floor((high + slack) / (2 * np.pi)) >= np.ceil((low - slack) / (2 * np.pi)), 1.0, -1.0)
    turned = (low - slack - np.pi) / (2 * np.pi), (high + slack - np.pi) / (2 * np.pi)
    bottom = np.where(np.floor(turned[1]) >= np.ceil(turned[0]), -1.0, 1.0)
    ends = np.cos(low), np.cos(high)
    return (
        np.maximum(-1.0, np.minimum(bottom, np.minimum(*ends) - slack)),
        np.minimum(1.0, np.maximum(top, np.maximum(*ends) + slack)),
    )


def _power(x: Boxes, exponent: int) -> Boxes:
    low, high = x
    if exponent % 2:
        return low**exponent, high**exponent
    inside = (low < 0) & (high > 0)
    least = np.where(inside, 0.0, np.minimum(np.abs(low), np.abs(high)))
    return least**exponent, np.maximum(np.abs(low), np.abs(high)) ** exponent


def _product(a: Boxes, b: Boxes) -> Boxes:
    corners = np.stack([a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]])
    return corners.min(axis=0), corners.max(axis=0)
