"""Runs `qddot diff`: where two models of one arm or closed chain differ, and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from qddot.apps.cli import state
from qddot.apps.cli.opening import model_in, reading_options, tell, tell_opening, tree, without
from qddot.apps.cli.output import complain, json_text, show, status, table
from qddot.apps.cli.values import set_option, set_values
from qddot.apps.cli.words import paragraph, sentence
from qddot.base.errors import ClosedChainError, ModelError, QddotError
from qddot.base.words.message import Listed

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.inspect.against.against import Against
    from qddot.inspect.comparison.comparison import Comparison

    Either: TypeAlias = Robot | ClosedChain

AGREE, DIFFER = 0, 1
PEERS = ("mujoco", "pinocchio")
APART = (("--against", "--at"),)


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's arguments and options."""
    command.add_argument("a", metavar="A", help=sentence("help-a"))
    command.add_argument("b", metavar="B", help=sentence("help-b"))
    command.add_argument(
        "--against",
        choices=PEERS,
        help=sentence("help-against"),
    )
    state.option(command, "help-diff-at")
    set_option(command, "help-diff-set")
    reading_options(command)
    command.add_argument("--json", action="store_true", help=sentence("help-diff-json"))
    command.epilog = f"{command.epilog}\n\n{paragraph('diff-exit-codes')}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    if chosen.against is not None:
        return _run_against(chosen)
    from qddot.inspect.comparison.comparison import diff

    a, b = _both(chosen)
    q = None if chosen.at is None else state.read(chosen.at, tree(a), state.Q).positions(tree(a))
    with status(sentence("doing-comparing", a=a.name, b=b.name)):
        comparison = replace(diff(a, b, q), a=chosen.a, b=chosen.b)
    print(comparison.to_json()) if chosen.json else _show(comparison)
    return AGREE if comparison else DIFFER


def _run_against(chosen: argparse.Namespace) -> int:
    """Compares A with the numbers of another program, and returns the exit code."""
    from qddot.faces.robot import Robot
    from qddot.inspect.against.against import diff_against

    (arm,) = _with_set_values([_loaded(chosen.a, chosen.arguments, chosen)], chosen)
    if names := chosen.arguments_of_each[1]:
        raise QddotError("arguments-without-macros", where=chosen.b, names=Listed(names))
    if not isinstance(arm, Robot):
        raise QddotError("against-loops", a=chosen.a)
    try:
        with status(sentence("doing-comparing-against", name=arm.name, against=chosen.against)):
            result = replace(diff_against(arm, chosen.against, Path(chosen.b)), a=chosen.a)
    except QddotError as error:
        if chosen.json:
            row = {"agree": None, "a": chosen.a, "peer": chosen.against, "file": chosen.b, "reason": str(error)}
            print(json_text(row))
        raise
    print(result.to_json()) if chosen.json else _show_against(result)
    return AGREE if result else DIFFER


def _both(chosen: argparse.Namespace) -> list[Either]:
    """Returns both robots or chains."""
    named = zip((chosen.a, chosen.b), chosen.arguments_of_each, strict=True)
    arms = [_loaded(path, arguments, chosen) for path, arguments in named]
    return _with_set_values(arms, chosen)


def _with_set_values(arms: list[Either], chosen: argparse.Namespace) -> list[Either]:
    """Returns the robots with the values in --set, each with those of its own symbols."""
    values = set_values(chosen.set, *map(tree, arms))
    if not values:
        return arms
    return [
        arm.with_values(**{name: value for name, value in values.items() if name in tree(arm).symbols}) for arm in arms
    ]


def _loaded(name_or_path: str, arguments: Mapping[str, str], chosen: argparse.Namespace) -> Either:
    """Returns the robot or chain; impossible inertias of robots are accepted, since a confusion may have made them."""
    from qddot.faces.constructors import load, load_closed_chain
    from qddot.faces.robot import Robot
    from qddot.inspect.doctor.described import read_anyway

    model = model_in(chosen, name_or_path, [chosen.a] if chosen.against else [chosen.a, chosen.b])
    try:
        arm = load(name_or_path, arguments, without=without(chosen), model=model)
        tell(name_or_path, arm.model)
        return arm
    except ClosedChainError:
        chain = load_closed_chain(name_or_path, without=without(chosen), model=model, arguments=arguments)
        tell(name_or_path, chain.model.tree)
        tell_opening(chain)
        return chain
    except ModelError:
        tried, tolerated = read_anyway(Path(name_or_path))
        if tried is None:
            raise
        links = ", ".join(sorted(tolerated))
        complain(sentence("inertia-physically-impossible-compared", name_or_path=name_or_path, links=links))
        return Robot(tried)


def _show_against(result: Against) -> None:
    from qddot.inspect.against.against import TITLES

    for line in result.summary():
        show(line)
    if result.entries:
        show(table(*TITLES, rows=[entry.row() for entry in result.entries]))
    if result.comparison is not None:
        _show_left(result.comparison)


def _show(comparison: Comparison) -> None:
    for line in comparison.summary():
        show(line)
    _show_left(comparison)


def _show_left(comparison: Comparison) -> None:
    """Shows the differences that no finding explains."""
    from qddot.inspect.comparison.comparison import TITLES

    if not comparison.left:
        return
    show(sentence("other-differences" if comparison.findings else "differences"))
    show(table(*TITLES, rows=[difference.row() for difference in comparison.left]))
