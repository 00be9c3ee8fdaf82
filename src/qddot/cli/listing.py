"""Runs `qddot list`: it lists the robots that ship."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.cli.output import show, table
from qddot.model.freedoms import FREE, SPHERICAL

if TYPE_CHECKING:
    from qddot.model.model import Model


def options(_: argparse.ArgumentParser) -> None:
    """Adds no option, since the list is always complete."""


def run(_: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.describe.finding import load, zoo

    robots = table("name", "joints", "symbols", "what it is")
    for name in zoo():
        model = load(name)
        robots.add_row(name, _joint_letters(model), str(len(model.symbols)), model.title)
    show(robots)


def _joint_letters(model: Model) -> str:
    letters = {SPHERICAL: "S", FREE: "F"}
    return "".join(letters.get(body.joint.type, "R" if body.joint.turns else "P") for body in model.moving())
