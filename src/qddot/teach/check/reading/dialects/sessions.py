"""Converts interactive sessions in Python, SymPy and MATLAB to equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting, closing
from qddot.teach.check.reading.texts.written import Written

PROMPT = re.compile(r"^[ \t]*(?:>>>|>>|In ?\[\d+\]:)", re.MULTILINE)
ANSWER = re.compile(
    r"^[ \t]*(?:>>>|In ?\[\d+\]:)[ \t]*(?P<name>[^\W\d]\w*(?:\[[^\]\n]*\])?)[ \t]*\n(?:[ \t]*\n)*"
    r"(?P<sign>[ \t]*Out\[\d+\]:[ \t]*\n?)?(?=[^\n>])",
    re.MULTILINE,
)
SHOWN_AS_ANSWER = re.compile(
    r"^[ \t]*>>[ \t]*(?:simplify\(|expand\(|vpa\()?(?P<name>[^\W\d]\w*(?:\([\d, ]*\))?)\)?[ \t]*\n(?:[ \t]*\n)*"
    r"[ \t]*ans[ \t]*=",
    re.MULTILINE,
)
TYPED = re.compile(r"^[ \t]*(?:>>>|>>|In ?\[\d+\]:)[ \t]*(?P<typed>[^\n]*)$", re.MULTILINE)
DISPLAYED = re.compile(
    r"^[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=[ \t]*\n(?:[ \t]*\n)*(?P<rows>(?:[ \t]*[^\s=][^=\n]*\n?)+)", re.MULTILINE
)


def is_session(text: str) -> bool:
    """Returns whether a text has prompts."""
    return PROMPT.search(text) is not None


def is_of_matlab(text: str) -> bool:
    """Returns whether lines begin with the prompt of MATLAB."""
    return re.search(r"^[ \t]*>>(?!>)", text, re.MULTILINE) is not None


def of_session(written: Written) -> Written:
    """Returns a session's assignments, and its displayed values as equations of their names, without other input."""
    text = Rewriting(written)
    text.sub(r"^([ \t]*\w+)\(t\)(?=[ \t]*=[ \t]*$)", lambda match: match[1], re.MULTILINE)
    text.sub(SHOWN_AS_ANSWER, lambda match: f"{match['name']} = ")
    text.sub(ANSWER, lambda match: f"{match['name']} = ")
    text.sub(TYPED, lambda match: "" if _only_calls(match["typed"]) else match["typed"])
    return of_display(text).done()


def of_display(text: Rewriting) -> Rewriting:
    """Writes a matrix as MATLAB displays it, rows below a name, as an equation."""
    return text.sub(DISPLAYED, _rows)


def _only_calls(typed: str) -> bool:
    """Returns whether a line of input assigns no value: a name by itself, a print, an import."""
    return "=" not in typed or re.match(r"\s*(?:print|pprint|disp|display|latex|from|import)\b", typed) is not None


def _rows(match: re.Match[str]) -> str:
    """Returns a displayed matrix as an equation for its name."""
    rows = [row.strip() for row in match["rows"].splitlines() if row.strip()]
    rows = [row[1:-1] if row.startswith("[") and closing(row, 0, "[]") == len(row) - 1 else row for row in rows]
    inside = "; ".join(rows)
    return f"{match['name']} = {inside if len(rows) == 1 else f'[{inside}]'}\n"
