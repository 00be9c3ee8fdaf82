"""Dual balls are a kind of number: values in balls that carry their first derivatives along some directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.expression import PI
from qddot.algebra.numbers.balls import ball
from qddot.algebra.numbers.state_numbers import InState
from qddot.algebra.program.operations import CIRCULAR, OPERATIONS


class DualBall:
    """A dual ball is a value x with its derivatives along each direction; those of a constant are ()."""

    __slots__ = ("slopes", "x")

    def __init__(self, x: Any, slopes: Sequence[Any] = ()) -> None:
        self.x, self.slopes = ball(x), slopes

    def __add__(self, other: Any) -> DualBall:
        if not isinstance(other, DualBall):
            return DualBall(self.x + ball(other), self.slopes)
        if not self.slopes or not other.slopes:
            return DualBall(self.x + other.x, self.slopes or other.slopes)
        return DualBall(self.x + other.x, [a + b for a, b in zip(self.slopes, other.slopes, strict=True)])

    __radd__ = __add__

    def __neg__(self) -> DualBall:
        return DualBall(-self.x, [-slope for slope in self.slopes])

    def __abs__(self) -> DualBall:
        sign = self.x.sgn()
        return DualBall(abs(self.x), [sign * slope for slope in self.slopes])

    def sgn(self) -> DualBall:
        return DualBall(self.x.sgn())

    def __sub__(self, other: Any) -> DualBall:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> DualBall:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Any:
        """Returns the product, which is the integer 0 if the other factor is."""
        if not isinstance(other, DualBall):
            if getattr(other, "__array_ufunc__", other) is None:
                return NotImplemented
            if isinstance(other, int) and other == 0:
                return 0
            other = DualBall(other)
        a, b = self.x, other.x
        if not self.slopes or not other.slopes:
            return DualBall(a * b, [slope * b for slope in self.slopes] or [slope * a for slope in other.slopes])
        pairs = zip(self.slopes, other.slopes, strict=True)
        return DualBall(a * b, [left * b + a * right for left, right in pairs])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        divisor = other if isinstance(other, DualBall) else DualBall(other)
        inverse = 1 / divisor.x
        return self * DualBall(inverse, [-slope * inverse * inverse for slope in divisor.slopes])

    def __rtruediv__(self, other: Any) -> Any:
        return DualBall(other) / self

    def __bool__(self) -> bool:
        return not (self.x == 0 and all(slope == 0 for slope in self.slopes))

    def __eq__(self, other: object) -> bool:
        return not self if other == 0 else self is other

    def __hash__(self) -> int:
        return id(self)

    def cos_sin(self) -> tuple[DualBall, DualBall]:
        """Returns the cosine and the sine."""
        c, s = self.x.cos(), self.x.sin()
        return DualBall(c, [-s * slope for slope in self.slopes]), DualBall(s, [c * slope for slope in self.slopes])

    def apply(self, function: str) -> DualBall:
        """Returns a function of programs, such as exp."""
        if function in CIRCULAR:
            return self.cos_sin()[function == "sin"]
        operation = OPERATIONS[function]
        y = operation.ball(self.x)
        (slope,) = operation.partials(DualBall(y), [DualBall(self.x)])
        return DualBall(y, [(slope * own).x for own in self.slopes])

    def slope(self, k: int) -> DualBall:
        """Returns the derivative along one direction, as a constant."""
        return DualBall(self.slopes[k] if self.slopes else 0)


class DualBalls(InState):
    """This kind of number has dual balls for the state (q, q̇, q̈ by coordinate) and numbers for the symbols."""

    def __init__(self, graph: object, symbols: Mapping[str, Any], *state: Any) -> None:
        """graph: as for GraphNumbers; it is not used"""
        super().__init__(symbols, *state)

    def rational(self, value: Fraction) -> DualBall:
        return DualBall(value)

    def symbol(self, name: str) -> DualBall:
        value = arb.pi() if name == PI else self.symbols[name]
        return value if isinstance(value, DualBall) else DualBall(value)

    def root(self, of: int) -> DualBall:
        return DualBall(arb(of).sqrt())

    def circular(self, angle: Angle) -> tuple[DualBall, DualBall]:
        total: DualBall = self.symbol(PI) * angle.pi + angle.radians
        for name, n in angle.symbols:
            total = total + self.symbol(name) * n
        if not angle.radians and not angle.symbols:
            turns = ball(angle.pi)  # quarter turns are exact
            return DualBall(turns.cos_pi()), DualBall(turns.sin_pi())
        return total.cos_sin()

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[DualBall, DualBall]:
        angle: DualBall = self.q[name] * times
        return angle.cos_sin()

    def sign(self, name: str) -> Any:
        return DualBall(self.qd[name].x.sgn()) if name in self.qd else 0
