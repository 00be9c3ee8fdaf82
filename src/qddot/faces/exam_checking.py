"""Checks the answers to an exam of many variants, each by the arm or the closed chain of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from qddot.base.errors import ClosedChainError
from qddot.exact.equations.quantities import Quantities
from qddot.faces.constructors import load, load_closed_chain
from qddot.teach.check import exam_answers
from qddot.teach.check.grading import Grades


def check_exam(table: str | Path, folder: str | Path, rename: Mapping[str, str] | None = None) -> Grades:
    """Returns the judgements of all answers to an exam of many variants, each by the arm and the marks of its variant.

    An answer belongs to the variant that a line at its head states, such as "Variant 7", that its name or its folder's
    name states, as in variant-7.txt and exam-008.tex, or that its student has in the table. Where these differ, or all
    are missing, the answer's row says so, and it is not judged.
    table: exam-seeds.csv, which `Robot.exam` writes for several students, beside the files of the variants
    rename: as in `Robot.check`
    raises QddotError: no such table, folder or file of a variant
    """
    return exam_answers.check_exam(table, folder, _quantities_of, rename)


def _quantities_of(path: Path) -> Quantities:
    """Returns the quantities of the arm or the closed chain in a robot file."""
    try:
        return load(path).quantities
    except ClosedChainError:
        return load_closed_chain(path).quantities
