"""Reads the numbers and the symbols' values that options take."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.output import complain
from qddot.apps.cli.words import sentence
from qddot.base.errors import QddotError, SimulationError, shortened
from qddot.base.words.message import Following, Message, say

if TYPE_CHECKING:
    import argparse

    from qddot.algebra.expressions.expression import Expression
    from qddot.faces.closed_chain import ClosedChain
    from qddot.robot.model import Model


def set_option(command: argparse.ArgumentParser, key: str = "help-set") -> None:
    """Adds --set, the option of every command whose answer depends on the values of symbols."""
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=sentence(key))


def overwrite_option(command: argparse.ArgumentParser) -> None:
    """Adds --overwrite, the option of every command that writes files."""
    command.add_argument("--overwrite", action="store_true", help=sentence("help-overwrite-files"))


def notation_option(command: argparse.ArgumentParser) -> None:
    """Adds --notation and --book, which names those of books, the options of every command that writes equations."""
    from qddot.exact.equations.notations import BOOKS, NOTATIONS

    choice = command.add_mutually_exclusive_group()
    letters = Following(f"{each.name}: {each.sentence}" for each in NOTATIONS.values())
    choice.add_argument("--notation", default="", choices=NOTATIONS, help=sentence("help-notation", letters=letters))
    choice.add_argument("--book", dest="notation", choices=BOOKS, default="", help=sentence("help-book"))


def region_option(command: argparse.ArgumentParser, explanation: str) -> None:
    """Adds --region, the option of commands whose answer holds over a region of states."""
    command.add_argument("--region", action="append", default=[], metavar="NAME=LOW:HIGH", help=explanation)


def pairs(texts: Iterable[str], option: str, expected: str | Message = "NAME=VALUE") -> dict[str, str]:
    """Returns the texts after = by the names before it. raises QddotError: another form, or a name twice"""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise QddotError("option-text-expected", option=option, text=shortened(text), expected=expected)
        if name in values:
            raise QddotError("gives-twice", option=option, name=name)
        values[name] = value
    return values


def apart(texts: Iterable[str]) -> list[str]:
    """Returns texts such as m1=1,m2=2 one by one, as if the option had been repeated."""
    return [part for text in texts for part in re.split(r",(?=[^,=]+=)", text)]


def note_degrees(model: Model, option: str, values: Iterable[tuple[str, str]]) -> None:
    """Prints a note for each text of an angle in radians that looks like degrees.

    values: names of entries of q or of symbols, and their texts; whoever reads them refuses those that are no angles
    """
    from qddot.algebra.expressions.parser import angle
    from qddot.formats.shared.rotations import like_degrees

    coordinates = {name for name, turns in zip(model.coordinates, model.turning, strict=True) if turns}
    angles = coordinates & {*model.positions} | {name for name, one in model.symbols.items() if one.unit == "rad"}
    for name, text in values:
        with suppress(QddotError):
            if name in angles and (note := like_degrees(angle(text))):
                complain(f"{option} {name}: {note}")


def positions(model: Model, text: str, option: str) -> list[float]:
    """Returns q from an option such as 90deg,0, with a note for each angle in radians that looks like degrees."""
    note_degrees(model, option, zip(model.positions, text.split(","), strict=False))
    return numbers(text, option)


def limits(texts: list[str], model: Model) -> dict[str, Any]:
    """Returns the limits in --region by name: a number, or a pair of texts for LOW:HIGH.

    raises QddotError: another form, or a name twice
    """
    region: dict[str, Any] = {}
    expected = say("form-of-limits")
    for name, value in pairs(apart(texts), "--region", expected).items():
        low, colon, high = (part.strip() for part in value.partition(":"))
        if not (low and (high or not colon)):
            raise QddotError("region-name-expected", name=shortened(f"{name}={value}"), expected=expected)
        region[name] = (low, high) if colon else low
        note_degrees(model, "--region", [(name, low), (name, high)])
    return region


def set_values(assignments: list[str], *models: Model) -> dict[str, Any]:
    """Returns the symbols' values in --set; raises QddotError for a symbol that no model has, or that occurs twice."""
    values: dict[str, Any] = {}
    symbols = [name for model in models for name in model.symbols]
    for name, value in pairs(apart(assignments), "--set").items():
        if name not in symbols:
            from qddot.robot.symbol_values import unknown_symbol

            raise unknown_symbol(name, *models, error=SimulationError)
        values[name] = number(value, f"--set {name}")
        note_degrees(next(model for model in models if name in model.symbols), "--set", [(name, value)])
    return values


