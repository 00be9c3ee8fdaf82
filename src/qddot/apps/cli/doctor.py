"""Runs `qddot doctor`: it examines robot descriptions for mistakes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from qddot.apps.cli.opening import model_option
from qddot.apps.cli.output import MISTAKE, complain, show, table
from qddot.apps.cli.values import set_option, with_set_values
from qddot.apps.cli.words import paragraph, sentence
from qddot.base.errors import QddotError, visible

if TYPE_CHECKING:
    from qddot.inspect.doctor.examination import Examination

CODES = {"": 0, "hint": 0, "warning": 1, "error": 3}
FORMATS = {  # each with the key of what it is
    "text": "table-of-findings",
    "github": "github-annotations",
    "sarif": "sarif-for-scanning",
}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's argument and options."""
    command.add_argument("arm", metavar="ARM", help=sentence("help-doctor-arm"))
    command.add_argument(
        "--xacro",
        action="store_true",
        help=sentence("help-xacro"),
    )
    set_option(command)
    model_option(command)
    forms = command.add_mutually_exclusive_group()
    listed = ", ".join(f"{name} ({sentence(what)})" for name, what in FORMATS.items())
    forms.add_argument("--format", choices=FORMATS, default="text", help=sentence("help-doctor-format", listed=listed))
    forms.add_argument("--json", dest="format", action="store_const", const="json", help=sentence("help-doctor-json"))
    command.epilog = f"{command.epilog}\n\n{paragraph('doctor-exit-codes')}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns the exit code of the worst finding."""
    from qddot.inspect.doctor.examination import examine, worst_of

    changed = partial(with_set_values, chosen=chosen) if chosen.set else None
    try:
        examinations = examine(chosen.arm, chosen.arguments, changed, expands=chosen.xacro, model=chosen.model)
    except QddotError as error:
        if chosen.format not in ("github", "sarif"):
            raise
        _fail(chosen.format, str(error))
        return MISTAKE
    _print(chosen, examinations)
    return CODES[worst_of(examinations)]


def _fail(form: str, reason: str) -> None:
    """Prints the reason why nothing was examined, in the form that a pipeline reads, and on standard error."""
    from qddot.inspect.doctor.annotations import failure, without_commands
    from qddot.inspect.doctor.sarif import sarif

    print(failure(reason) if form == "github" else sarif([], reason))
    # GitHub looks for workflow commands on standard error, too
    complain(without_commands(reason) if form == "github" else reason)


def _print(chosen: argparse.Namespace, examinations: Sequence[Examination]) -> None:
    from qddot.inspect.doctor.annotations import github_annotations
    from qddot.inspect.doctor.diagnosis import json_text
    from qddot.inspect.doctor.examination import is_folder, worst_of
    from qddot.inspect.doctor.sarif import sarif

    if chosen.format == "github":
        print(github_annotations(examinations))
    elif chosen.format == "sarif":
        print(sarif(examinations))
    elif chosen.format == "json":
        files = [each.as_json() for each in examinations]
        content = {"worst": worst_of(examinations), "files": files} if is_folder(chosen.arm) else files[0]
        print(json_text(content))
    else:
        for each in examinations:
            _show(each)


def _show(each: Examination) -> None:
    from qddot.inspect.doctor.diagnosis import TITLES

    show(visible(each.summary))
    rows = [[visible(cell) for cell in row] for row in each.diagnosis.rows()]
    first, *titles = TITLES
    if rows and not each.file:
        show(table(first, *titles, rows=rows))
    elif rows:
        lines = ([severity, str(line), *rest] for (severity, *rest), line in zip(rows, each.lines, strict=True))
        show(table(first, sentence("line-of-file"), *titles, rows=lines))
    for fact in each.diagnosis.proved:
        show(str(fact))
