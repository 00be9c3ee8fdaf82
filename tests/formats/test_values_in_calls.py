"""Values of symbols that no robot has are refused by the rule of descriptions in calls of functions, runs, sweeps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import ModelError, QddotError
from qddot.machine.numeric.possible_values import refuse

ARM = qddot.load("two_link")
Q, BATCH = np.array([0.3, 0.7]), np.full((5, 2), 0.3)


def sweeping(**values: Any) -> Any:
    return qddot.sweep(ARM, qddot.Motion([0.1, 0.2], duration=0.1, step=0.05), draws=2, **values)


ENTRIES: dict[str, Callable[[Any], Any]] = {  # every way in which values of symbols arrive
    "with_values": lambda m: ARM.with_values(m2=m),
    "a call": lambda m: ARM.gravity(Q, m2=m),
    "a call with a list": lambda m: ARM.gravity([0.3, 0.7], m2=m),
    "a batch": lambda m: ARM.gravity(BATCH, m2=np.array([1.0, 2.0, m, 3.0, 1.0])),
    "a batch of lists": lambda m: ARM.inverse_dynamics(BATCH, BATCH, BATCH, m2=[1.0, 2.0, m, 3.0, 1.0]),
    "one value for a batch": lambda m: ARM.mass_matrix(BATCH, m2=m),
    "float32": lambda m: ARM.gravity(Q, m2=m, dtype="float32"),
    "a method of several functions": lambda m: ARM.operational_space(Q, Q, m2=m, task="x y"),
    "simulate": lambda m: ARM.simulate([0.1, 0.2], duration=0.1, m2=m),
    "simulate, arms": lambda m: ARM.simulate([0.1, 0.2], duration=0.1, m2=[1.0, m]),
    "simulate, values": lambda m: ARM.simulate([0.1, 0.2], duration=0.1, values={"m2": m}),
    "stepper": lambda m: ARM.stepper(0.01, m2=m),
    "a law": lambda m: ARM.simulate([0.1, 0.2], duration=0.1, torque=lambda t, q, qd: ARM.gravity(q, m2=m)),
    "sweep": lambda m: sweeping(m2=m, m1=qddot.uniform(1, 2)),
    "dynamic parameters": lambda m: ARM.dynamic_parameters(m2=m),
    "abbreviate": lambda m: ARM.equations().abbreviate(m2=m),
}


def test_a_closed_chain_refuses_it_too() -> None:
    chain = qddot.load_closed_chain("five_bar")
    name = next(name for name in chain.model.tree.symbols if name.startswith("m"))
    q = chain.some_assembly().q
    chain.mass_matrix(q, **{name: 2.0})
    for way in (chain.mass_matrix, lambda q, **values: chain.simulate(q, duration=0.01, **values)):
        with refusal(ModelError, "mass-negative", "-2"):
            way(q, **{name: -2.0})


@pytest.mark.parametrize("way", ENTRIES)
def test_a_value_that_no_robot_has_is_refused_wherever_it_arrives(way: str) -> None:
    for value in (-3, -3.0):
        with pytest.raises(QddotError, match="link 'fore': mass -3 is negative"):
            ENTRIES[way](value)
    ENTRIES[way](3.0)


DIVIDED: dict[str, Callable[[Any], Any]] = {  # what divides by M, with a link that has no inertia
    "with_values": lambda m: ARM.with_values(m2=m).forward_dynamics(Q, Q, Q),
    "a call": lambda m: ARM.forward_dynamics(Q, Q, Q, m2=m),
    "a call with wrenches": lambda m: ARM.forward_dynamics(Q, Q, Q, wrenches=np.zeros((2, 6)), m2=m),
    "a batch": lambda m: ARM.state_derivative(BATCH, BATCH, BATCH, m2=np.array([1.0, 2.0, m, 3.0, 1.0])),
    "derivatives": lambda m: ARM.forward_dynamics_derivatives(Q, Q, Q, m2=m),
    "linearize": lambda m: ARM.linearize(Q, m2=m),
    "simulate": lambda m: ARM.simulate([0.1, 0.2], duration=0.1, m2=m),
    "stepper": lambda m: ARM.stepper(0.01, m2=m),
}


@pytest.mark.parametrize("way", DIVIDED)
def test_a_mass_of_zero_is_refused_by_what_divides_by_the_mass_matrix(way: str) -> None:
    for value in (0, 0.0):
        with refusal(QddotError, "joint-without-inertia", "'q2'"):
            DIVIDED[way](value)
    DIVIDED[way](3.0)


def test_a_mass_of_zero_has_torques() -> None:
    """The sum of the moments of the first link's weight alone, m₁ g r₁ cos q₁, with the values of the description."""
    m1, g, r1 = 1.0, 9.81, 0.5
    np.testing.assert_allclose(ARM.gravity([0.3, 0.7], m2=0.0), [m1 * g * r1 * np.cos(0.3), 0.0], rtol=1e-15)


