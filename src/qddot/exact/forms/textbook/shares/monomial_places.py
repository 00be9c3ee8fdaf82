"""Says which written terms of an entry contain each of its monomials when they are expanded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from flint import fmpq_mpoly

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.rationals import in_flint
from qddot.exact.forms.textbook.rewriting.states import moves
from qddot.exact.printing.reading_order import RATES, atoms
from qddot.exact.printing.tree import Product, Sum

Monomial: TypeAlias = tuple[int, ...]  # exponents of a ring's generators


class ExpandedTerms:
    """This expands the terms of one array in the model's own symbols."""

    def __init__(self, ring: Ring, constants: Mapping[str, Polynomial], target: Ring) -> None:
        """ring: that of the array; constants: definitions of some of its symbols; target: the ring of the monomials"""
        self._context, self._target = ring.context, target.context
        self._variables: dict[Any, fmpq_mpoly] = {
            atom: ring.generator(key).poly for atom, key in zip(atoms(ring), ring.index, strict=True)
        }
        images = (constants[g.key] if g.key in constants else target.image(g) for g in ring.generators)
        self._images = [target.convert(image).poly for image in images]
        self._moving = [k for k, g in enumerate(target.generators) if moves(g) or g.kind in RATES]

    def in_symbols(self, poly: fmpq_mpoly) -> fmpq_mpoly:
        """Returns a polynomial of the array's ring with the constants' definitions, without changing squares."""
        return poly.compose(*self._images, ctx=self._target)

    def state(self, monomial: Monomial) -> Monomial:
        """Returns the exponents of the generators that move."""
        return tuple([monomial[k] for k in self._moving])

    def places(self, total: Sum) -> Places:
        """Returns the terms of a written sum that contain each monomial."""
        places = Places(self)
        for k, product in enumerate(total.products):
            for monomial in self.in_symbols(self._product(product)).monoms():
                places.add(tuple(map(int, monomial)), k)
        return places

    def _product(self, product: Product) -> fmpq_mpoly:
        total = self._context.constant(in_flint(product.number))
        for base, exponent in product.factors:
            total = total * (self._sum(base) if isinstance(base, Sum) else self._variables[base]) ** exponent
        return total

    def _sum(self, total: Sum) -> fmpq_mpoly:
        return sum(map(self._product, total.products), start=self._context.constant(0))


class Places:
    """These are, for each monomial of an entry, the numbers of the terms that contain it."""

    def __init__(self, expanded_terms: ExpandedTerms) -> None:
        self._state = expanded_terms.state
        self._of_monomials: dict[Monomial, list[int]] = {}
        self._of_states: dict[Monomial, int] = {}
        self.shared: set[int] = set()  # terms that have a monomial in common with another

    def add(self, monomial: Monomial, term: int) -> None:
        terms = self._of_monomials.setdefault(monomial, [])
        terms.append(term)
        if len(terms) > 1:
            self.shared.update(terms)
        self._of_states.setdefault(self._state(monomial), term)

    def __getitem__(self, monomial: Monomial) -> list[int]:
        """Returns the terms that contain a monomial: one, or several among which it cannot be divided.
        A monomial in no term, since its coefficients cancel, is assigned to a term with the same motion if there is
        one.
        """
        if monomial in self._of_monomials:
            return self._of_monomials[monomial]
        state = self._state(monomial)
        return [self._of_states[state]] if state in self._of_states else []
