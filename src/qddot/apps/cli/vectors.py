"""Runs `qddot vectors`: proved values of robots, with which libraries of dynamics can be tested."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.opening import (
    BASES,
    FIXED,
    FREE,
    base_options,
    check_base,
    freed_base,
    model_in,
    reading_options,
    tell,
    without,
)
from qddot.apps.cli.output import status
from qddot.apps.cli.values import overwrite_option, set_option, set_values
from qddot.apps.cli.words import sentence
from qddot.base.errors import ClosedChainError, QddotError
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain

BOTH = "both"


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's arguments and options."""
    add = command.add_argument
    add(
        "arms",
        nargs="+",
        metavar="ARM",
        help=sentence("help-arms"),
    )
    base_options(command, (*BASES, BOTH), "help-base")
    add("--states", type=int, default=3, metavar="N", help=sentence("help-states"))
    set_option(command, "help-vectors-set")
    reading_options(command)
    add("--folder", metavar="DIR", default=".", help=sentence("help-vectors-folder"))
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.proof.certify.vectors.suite import Vectors

    check_base(chosen)
    named = zip(chosen.arms, chosen.arguments_of_each, strict=True)
    opened = [(name, _opened(name, arguments, chosen)) for name, arguments in named]
    for name, one in opened:
        tell(name, one if isinstance(one, Model) else one.model.tree)
    values = set_values(chosen.set, *(one if isinstance(one, Model) else one.model.tree for _, one in opened))
    robots: list[Mapping[str, Any]] = []
    with status(sentence("doing-computing-vectors")) as say:
        for name, one in opened:
            say(one.name)
            robots += (
                _of_robot(name, one, values, chosen) if isinstance(one, Model) else _of_chain(name, one, values, chosen)
            )
    print(*Vectors(robots).export(chosen.folder, chosen.overwrite), sep="\n")


def _opened(name: str, arguments: Mapping[str, str], chosen: argparse.Namespace) -> Model | ClosedChain:
    """Returns the model of a robot, or a closed chain."""
    from qddot.faces.constructors import load_closed_chain
    from qddot.formats.finding import load

    may_rest, model = chosen.base == FREE, model_in(chosen, name, chosen.arms)
    try:
        return load(name, arguments, may_rest=may_rest, without=without(chosen), model=model)
    except ClosedChainError:
        if chosen.base != FIXED:
            raise QddotError("base-closed-chain", base=chosen.base, name=name) from None
        return load_closed_chain(name, without=without(chosen), model=model, arguments=arguments)


def _of_robot(
    name: str, model: Model, values: Mapping[str, Any], chosen: argparse.Namespace
) -> Iterator[Mapping[str, Any]]:
    from qddot.proof.certify.vectors.licences import licence
    from qddot.proof.certify.vectors.suite import vectors

    own = model.with_values({key: value for key, value in values.items() if key in model.symbols})
    bases = ([own] if chosen.base != FREE else []) + ([freed_base(own, chosen)] if chosen.base != FIXED else [])
    return (vectors(each, chosen.states, licence(name)) for each in bases)


def _of_chain(
    name: str, chain: ClosedChain, values: Mapping[str, Any], chosen: argparse.Namespace
) -> Iterator[Mapping[str, Any]]:
    from qddot.proof.certify.vectors.licences import licence

    own = {key: value for key, value in values.items() if key in chain.model.tree.symbols}
    chain = chain.with_values(**own) if own else chain
    return ({**robot, "licence": licence(name)} for robot in chain.vectors(chosen.states).robots)
