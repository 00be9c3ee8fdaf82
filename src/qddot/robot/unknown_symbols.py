"""Says why a name to which a value is given is no symbol of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any

from qddot.base.errors import EvaluationError, QddotError, did_you_mean, few, near, shortened
from qddot.robot.model import Model


def refuse_unknown(
    model: Model, keywords: Iterable[str], method: Callable[..., Any], error: type[QddotError] = EvaluationError
) -> None:
    """Raises `error` for a keyword of a method that is neither an argument of it nor a symbol."""
    for name in keywords:
        if name not in model.symbols and name not in model.constants:
            known = [each.name for each in signature(method).parameters.values() if each.kind != Parameter.VAR_KEYWORD]
            raise unknown_symbol(model, name, error, [each for each in known if each != "self"])


def unknown_symbol(
    model: Model, name: str, error: type[QddotError] = EvaluationError, arguments: Iterable[str] | None = None
) -> QddotError:
    """Returns the error for a value of a name that is no symbol.

    arguments: those of the method that was called, if the name was a keyword of it
    """
    if model.explicit is not None and name in model.explicit.inserted:
        value = f"{float(model.explicit.inserted[name]):.6g}"
        return error(
            f"the numbers in the equations already contain {name} = {value}, which cannot be changed",
            where=model.name,
            remedy=f"make the model again from the arm with another {name}",
        )
    if name in model.constants:
        definition = model.constants[name]
        return error(
            f"{name} is not a symbol, but a name for {shortened(definition).strip(chr(39))}",
            where=model.name,
            remedy=f"give values to {few(sorted(definition.symbols()))}" if definition.symbols() else "",
        )
    if arguments is None:
        return error(f"no symbol {name!r} in {model.name}", remedy=did_you_mean(name, model.symbols))
    others = list(arguments)
    listed = f"arguments: {', '.join(others)}; symbols: {few(list(model.symbols)) or 'none'}"
    found = f"no argument and no symbol {name!r} in {model.name}"
    return error(found, remedy=near(name, [*model.symbols, *others]) or listed)
