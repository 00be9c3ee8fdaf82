"""Reads the mathematics of word processors and AsciiMath, which set formulas in one line: ■(a&b@c&d), dot q_1."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting, closing
from qddot.teach.check.reading.texts.written import Written

INVISIBLE = "[\u2061-\u2064\u200b\u2060\ufeff]"
MATRIX = re.compile("[■█⬛](?=\\()")
APART = re.compile(r"(?<=\w)[ \u00a0]([\u0307\u0308])")  # of d ̈_2, whose dots are typed behind a blank
DOTTED = re.compile(r"(?<![\w\\])(ddot|dot)(?:\((\w+)\)|[ \t]+([A-Za-z]\w*))")
INDEX = re.compile(r"(?<=[A-Za-z])_\(([\w,]+)\)")
RAISED_FRACTION = re.compile(r"(?<![^\W_])(?P<top>[⁰¹²³⁴-⁹]+)⁄(?P<bottom>[₀-₉]+)")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
# (2) behind a wide gap at the end of a line
NUMBER_OF_EQUATION = re.compile(
    r"(?<=[^\s,;])(?:[ ]{2,}|\t[ \t]*)[\[(]\d{1,2}(?:\.\d{1,2})?[a-z]?[\])][ \t]*$", re.MULTILINE
)
# (12) behind one blank, as in a copy of a PDF, where it is a factor unless the numbers count up
NUMBER_BEHIND = re.compile(r"(?<=[^\s,;(])[ \t]\((?:\d{1,2}\.)?(?P<count>\d{1,3})\)[ \t]*$", re.MULTILINE)
# of copies of PDFs: an index on a line of its own, spaced letters, and a dash in place of a minus
INDEX_BELOW = re.compile(r"^([A-Za-zτ])[ \t]*\n(\d{1,2})[ \t]*\n?[ \t]*(?==)", re.MULTILINE)
SPACED_LETTERS = re.compile(r"(?<![A-Za-z])(?:c o s|s i n|t a n)(?![A-Za-z])")
DASH = re.compile(r"(?<=[ \t])—(?=[^\n=]*$)", re.MULTILINE)
NUMBER_BEFORE = re.compile(r"^[ \t]*\(\d{1,2}[a-z]?\)[ \t]+(?=[\w(\\])", re.MULTILINE)  # (1) m x'' + k x = F


def of_linear_math(written: Written) -> Written:
    """Returns a text with the matrices, dots, indices and fractions of such formulas in common signs."""
    text = Rewriting(written).blank(NUMBER_OF_EQUATION).blank(NUMBER_BEFORE)
    counts = [int(number["count"]) for number in NUMBER_BEHIND.finditer(text.text)]
    if len(counts) > 1 and counts == list(range(counts[0], counts[0] + len(counts))):
        text.blank(NUMBER_BEHIND)
    text.sub(INDEX_BELOW, lambda name: f"{name[1]}{name[2]} ").sub(DASH, "-")
    text.sub(SPACED_LETTERS, lambda name: name[0].replace(" ", ""))
    text.sub(DOTTED, lambda match: f"\\{match[1]}{{{match[2] or match[3]}}}").sub(
        INDEX, lambda match: f"_{{{match[1]}}}"
    )
    if written.text.isascii():
        return text.done()
    text.sub(INVISIBLE, "").sub("〖", "(").sub("〗", ")").sub("▒", " ").sub(APART, lambda match: match[1])
    text.sub(RAISED_FRACTION, lambda match: f"({match['top'].translate(RAISED)}/{match['bottom'].translate(RAISED)})")
    while matrix := MATRIX.search(text.text):
        end = closing(text.text, matrix.end(), "()")
        if end < 0:
            break
        rows = text.text[matrix.end() + 1 : end].replace("@", ";").replace("&", ",")
        is_framed = text.text[: matrix.start()].endswith("[") and text.text[end + 1 :].startswith("]")
        text.replace(matrix.start() - is_framed, end + 1 + is_framed, f"[{rows}]")
    return text.done()
