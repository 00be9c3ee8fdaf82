"""Prints quantities in a state, with bounds over the tolerances of the symbols, for `--at` of `derive` and `closed`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import state
from qddot.apps.cli.output import DONE, json_text, show, status, table
from qddot.apps.cli.words import sentence
from qddot.apps.cli.written_equations import names_in
from qddot.base.errors import QddotError
from qddot.robot.symbol_values import refuse_missing

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.closed_equations import ClosedEquations
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.robot.model import Model


def show_of_chain(chain: ClosedChain, chosen: argparse.Namespace) -> int:
    """Prints the bounds in the closed configuration near the one that is given, and returns the exit code."""
    tree = chain.model.tree
    at = state.read(chosen.at, tree, state.QDD, chain.independent)
    return _show(chain.equations(), tree, chain.assemble(at.q).q, at, chosen)


def show_of_arm(eq: EquationsOfMotion, chosen: argparse.Namespace) -> int:
    """Prints the bounds and returns the exit code."""
    at = state.read(chosen.at, eq.model, state.QDD)
    return _show(eq, eq.model, at.positions(eq.model), at, chosen)


def _unneeded(eq: EquationsOfMotion | ClosedEquations, model: Model, names: Sequence[str]) -> dict[str, float]:
    """Returns a number for each symbol without a value that is in none of the quantities.

    raises QddotError: a symbol in them has no value
    """
    missing = model.used_symbols - {*model.defaults()}
    needed = {symbol for name in names for symbol in eq.array(name).free_symbols}
    refuse_missing(missing & needed, model.name, "give-values-by-set", QddotError)
    return dict.fromkeys(missing, 0.0)


def _show(
    eq: EquationsOfMotion | ClosedEquations, model: Model, q: Any, at: state.State, chosen: argparse.Namespace
) -> int:
    from qddot.exact.equations.notations import notation_of
    from qddot.exact.equations.quantity_names import name_of
    from qddot.exact.printing.text import Text

    names = names_in(chosen) or eq.shown
    where = dict(zip(model.positions, map(float, q), strict=True))
    with status(sentence("doing-bounding", name=model.name)):
        others = _unneeded(eq, model, names)
        bounds = {name: eq.interval(name, q, at.qd, at.qdd, **others) for name in names}
    if chosen.json:
        listed = {name: {"lower": low.tolist(), "upper": high.tolist()} for name, (low, high) in bounds.items()}
        print(json_text({"model": model.name, "hash": model.hash, "q": where, **listed}))
        return DONE
    written = partial(name_of, coordinates=model.coordinates, notation=notation_of(model.notation))
    bounded = any(symbol.tolerance is not None for symbol in model.symbols.values())
    rows = []
    for asked, (low, high) in bounds.items():
        array = eq.array(asked)
        of_entries = dict(zip(array.places, zip(low.flat, high.flat, strict=True), strict=True))
        for name, place, _ in array.labelled():
            ends = of_entries[place] if bounded else (sum(of_entries[place]) / 2,)
            if any(ends):
                rows.append([Text().write(written(name, place)), *(f"{end:.8g}" for end in ends)])
    show(sentence("intervals" if bounded else "in-a-state", name=model.name))
    show(", ".join(f"{name} = {value:.8g}" for name, value in where.items()))
    titles = [sentence(key) for key in (("at-least", "at-most") if bounded else ("value",))]
    show(table(sentence("entry"), *titles, rows=rows))
    return DONE
