"""Searches boxes of coordinates for all solutions of conditions of loops, in interval arithmetic, many boxes at once.

Krawczyk's operator K(X) contains all solutions in X, so that a box becomes X ∩ K(X); if K(X) lies inside X, there is
exactly one. Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, §8.2 and §8.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.dynamics.algorithms import closure
from qddot.dynamics.mechanism import Mechanism
from qddot.errors import EvaluationError
from qddot.expressions.expression import Expression
from qddot.model.closed_model import ClosedModel
from qddot.numbers.intervals import Interval, Intervals
from qddot.numeric.searched_ranges import Range

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
MOST_BOXES = 200_000
TOGETHER = 1024  # boxes that are computed at once
INFLATED = 1.1  # a box is tried with its surroundings, so that no configuration on its faces is missed
SMALLEST = 1e-9  # half of the longest side of a box that is halved again [rad or m]
SLOW = 0.6  # the share of its longest side that a box must lose at least, else it is halved
SAME = 1e-6  # the difference of two configurations that are one [rad or m]
MOST_ROUNDS = 60  # of making a box with one solution small
AT_LIMITS = 1e-9  # how far from its range a solution counts as at its end [rad or m]


class Boxes(NamedTuple):
    """These are boxes by their lower and upper corners, of shape (boxes, coordinates)."""

    low: Array
    high: Array

    def take(self, which: Any) -> Boxes:
        return Boxes(self.low[which], self.high[which])

    def joined(self, other: Boxes) -> Boxes:
        return Boxes(np.concatenate((self.low, other.low)), np.concatenate((self.high, other.high)))

    @property
    def middle(self) -> Array:
        return (self.low + self.high) / 2

    @property
    def longest(self) -> Array:
        """Returns the longest side of each box."""
        return (self.high - self.low).max(axis=-1)  # type: ignore[no-any-return]

    def halves(self) -> Boxes:
        """Returns the halves of all boxes, each divided across its longest side."""
        rows = np.arange(len(self.low))
        across = (self.high - self.low).argmax(axis=-1)
        first, second = self.high.copy(), self.low.copy()
        first[rows, across] = second[rows, across] = self.middle[rows, across]
        return Boxes(self.low, first).joined(Boxes(second, self.high))


class Search:
    """This is a search for the coordinates of one block of conditions.

    q: all other coordinates; rows: places of the conditions; names: of the coordinates
    """

    def __init__(
        self,
        model: ClosedModel,
        values: Mapping[str, float],
        q: Mapping[str, float],
        rows: Sequence[int],
        names: Sequence[str],
    ) -> None:
        self.model, self.rows, self.names = model, rows, names
        self._values = values
        self._rest = {name: Interval(float(value), float(value)) for name, value in q.items()}
        self._places = [model.tree.coordinates.index(name) for name in names]
        self._at_rest = Mechanism.of(model.tree, Intervals(values, self._rest))

    @property
    def rods(self) -> set[int]:
        """Returns the places of the conditions of rods."""
        ofs = [loop for loop in self.model.loops for _ in range(loop.conditions.number)]
        return {place for place, loop in enumerate(ofs) if loop.conditions.distance}

    def conditions(self, boxes: Boxes) -> list[Any]:
        """Returns φ over each box."""
        numbers = self._numbers(boxes)
        evaluate = partial(Expression.evaluate, numbers=numbers)
        phi = closure.residuals(self._at_rest.in_state(self.model.tree, numbers), self.model, evaluate)
        return [phi[i] for i in self.rows]

    def slopes(self, boxes: Boxes) -> list[list[Any]]:
        """Returns A_d over each box."""
        A = closure.jacobian(self._at_rest.in_state(self.model.tree, self._numbers(boxes)), self.model)
        return [[A[i][k] for k in self._places] for i in self.rows]

    def _numbers(self, boxes: Boxes) -> Intervals:
        own = {name: Interval(boxes.low[:, k], boxes.high[:, k]) for k, name in enumerate(self.names)}
        return Intervals(self._values, {**self._rest, **own})

    def solutions(self, bounds: Sequence[Range]) -> list[list[float]]:
        """Returns all solutions; some are found twice.

        raises EvaluationError: solutions meet, or there are too many boxes
        """
        boxes = Boxes(np.array([[bound.low for bound in bounds]]), np.array([[bound.high for bound in bounds]]))
        solutions: list[list[float]] = []
        count = 0
        while len(boxes.low):
            count += min(len(boxes.low), TOGETHER)
            some, boxes = boxes.take(slice(-TOGETHER, None)), boxes.take(slice(None, -TOGETHER))
            single, undecided = self._tried(some.take(may_be_zero(self.conditions(some), len(some.low))))
            solutions += self._refined(single).middle.tolist()
            tiny = undecided.longest < 2 * SMALLEST
            if tiny.any():
                raise self._meeting(undecided.middle[tiny.argmax()])
            if count > MOST_BOXES:
                raise self._too_many(undecided.middle[0] if len(undecided.low) else boxes.middle[-1])
            boxes = boxes.joined(undecided)
        return [each for each in solutions if all(map(_in_range, bounds, each))]

    def _tried(self, boxes: Boxes) -> tuple[Boxes, Boxes]:
        """Returns boxes with exactly one solution each, and smaller boxes with all others."""
        if not len(boxes.low):
            return boxes, boxes
        radii = (boxes.high - boxes.low) / 2 * INFLATED + SMALLEST / 10
        moved, known = self._moved(boxes.middle, radii)
        inside = known & (moved.size < radii).all(axis=-1)
        outside = known & ((moved.low > radii) | (moved.high < -radii)).any(axis=-1)
        smaller = _smaller(boxes, moved, known)
        left = ~inside & ~outside & (smaller.low <= smaller.high).all(axis=-1)
        quick = left & (smaller.longest < SLOW * boxes.longest)
        K = moved + Interval(boxes.middle, boxes.middle)
        single = Boxes(K.low, K.high).take(inside)
        return single, smaller.take(quick).joined(smaller.take(left & ~quick).halves())

    def _moved(self, middle: Array, radii: Array) -> tuple[Interval, Flags]:
        """Returns K(X) − x of the boxes x ± radii, and whether A_d(x) has an inverse, so that this is known."""
        wide = Interval.outward(middle - radii, middle + radii)
        A, shape = self.slopes(Boxes(wide.low, wide.high)), (len(middle),)
        centres = [[np.broadcast_to(Interval.of(entry).middle, shape) for entry in row] for row in A]
        Y, known = _inverses(np.moveaxis(np.array(centres), -1, 0))
        phi = self.conditions(Boxes(middle, middle))
        inverse = [[Interval(Y[:, i, k], Y[:, i, k]) for k in range(len(A))] for i in range(len(A))]
        spread = [Interval(-radius, radius) for radius in np.nextafter(radii.T, np.inf)]
        moved = []
        for i, row in enumerate(inverse):
            terms = [-sum(map(_product, row, phi), start=0)]
            for j, side in enumerate(spread):
                YA = sum((_product(row[k], A[k][j]) for k in range(len(A))), start=0)
                terms.append(side * Interval.of(int(i == j) - YA))
            moved.append(sum(terms, start=0))
        low, high = ([np.broadcast_to(getattr(each, end), shape) for each in moved] for end in ("low", "high"))
        return Interval(np.stack(low, axis=-1), np.stack(high, axis=-1)), known

    def _refined(self, boxes: Boxes) -> Boxes:
        """Returns small boxes about the solutions, of which each box contains one."""
        for _ in range(MOST_ROUNDS):
            if not (boxes.longest > SAME / 100).any():
                break
            boxes = _smaller(boxes, *self._moved(boxes.middle, (boxes.high - boxes.low) / 2 + SMALLEST / 100))
        return boxes

    def _meeting(self, at: Array) -> EvaluationError:
        return EvaluationError(
            f"assembly modes meet, or there are infinitely many, near {self._named(at)}",
            where=self.model.name,
            remedy="give other values of the independent coordinates",
        )

    def _too_many(self, at: Array) -> EvaluationError:
        return EvaluationError(
            f"{MOST_BOXES} boxes did not separate all assembly modes, such as near {self._named(at)}",
            where=self.model.name,
            expected="modes that lie apart, and not infinitely many",
            remedy="give narrower limits or other values of the independent coordinates",
        )

    def _named(self, at: Array) -> str:
        return ", ".join(f"{name} = {round(float(x), 4):g}" for name, x in zip(self.names, at, strict=True))


def _product(a: Interval, b: Any) -> Any:
    return b * a if isinstance(b, Interval) else a * b


def may_be_zero(conditions: Sequence[Any], count: int) -> Flags:
    """Returns for each box whether all conditions may be zero in it."""
    possible = np.ones(count, dtype=bool)
    for entry in map(Interval.of, conditions):
        possible &= ~((entry.low > 0) | (entry.high < 0))
    return possible


def _inverses(A: Array) -> tuple[Array, Flags]:
    """Returns approximate inverses of matrices, the unit matrix for a singular one, and which are not singular."""
    known = np.abs(np.linalg.det(A)) > 0
    Y = np.linalg.inv(np.where(known[:, None, None], A, np.eye(A.shape[-1])))
    return Y, known & np.isfinite(Y).all(axis=(1, 2))


def _smaller(boxes: Boxes, moved: Interval, known: Flags) -> Boxes:
    """Returns the boxes without those parts outside K(X), which has no solution."""
    K = moved + Interval(boxes.middle, boxes.middle)
    low, high = np.fmax(boxes.low, K.low), np.fmin(boxes.high, K.high)  # without ends that overflowed
    return Boxes(np.where(known[:, None], low, boxes.low), np.where(known[:, None], high, boxes.high))


def _in_range(bound: Range, value: float) -> bool:
    return bound.period is not None or bound.low - AT_LIMITS <= value <= bound.high + AT_LIMITS
