"""These functions are for users' laws: they take numbers, NumPy's arrays, and signals while a law is traced.

Every operation with a sentence has a function of its name here. Those that are named have types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np

from qddot.algebra.program.operations import OPERATIONS, is_public
from qddot.algebra.program.signal import Signal, applied


class OfOne(Protocol):
    """A function of a number, an array or a signal."""

    def __call__(self, x: Any) -> Any: ...


class OfTwo(Protocol):
    """A function of two numbers, arrays or signals."""

    def __call__(self, x: Any, y: Any) -> Any: ...


@cache
def function(name: str) -> Callable[..., Any]:
    """Returns the function of an operation."""

    operation = OPERATIONS[name]
    in_numpy = getattr(np, operation.in_numpy)

    def of_one(x: Any) -> Any:
        if isinstance(x, Signal):
            return x.apply(name)
        values = np.asarray(x)
        return in_numpy(values) if values.dtype != object else np.frompyfunc(of_one, 1, 1)(values)

    def of_two(x: Any, y: Any) -> Any:
        if any(isinstance(a, Signal) and (isinstance(b, Signal) or np.ndim(b) == 0) for a, b in ((x, y), (y, x))):
            return applied(name, x, y)
        left, right = np.asarray(x), np.asarray(y)
        if object not in (left.dtype, right.dtype):
            return in_numpy(left, right)
        return np.frompyfunc(of_two, 2, 1)(left, right)

    made = of_one if operation.arity == 1 else of_two
    made.__name__ = made.__qualname__ = name
    made.__doc__ = operation.sentence
    return made


sin: OfOne = function("sin")
cos: OfOne = function("cos")
tanh: OfOne = function("tanh")
exp: OfOne = function("exp")
sqrt: OfOne = function("sqrt")
sign: OfOne = function("sign")
rint: OfOne = function("rint")
minimum: OfTwo = function("minimum")
maximum: OfTwo = function("maximum")


def clip(x: Any, low: Any, high: Any) -> Any:
    """Returns x limited to the range from `low` to `high`, element by element."""
    return minimum(maximum(x, low), high)


def __getattr__(name: str) -> Callable[..., Any]:
    """Returns the function of an operation that is not declared here."""
    if not is_public(name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function(name)
