"""Runs `qddot linearize`: the linear model of an arm or a closed chain near a state, with its eigenvalues."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import regulated, state
from qddot.apps.cli.opening import tree, with_values_of_either_kind
from qddot.apps.cli.output import WITHOUT_TERMINAL, columns, json_text, show, status, table
from qddot.apps.cli.values import number, set_option
from qddot.apps.cli.words import listed, sentence
from qddot.base.errors import SimulationError, shortened

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.machine.numeric.linear_model import LinearModel

GAP = 3  # columns between those of a table
NEEDS = {("--csv",): ("--lqr",)}
APART = (("--lqr", "--tau0"), ("--csv", "--json"))
SMALLEST = 1e-9  # torque that is told [N m or N]


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    state.option(command, "help-linearize-at", required=True)
    add("--tau0", metavar="T,…", help=sentence("help-tau0"))
    regulated.options(command, "help-linearize-lqr", "help-linearize-driven")
    add("--discrete", metavar="S", help=sentence("help-discrete"))
    set_option(command)
    add("--csv", action="store_true", help=sentence("help-gain-csv"))
    add("--json", action="store_true", help=sentence("help-linearize-json"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    import numpy as np

    arm = with_values_of_either_kind(chosen)
    with status(sentence("doing-linearizing", name=arm.name)):
        q0, qd0 = state.start(chosen, arm)
        discrete = None if chosen.discrete is None else number(chosen.discrete, "--discrete")
        tau0, driven = state.in_order(chosen.tau0, "--tau0", tree(arm).coordinates), regulated.motors(chosen)
        law = None if chosen.lqr is None else _regulator(chosen, arm, q0, qd0, discrete)
        held = tau0 if law is None else law(0.0, q0, np.zeros(arm.n))  # of a chain, motors can hold it in several ways
        linear = arm.linearize(q0, qd0, held, driven=driven, discrete=discrete)
    if chosen.csv:
        print(_csv(linear, law), end="")
    elif chosen.json:
        print(_json(linear, law))
    else:
        _show(linear, law)


def _regulator(chosen: argparse.Namespace, arm: Robot | ClosedChain, q0: Any, qd0: Any, discrete: float | None) -> Any:
    """Returns the regulator of --lqr. raises SimulationError: a state that is not at rest, and as `laws.lqr`"""
    if qd0 is not None and any(qd0):
        raise SimulationError("regulator-of-a-motion", option=state.AT, text=shortened(chosen.at))
    return regulated.regulator(chosen, regulated.with_motors(chosen, arm), q0, discrete)


def _closed(linear: LinearModel, law: Any) -> LinearModel:
    """Returns the linear model with u = −K x."""
    return replace(linear, A=linear.A - linear.B @ law.K)


def _csv(linear: LinearModel, law: Any) -> str:
    """Returns K as a table, with a row for each input and a column for each state."""
    rows = ([name, *map(repr, row)] for name, row in zip(linear.inputs, law.K.tolist(), strict=True))
    return "".join(f"{','.join(row)}\n" for row in (["K", *linear.states], *rows))


def _json(linear: LinearModel, law: Any) -> str:
    arrays = {name: getattr(linear, name).tolist() for name in ("A", "B", "c", "q", "qd", "tau")}
    content = {
        "model": linear.where.name,
        "law": linear.law,
        "step": linear.step,
        "states": list(linear.states),
        "inputs": list(linear.inputs),
        **arrays,
        "eigenvalues": _pairs(linear),
    }
    if law is not None:
        content |= {"K": law.K.tolist(), "u0": law.u0.tolist(), "closed_eigenvalues": _pairs(_closed(linear, law))}
    return json_text(content)


def _pairs(linear: LinearModel) -> list[list[float]]:
    return [[value.real, value.imag] for value in linear.eigenvalues]


def _show(linear: LinearModel, law: Any) -> None:
    show(str(linear.summary))
    for titles, rows in _blocks(*linear.rows()):
        show(table(*titles, rows=rows))
    unheld = _held_without_motors(linear)
    if unheld:
        show(sentence("torques-without-motors", torques=listed(unheld)))
    show(sentence("eigenvalues-of-a", values=_written(linear)))
    if law is not None:
        for titles, rows in _blocks(("K", *linear.states), _gains(linear, law)):
            show(table(*titles, rows=rows))
        held = zip(linear.inputs, law.u0, strict=True)
        show(sentence("regulator", torques=listed(f"{name} = {x:.6g}" for name, x in held)))
        show(sentence("eigenvalues-closed", values=_written(_closed(linear, law))))


def _gains(linear: LinearModel, law: Any) -> list[list[str]]:
    """Returns the rows of K, each with the name of its input."""
    return [[name, *(f"{x:.6g}" for x in row)] for name, row in zip(linear.inputs, law.K, strict=True)]


def _written(linear: LinearModel) -> str:
    """Returns the eigenvalues as text."""
    size = abs(linear.eigenvalues).max(initial=0.0)
    return ", ".join(_complex(each, size) for each in linear.eigenvalues)


def _blocks(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yields parts of a table that fit the terminal, each with the column of names, so that no number is broken."""
    wide = [max(map(len, column)) + GAP for column in zip(titles, *rows, strict=True)]
    room, block, width = columns(WITHOUT_TERMINAL), [0], wide[0] + GAP
    for k in range(1, len(titles)):
        if len(block) > 1 and width + wide[k] > room:
            yield [titles[i] for i in block], [[row[i] for i in block] for row in rows]
            block, width = [0], wide[0] + GAP
        block.append(k)
        width += wide[k]
    yield [titles[i] for i in block], [[row[i] for i in block] for row in rows]


def _held_without_motors(linear: LinearModel) -> list[str]:
    """Returns the torques at joints without a motor, which only hold the state where c has no accelerations."""
    from qddot.machine.numeric.linear_model import torque_name

    torques = zip(map(torque_name, linear.where.coordinates), linear.tau, strict=True)
    return [f"{name} = {x:.6g}" for name, x in torques if abs(x) > SMALLEST and name not in linear.inputs]


def _complex(value: complex, size: float) -> str:
    """Returns a number such as -1+2i, without a part that is as small as a rounding error of the largest, `size`."""
    from qddot.machine.numeric.linear_model import without_rounding

    real, imaginary, _ = without_rounding([value.real, value.imag, size])
    return f"{real:.6g}" + (f"{imaginary:+.6g}i" if imaginary else "")
