"""Equations that go on in the next line or display are read as wholes; a sign at a line's start is not lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged

TWO_LINES = r"""\begin{align*}
m_2\ddot d_2-m_2d_2\dot q_1^2\qquad&\nonumber\\
%s m_2g\sin q_1&=\tau_2
\end{align*}"""
TWO_DISPLAYS = r"""\[ m_2\ddot d_2-m_2d_2\dot q_1^2 \]
\[ {}%s m_2g\sin q_1=\tau_2 \]"""
NUMBERED = """(2)  m2*d2dd - m2*d2*q1d^2
     %s m2*g*sin(q1) = tau2"""
BROKEN = [(TWO_LINES, "{}+", "{}-", ".tex"), (TWO_DISPLAYS, "+", "-", ".tex"), (NUMBERED, "+", "-", ".txt")]


@pytest.mark.parametrize(("text", "right", "wrong", "suffix"), BROKEN)
def test_an_equation_goes_on_in_the_next_line(text: str, right: str, wrong: str, suffix: str, tmp_path: Path) -> None:
    assert_judged(text % right, "rp", "right", tmp_path, suffix)
    assert_judged(text % wrong, "rp", "wrong", tmp_path, suffix)


def test_the_rest_of_an_equation_alone_is_unread(tmp_path: Path) -> None:
    text = r"$G_1=(m_1l_1+m_2d_2)g\cos q_1$ and then \[ +m_2g\sin q_1=\tau_2 \]"
    assert_judged(text, "rp", "unread", tmp_path, ".tex")


def test_a_dash_before_an_equation_in_a_list_is_no_minus(tmp_path: Path) -> None:
    assert_judged("Gravity:\n- G1 = (m1*l1 + m2*d2)*g*cos(q1)\n- G2 = m2*g*sin(q1)", "rp", "right", tmp_path)


def test_a_bracket_ends_behind_the_number_of_a_link(tmp_path: Path) -> None:
    text = "For the sliding link (q1 measured from body 1):\n\nm2*d2dd - m2*d2*q1d^2 {} m2*g*sin(q1) = tau2"
    assert_judged(text.format("+"), "rp", "right", tmp_path)
    assert_judged(text.format("-"), "rp", "wrong", tmp_path)
