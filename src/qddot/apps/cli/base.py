"""Runs `qddot base`: it finds the combinations of inertias that affect the motion."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli.opening import tree, with_values_of_either_kind
from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import set_option
from qddot.apps.cli.words import sentence
from qddot.robot.left_out import as_table

if TYPE_CHECKING:
    from qddot.exact.forms.base.parameters import BaseParameters
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    command.add_argument("--armature", action="store_true", help=sentence("help-armature"))
    command.add_argument("--friction", action="store_true", help=sentence("help-friction"))
    set_option(command)
    command.add_argument("--json", action="store_true", help=sentence("help-base-json"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = with_values_of_either_kind(chosen)
    with status(sentence("doing-finding-base-parameters", name=arm.name)):
        parameters = arm.base_parameters(chosen.armature, chosen.friction)
    print(_json(arm, parameters)) if chosen.json else _show(parameters)


def _json(arm: Robot | ClosedChain, base: BaseParameters) -> str:
    model = tree(arm)
    content = {
        "model": arm.name,
        "hash": model.hash,
        "left_out": as_table(model.left_out),
        "parameters": list(base.names),
        "base": base.formulas,
        "columns": base.columns,
        "identifiable": base.identifiable,
        "unidentifiable": base.unidentifiable,
        "special": list(base.special),
        "error_bound": base.error_bound,
        "rounding": base.rounding,
    }
    return json_text(content)


def _show(base: BaseParameters) -> None:
    from qddot.exact.forms.base.parameters import TITLES

    show(base.heading)
    show(table(*TITLES, rows=base.rows()))
    for remark in base.remarks:
        show(str(remark))
