"""Finds every assembly mode of a closed chain: all configurations with the same independent coordinates.

Boxes of the dependent coordinates, in intervals, are made smaller and bisected until each contains no configuration
with closed loops, or exactly one by Krawczyk's operator; see `assembly`. Nothing is missed.
Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, §8.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.machine.numeric.assembly import Assembly, assembled, residuals
from qddot.machine.numeric.boxes import SAME, Search
from qddot.machine.numeric.far_slides import with_ends
from qddot.machine.numeric.searched_ranges import SearchedRange, ranges
from qddot.physics.algorithms.cramer import parts
from qddot.physics.independent import Independents, modulo_prime
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]


def modes(
    model: ClosedModel,
    choice: Independents,
    functions: Callable[[Array], tuple[Array, Array]],
    q: Array,
    values: Mapping[str, float],
) -> list[Assembly]:
    """Returns all configurations with the independent coordinates of q.

    choice, functions: as in `assembled`
    raises EvaluationError: the loops are singular in one of them, there are too many coordinates to search, or one has
        no bound
    """
    names = model.tree.coordinates
    A = modulo_prime(model)[1]
    dependent = [names[k] for k in choice.dependent]
    choices: list[list[dict[int, float]]] = []
    for rows, columns in parts([[A[i][k] for k in choice.dependent] for i in choice.conditions]):
        places = [choice.dependent[k] for k in columns]
        conditions = [choice.conditions[i] for i in rows]
        own = [names[k] for k in places]
        search = Search(model, values, dict(zip(names, q, strict=True)), conditions, own)
        constant = [[not A[i][k] for k in places] for i in conditions]
        bounds = with_ends(search, ranges(model, own, q, dependent, values), constant)
        solutions = _without_repetitions(search.solutions(bounds), bounds)
        choices.append([dict(zip(places, solution, strict=True)) for solution in solutions])
    configurations = []
    for combination in product(*choices):
        guess = q.copy()
        for part in combination:
            guess[list(part)] = list(part.values())
        if not _contradicts(model, values, guess):
            configurations.append(assembled(model, choice, functions, guess, values))
    return configurations


def _contradicts(model: ClosedModel, values: Mapping[str, float], q: Array) -> bool:
    """Returns whether a condition that was left out fails near q, as it may in other modes if lengths are special."""
    names = model.tree.coordinates
    box = {name: arb(float(value), SAME) for name, value in zip(names, q, strict=True)}
    return any(not arb(entry).contains(0) for entry in residuals(model, values, box))


def _without_repetitions(solutions: Iterable[Sequence[float]], bounds: Sequence[SearchedRange]) -> list[list[float]]:
    """Returns each solution once, with coordinates at most half a period from 0, in order."""
    distinct: list[list[float]] = []
    for solution in solutions:
        own = [bound.within(x) for bound, x in zip(bounds, solution, strict=True)]
        if not any(_apart(own, other, bounds) < SAME for other in distinct):
            distinct.append(own)
    return sorted(distinct)


def _apart(a: Sequence[float], b: Sequence[float], bounds: Sequence[SearchedRange]) -> float:
    return max(bound.apart(x, y) for bound, x, y in zip(bounds, a, b, strict=True))
