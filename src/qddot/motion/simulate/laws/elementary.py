"""These functions are for users' laws: they take numbers, NumPy's arrays, and signals while a law is traced."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from qddot.algebra.program.signal import Signal


def sin(x: Any) -> Any:
    """Returns the sine of an angle in radians, element by element."""
    return _elementwise("sin", x)


def cos(x: Any) -> Any:
    """Returns the cosine of an angle in radians, element by element."""
    return _elementwise("cos", x)


def tanh(x: Any) -> Any:
    """Returns the hyperbolic tangent, element by element."""
    return _elementwise("tanh", x)


def exp(x: Any) -> Any:
    """Returns the exponential, element by element."""
    return _elementwise("exp", x)


def sqrt(x: Any) -> Any:
    """Returns the square root, element by element."""
    return _elementwise("sqrt", x)


def sign(x: Any) -> Any:
    """Returns the sign, −1, 0 or 1, element by element."""
    return _elementwise("sign", x)


def rint(x: Any) -> Any:
    """Returns the nearest integer, element by element; of two that are equally near, the even one."""
    return _elementwise("rint", x)


def minimum(x: Any, y: Any) -> Any:
    """Returns the smaller of two numbers, element by element."""
    return _extreme("minimum", x, y)


def maximum(x: Any, y: Any) -> Any:
    """Returns the larger of two numbers, element by element."""
    return _extreme("maximum", x, y)


def clip(x: Any, low: Any, high: Any) -> Any:
    """Returns x limited to the range from `low` to `high`, element by element."""
    return minimum(maximum(x, low), high)


def _elementwise(name: str, x: Any) -> Any:
    if isinstance(x, Signal):
        return x.apply(name)
    values = np.asarray(x)
    if values.dtype != object:
        return getattr(np, name)(values)
    return np.frompyfunc(partial(_elementwise, name), 1, 1)(values)


def _extreme(name: str, x: Any, y: Any) -> Any:
    for a, b in ((x, y), (y, x)):
        if isinstance(a, Signal) and np.ndim(b) == 0:
            return a.extreme(name, b)
    left, right = np.asarray(x), np.asarray(y)
    if object not in (left.dtype, right.dtype):
        return getattr(np, name)(left, right)
    return np.frompyfunc(partial(_extreme, name), 2, 1)(left, right)
