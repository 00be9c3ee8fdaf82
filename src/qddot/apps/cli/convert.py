"""Runs `qddot convert`: it writes an arm or a closed chain in another convention, or in another format."""

from __future__ import annotations

import argparse
from pathlib import Path

from qddot.apps.cli.opening import model_of_either_kind
from qddot.apps.cli.output import status
from qddot.apps.cli.values import overwrite_option, set_option
from qddot.apps.cli.words import sentence
from qddot.base.errors import FormatError, shortened
from qddot.base.system import files
from qddot.base.words.message import Listed, say
from qddot.formats.registry import TOML, choices

CONVERT = "convert"
NEEDS = {("--overwrite",): ("--output",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    forms = choices()
    others = Listed(choice for choice, form in forms.items() if form is not TOML)
    command.add_argument("--to", required=True, choices=forms, help=sentence("help-to", others=others))
    set_option(command)
    suffixes = Listed(dict.fromkeys(form.suffixes[0] for form in forms.values()))
    command.add_argument("-o", "--output", metavar="FILE", help=sentence("help-convert-output", suffixes=suffixes))
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Writes the converted arm into the file, or prints it."""
    form = choices()[chosen.to]
    path = None if chosen.output is None else _checked(Path(chosen.output), form.suffixes[0])
    files.check([path] if path else [], CONVERT, chosen.overwrite, FormatError)
    with status(sentence("doing-converting", arm=chosen.arm, to=chosen.to)):
        written = form.write[chosen.to](model_of_either_kind(chosen))
    if path is None:
        print(written, end="")
        return
    files.save({path: written}, shortened(str(path)), CONVERT, chosen.overwrite, FormatError)
    print(path)


def _checked(path: Path, suffix: str) -> Path:
    if path.suffix != suffix:
        kind = say("format-of-file", suffix=path.suffix) if path.suffix else say("file-without-suffix")
        raise FormatError(kind, where=shortened(str(path)), expected=suffix)
    return path
