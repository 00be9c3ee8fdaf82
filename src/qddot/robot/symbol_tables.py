"""Reads the symbols of a model: their names, values, units and meanings, from tables, texts or lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import ModelError, did_you_mean, located, shortened
from qddot.robot.bodies import Symbol

SYMBOL_KEYS = ("value", "unit", "meaning", "tolerance", "formula")


def symbol_table(symbols: Any) -> Mapping[str, Any]:
    """Returns symbols by name, from a mapping to values or descriptions, a text with names or a list of names."""
    if isinstance(symbols, Mapping):
        return symbols
    if isinstance(symbols, str):
        return dict.fromkeys(symbols.replace(",", " ").split())
    if isinstance(symbols, list | tuple | set) and all(isinstance(name, str) for name in symbols):
        return dict.fromkeys(symbols)
    raise ModelError("symbols-not-names", symbols=shortened(symbols))


def with_declared(model: Any, symbols: Any) -> dict[str, Any]:
    """Returns a model's symbols and new ones. raises ModelError: a symbol is declared already"""
    declared = symbol_table(symbols)
    for symbol in set(declared) & set(model.symbols):
        raise ModelError("symbol-declared-already", where=model.name, symbol=repr(symbol))
    return {**declared, **model.symbols}


def declared_symbols(symbols: Any, gravity: Vec3) -> dict[str, Symbol]:
    """Returns the symbols of a model, with g if the gravity contains it. raises ModelError: no symbol can be read"""
    declared = {str(name): _symbol(str(name), entry) for name, entry in symbol_table(symbols).items()}
    uses_g = any(isinstance(part, Expression) and "g" in part.symbols() for part in gravity)
    if uses_g and "g" not in declared:
        declared["g"] = Symbol("g", expression("9.81"), "m/s^2", "acceleration of free fall")
    return declared


def _symbol(name: str, entry: Any) -> Symbol:
    if isinstance(entry, Symbol):
        return entry
    if not isinstance(entry, Mapping):
        entry = {"value": entry}
    unknown = set(entry) - set(SYMBOL_KEYS)
    if unknown:
        raise ModelError(
            "symbol-key-unknown",
            where=f"symbol {name!r}",
            key=repr(sorted(unknown)[0]),
            remedy=did_you_mean(sorted(unknown)[0], SYMBOL_KEYS),
        )
    with located(f"symbol {name!r}"):
        unit, meaning, formula = (str(entry.get(key, "")) for key in ("unit", "meaning", "formula"))
        return Symbol(name, entry.get("value"), unit, meaning, entry.get("tolerance"), formula)
