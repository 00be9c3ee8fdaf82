"""Runs `qddot linearize`: the linear model of an arm or a closed chain near a state, with its eigenvalues."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qddot.apps.cli import state
from qddot.apps.cli.output import WITHOUT_TERMINAL, columns, json_text, show, status, table
from qddot.apps.cli.values import number, numbers_if_any, set_option, with_values_of_either_kind
from qddot.apps.cli.words import listed, sentence

if TYPE_CHECKING:
    from qddot.machine.numeric.linear_model import LinearModel

GAP = 3  # columns between those of a table
SMALLEST = 1e-9  # torque that is told [N m or N]


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    state.option(command, "help-linearize-at", required=True)
    add("--tau0", metavar="T,…", help=sentence("help-tau0"))
    add("--driven", metavar="NAME,…", help=sentence("help-linearize-driven"))
    add("--discrete", metavar="S", help=sentence("help-discrete"))
    set_option(command)
    add("--json", action="store_true", help=sentence("help-linearize-json"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    arm = with_values_of_either_kind(chosen)
    with status(sentence("doing-linearizing", name=arm.name)):
        q0, qd0 = state.start(chosen, arm)
        driven = None if chosen.driven is None else [name.strip() for name in chosen.driven.split(",") if name.strip()]
        discrete = None if chosen.discrete is None else number(chosen.discrete, "--discrete")
        tau0 = numbers_if_any(chosen.tau0, "--tau0")
        linear = arm.linearize(q0, qd0, tau0, driven=driven, discrete=discrete)
    print(_json(linear)) if chosen.json else _show(linear)


def _json(linear: LinearModel) -> str:
    arrays = {name: getattr(linear, name).tolist() for name in ("A", "B", "c", "q", "qd", "tau")}
    content = {
        "model": linear.where.name,
        "law": linear.law,
        "step": linear.step,
        "states": list(linear.states),
        "inputs": list(linear.inputs),
        **arrays,
        "eigenvalues": [[value.real, value.imag] for value in linear.eigenvalues],
    }
    return json_text(content)


def _show(linear: LinearModel) -> None:
    show(str(linear.summary))
    for titles, rows in _blocks(*linear.rows()):
        show(table(*titles, rows=rows))
    unheld = _held_without_motors(linear)
    if unheld:
        show(sentence("torques-without-motors", torques=listed(unheld)))
    size = abs(linear.eigenvalues).max(initial=0.0)
    show(sentence("eigenvalues-of-a", values=", ".join(_complex(each, size) for each in linear.eigenvalues)))


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
