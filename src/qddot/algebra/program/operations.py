"""Has all operations of programs in one table: whatever interprets, differentiates, encloses or compiles asks it.

A new function is one record. Its derivatives are made of other operations; its Taylor coefficients, and its enclosures
over boxes, follow from them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from qddot.base.records import record

LEAVES = ("input", "constant")  # nodes without arguments, which are not operations
CIRCULAR = ("sin", "cos")  # compilers compute both of an angle together
Partials: TypeAlias = Callable[[Any, Sequence[Any]], Sequence[Any]]


class Switch(NamedTuple):
    """A switch is smooth while the sign of its argument, its mode, stays the same.

    argument: of the operation's arguments; piece: the value, of the arguments and the mode −1, 0 or 1
    """

    argument: Callable[[Sequence[Any]], Any]
    piece: Callable[[Sequence[Any], Any], Any]


@record(eq=False)
class Operation:
    """An operation takes `arity` numbers x and gives one, y.

    value: of floats; that of an operation that is not analytic also of fractions
    partials: ∂y/∂x_k as nodes, of y and the x_k
    ball: of balls, and if it is analytic of their series
    name: of the C library's function, or of NumPy's if the library has none; JavaScript's and NumPy's have the same
    sentence: what the public function returns; arithmetic has no function
    numpy: another name in NumPy
    sign: the sign by which all languages write arithmetic
    c, javascript, matlab: how they write what their libraries do not have under this name; {real} is C's type
    instruction, intrinsic: LLVM's instruction, or its intrinsic function; if there is none, the C library's is called
    ulps: the largest error of the C library's function, in units of the last place
    analytic: whether it has a Taylor series where it is defined
    chooses: whether its value is one of its arguments, whatever their order
    gentle: whether it makes no short pulse of a smooth motion
    switch: how its pieces are smooth, if it is not analytic
    """

    arity: int
    value: Callable[..., Any]
    partials: Partials
    ball: Callable[..., Any]
    name: str
    sentence: str = ""
    numpy: str = ""
    sign: str = ""
    c: str = ""
    javascript: str = ""
    matlab: str = ""
    instruction: str = ""
    intrinsic: str = ""
    ulps: float = 0.5
    analytic: bool = True
    chooses: bool = False
    gentle: bool = False
    switch: Switch | None = None

    @property
    def in_numpy(self) -> str:
        """Returns its name in NumPy."""
        return self.numpy or self.name

    @property
    def is_called(self) -> bool:
        """Returns whether compiled code calls the C library's function."""
        return not (self.instruction or self.intrinsic or self.c)


def is_public(name: str) -> bool:
    """Returns whether an operation is a function that users call."""
    return name in OPERATIONS and bool(OPERATIONS[name].sentence)


def column(field: str) -> dict[str, Any]:
    """Returns one field of every operation, by the operation's name."""
    return {name: getattr(each, field) for name, each in OPERATIONS.items()}


def _chosen(share: float) -> Switch:
    """Returns the switch of a minimum (−0.5) or a maximum (0.5): its value is the mean of both in the mode 0."""

    def piece(x: Sequence[Any], mode: Any) -> Any:
        half = mode * share
        return x[0] * (half + 0.5) + x[1] * (0.5 - half)

    return Switch(lambda x: x[0] - x[1], piece)


def _side(x: Sequence[Any]) -> Any:
    """Returns half the sign of the difference of two arguments."""
    return 0.5 * (x[0] - x[1]).apply("sign")


def _arithmetic(
    arity: int, value: Any, partials: Partials, name: str, sign: str, instruction: str, gentle: bool = True
) -> Operation:
    return Operation(arity, value, partials, value, name, sign=sign, instruction=instruction, gentle=gentle)


OPERATIONS: dict[str, Operation] = {
    "add": _arithmetic(2, operator.add, lambda y, x: [1, 1], "add", "+", "fadd contract"),
    "sub": _arithmetic(2, operator.sub, lambda y, x: [1, -1], "subtract", "-", "fsub contract"),
    "mul": _arithmetic(2, operator.mul, lambda y, x: [x[1], x[0]], "multiply", "*", "fmul contract"),
    "div": _arithmetic(2, operator.truediv, lambda y, x: [1 / x[1], -(y / x[1])], "divide", "/", "fdiv", gentle=False),
    "neg": _arithmetic(1, operator.neg, lambda y, x: [-1], "negative", "-", "fneg"),
    "sin": Operation(
        1,
        math.sin,
        lambda y, x: [x[0].apply("cos")],
        lambda x: x.sin(),
        "sin",
        "Returns the sine of an angle in radians, element by element.",
        ulps=1,
        gentle=True,
    ),
    "cos": Operation(
        1,
        math.cos,
        lambda y, x: [-x[0].apply("sin")],
        lambda x: x.cos(),
        "cos",
        "Returns the cosine of an angle in radians, element by element.",
        ulps=1,
        gentle=True,
    ),
    "tanh": Operation(
        1,
        math.tanh,
        lambda y, x: [1 - y * y],
        lambda x: 1 - 2 / ((2 * x).exp() + 1),
        "tanh",
        "Returns the hyperbolic tangent, element by element.",
        ulps=3,
    ),
    "exp": Operation(
        1, math.exp, lambda y, x: [y], lambda x: x.exp(), "exp", "Returns the exponential, element by element.", ulps=2
    ),
    "sqrt": Operation(
        1,
        math.sqrt,
        lambda y, x: [0.5 / y],
        lambda x: x.sqrt(),
        "sqrt",
        "Returns the square root, element by element.",
        intrinsic="sqrt",
    ),
    "sign": Operation(
        1,
        lambda x: type(x)((x > 0) - (x < 0)),
        lambda y, x: [0],
        lambda x: x.sgn(),
        "sign",
        "Returns the sign, −1, 0 or 1, element by element.",
        c="({real})(({0} > 0) - ({0} < 0))",
        analytic=False,
        switch=Switch(lambda x: x[0], lambda x, mode: mode),
    ),
    "rint": Operation(
        1,
        lambda x: type(x)(round(x)),
        lambda y, x: [0],
        lambda x: (x - 0.5).ceil().union((x + 0.5).floor()),
        "rint",
        "Returns the nearest integer, element by element; of two that are equally near, the even one.",
        javascript="Math.round({0}) - ({0} % 2 === 0.5 || {0} % 2 === -1.5)",
        matlab="round({0}) - sign({0})*(mod(abs({0}), 2) == 0.5)",
        intrinsic="rint",
        analytic=False,
    ),
    "minimum": Operation(
        2,
        min,
        lambda y, x: [0.5 - _side(x), 0.5 + _side(x)],
        lambda a, b: a.min(b),
        "minimum",
        "Returns the smaller of two numbers, element by element.",
        c="({0} != {0} || {0} < {1}) ? {0} : {1}",  # as in NumPy, NaN stays NaN
        javascript="Math.min({0}, {1})",
        matlab="min({0}, {1})",
        intrinsic="minimum",
        analytic=False,
        chooses=True,
        switch=_chosen(-0.5),
    ),
    "maximum": Operation(
        2,
        max,
        lambda y, x: [0.5 + _side(x), 0.5 - _side(x)],
        lambda a, b: a.max(b),
        "maximum",
        "Returns the larger of two numbers, element by element.",
        c="({0} != {0} || {0} > {1}) ? {0} : {1}",
        javascript="Math.max({0}, {1})",
        matlab="max({0}, {1})",
        intrinsic="maximum",
        analytic=False,
        chooses=True,
        switch=_chosen(0.5),
    ),
}
