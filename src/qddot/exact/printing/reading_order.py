"""Turns polynomials into written sums, with terms and factors in the order in which people read them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from qddot.algebra.numbers.polynomials.exact import Powers, Ring, Terms
from qddot.exact.printing import notation
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.tree import Factor, Sum

KINDS = ("symbol", "root", "q", "function", "cos", "sin", "sgn", "qd", "qdd")
Term: TypeAlias = tuple[Fraction, Powers]
GROUPS = {"qdd": 0, "qd": 1, "sgn": 1}  # accelerations come first, then rates
LAST = (1 << 30,)  # after every place: of two terms that begin alike, the longer comes first
RATES = ("qd", "qdd", "sgn")

_ATOMS: WeakKeyDictionary[Ring, tuple[Factor, ...]] = WeakKeyDictionary()


def atoms(ring: Ring) -> tuple[Factor, ...]:
    """Returns the written form of each generator of a ring, always the same objects for the same ring."""
    if ring not in _ATOMS:
        names = {*ring.symbols, *ring.extra, *ring.coordinates}
        numbers = notation.numbers_of(ring.turning.coordinates)
        _ATOMS[ring] = tuple(notation.atom(generator, names, numbers) for generator in ring.generators)
    return _ATOMS[ring]


def expanded(polynomial: Terms, numbers: NumberForm = NumberForm.FRACTIONS) -> Sum:
    """Returns the written sum of all terms of the normal form."""
    ring = polynomial.ring
    written = atoms(ring)
    products = [
        notation.product(c, ((written[k], powers[k]) for k in in_order(ring, powers)))
        for c, powers in ordered_powers(polynomial)
    ]
    return Sum(tuple(products), numbers)


def in_order(ring: Ring, powers: Powers) -> list[int]:
    """Returns the places of a term's factors in reading order."""
    return sorted(powers, key=lambda k: KINDS.index(ring.generators[k].kind))


def ordered_powers(polynomial: Terms) -> list[Term]:
    """Returns terms in reading order: those with accelerations, with rates, and the rest, each by rising degree."""
    return sorted_powers(polynomial.ring, ((c, powers) for powers, c in polynomial.powers()))


def sorted_powers(ring: Ring, terms: Iterable[Term]) -> list[Term]:
    """Returns terms in reading order; the places of each term's factors must rise."""
    kinds = [generator.kind for generator in ring.generators]

    def rank(term: Term) -> tuple[Any, ...]:
        group, degree, irrational, symbols, powers = 2, 0, 0, [], []
        for k, e in term[1].items():
            powers.append((k, -e))
            if kinds[k] == "symbol":
                symbols.append((k, -e))
            elif kinds[k] == "root":
                irrational += e
            else:
                degree += e
                group = min(group, GROUPS.get(kinds[k], 2))
        return group, degree, [*symbols, LAST], irrational, [*powers, LAST]

    return sorted(terms, key=rank)
