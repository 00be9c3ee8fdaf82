"""An answer is somebody's own derivation as it was read: its entries in exact numbers, each with its place."""

from __future__ import annotations

from typing import NamedTuple

from qddot.numbers.polynomials.exact import Polynomial, Ring

Place = tuple[int, ...]


class Entry(NamedTuple):
    """An entry is one expression of an answer: numerator over denominator, whose variables are constants alone.

    place: indices from 0, () of a scalar; text: what was written; where: "line 3, column 7"
    """

    place: Place
    numerator: Polynomial
    denominator: Polynomial
    text: str
    where: str


class Answer(NamedTuple):
    """An answer has the entries of each quantity that it gives, by the quantity's name in the equations.

    Each claim is an entry: a place that is written twice, as in M12 = a = b, has two.
    shapes: those of the whole quantities; guesses: sentences that say what was taken for what, and why;
    ring: that of all entries
    """

    entries: dict[str, tuple[Entry, ...]]
    shapes: dict[str, tuple[int, ...]]
    guesses: tuple[str, ...]
    ring: Ring
