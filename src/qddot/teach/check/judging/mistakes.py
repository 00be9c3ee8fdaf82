"""A mistake is a tested hypothesis: its kind, and the entries of the answer that it explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from qddot.base.records import record
from qddot.base.words.language import ENGLISH, in_english
from qddot.base.words.message import Told, Words
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Sum
from qddot.formats.confusions.confusion import named

Word: TypeAlias = Words | Sum
Name: TypeAlias = tuple[str, tuple[int, ...]]  # a quantity and a place in it
KINDS = (  # the most common mistakes first
    "units",
    "gravity sign",
    "missing armature",
    "missing springs and friction",
    "missing damping and friction",
    "missing springs",
    "missing damping",
    "missing friction",
    "standard or modified DH",
    "half",
    "double",
    "inertia about the origin",
    "inertia about the centre of mass",
    "sign of products",
    "inertia times mass",
    "transposed",
    "rates lost",
    "swapped",
    "sign",
    "sine for cosine",
    "cosine for sine",
    "angle not summed",
    "mass",
    "rate not summed",
    "brackets lost",
    "parallel axis",
    "missing inertia",
    "lost",
    "square lost",
    "rate for acceleration",
    "angle summed",
    "symbol",
    "factor lost",
    "rate",
    "acceleration",
    "mass of another link",
    "masses exchanged",
    "link masses exchanged",
    "symbols exchanged",
    "sine and cosine exchanged",
    "another angle",
    "rates exchanged",
    "accelerations exchanged",
    "direction of gravity",
    "missing gravity",
    "missing mass",
    "missing centre of mass",
    "products missing",
    "permuted inertia axes",
    "axis reversed",
    "repeated name",
    "misplaced",
    "angles in degrees",
    "factor extra",
    "number",
    "factor",
    "extra",
    "carried",
)


@record()
class Mistake:
    """A mistake explains some wrong entries: the right derivation with this mistake has exactly these entries.

    kind: one of KINDS; words: names and formulas in its sentence
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
        return self.sentence().told()

    def sentence(self, formula: Callable[[Sum], str] | None = None) -> Told:
        """Returns the mistake as a sentence. formula: the function that writes formulas, by default as text"""
        return Told(named(self.kind, self._slots(formula or Text().write)))

    def _slots(self, write: Callable[[Sum], str]) -> dict[str, Words]:
        return {key: write(word) if isinstance(word, Sum) else word for key, word in self.words.items()}

    @property
    def identity(self) -> tuple[str, str]:
        """Returns a key that is equal for two instances of one mistake."""
        return self.kind, self.sentence().told(ENGLISH)

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns the mistake as data for JSON."""
        words = {key: str(word) for key, word in self._slots(Text().write).items()}
        return {"kind": self.kind, "sentence": str(self.sentence()), "words": words}
