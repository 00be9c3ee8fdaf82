"""Converts Fortran programs, in free or fixed form, to the equations that they compute."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.matlab import of_matlab
from qddot.teach.check.reading.dialects.program_names import FIELD
from qddot.teach.check.reading.programs.functions import is_result, rename, result_of
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

IDLE = re.compile(
    r"^[ \t]*(?:(?:pure|elemental|recursive|real|double[ \t]+precision|integer|logical|implicit|program|module|use|"
    r"contains|subroutine|function|end|return|call|dimension|parameter|intent|common|write|print|stop|type)\b|end)"
    r"[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
FUNCTION = re.compile(
    r"^[^\n!]*\bfunction[ \t]+(?P<name>\w+)[ \t]*\([^)]*\)[ \t]*(?:result[ \t]*\([ \t]*(?P<result>\w+)[ \t]*\))?",
    re.MULTILINE | re.IGNORECASE,
)


def of_fortran(written: Written) -> Written:
    """Returns a Fortran program, in free or fixed form, as equations."""
    text = Rewriting(written).blank(r"^[Cc*](?![ \t]*=)(?=[ \t])[^\n]*", re.MULTILINE).blank(r"![^\n]*")
    text.sub(r"&[ \t]*\n[ \t]*&?|\n {5}[^\s0](?=[ \t])", " ")
    for function in list(FUNCTION.finditer(text.text)):
        _rename_result(text, function["name"], function["result"] or function["name"])
    text.blank(IDLE).sub(r"(?<=[\d.])[dD]([+-]?\d+)(?!\w)", lambda match: f"e{match[1]}").sub("%", ".")
    return of_matlab(text.sub(FIELD, "").sub(r"(?<=\d)_\w+", "").done())


def _rename_result(text: Rewriting, name: str, output: str) -> None:
    """Renames the variable that a function returns: it gets the name of the function's result."""
    result = result_of(name)
    if not is_result(output) and result != output:
        rename(text, 0, len(text.text), output, result)
