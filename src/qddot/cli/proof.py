"""Runs `qddot prove`: it derives by every route and proves the laws of mechanics."""

from __future__ import annotations

import argparse

from qddot.cli.exit_codes import DONE, FALSE
from qddot.cli.output import status


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    command.add_argument("--json", action="store_true", help="print the certificate as JSON")


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code, which says whether all is proved."""
    from qddot.faces.constructors import load

    arm = load(chosen.arm, chosen.arguments)
    with status(f"proving {arm.name}") as say:
        certificate = arm.prove(progress=say)
    print(certificate.to_json() if chosen.json else certificate)
    return DONE if certificate else FALSE
