"""Computes the inertial parameters of an arm, and the parameters of its joints, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import EvaluationError, flag, refuse_masked, shortened
from qddot.machine.numeric.possible_values import refuse
from qddot.physics.algorithms import regressor
from qddot.physics.mechanism import Mechanism
from qddot.robot.effects.acting import parameters_of
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing, symbols_of


def values(model: Model, armature: Any, friction: Any, symbols: Mapping[str, Any]) -> NDArray[np.float64]:
    """Returns π in the order of the regressor's columns; symbols: values of some symbols instead of their defaults.

    raises EvaluationError: a symbol is unknown, has no value, or its value is not a number; ModelError: no robot has
        such values
    """
    symbols_of(model, tuple(symbols))
    own = {name: _number(name, value) for name, value in symbols.items()}
    refuse(model, own)
    numbers = {**model.defaults(), **own}
    refuse_missing(model.used_symbols - set(numbers), model.name)
    mechanism = Mechanism.of(model, Floats(numbers, dict.fromkeys((*model.coordinates, *model.positions), 0.0)))
    joints = parameters_of(mechanism, flag(armature, "armature"), flag(friction, "friction"))
    return np.array([*regressor.parameters(mechanism), *(value for *_, value in joints)], dtype=float)


def _number(name: str, value: Any) -> float:
    refuse_masked(value, name, EvaluationError)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError("value-no-number", name=name, value=shortened(value)) from None
