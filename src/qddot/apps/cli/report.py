"""Runs `qddot report`: it writes the derivation of an arm's equations as a document."""

from __future__ import annotations

import argparse

from qddot.apps.cli.opening import loaded_of_either_kind, refuse_for_chains
from qddot.apps.cli.output import show, status
from qddot.apps.cli.values import notation_option, overwrite_option, set_option
from qddot.apps.cli.words import sentence
from qddot.apps.cli.written_equations import TEXTBOOK, check_form, form_options, textbook_form


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.routes import ROUTES
    from qddot.machine.compilers import TARGETS
    from qddot.papers.report.levels import LECTURE, LEVELS
    from qddot.papers.report.report_file import FORMATS, KINDS, OF_SLIDES, REPORT

    add = command.add_argument
    choice = command.add_mutually_exclusive_group()
    choice.add_argument(
        "--route", default="composite", metavar="R", help=sentence("help-route", names=", ".join(ROUTES))
    )
    choice.add_argument("--routes", metavar="R,S,…", help=sentence("help-routes"))
    add(
        "--level",
        default=LECTURE,
        choices=LEVELS,
        help=sentence("help-report-level"),
    )
    add(
        "--significance",
        type=float,
        metavar="S",
        help=sentence("help-report-significance"),
    )
    add("--code", choices=TARGETS, help=sentence("help-report-code"))
    add(
        "--bounds",
        action="store_true",
        help=sentence("help-report-bounds"),
    )
    form_options(command, None, sentence("form-by-default"))
    notation_option(command)
    set_option(command)
    add("--format", default=REPORT, choices=KINDS, help=sentence("help-report-format", names=", ".join(OF_SLIDES)))
    add(
        "-o",
        "--output",
        default="report.html",
        metavar="FILE",
        help=sentence("help-report-output", names=", ".join(FORMATS)),
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.exact.equations.routes import QUICKEST
    from qddot.faces.robot import Robot

    arm, values = loaded_of_either_kind(chosen)
    arm = (arm.with_values(**values) if values else arm).with_notation(chosen.notation)
    if not isinstance(arm, Robot):
        given = {
            "--route": chosen.route != QUICKEST,
            "--routes": chosen.routes is not None,
            "--code": chosen.code is not None,
            "--bounds": chosen.bounds,
        }
        for option, is_given in given.items():
            refuse_for_chains(chosen, option, is_given)
        check_form(chosen)
        form, lumped = textbook_form(chosen)
        with status(sentence("doing-writing-derivation", name=arm.name)):
            options = {"level": chosen.level, "overwrite": chosen.overwrite, "significance": chosen.significance}
            options["format"] = chosen.format
            path = arm.report(chosen.output, chosen.lang, **options, form=form or None, lumped=lumped)
            show(sentence("wrote", path=path))
        return
    routes = chosen.route if chosen.routes is None else chosen.routes.split(",")
    routes = "all" if routes == ["all"] else routes
    with status(sentence("doing-writing-derivation", name=arm.name)):
        contents = (chosen.lang, chosen.significance, chosen.code, chosen.level, chosen.bounds)
        written = (*textbook_form(chosen, TEXTBOOK), chosen.format)
        path = arm.report(chosen.output, routes, *contents, chosen.overwrite, *written)
    show(sentence("wrote", path=path))
