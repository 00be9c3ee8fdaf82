"""Reads --lqr and --driven: the weights of a linear quadratic regulator, and the motors that it has."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import state
from qddot.apps.cli.opening import tree
from qddot.apps.cli.values import numbers
from qddot.apps.cli.words import sentence
from qddot.base.errors import SimulationError, shortened
from qddot.base.words.message import Either, say

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot

LQR, DRIVEN = "--lqr", "--driven"
OF_THE_STATE = ("no-rest-without-motor", "chain-not-held", "target-opens-the-loops")  # errors of q0, not of weights
REMEDIES = ("no-motors", "motion-without-motor")  # errors that other motors mend


def options(command: argparse.ArgumentParser, key: str, driven: str) -> None:
    """Adds the options; key, driven: of the sentences that say what the command does with them."""
    command.add_argument(LQR, metavar="Q,R", help=f"{sentence(key)}; {sentence('help-weights')}")
    command.add_argument(DRIVEN, metavar="NAME,…", help=sentence(driven))


def motors(chosen: argparse.Namespace) -> list[str] | None:
    """Returns the joints in --driven, or None where they are not given."""
    return None if chosen.driven is None else [name.strip() for name in chosen.driven.split(",") if name.strip()]


def with_motors(chosen: argparse.Namespace, arm: Robot | ClosedChain) -> Robot | ClosedChain:
    """Returns the arm with motors in the joints in --driven alone; as it is where they are not given."""
    names = motors(chosen)
    return arm if names is None else arm.with_driven(*names)


def regulator(
    chosen: argparse.Namespace, arm: Robot | ClosedChain, q0: Any, discrete: float | None, option: str = state.AT
) -> Any:
    """Returns the law that holds the arm at rest at q0 with the weights in --lqr; option: the one that gives q0.

    raises SimulationError: another count of weights, or as `laws.lqr`
    """
    from qddot.motion.simulate.laws import ready as laws

    Q, R = _weights(chosen.lqr, 2 * len(arm.system.rates), len(tree(arm).drives))
    try:
        return laws.lqr(arm, q0, Q, R, discrete)
    except SimulationError as error:
        own = {"remedy": say("driven-says-motors", option=DRIVEN)} if error.code in REMEDIES else {}
        raise error.to(SimulationError, where=option if error.code in OF_THE_STATE else LQR, **own) from None


def _weights(text: str, states: int, motors: int) -> tuple[Any, Any]:
    """Returns Q and R: two numbers, or a number for each state and each motor."""
    entries = numbers(text, LQR)
    if len(entries) == 2:
        return entries[0], entries[1]
    if len(entries) != states + motors:
        counts = Either(("2", str(states + motors)))
        raise SimulationError(
            "weights-of-lqr", option=LQR, text=shortened(text), counts=counts, states=states, motors=motors
        )
    return entries[:states], entries[states:]
