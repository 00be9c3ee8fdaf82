"""Shows what each formula of an answer is read as, without judging it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError, Where, visible
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Told, say
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook.writing.short_sums import LONGEST_SHOWN
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Product, Quotient, Sum
from qddot.teach.check import templates
from qddot.teach.check.asked import missing, required_entries
from qddot.teach.check.checking import answer_of, limited, text_of
from qddot.teach.check.exact_arrays import entry_name, exact_array
from qddot.teach.check.judging.cases import check_shape, ring_for, rows_and_columns
from qddot.teach.check.judging.entry_forms import EntryForms
from qddot.teach.check.judging.judgement import entries_missing
from qddot.teach.check.reading.answer import EQUATION, Answer, Entry, Unread

TITLES = tuple(map(say, ("title-entry", "title-as-read", "title-where")))
OF_MOTION = Told(say("equation-of-motion"))


@record()
class ReadEntry:
    """This is what one formula is read as: the entry that it is for, and the formula in the arm's own symbols.

    value: the formula, or what is zero in an equation of motion
    answer, where: the written text, and its place
    """

    name: str
    value: Sum
    answer: str
    where: str
    is_zero: bool = False

    @property
    def formula(self) -> str:
        """Returns the formula as text."""
        written = Text().write(self.value)
        return f"0 = {written}" if self.is_zero else written

    def row(self) -> tuple[str, str, str]:
        """Returns a row below the TITLES."""
        return str(self.name), self.formula, Where(self.where).told()


@record()
class Preview:
    """A preview has what each formula of an answer is read as; it is true if all is read, and nothing is missing.

    notes: how names are read; unread: parts that cannot be judged; missing: the names of required entries without any
    formula, and thus of a template's empty slots
    """

    model: str
    entries: tuple[ReadEntry, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not (self.unread or self.missing)

    def remarks(self) -> list[str]:
        """Returns lines on what is not read, what is missing, and how names are read."""
        absent = [str(entries_missing(self.missing))] if self.missing else []
        return [*(each.sentence() for each in self.unread), *absent, *map(str, self.notes)]

    def text(self) -> str:
        """Returns the preview as lines of text."""
        rows = (each.row() for each in self.entries)
        read = [str(say("said-of", subject=where, said=f"{name} := {formula}")) for name, formula, where in rows]
        return "\n".join([*read, *self.remarks()])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<preview of {len(self.entries)} formulas for {self.model}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        return html.block(html.table(TITLES, [each.row() for each in self.entries]), html.notes(self.remarks()))

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns the preview as data for JSON."""
        names = ("name", "formula", "answer", "where")
        return {
            "model": self.model,
            "entries": [{name: getattr(each, name) for name in names} for each in self.entries],
            "notes": list(self.notes),
            "unread": [{"text": each.text, "where": each.where, "reason": each.reason} for each in self.unread],
            "missing": list(self.missing),
        }

    def to_json(self) -> str:
        """Returns the preview as JSON."""
        return json.dumps(self.as_json(), indent=2, ensure_ascii=False)


def preview(
    eq: Quantities,
    answer: Any,
    rename: Any = None,
    parts: Mapping[str, Any] | None = None,
    asked: str | Sequence[str] | None = None,
) -> Preview:
    """Returns what the formulas of an answer are read as; the arguments and errors are those of `check`."""

    def work() -> Preview:
        wanted = asked or templates.asked_in(text_of(answer))
        return preview_of(eq, lambda: answer_of(eq, answer, rename, parts or {}, wanted), wanted)

    return limited(eq, answer, work)


def preview_of(eq: Quantities, reading: Callable[[], Answer], asked: str | Sequence[str] | None = None) -> Preview:
    """Returns what the formulas of the answer that a function reads are read as."""
    required = {key: name for key, name in required_entries(eq, asked).items() if key[0] != EQUATION}
    try:
        read = reading()
    except ExpressionError as error:
        unread = Unread.because(Told(say("the-answer")), error.where, error)
        return Preview(eq.model.name, (), (), (unread,), tuple(required.values()))
    arrays = {name: exact_array(eq, name) for name in read.entries}
    for name, array in arrays.items():
        check_shape(name, array, read)
    forms = EntryForms(eq.dynamics.mechanism, ring_for(eq, read, arrays))
    answered, entries = list(read.numbers), list[ReadEntry]()
    for name, array in arrays.items():
        places = rows_and_columns(array)
        for entry in read.entries[name]:
            place = places.get(entry.place, entry.place)
            is_plain = entry.balance is None and entry.exact is None
            title = entry_name(array, place) if is_plain else OF_MOTION
            value, is_zero = _formula(entry, forms), entry.balance is not None
            entries.append(ReadEntry(title, value, visible(entry.text), visible(entry.where), is_zero))
            answered.append((name, place))
    return Preview(eq.model.name, tuple(entries), read.guesses, read.unread, missing(eq, required, answered))


def _formula(entry: Entry, forms: EntryForms) -> Sum:
    """Returns an entry in the arm's symbols, and of an equation of motion the difference of its sides."""
    if entry.balance is not None:
        return _written(entry.balance, forms)
    top, bottom = (_written(part, forms) for part in entry.parts)
    return top if entry.denominator == 1 else Sum((Product(Fraction(1), ((Quotient(top, bottom), 1),)),))


def _written(value: Polynomial, forms: EntryForms) -> Sum:
    """Returns a polynomial as a person would write it, or all of its terms if these are many."""
    value = forms.ring.convert(value)
    return forms.written(value) if len(value) <= LONGEST_SHOWN else expanded(value)
