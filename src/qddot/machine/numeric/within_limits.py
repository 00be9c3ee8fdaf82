"""Prefers configurations within the limits of coordinates for which a guess has no number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import EvaluationError
from qddot.machine.numeric.assembly import Assembly, assembled
from qddot.physics.independent import Independents
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]
STARTS = 20


def assembled_within(
    model: ClosedModel,
    choice: Independents,
    functions: Callable[[Array], tuple[Array, Array]],
    guess: Array,
    values: Mapping[str, float],
    given: Collection[str],
) -> Assembly:
    """Returns the configuration near a guess, of which only some coordinates are given.

    If it is beyond the limits of a dependent one, the nearest is returned of those within all limits that are found
    where the others begin there, or else the first. choice, functions: as in `assembled`
    raises EvaluationError: as `assembled`
    """
    first = assembled(model, choice, functions, guess, values)
    limits = _limits(model, choice, values)
    free = {place: ends for place, ends in limits.items() if model.tree.positions[place] not in given}

    def is_within(assembly: Assembly) -> bool:
        return all(low <= assembly.q[place] <= high for place, (low, high) in limits.items())

    def from_starts() -> Iterator[Assembly]:
        low, high = np.transpose([*free.values()])
        for start in np.random.default_rng(1).uniform(low, high, (STARTS, len(free))):
            begun = guess.copy()
            begun[[*free]] = start
            with suppress(EvaluationError):
                yield assembled(model, choice, functions, begun, values)

    if not free or is_within(first):
        return first
    return min(filter(is_within, from_starts()), key=lambda each: float(abs(each.q - guess).max()), default=first)


def _limits(model: ClosedModel, choice: Independents, values: Mapping[str, float]) -> dict[int, tuple[float, float]]:
    """Returns the limits of dependent coordinates, by their places in q."""
    dependent = {model.tree.coordinates[k] for k in choice.dependent}
    limits: dict[int, tuple[float, float]] = {}
    for joint in (body.joint for body in model.tree.bodies if body.joint.moves and body.joint.leads):
        if joint.limits and joint.coordinate in dependent:
            low, high = (float(end.value(values)) for end in joint.limits)
            limits[model.tree.positions.index(joint.coordinate)] = low, high
    return limits
