"""Writes numbers: whole, as short fractions, as exact decimals, or to so many digits."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction

from qddot.errors import QddotError, shortened
from qddot.numbers.exact import Polynomial

MOST_DIGITS = 1000
SMALLEST = Fraction(1, 10**300)  # numbers above it are floats, and so are their reciprocals
LARGEST_FRACTION = 100  # up to this denominator a fraction reads better than a decimal
LONGEST_NUMBER = 24  # characters of a coefficient that is shown exactly


def rational(number: Fraction) -> str:
    """Returns an integer, a short fraction, or the exact decimal if there is one."""
    if number.denominator <= LARGEST_FRACTION:
        return str(number)
    for places in range(1, 19):
        if 10**places % number.denominator == 0:
            digits = str(abs(number) * 10**places).rjust(places + 1, "0")
            return ("-" if number < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"
    return str(number)


def decimal(number: Fraction) -> str:
    """Returns a number with twelve digits, without trailing zeros."""
    if SMALLEST < abs(number) < 1 / SMALLEST or not number:
        return f"{float(number):.12g}"
    return f"{_significant(number, 12).normalize():e}"


def is_long(number: Fraction) -> bool:
    """Returns whether a number is too long to print exactly; it is then printed with twelve digits."""
    return len(rational(number)) > LONGEST_NUMBER


def rounded(value: Polynomial, digits: int | None) -> Polynomial:
    """Returns the polynomial with coefficients of `digits` significant digits, for reading; None keeps all digits."""
    if digits is None:
        return value
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise QddotError(f"{shortened(digits)} digits", expected=f"a whole number from 1 to {MOST_DIGITS}")
    return value.ring.unreduced((exponents, _rounded(c, digits)) for exponents, c in value.terms())


def _rounded(number: Fraction, digits: int) -> Fraction:
    return number if number.denominator == 1 else Fraction(_significant(number, digits))


def _significant(number: Fraction, digits: int) -> Decimal:
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        return Decimal(number.numerator) / Decimal(number.denominator)
