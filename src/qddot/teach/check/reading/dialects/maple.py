"""Converts Maple worksheets to plain equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.lists import matrix_of
from qddot.teach.check.reading.programs.functions import result_of
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.teach.check.reading.texts.written import Written

# of Maple, a procedure and what it returns
PROCEDURE = re.compile(r"(?P<name>\w+)[ \t]*:=[ \t]*proc[ \t]*\((?P<arguments>[^()]*)\)(?:[ \t]*::[^;\n]*;)?")
LOCALS = re.compile(r"(?:^|(?<=[;\s]))[ \t]*(?:local|global|option|options|description)\b[^;:]*[;:]")
END_OF_PROCEDURE = re.compile(r"(?<!\w)end(?:[ \t]+proc)?[ \t]*(?:[;:]|$)", re.MULTILINE)
RETURN = re.compile(r"(?<!\w)return\b")
ANGLED = "()[]{}<>"  # brackets of Maple; the last ones enclose matrices
PROMPT = re.compile(r"^>[ \t]*", re.MULTILINE)


def of_maple(written: Written) -> Written:
    """Returns the text of a Maple worksheet as equations."""
    text = (
        Rewriting(written)
        .sub(PROMPT, "")
        .blank(r"#[^\n]*|\(\*(?:.|\n)*?\*\)")
        .blank(r"^[ \t]*(?:restart|with)\b[^\n]*", re.MULTILINE)
    )
    _procedures(text)
    text.sub(r"Matrix\(\s*\d\s*,\s*\d\s*,\s*(?=\[)", "Matrix(").sub(r"Vector\(\s*\d\s*,\s*(?=\[)", "Matrix(")
    text.sub(r"(?<!\w)Vector(?:\[(?:row|column)\])?\(", "Matrix(").sub(r"(?<!\w)Pi(?!\w)", "pi")
    text.sub(r"t\s*\$\s*2", "t, t").sub(r":(?!=)[ \t]*(?=\n|$)", ";").sub(r"(?<=[\w)])\s*\.\s*(?=[A-Za-z(<])", "*")
    text.sub(r"(?<!\w)(theta|q|phi|m|l|x|y|tau|I|lc)\[(\d)\]", lambda match: f"{match[1]}{match[2]}")
    _angled(text)
    return text.done()


def _procedures(text: Rewriting) -> None:
    """Writes a procedure as its assignments, and its last value as that of its name."""
    while procedure := PROCEDURE.search(text.text):
        end = END_OF_PROCEDURE.search(text.text, procedure.end())
        if end is None:
            return
        body = LOCALS.sub(" ", text.text[procedure.end() : end.start()])
        result = result_of(procedure["name"], procedure["arguments"])
        *steps, last = parted(RETURN.sub("", body), ";") or [""]
        named = last if ":=" in last else f" {result} := {last.strip()}"
        text.replace(procedure.start(), end.end(), ";".join([*steps, named]) + ";")


def _angled(text: Rewriting) -> None:
    """Writes lists for <<a, b> | <c, d>>, a matrix by columns, and for <a, b>."""
    while bracket := re.search(r"(?<![\w)\]<])<(?=[^=])", text.text):
        end = closing(text.text, bracket.start(), "<>")
        if end < 0:
            return
        text.replace(bracket.start(), end + 1, _list_of(text.text[bracket.start() + 1 : end]))


def _list_of(inner: str) -> str:
    """Returns what angled brackets enclose, columns with | between them or else rows, as a list of rows."""
    columns = parted(inner, "|", ANGLED)
    if len(columns) > 1:
        entries = [
            parted(column.strip()[1:-1] if column.strip().startswith("<") else column, ",", ANGLED)
            for column in columns
        ]
        rows = ([column[k].strip() for column in entries] for k in range(min(map(len, entries))))
        return matrix_of(rows)
    lines = (part.strip().removeprefix("<").removesuffix(">") for part in parted(inner, ",", ANGLED))
    return matrix_of(parted(line, "|", ANGLED) for line in lines)
