"""Checks that base parameters give the torques, with the regressor in a random state modulo a prime."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qddot.algebra.numbers.modular import Modular
from qddot.base.errors import ExactnessError
from qddot.exact.forms.base.parameters import BaseParameter
from qddot.physics.algorithms.regressor import regressor
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model


def check(model: Model, parameters: Sequence[BaseParameter], combined: Iterable[int], armature: bool) -> None:
    """Checks that every column that does not stay is the sum of its shares of those that stay, at the exact angles.

    A wrong share passes with a probability below 1e-20.
    raises ExactnessError: a column differs
    """
    numbers = Modular.of(model)  # of another prime and another state than the search
    mechanism = Mechanism.of(model, numbers)
    shares = [
        (share.parameter, each.parameter, share.numerator.evaluate(numbers) / share.denominator.evaluate(numbers))
        for each in parameters
        for share in each.shares
    ]
    for row in _regressor(mechanism, armature):
        left = {column: row[column] for column in combined}
        for column, stays, share in shares:
            left[column] = left[column] - share * row[stays]
        if any(numbers.integer(rest) for rest in left.values()):
            raise wrong(model)


def _regressor(mechanism: Mechanism, armature: bool) -> list[list[Any]]:
    """Returns Y, with the armature's columns if `armature` is true."""
    rows = regressor(mechanism)
    return [
        [*row, *(q * (i == k) for k, q in enumerate(mechanism.qdd if armature else ()))] for i, row in enumerate(rows)
    ]


def wrong(model: Model) -> ExactnessError:
    return ExactnessError("wrong-base-parameters", where=model.name)
