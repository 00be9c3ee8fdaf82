"""Reads what drives an arm in `qddot simulate`: torques, a target that a controller holds, forces and payloads."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import regulated, state
from qddot.apps.cli.opening import tree
from qddot.apps.cli.values import body_of, number, numbers, numbers_if_any
from qddot.apps.cli.words import sentence
from qddot.base.errors import SimulationError, shortened
from qddot.base.words.message import say

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.model import Model

TARGET = "--target"
MEASURED = ("sample-every", "delay", "encoder", "quantum")  # options of a controller on a computer


def options(command: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = command.add_argument
    add("--torque", metavar="T,…", help=sentence("help-torque"))
    add(
        TARGET,
        metavar="STATE",
        help=sentence("help-target"),
    )
    add("--gains", metavar="KP,KD", help=sentence("help-gains"))
    regulated.options(command, "help-simulate-lqr", "help-simulate-driven")
    add(
        "--sample-every",
        metavar="S",
        help=sentence("help-sample-every"),
    )
    add("--delay", metavar="S", help=sentence("help-delay"))
    add("--encoder", metavar="Q", help=sentence("help-encoder"))
    add("--quantum", metavar="T", help=sentence("help-quantum"))
    wrench = "BODY=FX,FY,FZ[,NX,NY,NZ]"
    add(
        "--wrench",
        action="append",
        default=[],
        metavar=wrench,
        help=sentence("help-wrench"),
    )
    add(
        "--payload",
        action="append",
        default=[],
        metavar="M[,T0[,T1]]",
        help=sentence("help-payload"),
    )


def drive(chosen: argparse.Namespace, arm: Robot | ClosedChain, values: dict[str, float]) -> dict[str, Any]:
    """Returns the arguments of `Robot.simulate` for the options; values: those of symbols."""
    texts = {name: getattr(chosen, name.replace("-", "_")) for name in MEASURED}
    own = {name: number(text, f"--{name}") for name, text in texts.items() if text is not None}
    forces = [*(_wrench(text, tree(arm)) for text in chosen.wrench), *map(_payload, chosen.payload)]
    return {"torque": _torque(chosen, arm, values, own), "forces": forces or None}


def _torque(
    chosen: argparse.Namespace, arm: Robot | ClosedChain, values: dict[str, float], own: dict[str, float]
) -> Any:
    """Returns constant torques, or a controller's."""
    from qddot.motion.simulate.laws import ready as laws

    if chosen.target is None:
        return state.in_order(chosen.torque, "--torque", tree(arm).coordinates)
    every = own.pop("sample-every", None)
    law = (_compensated if chosen.lqr is None else _regulated)(chosen, arm.with_values(**values), every)
    return law if every is None else laws.sampled(law, every, **own)


def _compensated(chosen: argparse.Namespace, arm: Robot | ClosedChain, _: float | None) -> Any:
    """Returns PD control with gravity compensation about --target."""
    from qddot.faces.robot import Robot
    from qddot.motion.simulate.laws import ready as laws

    if not isinstance(arm, Robot):
        raise SimulationError("target-closed-chain")
    target = state.read(chosen.target, arm.model, state.Q, option=TARGET).positions(arm.model)
    gains = numbers_if_any(chosen.gains, "--gains")
    if gains is None or len(gains) != 2:
        problem = "no --gains" if gains is None else f"--gains {shortened(chosen.gains)}"
        raise SimulationError("target-kp-kd", problem=problem)
    return laws.pd_gravity(arm, target, *gains)


def _regulated(chosen: argparse.Namespace, arm: Robot | ClosedChain, every: float | None) -> Any:
    """Returns the linear quadratic regulator about --target, that of the samples where it is sampled."""
    target, _ = state.start_at(chosen.target, arm, state.Q, TARGET)
    return regulated.regulator(chosen, arm, target, every, TARGET)


def _wrench(text: str, model: Model) -> Any:
    from qddot.motion.simulate.acting.forces import Wrench

    body, equals, rest = text.partition("=")
    entries = numbers(rest, "--wrench") if equals else []
    if len(entries) not in (3, 6):
        expected = say("form-of-wrench")
        raise SimulationError("wrench-text-expected", text=shortened(text), expected=expected)
    fx, fy, fz, *moment = entries
    nx, ny, nz = moment or (0.0, 0.0, 0.0)
    return Wrench(body_of(model, body.strip(), "--wrench"), (fx, fy, fz), (nx, ny, nz))


def _payload(text: str) -> Any:
    from qddot.motion.simulate.acting.payloads import Payload

    mass, *switches = numbers(text, "--payload")
    if len(switches) > 2:
        raise SimulationError("payload-m-m-t", text=shortened(text))
    pickup, release = switches[0] if switches else 0.0, switches[1] if len(switches) > 1 else None
    return Payload(mass, taken=pickup, left=release)
