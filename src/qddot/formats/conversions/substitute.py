"""Replaces symbols of a model by numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.substitution import Substitution
from qddot.base.errors import ModelError
from qddot.base.words.message import Listed
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model
from qddot.robot.notes import note


def with_values(model: Model, names: Iterable[str]) -> Model:
    """Returns the model with some symbols replaced by their defaults, and with a note that says so.

    raises ModelError: a symbol without a default
    """
    values = {name: model.symbols[name].value for name in names}
    missing = [name for name, value in values.items() if value is None]
    if missing:
        raise ModelError("table-not-polynomial", where=model.name, names=Listed(missing), first=missing[0])
    numbers = {name: value for name, value in values.items() if value is not None}
    replaced = note("symbols-replaced", values=Listed(f"{name} = {value}" for name, value in values.items()))
    return replace(in_numbers(model, numbers), notes=(*model.notes, replaced))


def in_numbers(model: Model, values: Mapping[str, Expression]) -> Model:
    """Returns the model in which numbers replace some symbols, which it then has no more."""
    put = Substitution(values).put
    return replace(
        model,
        bodies=_mapped(model.bodies, put),
        gravity=_mapped(model.gravity, put),
        tool=_mapped(model.tool, put),
        explicit=_mapped(model.explicit, put),
        symbols={name: symbol for name, symbol in model.symbols.items() if name not in values},
    )


def chain_in_numbers(model: ClosedModel, values: Mapping[str, Expression]) -> ClosedModel:
    """Returns the closed model in which numbers replace some symbols."""
    loops, rolling, conditions = (replaced(part, values) for part in (model.loops, model.rolling, model.conditions))
    return ClosedModel(in_numbers(model.tree, values), loops, rolling, conditions)


def replaced(part: Any, values: Mapping[str, Expression]) -> Any:
    """Returns a frozen part of a description in which expressions replace some symbols."""
    return _mapped(part, Substitution(values).put)


def _mapped(part: Any, change: Callable[[Expression], Any]) -> Any:
    """Returns a frozen description with `change` applied to every expression in it."""
    if isinstance(part, Expression):
        return change(part)
    if isinstance(part, tuple):
        return tuple(_mapped(entry, change) for entry in part)
    if isinstance(part, Mapping):
        return {name: _mapped(entry, change) for name, entry in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{entry.name: _mapped(getattr(part, entry.name), change) for entry in fields(part)})
    return part
