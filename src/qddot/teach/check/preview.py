"""Shows what each formula of an answer is read as, without judging it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError, visible
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook.writing.short_sums import LONGEST_SHOWN
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.text import Text
from qddot.teach.check import templates
from qddot.teach.check.asked import missing, required_entries
from qddot.teach.check.checking import answer_of, limited, text_of
from qddot.teach.check.exact_arrays import entry_name, exact_array
from qddot.teach.check.judging.cases import check_shape, ring_for, rows_and_columns
from qddot.teach.check.judging.entry_forms import EntryForms
from qddot.teach.check.reading.answer import EQUATION, Entry, Unread

TITLES = ("entry", "as it is read", "where")
OF_MOTION = "an equation of motion"


@record()
class ReadEntry:
    """This is what one formula is read as: the entry that it is for, and the formula in the arm's own symbols.

    answer, where: the written text, and its place
    """

    name: str
    formula: str
    answer: str
    where: str

    def row(self) -> tuple[str, str, str]:
        """Returns a row below the TITLES."""
        return self.name, self.formula, self.where


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
        absent = [f"missing: {', '.join(self.missing)}"] if self.missing else []
        return [*(each.sentence() for each in self.unread), *absent, *self.notes]

    def text(self) -> str:
        """Returns the preview as lines of text."""
        return "\n".join([*(f"{each.where}: {each.name} := {each.formula}" for each in self.entries), *self.remarks()])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<preview of {len(self.entries)} formulas for {self.model}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        return html.block(html.table(TITLES, [each.row() for each in self.entries]), html.notes(self.remarks()))

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

    @in_english
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
    return limited(eq, answer, lambda: _preview(eq, answer, rename, parts or {}, asked))


def _preview(
    eq: Quantities, answer: Any, rename: Any, parts: Mapping[str, Any], asked: str | Sequence[str] | None
) -> Preview:
    asked = asked or templates.asked_in(text_of(answer))
    required = {key: name for key, name in required_entries(eq, asked).items() if key[0] != EQUATION}
    try:
        read = answer_of(eq, answer, rename, parts, asked)
    except ExpressionError as error:
        unread = Unread.because("the answer", error.where, error)
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
            entries.append(ReadEntry(title, _formula(entry, forms), visible(entry.text), visible(entry.where)))
            answered.append((name, place))
    notes = tuple(map(visible, read.guesses))
    return Preview(eq.model.name, tuple(entries), notes, read.unread, missing(eq, required, answered))


def _formula(entry: Entry, forms: EntryForms) -> str:
    """Returns an entry in the arm's symbols, and an equation of motion as an expression that is zero."""
    if entry.balance is not None:
        return f"0 = {_written(entry.balance, forms)}"
    top = _written(entry.numerator, forms)
    return top if entry.denominator == 1 else f"({top})/({_written(entry.denominator, forms)})"


def _written(value: Polynomial, forms: EntryForms) -> str:
    """Returns a polynomial as a person would write it, or all of its terms if these are many."""
    value = forms.ring.convert(value)
    return Text().write(forms.written(value) if len(value) <= LONGEST_SHOWN else expanded(value))
