"""An answer is somebody's own derivation as it was read: its entries in exact numbers, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.errors import visible
from qddot.numbers.polynomials.exact import Polynomial, Ring

Place = tuple[int, ...]


class Entry(NamedTuple):
    """An entry is one expression of an answer: numerator over denominator.

    place: indices from 0, () of a scalar; text: what was written; where: "line 3, column 7"
    rounded: gives the numerators and denominators that the entry has if one of its decimals is a half unit of its
    last place larger; None without decimals
    balance: of an equation of motion what stands on one side less the other, times a denominator, else None
    """

    place: Place
    numerator: Polynomial
    denominator: Polynomial
    text: str
    where: str
    rounded: Callable[[], list[tuple[Polynomial, Polynomial]]] | None = None
    balance: Polynomial | None = None


class Unread(NamedTuple):
    """What stands in an answer and was not judged: its text, its place, and the reason, with what to do."""

    text: str
    where: str
    reason: str

    def sentence(self) -> str:
        """Returns it as a sentence that a terminal only shows, whatever the answer has."""
        return visible(f"not read: {self.text} ({self.where}): {self.reason}")


class Answer(NamedTuple):
    """An answer has the entries of each quantity that it gives, by the quantity's name in the equations.

    Each claim is an entry: a place that is written twice, as in M12 = a = b, has two.
    shapes: those of the whole quantities; guesses: sentences that say what was taken for what, and why;
    ring: that of all entries; unread: what is there and is not judged
    values: the numbers that the answer gives for symbols, in SI units
    unconverted: the numbers as they are written of those that have another unit, as 350 of 350 mm
    """

    entries: dict[str, tuple[Entry, ...]]
    shapes: dict[str, tuple[int, ...]]
    guesses: tuple[str, ...]
    ring: Ring
    unread: tuple[Unread, ...] = ()
    values: Mapping[str, Fraction] = {}
    unconverted: Mapping[str, Fraction] = {}
