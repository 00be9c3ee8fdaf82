"""A number in a symbol's place, 9.8 for g beside m and l, is the symbol's value; a slip beside it is named."""

from __future__ import annotations

import pytest

import qddot


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("one_link", "tau = m*l^2*qdd1 + 9.8*m*l*cos(q1)", "tau has numbers beside symbols: it is judged with g = 9.8"),
        ("one_link", "$\\tau = m l^2\\ddot\\theta + 9.81\\, m l\\cos\\theta$", "it is judged with g = 9.81"),
        ("one_link", "τ1 = l² m θ̈ + 10 m l cos θ", "it is judged with g = 10"),
        ("one_link", "g = 10; G = 10*m*l*cos(theta)", "G has numbers beside symbols: it is judged with g = 10"),
        ("two_link", "G2 = 4.9*m2*l*cos(q1 + q2); G1 = 4.9*m2*l*cos(q1+q2) + 9.8*(m1/2 + m2)*l*cos(q1)", "g = 9.8"),
        ("spatial_2r", "M22 = 5.0 + m2*L^2/4\nIa = 5.0", "M has numbers beside symbols: it is judged with Ia = 5"),
    ],
)
def test_a_number_is_the_value_of_the_symbol(name: str, text: str, note: str) -> None:
    judgement = qddot.load(name).check(text)
    assert judgement, judgement.text()
    assert note in judgement.text()


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("tau = m*l^2*qdd1 - 9.8*m*l*cos(q1)", "the sign of 9.8*m*l*c1"),  # as the slides print it
        ("G = 9.8*m*l*sin(q1)", "sin(q1) instead of cos(q1)"),
        ("G = 9.8*m*l^2*cos(q1)", "an extra factor of l"),
        ("G = 4.9*m*l*cos(q1)", "an extra factor of 1/2"),
    ],
)
def test_a_slip_beside_a_number_is_named(text: str, mistake: str) -> None:
    judgement = qddot.load("one_link").check(text)
    assert not judgement
    assert mistake in judgement.text()


@pytest.mark.parametrize(
    "text",
    [
        "G = 7*m*l*cos(q1)",
        "G = 9.7*m*l*cos(q1)",
        "tau = m*l^2*qdd1 + 9.8*m*l*g*cos(q1)",  # g is there
    ],
)
def test_another_number_stands_for_no_symbol(text: str) -> None:
    judgement = qddot.load("one_link").check(text)
    assert not judgement
    assert "beside symbols" not in judgement.text()


def test_an_entry_that_is_a_number_alone_is_not_right_by_its_own_value() -> None:
    arm = qddot.load("puma560_1986").with_notation("akb")
    judgement = arm.check("a66 = 0.39\na35 = I15*C4*C5 + I17*C4 + I22*S5")
    assert [each.name for each in judgement.wrong] == ["a66"]
    assert "-I23 - Im6 + 0.39" in judgement.text()
    assert arm.check("a66 = Im6 + I23\na35 = I15*C4*C5 + I17*C4 + I22*S5")


def test_a_constant_with_the_name_of_an_entry_may_occur_in_it() -> None:
    arm = qddot.load("puma560_1986").with_notation("akb")
    torque = "g2 = g1*C2 + g2*S23 + g3*S2 + g4*C23 {} g5*(S23*C5 + C23*C4*S5)"
    assert arm.check(torque.format("+"))
    assert arm.check(torque.format("-")).wrong
