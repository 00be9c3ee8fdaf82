"""Writes exact polynomials and arrays as plain text: `m1*l**2/3 + m2*l**2*c2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.errors import QddotError, shortened
from qddot.numbers.exact import Polynomial, Powers
from qddot.numbers.generators import Generator
from qddot.printing import notation

READING_ORDER = ("symbol", "root", "q", "cos", "sin", "sgn", "qd", "qdd")
NARROWEST = 20  # characters of a line
MOST_DIGITS = 1000
SMALLEST = Fraction(1, 10**300)  # numbers above it are floats, and so are their reciprocals
LARGEST_FRACTION = 100  # up to this denominator a fraction reads better than a decimal

FUNCTION = re.compile(r"(?:sin|cos)\([^()]*\)")  # which no line break takes apart

Factors = list[tuple[Generator, int]]


class Entry(NamedTuple):
    """An entry is one text of an array, with the array's name and the entry's place."""

    name: str
    place: tuple[int, ...]
    written: str
    is_zero: bool


def label(place: Iterable[int]) -> str:
    """Returns 12 for the place (0, 1): subscripts as in books, from 1."""
    numbers = [str(int(k) + 1) for k in place]
    return "".join(numbers) if all(len(k) == 1 for k in numbers) else "_" + "_".join(numbers)


def ordered_terms(polynomial: Polynomial) -> list[tuple[Fraction, Factors]]:
    """Returns terms and their factors in reading order."""
    generators = polynomial.ring.generators

    def factors(powers: Powers) -> Factors:
        found = [(generators[k], e) for k, e in powers.items()]
        return sorted(found, key=lambda factor: READING_ORDER.index(factor[0].kind))

    return [(c, factors(powers)) for c, powers in ordered_powers(polynomial)]


def ordered_powers(polynomial: Polynomial) -> list[tuple[Fraction, Powers]]:
    """Returns terms in reading order: accelerations, rates, the rest; short trigonometry first."""
    kinds = [generator.kind for generator in polynomial.ring.generators]
    terms = list(polynomial.powers())
    used = sorted({k for powers, _ in terms for k in powers})
    symbols = [k for k in used if kinds[k] == "symbol"]

    def rank(powers: Powers) -> tuple[Any, ...]:
        moving = {kinds[k] for k in powers}
        group = 0 if "qdd" in moving else (1 if "qd" in moving or "sgn" in moving else 2)
        irrational = sum(e for k, e in powers.items() if kinds[k] == "root")
        degree = sum(e for k, e in powers.items() if kinds[k] not in ("symbol", "root"))
        return group, degree, [-powers.get(k, 0) for k in symbols], irrational, [-powers.get(k, 0) for k in used]

    return [(c, powers) for powers, c in sorted(terms, key=lambda term: rank(term[0]))]


def rational(number: Fraction) -> str:
    """Returns an integer, a short fraction, or the exact decimal if there is one."""
    if number.denominator <= LARGEST_FRACTION:
        return str(number)
    for places in range(1, 19):
        if 10**places % number.denominator == 0:
            digits = str(abs(number) * 10**places).rjust(places + 1, "0")
            return ("-" if number < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"
    return str(number)


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


def polynomial(value: Polynomial, decimals: bool = False) -> str:
    """Returns every term of the normal form; decimals: whether to write decimals in place of fractions."""
    taken = {*value.ring.symbols, *value.ring.extra}

    def names(factors: Factors) -> list[str]:
        return [notation.text(g, taken) + (f"**{e}" if e > 1 else "") for g, e in factors]

    return signed((c < 0, term(abs(c), names(factors), decimals)) for c, factors in ordered_terms(value))


def signed(terms: Iterable[tuple[bool, str]]) -> str:
    """Returns terms (negative, text) joined by their signs."""
    joined = "".join((" - " if negative else " + ") + written for negative, written in terms)
    return "0" if not joined else ("-" if joined.startswith(" - ") else "") + joined[3:]


def decimal(number: Fraction) -> str:
    """Returns a number with twelve digits, without trailing zeros."""
    if SMALLEST < abs(number) < 1 / SMALLEST or not number:
        return f"{float(number):.12g}"
    return f"{_significant(number, 12).normalize():e}"


def term(coefficient: Fraction, names: list[str], decimals: bool = False) -> str:
    """Returns a positive number times factors: 3*m1*l1/2, or 1.5*m1*l1 in decimals."""
    if not names:
        return decimal(coefficient) if decimals else rational(coefficient)
    if decimals:
        return "*".join(names if coefficient == 1 else [decimal(coefficient), *names])
    if coefficient.denominator > LARGEST_FRACTION or coefficient.denominator == 1:
        return "*".join(names if coefficient == 1 else [rational(coefficient), *names])
    if coefficient.numerator != 1:
        names = [str(coefficient.numerator), *names]
    return "*".join(names) + f"/{coefficient.denominator}"


def array(name: str, axes: int, entries: Iterable[Entry], width: int) -> str:
    """Returns one entry per line, broken before signs; zero entries of two or more axes are summed up at the end."""
    lines, zeros = [], []
    for entry in entries:
        head = entry.name + label(entry.place) if entry.name else str(entry.place) if entry.place else ""
        if axes < 2 or not entry.is_zero:
            lines.append(wrapped(f"{head} = " if head else "", entry.written, width))
        else:
            zeros.append(head)
    if zeros:
        lines.append(_zeros(name, zeros, bool(lines)))
    return "\n".join(lines)


def _zeros(name: str, zeros: Sequence[str], some: bool) -> str:
    if not some:
        return f"{name} = 0" if name else "0"
    if len(zeros) <= 6:
        return " = ".join([*zeros, "0"])
    return f"{len(zeros)} other entries{f' of {name}' if name else ''} are zero"


def wrapped(head: str, body: str, width: int) -> str:
    """Returns a long sum on several lines, broken before its signs."""
    if isinstance(width, bool) or not isinstance(width, int) or width < NARROWEST:
        raise QddotError(f"a width of {shortened(width)}", expected=f"a whole number from {NARROWEST} on")
    if len(head) + len(body) <= width:
        return head + body
    from textwrap import TextWrapper

    # the signs are glued to the terms they open, so that a break can stand only before a sign
    whole = FUNCTION.sub(lambda part: part[0].replace(" ", "\0"), body)
    glued = whole.replace(" + ", " +\0").replace(" - ", " -\0")
    wrapper = TextWrapper(width, initial_indent=head, subsequent_indent=" " * min(len(head), 8))
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return "\n".join(wrapper.wrap(glued)).replace("\0", " ")
