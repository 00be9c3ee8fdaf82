"""Every operation as mpmath computes it, and operations that tests plant in the table of the library."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import mpmath
from flint import arb

from qddot.algebra.program.operations import Operation

PLANTED = {
    "atan": Operation(
        1,
        math.atan,
        lambda y, x: [1 / (1 + x[0] * x[0])],
        lambda x: x.atan(),
        "atan",
        "Returns the arc tangent, element by element.",
        numpy="arctan",
        ulps=1,
    ),
    "atan2": Operation(  # for positive x
        2,
        math.atan2,
        lambda angle, yx: [yx[1] / (yx[0] * yx[0] + yx[1] * yx[1]), -yx[0] / (yx[0] * yx[0] + yx[1] * yx[1])],
        lambda y, x: (y / x).atan(),
        "atan2",
        "Returns the angle of (x, y), element by element.",
        numpy="arctan2",
        ulps=1,
    ),
    "fabs": Operation(  # for positive x, where its slope is constant
        1,
        math.fabs,
        lambda y, x: [1],
        lambda x: x,
        "fabs",
        "Returns the absolute value, element by element.",
        javascript="Math.abs({0})",
        matlab="abs({0})",
    ),
    "expm1": Operation(
        1,
        math.expm1,
        lambda y, x: [1 + y],
        lambda x: x.expm1() if isinstance(x, arb) else x.exp() - 1,
        "expm1",
        "Returns exp(x) − 1, element by element.",
        ulps=2,
    ),
}
EXACT: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "exp": mpmath.exp,
    "sqrt": mpmath.sqrt,
    "sign": mpmath.sign,
    "rint": mpmath.nint,
    "minimum": min,
    "maximum": max,
    "atan": mpmath.atan,
    "atan2": mpmath.atan2,
    "expm1": mpmath.expm1,
    "fabs": abs,
}
