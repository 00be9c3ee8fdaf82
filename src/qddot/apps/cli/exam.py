"""Runs `qddot exam`: it writes an exam on an arm or closed chain, a variant for each seed, with solution and marks."""

from __future__ import annotations

import argparse
from typing import Any

from qddot.apps.cli.output import show, status
from qddot.apps.cli.values import (
    notation_option,
    overwrite_option,
    refuse_for_chains,
    set_option,
    with_values_of_either_kind,
)
from qddot.apps.cli.words import lang_option, words_of


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.routes import ROUTES
    from qddot.papers.report.report_file import FORMATS
    from qddot.teach.exam.examined import NUMERIC, QUANTITIES
    from qddot.teach.exam.exams import ROUTE
    from qddot.teach.exam.questions import USUAL, USUAL_OF_CHAINS

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
        metavar="Q,R,…",
        help=f"what to ask, separated by commas: a quantity ({', '.join(QUANTITIES)}) or an entry such as M12 to "
        "derive; a law to show: skew (Ṁ − 2C), power (Ė), velocity (C q̇ = Ṁ q̇ − ∂K/∂q), christoffel "
        "(Γ_ijk + Γ_jik = ∂M_ij/∂q_k), potential (G = ∂P/∂q), linear (τ = Y β), definite (M > 0), equilibrium (rest "
        f"without torques); or {', '.join(f'{each}@' for each in NUMERIC)} to compute in numbers; of a closed chain "
        "also phi, A, R, mobility (the rank of A), A@, R@ and lambda@ (the forces of the loops), not equilibrium; M=8 "
        f"gives M 8 marks (default {USUAL}, of a closed chain {USUAL_OF_CHAINS})",
    )
    add(
        "--vary",
        metavar="A,B,…",
        help="what seeds change, all of it by default: lengths, gravity (its direction), joint (a revolute joint "
        "becomes prismatic, or the reverse), frames (the other Denavit–Hartenberg convention), numbers (of symbols); "
        "of a closed chain lengths, gravity and numbers",
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
    lang_option(command, "the exam")
    notation_option(command)
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
    from qddot.faces.robot import Robot
    from qddot.teach.exam.exams import ROUTE

    arm = with_values_of_either_kind(chosen).with_notation(chosen.notation)
    given: dict[str, Any] = {"students": chosen.students, "constants": chosen.constants, "overwrite": chosen.overwrite}
    given |= {} if chosen.questions is None else {"questions": chosen.questions}
    given |= {} if chosen.vary is None else {"vary": [name for name in chosen.vary.split(",") if name]}
    if isinstance(arm, Robot):
        given["route"] = chosen.route
    else:
        refuse_for_chains(chosen, "--route", chosen.route != ROUTE)
    with status(f"writing an exam on {arm.name}"):
        path = arm.exam(chosen.output, chosen.seed, lang=chosen.lang, **given)
    show(words_of(chosen)("wrote", path=path))
