"""Writes labelled lines of notes as equations: M_11: …, M_11 | …, det M = …, and joint 2: … of a required column."""

from __future__ import annotations

import re
from collections.abc import Collection

from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

COLUMNS = ("h", "G", "tau")
OF_JOINT = re.compile(
    r"^(?P<before>[ \t>*-]*)(?:joint|link|axis|row|component|gelenk|achse|关节)[ \t]*(?P<joint>\d)[ \t]*[:：]"
    r"(?=[^\n=]*[*^\d][^\n=]*$)",
    re.MULTILINE | re.IGNORECASE,
)
OF_ENTRY = re.compile(
    r"^(?P<before>[ \t>*-]*(?:\(\w\)[ \t]*)?)(?P<name>(?:M|C|h|G|tau|τ)_?(?:\d{1,3}|[₀-₉]{1,3}))[ \t]*"
    r"(?:[:：](?!=)(?=[^\n=]*[*^\w][^\n=]*$)|\|(?=[^\n=|]*[*^\w][^\n=|]*$))",
    re.MULTILINE,
)
DETERMINANT = re.compile(r"\bdet[ \t]*\(?[ \t]*([A-Z])[ \t]*\)?(?=[ \t]*=[ \t]*[-+]?[ \t]*[A-Za-z])")
OF_ENTRY_IN_LATEX = re.compile(
    r"(?<![\w$])\$(?P<name>(?:M|C|h|G|\\tau)_(?:\d|\{\d[\d,]*\}))\$[ \t]*[:：][ \t]*\$(?P<value>[^$=]+)\$(?!\$)"
)


def with_rows(written: Written, asked: Collection[str]) -> Written:
    """Returns notes with equations for labelled lines; "joint 2: …" is one if a column is all that is required."""
    text = Rewriting(written).sub(DETERMINANT, lambda name: f"det{name[1]}")
    text.sub(OF_ENTRY, lambda row: f"{row['before']}{row['name']} = ")
    text.sub(OF_ENTRY_IN_LATEX, lambda row: f"${row['name']} = {row['value']}$")
    if len(asked) == 1 and (name := next(iter(asked))) in COLUMNS:
        text.sub(OF_JOINT, lambda row: f"{row['before']}{name}{row['joint']} = ")
    return text.done()
