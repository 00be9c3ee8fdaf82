"""Runs `qddot show`: it shows a robot's links, joints, symbols, source and notes, or draws it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.output import show, table
from qddot.apps.cli.values import loaded_of_either_kind, overwrite_option, positions_if_any, set_option, tree, without
from qddot.apps.cli.words import Words, lang_option, words_of

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.model import Model

SHOW = "show"


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add("--picture", metavar="FILE", help="draw the arm with its frames and joints (.png, .pdf, .svg)")
    overwrite_option(command)
    add(
        "--q",
        metavar="Q,…",
        help="coordinates in the picture: numbers in rad or m, or texts such as 90deg, pi/2 (default 0); those of a "
        "closed chain are a guess, near which its loops are closed",
    )
    add("--perspective", action="store_true", help="draw the picture in perspective, seen obliquely")
    set_option(command)
    lang_option(command, "what is printed, and of the picture")


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces.robot import Robot
    from qddot.papers import overview
    from qddot.robot.left_out import BESIDES_LOOPS

    arm, values = loaded_of_either_kind(chosen, (*BESIDES_LOOPS, *without(chosen)))
    arm = arm.with_values(**values)
    if chosen.picture is not None:
        _draw(arm, chosen)
    model, words = tree(arm), words_of(chosen)
    show(words.titled(model.name, model.title))
    if model.source:
        show(words("source", source=words.translated(model.source)))
    for line in overview.facts(model):
        show(words.told(line))
    if not isinstance(arm, Robot):
        _show_conditions(arm, words)
    if model.lagrangian is not None:
        rows = [[words.term(name), value] for name, value in overview.energies(model.lagrangian)]
        show(table(*overview.ENERGIES, rows=rows))
    else:
        _show_links(model, words)
    if model.symbols:
        show(_without_empty_columns(overview.SYMBOLS, overview.symbols(model.symbols), words, meaning=words.translated))
    for note in model.notes:
        show(words("note", note=words.told(note)))


def _show_links(model: Model, words: Words) -> None:
    """Shows the links, and the table that describes their joints, if there is one."""
    from qddot.papers import overview

    show(words("links"))
    show(
        _without_empty_columns(
            overview.LINKS, overview.links(model.bodies), words, joint=words.term, effects=words.listed_terms
        )
    )
    convention = overview.convention(model)
    if convention is not None:
        show(words("convention", sentence=words.told(convention.sentence)))
        show(table(*words.terms(convention.titles), rows=convention.rows))
    for line in overview.integrations(model.bodies):
        show(words.told(line))


def _draw(arm: Robot | ClosedChain, chosen: argparse.Namespace) -> None:
    """Writes the picture."""
    from qddot.motion.simulate.runs.saved_runs import checked_path
    from qddot.papers.draw import plot
    from qddot.papers.draw.camera import PERSPECTIVE

    checked_path(chosen.picture, plot.FORMATS, chosen.overwrite, SHOW)  # before it is drawn
    camera = PERSPECTIVE if chosen.perspective else None
    figure = arm.plot(positions_if_any(tree(arm), chosen.q, "--q"), camera=camera, lang=chosen.lang)
    plot.save(figure, chosen.picture, SHOW, chosen.overwrite)
    show(words_of(chosen)("wrote", path=chosen.picture))


def _show_conditions(chain: ClosedChain, words: Words) -> None:
    """Shows the loops and wheels of a closed chain, and how many freedoms they leave."""
    from qddot.papers import overview

    show(words("freedoms", number=chain.m, names=words.listed(chain.independent)))
    show(
        words("conditions that follow", number=len(chain.conditions), names="; ".join(chain.redundant))
        if chain.redundant
        else words("conditions", number=len(chain.conditions))
    )
    if chain.model.loops:
        show(_without_empty_columns(overview.LOOPS, overview.loops(chain.model.loops), words, type=words.term))
    if chain.model.rolling:
        show(table(*words.terms(overview.WHEELS), rows=overview.wheels(chain.model.rolling)))


def _without_empty_columns(
    titles: Sequence[str], rows: Sequence[Sequence[str]], words: Words, **told: Callable[[str], str]
) -> Any:
    """Returns a table without empty columns. told: how the cells of columns are told in a language, by their titles"""
    used = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    cells = [[told.get(titles[k], str)(row[k]) for k in used] for row in rows]
    return table(*words.terms(titles[k] for k in used), rows=cells)
