"""Writes balls, each a midpoint and a radius, as decimals whose last digit is proved."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

from flint import arb

from qddot.algebra.numbers.balls import middle

DIGITS = 30
PLACES = 60
ZERO = f"0E-{PLACES}"  # a number that is smaller than half of 10^-60 is written so
MORE = 20  # a number in the middle between two decimals gets so many more digits


def decimals(value: Any, digits: int = DIGITS) -> Any:
    """Returns the numbers in nested lists and mappings as decimals; texts are kept.

    Each exact number is within half a unit of its decimal's last place.
    raises UndecidedError: a ball is too large to decide a digit
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {name: decimals(part, digits) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [decimals(part, digits) for part in value]
    return _decimal(value, digits)


class UndecidedError(ArithmeticError):
    """A ball contains numbers with different decimals, so that it must be computed more precisely."""


def _decimal(value: Any, digits: int) -> str:
    if value == 0:
        return ZERO
    lower, upper = _ends(value)
    half = Fraction(1, 2 * 10**PLACES)
    if -half < lower and upper < half:
        return ZERO
    for length in range(digits, digits + MORE):
        below, above = _rounded(lower, length), _rounded(upper, length)
        if below == above:
            return str(below)
    raise UndecidedError


def _ends(value: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(value, arb):
        return Fraction(value), Fraction(value)
    if not value.is_finite():
        raise UndecidedError
    radius = middle(value.rad())
    return middle(value) - radius, middle(value) + radius


def _rounded(number: Fraction, digits: int) -> Decimal:
    """Returns the nearest decimal with so many significant digits."""
    context = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)
    nearest = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return nearest.quantize(Decimal((0, (1,), nearest.adjusted() - digits + 1)), context=context)
