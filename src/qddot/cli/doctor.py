"""Runs `qddot doctor`: it examines a robot for mistakes that its equations of motion would only hide."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.cli.output import show, table

if TYPE_CHECKING:
    from qddot.inspect.doctor.diagnosis import Diagnosis

CODES = {"": 0, "hint": 0, "warning": 1, "error": 3}
EXIT_CODES = "exit codes: 0 no findings or hints only, 1 warnings, 2 a mistake in what was given, 3 errors"


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    command.add_argument("--json", action="store_true", help="the findings as JSON")
    command.epilog = f"{command.epilog}\n\n{EXIT_CODES}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns the exit code of the worst finding."""
    from qddot.inspect.doctor.examine import diagnose_file

    found = diagnose_file(chosen.arm, chosen.arguments)
    print(found.to_json()) if chosen.json else _show(found)
    return CODES[found.worst]


def _show(found: Diagnosis) -> None:
    from qddot.inspect.doctor.diagnosis import TITLES

    show(found.summary)
    if not found:
        return
    show(table(*TITLES, rows=found.rows()))
