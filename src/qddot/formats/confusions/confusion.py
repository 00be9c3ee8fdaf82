"""A confusion is a change of a description that people make without noticing, with the sentence that names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Confusion(Generic[T]):
    """A confusion turns right data into wrong data.

    name: short and stable; it is the cause of a comparison's finding, and the kind of a mistake in the checker
    sentence: the change in words, with slots such as {of} for " of link 2"
    change: the function from the right data to the wrong data
    undo: the function from the wrong data to the right data, or None if there is none
    words: contents of the sentence's slots that are already known
    """

    name: str
    sentence: str
    change: Callable[[T], T]
    undo: Callable[[T], T] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def undone(self, wrong: T) -> T:
        """Returns the right data. raises AssertionError: the confusion has no inverse"""
        assert self.undo is not None
        return self.undo(wrong)

    def said(self, of: str = "", **words: str) -> str:
        """Returns the sentence about one link or joint (of=" of link 2"), or without a place."""
        return self.sentence.format(of=of, **{**self.words, **words})


def itself(name: str, sentence: str, change: Callable[[T], T]) -> Confusion[T]:
    """Returns a confusion that is its own inverse."""
    return Confusion(name, sentence, change, change)
