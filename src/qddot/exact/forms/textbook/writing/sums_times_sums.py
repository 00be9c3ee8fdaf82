"""Finds terms of a long sum that are a product of two sums, as l²c² + 2 l r c c' + r²c'² is (l c + r c')²."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TypeAlias

from qddot.algebra.numbers.polynomials.exact import Powers

Monomials: TypeAlias = dict[int, int]  # coefficients by monomials, of which an integer has the exponents as digits
Margins: TypeAlias = tuple[
    Monomials, Monomials
]  # the products of one's sum with the other's first term, and conversely
DIGIT = 16  # bits of an exponent
MOST_FOUND = 100  # most products of two small sums that are looked at in one sum


def products_of_sums(terms: Sequence[tuple[Fraction, Powers]]) -> list[set[int]]:
    """Returns the places of terms that together are a product of two sums, those with the most terms first.

    Four terms are (a + b)(c + d) times a monomial if the product of two equals that of the others; three are a square,
    (a + b)², if the product of two equals that of the halved third with itself. Then further terms are taken in.
    """
    codes = [sum(e << DIGIT * k for k, e in powers.items()) for _, powers in terms]
    scale = 2 * lcm(*(c.denominator for c, _ in terms))  # so that also halves are whole
    whole = {code: int(c * scale) for code, (c, _) in zip(codes, terms, strict=True)}
    products: list[set[int]] = []
    for _, (margins, small) in zip(range(MOST_FOUND), _small_products(whole), strict=False):
        if not any(small <= known for known in products):
            products.append(_completed(*margins, small, whole))
    places = {code: k for k, code in enumerate(codes)}
    return sorted(({places[code] for code in product} for product in products), key=len, reverse=True)


def _small_products(terms: Monomials) -> Iterator[tuple[Margins, set[int]]]:
    """Yields the margins and the terms of squares of two terms, then of products of two and two."""
    pairs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in combinations(terms, 2):
        pairs[sum(pair)].append(pair)
    for middle, c in terms.items():
        for first, last in pairs.get(2 * middle, ()):
            if 4 * terms[first] * terms[last] == c * c:
                root = {first: terms[first], middle: c // 2}
                yield (root, root), {first, middle, last}
    for alike in pairs.values():
        for (a, d), (b, c) in combinations(alike, 2):
            if terms[a] * terms[d] == terms[b] * terms[c]:
                yield ({a: terms[a], c: terms[c]}, {a: terms[a], b: terms[b]}), {a, b, c, d}


def _completed(one: Monomials, other: Monomials, product: set[int], terms: Monomials) -> set[int]:
    """Returns the terms of a product after each term with which it still is one is taken into its sums."""
    first = next(iter(one))
    for code, c in terms.items():
        if one is other:
            new = {code + each - first: c * x for each, x in one.items()} | {2 * code - first: c * c // 4}
            grown = [(one, c // 2, new)]
        else:
            rows = ((side, beside) for side, beside in ((one, other), (other, one)))
            grown = [(side, c, {code + each - first: c * x for each, x in beside.items()}) for side, beside in rows]
        for side, value, new in grown:
            if product.isdisjoint(new) and all(terms.get(each, 0) * terms[first] == x for each, x in new.items()):
                side[code] = value
                product = product | new.keys()
                break
    return product
