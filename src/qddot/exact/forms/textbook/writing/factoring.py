"""Takes common factors out of sums, as in I5*c2*(c23 + s3), and factors sums into products of sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

from flint import Ordering, fmpq_mpoly_ctx

from qddot.algebra.numbers.polynomials.exact import Powers, Terms
from qddot.algebra.numbers.rationals import fraction, in_flint
from qddot.exact.forms.textbook.writing.sums_times_sums import products_of_sums
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.notation import product
from qddot.exact.printing.reading_order import RATES, atoms, in_order, ordered_powers, sorted_powers
from qddot.exact.printing.tree import Product, Sum

Place: TypeAlias = tuple[tuple[int, ...], int]  # sorts by the motion, then in reading order
Term: TypeAlias = tuple[Place, Fraction, Powers]
Placed: TypeAlias = tuple[Place, Product]  # a product with the place of its first term
Brackets: TypeAlias = tuple[Fraction, list[tuple[Sum, int]]]  # a number times powers of sums
Key: TypeAlias = tuple[int, int]  # a variable's place and its exponent, or −1 and an integer coefficient
DEEPEST = 2  # nesting depth of brackets: deeper nesting is hard to read
MOST_TRIED = 12  # a sum with at most so many terms has all its equally frequent factors tried
MOST_PRODUCTS = 3  # a sum has at most so many of its longest products of two sums tried
MOST_UNITS = 100  # the largest integer in a factor of a sum of decimals
MOST_SPLIT = 40  # a bracket with more terms is not factored


def factored_sum(
    polynomial: Terms, numbers: NumberForm = NumberForm.FRACTIONS, brackets: dict[Any, Brackets] | None = None
) -> Sum:
    """Returns a polynomial with its common factors taken out.

    numbers: the form in which numbers are written; brackets: a cache of brackets for polynomials of one ring in that
    form
    """
    terms = ordered_powers(polynomial)
    factoring = _Factoring(polynomial, numbers, {} if brackets is None else brackets)
    return factoring.sum(factoring.placed(terms))


class _Factoring:
    """This takes common factors out of the terms of one polynomial."""

    def __init__(self, polynomial: Terms, numbers: NumberForm, brackets: dict[Any, Brackets]) -> None:
        self.ring, self.numbers, self.atoms = polynomial.ring, numbers, atoms(polynomial.ring)
        self.brackets = brackets
        moving = [generator for generator in polynomial.generators() if generator.kind in RATES]
        self.rates = {self.ring.index[generator.key] for generator in moving}
        self.accelerations = {self.ring.index[generator.key] for generator in moving if generator.kind == "qdd"}

    def placed(self, terms: Sequence[tuple[Fraction, Powers]]) -> list[Term]:
        """Returns terms with their places: accelerations first, then rates, joint by joint."""
        used = sorted(self.rates & {k for _, powers in terms for k in powers})
        return [
            (((self._group(powers), *(-powers.get(k, 0) for k in used)), place), c, powers)
            for place, (c, powers) in enumerate(terms)
        ]

    def _group(self, powers: Powers) -> int:
        return 2 if not self.rates & powers.keys() else int(not self.accelerations & powers.keys())

    def sum(self, terms: Sequence[Term], depth: int = 0) -> Sum:
        """Returns the sum of terms with common factors taken out; depth: the number of brackets around it"""
        products = self._shortest(terms, depth) if depth < DEEPEST else [self._alone(term) for term in terms]
        return Sum(tuple(product for _, product in sorted(products, key=lambda placed: placed[0])), self.numbers)

    def _shortest(self, terms: Sequence[Term], depth: int) -> list[Placed]:
        """Returns the products of terms, with products of two sums among them where this leaves fewer operations."""
        first: list[Placed] = []
        products = self._products(terms, depth)
        while self._may_have_products(terms):
            for places in products_of_sums([(c, powers) for _, c, powers in terms])[:MOST_PRODUCTS]:
                inside = [term for k, term in enumerate(terms) if k in places]
                rest = [term for k, term in enumerate(terms) if k not in places]
                product, others = self._taken_out(inside, depth), self._products(rest, depth)
                written = [product, *others]
                if all(map(self._is_readable, written)) and _operations(written) < _operations(products):
                    first, terms, products = [*first, product], rest, others
                    break
            else:
                break
        return [*first, *products]

    def _may_have_products(self, terms: Sequence[Term]) -> bool:
        """Returns whether to look for products of two sums among terms, which have at least three terms of these."""
        same = len({motion for (motion, _), _, _ in terms}) == 1
        return same and 3 < len(terms) <= MOST_SPLIT and not self._common(terms)

    def _is_readable(self, placed: Placed) -> bool:
        """Returns whether brackets among decimals have no large integers, the ratios of decimals."""
        sums = (base for base, _ in placed[1].factors if isinstance(base, Sum))
        numbers = (product.number for each in sums for product in each.products)
        return self.numbers is NumberForm.FRACTIONS or all(
            number.denominator > 1 or abs(number) <= MOST_UNITS for number in numbers
        )

    def _products(self, terms: Sequence[Term], depth: int) -> list[Placed]:
        products: list[Placed] = []
        while len(terms) > 1:
            motions = {motion for (motion, _), _, _ in terms}
            if self._common(terms) or (len(motions) == 1 and abs(_content(terms)) != 1):
                return [*products, self._taken_out(terms, depth)]
            if len(motions) > 1:
                return [*products, *self._by_motion(terms, depth)]
            whole = self._split(terms, depth)
            if whole is not None:
                return [*products, self._product(terms[0][0], Fraction(1), {}, *whole)]
            best = _most_frequent(terms)
            if not best:
                break
            if len(terms) <= MOST_TRIED:
                return [*products, *self._best_of(best, terms, depth)]
            inside, terms = _parted(best[0], terms)
            products.append(self._taken_out(inside, depth))
        return [*products, *map(self._alone, terms)]

    def _common(self, terms: Sequence[Term]) -> Powers:
        """Returns the powers that all terms share, those of rates only if all terms have the same product of rates."""
        first = dict(terms[0][2])
        for _, _, powers in terms[1:]:
            first = {k: min(e, powers[k]) for k, e in first.items() if k in powers}
        same = len({motion for (motion, _), _, _ in terms}) == 1
        return {k: e for k, e in first.items() if same or k not in self.rates}

    def _taken_out(self, terms: Sequence[Term], depth: int) -> Placed:
        """Returns all terms as one product; a sign is taken out with a number, or if all terms are negative."""
        common, number = self._common(terms), _content(terms)
        inside = [
            (place, c if number == 1 else c / number, _without(powers, common) if common else powers)
            for place, c, powers in terms
        ]
        return self._product(terms[0][0], number, common, *self._brackets(inside, depth))

    def _brackets(self, terms: Sequence[Term], depth: int) -> Brackets:
        """Returns a sum as brackets; a sum that is met again, as in other ways to write an entry, is factored once."""
        key = (depth, *((c, *powers.items()) for _, c, powers in terms))
        if key not in self.brackets:
            self.brackets[key] = self._split(terms, depth) or (Fraction(1), [(self.sum(terms, depth + 1), 1)])
        return self.brackets[key]

    def _split(self, terms: Sequence[Term], depth: int) -> Brackets | None:
        """Returns a sum as a number times powers of sums, or None if it does not factor.

        The first term of each sum is positive, so that a factor and its negative are written alike.
        """
        powers = [term[2] for term in terms]
        if depth >= DEEPEST or not 3 <= len(terms) <= MOST_SPLIT or _is_prime(powers):
            return None
        if any(k in self.rates for each in powers for k in each):
            return None
        used = sorted({k for each in powers for k in each})
        context = fmpq_mpoly_ctx.get([f"x{k}" for k in range(len(used))], Ordering.lex)
        exponents = (tuple(each.get(k, 0) for k in used) for each in powers)
        values = (in_flint(c) for _, c, _ in terms)
        constant, factors = context.from_dict(dict(zip(exponents, values, strict=True))).factor()
        if sum(exponent for _, exponent in factors) < 2:
            return None
        number, sums = fraction(constant), list[tuple[list[tuple[Fraction, Powers]], int]]()
        for poly, exponent in factors:
            powers_of = ({used[k]: int(e) for k, e in enumerate(each) if e} for each in poly.monoms())
            of = sorted_powers(self.ring, zip(map(fraction, poly.coeffs()), powers_of, strict=True))
            size = _content(self.placed(of))
            size = size if of[0][0] / size > 0 else -size
            number *= size**exponent
            sums.append(([(c / size, powers) for c, powers in of], exponent))
        if self.numbers is not NumberForm.FRACTIONS:
            number = _multiplied_in(number, sums)
        return number, [(self.sum(self.placed(of), depth + 1), exponent) for of, exponent in sums]

    def _product(
        self, place: Place, number: Fraction, common: Powers, times: Fraction, brackets: Sequence[tuple[Sum, int]]
    ) -> Placed:
        """Returns powers and brackets in reading order, with rates after the brackets."""
        order = in_order(self.ring, common)
        early = [(self.atoms[k], common[k]) for k in order if k not in self.rates]
        late = [(self.atoms[k], common[k]) for k in order if k in self.rates]
        return place, product(number * times, (*early, *brackets, *late))

    def _alone(self, term: Term) -> Placed:
        place, c, powers = term
        return place, product(c, ((self.atoms[k], powers[k]) for k in in_order(self.ring, powers)))

    def _by_motion(self, terms: Sequence[Term], depth: int) -> list[Placed]:
        groups: dict[tuple[int, ...], list[Term]] = {}
        for term in terms:
            groups.setdefault(term[0][0], []).append(term)
        return [product for group in groups.values() for product in self._shortest(group, depth)]

    def _best_of(self, keys: Sequence[Key], terms: Sequence[Term], depth: int) -> list[Placed]:
        """Returns the products after one of these keys is taken out, the one that leaves the fewest operations."""
        candidates = []
        for key in keys:
            inside, rest = _parted(key, terms)
            candidates.append([self._taken_out(inside, depth), *self._products(rest, depth)])
        return min(candidates, key=_operations)


def _operations(products: Sequence[Placed]) -> int:
    """Returns the number of operations in the sum of some products, and one more."""
    return sum(product.operations for _, product in products) + len(products)


def _is_prime(powers: Sequence[Powers]) -> bool:
    """Returns whether a variable occurs once, linearly: a sum without common factors is then irreducible."""
    count = Counter(k for each in powers for k in each)
    return any(count[k] == 1 and e == 1 for each in powers for k, e in each.items())


def _most_frequent(terms: Sequence[Term]) -> list[Key]:
    """Returns the powers or numbers that the most terms share; none if no two terms share one."""
    count = Counter(power for _, _, powers in terms for power in powers.items())
    count.update((-1, abs(c.numerator)) for _, c, _ in terms if c.denominator == 1 and c.numerator not in (1, -1))
    times = max(count.values(), default=0)
    return [key for key, n in count.items() if n == times] if times > 1 else []


def _without(powers: Powers, common: Powers) -> Powers:
    """Returns the powers divided by common ones."""
    return {k: e - common.get(k, 0) for k, e in powers.items() if e > common.get(k, 0)}


def _parted(key: Key, terms: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """Returns the terms that have this power or number, and the others."""
    matches = [abs(c) == key[1] if key[0] < 0 else powers.get(key[0]) == key[1] for _, c, powers in terms]
    inside = [term for term, has_key in zip(terms, matches, strict=True) if has_key]
    return inside, [term for term, has_key in zip(terms, matches, strict=True) if not has_key]


def _multiplied_in(number: Fraction, sums: list[tuple[list[tuple[Fraction, Powers]], int]]) -> Fraction:
    """Multiplies a number into a sum that has long coefficients, in place, and returns the number that is left."""
    for place, (terms, exponent) in enumerate(sums):
        if exponent == 1 and max(abs(c.numerator) for c, _ in terms) > MOST_UNITS and number.denominator > 1:
            sign = 1 if number > 0 else -1
            sums[place] = [(c * abs(number), powers) for c, powers in terms], 1
            return Fraction(sign)
    return number


def _content(terms: Sequence[Term]) -> Fraction:
    """Returns the number to take out: a common divisor of the coefficients, if it leaves fewer numbers."""
    numbers = [c for _, c, _ in terms]
    if all(c.denominator == 1 and c.numerator in (1, -1) for c in numbers):
        return Fraction(-1 if all(c < 0 for c in numbers) else 1)
    below = lcm(*(c.denominator for c in numbers))
    whole = [c.numerator * (below // c.denominator) for c in numbers]
    top = gcd(*whole)
    left = sum(abs(n) != top for n in whole)
    shorter = left < sum(abs(n) != below for n in whole)
    number = Fraction(top, below) if shorter else Fraction(1)
    return -number if whole[0] < 0 and (number != 1 or all(n < 0 for n in whole)) else number
