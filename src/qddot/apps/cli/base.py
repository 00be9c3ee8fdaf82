"""Runs `qddot base`: it finds the combinations of inertias that affect the motion."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import loaded, set_option
from qddot.base.errors import number_of
from qddot.robot.left_out import as_table

if TYPE_CHECKING:
    from qddot.exact.forms.base.parameters import BaseParameters
    from qddot.faces.robot import Robot


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    command.add_argument("--armature", action="store_true", help="include the joints' armature")
    command.add_argument("--friction", action="store_true", help="include the joints' viscous and Coulomb friction")
    set_option(command)
    command.add_argument("--json", action="store_true", help="print the base parameters as JSON")


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = loaded(chosen)
    with status(f"finding the base parameters of {arm.name}"):
        parameters = arm.base_parameters(chosen.armature, chosen.friction)
    print(_json(arm, parameters)) if chosen.json else _show(parameters)


def _json(arm: Robot, base: BaseParameters) -> str:
    content = {
        "model": arm.name,
        "hash": arm.model.hash,
        "left_out": as_table(arm.model.left_out),
        "parameters": list(base.names),
        "base": base.formulas,
        "columns": base.columns,
        "identifiable": base.identifiable,
        "unidentifiable": base.unidentifiable,
        "special": list(base.special),
        "error_bound": base.error_bound,
    }
    return json_text(content)


def _show(base: BaseParameters) -> None:
    from qddot.exact.forms.base.parameters import CONVENTION, TITLES

    show(f"{number_of(len(base), 'base parameter')} of {len(base.names)}; {CONVENTION}")
    show(table(*TITLES, rows=base.rows()))
    for remark in base.remarks:
        show(remark)
