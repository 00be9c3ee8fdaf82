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

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.intervals import Interval, Intervals
from qddot.algebra.spatial.vectors import inner
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.searched_ranges import SearchedRange
from qddot.physics.algorithms import closure
from qddot.physics.mechanism import Mechanism
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
MOST_BOXES = 1_000_000
TOGETHER = 4096  # boxes that are computed at once
INFLATED = 1.1  # a box is tried with its surroundings, so that no configuration on its faces is missed
SMALLEST = 1e-9  # half of the longest side of a box that is halved again [rad or m]
SLOW = 0.6  # the share of its longest side that a box must lose at least, else it is halved
SHORT = 1e-3  # the share of its longest side below which a side of a box is not divided
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

    def halves(self, weights: Array | float = 1.0) -> Boxes:
        """Returns the halves of all boxes, each divided across the side that is longest by weights.

        A side that is far shorter than the longest is not divided, so that all sides become short.
        """
        rows, sides = np.arange(len(self.low)), self.high - self.low
        across = np.where(sides < SHORT * self.longest[:, None], 0.0, sides * (weights + SHORT)).argmax(axis=-1)
        first, second = self.high.copy(), self.low.copy()
        first[rows, across] = second[rows, across] = self.middle[rows, across]
        return Boxes(self.low, first).joined(Boxes(second, self.high))


class BoxStep(NamedTuple):
    """This is Krawczyk's step for some boxes.

    moved: K(X) − x, of shape (boxes, coordinates); known: whether A_d(x) has an inverse, so that this is known
    slopes: how much each coordinate changes a condition at most
    """

    moved: Interval
    known: Flags
    slopes: Array

    def smaller(self, boxes: Boxes) -> Boxes:
        """Returns the boxes without those parts outside K(X), which have no solution."""
        K = self.images(boxes)
        low, high = np.fmax(boxes.low, K.low), np.fmin(boxes.high, K.high)  # without ends that overflowed
        known = self.known[:, None]
        return Boxes(np.where(known, low, boxes.low), np.where(known, high, boxes.high))

    def images(self, boxes: Boxes) -> Boxes:
        """Returns K(X)."""
        K = self.moved + Interval.point(boxes.middle)
        return Boxes(K.low, K.high)


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
        self._rest = {name: Interval.point(float(value)) for name, value in q.items()}
        self._places = [model.tree.coordinates.index(name) for name in names]
        self._at_rest = Mechanism.of(model.tree, Intervals(values, self._rest))

    @property
    def rods(self) -> list[bool]:
        """Returns for each condition whether it is that of a rod."""
        of_all = [loop.conditions.distance for loop in self.model.loops for _ in range(loop.conditions.number)]
        of_all += [False] * len(self.model.on_positions)
        return [of_all[i] for i in self.rows]

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
        sides = [boxes.high.T] * 2 if boxes.low is boxes.high else (boxes.low.T, boxes.high.T)
        own = {name: Interval(*ends) for name, *ends in zip(self.names, *sides, strict=True)}
        return Intervals(self._values, {**self._rest, **own})

    def solutions(self, bounds: Sequence[SearchedRange]) -> list[list[float]]:
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
        step = self._step(boxes.middle, radii)
        moved, smaller = step.moved, step.smaller(boxes)
        inside = step.known & (moved.size < radii).all(axis=-1)
        outside = step.known & ((moved.low > radii) | (moved.high < -radii)).any(axis=-1)
        left = ~inside & ~outside & (smaller.low <= smaller.high).all(axis=-1)
        quick = left & (smaller.longest < SLOW * boxes.longest)
        slow = left & ~quick
        halves = smaller.take(slow).halves(step.slopes[slow])
        return step.images(boxes).take(inside), smaller.take(quick).joined(halves)

    def _step(self, middle: Array, radii: Array) -> BoxStep:
        """Returns Krawczyk's step for the boxes x ± radii."""
        wide, shape = Interval.outward(middle - radii, middle + radii), (len(middle),)
        A = [
            [entry.spread(shape) for entry in map(Interval.of, row)] for row in self.slopes(Boxes(wide.low, wide.high))
        ]
        phi = [entry.spread(shape) for entry in map(Interval.of, self.conditions(Boxes(middle, middle)))]
        centres = np.array([[entry.middle for entry in row] for row in A])
        approximate, known = inverses(np.moveaxis(centres, -1, 0))
        Y = [[Interval.point(approximate[:, i, k]) for k in range(len(A))] for i in range(len(A))]
        steps = [Interval(-radius, radius) for radius in np.nextafter(radii.T, np.inf)]
        moved = Interval.stacked(map(partial(_moved, A, phi, steps), range(len(A)), Y))
        slopes = np.array([[entry.size for entry in row] for row in A]).max(axis=0)
        return BoxStep(moved, known, slopes.T)

    def _refined(self, boxes: Boxes) -> Boxes:
        """Returns small boxes about the solutions, of which each box contains one."""
        for _ in range(MOST_ROUNDS):
            if not (boxes.longest > SAME / 100).any():
                break
            step = self._step(boxes.middle, (boxes.high - boxes.low) / 2 + SMALLEST / 100)
            boxes = step.smaller(boxes)
        return boxes

    def _meeting(self, at: Array) -> EvaluationError:
        return EvaluationError("assembly-modes-meet", where=self.model.name, at=self._named(at))

    def _too_many(self, at: Array) -> EvaluationError:
        return EvaluationError("boxes-did-not-separate", where=self.model.name, boxes=MOST_BOXES, at=self._named(at))

    def _named(self, at: Array) -> str:
        return ", ".join(f"{name} = {round(float(x), 4):g}" for name, x in zip(self.names, at, strict=True))


def _moved(
    A: Sequence[Sequence[Interval]], phi: Sequence[Interval], steps: Sequence[Interval], i: int, Y: Sequence[Interval]
) -> Any:
    """Returns the entry i of K(X) − x = −Y φ(x) + (1 − Y A) (X − x). Y: the row i of it; steps: X − x"""
    total = -inner(Y, phi)
    for j, side in enumerate(steps):
        total = total + (int(i == j) - inner(Y, [row[j] for row in A])) * side
    return total


def may_be_zero(conditions: Sequence[Any], count: int) -> Flags:
    """Returns for each box whether all conditions may be zero in it."""
    possible = np.ones(count, dtype=bool)
    for entry in map(Interval.of, conditions):
        possible &= ~((entry.low > 0) | (entry.high < 0))
    return possible


def inverses(A: Array) -> tuple[Array, Flags]:
    """Returns approximate inverses of matrices, the unit matrix for a singular one, and which are not singular."""
    known = np.abs(np.linalg.det(A)) > 0
    Y = np.linalg.inv(np.where(known[:, None, None], A, np.eye(A.shape[-1])))
    return Y, known & np.isfinite(Y).all(axis=(1, 2))


def _in_range(bound: SearchedRange, value: float) -> bool:
    return bound.period is not None or bound.low - AT_LIMITS <= value <= bound.high + AT_LIMITS
