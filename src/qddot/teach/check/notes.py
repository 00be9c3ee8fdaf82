"""Writes a note to a student about an answer; the level of hints limits what it reveals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qddot.base.errors import QddotError, Where, visible
from qddot.base.words.language import ENGLISH, languages, speaking
from qddot.base.words.message import Listed, Message, say
from qddot.exact.printing.text import Text
from qddot.teach.check.asked_numbers import MarkedNumber
from qddot.teach.check.judging.judgement import Judged, Judgement
from qddot.teach.check.rubric import Marks

LEVELS = (1, 2, 3)
MOST_LISTED = 12
SINES = ("sine for cosine", "cosine for sine", "sine and cosine exchanged")
KINDS = {
    ("sign",): say("kind-sign"),
    ("units",): say("kind-units"),
    ("half", "double", "factor", "number"): say("kind-number"),
    ("lost", "parallel axis", "brackets lost"): say("kind-lost"),
    ("extra",): say("kind-extra"),
    SINES: say("kind-sine"),
    ("angle not summed", "angle summed", "another angle"): say("kind-angle"),
    ("square lost",): say("kind-square"),
    ("factor lost", "factor extra"): say("kind-factor"),
    ("transposed", "swapped", "misplaced", "repeated name"): say("kind-place"),
    ("rates lost", "rate for acceleration", "rate", "rates exchanged"): say("kind-rates"),
    ("carried",): say("kind-carried"),
}


class Note(NamedTuple):
    """A note is about a judgement, or about the reason why an answer cannot be read.

    hints: 1 names the wrong entries, 2 also the kinds of mistakes, 3 also says what they should be
    numbers: those that are wrong or missing
    """

    judgement: Judgement | None
    error: str
    marks: Marks | None
    hints: int
    numbers: tuple[MarkedNumber, ...] = ()

    def text(self, lang: str = ENGLISH) -> str:
        """Returns the note, first in English, then in the other languages. lang: another one for this alone

        raises QddotError: another number of hints
        """
        texts = []
        for each in languages() if lang == ENGLISH else (lang,):
            with speaking(each):
                texts.append(self.told())
        return "\n\n".join(texts)

    def told(self) -> str:
        """Returns the note in the language in use; raises QddotError for another number of hints."""
        if self.hints not in LEVELS:
            raise QddotError("hints-unknown", hints=self.hints)
        return "\n".join(map(str, self._lines()))

    def _lines(self) -> Iterator[Message]:
        if self.marks is not None:
            yield say("note-points", points=f"{self.marks.points:g}", most=f"{self.marks.most:g}")
            if self.marks.by_hand:
                yield say("note-by-hand", count=self.marks.by_hand)
        judged = self.judgement
        if judged is None:
            yield say("note-unreadable", error=self.error)
            return
        if judged and not self.numbers:
            yield say("note-all-right")
        elif not judged.wrong and judged.entries:
            yield say("note-judged-right")
        yield from map(self._entry, judged.wrong[:MOST_LISTED])
        if len(judged.wrong) > MOST_LISTED:
            yield say("note-more", more=len(judged.wrong) - MOST_LISTED)
        for unread in judged.unread[:MOST_LISTED]:
            yield say("note-not-judged", text=visible(unread.text)[:80], where=_line(unread.where))
        if judged.missing:
            yield say("note-missing", names=Listed(judged.missing))
        if self.numbers:
            exact = self.hints == LEVELS[-1]
            names = (f"{each.name} = {each.asked.value:.6g}" if exact else each.name for each in self.numbers)
            yield say("note-numbers", names=Listed(names))

    def _entry(self, entry: Judged) -> Message:
        where = _line(entry.where)
        if self.hints == 1:
            return say("note-entry", name=entry.name, where=where)
        said = say("note-entry-kind", name=entry.name, where=where, kind=kind_of(entry))
        if self.hints == 2 or entry.exact is None:
            return said
        return say("note-entry-exact", said=said, exact=Text().write(entry.exact))


def _line(where: str) -> Where:
    """Returns a place without the folder of its file."""
    return Where(where.rpartition("/")[2])


def kind_of(entry: Judged) -> Message:
    """Returns the likeliest kind of mistake in an entry, without a formula."""
    if not entry.mistakes:
        return say("kind-several")
    kind = entry.mistakes[0].kind
    return next((said for kinds, said in KINDS.items() if kind in kinds), say("kind-other"))
