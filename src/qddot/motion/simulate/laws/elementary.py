"""These functions are for users' laws: they take numbers, NumPy's arrays, and signals while a law is traced.

Every operation with a sentence has a function of its name here. Those that are named have types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
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

    def of_one(x: Any) -> Any:
        return _elementwise(name, x)

    def of_two(x: Any, y: Any) -> Any:
        return _elementwise(name, x, y)

    operation = OPERATIONS[name]
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


def _elementwise(name: str, *x: Any) -> Any:
    if any(isinstance(value, Signal) for value in x) and all(
        isinstance(value, Signal) or np.ndim(value) == 0 for value in x
    ):
        return applied(name, *x)
    arrays = [np.asarray(value) for value in x]
    if all(array.dtype != object for array in arrays):
        return getattr(np, OPERATIONS[name].in_numpy)(*arrays)
    return np.frompyfunc(partial(_elementwise, name), len(arrays), 1)(*arrays)
