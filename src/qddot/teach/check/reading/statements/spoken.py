"""Finds the quantities of which the words before a formula without '=' speak, as a heading or a label does."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.written import Written

WORDS = (
    (r"gravit|schwer|gewicht|pesanteur|重力", ("G",)),
    (
        r"(?:mass|inertia)[ \t-]+matri|massenmatri|matrice d.inertie|matriz de (?:masa|inercia)|[质惯][量性]矩阵",
        ("M",),
    ),
    (r"coriolis|centrifug|centripet|velocity[ \t-]+terms?|科氏|离心", ("C", "h")),
    (r"torque|drehmoment|couple\b|generali[sz]ed force|力矩", ("tau", "G", "h")),
    (r"kinetic|kinetisch|cin[eé]ti|动能", ("K",)),
    (r"potential|potentiell|potencia|势能|位能", ("P", "springs")),
    (r"lagrangian|拉格朗日函数", ("L",)),
    (r"correction|should read|corrected", ("M", "C", "h", "G", "tau", "K", "P", "L")),
)
ENTRY = re.compile(r"(?<![\w\\])(?P<letter>[MChG]|\\?tau|τ)_?\{?\d")
WORD = re.compile(r"(?<!\\)(?<![A-Za-z])[^\W\d_]{3,}|[\u4e00-\u9fff]")
MARKUP = re.compile(r"\\(?:begin|end|item|q?quad|left|right|big+|hline|noindent|displaystyle)\b(?:\{\w*\*?\})?")
END = re.compile(r"=|[.!?;](?=\s)|[。；！？]")
BETWEEN = ' \u00a0\t$#";{}'  # signs between the parts of an equation that is written in several
MOST_LINES = 3  # before a formula, in which a heading may be


def spoken_of(written: Written, start: int) -> tuple[str, ...]:
    """Returns the quantities of which the words before a formula speak, in its line or else in the lines above."""
    file = written.file or written.text
    lines = file[: written.origins[start] if written.origins else start].split("\n")[-MOST_LINES:]
    if lines[-1].rstrip(BETWEEN).endswith("="):
        return ()  # a right side, whose left one is written apart
    lines[-1] = END.split(lines[-1])[-1]
    said = next((line for line in map(_without_markup, reversed(lines)) if WORD.search(line) or ENTRY.search(line)), "")
    names = [name for words, quantities in WORDS if re.search(words, said, re.IGNORECASE) for name in quantities]
    names += [entry["letter"].replace("τ", "tau").lstrip("\\") for entry in ENTRY.finditer(END.split(said)[-1])]
    return tuple(dict.fromkeys(names))


def _without_markup(line: str) -> str:
    return MARKUP.sub(" ", line)
