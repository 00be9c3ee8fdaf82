"""A confusion is a change of a description that people make without noticing, and a message names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Generic, TypeVar

from qddot.base.records import record
from qddot.base.words.message import Message, Words

T = TypeVar("T")


@record()
class Confusion(Generic[T]):
    """A confusion turns right data into wrong data.

    name: short and stable; it is the cause of a comparison's finding, and the kind of a mistake in the checker
    change: the function from the right data to the wrong data
    undo: the function from the wrong data to the right data, or None if there is none
    words: the slots of its sentence that are already known
    """

    name: str
    change: Callable[[T], T]
    undo: Callable[[T], T] | None = None
    words: Mapping[str, Words] = field(default_factory=dict)

    def undone(self, wrong: T) -> T:
        """Returns the right data. raises AssertionError: the confusion has no inverse"""
        assert self.undo is not None
        return self.undo(wrong)

    def said(self, **slots: Any) -> Message:
        """Returns the sentence that names it. slots: among them `link` if it is about one link or joint"""
        return named(self.name, {**self.words, **slots})


def named(name: str, slots: Mapping[str, Any]) -> Message:
    """Returns the sentence that names a confusion or another mistake."""
    return Message(f"mistake-{name.lower().replace(' ', '-')}", slots)


def itself(name: str, change: Callable[[T], T]) -> Confusion[T]:
    """Returns a confusion that is its own inverse."""
    return Confusion(name, change, change)


UNITS: dict[str, dict[float, str]] = {  # the factors on the wrong numbers, and the units that were exchanged
    "mass": {1e3: "g for kg", 1e-3: "kg for g", 1 / 0.45359237: "lb for kg", 0.45359237: "kg for lb"},
    "length": {1e3: "mm for m", 1e-3: "m for mm", 100: "cm for m", 0.01: "m for cm", 1 / 0.0254: "in for m"},
    "tensor": {
        1e3: "g·m² for kg·m²",
        1e4: "kg·cm² for kg·m²",
        1e6: "kg·mm² for kg·m²",
        1e7: "g·cm² for kg·m²",
        1e9: "g·mm² for kg·m²",
        1e-3: "kg·m² for g·m²",
        1e-6: "kg·m² for kg·mm²",
        1e-9: "kg·m² for g·mm²",
        10: "",
        0.1: "",
    },
}
SAME_FACTOR = 1e-3


def known_unit(factor: float, kind: str) -> tuple[float, str] | None:
    """Returns the exact factor and its words, or None if no change of units has this factor."""
    units = [(size, words) for size, words in UNITS[kind].items() if abs(factor / size - 1) < SAME_FACTOR]
    return units[0] if units else None
