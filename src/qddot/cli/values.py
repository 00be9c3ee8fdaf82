"""Reads the numbers and the symbols' values that options take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qddot.errors import QddotError, SimulationError, did_you_mean, shortened

if TYPE_CHECKING:
    import argparse

    from qddot.faces.robot import Robot


def set_values(arm: Robot, given: list[str]) -> dict[str, Any]:
    """Returns the symbols' values in --set; raises QddotError for an unknown symbol, or one that is there twice."""
    found: dict[str, Any] = {}
    for name, value in map(assignment, given):
        if name not in arm.model.symbols:
            raise SimulationError(
                f"no symbol {shortened(name)} in {arm.name}", remedy=did_you_mean(name, arm.model.symbols)
            )
        if name in found:
            raise SimulationError(f"--set gives {name} twice", remedy="leave one out")
        found[name] = number(value, f"--set {name}")
    return found


def loaded(chosen: argparse.Namespace) -> Robot:
    """Returns the arm that was named, with the values in --set. raises QddotError: no such arm, symbol or number"""
    from qddot.faces.constructors import load

    arm = load(chosen.arm, chosen.arguments)
    return arm.with_values(**set_values(arm, chosen.set)) if chosen.set else arm


def assignment(text: str) -> tuple[str, str]:
    """Returns NAME=VALUE as a pair."""
    name, equals, value = text.partition("=")
    if not equals:
        raise QddotError(f"--set {shortened(text)}", expected="NAME=VALUE")
    return name.strip(), value.strip()


def number(text: str, what: str) -> float:
    """Returns the number in a text such as 0.5, 30deg or pi/4; what: the option that the error names."""
    from qddot.expressions.parser import expression

    try:
        return expression(text).value({})
    except (QddotError, KeyError) as error:
        raise SimulationError(f"{what} {shortened(text)}", expected="a number, such as 0.5, 30deg or pi/4") from error


def numbers(text: str, what: str) -> list[float]:
    """Returns the numbers between commas, which may be texts such as 30deg and pi/4."""
    return [number(part.strip(), what) for part in text.split(",")]


def numbers_if_any(text: str | None, what: str) -> list[float] | None:
    """Returns the numbers of an option, or None where it is not given."""
    return None if text is None else numbers(text, what)
