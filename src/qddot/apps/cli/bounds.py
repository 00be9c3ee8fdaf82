"""Runs `qddot bounds`: proven bounds of the constants that proofs of controllers use."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import limits, number, region_option, set_option, tree, with_values_of_either_kind
from qddot.apps.cli.words import Words, lang_option, words_of

if TYPE_CHECKING:
    from qddot.proof.bounds.table import Bounds


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    region_option(
        command,
        "the range of a coordinate, such as q2=-90deg:90deg (default: the joint's limits, or one turn), or the limit "
        "of rates or accelerations, such as qd=2, qdd1=5; torques are bounded only if both are limited; may be "
        "repeated",
    )
    add(
        "--gap",
        default="0.01",
        metavar="G",
        help="relative gap between the proven bound and the value found, at which the search ends (default 0.01)",
    )
    add("--seconds", default="10", metavar="S", help="processor time for all bounds together (default 10)")
    set_option(command)
    lang_option(command)
    add("--json", action="store_true", help="print the bounds as JSON, with the poses that nearly attain them")


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = with_values_of_either_kind(chosen)
    gap, seconds = number(chosen.gap, "--gap"), number(chosen.seconds, "--seconds")
    with status(f"bounding {arm.name}"):
        bounds = arm.bounds(limits(chosen.region, tree(arm)), gap, seconds)
    print(json_text(bounds.data())) if chosen.json else _show(bounds, words_of(chosen))


def _show(bounds: Bounds, words: Words) -> None:
    from qddot.proof.bounds.table import TITLES

    for line in bounds.head():
        show(words.told(line))
    rows = [[*cells, words.told(note)] for *cells, note in (row.texts() for row in bounds)]
    show(table(*words.terms(TITLES), rows=rows))
