"""Reads what a user gives for a configuration of a closed chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.base.errors import EvaluationError, refuse_masked, shortened
from qddot.base.system.parts import installed
from qddot.base.words.message import Listed, say
from qddot.robot.closed_model import ClosedModel

FARTHEST = 1e6  # the largest coordinate of a configuration [rad or m]


def configuration(model: ClosedModel, guess: Any) -> Any:
    """Returns q of a guess. raises EvaluationError: unknown names, or not as many numbers of a usual size as q has"""
    with installed():
        from qddot.machine.numeric.manifold import neutral, on_spheres, with_unit_quaternions

    names = model.tree.positions
    if isinstance(guess, Mapping):
        unknown = [name for name in guess if name not in names]
        if unknown:
            raise EvaluationError("no-coordinate", name=shortened(unknown[0]), expected=Listed(names))
        usual = dict(zip(names, neutral(model.tree), strict=True))
        guess = [guess.get(name, usual[name]) for name in names]
    q = listed(model.name, guess, len(names))
    if (far := abs(q) > FARTHEST).any():
        raise EvaluationError(
            "coordinate-too-far",
            where=model.name,
            name=names[int(far.argmax())],
            value=f"{q[far][0]:g}",
            farthest=f"{FARTHEST:g}",
        )
    near = on_spheres(model.tree, q.copy())  # a guess need not be precise
    usable = bool(abs(near).max(initial=0.0) < float("inf"))
    return with_unit_quaternions(model.tree, near if usable else q, say("the-configuration"))


def listed(where: str, values: Any, count: int) -> Any:
    """Returns an array of numbers. raises EvaluationError: there are not `count` of them, or not all are finite"""
    with installed():
        from qddot.algebra.checked_arrays import vector

    refuse_masked(values, say("the-configuration"), EvaluationError)
    try:
        return vector(values, say("list-of-coordinates"), count, error=EvaluationError)
    except EvaluationError as error:
        raise error.at(where) from None
