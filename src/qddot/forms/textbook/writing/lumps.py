"""Lumped constants are names for the factors of geometry and inertias before one trigonometric term."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from qddot.numbers.polynomials.exact import Polynomial, Ring

INERTIA, MOMENT, MASS, WEIGHT = "I", "mr", "m", "g"  # kg·m², kg·m, kg, and what gravity acts on
OF_LENGTHS = {2: INERTIA, 1: MOMENT, 0: MASS}  # by the power of a length beside the mass


class Constants:
    """This names coefficients; those that are numeric multiples of each other share a name.

    The names are I1, I2 … for inertias, mr1 … for first moments, m1 … for masses, g1 … for what gravity acts on.
    """

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = set(taken)
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._sizes: dict[str, set[Fraction]] = {}
        self.definitions: dict[str, Polynomial] = {}

    def lump(self, coefficient: Polynomial, kind: str) -> None:
        """Names a coefficient; a single symbol keeps its own name."""
        exponents, leading = next(coefficient.terms())
        if len(coefficient) > 1 or sum(exponents) > 1:
            name = self._name(coefficient / leading, kind)
            self._sizes.setdefault(name, set()).add(abs(leading))

    def take_in(self) -> None:
        """Makes a number part of a constant where each use of the constant has that number before it."""
        for name, sizes in self._sizes.items():
            if len(sizes) == 1:
                self.definitions[name] = self.definitions[name] * next(iter(sizes))

    def written(self, coefficient: Polynomial, ring: Ring) -> Polynomial:
        """Returns what is printed for a coefficient, in a ring with the constants' names."""
        _, leading = next(coefficient.terms())
        name = self._names.get(str((coefficient / leading).poly)) if self._names else None
        if name is None:
            return ring.convert(coefficient)
        _, size = next(self.definitions[name].terms())
        lump: Polynomial = ring.generator(name) * (leading / size)
        return lump

    def _name(self, value: Polynomial, kind: str) -> str:
        key = str(value.poly)
        if key not in self._names:
            name = self._names[key] = self._free(kind)
            self.definitions[name] = value
        return self._names[key]

    def _free(self, kind: str) -> str:
        """Returns the next name of a kind that nothing else has."""
        count = self._counts.get(kind, 0) + 1
        while f"{kind}{count}" in self._taken:
            count += 1
        self._counts[kind] = count
        return f"{kind}{count}"