def test_the_command_refuses_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "two_link", "--at", "0.1,0.2", "--duration", "0.1", "--set", "m2=-3"]) == 2
    assert "mass -3 is negative" in capsys.readouterr().err


TOP = """
name = "top"
convention = "tree"
gravity = [0, -9.81, 0]
[symbols]
I = { value = 2.0, unit = "kg m^2" }
m = 1.0
c = 0.5
[[link]]
name = "top"
mass = "m"
com = [0.3, 0.1, 0]
inertia = { about = "com", xx = 1, yy = 2, xy = 0.1, zz = "I" }
joint = { type = "revolute", axis = [0, 0, 1], coordinate = "q1", damping = "c", coulomb = "c/2", armature = "c" }
"""


@pytest.mark.parametrize("symbol", ["I", "m", "c"])
def test_calls_arms_and_models_draw_the_same_line(symbol: str) -> None:
    """A tensor (1, 2, I) violates the triangle inequality outside 1 ≤ I ≤ 3 if its products of inertia are zero."""
    top, bounds = qddot.loads(TOP.replace("xy = 0.1, ", "")), {"I": (1, 3), "m": (0, np.inf), "c": (0, np.inf)}[symbol]
    for value in (-1.0, 0.0, 0.9, 1.0, 1.0 + 1e-15, 2.0, 3.0, 3.0 - 1e-15, 3.1):
        own, of_arms = {symbol: value}, {symbol: [2.0, value]}
        ways = (
            partial(top.with_values, **own),
            partial(top.inverse_dynamics, [0.1], [0.2], [0.3], **own),
            partial(top.simulate, [0.1], duration=0.01, step=0.01, method="rk4", **of_arms),
        )
        assert [is_possible(way) for way in ways] == [bounds[0] <= value <= bounds[1]] * 3, value


THOUSANDTHS = st.integers(-2000, 2000).map(lambda k: k / 1000)


@given(entries=st.lists(THOUSANDTHS, min_size=5, max_size=5), mass=THOUSANDTHS)
def test_the_compiled_rule_is_that_of_the_description(entries: list[float], mass: float) -> None:
    """A number that is negative in the program is a link that the exact rule refuses, and no other."""
    names = ("xx", "yy", "zz", "xy", "yz")
    symbols = "\n".join(f"{name} = 1.0" for name in names)
    text = TOP.replace('I = { value = 2.0, unit = "kg m^2" }', symbols).replace("xy = 0.1, ", "")
    text = text.replace('xx = 1, yy = 2, zz = "I"', 'xx = "xx", yy = "yy", zz = "zz", xy = "xy/9", yz = "yz/9"')
    top = qddot.loads(text.replace("xy = 1.0", "xy = 0.0").replace("yz = 1.0", "yz = 0.0"))
    values = {**dict(zip(names, entries, strict=True)), "m": mass}
    allowed = [is_possible(lambda: refuse(top.model, values)), is_possible(lambda: top.with_values(**values))]
    assert allowed[0] == allowed[1]


def is_possible(way: Callable[[], Any]) -> bool:
    try:
        way()
    except ModelError:
        return False
    return True


def test_what_is_drawn_below_zero_is_left_out_and_counted() -> None:
    swept = sweeping(m2=qddot.uniform(-1.0, 1.0))
    with refusal(QddotError, "impossible-draw"):
        qddot.sweep(
            ARM,
            qddot.Motion([0.1, 0.2], duration=0.1, step=0.05),
            draws=qddot.Draws(20, strict=True),
            m2=qddot.uniform(-1.0, 1.0),
        )
    assert "impossible_fore" in swept.status.attrs["flag_meanings"]
