"""Runs `qddot exam`: it writes an exam on an arm or closed chain, a variant for each seed, with solution and marks."""

from __future__ import annotations

import argparse

from qddot.apps.cli.opening import loaded_of_either_kind, refuse_for_chains
from qddot.apps.cli.output import complain, show, status
from qddot.apps.cli.values import notation_option, overwrite_option, set_option
from qddot.apps.cli.words import sentence


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
        help=sentence("help-seed"),
    )
    add(
        "--questions",
        metavar="Q,R,…",
        help=sentence(
            "help-questions",
            names=", ".join(QUANTITIES),
            names2=", ".join(f"{each}@" for each in NUMERIC),
            usual=USUAL,
            usual_of_chains=USUAL_OF_CHAINS,
        ),
    )
    add(
        "--vary",
        metavar="A,B,…",
        help=sentence("help-vary"),
    )
    add(
        "--constants",
        action="store_true",
        help=sentence("help-constants"),
    )
    add("--route", default=ROUTE, choices=ROUTES, help=sentence("help-exam-route"))
    add(
        "--students",
        metavar="FILE|N",
        help=sentence("help-students"),
    )
    add("--folder", metavar="DIR", help=sentence("help-exam-folder"))
    notation_option(command)
    set_option(command)
    add(
        "-o",
        "--output",
        default="exam.html",
        metavar="FILE",
        help=sentence("help-exam-output", names=", ".join(FORMATS)),
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces import exam_files
    from qddot.faces.robot import Robot
    from qddot.teach.exam.chain_variants import CHANGES, ChainVariants
    from qddot.teach.exam.exams import ROUTE, Asked
    from qddot.teach.exam.variants import USUAL_CHANGES, Variants

    arm, kept = loaded_of_either_kind(chosen)
    arm = (arm.with_values(**kept) if kept else arm).with_notation(chosen.notation)
    vary = None if chosen.vary is None else [name for name in chosen.vary.split(",") if name]
    variants: Variants | ChainVariants
    if isinstance(arm, Robot):
        variants = Variants(arm.model, USUAL_CHANGES if vary is None else vary, kept)
    else:
        refuse_for_chains(chosen, "--route", chosen.route != ROUTE)
        variants = ChainVariants(arm.quantities, CHANGES if vary is None else vary, kept)
    asked = Asked(chosen.questions, chosen.route, chosen.constants)
    with status(sentence("doing-writing-exam", name=arm.name)):
        written = exam_files.write(
            variants, chosen.output, chosen.seed, asked, chosen.lang, chosen.students, chosen.overwrite, chosen.folder
        )
    for note in written.notes:
        complain(str(note))
    for paths in written.papers:
        show(sentence("wrote", path=", ".join(map(str, paths))))
