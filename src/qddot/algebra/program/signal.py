"""Defines Signal: the number that a user's function gets while it is traced; it represents a node of a graph.

A signal supports arithmetic only. An operation that needs its value (a comparison, a branch, an index, a conversion)
raises TracingError. The error is also recorded in case the function catches it, so that no law is traced wrongly.
"""

from __future__ import annotations

from numbers import Complex, Real
from typing import Any, NoReturn

from qddot.algebra.program.graph import Symbolic
from qddot.base.errors import QddotError, shortened


class TracingError(QddotError):
    """This error says that a traced function needs the value of a signal."""


class Signal:
    """A signal is a number that is known only when the program runs."""

    __slots__ = ("node",)

    def __init__(self, node: Symbolic) -> None:
        self.node = node

    def __add__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: a._times(b))

    def __truediv__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Signal:
        return self._with(other, lambda a, b: b / a)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Signal:
        return Signal(-self.node)

    def __pos__(self) -> Signal:
        return self

    def __abs__(self) -> Signal:
        return applied("maximum", self, -self)

    def __pow__(self, exponent: Any) -> Signal:
        if not isinstance(exponent, int) or not 0 <= exponent <= 100:
            self.node.graph.was_asked = True
            raise TracingError("power-not-natural", exponent=shortened(exponent))
        product = Signal(self.node.graph.constant(1))
        for _ in range(exponent):
            product = product * self
        return product

    def apply(self, function: str) -> Signal:
        """Returns a function in OPERATIONS of this signal alone."""
        return Signal(self.node.apply(function))

    def _with(self, other: Any, operation: Any) -> Signal:
        if isinstance(other, Signal):
            return Signal(operation(self.node, other.node))
        try:
            value = _real(other)
        except (TypeError, ValueError):
            return NotImplemented  # type: ignore[no-any-return]
        return Signal(operation(self.node, self.node.graph.constant(value)))

    def __deepcopy__(self, _: Any) -> Signal:
        return self

    def _refuse(self, *_: Any) -> NoReturn:
        self.node.graph.was_asked = True
        raise TracingError("numerical-value-of-signal")

    __hash__ = __reduce_ex__ = _refuse
    __bool__ = __float__ = __int__ = __index__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __iter__ = __len__ = __round__ = __floor__ = __ceil__ = __mod__ = __floordiv__ = __complex__ = _refuse


def applied(function: str, *x: Any) -> Signal:
    """Returns a function in OPERATIONS of signals and numbers, of which at least one is a signal."""
    like = next(value.node for value in x if isinstance(value, Signal))
    first, *others = (node_of(value, like) for value in x)
    return Signal(first.apply(function, *others))


def node_of(value: Any, like: Symbolic) -> Symbolic:
    """Returns a signal or a number as a node of the graph that has the node `like`."""
    if isinstance(value, Signal):
        return value.node
    return like.graph.constant(_real(value))


def _real(value: Any) -> float:
    """Returns a real number as a float. raises TypeError: the value is a text or a complex number"""
    is_complex = isinstance(value, Complex) and not isinstance(value, Real)
    if is_complex or isinstance(value, str | bytes) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError(f"{shortened(value)} is not a real number")
    return float(value)
