"""Splits exact entries into terms, in normal form and in short form, and writes formulas in short form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Terms
from qddot.exact.forms.textbook.writing.short_sums import ShortSums
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.tree import Sum
from qddot.physics.mechanism import Mechanism

Powers: TypeAlias = Mapping[str, int]  # exponents by the generators' keys


class Term(NamedTuple):
    """A term is a number times powers of generators, by their keys."""

    number: Fraction
    powers: Powers


class Form(NamedTuple):
    """A form of an entry is a sum of terms; values: each term as a polynomial in normal form."""

    terms: tuple[Term, ...]
    values: tuple[Polynomial, ...]


class EntryForms:
    """This splits entries over one ring into terms, in normal form and in short form with sums of angles."""

    def __init__(self, mechanism: Mechanism, ring: Ring, numbers: NumberForm = NumberForm.FRACTIONS) -> None:
        """numbers: the form in which formulas are written if it is not that of fractions"""
        self.ring, self.numbers = ring, numbers
        self._short = ShortSums(mechanism, ring)
        self.angles = self._short.sums.combinations
        wider = self._short.sums.ring
        self._images = {g.key: ring.image(g) for g in wider.generators if g.key not in ring.index}
        self._one = (0,) * len(ring.generators)
        self._forms: dict[str, list[Form]] = {}

    def value(self, term: Term) -> Polynomial:
        """Returns a term in sums of angles as a polynomial in normal form."""
        exponents, product = list(self._one), None
        for key, e in term.powers.items():
            if key in self._images:
                power = self._images[key] ** e
                product = power if product is None else product * power
            else:
                exponents[self.ring.index[key]] = e
        plain = self.ring.from_terms([(tuple(exponents), term.number)])
        return plain if product is None else plain * product

    def of(self, entry: Polynomial) -> list[Form]:
        """Returns the normal form, and the short form if that has other terms."""
        key = str(entry.poly)
        if key not in self._forms:
            forms = [self._form(entry)]
            if self._short.shortens(entry):
                short = self._form(self._short.of(entry))
                if {_hashed(term) for term in short.terms} != {_hashed(term) for term in forms[0].terms}:
                    forms.append(short)
            self._forms[key] = forms
        return self._forms[key]

    def _form(self, entry: Terms) -> Form:
        keys = [generator.key for generator in entry.ring.generators]
        terms = tuple(Term(c, {keys[k]: e for k, e in powers.items()}) for powers, c in entry.powers())
        return Form(terms, tuple(self.value(term) for term in terms))

    def written(self, entry: Polynomial) -> Sum:
        """Returns an entry as a person would write it, or the first terms of a long one."""
        formula = self._short.written(entry)
        return formula if self.numbers is NumberForm.FRACTIONS else _with_numbers(formula, self.numbers)


def _with_numbers(formula: Sum, numbers: NumberForm) -> Sum:
    """Returns a sum whose numbers, and those of the sums in it, are written in a form."""
    products = (
        product._replace(
            factors=tuple((_with_numbers(f, numbers) if isinstance(f, Sum) else f, e) for f, e in product.factors)
        )
        for product in formula.products
    )
    return Sum(tuple(products), numbers)


def total(ring: Ring, parts: Iterable[Polynomial]) -> Polynomial:
    """Returns a sum of polynomials."""
    result: Polynomial = ring.zero
    for part in parts:
        result = result + part
    return result


def _hashed(term: Term) -> tuple[Fraction, frozenset[tuple[str, int]]]:
    return term.number, frozenset(term.powers.items())
