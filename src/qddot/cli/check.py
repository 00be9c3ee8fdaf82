"""Runs `qddot check`: it judges somebody's own derivation, entry by entry."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from qddot.cli.output import show, status, table
from qddot.errors import QddotError, shortened

if TYPE_CHECKING:
    from qddot.check.judging.judgement import Judgement

RIGHT, WRONG = 0, 1
EXIT_CODES = "exit codes: 0 all is right, 1 something differs, 2 a mistake in what was given"


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add(
        "answer",
        metavar="MINE",
        help="a file with equations as text, LaTeX, Python, MATLAB or TOML, or a folder of them: a class is graded",
    )
    add("--rename", action="append", default=[], metavar="a=b", help="your a is the arm's b; again for other names")
    add("--json", action="store_true", help="the judgement as JSON")
    command.epilog = f"{command.epilog}\n\n{EXIT_CODES}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.check.grading import TITLES
    from qddot.check.judging.judgement import Judgement
    from qddot.faces.constructors import load

    arm, rename = load(chosen.arm, chosen.arguments), _renaming(chosen.rename)
    path = Path(chosen.answer)
    with status(f"checking {chosen.answer} against {arm.name}"):
        found = arm.check_all(path, rename) if os.path.isdir(chosen.answer) else arm.check(path, rename=rename)
    if chosen.json:
        print(found.to_json())
    elif isinstance(found, Judgement):
        _show(found)
    else:
        show(found.summary)
        show(table(*TITLES, rows=found.rows()))
    return RIGHT if found else WRONG


def _renaming(texts: list[str]) -> dict[str, str]:
    """Returns what your names mean."""
    found: dict[str, str] = {}
    for yours, ours in map(_renamed, texts):
        if found.setdefault(yours, ours) != ours:
            raise QddotError(f"--rename of {shortened(yours)} to {shortened(found[yours])} and {shortened(ours)}")
    return found


def _renamed(text: str) -> tuple[str, str]:
    """Returns both names of an option a=b."""
    yours, sign, ours = (part.strip() for part in text.partition("="))
    if not (yours and sign and ours):
        raise QddotError(f"--rename {shortened(text)}", expected="your name = the arm's, such as L1=l1")
    return yours, ours


def _show(found: Judgement) -> None:
    from qddot.check.judging.cases import EQUAL
    from qddot.check.judging.judgement import TITLES, witness_text

    for line in found.summary():
        show(line)
    rows = [entry.row() for entry in found.entries if entry.verdict != EQUAL]
    if rows:
        show(table(*TITLES, rows=rows))
    for entry in found.wrong:
        if entry.witness is not None:
            show(f"{entry.name} {witness_text(entry.witness)}")
    if found.equal_line:
        show(found.equal_line)
