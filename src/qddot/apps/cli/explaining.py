"""Explains entries of the equations term by term, in `qddot derive --why`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.output import DONE, FALSE, OF_SENTENCES, columns, json_text, show, status, table
from qddot.apps.cli.words import sentence, titled
from qddot.apps.cli.written_equations import BETWEEN
from qddot.base.errors import QddotError

if TYPE_CHECKING:
    from qddot.exact.forms.textbook.shares.why import Explanation
    from qddot.faces.equations_of_motion import EquationsOfMotion

OPTION = "--why"


def option(command: argparse.ArgumentParser) -> None:
    """Adds the option to a command."""
    command.add_argument(OPTION, metavar="M12,…", help=sentence("help-why"))


def show_of_arm(eq: EquationsOfMotion, chosen: argparse.Namespace) -> int:
    """Prints the explanations of the entries that are asked for, and returns the exit code."""
    names = [name.strip() for name in BETWEEN.split(chosen.why) if name.strip()]
    if not names:
        raise QddotError("why-of-nothing", option=OPTION)
    with status(sentence("doing-explaining", name=eq.model.name)) as say:
        explained: list[Explanation] = []
        for name in names:
            say(name)
            explained += eq.why(name)
    if chosen.json:
        print(json_text({"model": eq.model.name, "entries": list(map(_content, explained))}))
    else:
        show(titled(eq.model.name, eq.model.title))
        for each in explained:
            _show(each)
    return DONE if all(each.proved for each in explained) else FALSE


def _show(each: Explanation) -> None:
    """Prints an entry, a table of its parts, and whether they add up to it."""
    from qddot.exact.printing.text import WIDTH

    show(f"\n{each.equation(columns(WIDTH))}")
    if each.reasons:
        rows = [(reason.text, reason.origin.told(), reason.why.told()) for reason in each.reasons]
        show(table(sentence("why-term"), sentence("why-from"), sentence("why-why"), rows=rows), OF_SENTENCES)
    show(each.verdict.told())


def _content(each: Explanation) -> dict[str, Any]:
    """Returns an explanation as plain data, in English."""
    return {
        "entry": each.name,
        "equation": each.equation().replace("\n", " "),
        "proved": each.proved,
        "parts": [
            {"term": reason.text, "from": reason.origin.told("en"), "why": reason.why.told("en")}
            for reason in each.reasons
        ],
    }
