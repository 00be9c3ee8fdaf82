"""Writes sines and cosines as papers of 1986 do: S23 and C23, their products as SC23, and squares as SS23 and CC23.

Books in which c_ijk is another quantity have the cosine of a sum of three angles in full.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Circular, Factor, Named, Product, Quotient, Sum, Symbol

MOST_FUNCTIONS = 10_000
INDICES = 2  # of sums with short names, where three indices are those of another quantity
LETTERS = {"cos": "C", "sin": "S"}


def paired(total: Sum) -> Sum:
    """Returns a sum with such names for its sines and cosines; a product that has one of both becomes SC23."""
    return total._replace(products=tuple(Product(each.number, _factors(each)) for each in total.products))


def in_full(total: Sum) -> Sum:
    """Returns a sum in which no sine or cosine has a name with three indices, as c123 for cos(q1 + q2 + q3)."""
    return total._replace(products=tuple(map(_product_in_full, total.products)))


def _product_in_full(product: Product) -> Product:
    return Product(product.number, tuple((_in_full(base), exponent) for base, exponent in product.factors))


def _in_full(base: Factor) -> Factor:
    if isinstance(base, Circular):
        return _whole(base) if base.short and len(base.angle.symbols) > INDICES else base
    if isinstance(base, Quotient):
        return Quotient(in_full(base.top), in_full(base.bottom))
    return in_full(base) if isinstance(base, Sum) else base


def _factors(product: Product) -> tuple[tuple[Factor, int], ...]:
    factors: list[tuple[Factor, int]] = []
    single: dict[str, int] = {}  # places of sines and cosines that are no squares, by index
    for base, exponent in product.factors:
        new = _of(base)
        if not isinstance(new, Circular) or new.short is None:
            factors.append((new, exponent))
        elif exponent == 2:
            factors.append((_square(new), 1))
        elif exponent == 1 and new.short.below in single:
            place = single.pop(new.short.below)
            other = factors[place][0]
            assert isinstance(other, Circular)
            factors[place] = _product(other, new), 1
        else:
            if exponent == 1:
                single[new.short.below] = len(factors)
            factors.append((new, exponent))
    return tuple(factors)


def _of(base: Factor) -> Factor:
    if isinstance(base, Circular):
        return _capital(base)
    if isinstance(base, Quotient):
        return Quotient(paired(base.top), paired(base.bottom))
    return paired(base) if isinstance(base, Sum) else base


@lru_cache(MOST_FUNCTIONS)
def _capital(function: Circular) -> Circular:
    """Returns a sine or cosine with its name in capitals; that of 2 q2 + q3 has the index 223."""
    index = function.short.below if function.short else _index(function)
    if function.kind not in LETTERS or not index:
        return function
    letter = LETTERS[function.kind]
    return Circular(function.kind, function.angle, function.argument, Symbol(letter + index, letter, index))


def _index(function: Circular) -> str:
    """Returns the digits of the joints in a sum of multiples, or nothing if they have no digits."""
    angle = function.angle
    digits = [(symbol(name).below, n) for name, n in angle.symbols]
    whole = all(len(digit) == 1 and digit.isdigit() and n > 0 and n.denominator == 1 for digit, n in digits)
    return "".join(digit * int(n) for digit, n in digits) if whole and not (angle.pi or angle.radians) else ""


@lru_cache(MOST_FUNCTIONS)
def _square(function: Circular) -> Named:
    assert function.short
    return _named(function.short.head * 2, function, ((_whole(function), 2),))


@lru_cache(MOST_FUNCTIONS)
def _product(one: Circular, other: Circular) -> Named:
    functions = sorted((one, other), key=lambda each: each.kind, reverse=True)
    return _named("SC", one, tuple((_whole(each), 1) for each in functions))


def _named(head: str, like: Circular, factors: tuple[tuple[Factor, int], ...]) -> Named:
    assert like.short
    index = like.short.below
    return Named(head, like.angle, Product(Fraction(1), factors), Symbol(head + index, head, index))


@lru_cache(MOST_FUNCTIONS)
def _whole(function: Circular) -> Circular:
    return Circular(function.kind, function.angle, function.argument)
