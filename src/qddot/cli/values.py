"""Reads the numbers and the symbols' values that options take."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from qddot.cli.output import complain
from qddot.errors import ClosedChainError, QddotError, SimulationError, did_you_mean, shortened

if TYPE_CHECKING:
    import argparse

    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.model.model import Model


def set_option(command: argparse.ArgumentParser, explanation: str = "a symbol's value; may be repeated") -> None:
    """Adds --set, the option of every command whose answer depends on the values of symbols."""
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=explanation)


def overwrite_option(command: argparse.ArgumentParser) -> None:
    """Adds --overwrite, the option of every command that writes files."""
    explanation = "replace files that are there already and that this command did not make"
    command.add_argument("--overwrite", action="store_true", help=explanation)


def region_option(command: argparse.ArgumentParser, explanation: str) -> None:
    """Adds --region, the option of commands whose answer holds over a region of states."""
    command.add_argument("--region", action="append", default=[], metavar="NAME=LOW:HIGH", help=explanation)


def pairs(texts: Iterable[str], option: str, expected: str = "NAME=VALUE") -> dict[str, str]:
    """Returns the texts after = by the names before it. raises QddotError: another form, or a name twice"""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise QddotError(f"{option} {shortened(text)}", expected=expected)
        if name in values:
            raise QddotError(f"{option} gives {name} twice", remedy="leave one out")
        values[name] = value
    return values


def note_degrees(model: Model, option: str, values: Iterable[tuple[str, str]]) -> None:
    """Prints a note for each text of an angle in radians that looks like degrees; values: names of entries of q, texts.

    Texts that are no angles are left to whoever reads them.
    """
    from qddot.describe.rotations import like_degrees
    from qddot.expressions.parser import angle

    angles = {name for name, turns in zip(model.coordinates, model.turning, strict=True) if turns} & {*model.positions}
    for name, text in values:
        with suppress(QddotError):
            if name in angles and (note := like_degrees(angle(text))):
                complain(f"{option} {name}: {note}")


def limits(texts: list[str], model: Model) -> dict[str, Any]:
    """Returns the limits in --region by name: a number, or a pair of texts for LOW:HIGH.

    raises QddotError: another form, or a name twice
    """
    region: dict[str, Any] = {}
    expected = "NAME=LOW:HIGH, such as q2=-90deg:90deg, or qd=2"
    for name, value in pairs(texts, "--region", expected).items():
        low, colon, high = (part.strip() for part in value.partition(":"))
        if not (low and (high or not colon)):
            raise QddotError(f"--region {shortened(f'{name}={value}')}", expected=expected)
        region[name] = (low, high) if colon else low
        note_degrees(model, "--region", [(name, low), (name, high)])
    return region


def set_values(assignments: list[str], *models: Model) -> dict[str, Any]:
    """Returns the symbols' values in --set; raises QddotError for a symbol that no model has, or that occurs twice."""
    values: dict[str, Any] = {}
    symbols = [name for model in models for name in model.symbols]
    for name, value in pairs(assignments, "--set").items():
        if name not in symbols:
            where = " or ".join(model.name for model in models)
            raise SimulationError(f"no symbol {shortened(name)} in {where}", remedy=did_you_mean(name, symbols))
        values[name] = number(value, f"--set {name}")
    return values


def with_set_values(model: Model, chosen: argparse.Namespace) -> Model:
    """Returns a model with the values in --set. raises QddotError: no such symbol or number"""
    return model.with_values(set_values(chosen.set, model)) if chosen.set else model


def loaded_model(chosen: argparse.Namespace) -> Model:
    """Returns the model that was named, with the values in --set. raises QddotError: no such arm, symbol or number"""
    return with_set_values(opened_model(chosen), chosen)


def opened_model(chosen: argparse.Namespace) -> Model:
    """Returns the model that was named. raises QddotError: no such arm, or a file with loops, as in `refuse_loops`"""
    from qddot.describe.finding import load

    model = load(chosen.arm, chosen.arguments)
    refuse_loops(model, chosen.arm)
    return model


def refuse_loops(model: Model, path: str) -> None:
    """Raises ClosedChainError for the tree of an MJCF file with loops, which `load` leaves out."""
    if model.leaves_loops_out:
        raise ClosedChainError("the equalities of this file hold links together, and a robot is a tree", where=path)


def opened(chosen: argparse.Namespace) -> Robot:
    """Returns the arm that was named; raises as `opened_model`"""
    from qddot.faces.robot import Robot

    return Robot(opened_model(chosen))


def loaded(chosen: argparse.Namespace) -> Robot:
    """Returns the arm that was named, with the values in --set. raises QddotError: no such arm, symbol or number"""
    arm = opened(chosen)
    return arm.with_values(**set_values(chosen.set, arm.model)) if chosen.set else arm


def loaded_of_either_kind(chosen: argparse.Namespace) -> tuple[Robot | ClosedChain, dict[str, Any]]:
    """Returns the arm or the closed chain that was named, and the values in --set, which it does not have yet.

    raises QddotError: no such arm, chain, symbol or number
    """
    from qddot.faces.constructors import load_closed_chain

    try:
        arm = opened(chosen)
    except ClosedChainError:
        chain = load_closed_chain(chosen.arm)
        return chain, set_values(chosen.set, chain.model.tree)
    return arm, set_values(chosen.set, arm.model)


def number(text: str, what: str) -> float:
    """Returns the number in a text such as 0.5, 30deg or pi/4; what: the option that the error names."""
    from qddot.expressions.parser import expression

    expected = "a number, such as 0.5, 30deg or pi/4"
    try:
        return expression(text).value({})
    except KeyError as error:
        raise SimulationError(f"{what} {shortened(text)}", expected=expected) from error
    except QddotError as error:
        with suppress(ValueError):
            float(text)
            expected = error.expected or expected  # its size is wrong, not its form
        raise SimulationError(f"{what} {shortened(text)}", expected=expected) from error


def numbers(text: str, what: str) -> list[float]:
    """Returns the numbers between commas, which may be texts such as 30deg and pi/4."""
    return [number(part.strip(), what) for part in text.split(",")]


def numbers_if_any(text: str | None, what: str) -> list[float] | None:
    """Returns the numbers of an option, or None where it is not given."""
    return None if text is None else numbers(text, what)
