"""Runs `qddot exam`: it writes an exam on an arm, a variant for each seed, with its solution and marks."""

from __future__ import annotations

import argparse

from qddot.apps.cli.output import show, status
from qddot.apps.cli.values import loaded, overwrite_option, set_option


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.routes import ROUTES
    from qddot.papers.report.languages import LANGUAGES
    from qddot.papers.report.report_file import FORMATS
    from qddot.teach.exam.exams import ROUTE
    from qddot.teach.exam.questions import NUMERIC, QUANTITIES, USUAL
    from qddot.teach.exam.variants import CHANGES

    add = command.add_argument
    add(
        "--seed",
        type=int,
        default=0,
        metavar="K",
        help="number of the variant; 0, the default, is the arm as described",
    )
    add(
        "--questions",
        default=USUAL,
        metavar="Q,R,…",
        help=f"what to ask, separated by commas: a quantity ({', '.join(QUANTITIES)}) or an entry such as M12 to "
        "derive; a law to show: skew (Ṁ − 2C), power (Ė), velocity (C q̇ = Ṁ q̇ − ∂K/∂q), christoffel "
        "(Γ_ijk + Γ_jik = ∂M_ij/∂q_k), potential (G = ∂P/∂q), linear (τ = Y β), definite (M > 0), equilibrium (rest "
        f"without torques); or {', '.join(f'{each}@' for each in NUMERIC)} to compute in numbers; M=8 gives M 8 marks "
        f"(default {USUAL})",
    )
    add(
        "--vary",
        default=",".join(CHANGES),
        metavar="A,B,…",
        help="what seeds change, all of it by default: lengths, gravity (its direction), joint (a revolute joint "
        "becomes prismatic, or the reverse), frames (the other Denavit–Hartenberg convention), numbers (of symbols)",
    )
    add(
        "--constants",
        action="store_true",
        help="give the lumped constants in which results are to be written, with their definitions",
    )
    add("--route", default=ROUTE, choices=ROUTES, help="the route of the solution")
    add(
        "--students",
        metavar="FILE|N",
        help="write a variant for each name in a file, or N variants, and a table of their seeds",
    )
    add("--lang", default="en", choices=LANGUAGES, help="language of the exam")
    set_option(command)
    add(
        "-o",
        "--output",
        default="exam.html",
        metavar="FILE",
        help=f"{', '.join(FORMATS)}, or .xml for Moodle with STACK (default exam.html)",
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = loaded(chosen)
    vary = [name for name in chosen.vary.split(",") if name]
    with status(f"writing an exam on {arm.name}"):
        path = arm.exam(
            chosen.output,
            chosen.seed,
            chosen.questions,
            chosen.lang,
            vary=vary,
            constants=chosen.constants,
            route=chosen.route,
            students=chosen.students,
            overwrite=chosen.overwrite,
        )
    show(f"wrote {path}")
