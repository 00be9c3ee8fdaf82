"""Runs `qddot show`: it shows a robot's links, joints, symbols, source and notes, or draws it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import state
from qddot.apps.cli.opening import loaded_of_either_kind, tree, without
from qddot.apps.cli.output import show, table
from qddot.apps.cli.values import overwrite_option, set_option
from qddot.apps.cli.words import independent, sentence
from qddot.base.words.message import Following, Words

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.model import Model

SHOW = "show"
NEEDS = {("--at", "--perspective", "--overwrite"): ("--output",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add("-o", "--output", metavar="FILE", help=sentence("help-picture"))
    overwrite_option(command)
    state.option(command, "help-show-at")
    add("--perspective", action="store_true", help=sentence("help-perspective"))
    set_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces.robot import Robot
    from qddot.papers import overview
    from qddot.robot.left_out import BESIDES_LOOPS

    arm, values = loaded_of_either_kind(chosen, (*BESIDES_LOOPS, *without(chosen)))
    arm = arm.with_values(**values)
    if chosen.output is not None:
        _draw(arm, chosen)
    model = tree(arm)
    for line in overview.head(model):
        show(line)
    if not isinstance(arm, Robot):
        _show_conditions(arm, given=bool(chosen.independent))
    if model.lagrangian is not None:
        show(table(*overview.ENERGIES, rows=overview.energies(model.lagrangian)))
    else:
        _show_links(model)
    if model.symbols:
        rows = overview.symbols(model.symbols)
        show(_without_empty_columns(overview.SYMBOLS, rows))
    for note in model.notes:
        show(sentence("note", note=note))


def _show_links(model: Model) -> None:
    """Shows the links, and the table that describes their joints, if there is one."""
    from qddot.papers import overview

    show(sentence("links"))
    show(_without_empty_columns(overview.LINKS, overview.links(model.bodies)))
    masses = overview.masses(model.bodies)
    if masses:
        show(sentence("convention", sentence=sentence("masses-of-links")))
        show(_without_empty_columns(overview.MASSES, masses))
    convention = overview.convention(model)
    if convention is not None:
        show(sentence("convention", sentence=convention.sentence))
        show(table(*convention.titles, rows=convention.rows))
    for line in overview.integrations(model.bodies):
        show(line)


def _draw(arm: Robot | ClosedChain, chosen: argparse.Namespace) -> None:
    """Writes the picture."""
    from qddot.faces.robot import Robot
    from qddot.motion.simulate.runs.saved_runs import checked_path
    from qddot.papers.draw import plot
    from qddot.papers.draw.camera import PERSPECTIVE

    checked_path(chosen.output, plot.FORMATS, chosen.overwrite, SHOW)  # before it is drawn
    camera = PERSPECTIVE if chosen.perspective else None
    at = None if chosen.at is None else state.read(chosen.at, tree(arm), state.Q)
    q: Any = at and (at.positions(tree(arm)) if isinstance(arm, Robot) else at.q)
    plot.save(arm.plot(q, camera=camera, lang=chosen.lang), chosen.output, SHOW, chosen.overwrite)
    show(sentence("wrote", path=chosen.output))


def _show_conditions(chain: ClosedChain, *, given: bool) -> None:
    """Shows the loops and wheels of a closed chain, and how many freedoms they leave."""
    from qddot.papers import overview

    show(sentence("freedoms", number=chain.m, names=independent(chain, chain.independent, given=given)))
    show(
        sentence("conditions-that-follow", number=len(chain.conditions), names=Following(chain.redundant))
        if chain.redundant
        else sentence("conditions", number=len(chain.conditions))
    )
    if chain.model.loops:
        show(_without_empty_columns(overview.LOOPS, overview.loops(chain.model.loops)))
    if chain.model.rolling:
        show(table(*overview.WHEELS, rows=overview.wheels(chain.model.rolling)))


def _without_empty_columns(titles: Sequence[Words], rows: Sequence[Sequence[str]]) -> Any:
    """Returns a table without empty columns."""
    used = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    return table(*(titles[k] for k in used), rows=[[row[k] for k in used] for row in rows])
