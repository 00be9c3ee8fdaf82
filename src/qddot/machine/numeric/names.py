"""Checks the names that a caller gives: those of symbols and of functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from qddot.base.errors import EvaluationError, few, shortened
from qddot.robot.bodies import listed
from qddot.robot.model import Model
from qddot.robot.unknown_symbols import unknown_symbol


def names_of(values: Any, what: str) -> list[str]:
    """Returns a list of names; a single name becomes a list of one."""
    names = [values] if isinstance(values, str) else listed(values, what)
    for name in names:
        if not isinstance(name, str):
            raise EvaluationError(f"{what} has {shortened(name)}", expected="names")
    return list(names)


def symbols_of(model: Model, values: Any, arguments: Sequence[str] | None = None) -> list[str]:
    """Returns names of symbols and constants; raises EvaluationError for others.

    arguments: those of the function that was called with the names as keywords
    """
    names = names_of(values, "symbols")
    for name in names:
        if name not in model.symbols and name not in model.constants:
            raise unknown_symbol(model, name, arguments=arguments)
    return names


def refuse_missing(model: Model, names: Collection[str]) -> None:
    """Raises EvaluationError if there are symbols without a value."""
    if names:
        missing = sorted(names)
        raise EvaluationError(
            f"no value for {few(missing)}",
            where=model.name,
            remedy=f"pass values with each call: {missing[0]}=..., or set them once: with_values({missing[0]}=...), or "
            f"--set {missing[0]}=... on the command line",
        )