def with_set_values(model: Model, chosen: argparse.Namespace) -> Model:
    """Returns a model with the values in --set. raises QddotError: no such symbol or number"""
    return model.with_values(set_values(chosen.set, model)) if chosen.set else model


def in_numbers(model: Model, chosen: argparse.Namespace) -> Model:
    """Returns a model in which the numbers in --set stand for their symbols. raises QddotError: as `set_values`"""
    if not chosen.set:
        return model
    from qddot.formats.conversions import substitute

    numbers = _exact(chosen, model)
    return substitute.in_numbers(model.with_given(numbers), numbers)


def chain_in_numbers(chain: ClosedChain, chosen: argparse.Namespace) -> ClosedChain:
    """Returns a chain in which the numbers in --set stand for their symbols. raises QddotError: as `set_values`"""
    if not chosen.set:
        return chain
    from qddot.formats.conversions import substitute

    numbers = _exact(chosen, chain.model.tree)
    return chain._with_model(substitute.chain_in_numbers(chain.model, numbers))


def _exact(chosen: argparse.Namespace, model: Model) -> dict[str, Expression]:
    """Returns the exact values in --set, such as 1/3."""
    from qddot.algebra.expressions.parser import expression

    set_values(chosen.set, model)  # their errors and notes
    return {name: expression(text) for name, text in pairs(apart(chosen.set), "--set").items()}


def body_of(model: Model, text: str, option: str) -> int | str:
    """Returns the body that an option names: a link, the link that a joint or coordinate of this name moves, or "tool".

    A number is a link's index, from 0 or from the end; standard error then says which link this is. What is none of
    these is returned as it is, and refused where it is used.
    """
    names, joints = [body.name for body in model.bodies], [body.joint for body in model.bodies]
    if text in (*names, "tool"):
        return text
    moved = [k for k, joint in enumerate(joints) if text == joint.name]
    moved += [k for k, joint in enumerate(joints) if joint.leads and text == joint.coordinate]
    if moved and text:
        return names[moved[0]]
    if not re.fullmatch(r"-?\d{1,9}", text):
        return text
    place = int(text)
    if -len(names) <= place < len(names):
        complain(sentence("body-by-index", option=option, text=text, name=repr(names[place])))
    return place


def number(text: str, what: str) -> float:
    """Returns the number in a text such as 0.5, 30deg or pi/4; what: the option that the error names."""
    from qddot.algebra.expressions.parser import expression

    expected: str | Message = say("number-such-as")
    try:
        return expression(text).value({})
    except KeyError as error:
        raise SimulationError("option-text-expected", option=what, text=shortened(text), expected=expected) from error
    except QddotError as error:
        with suppress(ValueError):
            float(text)
            expected = error.expected or expected  # its size is wrong, not its form
        raise SimulationError("option-text-expected", option=what, text=shortened(text), expected=expected) from error


def numbers(text: str, what: str) -> list[float]:
    """Returns the numbers between commas, which may be texts such as 30deg and pi/4."""
    return [number(part.strip(), what) for part in text.split(",")]


def numbers_if_any(text: str | None, what: str) -> list[float] | None:
    """Returns the numbers of an option, or None where it is not given."""
    return None if text is None else numbers(text, what)
