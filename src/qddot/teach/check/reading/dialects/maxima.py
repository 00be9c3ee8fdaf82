"""Converts Maxima sessions and scripts to plain equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting, closing
from qddot.teach.check.reading.texts.written import Written

PROMPT = re.compile(r"^[ \t]*\(%[io]\d+\)[ \t]*", re.MULTILINE)
# an input, such as (%i8) G1 : diff(V, q1), and below it the output (%o8), which is the value of G1
SHOWN = re.compile(
    r"^(?P<typed>[ \t]*\(%i(?P<k>\d+)\)[ \t]*(?:\w+\()?(?P<name>\w+(?:\[[\d, ]*\])?)[ \t]*(?:\)|:(?!=))?"
    r"[^\n]*)\n\s*"
    r"\(%o(?P=k)\)[ \t]*(?P<shown>(?:[^\n]+\n?)+?)(?=\s*(?:\(%i|$(?!\n)|\n\s*\n))",
    re.MULTILINE,
)


def of_maxima(written: Written) -> Written:
    """Returns a text of Maxima as equations."""
    text = (
        Rewriting(written)
        .blank(r"/\*(?:.|\n)*?\*/")
        .sub(SHOWN, lambda match: f"{match['typed']}\n{match['name']}: {match['shown'].rstrip()};\n")
        .sub(PROMPT, "")
        .blank(r"^[ \t]*(?:depends|declare|kill|load|assume)\([^\n]*", re.M)
    )
    text.sub(r"(?<!\w)matrix\s*\(", "Matrix(").sub(r"%pi", "pi").sub(r"'\s*(?=diff\()", "").sub(r"\$", ";")
    text.sub(r"(?<=[\w)\]])[ \t]+\.[ \t]+(?=[\w(\[])", "*").sub(
        r"(?<!\w)(?:trigsimp|ratsimp|trigreduce|expand|factor)\(", "("
    )
    text.sub(r"((?:^|;)[ \t]*\w+(?:\[[^\]\n]*\]|\([^)\n]*\))?[ \t]*):(?!=)", lambda match: f"{match[1]}=", re.MULTILINE)
    while rows := re.search(r"Matrix\((?=\s*\[[^\[])", text.text):
        end = closing(text.text, rows.end() - 1, "()")
        if end < 0:
            break
        text.replace(rows.start(), end + 1, f"[{text.text[rows.end() : end]}]")
    return text.done()
