"""Writes a quantity as text to be pasted elsewhere: into papers, computer algebra, programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable

from qddot.base.errors import QddotError, check_one_of
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.sympy_source import SYMPY_PROGRAM
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.faces.robot import Robot
from qddot.machine import compilers

Form = EquationsOfMotion | Textbook
PRINTED = ("latex", "mathml", "sympy", "matlab")
FUNCTIONS = {  # functions that compute the quantities in code
    "M": "mass_matrix",
    "C": "coriolis_matrix",
    "G": "gravity",
    "tau": "inverse_dynamics",
    "K": "kinetic_energy",
    "P": "potential_energy",
    "T_tool": "forward_kinematics",
    "J_tool": "jacobian",
}


def languages() -> list[str]:
    """Returns the languages that quantities are written in."""
    return list(dict.fromkeys([*PRINTED, *compilers.TARGETS]))


def copied(arm: Robot, form: Form, name: str, language: str) -> str:
    """Returns a quantity in a language. raises QddotError: no such language, or no function that computes it"""
    if language in PRINTED:
        return SYMPY_PROGRAM.written(form.sheet([name])) if language == "sympy" else form.printed(language, [name])
    check_one_of(language, compilers.TARGETS, "a language", QddotError, expected=", ".join(languages()))
    if name not in FUNCTIONS:
        raise QddotError("copy-sympy-matlab", name=name, language=language, expected=", ".join(FUNCTIONS))
    return code(arm, language, [FUNCTIONS[name]])


def code(arm: Robot, language: str, functions: Iterable[str]) -> str:
    """Returns the source code of functions, one file below the other; symbols without a value stay arguments."""
    free = [symbol for symbol in arm.model.symbols if symbol not in arm.model.defaults()]
    with tempfile.TemporaryDirectory() as folder:
        files = arm.export(language, list(functions), folder, free=free)
        return "\n".join(path.read_text(encoding="utf-8") for path in files)
