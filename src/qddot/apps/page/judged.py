"""Gives the judgement of a derivation as data for the page, with points and a note."""

from __future__ import annotations

import re
from typing import Any

from qddot.apps.chinese.translating import chinese
from qddot.apps.page.equation_terms import formula
from qddot.base.errors import visible
from qddot.exact.printing import mathml
from qddot.papers.report.formats import html_mathematics as html
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.notes import Note
from qddot.teach.check.preview import Preview
from qddot.teach.check.rubric import Marks

# how a user explains a name: in programs and on the command line, and in the page
IN_PROGRAMS = re.compile(r"by rename=\{'(.+?)': …\}(?:, on the command line --rename \S+)?")
IN_THE_PAGE = r"under Your names: \1 = …"
LINE = re.compile(r"line (\d+)")


def judgement(verdict: Judgement, lang: str = "en") -> dict[str, Any]:
    """Returns the judgement with its formulas as MathML."""
    content = verdict.as_json()
    entries = [
        {**entry, "exactMath": formula(each.exact), "differenceMath": formula(each.difference)}
        for entry, each in zip(content["entries"], verdict.entries, strict=True)
    ]
    likeliest = [{"mistakes": [chinese(str(each), lang) for each in entry.mistakes]} for entry in verdict.entries]
    entries = [{**entry, **likely} for entry, likely in zip(entries, likeliest, strict=True)]
    summary = [_said(line, lang) for line in verdict.summary()]
    lines = [int(place[1]) for each in verdict.unread if (place := LINE.search(each.where))]
    return {"equal": bool(verdict), "summary": summary, "entries": entries, "unread": lines}


def marked(verdict: Judgement, marks: Marks | None, hints: int) -> dict[str, Any]:
    """Returns the missing and unread parts, the points by a rubric, and a note to the student; hints: 0 for none."""
    return {
        "missing": list(verdict.missing),
        "notRead": [unread.sentence() for unread in verdict.unread],
        "points": None if marks is None else {"points": marks.points, "most": marks.most},
        "note": Note(verdict, "", marks, hints).text() if hints else "",
    }


def read_as(preview: Preview, lang: str = "en") -> dict[str, Any]:
    """Returns what each formula is read as, in MathML, and what is not read."""
    zero = mathml.number("0"), mathml.sign("=")
    entries = [
        {
            "entry": chinese(each.name, lang),
            "math": html.math(*(zero if each.is_zero else ()), mathml.MathML().write(each.value)),
            "where": chinese(each.where, lang),
        }
        for each in preview.entries
    ]
    unread = [
        {
            "entry": chinese(visible(each.text), lang),
            "reason": _said(visible(each.reason), lang),
            "where": chinese(each.where, lang),
        }
        for each in preview.unread
    ]
    return {"entries": entries, "unread": unread, "notes": [_said(note, lang) for note in preview.notes]}


def _said(sentence: str, lang: str) -> str:
    """Returns a sentence of the checker as the page says it."""
    return chinese(IN_PROGRAMS.sub(IN_THE_PAGE, sentence), lang)
