"""Checks values that a user gives to a model's symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.expressions.parser import LARGEST_MAGNITUDE
from qddot.base.errors import EvaluationError, refuse_masked, shortened
from qddot.robot.model import Model
from qddot.robot.unknown_symbols import unknown_symbol


def symbol_values(model: Model, values: Mapping[str, Any]) -> dict[str, float]:
    """Returns a float for each symbol that has one: the given value, else its default.

    raises EvaluationError: a symbol is unknown, or a value is not a finite number
    """
    numbers = model.defaults()
    for name, value in values.items():
        if name not in model.symbols:
            raise unknown_symbol(model, name)
        refuse_masked(value, name, EvaluationError)
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError, OverflowError):
            raise EvaluationError(f"{name} = {shortened(value)}", expected="a finite number") from None
        if not abs(numbers[name]) < 10.0**LARGEST_MAGNITUDE:
            raise EvaluationError(f"{name} = {value}", expected=f"a finite number within 1e{LARGEST_MAGNITUDE}")
    return numbers
