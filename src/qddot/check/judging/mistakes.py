"""A mistake is a hypothesis that was tried: what it says, and which entries of the answer it explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from qddot.check.judging.mistake_words import sentence
from qddot.printing.text import Text
from qddot.printing.tree import Sum

Word: TypeAlias = "str | Sum"
Name: TypeAlias = tuple[str, tuple[int, ...]]  # a quantity and a place in it


@dataclass(frozen=True)
class Mistake:
    """A mistake explains what stands in some entries; planted in the right derivation it gives exactly those entries.

    kind: a key of the catalogue of sentences; words: what its sentence is about, names or formulas
    explains: the entries that it explains; complete: whether these are all that are wrong, and none that is right
    contradicts: how many right entries would be wrong by it, too
    effort: how many terms it takes to say where it is; partly: whether it explains its entries with others alone
    """

    kind: str
    words: Mapping[str, Word] = field(default_factory=dict)
    explains: tuple[Name, ...] = ()
    complete: bool = False
    contradicts: int = 0
    effort: int = 0
    partly: bool = False

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, formula: Callable[[Sum], str] | None = None) -> str:
        """Returns what the mistake is in plain English. formula: how formulas are written, by default as text"""
        write = formula or Text().write
        return sentence(
            self.kind, {key: word if isinstance(word, str) else write(word) for key, word in self.words.items()}
        )

    @property
    def said(self) -> tuple[str, str]:
        """Returns what makes two mistakes the same one, wherever they are found."""
        return self.kind, self.sentence()

    def as_json(self) -> dict[str, Any]:
        """Returns the mistake as data for JSON."""
        write = Text().write
        words = {key: word if isinstance(word, str) else write(word) for key, word in self.words.items()}
        return {"kind": self.kind, "sentence": self.sentence(), "words": words}
