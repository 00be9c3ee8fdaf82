"""Makes written sums of polynomials: terms, and the factors of a term, in the order in which people read them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from qddot.numbers.exact import Polynomial, Powers, Ring
from qddot.printing import notation
from qddot.printing.digits import Numbers
from qddot.printing.tree import Atom, Product, Sum

KINDS = ("symbol", "root", "q", "cos", "sin", "sgn", "qd", "qdd")
Term: TypeAlias = tuple[Fraction, Powers]
RATES = ("qd", "qdd", "sgn")

_ATOMS: WeakKeyDictionary[Ring, tuple[Atom, ...]] = WeakKeyDictionary()


def atoms(ring: Ring) -> tuple[Atom, ...]:
    """Returns what each generator of a ring is written as; the same objects for the same ring."""
    if ring not in _ATOMS:
        taken = {*ring.symbols, *ring.extra}
        _ATOMS[ring] = tuple(notation.atom(generator, taken) for generator in ring.generators)
    return _ATOMS[ring]


def expanded(polynomial: Polynomial, numbers: Numbers = Numbers.FRACTIONS) -> Sum:
    """Returns every term of the normal form."""
    ring = polynomial.ring
    written = atoms(ring)
    products = [
        Product(c, tuple((written[k], powers[k]) for k in in_order(ring, powers)))
        for c, powers in ordered_powers(polynomial)
    ]
    return Sum(tuple(products), numbers)


def in_order(ring: Ring, powers: Powers) -> list[int]:
    """Returns the places of a term's factors in reading order."""
    return sorted(powers, key=lambda k: KINDS.index(ring.generators[k].kind))


def ordered_powers(polynomial: Polynomial) -> list[Term]:
    """Returns terms in reading order: accelerations, rates, the rest; short trigonometry first."""
    return sorted_powers(polynomial.ring, ((c, powers) for powers, c in polynomial.powers()))


def sorted_powers(ring: Ring, terms: Iterable[Term]) -> list[Term]:
    """Returns terms over a ring's generators in reading order."""
    kinds, kept = [generator.kind for generator in ring.generators], list(terms)
    used = sorted({k for _, powers in kept for k in powers})
    symbols = [k for k in used if kinds[k] == "symbol"]

    def rank(term: Term) -> tuple[Any, ...]:
        powers = term[1]
        moving = {kinds[k] for k in powers}
        group = 0 if "qdd" in moving else (1 if "qd" in moving or "sgn" in moving else 2)
        irrational = sum(e for k, e in powers.items() if kinds[k] == "root")
        degree = sum(e for k, e in powers.items() if kinds[k] not in ("symbol", "root"))
        return group, degree, [-powers.get(k, 0) for k in symbols], irrational, [-powers.get(k, 0) for k in used]

    return sorted(kept, key=rank)
