"""Splits entries into monomials in the state (sines, cosines and coordinates) and their coefficients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.generators import Generator
from qddot.algebra.numbers.polynomials.keys import PolynomialKey

State: TypeAlias = tuple[int, ...]  # exponents of the generators that move
Grouped: TypeAlias = "dict[State, Coefficient]"
Terms: TypeAlias = tuple[tuple[int, int, int], ...]  # monomial in the other generators, numerator, denominator
NUMBERS = fmpq_mpoly_ctx.get(("x",), Ordering.lex)


class Coefficient:
    """This is a polynomial in the symbols. Equal ones are one object, since thousands of terms share a few hundred."""

    def __init__(self, polynomial: Polynomial, unique: Callable[[Polynomial], Coefficient]) -> None:
        self.polynomial = polynomial
        self._unique = unique
        self._is_zero = not polynomial
        self._sums: dict[Coefficient, Coefficient] = {}
        self._multiples: dict[int | Fraction, Coefficient] = {}

    def __bool__(self) -> bool:
        return not self._is_zero

    def __add__(self, other: Coefficient) -> Coefficient:
        if other not in self._sums:
            self._sums[other] = self._unique(self.polynomial + other.polynomial)
        return self._sums[other]

    def __mul__(self, number: int | Fraction) -> Coefficient:
        if number not in self._multiples:
            self._multiples[number] = self._unique(self.polynomial * number)
        return self._multiples[number]


class Digits:
    """This encodes monomials as single integers whose digits are the exponents (Kronecker's substitution).

    One integer is cheaper than a tuple of a hundred exponents.
    """

    def __init__(self, ring: Ring, width: int) -> None:
        """width: bits of a digit"""
        self._largest = (1 << width) - 1
        self._places = range(width * (len(ring.generators) - 1), -1, -width)
        self._moving = [place for place, g in zip(self._places, ring.generators, strict=True) if moves(g)]
        (x,) = NUMBERS.gens()
        self._codes = {key: x ** (1 << place) for key, place in zip(ring.index, self._places, strict=True)}
        self.state = sum(self._largest << place for place in self._moving)  # all bits of the generators that move

    def terms(self, entry: Polynomial) -> Iterator[tuple[int, fmpq]]:
        """Yields the encoded monomials of an entry, whose generators must be in the ring, and their coefficients."""
        images = [self._codes[key] for key in entry.ring.index]
        coded = entry.poly.compose(*images, ctx=NUMBERS)
        return zip((int(number) for (number,) in coded.monoms()), coded.coeffs(), strict=True)

    def exponents(self, number: int) -> tuple[int, ...]:
        """Returns the exponents of all generators."""
        return tuple([number >> place & self._largest for place in self._places])

    def state_of(self, number: int) -> State:
        """Returns the exponents of the generators that move."""
        return tuple([number >> place & self._largest for place in self._moving])


def degrees(entry: Polynomial) -> Iterator[tuple[int, fmpq]]:
    """Yields the degree and the coefficient of each term, the leading term first, by Kronecker's substitution.

    The remainder of an integer modulo 2ʷ − 1 is the sum of its w-bit digits, as that modulo 9 is the sum of decimal
    digits.
    """
    if not entry:
        return
    used = [k for k, degree in enumerate(entry.poly.degrees()) if degree]
    width = (int(entry.poly.total_degree()) + 1).bit_length()
    (x,) = NUMBERS.gens()
    images = [NUMBERS.constant(0)] * len(entry.ring.generators)
    for place, k in enumerate(reversed(used)):
        images[k] = x ** (1 << width * place)
    coded = entry.poly.compose(*images, ctx=NUMBERS)
    for (number,), c in zip(coded.monoms(), coded.coeffs(), strict=True):
        yield int(number) % ((1 << width) - 1), c


class States:
    """This splits entries into monomials in sines, cosines and coordinates, and their coefficients."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.generators = tuple(filter(moves, ring.generators))
        self.index = {generator.key: k for k, generator in enumerate(self.generators)}
        self._digits: dict[int, Digits] = {}
        self._coefficients: dict[PolynomialKey, Coefficient] = {}
        self._cache: dict[tuple[int, Terms], Coefficient] = {}

    def grouped(self, entry: Polynomial) -> Grouped:
        """Returns the coefficient, in symbols, of each monomial in the state; the ring has the entry's generators."""
        if not entry:
            return {}
        width = max((1, *entry.poly.degrees())).bit_length()
        if width not in self._digits:
            self._digits[width] = Digits(self.ring, width)
        digits = self._digits[width]
        parts: dict[int, list[tuple[int, int, int]]] = {}
        for number, c in digits.terms(entry):
            state = number & digits.state
            parts.setdefault(state, []).append((number ^ state, int(c.p), int(c.q)))
        return {digits.state_of(state): self._coefficient(width, tuple(terms)) for state, terms in parts.items()}

    def powers(self, state: State) -> dict[str, int]:
        """Returns the exponents of a state by the keys of the generators."""
        return {key: e for key, e in zip(self.index, state, strict=True) if e}

    def _coefficient(self, width: int, terms: Terms) -> Coefficient:
        if (width, terms) not in self._cache:
            exponents = self._digits[width].exponents
            value = self.ring.from_terms((exponents(rest), Fraction(p, q)) for rest, p, q in terms)
            self._cache[width, terms] = self._unique(value)
        return self._cache[width, terms]

    def _unique(self, polynomial: Polynomial) -> Coefficient:
        key = PolynomialKey(polynomial.poly)
        if key not in self._coefficients:
            self._coefficients[key] = Coefficient(polynomial, self._unique)
        return self._coefficients[key]


def moves(generator: Generator) -> bool:
    """Returns whether a generator is part of the state, without rates, which do not occur in M, Γ and G."""
    return generator.kind in ("q", "function") or (generator.kind in ("sin", "cos") and generator.angle is None)
