"""Checks the values that a user gives to a model's symbols, and their names; each mistake has one error."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from inspect import Parameter, signature
from typing import Any

from qddot.algebra.expressions.parser import LARGEST_MAGNITUDE
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, few, near, refuse_masked, shortened
from qddot.base.words.message import Either, Listed, say
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model
from qddot.robot.placements import listed

MOST_LENGTHS = 6  # named beside a picture
PASSED, REMEDY = "pass-values", "pass-or-set-values"  # keys of remedies


def symbol_values(model: Model, values: Mapping[str, Any]) -> dict[str, float]:
    """Returns a float for each symbol that has one: the given value, else its default.

    raises EvaluationError: a symbol is unknown, or a value is not a finite number
    """
    numbers = model.defaults()
    for name, value in values.items():
        if name not in model.symbols:
            raise unknown_symbol(name, model)
        refuse_masked(value, name, EvaluationError)
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError, OverflowError):
            raise EvaluationError("value-not-finite", name=name, value=shortened(value)) from None
        if not abs(numbers[name]) < 10.0**LARGEST_MAGNITUDE:
            raise EvaluationError("value-too-large", name=name, value=value, power=LARGEST_MAGNITUDE)
    return numbers


def all_values(model: Model | ClosedModel, free: Collection[str] = ()) -> dict[str, float]:
    """Returns the default of each symbol, or 0 if it has none. raises EvaluationError: one that is used has none

    free: symbols whose values come later, besides the time, on which no loop depends
    """
    values = model.tree.defaults()
    refuse_missing(model.used_symbols - {*values, *free, model.tree.time}, model.name)
    return {**dict.fromkeys(model.tree.symbols, 0.0), **values}


def names_of(values: Any, what: str) -> list[str]:
    """Returns a list of names; a single name becomes a list of one."""
    names = [values] if isinstance(values, str) else listed(values, what)
    for name in names:
        if not isinstance(name, str):
            raise EvaluationError("name-expected", what=what, name=shortened(name))
    return list(names)


def symbols_of(model: Model, values: Any, arguments: Collection[str] | None = None) -> list[str]:
    """Returns names of symbols and constants; raises EvaluationError for others.

    arguments: those of the function that was called with the names as keywords
    """
    names = names_of(values, "symbols")
    for name in names:
        if name not in model.symbols and name not in model.constants:
            raise unknown_symbol(name, model, arguments=arguments)
    return names


def refuse_unknown(
    model: Model, keywords: Iterable[str], method: Callable[..., Any], error: type[QddotError] = EvaluationError
) -> None:
    """Raises `error` for a keyword of a method that is neither an argument of it nor a symbol."""
    for name in keywords:
        if name not in model.symbols and name not in model.constants:
            known = [each.name for each in signature(method).parameters.values() if each.kind != Parameter.VAR_KEYWORD]
            raise unknown_symbol(name, model, error=error, arguments=[each for each in known if each != "self"])


def unknown_symbol(
    name: str, *models: Model, error: type[QddotError] = EvaluationError, arguments: Collection[str] | None = None
) -> QddotError:
    """Returns the error for a value of a name that is no symbol of these models.

    arguments: those of the method that was called, if the name was a keyword of it
    """
    for model in models:
        if model.explicit is not None and name in model.explicit.inserted:
            value = f"{float(model.explicit.inserted[name]):.6g}"
            return error("value-in-equations", where=model.name, name=name, value=value)
        if name in model.constants:
            definition = model.constants[name]
            return error(
                "not-symbol-name",
                where=model.name,
                name=name,
                value=shortened(definition).strip(chr(39)),
                remedy=say("give-values-to", names=few(sorted(definition.symbols()))) if definition.symbols() else "",
            )
    where, symbols = Either(model.name for model in models), [name for model in models for name in model.symbols]
    if arguments is None:
        return error("no-symbol", name=shortened(name), place=where, remedy=did_you_mean(name, symbols))
    all_arguments = say("arguments-and-symbols", arguments=Listed(arguments), symbols=few(symbols) or say("no-symbols"))
    return error(
        "no-argument-no-symbol",
        name=shortened(name),
        place=where,
        remedy=near(name, [*symbols, *arguments]) or all_arguments,
    )


def unit_lengths(model: Model) -> str:
    """Returns the lengths and angles that have no values, and count as 1 in pictures, as "l1 = l2", or ""."""
    names = model.unvalued_geometry
    return " = ".join((*names[:MOST_LENGTHS], "…") if len(names) > MOST_LENGTHS else names)


def refuse_missing(
    names: Iterable[str],
    where: str,
    remedy: str = REMEDY,
    error: type[QddotError] = EvaluationError,
    most: int = 8,
) -> None:
    """Raises `error` if there are symbols without a value.

    remedy: its key, whose slot `name` is the first; most: how many are named
    """
    missing = sorted(names)
    if missing:
        raise error(
            "value-missing", where=where, missing=few(missing, most), remedy=remedy and say(remedy, name=missing[0])
        )
