"""Takes common factors out of sums: I5*c2*c23 + I5*c2*s3 becomes I5*c2*(c23 + s3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import TypeAlias

from qddot.numbers.exact import Polynomial, Powers, Ring
from qddot.printing import text
from qddot.printing.sums import RATES, Product, Sum

Term: TypeAlias = tuple[int, Fraction, Powers]  # place in reading order, coefficient, powers
Key: TypeAlias = tuple[int, int]  # a variable's place and its exponent, or −1 and an integer coefficient
DEEPEST = 2  # brackets within brackets: deeper ones are hard to read
MOST_TRIED = 12  # terms of a sum whose equally frequent factors are all tried


def factored_sum(polynomial: Polynomial, decimals: bool = False) -> Sum:
    """Returns a polynomial with its common factors taken out; decimals: whether its numbers print as decimals."""
    terms = [(place, c, powers) for place, (c, powers) in enumerate(text.ordered_powers(polynomial))]
    return _Factoring(polynomial.ring, decimals).sum(terms)


class _Factoring:
    """This takes common factors out of sums of terms over one ring."""

    def __init__(self, ring: Ring, decimals: bool) -> None:
        self.ring, self.decimals = ring, decimals
        self.rates = {k for k, g in enumerate(ring.generators) if g.kind in RATES}

    def sum(self, terms: Sequence[Term], depth: int = 0) -> Sum:
        """Returns the sum of terms with common factors taken out; depth: the number of brackets around it"""
        found = self._products(terms, depth) if depth < DEEPEST else [_alone(term) for term in terms]
        return Sum(self.ring, tuple(sorted(found, key=lambda product: product.place)), self.decimals)

    def _products(self, terms: Sequence[Term], depth: int) -> list[Product]:
        products: list[Product] = []
        while len(terms) > 1:
            motions = {self._motion(powers) for _, _, powers in terms}
            if self._common(terms) or (len(motions) == 1 and abs(_content(terms)) != 1):
                return [*products, self._taken_out(terms, depth)]
            if len(motions) > 1:
                return [*products, *self._by_motion(terms, depth)]
            best = _most_frequent(terms)
            if not best:
                break
            if len(terms) <= MOST_TRIED:
                return [*products, *self._best_of(best, terms, depth)]
            inside, terms = _parted(best[0], terms)
            products.append(self._taken_out(inside, depth))
        return [*products, *map(_alone, terms)]

    def _common(self, terms: Sequence[Term]) -> Powers:
        """Returns the powers that all terms share; rates only if all terms have the same: q̇1 q̇2 stays together."""
        first = dict(terms[0][2])
        for _, _, powers in terms[1:]:
            first = {k: min(e, powers[k]) for k, e in first.items() if k in powers}
        same = len({self._motion(powers) for _, _, powers in terms}) == 1
        return {k: e for k, e in first.items() if same or k not in self.rates}

    def _motion(self, powers: Powers) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((k, e) for k, e in powers.items() if k in self.rates))

    def _taken_out(self, terms: Sequence[Term], depth: int) -> Product:
        """Returns all terms as one product; the first in the bracket is positive."""
        common, number = self._common(terms), _content(terms)
        inside = [
            (place, c / number, {k: e - common.get(k, 0) for k, e in powers.items() if e > common.get(k, 0)})
            for place, c, powers in terms
        ]
        return Product(terms[0][0], number, tuple(common.items()), self.sum(inside, depth + 1))

    def _by_motion(self, terms: Sequence[Term], depth: int) -> list[Product]:
        groups: dict[tuple[tuple[int, int], ...], list[Term]] = {}
        for term in terms:
            groups.setdefault(self._motion(term[2]), []).append(term)
        return [product for group in groups.values() for product in self._products(group, depth)]

    def _best_of(self, keys: Sequence[Key], terms: Sequence[Term], depth: int) -> list[Product]:
        """Returns the terms that share one of these keys as one product: the key that leaves the fewest operations."""
        tried = []
        for key in keys:
            inside, rest = _parted(key, terms)
            tried.append([self._taken_out(inside, depth), *self._products(rest, depth)])
        return min(tried, key=lambda products: sum(product.operations for product in products) + len(products))


def _most_frequent(terms: Sequence[Term]) -> list[Key]:
    """Returns the powers, or numbers, that most terms share; none where no two do."""
    count = Counter(power for _, _, powers in terms for power in powers.items())
    count.update((-1, abs(c.numerator)) for _, c, _ in terms if abs(c) != 1 and c.denominator == 1)
    times = max(count.values(), default=0)
    return [key for key, n in count.items() if n == times] if times > 1 else []


def _parted(key: Key, terms: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """Returns the terms that have this power, or number, and the others."""
    has = [abs(c) == key[1] if key[0] < 0 else powers.get(key[0]) == key[1] for _, c, powers in terms]
    inside = [term for term, there in zip(terms, has, strict=True) if there]
    return inside, [term for term, there in zip(terms, has, strict=True) if not there]


def _alone(term: Term) -> Product:
    place, c, powers = term
    return Product(place, c, tuple(powers.items()))


def _content(terms: Sequence[Term]) -> Fraction:
    """Returns the number to take out: a common divisor of all coefficients, if fewer numbers are left then."""
    numbers = [c for _, c, _ in terms]
    top = reduce(gcd, (abs(c.numerator) for c in numbers))
    number = Fraction(top, reduce(lcm, (c.denominator for c in numbers)))
    left = sum(abs(c / number) != 1 for c in numbers)
    number = number if left < sum(abs(c) != 1 for c in numbers) else Fraction(1)
    return -number if numbers[0] < 0 and (number != 1 or all(c < 0 for c in numbers)) else number
