"""Lumped constants are names for coefficients of trigonometric terms, which depend on geometry and inertias."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.keys import PolynomialKey

INERTIA, MOMENT, MASS, WEIGHT = "I", "mr", "m", "g"  # kg·m², kg·m, kg, and coefficients in gravity torques
OF_LENGTHS = {2: INERTIA, 1: MOMENT, 0: MASS}  # by the power of length in the unit


class Constants:
    """This names coefficients; those that are numeric multiples of each other share a name.

    The names are I1, I2 … for inertias, mr1 … for first moments, m1 … for masses, g1 … for coefficients in gravity
    torques.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names_in_use = set(names)
        self._names: dict[PolynomialKey, str] = {}
        self._counts: dict[str, int] = {}
        self._sizes: dict[str, set[Fraction]] = {}
        self.definitions: dict[str, Polynomial] = {}

    def lump(self, coefficient: Polynomial, kind: str) -> None:
        """Names a coefficient; a single symbol keeps its own name."""
        exponents, leading = next(coefficient.terms())
        if len(coefficient) > 1 or sum(exponents) > 1:
            name = self._name(coefficient / leading, kind)
            self._sizes.setdefault(name, set()).add(abs(leading))

    def absorb_numbers(self) -> None:
        """Moves a number into a constant if it multiplies the constant in each of its uses."""
        for name, sizes in self._sizes.items():
            if len(sizes) == 1:
                self.definitions[name] = self.definitions[name] * next(iter(sizes))

    def written(self, coefficient: Polynomial, ring: Ring) -> Polynomial:
        """Returns the printed polynomial for a coefficient, in a ring with the constants' names."""
        _, leading = next(coefficient.terms())
        name = self._names.get(PolynomialKey((coefficient / leading).poly)) if self._names else None
        if name is None:
            return ring.convert(coefficient)
        _, size = next(self.definitions[name].terms())
        lump: Polynomial = ring.generator(name) * (leading / size)
        return lump

    def _name(self, value: Polynomial, kind: str) -> str:
        key = PolynomialKey(value.poly)
        if key not in self._names:
            name = self._names[key] = self._free(kind)
            self.definitions[name] = value
        return self._names[key]

    def _free(self, kind: str) -> str:
        """Returns the next free name of a kind."""
        count = self._counts.get(kind, 0) + 1
        while f"{kind}{count}" in self._names_in_use:
            count += 1
        self._counts[kind] = count
        return f"{kind}{count}"
