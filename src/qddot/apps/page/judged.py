"""Gives the judgement of a derivation as data for the page, with points and a note."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from qddot.apps.page.equation_terms import formula
from qddot.base.errors import Where, visible
from qddot.base.words.message import Message
from qddot.exact.printing import mathml
from qddot.papers.report.formats import html_mathematics as html
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.notes import Note
from qddot.teach.check.preview import Preview
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.rubric import Marks

IN_PAGE = {"give-by-rename": "give-in-page"}  # how a user explains a name: in programs, and in the page
LINE = re.compile(r"line (\d+)")


def judgement(verdict: Judgement) -> dict[str, Any]:
    """Returns the judgement with its formulas as MathML."""
    content = verdict.as_json()
    entries = [
        {
            **entry,
            "exactMath": formula(each.exact),
            "differenceMath": formula(each.difference),
            "mistakes": [str(mistake) for mistake in each.mistakes],
        }
        for entry, each in zip(content["entries"], verdict.entries, strict=True)
    ]
    lines = [int(place[1]) for each in verdict.unread if (place := LINE.search(each.where))]
    summary = replace(verdict, unread=tuple(map(_in_page, verdict.unread))).summary()
    return {"equal": bool(verdict), "summary": summary, "entries": entries, "unread": lines}


def marked(verdict: Judgement, marks: Marks | None, hints: int) -> dict[str, Any]:
    """Returns the missing parts, the points by a rubric, and a note to the student; hints: 0 for none."""
    return {
        "missing": list(map(str, verdict.missing)),
        "points": None if marks is None else {"points": marks.points, "most": marks.most},
        "note": Note(verdict, "", marks, hints).text() if hints else "",
    }


def read_as(preview: Preview) -> dict[str, Any]:
    """Returns what each formula is read as, in MathML, and what is not read."""
    zero = mathml.number("0"), mathml.sign("=")
    entries = [
        {
            "entry": str(each.name),
            "math": html.math(*(zero if each.is_zero else ()), mathml.MathML().write(each.value)),
            "where": Where(each.where).told(),
        }
        for each in preview.entries
    ]
    unread = [
        {"entry": visible(str(each.text)), "reason": visible(str(each.reason)), "where": Where(each.where).told()}
        for each in map(_in_page, preview.unread)
    ]
    return {"entries": entries, "unread": unread, "notes": list(map(str, preview.notes))}


def _in_page(part: Unread) -> Unread:
    """Returns an unread part with a remedy that says how a user explains a name in the page."""
    if part.error is None or "remedy" not in part.error.message.slots:
        return part
    remedy = _changed(part.error.message.slots["remedy"])
    return part._replace(error=part.error.to(type(part.error), remedy=remedy))


def _changed(words: Any) -> Any:
    if not isinstance(words, Message):
        return words
    slots = {name: _changed(slot) for name, slot in words.slots.items()}
    return Message(IN_PAGE.get(words.key, words.key), slots)
