"""Finds every assembly mode of a closed chain: all configurations with the same independent coordinates.

Boxes of the dependent coordinates are bisected until each contains no configuration with closed loops, or exactly one
by Krawczyk's operator; see `assembly`. Nothing is missed.
Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, §8.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import hypot, pi
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.dynamics.algorithms.cramer import parts
from qddot.dynamics.independent import Choice, modulo_prime
from qddot.errors import EvaluationError, few
from qddot.expressions.expression import Expression
from qddot.model.closed_model import ClosedModel
from qddot.numbers.balls import Balls, ball
from qddot.numeric.assembly import Assembly, assembled, jacobian, krawczyk, residuals

Array = NDArray[np.float64]
MOST = 3  # dependent coordinates that are searched together
MOST_BOXES = 20_000
INFLATED = 1.1  # a box is tried with its surroundings, so that no configuration on its faces is missed
SMALLEST = 1e-9  # half of the longest side of a box that is halved again [rad or m]
SAME = 1e-6  # the difference of two configurations that are one [rad or m]


class Search(NamedTuple):
    """This is a search for the coordinates of one block of conditions.

    q: all other coordinates; rows: places of the conditions; names, bounds: of the coordinates
    """

    model: ClosedModel
    values: Mapping[str, float]
    q: Mapping[str, Any]
    rows: Sequence[int]
    names: Sequence[str]
    bounds: Sequence[tuple[float, float]]


def modes(
    model: ClosedModel,
    choice: Choice,
    functions: Callable[[Array], tuple[Array, Array]],
    q: Array,
    values: Mapping[str, float],
) -> list[Assembly]:
    """Returns all configurations with the independent coordinates of q.

    choice, functions: as in `assembled`
    raises EvaluationError: the loops are singular in one of them, or there are too many coordinates to search
    """
    names = model.tree.coordinates
    A = modulo_prime(model)[1]
    rest = {name: ball(float(value)) for name, value in zip(names, q, strict=True)}
    choices: list[list[dict[int, float]]] = []
    for rows, columns in parts([[A[i][k] for k in choice.dependent] for i in choice.conditions]):
        places = [choice.dependent[k] for k in columns]
        own = [names[k] for k in places]
        search = Search(model, values, rest, [choice.conditions[i] for i in rows], own, _bounds(model, own, q, values))
        solutions = _without_repetitions(_solutions(search), [_turns(model, name) for name in own])
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


def _turns(model: ClosedModel, name: str) -> bool:
    return next(body.joint.turns for body in model.tree.bodies if body.joint.coordinate == name)


def _bounds(
    model: ClosedModel, names: Sequence[str], q: Array, values: Mapping[str, float]
) -> list[tuple[float, float]]:
    """Returns the interval in which each coordinate is searched.

    A slide without limits is searched as far as all lengths of the links together reach. This bounds one such slide
    only.
    raises EvaluationError: there are too many coordinates, or several slides without limits
    """
    joints = {body.joint.coordinate: body.joint for body in model.tree.bodies}
    slides = [name for name in names if not joints[name].turns and joints[name].limits is None]
    if len(names) > MOST or len(slides) > 1:
        problem = f"{few(names)} must be found together" if len(names) > MOST else f"{few(slides)} have no limits"
        raise EvaluationError(
            problem,
            where=model.name,
            expected=f"at most {MOST} coordinates, and one slide without limits",
            remedy="choose other independent coordinates, or find one configuration by assemble(guess)",
        )
    numbers = Balls({**values})

    def at(entry: Any) -> float:
        value: Any = entry.evaluate(numbers) if isinstance(entry, Expression) else ball(entry)
        return float(arb(value))

    reach = sum(hypot(*map(at, body.joint.placement.p)) for body in model.tree.bodies)
    reach += sum(abs(x) for name, x in zip(model.tree.coordinates, q, strict=True) if not joints[name].turns)
    reach += sum(at(loop.length) for loop in model.loops if loop.length is not None)
    bounds = []
    for name in names:
        limits = joints[name].limits
        if joints[name].turns:
            bounds.append((-pi, pi))
        elif limits is None:
            bounds.append((-reach, reach))
        else:
            bounds.append((at(limits[0]), at(limits[1])))
    return bounds


def _solutions(search: Search) -> Iterator[list[float]]:
    """Yields the middles of boxes that contain one configuration each; some are found twice."""
    boxes = [[arb((low + high) / 2, (high - low) / 2) for low, high in search.bounds]]
    for _ in range(MOST_BOXES):
        if not boxes:
            return
        box = boxes.pop()
        if any(not arb(entry).contains(0) for entry in _conditions(search, box)):
            continue
        wide = [arb(side.mid(), float(side.rad()) * INFLATED) for side in box]
        moved = _krawczyk(search, wide)
        if moved is not None:
            radii = [arb(side.rad()) for side in wide]
            if all(bool(abs(step) < radius) for step, radius in zip(moved, radii, strict=True)):
                yield _refined(search, wide, moved)
                continue
            if any(bool(abs(step) > radius) for step, radius in zip(moved, radii, strict=True)):
                continue
        if max(float(side.rad()) for side in box) < SMALLEST:
            break
        boxes += _halves(box)
    places = zip(search.names, box, strict=True)
    at = ", ".join(f"{name} = {round(float(side.mid()), 4):g}" for name, side in places)
    raise EvaluationError(
        f"assembly modes meet, or there are infinitely many, near {at}",
        where=search.model.name,
        remedy="give other values of the independent coordinates",
    )


def _refined(search: Search, box: Sequence[Any], moved: Sequence[Any] | None) -> list[float]:
    """Returns the middle of a small box about the configuration in a box; moved: K(X) − x of the box."""
    while moved is not None and max(float(step.rad()) for step in moved) > SAME / 100:
        box = [arb(side.mid()) + step for side, step in zip(box, moved, strict=True)]
        moved = _krawczyk(search, box)
    steps = [arb(0)] * len(box) if moved is None else moved
    return [float((side.mid() + step).mid()) for side, step in zip(box, steps, strict=True)]


def _conditions(search: Search, box: Sequence[Any]) -> list[Any]:
    phi = residuals(search.model, search.values, {**search.q, **dict(zip(search.names, box, strict=True))})
    return [phi[i] for i in search.rows]


def _krawczyk(search: Search, box: Sequence[Any]) -> list[Any] | None:
    """Returns K(X) − x, or None where A_d is singular in the middle of the box."""
    places = [search.model.tree.coordinates.index(name) for name in search.names]
    A = jacobian(search.model, search.values, {**search.q, **dict(zip(search.names, box, strict=True))})
    A_d = [[arb(A[i][k]) for k in places] for i in search.rows]
    middle = np.array([[float(entry.mid()) for entry in row] for row in A_d])
    if not abs(np.linalg.det(middle)) > 0:
        return None
    Y = [[arb(float(entry)) for entry in row] for row in np.linalg.inv(middle)]
    phi = _conditions(search, [arb(side.mid()) for side in box])
    return krawczyk(Y, [arb(entry) for entry in phi], A_d, [float(side.rad()) for side in box])


def _halves(box: Sequence[Any]) -> list[list[Any]]:
    """Returns the halves of a box, divided across its longest side."""
    longest = max(range(len(box)), key=lambda k: float(box[k].rad()))
    middle, half = box[longest].mid(), float(box[longest].rad()) / 2
    sides = [arb(middle - half, half), arb(middle + half, half)]
    return [[*box[:longest], side, *box[longest + 1 :]] for side in sides]


def _without_repetitions(solutions: Iterator[list[float]], turning: Sequence[bool]) -> list[list[float]]:
    """Returns each solution once, with angles between −π and π, in order."""
    distinct: list[list[float]] = []
    for solution in solutions:
        own = [(x + pi) % (2 * pi) - pi if turns else x for x, turns in zip(solution, turning, strict=True)]
        if not any(_apart(own, other, turning) < SAME for other in distinct):
            distinct.append(own)
    return sorted(distinct)


def _apart(a: Sequence[float], b: Sequence[float], turning: Sequence[bool]) -> float:
    differences = (abs(x - y) for x, y in zip(a, b, strict=True))
    return max(min(x, abs(2 * pi - x)) if turns else x for x, turns in zip(differences, turning, strict=True))
