"""Reads the state that commands take in --at: positions, and rates and accelerations where they count."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qddot.algebra.expressions.names import rate_name
from qddot.apps.cli.values import note_degrees, number, numbers_if_any, pairs
from qddot.base.errors import QddotError, check_one_of, shortened
from qddot.base.words.message import Either, Following, Listed, say

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.model import Model

AT = "--at"
Q, QD, QDD = 1, 2, 3  # how far a state goes: positions, with rates, with accelerations


class State(NamedTuple):
    """A state has numbers by names: positions by those of q, rates and accelerations by those of velocities."""

    q: dict[str, float]
    qd: dict[str, float]
    qdd: dict[str, float]

    def positions(self, model: Model) -> list[float]:
        """Returns q of an arm; a position that is not given is that of the arm at zero."""
        ones = {place for _, place in model.quaternions}  # of quaternions (1, 0, 0, 0)
        return [self.q.get(name, float(k in ones)) for k, name in enumerate(model.positions)]

    def rates(self, velocities: Sequence[str]) -> list[float] | None:
        """Returns the rates of the velocities, 0 where none is given; None if no rate is given at all."""
        return [self.qd.get(name, 0.0) for name in velocities] if self.qd else None


def option(command: argparse.ArgumentParser, key: str = "help-at", *, required: bool = False) -> None:
    """Adds --at to a command; key: of the sentence that says what the command does with the state."""
    command.add_argument(AT, metavar="STATE", required=required, help=str(Following((say(key), say("help-state")))))


def start(chosen: argparse.Namespace, arm: Robot | ClosedChain) -> tuple[Any, Any]:
    """Returns q and q̇ in --at; those of a closed chain follow from a guess and from the rates that are independent."""
    return start_at(chosen.at, arm, QD, AT)


def start_at(text: str, arm: Robot | ClosedChain, order: int, option: str) -> tuple[Any, Any]:
    """Returns q and q̇ in a text as `start` does; order, option: as in `read`."""
    from qddot.faces.robot import Robot

    if isinstance(arm, Robot):
        at = read(text, arm.model, order, option=option)
        return at.positions(arm.model), at.rates(arm.model.coordinates)
    at = read(text, arm.model.tree, order, arm.independent, option)
    q = arm.assemble(at.q).q
    return q, arm.velocities(q, at.rates(arm.independent) or [0.0] * arm.m)


def read(
    text: str,
    model: Model,
    order: int,
    velocities: Sequence[str] | None = None,
    option: str = AT,
    positions: Sequence[str] | None = None,
) -> State:
    """Returns the state in a text: q1=30deg,qd1=0.2 by names, or numbers in the order of q, q̇ and q̈.

    order: how far the command's states go; velocities: the names of those whose rates count, by default all
    option: the one that errors name; positions: the names of those that are asked for, by default all
    raises QddotError: a name that the model does not have or that occurs twice, another form or count of numbers
    """
    velocities = [*model.coordinates] if velocities is None else velocities
    kinds = [{name: name for name in (model.positions if positions is None else positions)}]
    kinds += [{_rate(model, name, dots): name for name in velocities} for dots in range(1, order)]
    texts = _by_name(text, option, kinds) if "=" in text else _in_order(text, option, kinds)
    note_degrees(model, option, texts.items())
    values = {name: number(value, f"{option} {name}") for name, value in texts.items()}
    parts = [{of: values[name] for name, of in kind.items() if name in values} for kind in kinds]
    return State(*parts, *({} for _ in range(QDD - order)))


def in_order(text: str | None, option: str, names: Sequence[str], *, or_one: bool = False) -> Any:
    """Returns as many numbers as there are names, or one where that stands for all; None where there is no text.

    raises QddotError: another count of numbers
    """
    values = numbers_if_any(text, option)
    if values is None or len(values) == len(names):
        return values
    if or_one and len(values) == 1:
        return values[0]
    counts = Either((*("1" for _ in range(or_one)), str(len(names))))
    raise QddotError("numbers-in-order", option=option, text=shortened(text), counts=counts, names=Listed(names))


def _rate(model: Model, name: str, dots: int) -> str:
    """Returns the name of a velocity or of its rate: that of q̇ for a coordinate, its own for a quasi-velocity."""
    return rate_name(name, dots) if name in model.positions else name if dots == 1 else rate_name(name)


def _by_name(text: str, option: str, kinds: list[dict[str, str]]) -> dict[str, str]:
    texts = pairs(text.split(","), option, say("values-with-commas"))
    for name in texts:
        check_one_of(name, [known for kind in kinds for known in kind], say("a-name-of-a-state"), QddotError, option)
    return texts


def _in_order(text: str, option: str, kinds: list[dict[str, str]]) -> dict[str, str]:
    """Returns numbers by the names of q, of q and q̇, or of all three, as many as there are."""
    texts = [part.strip() for part in text.split(",")]
    counts = [sum(map(len, kinds[: k + 1])) for k in range(len(kinds))]
    if len(texts) not in counts:
        names = ", ".join(name for kind in kinds for name in kind)
        raise QddotError(
            "numbers-of-a-state",
            option=option,
            text=shortened(text),
            counts=Either(map(str, counts)),
            names=names,
            example=next(iter(kinds[0])),
        )
    return dict(zip((name for kind in kinds for name in kind), texts, strict=False))
