"""Compares expressions of an answer with exact ones: polynomials, and entries whose decimals may be rounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.teach.check.reading.answer import Entry

ROUNDING = 1.000001  # so that an error of exactly half a unit is accepted


def are_equal(values: Sequence[Any], entries: Sequence[Any]) -> bool:
    """Returns whether two lists have the same number of polynomials, which are equal one by one."""
    return len(values) == len(entries) and not any(a - b for a, b in zip(values, entries, strict=True))


def agree(values: Sequence[Entry], entries: Sequence[Any]) -> bool:
    """Returns whether entries equal polynomials or numbers one by one, up to their decimals' rounding."""
    return len(values) == len(entries) and all(agrees(a, b) for a, b in zip(values, entries, strict=True))


def agrees(value: Entry, exact: Any) -> bool:
    """Returns whether an entry equals a polynomial or a number, up to its decimals' rounding."""
    difference = value.numerator - (exact if value.denominator == 1 else value.denominator * exact)
    if not difference:
        return True
    terms = value.numerator.poly.to_dict()
    may_be = value.rounded is not None and all(monomial in terms for monomial in difference.poly.to_dict())
    return may_be and agrees_in_digits(value, value.numerator.ring.convert(exact)) is True


def agrees_in_digits(value: Entry, exact: Polynomial) -> bool | None:
    """Returns whether rounding of decimals by half a unit in the last place explains a difference.

    Returns None if there are too many decimals to tell.
    """
    if value.rounded is None:
        return False
    changes = value.rounded()
    if changes is None:
        return None
    ring = exact.ring
    difference = ring.convert(value.numerator) - ring.convert(value.denominator) * exact
    allowed: dict[object, float] = {}
    for top, below in changes:
        change = ring.convert(top) - ring.convert(below) * exact
        for monomial, c in change.poly.to_dict().items():
            allowed[monomial] = allowed.get(monomial, 0.0) + abs(float(c)) * ROUNDING
    return all(abs(float(c)) <= allowed.get(monomial, 0.0) for monomial, c in difference.poly.to_dict().items())
