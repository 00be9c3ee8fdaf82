"""Reads decimals with commas: 9{,}81 everywhere, and 9,81 in texts without decimal points."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

BRACED = re.compile(r"(?<=\d)\{,\}(?=\d)")
COMMA = re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\w,.]*[\w,])")
POINT = re.compile(r"(?<![\w.])\d+\.\d")
EVIDENCE = re.compile(r"[=+\-−·*]\s*\d+,\d+\s*(?:[·*\\a-zA-Z°)]|$)|(?<!\w)\(\d+,\d+\s*[-+−]", re.MULTILINE)


def with_points(written: Written) -> Written:
    """Returns a text with points in place of decimal commas; indices such as M(1,2) do not change."""
    text = Rewriting(written).sub(BRACED, ".")
    if EVIDENCE.search(text.text) and not POINT.search(text.text):
        text.sub(COMMA, lambda match: match[0] if _is_index(match) else f"{match[1]}.{match[2]}")
    return text.done()


def _is_index(match: re.Match[str]) -> bool:
    """Returns whether a pair of numbers stands alone in brackets."""
    around = match.string[match.start() - 1 : match.start()] + match.string[match.end() : match.end() + 1]
    return around in ("()", "[]", "{}")
