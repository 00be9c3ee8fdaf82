"""Bounds a slide that the lengths of links do not bound, as in a loop that holds a plane.

A condition is φ = a + b x + c x² in such a slide x, where a, b and c depend on the other coordinates, and c is 0 but in
the condition of a rod. Where |x| ≥ R, it is zero only if b + a t, or c + b t + a t², is zero with t = 1/x between −1/R
and 1/R; boxes of the other coordinates show that this is nowhere so for all conditions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qddot.algebra.numbers.intervals import Interval
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.boxes import Boxes, Flags, Search, may_be_zero
from qddot.machine.numeric.searched_ranges import SearchedRange

FIRST, FARTHER, TRIES = 16.0, 32.0, 4  # the first bound [m], how much farther each is than the last, and how many
MOST_BOXES = 50_000
SMALLEST = 1e-4  # the longest side of a box that is halved again [rad or m]


def with_ends(
    search: Search, bounds: Sequence[SearchedRange], constant: Sequence[Sequence[bool]]
) -> list[SearchedRange]:
    """Returns the ranges, of which at most one, that of a slide, has no ends, with ends for it too.

    constant: for each condition, whether it does not depend on each of the coordinates
    raises EvaluationError: no bound is proved
    """
    endless = [k for k, bound in enumerate(bounds) if not bound.ends]
    if not endless:
        return list(bounds)
    slide = endless[0]
    for far in FIRST * FARTHER ** np.arange(TRIES):
        ends = [*bounds[:slide], SearchedRange(-far, far), *bounds[slide + 1 :]]
        if _is_bounded(search, ends, slide, [row[slide] for row in constant]):
            return ends
    raise EvaluationError("slide-without-limits", where=search.model.name, slide=search.names[slide])


def _is_bounded(search: Search, bounds: Sequence[SearchedRange], slide: int, constant: Sequence[bool]) -> bool:
    """Returns whether it is proved that no solution lies beyond the ends of a slide's range."""
    low, high = (np.array([[bound[end] for bound in bounds]]) for end in range(2))
    low[:, slide] = high[:, slide] = 0
    boxes, count = Boxes(low, high), 0
    while len(boxes.low):
        count += len(boxes.low)
        boxes = boxes.take(_possible_far(search, boxes, slide, constant, bounds[slide].high))
        if count > MOST_BOXES or (boxes.longest < SMALLEST).any():
            return False
        boxes = boxes.halves()
    return True


def _possible_far(search: Search, boxes: Boxes, slide: int, constant: Sequence[bool], far: float) -> Flags:
    """Returns for each box, in which the slide is 0, whether all conditions may be zero where it is beyond ±far."""
    near = Interval.outward(-1 / far, 1 / far)
    at_one = boxes.low.copy(), boxes.high.copy()
    at_one[0][:, slide] = at_one[1][:, slide] = 1
    conditions = []
    for a, row, there, stays, rod in zip(
        search.conditions(boxes),
        search.slopes(boxes),
        search.conditions(Boxes(*at_one)),
        constant,
        search.rods,
        strict=True,
    ):
        b, far_away = Interval.of(row[slide]), Interval.of(a) * near
        if stays:
            conditions.append(a)
        elif rod:
            conditions.append(there - a - b + (b + far_away) * near)
        else:
            conditions.append(b + far_away)
    return may_be_zero(conditions, len(boxes.low))
