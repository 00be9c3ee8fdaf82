"""An Entry is an entry of the equations in numbers, in several forms; it decides which terms to keep."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from qddot.algebra.expressions.angles import ONCE
from qddot.algebra.numbers.balls import Balls, precise
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.numbers.rationals import in_flint
from qddot.base.errors import ExactnessError
from qddot.base.records import record
from qddot.exact.forms.abbreviate.bounds import Factor, Term, largest, most, sizes, values
from qddot.exact.forms.abbreviate.region import Region
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.exact.forms.textbook.rewriting.short_forms import in_multiples, in_sums, with_squares
from qddot.exact.forms.textbook.rewriting.states import Grouped, State

DIGITS = 6  # significant digits of the remaining coefficients; the bounds include their rounding


@record()
class Candidate:
    """A candidate is a form of an entry: monomials (`State`), their coefficients, terms, and sizes over the region.

    coefficients: exact where they are rational
    """

    states: tuple[State, ...]
    coefficients: tuple[arb | fmpq, ...]
    terms: tuple[Term, ...]
    sizes: NDArray[np.float64]


@record()
class ShortEntry:
    """This is an entry without its small terms.

    coefficients: the rounded coefficients of the remaining terms, by their monomials (`State`)
    error: the guaranteed bound over the region of the terms that were dropped
    dropped: their sum in sample states
    largest: the largest magnitude of the whole entry that a search finds
    """

    coefficients: Mapping[State, Fraction]
    error: float
    dropped: NDArray[np.float64]
    largest: float

    @property
    def observed(self) -> float:
        """Returns the largest magnitude of what was dropped in sample states."""
        return float(np.abs(self.dropped).max(initial=0.0))


class NumericEntry:
    """This is an entry of M, B, C2 or G in numbers, in several forms."""

    def __init__(
        self, entry: Polynomial, sums: AngleSums, region: Region, at: Mapping[str, NDArray[np.float64]]
    ) -> None:
        self._sums, self._region, self._at = sums, region, at
        forms = with_squares(sums, entry)
        distinct = {tuple(group): group for group, _ in (*in_sums(forms), *in_multiples(forms))}.values()
        self.candidates = [self._candidate(group) for group in distinct]
        self.largest = most(self.candidates[0].terms, region.q) if entry else 0.0

    def _candidate(self, group: Grouped) -> Candidate:
        with precise():
            numbers = tuple(_number(value.polynomial) for value in group.values())
            floats = [float(arb(number).mid()) for number in numbers]
        terms = tuple(term_of(self._sums, c, state) for c, state in zip(floats, group, strict=True))
        return Candidate(tuple(group), numbers, terms, sizes(terms, self._region.q))

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Returns the entry in the sample states."""
        return values(self.candidates[0].terms, self._at)

    def constant(self) -> float:
        """Returns the size of the largest term of the first form."""
        return float(np.max(self.candidates[0].sizes, initial=0.0))

    def short(self, least: float) -> ShortEntry:
        """Returns the entry without terms smaller than `least`, in the form that is shortest without them."""

        def length(candidate: Candidate) -> tuple[int, int, float]:
            mask = candidate.sizes >= least
            factors = sum(sum(state) for state, stays in zip(candidate.states, mask, strict=True) if stays)
            return int(mask.sum()), factors, float(candidate.sizes[~mask].sum())

        best = min(self.candidates, key=length)
        coefficients: dict[State, Fraction] = {}
        dropped: list[Term] = []
        unknown = 0.0  # the coefficients' radii, and the rounding of dropped remainders to floats
        for state, c, term, size in zip(best.states, best.coefficients, best.terms, best.sizes, strict=True):
            rounded = Fraction(Decimal(f"{term.coefficient:.{DIGITS}g}")) if size >= least else Fraction(0)
            if rounded:
                coefficients[state] = rounded
            with precise():
                left = arb(c - in_flint(rounded))
                rest = float(left.mid())
                beyond = float(abs(left - arb(rest)).upper())
            if rest:
                dropped.append(Term(rest, term.factors))
            unknown += beyond * (size / abs(term.coefficient) if term.coefficient else 1.0)
        seen = values(dropped, self._at)
        error = largest(dropped, self._region.q, float(np.abs(seen).max())) + unknown
        return ShortEntry(coefficients, error, seen, self.largest)


def _number(coefficient: Polynomial) -> arb | fmpq:
    """Returns a rational coefficient exactly, and another one as a ball."""
    poly = coefficient.poly
    return fmpq(poly.leading_coefficient()) if poly.is_constant() and poly else coefficient.evaluate(Balls())


def term_of(sums: AngleSums, coefficient: float, state: State) -> Term:
    """Returns a number times the monomial of a state."""
    factors = []
    for generator, exponent in zip(sums.states.generators, state, strict=True):
        if exponent:
            if generator.applied is not None:
                raise ExactnessError("function-not-abbreviated", name=generator.name)
            turns = generator.kind in ("sin", "cos")
            angle = sums.combinations[generator.name] if turns else ((generator.name, ONCE),)
            factors.append(Factor(generator.kind, angle, exponent))
    return Term(coefficient, tuple(factors))
