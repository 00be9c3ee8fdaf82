"""Converts exact numbers and sums of terms between Python and FLINT."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from qddot.algebra.spatial import summed
from qddot.base.errors import ExactnessError, shortened

# the most generators of a ring whose terms FLINT sorts: its sort recurses once per bit of an exponent, which has eight
# per generator, and the stack of a browser's worker ends after some 5,000 calls
MOST_SORTED = 400
# FLINT multiplies the exponents of each term by a matrix of both rings' generators; products of powers are quicker if
# there are more pairs of generators than this
MOST_PAIRS = 6000


def in_flint(value: Any) -> Any:
    """Returns an integer or a fraction as FLINT takes it; raises ExactnessError for anything else."""
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    raise ExactnessError("not-an-exact-number", value=shortened(value))


def fraction(number: fmpq) -> Fraction:
    """Returns a number of FLINT's as a fraction."""
    return Fraction(int(number.p), int(number.q))


def sum_of_terms(context: fmpq_mpoly_ctx, terms: Mapping[tuple[int, ...], Any]) -> fmpq_mpoly:
    """Returns FLINT's polynomial with these exponents and coefficients; in large rings, terms are added pairwise."""
    coefficients = {exponents: in_flint(coefficient) for exponents, coefficient in terms.items()}
    if context.nvars() <= MOST_SORTED:
        return context.from_dict(coefficients)
    polys = [context.from_dict({exponents: coefficient}) for exponents, coefficient in coefficients.items()]
    while len(polys) > 1:
        odd = polys[-1:] if len(polys) % 2 else []
        polys = [a + b for a, b in zip(polys[::2], polys[1::2], strict=False)] + odd
    return polys[0] if polys else context.from_dict({})


def moved(poly: fmpq_mpoly, context: fmpq_mpoly_ctx, images: Mapping[int, fmpq_mpoly]) -> fmpq_mpoly:
    """Returns a polynomial other than zero in another context, where its generators have the same names.

    images: of the generators that occur, by their places
    """
    if poly.context().nvars() * context.nvars() < MOST_PAIRS:
        return poly.project_to_context(context)
    terms = []
    for exponents, coefficient in zip(poly.monoms(), poly.coeffs(), strict=True):
        powers = (image ** int(exponents[k]) for k, image in images.items() if exponents[k])
        terms.append(prod(powers, start=context.constant(coefficient)))
    total: fmpq_mpoly = summed(terms)
    return total
