"""Balls are a kind of number: a radius covers every rounding error and tolerance, so that they prove bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from flint import arb, ctx

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.expression import PI, Expression
from qddot.algebra.numbers.rationals import in_flint
from qddot.base.errors import ExactnessError

BITS = 256


class Balls:
    """This kind of number has values of symbols and a state (q, q̇, q̈ by coordinate): fractions, floats or balls.

    Constants are as precise as the number of bits allows: see `precise`.
    """

    def __init__(self, symbols: Mapping[str, Any] | None = None, *state: Mapping[str, Any]) -> None:
        self.symbols = symbols or {}
        self.q, self.qd, self.qdd = state or ({}, {}, {})

    def rational(self, value: Fraction) -> arb:
        return ball(value)

    def symbol(self, name: str) -> arb:
        return arb.pi() if name == PI else ball(self.symbols[name])

    def root(self, of: int) -> arb:
        return arb(of).sqrt()

    def circular(self, angle: Angle) -> tuple[arb, arb]:
        if not angle.symbols and not angle.radians:
            turns = self.rational(angle.pi)  # quarter turns are exact
            return turns.cos_pi(), turns.sin_pi()
        radians = arb.pi() * self.rational(angle.pi) + self.rational(angle.radians)
        for name, n in angle.symbols:
            radians += self.symbol(name) * self.rational(n)
        return radians.cos(), radians.sin()

    def coordinate(self, name: str) -> arb:
        return ball(self.q[name])

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[arb, arb]:
        angle = self.coordinate(name) * self.rational(times)
        return angle.cos(), angle.sin()

    def rate(self, name: str) -> arb:
        return ball(self.qd[name])

    def acceleration(self, name: str) -> arb:
        return ball(self.qdd[name])

    def sign(self, name: str) -> arb:
        return self.rate(name).sgn()


def ball(entry: Any) -> arb:
    """Returns an integer, a fraction, a float or a ball as a ball."""
    return arb(in_flint(entry)) if isinstance(entry, Fraction) else arb(entry)


def ends(value: arb) -> tuple[float, float]:
    """Returns the lower and the upper end of a ball, as floats that are rounded outward."""
    lower, upper = float(value.lower()), float(value.upper())
    return (
        lower if arb(lower) <= value.lower() else nextafter(lower, -inf),
        upper if arb(upper) >= value.upper() else nextafter(upper, inf),
    )


def arctangent(y: arb, x: arb) -> arb:
    """Returns the angle of the direction (x, y)."""
    return arb.atan2(y, x)


@contextmanager
def precise(bits: int = BITS) -> Iterator[None]:
    """Sets the precision of balls to this many bits inside the context."""
    precision, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = precision


def approximate(function: Callable[..., arb], *constants: Expression, digits: int) -> Fraction:
    """Returns the value of a function of constants without symbols, rounded to `digits` decimal places.

    raises ExactnessError: the number is too large for so many places, or a divisor in it is nearly zero
    """
    with precise():
        result = function(*(ball(constant.evaluate(Balls())) for constant in constants))
        if not result.rad() < arb(10) ** -digits:
            raise ExactnessError("not-computed-to-places", digits=digits)
        value = middle(result)
    return Fraction(round(value * 10**digits), 10**digits)


def middle(value: arb) -> Fraction:
    """Returns the exact middle of a ball."""
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
