"""Evaluates polynomials in any kind of number."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Protocol

from qddot.algebra.numbers.polynomials.generators import Generator
from qddot.algebra.numbers.state_numbers import StateNumbers


class Polynomials(Protocol):
    """A polynomial yields ({place of a variable: exponent}, coefficient) for each term."""

    def powers(self) -> Iterable[tuple[dict[int, int], Fraction]]: ...


class Evaluation:
    """An evaluation computes a ring's variables and their powers in a kind of number, each once when it is needed."""

    def __init__(self, generators: tuple[Generator, ...], numbers: StateNumbers) -> None:
        self.numbers = numbers
        self._generators = generators
        self._powers: dict[int, list[Any]] = {}

    def __call__(self, polynomial: Polynomials) -> Any:
        """Returns the value of a polynomial, the sum of its terms."""
        total: Any = self.numbers.rational(Fraction(0))
        for powers, c in polynomial.powers():
            product: Any = self.numbers.rational(c)
            for place, exponent in powers.items():
                product = product * self.power(place, exponent)
            total = total + product
        return total

    def power(self, place: int, exponent: int) -> Any:
        """Returns a power of the variable at a place among the ring's generators; the exponent is at least one."""
        if place not in self._powers:
            self._powers[place] = [self._generators[place].evaluate(self.numbers)]
        powers = self._powers[place]
        while len(powers) < exponent:
            powers.append(powers[-1] * powers[0])
        return powers[exponent - 1]
