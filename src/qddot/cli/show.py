"""Runs `qddot show`: it shows a robot's links, joints, symbols, source and notes, or draws it."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qddot.cli.drawing import options, write
from qddot.cli.output import show, table

if TYPE_CHECKING:
    from qddot.model.model import Model

__all__ = ["options", "run"]
SHORT = 12  # characters of a number in a table


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.describe.finding import load

    write(chosen)
    model = load(chosen.arm, chosen.arguments)
    show(f"{model.name}: {model.title}" if model.title else model.name)
    for name, text in (("source", model.source), ("gravity", _vector(model.gravity) + " m/s²")):
        if text:
            show(f"{name}: {text}")
    show(f"coordinates: {', '.join(model.coordinates)}")
    show("links at q = 0:")
    show(_links_table(model))
    if model.symbols:
        show(_symbols_table(model))
    for note in model.notes:
        show(f"note: {note}")


def _links_table(model: Model) -> Any:
    """Returns a table with one row per link; empty columns are left out."""
    from qddot.model.bodies import simplified

    titles = [
        "link",
        "parent",
        "joint",
        "named",
        "q",
        "axis",
        "origin in parent",
        "axes in parent",
        "mass",
        "limits",
        "effects",
    ]
    rows = []
    for body in model.bodies:
        joint = body.joint
        home = simplified(joint.placement @ joint.offset)
        rows.append(
            [
                body.name,
                joint.parent,
                joint.type,
                joint.name,
                _motion(joint),
                _vector(joint.axis) if joint.moves else "",
                _vector(home.p),
                ", ".join(_direction(axis) for axis in home.R.T),
                _short(body.inertia.m),
                " … ".join(_limit(limit) for limit in joint.limits) if joint.limits else "",
                ", ".join(type(effect).__name__.lower() for effect in joint.effects),
            ]
        )
    shown = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    made = table(*(titles[k] for k in shown))
    for row in rows:
        made.add_row(*(row[k] for k in shown))
    return made


def _motion(joint: Any) -> str:
    """Returns q1, or 2*q1 for a joint that follows."""
    return (joint.coordinate or "") if joint.ratio in (None, 1) else f"{joint.ratio}*{joint.coordinate}"


def _direction(axis: Any) -> str:
    """Returns x for (1, 0, 0), -z for (0, 0, -1), else the vector."""
    names = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z", (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}
    return next((name for known, name in names.items() if tuple(axis) == known), _vector(axis))


def _limit(value: Any) -> str:
    angle = value.as_angle()
    if angle is not None and angle.pi and not angle.radians:
        return str(angle)
    return _short(value) if value.symbols() else f"{value.value({}):.6g}"


def _symbols_table(model: Model) -> Any:
    made = table("symbol", "default", "unit", "meaning")
    for symbol in model.symbols.values():
        value = f"{symbol.value.value({}):g}" if symbol.value is not None else ""
        made.add_row(symbol.name, value, symbol.unit, symbol.meaning)
    return made


def _vector(vector: Any) -> str:
    return "(" + ", ".join(_short(entry) for entry in vector) + ")"


def _short(entry: Any) -> str:
    """Returns a short or symbolic entry exactly, else a decimal, with … where digits are left out."""
    from qddot.expressions.angles import decimal
    from qddot.expressions.expression import Expression

    expression = entry if isinstance(entry, Expression) else Expression.constant(entry)
    number = expression.rational
    exact = str(expression) if number is None else decimal(number).strip("()")
    if len(exact) <= SHORT or expression.symbols():
        return exact
    cut = f"{expression.value({}):.{SHORT - 3}g}"
    return cut if number is not None and Fraction(cut) == number else f"{cut}…"
