"""Runs `qddot derive`: the exact equations of motion, in normal form or as a person would write them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from qddot.apps.cli import explaining, in_a_state, long_equations, state
from qddot.apps.cli.opening import opened_chain, opened_model, refuse_for_chains
from qddot.apps.cli.output import DONE, status
from qddot.apps.cli.values import chain_in_numbers, in_numbers, set_option, set_values, with_set_values
from qddot.apps.cli.words import sentence, titled
from qddot.apps.cli.written_equations import all_option, check_options, format_options, show
from qddot.base.errors import ClosedChainError
from qddot.base.words.message import say
from qddot.robot.left_out import sentences

if TYPE_CHECKING:
    from qddot.faces.equations_of_motion import EquationsOfMotion


APART = (
    ("--json", "--format"),
    *((option, other) for option in ("--at", "--why") for other in ("--form", "--format", "--digits", "--all")),
    ("--at", "--why"),
    ("--why", "--only"),
)


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.quantity_table import QUANTITIES
    from qddot.exact.equations.routes import ROUTES

    add = command.add_argument
    add("--route", default="composite", metavar="R", help=sentence("help-route", names=", ".join(ROUTES)))
    add(
        "--only",
        metavar="M,G,…",
        help=sentence("help-derive-only", names=", ".join(QUANTITIES)),
    )
    explaining.option(command)
    all_option(command)
    format_options(command)
    state.option(command, "help-derive-at")
    set_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.exact.equations.quantities import Quantities
    from qddot.faces.equations_of_motion import EquationsOfMotion

    check_options(chosen)
    try:
        opened = opened_model(chosen)
    except ClosedChainError:
        return _derive_chain(chosen)
    model = in_numbers(opened, chosen) if chosen.at is None else with_set_values(opened, chosen)
    eq = EquationsOfMotion(Quantities(replace(model, notation=chosen.notation), chosen.route))
    if chosen.why is not None:
        return explaining.show_of_arm(eq, chosen)
    return show_arm(eq, chosen) if chosen.at is None else in_a_state.show_of_arm(eq, chosen)


def show_arm(eq: EquationsOfMotion, chosen: argparse.Namespace) -> int:
    """Prints the equations of an arm and returns the exit code."""
    facts = {"route": eq.route, "coordinates": list(eq.model.coordinates)}
    with status(sentence("doing-deriving", name=eq.model.name)):
        terms = long_equations.terms(eq.quantities, chosen)
        beginning = long_equations.of_arm(eq, terms, lambda sums: _head(eq, sums.values()), chosen) if terms else ""
    if beginning:
        print(beginning)
        return DONE
    return show(eq, eq.model, lambda sums: _head(eq, sums.values()), facts, chosen)


def _derive_chain(chosen: argparse.Namespace) -> int:
    from qddot.apps.cli.closed import show_chain
    from qddot.exact.equations.routes import QUICKEST

    refuse_for_chains(chosen, "--route", chosen.route != QUICKEST)
    refuse_for_chains(chosen, explaining.OPTION, chosen.why is not None)
    chain = opened_chain(chosen).with_notation(chosen.notation)
    if chosen.at is None:
        return show_chain(chain_in_numbers(chain, chosen), chosen)
    return in_a_state.show_of_chain(chain.with_values(**set_values(chosen.set, chain.model.tree)), chosen)


def _origin(eq: EquationsOfMotion) -> str:
    """Returns what the equations are derived from."""
    if eq.model.lagrangian is not None:
        return sentence("by-lagrange")
    return sentence("route", route=say(f"route-{eq.route}".replace("_", "-")))


def _head(eq: EquationsOfMotion, sums: Iterable[str]) -> list[str]:
    """Returns lines with the model's name, the law, and the meaning of short names; sums: angles that are sums."""
    from qddot.algebra.expressions.names import load_name, rate_name

    quasi = eq.model.freedoms[0].velocities[-3] if eq.model.freedoms else ""
    coordinate = next((name for name in eq.model.coordinates if name in eq.model.positions), "")
    meanings = _short_names(eq, sums)
    if coordinate:
        meanings.append(sentence("rates", rate=rate_name(coordinate), second=rate_name(coordinate, 2), name=coordinate))
    meanings += [sentence("loaded", load=load_name(name), name=name) for name in eq.model.loaded]
    if quasi:
        meanings.append(sentence("velocity", name=quasi, rate=rate_name(quasi)))
    return [
        titled(eq.model.name, eq.model.title),
        *map(str, sentences(eq.model.left_out)),
        sentence("law", law=eq.law, origin=_origin(eq), meanings=sentence("comma-between").join(meanings)),
    ]


def _short_names(eq: EquationsOfMotion, sums: Iterable[str]) -> list[str]:
    """Returns what short names of sines and cosines stand for: those of the first coordinate, and of each sum."""
    from qddot.exact.equations.notations import notation_of
    from qddot.exact.printing.notation import numbers_of

    ring = eq.quantities.ring
    numbers = {name: k for name, k in numbers_of(ring.turning.coordinates).items() if f"c{k}" not in ring.symbols}
    first = next((name for name in eq.model.coordinates if name in numbers), None)
    if first is None:
        return []
    k, paired = numbers[first], notation_of(eq.model.notation).paired
    c, s = "CS" if paired else "cs"
    names = {f"{c}{k}": f"cos({first})", f"{s}{k}": f"sin({first})"}
    names |= {f"SC{k}": f"S{k}*C{k}", f"CC{k}": f"C{k}**2", f"SS{k}": f"S{k}**2"} if paired else {}
    for of in sums:
        parts = of.split(" + ")
        if len(parts) > 1 and all(part in numbers for part in parts):
            names[c + "".join(numbers[part] for part in parts)] = f"cos({of})"
    return [f"{short} = {meaning}" for short, meaning in names.items()]
