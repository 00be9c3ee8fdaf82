"""Prints bounds of quantities over the tolerances of the symbols in a state, for `qddot derive --interval`."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.output import DONE, json_text, show, status, table
from qddot.apps.cli.values import numbers_if_any, positions
from qddot.apps.cli.words import sentence
from qddot.apps.cli.written_equations import NORMAL, TEXT, names_in
from qddot.base.errors import QddotError

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.closed_equations import ClosedEquations
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.robot.model import Model


def options(command: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = command.add_argument
    add(
        "--interval",
        metavar="Q,…",
        help=sentence("help-interval"),
    )
    add("--qd", metavar="V,…", help=sentence("help-qd"))
    add("--qdd", metavar="A,…", help=sentence("help-qdd"))


def check(chosen: argparse.Namespace) -> None:
    """Raises QddotError if some options do not go with bounds, or rates are given without them."""
    if chosen.interval is None:
        given = [option for option in ("qd", "qdd") if getattr(chosen, option) is not None]
        if given:
            raise QddotError("without-interval", given=given[0])
    elif chosen.form != NORMAL or chosen.format != TEXT or chosen.digits is not None:
        raise QddotError("interval-another-form-format")


def show_of_chain(chain: ClosedChain, chosen: argparse.Namespace) -> int:
    """Prints the bounds in the closed configuration near the one that is given, and returns the exit code."""
    q = chain.assemble(positions(chain.model.tree, chosen.interval, "--interval")).q
    return _show(chain.equations(), chain.model.tree, q, chosen)


def show_of_arm(eq: EquationsOfMotion, chosen: argparse.Namespace) -> int:
    """Prints the bounds and returns the exit code."""
    return _show(eq, eq.model, positions(eq.model, chosen.interval, "--interval"), chosen)


def _show(eq: EquationsOfMotion | ClosedEquations, model: Model, q: Any, chosen: argparse.Namespace) -> int:
    from qddot.exact.equations.notations import notation_of
    from qddot.exact.equations.quantity_names import name_of
    from qddot.exact.printing.text import Text

    qd, qdd = (numbers_if_any(getattr(chosen, option), f"--{option}") for option in ("qd", "qdd"))
    names = names_in(chosen) or eq.shown
    with status(sentence("doing-bounding", name=model.name)):
        bounds = {name: eq.interval(name, q, qd, qdd) for name in names}
    if chosen.json:
        listed = {name: {"lower": low.tolist(), "upper": high.tolist()} for name, (low, high) in bounds.items()}
        print(json_text({"model": model.name, "hash": model.hash, **listed}))
        return DONE
    written = partial(name_of, coordinates=model.coordinates, notation=notation_of(model.notation))
    rows = []
    for asked, (low, high) in bounds.items():
        array = eq.array(asked)
        of_entries = dict(zip(array.places, zip(low.flat, high.flat, strict=True), strict=True))
        for name, place, _ in array.labelled():
            if any(of_entries[place]):
                ends = (f"{end:.8g}" for end in of_entries[place])
                rows.append([Text().write(written(name, place)), *ends])
    show(sentence("intervals", name=model.name))
    show(table(sentence("entry"), sentence("at-least"), sentence("at-most"), rows=rows))
    return DONE
