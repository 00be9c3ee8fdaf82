"""Reads programs in other languages than Python as equations."""

from __future__ import annotations

import re
from dataclasses import replace

from qddot.teach.check.reading.programs.interpreter import Interpreter
from qddot.teach.check.reading.programs.languages import NOTATIONS
from qddot.teach.check.reading.programs.lowered import lowered
from qddot.teach.check.reading.programs.parsing import program_of
from qddot.teach.check.reading.programs.zero_based import zero_based
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

TYPES = re.compile(r"\b(?:double|float|int|long|f64|f32|auto)\b")
# what a session of Julia prints besides values
DISPLAY = re.compile(r"^(?:julia>[ \t]*\w*[ \t]*$|\d+-element[^\n]*:[ \t]*$)", re.MULTILINE)
OF_SCRIPTS = re.compile(r"\b(?:function|const|let|var)\b|=>")


def of_language(language: str, written: Written) -> Written:
    """Returns the equations of a program; its indices count from 0."""
    notation = NOTATIONS[language]
    if language == "julia" and DISPLAY.search(written.text):
        written = Rewriting(written).blank(DISPLAY).sub("~", "=").done()
        return Rewriting(written).sub(r"Differential\(t\)(?=\()", "der").sub(r"(?<=\w)\(t\)", "").done()
    if language == "c" and OF_SCRIPTS.search(written.text) and not TYPES.search(written.text):  # 1/2 is 0.5
        notation = notation._replace(language=replace(notation.language, divides_whole=False))
    program = zero_based(program_of(written.text, notation), notation.rounds)
    return Interpreter(lowered(program, notation, written.text), written).run()
