"""Runs `qddot prove`: it derives by every route and proves the laws, or writes files that another program checks."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from qddot.apps.cli.opening import refuse_for_chains, tree, with_values_of_either_kind
from qddot.apps.cli.output import DONE, FALSE, show, status, table
from qddot.apps.cli.values import overwrite_option, set_option
from qddot.apps.cli.words import sentence
from qddot.base.words.language import ENGLISH, language

if TYPE_CHECKING:
    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.papers.report.document import Paragraph
    from qddot.robot.model import Model

APART = (("--to", "--json"), ("--to", "--seed"))
NEEDS = {("--folder", "--overwrite"): ("--to",)}
INDEX = re.compile(r"([_^])\{(\w+)\}")


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.proof.certify.proof_files import PROVERS

    command.add_argument("--json", action="store_true", help=sentence("help-prove-json"))
    command.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help=sentence("help-prove-seed"),
    )
    command.add_argument(
        "--to",
        choices=tuple(PROVERS),
        help=sentence("help-prove-to"),
    )
    command.add_argument("--folder", default=".", metavar="DIR", help=sentence("help-prove-folder"))
    overwrite_option(command)
    set_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code: whether all is proved, or DONE if --to is given."""
    from qddot.faces.robot import Robot

    arm = with_values_of_either_kind(chosen)
    if not isinstance(arm, Robot):
        refuse_for_chains(chosen, "--seed", chosen.seed is not None)
    if chosen.to:
        with status(sentence("doing-writing", name=arm.name, to=chosen.to)):
            proof = arm.certificate(chosen.to)
            written = proof.export(chosen.folder, chosen.overwrite)
        command = f"cd {chosen.folder} && {proof.check}"
        print(*written, sentence("to-check", command=command), sep="\n")
        return DONE
    with status(sentence("doing-proving", name=arm.name)) as say:
        certificate = arm.prove(progress=say, seed=chosen.seed) if isinstance(arm, Robot) else arm.prove()
    return show_certificate(certificate, arm, chosen)


def show_certificate(certificate: Certificate, arm: Robot | ClosedChain, chosen: argparse.Namespace) -> int:
    """Prints a certificate and returns the exit code."""
    if chosen.json:
        print(certificate.to_json())
    elif language() == ENGLISH:
        print(certificate)
    else:
        _show(certificate, tree(arm))
    return DONE if certificate else FALSE


def _show(certificate: Certificate, model: Model) -> None:
    """Shows a certificate as reports in other languages than English do, with the times."""
    from qddot.papers.report.wording import Words as WordsOfReports
    from qddot.papers.report.wording import traits_of

    report = WordsOfReports(language(), traits=traits_of(model))
    for line in certificate.head():
        show(line)
    rows = []
    for each in certificate.identities:
        title, law = map(_plain, report.identity(each.name, each.law))
        has_numbers = bool(getattr(each.law.words, "slots", {}))  # which reports do not have
        lines = [law, *([str(each.law)] if has_numbers else []), *([str(each.detail)] if each.detail else [])]
        rows.append([each.mark, title, "\n".join(lines), report(f"{each.verdict} verdict"), each.duration])
    show(table("", *(report(title) for title in ("identity", "what", "verdict", "time")), rows=rows))


def _plain(paragraph: Paragraph) -> str:
    """Returns a sentence with its formulas as they are written, without curly brackets round single indices."""
    from qddot.papers.report.formula import Formula

    parts = (part.text if isinstance(part, Formula) else str(part) for part in paragraph.parts)
    return INDEX.sub(r"\1\2", "".join(parts))
