"""Converts MATLAB and Octave scripts to equations, without calculations and printing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from qddot.teach.check.reading.dialects.assignments import of_assignments, of_lists
from qddot.teach.check.reading.dialects.degrees import of_degrees
from qddot.teach.check.reading.dialects.loops import of_loops_of_matlab
from qddot.teach.check.reading.dialects.program_names import FIELD
from qddot.teach.check.reading.dialects.scripts import IDLE, SIMPLIFIED, of_solutions, of_torques
from qddot.teach.check.reading.dialects.states import of_states
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

# T1(1:3, 4), v(1:3) and T(:, 4), which are no left sides
SLICE = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z]\w*)\((?P<rows>\d+(?::\d+)?|:)(?:[ ]*,[ ]*(?P<columns>\d+(?::\d+)?|:))?\)"
    r"(?![ \t]*=[^=])"
)
CUT = re.compile(r"^[ \t]*(?P<name>[A-Za-z]\w*)[ \t]*=[ \t]*(?P=name)(?=\(\d+:\d+\))", re.MULTILINE)  # p = p(1:3)
OF_POSE = 4  # rows of a pose T
GIVEN_TORQUE = re.compile(r"^[ \t]*(?:tau|u)[ \t]*=[ \t]*@\([^\n]*", re.MULTILINE)  # tau = @(t, z) zeros(2, 1);


def of_matlab(written: Written) -> Written:
    """Returns a MATLAB or Octave script as equations."""
    text = Rewriting(written).blank(r"^[ \t]*%\{(?:.|\n)*?^[ \t]*%\}", re.MULTILINE).blank(r"%[^\n]*")
    text.sub(r"\.\.\.[^\n]*\n", " ").sub(r"@\((?!t\b)[\w, ~]*\)", "").sub(FIELD, "")
    of_torques(text.blank(GIVEN_TORQUE))
    text.blank(r"^[^\n=]*=[ \t]*ode\d+\w*\([^\n]*", re.MULTILINE)
    of_degrees(text)
    of_loops_of_matlab(text)
    of_lists(text, 1)
    of_assignments(text)
    of_states(text)
    _of_slices(text)
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE)
    text.sub(SIMPLIFIED, "(").sub(r"(?<![\w.])formula\(", "(").sub(
        r"(?<![\w.])sym\(\s*'?([-\d./]+)'?\s*\)", lambda match: f"({match[1]})"
    )
    text.blank(r"^[ \t]*\w+[ \t]*=[ \t]*(?:matlabFunction|subs|ode45|linspace|sym)\b[^\n]*", re.MULTILINE)
    of_solutions(text)
    return text.done()


def _of_slices(text: Rewriting) -> None:
    """Writes v(1:3) as [v(1); v(2); v(3)], and the p that is cut by p = p(1:3) under a name of its own."""
    while cut := CUT.search(text.text):
        name, end = cut["name"], cut.end()
        text.sub(rf"(?<![\w.]){name}(?!\w)", partial(_whole, cut.start("name"), end))
    text.sub(SLICE, _entries)


def _whole(start: int, end: int, name: re.Match[str]) -> str:
    return name[0] if name.start() == start or name.start() >= end else f"{name[0]}whole"


def _entries(part: re.Match[str]) -> str:
    """Returns the entries of a slice; that of a whole row or column, T(:, 4), is known only of a pose T."""
    name, rows, columns = part["name"], part["rows"], part["columns"]
    if ":" not in f"{rows}{columns}" or (":" in (rows, columns) and not name.startswith("T")):
        return part[0]
    lines = (", ".join(f"{name}({i}{f',{j}' if j else ''})" for j in _range(columns)) for i in _range(rows))
    return f"[{'; '.join(lines)}]"


def _range(part: str | None) -> Sequence[int]:
    """Returns the indices of 2:3 or of a colon alone, and 0 for no index."""
    first, _, last = (part or "0").partition(":")
    return range(int(first or 1), int(last or first or OF_POSE) + 1)
