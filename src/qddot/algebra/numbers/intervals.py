"""Intervals in doubles are a kind of number: each is an array of intervals, one in each of many boxes.

Every end is rounded outward. Constants are balls that are rounded once.
Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, chs. 2 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import pi
from typing import Any

import numpy as np

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.numbers.balls import Balls, ball, ends
from qddot.algebra.numbers.state_numbers import InState

ERROR = 2.0**-50  # of the sines and cosines of NumPy, which err by four units in the last place at most
ROUNDING, TINY = 2.0**-51, 2.0**-1000  # more than the errors of an operation and of its correction
NEARLY = 1e-12  # of the turns of an angle, by which it is taken wider, for rounding


class Interval:
    """This is an array of intervals [low, high]; integers 0 and ±1 stay exact in its products."""

    __slots__ = ("high", "low")

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, entry: Any) -> Interval:
        """Returns a number of another kind as an interval."""
        if isinstance(entry, Interval):
            return entry
        low, high = ends(ball(entry))
        return cls.point(low) if low == high else cls(low, high)

    @classmethod
    def point(cls, value: Any) -> Interval:
        """Returns the interval of one number, with which products are faster."""
        return cls(value, value)

    @classmethod
    def outward(cls, low: Any, high: Any) -> Interval:
        """Returns the interval between two ends that were rounded to the nearest double."""
        return cls(low - (np.abs(low) * ROUNDING + TINY), high + (np.abs(high) * ROUNDING + TINY))

    @classmethod
    def stacked(cls, entries: Iterable[Interval]) -> Interval:
        """Returns the intervals along a new last axis."""
        low, high = zip(*((entry.low, entry.high) for entry in entries), strict=True)
        return cls(np.stack(low, axis=-1), np.stack(high, axis=-1))

    def spread(self, shape: tuple[int, ...]) -> Interval:
        """Returns an array of this shape of equal intervals."""
        return Interval(np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape))

    @property
    def size(self) -> Any:
        """Returns the largest absolute value."""
        return np.maximum(-self.low, self.high)

    @property
    def middle(self) -> Any:
        """Returns a double inside."""
        return (self.low + self.high) / 2

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Any) -> Interval:
        if isinstance(other, int) and other == 0:
            return self
        other = Interval.of(other)
        return Interval.outward(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int) and abs(other) <= 1:
            return (0, self, -self)[other]
        other = Interval.of(other)
        if other.low is other.high:
            one, two = self.low * other.low, self.high * other.low
            return Interval.outward(np.minimum(one, two), np.maximum(one, two))
        if self.low is self.high:
            return other * self
        products = (self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high)
        least = np.minimum(np.minimum(*products[:2]), np.minimum(*products[2:]))
        greatest = np.maximum(np.maximum(*products[:2]), np.maximum(*products[2:]))
        return Interval.outward(least, greatest)

    def __truediv__(self, other: int) -> Interval:
        return Interval.outward(self.low / other, self.high / other)

    __radd__, __rmul__ = __add__, __mul__


class Intervals(InState):
    """This kind of number has values of symbols, and coordinates that are intervals; nothing moves."""

    def __init__(self, symbols: Mapping[str, float], q: Mapping[str, Interval]) -> None:
        super().__init__(symbols, q)
        self._constants = Balls(symbols)

    def rational(self, value: Fraction) -> Interval:
        return Interval.of(value)

    def symbol(self, name: str) -> Interval:
        return Interval.of(self._constants.symbol(name))

    def root(self, of: int) -> Interval:
        return Interval.of(self._constants.root(of))

    def circular(self, angle: Angle) -> tuple[Interval, Interval]:
        c, s = self._constants.circular(angle)
        return Interval.of(c), Interval.of(s)

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Interval, Interval]:
        angle = self.q[name] if times == 1 else self.q[name] * times
        return _wave(np.cos, angle, 0.0), _wave(np.sin, angle, 0.25)

    def sign(self, name: str) -> int:
        return 0


def _wave(function: Any, angle: Interval, top: float) -> Interval:
    """Returns the cosine or the sine; top: the place of its maximum, in turns"""
    ends_of_it = function(angle.low), function(angle.high)
    greatest = np.where(_meets(angle, top), 1.0, np.maximum(*ends_of_it) + ERROR)
    least = np.where(_meets(angle, top + 0.5), -1.0, np.minimum(*ends_of_it) - ERROR)
    return Interval(np.maximum(least, -1.0), np.minimum(greatest, 1.0))


def _meets(angle: Interval, place: float) -> Any:
    """Returns whether the angle may be at a place in some turn, where each place is in turns."""
    low, high = angle.low / (2 * pi), angle.high / (2 * pi)
    wider = NEARLY * (1 + np.maximum(np.abs(low), np.abs(high)))
    return np.ceil(low - place - wider) <= np.floor(high - place + wider)
