"""Runs `qddot bounds`: proven bounds of the constants that proofs of controllers use."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import state
from qddot.apps.cli.opening import tree, with_values_of_either_kind
from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import limits, number, region_option, set_option
from qddot.apps.cli.words import sentence
from qddot.base.errors import QddotError
from qddot.base.words.message import say

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.proof.bounds.table import Bounds

BRANCH = "--near"
NEAR = 0.1  # rad or m: half of a range that is proposed


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    region_option(
        command,
        sentence("help-bounds-region"),
    )
    add(
        "--gap",
        default="0.01",
        metavar="G",
        help=sentence("help-gap"),
    )
    add("--seconds", default="10", metavar="S", help=sentence("help-seconds"))
    add(BRANCH, metavar="STATE", help=sentence("help-bounds-near"))
    set_option(command)
    add("--json", action="store_true", help=sentence("help-bounds-json"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = with_values_of_either_kind(chosen)
    gap, seconds = number(chosen.gap, "--gap"), number(chosen.seconds, "--seconds")
    near = _guess(chosen, arm)
    with status(sentence("doing-bounding", name=arm.name)):
        try:
            bounds = arm.bounds(limits(chosen.region, tree(arm)), gap, seconds, **near)
        except QddotError as error:
            if error.code != "branch-not-proved":
                raise
            raise error.to(type(error), remedy=say("region-of-the-branch", options=_near(arm, **near))) from None
    print(json_text(bounds.data())) if chosen.json else _show(bounds)


def _guess(chosen: argparse.Namespace, arm: Robot | ClosedChain) -> dict[str, Any]:
    """Returns `near` of a chain's bounds, if it is given. raises QddotError: it is given for an arm"""
    from qddot.faces.robot import Robot

    if chosen.near is None:
        return {}
    if isinstance(arm, Robot):
        raise QddotError("near-of-an-arm", arm=chosen.arm)
    return {"near": state.read(chosen.near, tree(arm), state.Q, option=BRANCH).q}


def _near(chain: Robot | ClosedChain, near: Any = None) -> str:
    """Returns options for a region near a chain's configuration, or the one near a guess."""
    from qddot.faces.closed_chain import ClosedChain
    from qddot.physics.independent import of_loops

    assert isinstance(chain, ClosedChain)  # arms have no branches
    q = chain.neutral() if near is None else chain.assemble(near).q
    names = chain.model.tree.coordinates
    free = of_loops(chain.model, chain.system.choice).independent
    return " ".join(f"--region {names[k]}={q[k] - NEAR:.4g}:{q[k] + NEAR:.4g}" for k in free)


def _show(bounds: Bounds) -> None:
    from qddot.proof.bounds.table import TITLES

    for line in bounds.head():
        show(line)
    show(table(*TITLES, rows=[row.texts() for row in bounds]))
