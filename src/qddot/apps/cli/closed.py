"""Runs `qddot closed`: the equations of a closed chain in independent coordinates, their proof, and configurations."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.names import rate_name
from qddot.apps.cli import in_a_state, state
from qddot.apps.cli.opening import (
    chain_with_symbols,
    independent_in,
    independent_option,
    reading_options,
    symbolic_option,
    tell,
    tell_opening,
    without,
)
from qddot.apps.cli.output import DONE, json_text, status
from qddot.apps.cli.prove import show_certificate
from qddot.apps.cli.values import (
    chain_in_numbers,
    note_degrees,
    number,
    overwrite_option,
    pairs,
    set_option,
    set_values,
)
from qddot.apps.cli.words import independent, sentence, titled
from qddot.apps.cli.written_equations import (
    all_option,
    check_options,
    format_options,
    is_plain_text,
    show,
    textbook_form,
)
from qddot.base.errors import EvaluationError, QddotError
from qddot.base.words.message import Listed, say
from qddot.robot.left_out import LOOPS, sentences

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.machine.numeric.assembly import Assembly
    from qddot.physics.independent import Independents

NEAR = "--near"

APART = (
    ("--json", "--format"),
    ("--prove", "--assemble", "--modes", "--output"),
    *(("--prove", other) for other in ("--format", "--form", "--digits", "--all", "--notation", "--no-constants")),
    *(("--at", other) for other in ("--prove", "--output", "--form", "--format", "--digits", "--all")),
    *((option, "--only") for option in ("--prove", "--assemble", "--modes", "--output")),
    ("--output", "--json"),
)
NEEDS = {("--assemble", "--modes"): ("--at",), ("--level", "--overwrite"): ("--output",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.quantity_table import QUANTITIES
    from qddot.papers.report.levels import LECTURE, LEVELS
    from qddot.papers.report.report_file import FORMATS

    add = command.add_argument
    add(
        "chain",
        metavar="CHAIN",
        help=sentence("help-chain"),
    )
    independent_option(command)
    add(
        NEAR,
        metavar="STATE",
        help=sentence("help-near"),
    )
    add(
        "--only",
        metavar="M,G,…",
        help=sentence("help-only", names=", ".join(name for name in QUANTITIES if name != "A")),
    )
    all_option(command)
    format_options(command)
    add("--prove", action="store_true", help=sentence("help-prove"))
    state.option(command, "help-closed-at")
    add("--assemble", action="store_true", help=sentence("help-assemble"))
    add("--modes", action="store_true", help=sentence("help-modes"))
    add("-o", "--output", metavar="FILE", help=sentence("help-output", names=", ".join(FORMATS)))
    add(
        "--level",
        default=LECTURE,
        choices=LEVELS,
        help=sentence("help-level"),
    )
    overwrite_option(command)
    set_option(command)
    reading_options(command)
    symbolic_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.faces.constructors import load_closed_chain

    check_options(chosen)
    if LOOPS in without(chosen):
        raise QddotError("closed-without-loops", name=chosen.chain)
    near = None if chosen.near is None else _coordinates(chosen.near)
    reading = without(chosen), chosen.model, chosen.arguments
    chain = load_closed_chain(chosen.chain, independent_in(chosen), near, *reading)
    tell(chosen.chain, chain.model.tree)
    if near is not None:
        note_degrees(chain.model.tree, NEAR, _texts(chosen.near).items())
        _check_near(chosen, chain)
    chain = chain_with_symbols(chain, chosen)
    symbolic = chosen.at is None and not (chosen.prove or chosen.output)
    if symbolic:
        chain = chain_in_numbers(chain, chosen)
    elif chosen.set:
        chain = chain.with_values(**set_values(chosen.set, chain.model.tree))
    tell_opening(chain)
    chain = chain.with_notation(chosen.notation)
    if chosen.assemble or chosen.modes:
        tree = chain.model.tree
        only = [tree.coordinates[k] for k in _free(chain).independent] if chosen.modes else tree.positions
        at = state.read(chosen.at, chain.model.tree, state.Q, positions=only)
        (_show_configuration if chosen.assemble else _show_modes)(chain, at.q, chosen.json)
    elif chosen.output:
        form, lumped = textbook_form(chosen)
        options = {"level": chosen.level, "overwrite": chosen.overwrite, "form": form or None, "lumped": lumped}
        with status(sentence("doing-writing-derivation", name=chain.name)):
            path = chain.report(chosen.output, chosen.lang, **options)
        print(sentence("wrote", path=path))
    elif chosen.prove:
        with status(sentence("doing-proving", name=chain.name)):
            certificate = chain.prove()
        return show_certificate(certificate, chain, chosen)
    elif chosen.at is not None:
        return in_a_state.show_of_chain(chain, chosen)
    else:
        return show_chain(chain, chosen)
    return DONE


def _check_near(chosen: argparse.Namespace, chain: ClosedChain) -> None:
    """Raises QddotError if --near changes nothing: only a mechanism that moves since its lengths are special needs it.

    Proofs, documents and values in a state begin there, too.
    """
    if chosen.prove or chosen.output or (chosen.at is not None and not (chosen.assemble or chosen.modes)):
        return
    from qddot.faces.closed_chain import ClosedChain

    with suppress(EvaluationError):  # then it is needed
        if not ClosedChain(chain.model, chain.independent).system.choice.near:
            raise QddotError("near-changes-nothing", option=NEAR, name=chain.name)


def show_chain(chain: ClosedChain, chosen: argparse.Namespace) -> int:
    """Prints the equations of a chain and returns the exit code."""
    from qddot.apps.cli import chain_page, long_equations

    eq, title = chain.equations(), chain.model.tree.title
    law = sentence("chain-law", law=eq.law, velocities=_velocities(chain, given=bool(chosen.independent)))
    head = [titled(chain.name, title), law, *map(str, sentences(chain.model.tree.left_out))]
    with status(sentence("doing-deriving", name=chain.name)):
        terms = long_equations.terms_of_chain(eq.reduced, chosen)
        if is_plain_text(chosen):
            printed = chain_page.text(eq, terms, head, chosen)
    if is_plain_text(chosen):
        print(printed)
        return DONE
    facts = {"coordinates": list(chain.model.tree.coordinates), "independent": list(chain.independent)}
    return show(eq, chain.model.tree, lambda _: head, facts, chosen)


def _velocities(chain: ClosedChain, *, given: bool) -> str:
    """Returns how all velocities follow from the independent ones, and what these are."""
    quasi = {name for freedoms in chain.model.tree.freedoms for name in freedoms.velocities}
    if not quasi:
        return sentence("rates-of-a-chain", names=independent(chain, chain.independent, given=given))
    named = [name if name in quasi else rate_name(name) for name in chain.independent]
    return sentence("velocities-of-a-chain", names=independent(chain, named, given=given))


def _coordinates(near: str) -> dict[str, float]:
    """Returns the coordinates in --near, which are read before the chain is opened."""
    return {name: number(value, f"{NEAR} {name}") for name, value in _texts(near).items()}


def _texts(near: str) -> dict[str, str]:
    return pairs(near.split(","), NEAR, say("values-with-commas"))


def _show_configuration(chain: ClosedChain, guess: dict[str, Any], as_json: bool) -> None:
    """Prints the configuration near a guess."""
    assembly = chain.assemble(guess)
    if as_json:
        print(json_text({"model": chain.name, **_content(chain, assembly)}))
        return
    for name, value in zip(chain.model.tree.positions, assembly.q, strict=True):
        print(f"{name} = {float(value)!r}")
    if chain.model.positional:
        print(sentence("closed-there", radius=f"{assembly.radius:.1e}"))
    else:
        print(sentence("chain-without-loops"))


def _content(chain: ClosedChain, assembly: Assembly) -> dict[str, Any]:
    """Returns a configuration as plain data; radius: within which it is the only closed one, None without loops."""
    q = dict(zip(chain.model.tree.positions, map(float, assembly.q), strict=True))
    return {"q": q, "radius": float(assembly.radius) if chain.model.positional else None}


def _show_modes(chain: ClosedChain, independent: dict[str, Any], as_json: bool) -> None:
    """Prints all configurations with the same independent coordinates."""
    from qddot.machine.numeric.searched_ranges import searched_within_limits

    if not chain.model.positional:
        print(json_text({"model": chain.name, "modes": None}) if as_json else sentence("chain-without-loops"))
        return
    modes = chain.assembly_modes(independent)
    if as_json:
        print(json_text({"model": chain.name, "modes": [_content(chain, mode) for mode in modes]}))
        return
    for k, mode in enumerate(modes, 1):
        values = zip(chain.model.tree.coordinates, mode.q, strict=True)
        print(sentence("mode", number=k, q=", ".join(f"{name} = {float(value)!r}" for name, value in values)))
    names = searched_within_limits(chain.model, [chain.model.tree.coordinates[k] for k in _free(chain).dependent])
    key = "modes-within-limits" if names else "modes"
    print(sentence(key, number=len(modes), names=Listed(names)))


def _free(chain: ClosedChain) -> Independents:
    """Returns which coordinates the loops leave free; with rolling wheels they are more than the independent rates."""
    from qddot.physics.independent import of_loops

    return of_loops(chain.model, chain.system.choice)
