"""Lumped constants are names for the factors of geometry and inertias before one trigonometric term."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from qddot.forms.textbook.angle_sums import Grouped, State
from qddot.numbers.exact import Polynomial, Ring

Terms: TypeAlias = dict[State, tuple[Fraction, str | Polynomial]]


class Constants:
    """This names coefficients; those that are numeric multiples of each other share a name.

    The names are I1, I2 … for inertia alone, and g1, g2 … with gravity.
    """

    def __init__(self, ring: Ring, gravity: set[str]) -> None:
        self._taken = set(ring.symbols) | set(ring.extra)
        self._gravity = gravity
        self._names: dict[str, str] = {}
        self._counts = {"I": 0, "g": 0}
        self.definitions: dict[str, Polynomial] = {}

    def lumped(self, group: Grouped) -> Terms:
        """Returns each coefficient as a number times a constant's name; a single symbol keeps its own name."""
        found: Terms = {}
        for state, value in group.items():
            leading = next(value.terms())[1]
            if len(value) == 1 and sum(next(value.terms())[0]) <= 1:
                found[state] = (Fraction(1), value)
            else:
                found[state] = (leading, self._name(value / leading))
        return found

    def take_in(self, entries: Iterable[Terms]) -> None:
        """Moves a number into a constant if it stands before that constant wherever that occurs."""
        uses: dict[str, list[tuple[Terms, State]]] = {}
        for entry in entries:
            for state, (_, constant) in entry.items():
                if isinstance(constant, str):
                    uses.setdefault(constant, []).append((entry, state))
        for name, places in uses.items():
            sizes = {abs(entry[state][0]) for entry, state in places}
            if len(sizes) == 1 and (size := sizes.pop()) != 1:
                self.definitions[name] = self.definitions[name] * size
                for entry, state in places:
                    entry[state] = (entry[state][0] / size, name)

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
