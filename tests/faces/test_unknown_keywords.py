"""A keyword that is neither an argument of a method nor a symbol is answered by the method's arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import qddot
from qddot.base.errors import QddotError
from qddot.faces import aliases


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)


METHODS: dict[str, tuple[Any, ...]] = {
    "simulate": ([1, 0],),
    "enclose": ([1, 0],),
    "stepper": (0.01,),
    "linearize": ([1, 0],),
    "operational_space": ([1, 0], [0, 0]),
    "dynamic_parameters": (),
    "gravity": ([1, 0],),
    "inverse_dynamics": ([1, 0], [0, 0], [0, 0]),
    "forward_kinematics": ([1, 0],),
}


def refused(method: Callable[..., Any], arguments: tuple[Any, ...], names: list[str]) -> None:
    with pytest.raises(QddotError) as raised:
        method(*arguments, wzyx="rk4")
    assert "no argument and no symbol 'wzyx'" in str(raised.value)
    assert f"arguments: {', '.join(names)}; symbols: " in str(raised.value)


def arguments_of(method: Callable[..., Any]) -> list[str]:
    kinds = {each.name: each.kind for each in inspect.signature(method).parameters.values()}
    return [name for name, kind in kinds.items() if kind != inspect.Parameter.VAR_KEYWORD]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_an_arm_names_its_arguments(name: str, arm: qddot.Robot) -> None:
    method = getattr(arm, name)
    refused(method, METHODS[name], arguments_of(method))


def test_the_others_name_theirs(arm: qddot.Robot) -> None:
    eq, chain = arm.equations(), qddot.load_closed_chain("four_bar")
    refused(eq.at, ([1, 0],), ["q", "qd", "qdd"])
    refused(eq.interval, ("tau", [1, 0]), ["name", "q", "qd", "qdd"])
    refused(eq.abbreviate, (), arguments_of(eq.abbreviate))
    refused(chain.simulate, ([0, 0, 0],), arguments_of(chain.simulate))
    refused(chain.mass_matrix, ([0, 0, 0],), arguments_of(chain.mass_matrix))
    refused(aliases.in_convention, (arm, "mujoco", [0, 0]), arguments_of(aliases.in_convention))


def test_a_slip_is_answered_by_the_nearest_name(arm: qddot.Robot) -> None:
    with pytest.raises(QddotError, match="no argument and no symbol 'dampin' in two_link; did you mean 'damping'"):
        arm.simulate([1, 0], dampin=1)
    with pytest.raises(QddotError, match=r"^no symbol 'solver' in two_link; known: m1"):
        arm.simulate([1, 0], values={"solver": 1})
    with pytest.raises(QddotError, match=r"^no symbol 'solver' in two_link; known: m1"):
        arm.with_values(solver=1)
