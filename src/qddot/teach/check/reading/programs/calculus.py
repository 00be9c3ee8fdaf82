"""Declares symbols and takes derivatives as SymPy does, in the notation of written formulas."""

from __future__ import annotations

import re
from typing import Any

from qddot.teach.check.reading.programs.arrays import formula_of, number_of
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    SUM,
    Array,
    Formula,
    Function,
    Interprets,
    Known,
    Library,
    Symbols,
    UnknownError,
    atom,
    is_listed,
    joined,
    whole,
)


def symbols(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    listed = arguments[0] if isinstance(arguments[0], str) else " ".join(arguments[0])
    names = [name for each in re.findall(r"[^\s,]+", listed) for name in _counted(each)]
    dots = ("", "\u0307", "\u0308")[number_of(arguments[1])] if len(arguments) > 1 else ""
    own: list[Any] = [atom(name + dots, at) for name in names]
    kind = by_name.get("cls")
    if isinstance(kind, Library) and kind.name in ("Function", "UndefinedFunction"):
        own = [Symbols(each) for each in own]
    is_one = len(own) == 1 and "," not in listed and ":" not in listed and isinstance(arguments[0], str)
    return own[0] if is_one else tuple(own)


def _counted(name: str) -> list[str]:
    """Returns the names in q1:4."""
    match = re.fullmatch(r"(.*?)\(?(\d*):(\d+)\)?", name)
    if match is None:
        return [name]
    return [f"{match[1]}{k}" for k in range(int(match[2] or 0), min(int(match[3]), MOST_VALUES))]


def symbol(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return atom(arguments[0], at, () if len(arguments) == 1 else None)


def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return Symbols(atom(arguments[0], at))


def derivative(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    value, *variables = arguments
    if isinstance(value, Function):
        raise UnknownError("this derivative is not read")
    if not variables:
        variables = [atom("t", at)]
    if isinstance(value, Array):
        own = [derivative(interpreter, [entry(value, k), *variables], by_name, at) for k in range(len(value.entries))]
        return Array(value.shape, own, value.is_matrix)
    value = formula_of(interpreter, value, at)
    own_names: list[Any] = []
    for each in variables:
        if isinstance(each, Formula) and each.whole is not None:
            own_names += own_names[-1:] * (each.whole - 1)
        elif is_listed(each):
            own_names += [each[0]] * (number_of(each[1]) if len(each) > 1 else 1)
        else:
            own_names.append(each)
    if value.is_number:
        return whole(0, at)
    for each in own_names:
        by = formula_of(interpreter, each, at)
        value = joined(["diff(", value, ", ", by, ")"], at, ATOM, value.shape)
    return value


def jacobian(name: str) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        value, by = (formula_of(interpreter, each, at) for each in arguments[:2])
        size = by.shape[0] if by.shape else None
        rows = size if name == "hessian" else (value.shape or (1,))[0] if value.shape is not None else None
        shape = (rows, size) if rows and size else None
        return joined([f"{name}(", value, ", ", by, ")"], at, ATOM, shape)

    return function


def gradient(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Returns the gradient of a function by its first argument, such as jax.grad(potential)."""
    if not isinstance(arguments[0], Function):
        return jacobian("jacobian")(interpreter, arguments, by_name, at)
    function = arguments[0]
    result = interpreter.state(function) if function.state == "new" else function.result
    return joined(["gradient(", formula_of(interpreter, result, at), ", q)"], at, ATOM, None)


def substituted(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Names derivatives by the symbols that take their places: th.diff(t) → w is the equation w = diff(th, t)."""
    pairs = arguments[1].items() if isinstance(arguments[1], dict) else [arguments[1:3]]
    pairs = arguments[1] if is_listed(arguments[1]) and len(arguments) == 2 else pairs
    for old, new in pairs:
        text = old.text if isinstance(old, Formula) else str(old)
        if not isinstance(new, Formula) or not text.startswith("diff(") or not new.text.isidentifier():
            raise UnknownError("a substitution is not read")
        interpreter.equations.state(new, atom(text, at))
    return arguments[0]


def lagrange(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """States d/dt ∂L/∂q̇ − ∂L/∂q = τ with Jacobians."""
    L = formula_of(interpreter, arguments[0], at)
    rates: list[str | Formula] = ["jacobian(", L, ", qd)"]
    whole_equation = ["jacobian(", *rates, ", q)*qd + jacobian(", *rates, ", qd)*qdd - jacobian(", L, ", q)'"]
    interpreter.equations.state(atom("tau", at), joined(whole_equation, at, SUM))
    raise UnknownError("the equations are stated")
