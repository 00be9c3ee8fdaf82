"""Lumped constants are names for coefficients of trigonometric terms, which depend on geometry and inertias."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import chain, count

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.exact.equations.quantity_names import letters
from qddot.exact.printing.notation import symbol

LETTERS = ("k", "kappa", "sigma")  # springs often have k


class Constants:
    """This names coefficients; those that are numeric multiples of each other share a name.

    The names are k1, k2 … in the order in which they occur. Another letter replaces k if names in use have it, so that
    no constant has the letter of a stiffness, of a quantity or of a step.
    """

    def __init__(self, names: Collection[str], own: Sequence[str] = ()) -> None:
        """names: those in use, which no constant gets; own: names of the first constants"""
        taken = letters() | {symbol(name).head for name in names}
        letter = next((each for each in LETTERS if each not in taken and each not in own), LETTERS[0])
        numbered = (name for k in count(1) if (name := f"{letter}{k}") not in names)
        self._free = chain((name for name in own if name not in taken), numbered)
        self._names: dict[PolynomialKey, str] = {}
        self._sizes: dict[str, set[Fraction]] = {}
        self.definitions: dict[str, Polynomial] = {}

    def lump(self, coefficient: Polynomial) -> None:
        """Names a coefficient; a single symbol keeps its own name."""
        exponents, leading = next(coefficient.terms())
        if len(coefficient) > 1 or sum(exponents) > 1:
            name = self._name(coefficient / leading)
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

    def _name(self, value: Polynomial) -> str:
        key = PolynomialKey(value.poly)
        if key not in self._names:
            name = self._names[key] = next(self._free)
            self.definitions[name] = value
        return self._names[key]
