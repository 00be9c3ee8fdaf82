"""A confusion is a change of a description that people make without noticing, with the sentence that names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Confusion(Generic[T]):
    """A confusion turns what is right into what is wrong.

    name: short and stable; the comparison has it as the cause of a finding, the checker as the kind of a mistake
    sentence: what was done, where {of} stands for " of link 2", and other slots for words
    change: what it makes of what is right
    undo: the way back from what is wrong, or None where nothing leads back
    words: those of the sentence that are known
    """

    name: str
    sentence: str
    change: Callable[[T], T]
    undo: Callable[[T], T] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def undone(self, wrong: T) -> T:
        """Returns what is right. raises AssertionError: nothing leads back"""
        assert self.undo is not None
        return self.undo(wrong)

    def said(self, of: str = "", **words: str) -> str:
        """Returns the sentence about one link or joint (" of link 2"), or about all that was changed."""
        return self.sentence.format(of=of, **{**self.words, **words})


def itself(name: str, sentence: str, change: Callable[[T], T]) -> Confusion[T]:
    """Returns a confusion that undoes itself where it happens twice."""
    return Confusion(name, sentence, change, change)
