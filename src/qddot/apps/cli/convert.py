"""Runs `qddot convert`: it writes an arm in another convention, or as URDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from qddot.apps.cli.output import status
from qddot.apps.cli.values import loaded_model, overwrite_option, set_option
from qddot.base.errors import FormatError, shortened
from qddot.base.system import files
from qddot.formats.writing import FORMATS

CONVERT = "convert"


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    command.add_argument("--to", required=True, choices=FORMATS, help="convention of the new file, or urdf")
    set_option(command)
    command.add_argument(
        "-o", "--output", metavar="FILE", help="file to write, .toml or .urdf (default: print to the terminal)"
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Writes the converted arm into the file, or prints it."""
    form = FORMATS[chosen.to]
    path = None if chosen.output is None else _checked(Path(chosen.output), form.suffix)
    files.check([path] if path else [], CONVERT, chosen.overwrite, FormatError)
    with status(f"converting {chosen.arm} to {chosen.to}"):
        written = form.text(loaded_model(chosen))
    if path is None:
        print(written, end="")
        return
    files.save({path: written}, shortened(str(path)), CONVERT, chosen.overwrite, FormatError)
    print(path)


def _checked(path: Path, suffix: str) -> Path:
    if path.suffix != suffix:
        kind = f"the format {path.suffix}" if path.suffix else "a file without a suffix"
        raise FormatError(kind, where=shortened(str(path)), expected=suffix)
    return path
