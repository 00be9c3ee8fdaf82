"""Converts exactly if possible, else in decimals, else with numbers for some symbols; checks the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from qddot.formats.conversions.geometry import DIGITS, InexactError, NeedsValuesError
from qddot.formats.conversions.substitute import with_values
from qddot.formats.conversions.verify import checked
from qddot.robot.model import Model


def converted(
    model: Model, convert: Callable[[Model, bool], Model], check: Callable[[Model, Model], Model] = checked
) -> Model:
    """Returns the result of `convert(model, exact)` that `check(model, result)` accepts; notes say what was changed.

    raises QddotError: the result is another arm, or a symbol needs a value and has none
    """
    try:
        return check(model, _rounded_at_need(model, convert))
    except NeedsValuesError as error:
        return converted(with_values(model, error.symbols), convert, check)


def _rounded_at_need(model: Model, convert: Callable[[Model, bool], Model]) -> Model:
    try:
        return convert(model, True)
    except InexactError:
        near = convert(model, False)
        return replace(near, notes=(*near.notes, f"axes in general position: frames are rounded to {DIGITS} digits"))
