"""Chooses which conditions of a closed chain are independent, and which coordinates the others follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.numbers.modular import Modular
from qddot.base.errors import ModelError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.physics.algorithms import closure
from qddot.physics.mechanism import Mechanism
from qddot.robot.closed_model import ClosedModel
from qddot.robot.placements import listed


@record(slots=True)
class Independents:
    """This is a choice of independent coordinates, by places in q; the dependent ones follow from as many conditions.

    conditions: the rows of A in a largest independent set; near: whether it holds near a configuration, in doubles
    With rolling wheels, only the rates of the dependent coordinates follow.
    held: the dependent coordinates of loops alone, if they were chosen in a closed configuration
    """

    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    conditions: tuple[int, ...]
    near: bool = False
    held: tuple[int, ...] | None = None


class NothingFreeError(ModelError):
    """The conditions leave no coordinate free in a random state, where the loops are open."""


def chosen(model: ClosedModel, independent: Any = None) -> Independents:
    """Returns the independent coordinates: those named, or by default the first ones in q that determine the others.

    The default is the motors' coordinates where these determine the others. With rolling wheels it is the last ones
    else, usually the wheels, so that the position on the ground follows. With given conditions, such as x = l sin θ,
    those that occur linearly follow.
    The rank of A is that in a random state modulo a prime. It is never larger than the largest true rank, and
    smaller with a probability below 1e-20. An over-constrained mechanism, such as Bennett's, has a smaller rank
    where its loops are closed than elsewhere: its conditions seem to fix all coordinates; see `over_constrained`.
    raises NothingFreeError: no coordinate is free
    raises ModelError: unknown names, or coordinates that do not determine the others or are not free
    """
    numbers, A = modulo_prime(model)
    n = model.tree.n
    conditions = _pivots(numbers, [[row[k] for row in A] for k in range(n)])
    if len(conditions) == n:
        raise NothingFreeError("no-coordinate-free", where=model.name, independent=len(conditions), all=len(A))
    if independent is None:
        motors = driven_places(model, n - len(conditions))
        order = [k for k in _order(model) if k not in motors]
        pivots = _pivots(numbers, [[row[k] for k in order] for row in A])
        if len(pivots) < len(conditions):  # the motors do not determine the others
            order = _order(model)
            pivots = _pivots(numbers, [[row[k] for k in order] for row in A])
        dependent = tuple(sorted(order[k] for k in pivots))
        return Independents(tuple(k for k in range(n) if k not in dependent), dependent, conditions)
    places = places_of(model, independent)
    dependent = tuple(k for k in range(n) if k not in places)
    rank = len(_pivots(numbers, [[row[k] for k in dependent] for row in A]))
    names = Listed(model.tree.coordinates[k] for k in places)
    if len(places) != n - len(conditions) or rank < len(conditions):
        raise ModelError(
            "not-independent-coordinates",
            where=model.name,
            names=names or say("none-in-brackets"),
            free=say("count-of-coordinates", count=n - len(conditions)),
            example=Listed(model.tree.coordinates[k] for k in chosen(model).independent),
        )
    return Independents(places, dependent, conditions)


def driven_places(model: ClosedModel, free: int) -> tuple[int, ...]:
    """Returns the places of the coordinates that motors drive, if the model says so of as many as are free, else ()."""
    motors = () if model.tree.driven is None else model.tree.drives
    return motors if len(motors) == free else ()


def _order(model: ClosedModel) -> list[int]:
    """Returns the places of the coordinates, those first that depend on the others by default.

    Those whose columns of given conditions are constant come first, since they follow without quotients.
    """
    order, moving = list(range(model.tree.n)), set(model.tree.coordinates)
    if model.integrable:
        order.reverse()
    return sorted(order, key=lambda k: any(each.row[k].symbols() & moving for each in model.conditions))


def modulo_prime(model: ClosedModel) -> tuple[Modular, list[list[int]]]:
    """Returns A in a random state modulo a prime, and its kind of number."""
    numbers = Modular.of(model.tree)
    A = closure.jacobian(Mechanism.of(model.tree, numbers), model)
    return numbers, [list(map(numbers.integer, row)) for row in A]


def spanned(model: ClosedModel, conditions: Sequence[int]) -> list[int]:
    """Returns the rows of A that are combinations of those of some conditions in a random state modulo a prime."""
    numbers, A = modulo_prime(model)
    held = _pivots(numbers, _columns([A[i] for i in conditions]))
    others = [i for i in range(len(A)) if i not in conditions]
    return [i for i in others if len(_pivots(numbers, _columns([A[k] for k in (*conditions, i)]))) == len(held)]


def _columns(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def of_loops(model: ClosedModel, choice: Independents) -> Independents:
    """Returns the choice among the conditions of loops alone: those on q, without those of rolling wheels."""
    if model.integrable:
        return choice
    conditions = tuple(k for k in choice.conditions if k < model.positional)
    dependent = choice.held
    if dependent is None:
        numbers, A = modulo_prime(model)
        pivots = _pivots(numbers, [[A[i][k] for k in choice.dependent] for i in conditions])
        dependent = tuple(choice.dependent[k] for k in pivots)
    free = tuple(k for k in range(model.tree.n) if k not in dependent)
    return Independents(free, dependent, conditions, choice.near)


def places_of(model: ClosedModel, names: Any) -> tuple[int, ...]:
    """Returns the places of coordinates by name. raises ModelError: an unknown name, or one that is listed twice"""
    names = [names] if isinstance(names, str) else listed(names, "independent")
    coordinates = model.tree.coordinates
    for name in names:
        if name not in coordinates or names.count(name) > 1:
            remedy = say("list-it-once") if name in coordinates else did_you_mean(str(name), coordinates)
            raise ModelError("independent-unknown", where=model.name, name=shortened(name), remedy=remedy)
    return tuple(coordinates.index(name) for name in names)


def _pivots(numbers: Modular, matrix: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Returns the columns of a largest independent set, the first ones that are possible."""
    return tuple(numbers.echelon(matrix)[0]) if matrix and matrix[0] else ()
