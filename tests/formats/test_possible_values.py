"""Tests that a number no robot has is refused by one rule, in whichever way it arrives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from refusals import refusal

import qddot
from qddot import Robot
from qddot.base.errors import ModelError

ARM = """
name = "arm"
convention = "tree"
gravity = [0, -9.81, 0]
[symbols]
{symbols}
[[link]]
name = "a"
mass = {mass}
com = [0.2, 0, 0]
inertia = {{ about = "com", xx = {xx}, yy = 1, zz = 1 }}
joint = {{ type = "revolute", axis = [0, 0, 1], coordinate = "q1", {effect}limits = [-1, {upper}] }}
"""
POSSIBLE = {"mass": 2, "xx": 1, "damping": 0.5, "coulomb": 0.25, "armature": 0.1, "upper": 1}
IMPOSSIBLE = {
    "mass": (-3, ("mass-negative", "link 'a'", "-3")),
    "xx": (-1, ("impossible-inertia", "link 'a'")),
    "damping": (-0.5, ("effect-negative", "link 'a'", "effect-friction")),
    "coulomb": (-0.5, ("effect-negative", "link 'a'", "effect-friction")),
    "armature": (-0.5, ("effect-negative", "link 'a'", "effect-armature")),
    "upper": (-2, ("limits-reversed", "link 'a'")),
}


def arm(symbols: dict[str, Any], **entries: Any) -> Robot:
    texts = {name: f'"{value}"' if isinstance(value, str) else value for name, value in {**POSSIBLE, **entries}.items()}
    effect = "".join(f"{name} = {texts[name]}, " for name in ("damping", "coulomb", "armature"))
    return qddot.loads(
        ARM.format(symbols="\n".join(f"{name} = {value}" for name, value in symbols.items()), effect=effect, **texts)
    )


def literal(name: str, value: float) -> None:
    arm({}, **{name: value})


def default(name: str, value: float) -> None:
    arm({"c": value}, **{name: "c"})


def in_an_expression(name: str, value: float) -> None:
    arm({"c": value / 2}, **{name: "2*c"})


def with_values(name: str, value: float) -> None:
    arm({"c": POSSIBLE[name]}, **{name: "c"}).with_values(c=value)


def of_the_model(name: str, value: float) -> None:
    arm({"c": POSSIBLE[name]}, **{name: "c"}).model.check_values({"c": value})


def of_base_parameters(name: str, value: float) -> None:
    arm({"c": POSSIBLE[name]}, **{name: "c"}).base_parameters().values(c=value)


def of_a_short_model(name: str, value: float) -> None:
    arm({"c": POSSIBLE[name]}, **{name: "c"}).equations().abbreviate(c=value)


def of_a_stepper(name: str, value: float) -> None:
    arm({"c": POSSIBLE[name]}, **{name: "c"}).stepper(0.01, c=value)


WAYS = (
    *(literal, default, in_an_expression, with_values, of_the_model),
    *(of_base_parameters, of_a_short_model, of_a_stepper),
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_number_is_refused_in_whichever_way_it_arrives(name: str, way: Callable[..., None]) -> None:
    value, message = IMPOSSIBLE[name]
    way(name, POSSIBLE[name])
    with refusal(ModelError, *message):
        way(name, value)


def test_the_error_shows_the_symbol_and_its_value() -> None:
    with refusal(ModelError, "effect-negative", "link 'a'", "effect-friction", "2*c", " = -1"):
        in_an_expression("damping", -1)
