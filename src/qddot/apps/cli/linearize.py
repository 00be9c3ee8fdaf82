"""Runs `qddot linearize`: the linear model of an arm or a closed chain near a state, with its eigenvalues."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli import state
from qddot.apps.cli.output import json_text, show, status, table
from qddot.apps.cli.values import number, numbers_if_any, set_option, with_values_of_either_kind
from qddot.apps.cli.words import sentence

if TYPE_CHECKING:
    from qddot.machine.numeric.linear_model import LinearModel


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
    titles, rows = linear.rows()
    show(table(*titles, rows=rows))
    show(sentence("eigenvalues-of-a", values=", ".join(map(_complex, linear.eigenvalues))))


def _complex(value: complex) -> str:
    """Returns a number such as -1+2i, without a part that is as small as a rounding error of the other."""
    from qddot.machine.numeric.linear_model import without_rounding

    real, imaginary = without_rounding([value.real, value.imag])
    return f"{real:.6g}" + (f"{imaginary:+.6g}i" if imaginary else "")
