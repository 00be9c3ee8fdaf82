"""Runs `qddot report`: it writes the derivation of an arm's equations as a document."""

from __future__ import annotations

import argparse

from qddot.cli.output import show, status


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.equations.routes import ROUTES
    from qddot.report.languages import LANGUAGES

    add = command.add_argument
    add("--route", default="composite", metavar="R", help=f"one of {', '.join(ROUTES)}")
    add("--lang", default="en", choices=LANGUAGES, help="language of the document")
    add("-o", "--output", default="report.html", metavar="FILE", help="report.html if absent")


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces.constructors import load

    arm = load(chosen.arm, chosen.arguments)
    with status(f"writing the derivation of {arm.name}"):
        path = arm.report(chosen.output, chosen.route, chosen.lang)
    show(f"wrote {path}")
