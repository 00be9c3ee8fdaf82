"""An answer is a user's derivation after reading: its entries in exact numbers, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import QddotError, Where, visible
from qddot.base.words.message import Message, Told, Words, say

Place = tuple[int, ...]
EQUATION = "equations"  # the name of the equations of motion, in place of that of a quantity


class Entry(NamedTuple):
    """An entry is one expression of an answer: numerator over denominator.

    place: indices from 0; () for a scalar, or before the quantity is known
    text: what was written; where: "line 3, column 7"
    rounded: returns, for each of the entry's decimals, by how much numerator and denominator change if it is increased
    by half a unit in the last place, or None if that takes too long; None without decimals
    balance: for an equation of motion, the difference of its sides times a denominator; else None
    exact: what the entry should be if that is not the quantity's own entry, as in an equation solved for q̈
    """

    place: Place
    numerator: Polynomial
    denominator: Polynomial
    text: str
    where: str
    rounded: Callable[[], list[tuple[Polynomial, Polynomial]] | None] | None = None
    balance: Polynomial | None = None
    exact: Polynomial | None = None

    @property
    def parts(self) -> tuple[Polynomial, Polynomial]:
        """Returns the numerator and the denominator."""
        return self.numerator, self.denominator

    @property
    def kinds(self) -> set[str]:
        """Returns the kinds of its variables: "symbol", "q", "qd", "qdd", "cos" and "sin"."""
        return {generator.kind for part in self.parts for generator in part.generators()}


class NumberInState(NamedTuple):
    """This is a number of an answer for an entry in the answer's own state, beside the exact one.

    in_degrees: the number that results if degrees are taken as radians; scale: the sum of the sizes of all terms
    state: the numbers of coordinates, rates and accelerations by name
    """

    quantity: str
    place: Place
    yours: float
    exact: float
    in_degrees: float
    scale: float
    state: Mapping[str, str]
    text: str
    where: str


class Unread(NamedTuple):
    """This is a part of an answer that was not judged: its text, its place, and why.

    doubt: why it was not judged though it was read; error: the error with which its reading ended
    """

    text: str
    where: str
    doubt: Words
    error: QddotError | None = None

    @classmethod
    def because(cls, text: str, where: str, error: QddotError) -> Unread:
        """Returns the part whose reading ended with an error."""
        return cls(text, where, "", error)

    @property
    def reason(self) -> str:
        """The reason with a remedy, in the language in use."""
        if self.error is None:
            return str(self.doubt)
        found, expected, remedy = self.error.parts()
        if not remedy:
            return str(say("unread-because", found=found, expected=expected))
        return str(say("unread-with-remedy", found=found, expected=expected, remedy=remedy))

    def sentence(self) -> str:
        """Returns it as a sentence without control characters, which an answer may contain."""
        return visible(str(say("part-not-judged", text=self.text, where=Where(self.where), reason=self.reason)))


class Notes:
    """These are sentences about how an answer is read, each once, in the order in which they are added."""

    def __init__(self) -> None:
        self._sentences: dict[Told, None] = {}

    def add(self, message: Message) -> None:
        """Adds a message, without control characters, which an answer may contain."""
        slots = {name: visible(slot) if isinstance(slot, str) else slot for name, slot in message.slots.items()}
        if where := slots.get("where"):
            slots["where"] = Where(where)
        self._sentences[Told(Message(message.key, slots))] = None

    def all(self) -> tuple[Told, ...]:
        return tuple(self._sentences)


class Answer(NamedTuple):
    """An answer has the entries of each quantity that it gives, by the quantity's name in the equations.

    Each claim is an entry: a place that is written twice, as in M12 = a = b, has two.
    shapes: those of the whole quantities; guesses: sentences about how names were interpreted, and why;
    ring: that of all entries; unread: parts of the answer that are not judged
    values: the numbers that the answer gives for symbols, in SI units
    unconverted: the written numbers of values in another unit, such as 350 for 350 mm
    opaque: the angles whose cosines and sines are symbols of the ring, such as 180/π q1, by the angles' names
    guessed: the quantities that are read from letters with other meanings, such as V
    numbers: in an answer without formulas, the entries of which it gives numbers in its state, right or wrong
    wrong_numbers: the numbers in its state that are wrong
    has_state: whether it gives numbers for coordinates or rates
    assumed_drive: the joint, from 0, at which the only torque is assumed to act because the answer does not say where
    """

    entries: dict[str, tuple[Entry, ...]]
    shapes: dict[str, tuple[int, ...]]
    guesses: tuple[str, ...]
    ring: Ring
    unread: tuple[Unread, ...] = ()
    values: Mapping[str, Fraction] = {}
    unconverted: Mapping[str, Fraction] = {}
    opaque: Mapping[str, Angle] = {}
    guessed: frozenset[str] = frozenset()
    numbers: frozenset[tuple[str, Place]] = frozenset()
    wrong_numbers: tuple[NumberInState, ...] = ()
    has_state: bool = False
    assumed_drive: int | None = None
