"""Encloses any operation over boxes, from its values over balls and those of its partial derivatives.

By the mean value theorem, f(x) is within f(c) + Σ f_j (x_j − c_j), with the ranges of the partial derivatives f_j over
the box and the centre c. It also holds for a minimum and a maximum, whose derivatives have jumps (Lebourg 1975).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from math import isfinite

import numpy as np
from flint import arb

from qddot.algebra.numbers.balls import ends, precise
from qddot.algebra.program.derivatives import partials
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import Operation, column
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed, say
from qddot.proof.bounds.forms import MANY, TINY, Form, halves

Interval = tuple[float, float]
BITS = 80  # of the balls
DEEPEST = 6  # halvings of a box


class UndefinedError(EvaluationError):
    """An operation, or its derivative, may have no value somewhere in a region."""


def has_slopes(operation: Operation) -> bool:
    """Returns whether the mean value theorem holds for an operation, which has no jumps."""
    return operation.analytic or operation.chooses


def slopes(operation: Operation, box: Sequence[Interval]) -> list[Interval]:
    """Returns the ranges of the partial derivatives over a box. raises UndefinedError: one is not bounded"""

    def over(x: list[arb]) -> list[arb]:
        values = _partials(operation)([[operation.ball(*x)], x])
        return [values[place] for place in partials(operation).results]

    return _ranges(over, box)


def value_range(operation: Operation, box: Sequence[Interval], slopes: Sequence[Interval] = ()) -> Interval:
    """Returns the range of an operation over a box. raises UndefinedError: it is not bounded

    slopes: the ranges of the partial derivatives there; along an argument whose slope keeps its sign, the range is that
        between the ends
    """
    low, high = list(box), list(box)
    for k, ((least, most), (a, b)) in enumerate(zip(slopes, box, strict=False)):
        if least >= 0:
            low[k], high[k] = (a, a), (b, b)
        elif most <= 0:
            low[k], high[k] = (b, b), (a, a)
    ((lowest, _),), ((_, highest),) = (_ranges(lambda x: [operation.ball(*x)], corner) for corner in (low, high))
    return lowest, highest


def _ranges(over: Callable[[list[arb]], list[arb]], box: Sequence[Interval], depth: int = 0) -> list[Interval]:
    """Returns the ranges of some functions over a box, which is halved where balls are too wide to bound them."""
    with precise(BITS):
        found = [ends(value) for value in over([arb(low).union(arb(high)) for low, high in box])]
    if all(isfinite(end) for interval in found for end in interval):
        return found
    if depth == DEEPEST:
        arguments = Listed(say("from-to", low=f"{low:.3g}", high=f"{high:.3g}") for low, high in box)
        raise UndefinedError("slope-not-bounded", arguments=arguments)
    widest = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    low, high = box[widest]
    middle = low + (high - low) / 2
    sides = (low, middle), (middle, high)
    halves = [_ranges(over, [*box[:widest], side, *box[widest + 1 :]], depth + 1) for side in sides]
    return [(min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(*halves, strict=True)]


def enclosed(operation: Operation, *x: Form) -> Form:
    """Returns the form of an operation. raises UndefinedError: it may have no value in a box"""
    rows = np.array([(each.low, each.high, each.centre) for each in x]).transpose(2, 0, 1)
    low, high, *more = np.array([_enclosed(operation, row) for row in rows.tolist()]).T
    middle, half = halves(low, high)
    none = np.zeros_like(x[0].slopes)
    if not has_slopes(operation):
        return Form(middle, none, half, low, high)
    centre, radius = halves(more[0], more[1])
    along = none
    for k, each in enumerate(x):
        slope, width = halves(more[2 * k + 2], more[2 * k + 3])
        along = along + slope * each.slopes
        radius = radius + np.abs(slope) * (each.radius + each.spread * MANY) + width * (each.spread + each.radius)
    radius = (radius + np.abs(centre) * MANY + TINY) * (1 + MANY)
    is_wide = half < radius
    centre, radius = np.where(is_wide, middle, centre), np.where(is_wide, half, radius)
    return Form(centre, np.where(is_wide, 0.0, along), radius, low, high)


def _enclosed(operation: Operation, row: Sequence[tuple[float, float, float]]) -> list[float]:
    """Returns the ends of the range over a box, and of those at its centre and of the partial derivatives.

    row: low, high and the form's centre, for each argument; the derivatives' ranges also hold between box and centre
    """
    box = [(low, high) for low, high, _ in row]
    if not has_slopes(operation):
        return [*value_range(operation, box)]
    along = slopes(operation, [(min(low, c), max(high, c)) for low, high, c in row])
    at_centre = value_range(operation, [(c, c) for _, _, c in row])
    return [*value_range(operation, box, along), *at_centre, *chain(*along)]


@cache
def _partials(operation: Operation) -> Walk:
    return Walk(partials(operation), column("ball"), arb)
