"""Lumped constants are names for the factors of geometry and inertias before one trigonometric term."""

from __future__ import annotations

from fractions import Fraction

from qddot.forms.textbook.states import Coefficient
from qddot.numbers.exact import Polynomial, Ring


class Constants:
    """This names coefficients; those that are numeric multiples of each other share a name.

    The names are I1, I2 … for inertia alone, and g1, g2 … with gravity.
    """

    def __init__(self, ring: Ring, gravity: set[str]) -> None:
        self._taken = set(ring.symbols) | set(ring.extra)
        self._gravity = gravity
        self._names: dict[str, str] = {}
        self._counts = {"I": 0, "g": 0}
        self._lumps: dict[Coefficient, tuple[Fraction, str]] = {}
        self.definitions: dict[str, Polynomial] = {}

    def lump(self, coefficient: Coefficient) -> None:
        """Makes it a number times a constant's name; a single symbol keeps its own."""
        value = coefficient.polynomial
        exponents, leading = next(value.terms())
        if len(value) > 1 or sum(exponents) > 1:
            self._lumps[coefficient] = leading, self._name(value / leading)

    def take_in(self) -> None:
        """Moves a number into a constant if it stands before that constant wherever that occurs."""
        sizes: dict[str, set[Fraction]] = {}
        for factor, name in self._lumps.values():
            sizes.setdefault(name, set()).add(abs(factor))
        only = {name: size for name, (size, *others) in sizes.items() if not others}
        for name, size in only.items():
            self.definitions[name] = self.definitions[name] * size
        for coefficient, (factor, name) in self._lumps.items():
            self._lumps[coefficient] = factor / only.get(name, 1), name

    def written(self, coefficient: Coefficient, ring: Ring) -> Polynomial:
        """Returns what is printed for a coefficient, in a ring with the constants' names."""
        if coefficient not in self._lumps:
            return ring.convert(coefficient.polynomial)
        factor, name = self._lumps[coefficient]
        lump: Polynomial = ring.generator(name) * factor
        return lump

    def _name(self, value: Polynomial) -> str:
        key = str(value.poly)
        if key not in self._names:
            letter = "g" if self._gravity & set(value.variables()) else "I"
            self._counts[letter] += 1
            while f"{letter}{self._counts[letter]}" in self._taken:
                self._counts[letter] += 1
            name = self._names[key] = f"{letter}{self._counts[letter]}"
            self.definitions[name] = value
        return self._names[key]
