"""Evaluates functions such as exp in kinds of numbers that have them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from qddot.algebra.expressions.expression import INVERSE, MAGNITUDE
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.base.errors import ExactnessError


def function_of(name: str, x: Any, numbers: StateNumbers) -> Any:
    """Returns f(x), or 1/x, of a number. raises ExactnessError: numbers of this kind have no such function"""
    from qddot.algebra.program.operations import OPERATIONS

    if isinstance(x, int):  # a constant that is 0 or ±1
        x = numbers.rational(Fraction(x))
    if name == MAGNITUDE:
        return magnitude(x)
    if name == INVERSE and hasattr(x, "__rtruediv__"):
        return 1 / x
    if name == "tan":
        return function_of("sin", x, numbers) / function_of("cos", x, numbers)
    if isinstance(x, arb):
        return OPERATIONS[name].ball(x)
    if isinstance(x, float):
        return OPERATIONS[name].value(x)
    if hasattr(x, "apply"):
        return x.apply(name)
    if hasattr(x, "__array__"):
        import numpy as np

        return getattr(np, OPERATIONS[name].in_numpy)(x)
    raise ExactnessError("function-of-kind", name=name, kind=type(x).__name__)


def magnitude(x: Any) -> Any:
    """Returns |x|."""
    return x.apply("maximum", -x) if hasattr(x, "apply") else abs(x)


def sign_of(x: Any) -> Any:
    """Returns −1, 0 or 1."""
    if isinstance(x, int):  # a constant that is 0 or ±1
        return x
    return x.apply("sign") if hasattr(x, "apply") else x.sgn()
