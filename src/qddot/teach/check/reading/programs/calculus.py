"""Declares symbols and takes derivatives as SymPy does, in the notation of written formulas."""

from __future__ import annotations

import re
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs.arrays import formula_of, number_of, of_each
from qddot.teach.check.reading.programs.calls import Call, Known
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    SUM,
    Formula,
    Function,
    Library,
    Symbols,
    UnknownError,
    atom,
    is_listed,
    joined,
    whole,
)


def symbols(call: Call) -> Any:
    """Returns the symbols that a text or a list names, of functions if they are declared as such."""
    names = call[0] if isinstance(call[0], str) else " ".join(call[0])
    dots = ("", "\u0307", "\u0308")[number_of(call[1])] if len(call) > 1 else ""
    own: list[Any] = [atom(name + dots, call.at) for each in names.replace(",", " ").split() for name in _counted(each)]
    kind = call.by_name.get("cls")
    if isinstance(kind, Library) and kind.name in ("Function", "UndefinedFunction"):
        own = list(map(Symbols, own))
    is_one = len(own) == 1 and "," not in names and ":" not in names and isinstance(call[0], str)
    return own[0] if is_one else tuple(own)


def _counted(name: str) -> list[str]:
    """Returns the names in q1:4."""
    match = re.fullmatch(r"(.*?)\(?(\d*):(\d+)\)?", name)
    if match is None:
        return [name]
    return [f"{match[1]}{k}" for k in range(int(match[2] or 0), min(int(match[3]), MOST_VALUES))]


def derivative(call: Call) -> Any:
    """Returns diff(f, x, y), where (x, 2) and x, 2 stand for x twice; without a variable it is by time."""
    if isinstance(call[0], Function):
        raise UnknownError(say("derivative-not-read"))
    variables = list[Any]()
    for each in call.values[1:] or [atom("t", call.at)]:
        if isinstance(each, Formula) and each.whole is not None:
            variables += variables[-1:] * (each.whole - 1)
        elif is_listed(each):
            variables += [each[0]] * (number_of(each[1]) if len(each) > 1 else 1)
        else:
            variables.append(each)

    def of_formula(entry: Any) -> Formula:
        value = formula_of(entry, call.at)
        if value.is_number:
            return whole(0, call.at)
        for each in variables:
            value = joined(["diff(", value, ", ", formula_of(each, call.at), ")"], call.at, ATOM, value.shape)
        return value

    return of_each(of_formula, call[0], call.at)


def jacobian(name: str) -> Known:
    """Returns the function of a value and of variables whose value has the shape of a Jacobian."""

    def function(call: Call) -> Any:
        value, by = call.formula(0), call.formula(1)
        size = by.shape[0] if by.shape else None
        rows = size if name == "hessian" else (value.shape or (1,))[0] if value.shape is not None else None
        shape = (rows, size) if rows and size else None
        return joined([f"{name}(", value, ", ", by, ")"], call.at, ATOM, shape)

    return function


def gradient(call: Call) -> Any:
    """Returns the gradient of a function by its first argument, such as jax.grad(potential)."""
    function = call[0]
    if not isinstance(function, Function):
        return jacobian("jacobian")(call)
    result = call.program.state(function) if function.state == "new" else function.result
    return joined(["gradient(", formula_of(result, call.at), ", q)"], call.at, ATOM, None)


def substituted(call: Call) -> Any:
    """Names derivatives by the symbols that take their places: th.diff(t) → w is the equation w = diff(th, t)."""
    pairs = call[1].items() if isinstance(call[1], dict) else call[1] if len(call) == 2 else [call.values[1:3]]
    for old, new in pairs:
        text = old.text if isinstance(old, Formula) else str(old)
        if not isinstance(new, Formula) or not text.startswith("diff(") or not new.text.isidentifier():
            raise UnknownError(say("substitution-not-read"))
        call.program.equations.state(new, atom(text, call.at))
    return call[0]


def lagrange(call: Call) -> Any:
    """States d/dt ∂L/∂q̇ − ∂L/∂q = τ with Jacobians."""
    L = call.formula()
    rates: list[str | Formula] = ["jacobian(", L, ", qd)"]
    whole_equation = ["jacobian(", *rates, ", q)*qd + jacobian(", *rates, ", qd)*qdd - jacobian(", L, ", q)'"]
    call.program.equations.state(atom("tau", call.at), joined(whole_equation, call.at, SUM))
    raise UnknownError(say("equations-stated"))
