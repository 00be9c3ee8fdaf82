"""Runs `qddot list`: it lists the robots and the closed chains that ship."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli.output import show, table
from qddot.apps.cli.words import sentence, translated
from qddot.base.words.message import say

if TYPE_CHECKING:
    from qddot.robot.model import Model


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's option."""


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.formats.finding import closed_zoo, load, load_closed, zoo

    robots = table(*map(say, ("title-name", "title-joints", "title-symbols", "title-what")))
    for name in zoo():
        model = load(name)
        robots.add_row(name, _joint_letters(model), str(len(model.symbols)), translated(model.title))
    show(robots)
    chains = table(*map(say, ("title-closed-chain", "title-coordinates", "title-what")))
    for name in closed_zoo():
        tree = load_closed(name).model.tree
        chains.add_row(name, str(tree.n), translated(tree.title))
    show(chains)
    show(sentence("closed-derives"))


def _joint_letters(model: Model) -> str:
    return "".join(body.joint.kind.letter for body in model.moving())
