"""Runs `qddot abbreviate`: a short model of an arm or a closed chain in numbers, with its errors."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.opening import loaded_of_either_kind, tree
from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import limits, notation_option, number, overwrite_option, region_option, set_option
from qddot.apps.cli.words import sentence
from qddot.base.errors import QddotError, shortened
from qddot.robot.left_out import as_table

if TYPE_CHECKING:
    from qddot.exact.forms.abbreviate import Abbreviated, AbbreviatedChain

FORMATS = ("text", "latex")
APART = (("--json", "--format"),)
NEEDS = {("--functions", "--folder", "--overwrite"): ("--code",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.machine.compilers import TARGETS

    add = command.add_argument
    add(
        "--significance",
        default="0.01",
        metavar="S[,M=S,…]",
        help=sentence("help-significance"),
    )
    add(
        "--against-joint",
        default="0.001",
        metavar="S",
        help=sentence("help-against-joint"),
    )
    region_option(
        command,
        sentence("help-abbreviate-region"),
    )
    add("--budget", type=int, metavar="N", help=sentence("help-budget"))
    add("--allow-indefinite", action="store_true", help=sentence("help-allow-indefinite"))
    notation_option(command)
    set_option(command)
    add("--format", default="text", choices=FORMATS, help=sentence("help-format"))
    add("--json", action="store_true", help=sentence("help-json"))
    add("--code", metavar="TARGET", help=sentence("help-code", names=", ".join(TARGETS)))
    add(
        "--functions",
        default="inverse_dynamics",
        metavar="F,G,…",
        help=sentence("help-functions"),
    )
    add("--folder", default=".", metavar="DIR", help=sentence("help-folder"))
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot

    arm, values = loaded_of_either_kind(chosen)
    with status(sentence("doing-abbreviating", name=arm.name)):
        short = (
            arm.with_notation(chosen.notation)
            .equations()
            .abbreviate(
                _significance(chosen.significance),
                number(chosen.against_joint, "--against-joint"),
                limits(chosen.region, tree(arm)),
                chosen.budget,
                chosen.allow_indefinite,
                **values,
            )
        )
    from qddot.exact.forms.abbreviate import Abbreviated

    functions = [name.strip() for name in chosen.functions.split(",") if name.strip()]
    files = []
    if chosen.code:
        whole = Robot(short.model) if isinstance(short, Abbreviated) else ClosedChain(short.model, short.independent)
        exported = whole.export(chosen.code, functions, chosen.folder, overwrite=chosen.overwrite)
        files = [str(path) for path in exported]
    if chosen.json:
        content = _content(short) if isinstance(short, Abbreviated) else _chain_content(short)
        print(json_text({**content, "files": files}))
    elif chosen.format == "latex":
        print(short.latex())
    else:
        if isinstance(short, Abbreviated):
            _text(short)
        else:
            show(short.text())
        for path in files:
            print(path)


def _significance(text: str) -> float | dict[str, float]:
    """Returns the thresholds in a text such as 0.01, or 0.01,B=0.05."""
    from qddot.exact.forms.abbreviate.abbreviation import MATRICES

    thresholds: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.rpartition("=")
        if name.strip() in thresholds:
            raise QddotError("significance-number-all-most", text=shortened(text))
        thresholds[name.strip()] = number(value, "--significance")
    plain = thresholds.pop("", 0.01)
    return {**dict.fromkeys(MATRICES, plain), **thresholds} if thresholds else plain


def _text(short: Abbreviated) -> None:
    """Prints the head, a table of the entries, and one line on entries that were dropped as a whole."""
    from qddot.exact.forms.abbreviate.abbreviated import TITLES
    from qddot.exact.printing.text import WIDTH, equations

    rows, gone = short.table()
    show(short.head())
    show(table(*TITLES, rows=rows))
    if short.effects:
        show(equations(short.effect_equations(), WIDTH))
    if gone:
        show(gone)


def _content(short: Abbreviated) -> dict[str, Any]:
    from qddot.exact.printing.text import Text

    plain = Text()
    return {
        "model": short.exact.model.name,
        "hash": short.exact.model.hash,
        "operations": short.operations,
        "significance": dict(short.significance),
        "against_joint": short.against_joint,
        "region": {"q": dict(short.region.q), "qd": dict(short.region.qd)},
        "exact_operations": short.exact_operations,
        "positive_definite": short.definite.verdict,
        "law": short.law,
        "left_out": as_table(short.exact.model.left_out),
        "entries": [
            {"entry": name, "form": entry, "error": error, "observed": observed, "largest": largest}
            for name, entry, error, observed, largest in short.rows()
        ],
        **{
            name: [plain.write(array.written(entry)) for entry in array.entries]
            for name, array in short.effects.items()
        },
    }


def _chain_content(short: AbbreviatedChain) -> dict[str, Any]:
    return {
        **_content(short.links),
        "operations": short.operations,
        "exact_operations": short.exact_operations,
        "positive_definite": short.definite.verdict,
        "law": short.law,
        "independent": list(short.independent),
        "states": short.states,
        "of_chain": [
            {"entry": name, "error": error, "share": share, "largest": largest}
            for name, error, share, largest in short.rows()
        ],
    }
