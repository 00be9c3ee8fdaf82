"""Converts MATLAB and Octave scripts to equations, without calculations and printing."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.assignments import of_assignments, of_lists
from qddot.teach.check.reading.dialects.degrees import of_degrees
from qddot.teach.check.reading.dialects.loops import of_loops_of_matlab
from qddot.teach.check.reading.dialects.program_names import FIELD
from qddot.teach.check.reading.dialects.scripts import IDLE, SIMPLIFIED, of_solutions, of_torques
from qddot.teach.check.reading.dialects.states import of_states
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

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
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE)
    text.sub(SIMPLIFIED, "(").sub(r"(?<![\w.])sym\(\s*'?([-\d./]+)'?\s*\)", lambda match: f"({match[1]})")
    text.blank(r"^[ \t]*\w+[ \t]*=[ \t]*(?:matlabFunction|subs|ode45|linspace|sym)\b[^\n]*", re.MULTILINE)
    of_solutions(text)
    return text.done()
