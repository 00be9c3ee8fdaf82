"""Keeps sums of terms that are not in normal form, so that equal ones may look different."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Never

from qddot.algebra.numbers.polynomials.exact import Ring, Term, Terms
from qddot.algebra.numbers.rationals import in_flint
from qddot.base.errors import ExactnessError


class Unreduced(Terms):
    """An unreduced sum keeps its terms: squares of sines stay, and angles may be sums of others.

    Equal ones may have different terms, so that `==` is an error. Sums and products are expanded, but not reduced.
    """

    __slots__ = ()

    @classmethod
    def of(cls, ring: Ring, terms: Iterable[Term]) -> Unreduced:
        """Returns the sum of these terms, unchanged."""
        return cls(ring, ring.poly_of(terms))

    @classmethod
    def over(cls, ring: Ring, value: Terms) -> Unreduced:
        """Returns terms of a ring with fewer variables in this one, unchanged."""
        return cls(ring, value.poly if value.ring is ring else value.poly.project_to_context(ring.context))

    @classmethod
    def sum(cls, ring: Ring, products: Iterable[tuple[Terms, Mapping[str, int]]]) -> Unreduced:
        """Returns the sum of coefficients times powers of generators (by their keys), multiplied out."""
        total = ring.context.constant(0)
        for coefficient, exponents in products:
            powers = (ring.generator(key).poly ** e for key, e in exponents.items())
            total = total + math.prod(powers, start=coefficient.poly)
        return cls(ring, total)

    def __add__(self, other: Any) -> Unreduced:
        return Unreduced(self.ring, self.poly + _poly(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Unreduced:
        return Unreduced(self.ring, self.poly - _poly(other))

    def __mul__(self, other: Any) -> Any:
        if other.__class__ is int and other in (0, 1):
            return self if other else 0
        return Unreduced(self.ring, self.poly * _poly(other))

    __rmul__ = __mul__

    def __truediv__(self, number: int | Fraction) -> Unreduced:
        return Unreduced(self.ring, self.poly / in_flint(number))

    def __eq__(self, other: object) -> Never:
        raise ExactnessError("unreduced-sums-compared")

    __hash__ = None  # type: ignore[assignment]


def _poly(value: Any) -> Any:
    """Returns a number, or the terms of a ring, as FLINT takes them."""
    return value.poly if isinstance(value, Terms) else in_flint(value)
