"""A judgement says whether each entry of a derivation is equal, and otherwise how it differs and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

from qddot.base.errors import Where, visible
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Message, Words, say
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Sum
from qddot.teach.check.judging.cases import DIFFERENT, EQUAL, ROUNDED, UNDECIDED, VALID, VERIFIED, Case, Witness
from qddot.teach.check.judging.lines import Consequence
from qddot.teach.check.judging.mistakes import Mistake
from qddot.teach.check.judging.ranking import Explanation
from qddot.teach.check.reading.answer import Unread

WHY_RIGHT = {
    EQUAL: say("right-equal"),
    VERIFIED: say("right-verified"),
    ROUNDED: say("right-rounded"),
    VALID: say("right-valid"),
}
VERDICTS = {
    EQUAL: say("verdict-equal"),
    VERIFIED: say("verdict-verified"),
    ROUNDED: say("verdict-rounded"),
    VALID: say("verdict-valid"),
    DIFFERENT: say("verdict-different"),
    UNDECIDED: say("verdict-undecided"),
}
RIGHT = tuple(WHY_RIGHT)
MARKS = {EQUAL: "✓", VERIFIED: "≈", VALID: "≈", ROUNDED: "≈", DIFFERENT: "✗", UNDECIDED: "?"}
KEYS = ("title-entry", "title-verdict", "title-difference", "title-likeliest-mistake", "title-where")
TITLES: tuple[Words, ...] = ("", *map(say, KEYS))
MOST_EQUAL = 40  # the most entries that are listed in a line
MOST_NAMED = 6  # the most entries that are named with a mistake that explains them
FEWEST_DIGITS, MOST_DIGITS = 3, 17
MOST_STATE = 8  # the most values of a witness that are shown
PROVED, FALSE, BY_HAND = "right", "wrong", "by hand"  # the piles into which a marker sorts answers


@record()
class Judged:
    """This is the judgement of one entry.

    quantity, place, name: "M", (0, 1) and "M12"; verdict: a key of MARKS
    exact, difference: the right entry, and the answered one minus this if it is a polynomial; in short form
    witness: a state with both values there; mistakes: the likeliest first
    answer, where: the written text, and its place
    """

    quantity: str
    place: tuple[int, ...]
    name: str
    verdict: str
    answer: str = ""
    where: str = ""
    exact: Sum | None = None
    difference: Sum | None = None
    witness: Witness | None = None
    mistakes: tuple[Mistake, ...] = ()

    @classmethod
    def of(
        cls, case: Case, exact: Sum | None = None, difference: Sum | None = None, mistakes: tuple[Mistake, ...] = ()
    ) -> Judged:
        """Returns the judgement of a case."""
        entry = case.entry
        details = (
            visible(entry.text),
            visible(entry.where),
            exact,
            difference,
            case.witness if exact else None,
            mistakes,
        )
        return cls(case.quantity, case.place, case.name, case.verdict, *details)

    def row(self) -> tuple[str, str, str, str, str, str]:
        """Returns a row below the TITLES."""
        mistake = str(self.mistakes[0]) if self.mistakes else ""
        verdict, where = str(VERDICTS[self.verdict]), Where(self.where).told()
        return MARKS[self.verdict], self.name, verdict, _text(self.difference), mistake, where

    def lines(self) -> Iterator[str]:
        """Yields the lines about an entry that is not equal."""
        slots = {"mark": MARKS[self.verdict], "name": self.name, "verdict": VERDICTS[self.verdict]}
        yield str(Message("entry-judged", slots | ({"where": Where(self.where)} if self.where else {})))
        if self.difference is not None:
            yield f"    {say('yours-minus-exact', difference=_text(self.difference))}"
        if self.witness is not None:
            yield f"    {_differs('witness', self.witness)}"
        if self.mistakes:
            yield f"    {_joined('or-mistake', [each.sentence() for each in self.mistakes])}"

    def as_json(self) -> dict[str, Any]:
        """Returns the entry as data for JSON."""
        return {
            "entry": self.name,
            "quantity": self.quantity,
            "place": list(self.place),
            "verdict": self.verdict,
            "answer": self.answer,
            "where": self.where,
            "exact": _text(self.exact) or None,
            "difference": _text(self.difference) or None,
            "witness": self.witness._asdict() if self.witness else None,
            "mistakes": [mistake.as_json() for mistake in self.mistakes],
        }


@record()
class Judgement:
    """A judgement is true if all of a derivation was read, nothing required is missing, and every entry is right.

    entries: in the order of the answer; explanations: mistakes that explain the wrong entries, the likeliest first
    consequences: the joints whose equations a wrong L, K, P or M makes wrong; notes: guesses, and accepted choices
    unread: parts of the answer that were not judged; missing: the names of required entries that are missing
    asked: the required quantities and places; has_numbers: whether numbers in a state were compared
    """

    model: str
    entries: tuple[Judged, ...]
    explanations: tuple[Explanation, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    missing: tuple[str, ...] = ()
    asked: tuple[tuple[str, tuple[int, ...]], ...] = ()
    has_numbers: bool = False

    def __bool__(self) -> bool:
        return not (self.wrong or self.unread or self.missing)

    @property
    def pile(self) -> str:
        """Returns "right" if all is proved, "wrong" if an entry differs or is missing, "by hand" if one must look."""
        if self:
            return PROVED
        is_missing = bool(self.missing) and not (self.wrong or self.unread)  # else it may be in what is not read
        return FALSE if is_missing or any(entry.verdict == DIFFERENT for entry in self.entries) else BY_HAND

    @property
    def wrong(self) -> tuple[Judged, ...]:
        """Returns the entries that are neither equal nor another valid choice."""
        return tuple(entry for entry in self.entries if entry.verdict in (DIFFERENT, UNDECIDED))

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Returns the likeliest mistake of each explanation."""
        return tuple(each.likeliest for each in self.explanations)

    def summary(self) -> list[str]:
        """Returns the verdict, then the notes, and the mistakes that explain the wrong entries."""
        lines = [str(say("said-of", subject=self.model, said=self._verdict()))]
        lines += [each.sentence() for each in self.unread]
        lines += [str(entries_missing(self.missing))] if self.missing else []
        lines += map(str, self.notes)
        for each in self.explanations:
            names = [entry.name for entry in self.wrong if (entry.quantity, entry.place) in each.likeliest.explains]
            partly = "explains-partly" if each.likeliest.partly else "explains"
            scope = "explains-all" if each.likeliest.complete else partly
            lines.append(
                f"• {Message(scope, {'mistake': each.likeliest.sentence(), 'names': _listed(names, MOST_NAMED)})}"
            )
            lines += [f"    {say('same-result', mistake=other.sentence())}" for other in each.alike]
        return [*lines, *(f"• {each.sentence()}" for each in self.consequences)]

    def _verdict(self) -> Message:
        """Returns how many entries are right, not judged and missing."""
        count, total = len(self.wrong), len(self.entries)
        if count:
            verdict = say("wrong-of-several", count=count, total=total) if total > 1 else say("wrong-of-one")
        elif self.unread or self.missing:
            verdict = say("right-in-part", count=total) if total else say("nothing-judged")
        elif not total:
            verdict = say("numbers-alone-right" if self.has_numbers else "no-formula")
        else:
            verdicts = {entry.verdict for entry in self.entries}
            why = _joined("right-or", [words for how, words in WHY_RIGHT.items() if how in verdicts])
            verdict = say("all-right", count=total, why=why)
        if self.unread:
            verdict = say("with-unread", verdict=verdict, count=len(self.unread))
        return say("with-missing", verdict=verdict, count=len(self.missing)) if self.missing else verdict

    def text(self) -> str:
        """Returns the whole judgement as lines of text."""
        lines = self.summary()
        for entry in self.entries:
            if entry.verdict != EQUAL:
                lines += ["", *entry.lines()]
        return "\n".join([*lines, *(["", self.equal_line] if self.equal_line else [])])

    def witnesses(self) -> list[str]:
        """Returns the states in which wrong entries differ."""
        wrong = ((entry.name, entry.witness) for entry in self.wrong if entry.witness)
        return [str(_differs("witness-of", witness, name=name)) for name, witness in wrong]

    @property
    def equal_line(self) -> str:
        """Returns a line with the entries that are proved equal, or nothing."""
        equal = [entry.name for entry in self.entries if entry.verdict == EQUAL]
        return f"{MARKS[EQUAL]} {say('entries-proved', names=_listed(equal, MOST_EQUAL))}" if equal else ""

    def __str__(self) -> str:
        return self.text()

    @in_english
    def __repr__(self) -> str:
        return f"<judgement of {self.summary()[0]}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        rows = [entry.row() for entry in self.entries]
        return html.block(html.lines(self.summary()), html.table(TITLES, rows), html.notes(self.witnesses()))

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns the judgement as data for JSON."""
        return {
            "equal": bool(self),
            "pile": self.pile,
            "model": self.model,
            "entries": [entry.as_json() for entry in self.entries],
            "explanations": [
                {
                    **each.likeliest.as_json(),
                    "complete": each.likeliest.complete,
                    "partly": each.likeliest.partly,
                    "entries": [e.name for e in self.entries if (e.quantity, e.place) in each.likeliest.explains],
                    "alike": [other.as_json() for other in each.alike],
                }
                for each in self.explanations
            ],
            "consequences": [
                {"of": each.of, "joints": list(each.joints), "first": each.first, "excess": _text(each.excess)}
                for each in self.consequences
            ],
            "notes": list(self.notes),
            "unread": [{"text": each.text, "where": each.where, "reason": each.reason} for each in self.unread],
            "missing": list(self.missing),
        }

    def to_json(self) -> str:
        """Returns the judgement as JSON that begins with `equal`."""
        return json.dumps(self.as_json(), indent=2, ensure_ascii=False)


def entries_missing(names: Iterable[str]) -> Message:
    """Returns the sentence on entries that are missing."""
    return say("entries-missing", names=Listed(names))


def _differs(key: str, witness: Witness, **slots: str) -> Message:
    values = [f"{name} = {value}" for name, value in witness.state.items()]
    more = ", …" if len(values) > MOST_STATE else ""
    at = ", ".join(values[:MOST_STATE]) + more
    yours, exact = _told_apart(witness.yours, witness.exact)
    return Message(key, {**slots, "state": at or say("every-state"), "yours": yours, "exact": exact})


def _told_apart(a: float, b: float) -> tuple[str, str]:
    """Returns two numbers with the fewest digits, three or more, that differ."""
    pairs = ((f"{a:.{digits}g}", f"{b:.{digits}g}") for digits in range(FEWEST_DIGITS, MOST_DIGITS))
    return next((pair for pair in pairs if pair[0] != pair[1]), (f"{a:.{MOST_DIGITS}g}", f"{b:.{MOST_DIGITS}g}"))


def _text(formula: Sum | None) -> str:
    return "" if formula is None else Text().write(formula)


def _listed(names: Sequence[str], most: int) -> Words:
    listed = Listed(names[:most])
    return say("few-names", names=listed, more=len(names) - most) if len(names) > most else listed


def _joined(key: str, messages: Iterable[Words]) -> Words:
    return reduce(lambda one, other: say(key, one=one, other=other), messages)
