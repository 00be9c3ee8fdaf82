"""A mistake is a tested hypothesis: its sentence, and the entries of the answer that it explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from qddot.base.records import record
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Sum
from qddot.teach.check.judging.mistake_words import sentence

Word: TypeAlias = "str | Sum"
Name: TypeAlias = tuple[str, tuple[int, ...]]  # a quantity and a place in it


@record()
class Mistake:
    """A mistake explains some wrong entries: the right derivation with this mistake has exactly these entries.

    kind: a key of the catalogue of sentences; words: names and formulas in its sentence
    explains: the entries that it explains; complete: whether it explains all wrong entries and contradicts no right one
    contradicts: the number of right entries that it would make wrong
    effort: the number of terms that must be named to describe it, 0 if it changes all that it can change
    partly: whether it explains its entries only together with other mistakes
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
        """Returns the mistake as an English sentence. formula: the function that writes formulas, by default as text"""
        write = formula or Text().write
        return sentence(
            self.kind, {key: word if isinstance(word, str) else write(word) for key, word in self.words.items()}
        )

    @property
    def identity(self) -> tuple[str, str]:
        """Returns a key that is equal for two instances of one mistake."""
        return self.kind, self.sentence()

    def as_json(self) -> dict[str, Any]:
        """Returns the mistake as data for JSON."""
        write = Text().write
        words = {key: word if isinstance(word, str) else write(word) for key, word in self.words.items()}
        return {"kind": self.kind, "sentence": self.sentence(), "words": words}
