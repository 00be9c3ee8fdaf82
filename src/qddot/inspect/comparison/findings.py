"""A finding of a comparison has a cause by name, where it acts, and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, degrees, floor, log10
from typing import Any

import numpy as np

from qddot.base.errors import few
from qddot.base.records import record
from qddot.base.words.message import Message, Told, Words, say
from qddot.formats.confusions.confusion import Confusion, known_unit
from qddot.inspect.comparison.places import Array, Place
from qddot.robot.notes import note


@record()
class Finding:
    """A finding has a short and stable cause, a sentence without the places, and the links or joints, if any."""

    cause: str
    text: str
    where: tuple[str, ...] = ()
    everywhere: bool = False

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """The sentence with the places."""
        if not self.where:
            return self.text
        names = say("all-affected-links") if self.everywhere else few(self.where)
        return Told(say("note-at", place=names, note=self.text))


def in_a(confusion: Confusion[Any], **words: Words) -> str:
    return note("in-a", what=confusion.said(**words))


def in_b(confusion: Confusion[Any], **words: Words) -> str:
    return note("in-b", what=confusion.said(**words))


def times(factor: float, kind: str) -> str:
    """Returns a factor as text, exactly if it is a change of units."""
    unit = known_unit(factor, kind)
    return short(unit[0] if unit else factor)


def units(factor: float, kind: str) -> Words:
    """Returns which units were exchanged if a factor says so, such as " (g for kg)"."""
    unit = known_unit(factor, kind)
    if not unit or not unit[1]:
        return ""
    wrong, _, right = unit[1].partition(" for ")
    return say("units-exchanged", wrong=wrong, right=right)


def short(number: float, digits: int = 6) -> str:
    return f"{round(number, 12) + 0.0:.{digits}g}"


def vector_text(values: Iterable[float], digits: int = 4) -> str:
    """Returns "(0.1, 0, 0)"; an entry below a hundred-thousandth of the largest is written as 0."""
    numbers = list(values)
    least = 1e-5 * max(map(abs, numbers), default=0.0)
    return "(" + ", ".join(short(0.0 if abs(number) < least else number, digits) for number in numbers) + ")"


def displaced(place: Place, least_way: float, least_angle: float) -> dict[str, Message]:
    """Returns by how much a displacement moves and turns, with the keys "moved" and "turned"."""
    axis, angle = place.turn()
    words = {"moved": say("moved-by", vector=vector_text(place.p))} if np.abs(place.p).max() > least_way else {}
    if abs(angle) > least_angle:
        words["turned"] = say("turned-by", angle=short(degrees(angle), 7), axis=vector_text(axis))
    return words


def rounded_digits(x: Sequence[float] | Array, y: Sequence[float] | Array) -> int | None:
    """Returns to how many digits of the largest number one list is the other rounded; None if it is not.

    Either each number is the other's rounded to the decimals of the shorter one, or they agree to four digits.
    """
    one, other = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    largest, gap = float(np.abs([one, other]).max()), float(np.abs(one - other).max())
    if not gap or not largest:
        return None
    digits = floor(-log10(2 * gap / largest) + 1e-6)
    rounded = digits >= 2 and all(
        _is_rounding(p, q, largest) for p, q in zip(one.tolist(), other.tolist(), strict=True)
    )
    return digits if rounded or digits >= 4 else None


def _is_rounding(p: float, q: float, largest: float) -> bool:
    if abs(p - q) <= 1e-9 * largest:
        return True
    decimals = min(_decimals(p), _decimals(q))
    coarse = 10.0**-decimals
    return abs(p - q) <= 0.5 * coarse * (1 + 1e-6) and coarse <= 10 ** ceil(log10(largest)) / 50


def _decimals(number: float) -> int:
    """Returns the number of decimals of a number as people write it, without rounding errors."""
    text = f"{round(number, 12):.12f}".rstrip("0")
    return len(text.split(".")[1])
