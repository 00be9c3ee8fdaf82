"""A symbol of an arm is one of each model that is made from it, or a value for it is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run
from exported_code import RUN, RUNNERS
from physical import physical
from refusals import refusal
from shipped import robot

import qddot
from qddot.exact.forms import TEXTBOOK_FORMS

STATE = [0.3, 0.7], [1.0, -2.0], [0.5, 0.1]
THREE = [44.28068306, 10.0905066]  # τ of two_link at STATE, by its own recursion with m2 = 3


@pytest.mark.parametrize(
    ("name", "lumped", "form"),
    [
        *product(["two_link", "elbow_3r", "rp", "spatial_2r", "one_link"], [True, False], TEXTBOOK_FORMS),
        pytest.param("puma560", True, TEXTBOOK_FORMS[0], marks=pytest.mark.thorough),  # by the same way as the others
    ],
)
def test_a_closed_form_follows_every_symbol_as_the_links_do(name: str, lumped: bool, form: str) -> None:
    arm, rng = robot(name), np.random.default_rng(5)
    closed = qddot.Robot(arm.equations().textbook(form, lumped=lumped).model)
    q, qd, qdd = rng.normal(size=(3, arm.n))
    values = {symbol: value * 1.01 for symbol, value in physical(arm, 5).model.defaults().items()}
    for given in (values, *({**values, symbol: values[symbol] * 1.1} for symbol in list(values)[:3])):
        tau = arm.inverse_dynamics(q, qd, qdd, **given)
        # about a thousand operations
        np.testing.assert_allclose(closed.inverse_dynamics(q, qd, qdd, **given), tau, rtol=1e-10, atol=1e-10)
        of_defaults = closed.with_values(**given).inverse_dynamics(q, qd, qdd)
        np.testing.assert_allclose(of_defaults, tau, rtol=1e-10, atol=1e-10)


def test_the_torques_of_another_mass_are_known() -> None:
    closed = qddot.Robot(robot("two_link").equations().textbook().model)
    np.testing.assert_allclose(closed.inverse_dynamics(*STATE, m2=3), THREE, rtol=1e-9)  # the digits of THREE
    run, same = (arm.simulate(*STATE[:2], duration=0.2, method="rk4", m2=3) for arm in (closed, robot("two_link")))
    np.testing.assert_allclose(run.q[-1], same.q[-1], atol=1e-12)  # the same steps, rounded otherwise


def test_a_closed_form_stays_one_in_a_file() -> None:
    closed = qddot.Robot(robot("elbow_3r").equations().textbook().model)
    again = qddot.loads(closed.to_toml())
    assert (again.model.explicit, again.model.hash) == (closed.model.explicit, closed.model.hash)
    assert qddot.loads(closed.to_toml().replace('k1 = "', 'k1 = "2*')).model.hash != closed.model.hash


@pytest.mark.parametrize("target", RUN)
def test_exported_closed_forms_take_free_symbols(
    target: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, err = run(
        capsys,
        *("export", "two_link", "--free", "m2", "--closed-form", "--code", target, "--functions", "inverse_dynamics"),
        *("--folder", str(tmp_path)),
    )
    assert code == 0, err
    program = robot("two_link").program("inverse_dynamics", free=["m2"])
    tau = RUNNERS[target](tmp_path, "two_link", program, [np.array(part) for part in (*STATE, 3.0)])
    np.testing.assert_allclose(np.ravel(tau[0]), THREE, rtol=1e-9)


def test_a_symbol_without_a_value_may_be_free_in_a_closed_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    symbols = ",".join(robot("elbow_3r").model.symbols)
    arguments = ("export", "elbow_3r", "--closed-form", "--code", "python", "--folder", str(tmp_path))
    assert run(capsys, *arguments, "--free", symbols)[0] == 0


INTO_NUMBERS: dict[str, Callable[[qddot.Robot], Any]] = {
    "a call": lambda short: short.inverse_dynamics(*STATE, m2=3.0),
    "another default": lambda short: short.with_values(m2=3.0),
    "a run": lambda short: short.simulate(STATE[0], duration=0.1, m2=3.0),
    "a state": lambda short: short.equations().at(STATE[0], m2=3.0),
    "an export": lambda short: short.export("c", ["gravity"], free=["m2"]),
}


@pytest.mark.parametrize("what", INTO_NUMBERS)
def test_a_symbol_that_became_a_number_takes_no_value(what: str) -> None:
    short = qddot.Robot(robot("two_link").equations().abbreviate(m2=2.0).model)
    with refusal(qddot.QddotError, "value-in-equations", "m2", "2"):
        INTO_NUMBERS[what](short)


def test_a_length_is_the_same_number_in_entries_and_geometry() -> None:
    short = qddot.Robot(robot("two_link").equations().abbreviate(l=2.0).model)
    at = robot("two_link").with_values(l=2.0)
    np.testing.assert_allclose(short.forward_kinematics([0.3, 0.7]), at.forward_kinematics([0.3, 0.7]), atol=1e-15)
    assert "l" not in short.model.symbols


def test_what_no_number_contains_stays_free_in_a_short_model() -> None:
    """The height of the arm above the base is no part of its equations."""
    rows = [{"theta": "q1", "d": "height", "a": "l", "alpha": 0}]
    links = [{"mass": "m", "com": [0, 0, 0], "joint": {"damping": "c"}}]
    arm = qddot.from_dh(rows, links, symbols={"m": 2, "l": 1, "c": 0.5, "height": 3}, gravity=[0, "-g", 0])
    short = qddot.Robot(arm.equations().abbreviate().model)
    assert set(short.model.symbols) == {"height"}
    assert short.forward_kinematics([0.1], height=4)[2, 3] == 4
    with refusal(qddot.QddotError, "value-in-equations", "c", "0.5"):
        short.inverse_dynamics([0.1], [2.0], [0.0], c=4)


def test_a_name_of_a_closed_form_may_be_given_a_value_of_its_own() -> None:
    closed = qddot.Robot(robot("two_link").equations().textbook().model)
    q, zero = [0.0, 0.0], [0.0, 0.0]
    # M22 = k1/3
    assert closed.inverse_dynamics(q, zero, [0, 1], k1=6, g=0)[1] == pytest.approx(2, rel=1e-14)
    assert closed.with_values(k1=6).mass_matrix(q)[1, 1] == pytest.approx(2, rel=1e-14)
    with refusal(qddot.QddotError, "not-symbol-name", "k1", "l, m2"):
        closed.equations().at(q, k1=6)


@pytest.mark.parametrize(
    ("names", "entry", "said"),
    [
        ({"I1": "2*J", "I2": "I1 + J"}, "I2", ""),
        ({"I1": "0.3"}, "J + cos(q1 + I1)", "a symbol instead of the name I1"),
        ({"J": "3"}, "J", "also the name of something else"),
    ],
)
def test_names_of_constants_in_a_file(names: dict[str, str], entry: str, said: str) -> None:
    from qddot.formats.toml import robot_file

    content = {
        "convention": "dh",
        "symbols": {"J": 2},
        "link": [{"dh": {"theta": "q1", "d": 0, "a": 1, "alpha": 0}}],
        "equations": {"P": 0, "names": names, "M": {"11": entry}},
    }
    if said:
        with pytest.raises(qddot.QddotError, match=said):
            robot_file.from_mapping(content, "one.toml")
        return
    arm = qddot.Robot(robot_file.from_mapping(content, "one.toml"))
    # I2 = 3 J
    assert arm.mass_matrix([0.0])[0, 0] == 6
    assert arm.mass_matrix([0.0], J=5)[0, 0] == 15
