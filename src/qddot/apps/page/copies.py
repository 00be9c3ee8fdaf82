"""Writes a quantity as text to be pasted elsewhere: into papers, computer algebra, programs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator

from qddot.base.errors import QddotError, check_one_of
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantity_names import identifier_of
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.source_text import SymPy
from qddot.exact.printing.tree import Atom, Circular, Sign, Symbol
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.faces.robot import Robot
from qddot.machine import compilers

Form = EquationsOfMotion | Textbook
PRINTED: dict[str, Callable[[Form, str], str]] = {
    "latex": lambda form, name: form.latex([name]),
    "mathml": lambda form, name: form.mathml([name]),
    "sympy": lambda form, name: _sympy(form, name),
    "matlab": lambda form, name: form.matlab([name]),
}
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
    return [*PRINTED, *compilers.TARGETS]


def copied(arm: Robot, form: Form, name: str, language: str) -> str:
    """Returns a quantity in a language. raises QddotError: no such language, or no function that computes it"""
    if language in PRINTED:
        return PRINTED[language](form, name)
    check_one_of(language, compilers.TARGETS, "a language", QddotError, expected=", ".join(languages()))
    if name not in FUNCTIONS:
        raise QddotError(f"{name} in {language}", expected=", ".join(FUNCTIONS), remedy="copy it as SymPy or MATLAB")
    return code(arm, language, [FUNCTIONS[name]])


def code(arm: Robot, language: str, functions: Iterable[str]) -> str:
    """Returns the source code of functions, one file below the other; symbols without a value stay arguments."""
    free = [symbol for symbol in arm.model.symbols if symbol not in arm.model.defaults()]
    with tempfile.TemporaryDirectory() as folder:
        files = arm.export(language, list(functions), folder, free=free)
        return "\n".join(path.read_text(encoding="utf-8") for path in files)


def _sympy(form: Form, name: str) -> str:
    """Returns statements of Python that make the quantity in SymPy, with the constants before it."""
    array: Printed = form.array(name)
    atoms = list(array.atoms())
    used = {atom.text for atom in atoms if isinstance(atom, Symbol)}
    constants = [] if not isinstance(form, Textbook) else form.definitions()
    definitions = [each for each in constants if isinstance(each.left, Symbol) and each.left.text in used]
    atoms += [atom for each in definitions for atom in each.right.atoms()]
    defined = {each.left.text for each in definitions if isinstance(each.left, Symbol)}
    names = sorted(set(_symbols(atoms)) - defined)
    language = SymPy([*names, *defined])
    identifiers = language.identifiers
    entries = [array.written(entry) for entry in array.entries]
    listed = ", ".join(identifiers[name] for name in names)
    return "\n".join(
        [
            "from sympy import Array, Matrix, Rational, cos, pi, sign, sin, sqrt, symbols",
            *([f'{listed} = symbols("{" ".join(names)}", real=True)'] if names else []),
            *(language.statement(language.write(each.left), (), [each.right]) for each in definitions),  # type: ignore[list-item]
            language.statement(identifier_of(array.name, identifiers.values()), array.shape, entries),
        ]
    )


def _symbols(atoms: Iterable[Atom]) -> Iterator[str]:
    """Yields the names of variables, including those within sines and cosines."""
    for atom in atoms:
        if isinstance(atom, Symbol):
            if atom.text != "°":
                yield atom.text
        elif isinstance(atom, Circular):
            yield from _symbols(atom.argument.atoms())
        elif isinstance(atom, Sign):
            yield atom.of.text
