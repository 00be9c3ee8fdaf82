"""Writes numbers as integers, short fractions, exact decimals, or rounded decimals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from enum import Enum
from fractions import Fraction
from math import isqrt

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.algebra.numbers.rationals import fraction
from qddot.base.checked import whole

MOST_DIGITS = 1000
ROUNDED_DIGITS = 12  # of numbers with many digits
SMALLEST = Fraction(1, 10**300)  # larger numbers fit in a float, and so do their reciprocals
LARGEST_FRACTION = 100  # up to this denominator a fraction reads better than a decimal
LONGEST_NUMBER = 24  # characters of a coefficient that is shown exactly
LONGEST_FRACTION = 12  # characters of such a fraction
READ_DIGITS = 6  # of numbers that have more digits than a float, where a command prints them
FLOAT_DIGITS = 15  # significant digits of a decimal that a float always keeps


class NumberForm(Enum):
    """This is the form in which all numbers of an array are written."""

    FRACTIONS = 0  # exactly, as 1/2
    DECIMALS = 1  # exactly, as 0.5 if the decimal terminates
    ROUNDED = 2  # as decimals of at most ROUNDED_DIGITS digits
    MEASURED = 3  # as decimals of at most six digits


def form_of(polynomials: Iterable[Terms], readable: bool = False) -> NumberForm:
    """Returns the form for all coefficients: decimals if any needs one, so that 1/2 is not written beside 0.4318.

    readable: whether all are rounded to twelve digits if one has very many, or if a root is added to a decimal
    """
    form, polynomials = NumberForm.FRACTIONS, list(polynomials)
    for polynomial in polynomials:
        for c in polynomial.poly.coeffs():
            if c.q > LARGEST_FRACTION or (readable and len(str(c)) > LONGEST_NUMBER):
                number = rational(fraction(c))
                if readable and len(number) > (LONGEST_FRACTION if "/" in number else LONGEST_NUMBER):
                    return NumberForm.ROUNDED
                form = NumberForm.DECIMALS if "." in number else form
    added = readable and form is NumberForm.DECIMALS and any(map(_adds_roots, polynomials))
    return NumberForm.ROUNDED if added else form


def has_many_digits(value: Terms) -> bool:
    """Returns whether a coefficient has more digits than a float, as a decimal or as a long fraction."""
    return any(c.q > LARGEST_FRACTION and _is_long(rational(fraction(c))) for c in value.poly.coeffs())


def _is_long(number: str) -> bool:
    if "/" in number:
        return len(number) > LONGEST_FRACTION
    return len(number.replace(".", "").lstrip("-0")) > FLOAT_DIGITS


def _adds_roots(polynomial: Terms) -> bool:
    """Returns whether terms differ by a root alone, as in 0.12 + 0.34 √2."""
    roots = {k for k, each in enumerate(polynomial.ring.generators) if each.kind == "root"}
    if not roots:
        return False
    rests = [tuple(0 if k in roots else e for k, e in enumerate(powers)) for powers, _ in polynomial.terms()]
    return len(set(rests)) < len(rests)


def written(number: Fraction, form: NumberForm) -> str:
    """Returns a number as it is written in a form: 17/40, 0.425."""
    if form is NumberForm.ROUNDED:
        return decimal(number)
    if form is NumberForm.MEASURED:
        return f"{float(number):.6g}"
    if form is NumberForm.DECIMALS and number.denominator != 1:
        return _exact_decimal(number) or str(number)
    return rational(number)


def rational(number: Fraction) -> str:
    """Returns an integer, a short fraction, or the exact decimal if there is one."""
    if number.denominator <= LARGEST_FRACTION:
        return str(number)
    return _exact_decimal(number) or str(number)


def _exact_decimal(number: Fraction) -> str:
    """Returns the exact decimal if it has at most eighteen places, else ""."""
    for places in range(1, 19):
        if 10**places % number.denominator == 0:
            digits = str(abs(number) * 10**places).rjust(places + 1, "0")
            return ("-" if number < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"
    return ""


def decimal(number: Fraction) -> str:
    """Returns a number rounded to twelve significant digits, without trailing zeros."""
    if SMALLEST < abs(number) < 1 / SMALLEST or not number:
        return f"{float(number):.{ROUNDED_DIGITS}g}"
    return f"{_significant(number, ROUNDED_DIGITS).normalize():e}"


def rounded(value: Terms, digits: int | None) -> Terms:
    """Returns the terms with coefficients rounded to `digits` significant digits; None keeps all digits."""
    if digits is None:
        return value
    whole(digits, "digits", 1, MOST_DIGITS)
    return Unreduced.of(value.ring, ((exponents, _rounded(c, digits)) for exponents, c in value.terms()))


def loses_digits(value: Terms, digits: int | None, form: NumberForm) -> bool:
    """Returns whether coefficients have fewer digits when they are rounded to `digits` and written in a form."""
    if form is NumberForm.ROUNDED:
        digits = min(digits or ROUNDED_DIGITS, ROUNDED_DIGITS)
        if any(generator.kind == "root" for generator in value.generators()):
            return True
    return digits is not None and any(_rounded(c, digits) != c for _, c in value.terms())


def with_values(value: Terms, numbers: Mapping[str, Fraction]) -> Terms:
    """Returns the terms with decimals in the place of √2, √3 and of names, added up where nothing else differs.

    numbers: the values of names
    """
    named = enumerate(value.ring.generators)
    values = {k: _root(int(each.name)) for k, each in named if each.kind == "root"}
    values |= {k: numbers[each.name] for k, each in enumerate(value.ring.generators) if each.name in numbers}
    if not any(exponents[k] for exponents, _ in value.terms() for k in values):
        return value
    sums = dict[tuple[int, ...], Fraction]()
    for exponents, number in value.terms():
        for k, factor in values.items():
            number *= factor ** exponents[k]
        rest = tuple(0 if k in values else power for k, power in enumerate(exponents))
        sums[rest] = sums.get(rest, Fraction(0)) + number
    return Unreduced.of(value.ring, sums.items())


def number_of(value: Terms) -> Fraction | None:
    """Returns the number that a polynomial of one term without variables is, else None."""
    terms = list(value.terms())
    return terms[0][1] if len(terms) == 1 and not any(terms[0][0]) else None


def _root(of: int) -> Fraction:
    """Returns a square root to thirty digits."""
    return Fraction(isqrt(of * 10**60), 10**30)


def _rounded(number: Fraction, digits: int) -> Fraction:
    return number if number.denominator == 1 else Fraction(_significant(number, digits))


def _significant(number: Fraction, digits: int) -> Decimal:
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        return Decimal(number.numerator) / Decimal(number.denominator)
