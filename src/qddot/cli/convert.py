"""`qddot convert`: write an arm in another convention, or as URDF."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from qddot.cli.output import status
from qddot.errors import FormatError, shortened
from qddot.system import files

if TYPE_CHECKING:
    from qddot.faces.robot import Robot

CONVERSIONS: dict[str, Callable[[Robot], Robot]] = {
    "dh": lambda arm: arm.as_dh(),
    "mdh": lambda arm: arm.as_mdh(),
    "screws": lambda arm: arm.as_screws(),
    "body_screws": lambda arm: arm.as_screws(frame="body"),
    "tree": lambda arm: arm.as_tree(),
}
URDF = "urdf"


def options(command: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    choices = (*CONVERSIONS, URDF)
    command.add_argument("--to", required=True, choices=choices, help="the convention of the new file, or urdf")
    command.add_argument("-o", "--output", metavar="FILE", help="a robot file (.toml) or .urdf; printed if absent")


def run(chosen: argparse.Namespace) -> None:
    """Run the command."""
    from qddot.faces.constructors import load

    path = None if chosen.output is None else _checked(Path(chosen.output), chosen.to)
    with status(f"converting {chosen.arm} to {chosen.to}"):
        arm = load(chosen.arm, chosen.arguments)
        written = arm.to_urdf() if chosen.to == URDF else _toml(CONVERSIONS[chosen.to](arm), chosen.to)
    if path is None:
        print(written, end="")
        return
    try:
        files.write({path: written})
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}", where=shortened(str(path))) from None
    print(path)


def _toml(arm: Robot, convention: str) -> str:
    from qddot.describe import robot_file

    return robot_file.dumps(arm.model, convention)


def _checked(path: Path, to: str) -> Path:
    suffix = ".urdf" if to == URDF else ".toml"
    if path.suffix != suffix:
        found = f"the format {path.suffix}" if path.suffix else "a file without a suffix"
        raise FormatError(found, where=shortened(str(path)), expected=suffix)
    return path
