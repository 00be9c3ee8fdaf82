"""Defines fractions as a kind of number for constants; irrational constants have the digits of a float."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import PI


class Fractions:
    """This kind of number turns constants into fractions.

    π, roots, sines and cosines become the shortest decimals that identify their floats.
    """

    def __init__(self, value_of: Callable[[str], Fraction]) -> None:
        """value_of: returns the value of the symbol with a given name"""
        self._value_of = value_of
        self._circular: dict[Angle, tuple[Fraction, Fraction]] = {}

    def rational(self, value: Fraction) -> Fraction:
        return value

    def symbol(self, name: str) -> Fraction:
        return digits(math.pi) if name == PI else self._value_of(name)

    def root(self, of: int) -> Fraction:
        return digits(math.sqrt(of))

    def circular(self, angle: Angle) -> tuple[Fraction, Fraction]:
        if angle not in self._circular:
            turned = angle.value({name: float(self._value_of(name)) for name, _ in angle.symbols})
            self._circular[angle] = digits(math.cos(turned)), digits(math.sin(turned))
        return self._circular[angle]


def digits(value: float) -> Fraction:
    """Returns the shortest decimal of a float as an exact number."""
    return Fraction(repr(value))
