"""A formula without '=' under words that speak of a quantity, and a second value of a name, are never passed over."""

from __future__ import annotations

import pytest

import qddot

FIRST = "M_{22} = m_2"


@pytest.mark.parametrize(
    "formula",
    [
        "### Gravity vector\n\n$$\\begin{bmatrix}(m_1l_1+m_2d_2)g\\sin q_1\\\\ m_2g\\sin q_1\\end{bmatrix}$$",
        "- **Coriolis term:** $m_2d_2\\dot q_1\\dot d_2$",
        "| **Gravity** G(q) | 0 | m2*g*cos(q1) |",
        "Gravity: (m1*l1+m2*d2)*g*sin(q1)",
        "The torque of the first joint is\n$$m_2d_2\\dot q_1\\dot d_2+(m_1l_1+m_2d_2)g\\cos q_1$$",
    ],
)
def test_a_wrong_formula_beside_the_name_of_a_quantity_is_not_right(formula: str) -> None:
    is_latex = "$" in formula
    judgement = qddot.load("rp").check(f"${FIRST}$\n\n{formula}" if is_latex else f"M22 = m2\n\n{formula}")
    assert judgement.pile == "by hand"
    assert "a formula without '='" in judgement.unread[0].reason


@pytest.mark.parametrize(
    "formula",
    [
        "Gravity of joint 1: $(m_1l_1+m_2d_2)g\\cos q_1$",
        "Gravity of the second body alone: $m_2d_2g\\cos q_1$",
        "### Gravity\n\n$$\\begin{bmatrix}(m_1l_1+m_2d_2)g\\cos q_1\\\\ m_2g\\sin q_1\\end{bmatrix}$$",
        "The lever arm is $l_1\\cos q_1$.",
    ],
)
def test_a_right_part_of_a_quantity_and_other_formulas_are_noted(formula: str) -> None:
    assert qddot.load("rp").check(f"${FIRST}$\n\n{formula}")


@pytest.mark.parametrize("second", ["h = 2*m2*d2*q1d = m2*d2*q1d", "h = 2*m2*d2*q1d\nh = m2*d2*q1d"])
def test_a_name_with_two_values_is_not_judged(second: str) -> None:
    judgement = qddot.load("rp").check(f"{second}\nC = [[h*dd2/q1d, h], [-h, 0]]")
    assert not judgement
    assert any("another value than at" in each.reason for each in judgement.unread)
    assert qddot.load("rp").check("h = 2*m2*d2*q1d - m2*d2*q1d = m2*d2*q1d\nC = [[h*dd2/q1d, h], [-h, 0]]")
