r"""Answers define a letter such as a, expand macros beside commands, and say that a joint has no motor."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, assert_twins

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
MACROS = r"""\newcommand{\qa}{q_1}\newcommand{\qb}{q_2}
Let $\rho = a_1 + a_2\cos\qb$.
\[ \tau_1 = (I_0 + m\rho^2)\ddot\qa - 2m\rho a_2\sin\qb\,\dot\qa\dot\qb \]
\[ \tau_2 = ma_2^2\ddot\qb + m\rho a_2\sin\qb\,\dot\qa^2 + mga_2\cos\qb\]
"""
ANGLE = """from sympy import *
a = theta1 + theta2
ad = theta1d + theta2d
P = -m1*g*l1*cos(theta1) - m2*g*(l1*cos(theta1) + l2*cos(a))
v2x = xd + l1*cos(theta1)*theta1d + l2*cos(a)*ad
v2z = l1*sin(theta1)*theta1d + l2*sin(a)*ad
K = m0*xd**2/2 + m1*(xd**2 + 2*l1*cos(theta1)*xd*theta1d + l1**2*theta1d**2)/2 + m2*(v2x**2 + v2z**2)/2
"""
ANGLE_IN_WORDS = r"With $a = \theta_1 + \theta_2$: $P = -m_1gl_1\cos\theta_1 - m_2g(l_1\cos\theta_1 + l_2\cos a)$"
LENGTH = "a = l1 + l2\nP = -m1*g*l1*cos(theta1) - m2*g*(l1*cos(theta1) + (a - l1)*cos(theta1 + theta2))"
PASSIVE = r"""
\[\tau_1 = (I_1 + I_2 + m_1l_{c1}^2 + m_2l_1^2 + m_2l_{c2}^2 + 2m_2l_1l_{c2}c_2)\ddot q_1
 + (I_2 + m_2l_{c2}^2 + m_2l_1l_{c2}c_2)\ddot q_2 - 2m_2l_1l_{c2}s_2\dot q_1\dot q_2 - m_2l_1l_{c2}s_2\dot q_2^2
 + (m_1l_{c1} + m_2l_1)gs_1 + m_2gl_{c2}s_{12}\]
(On the real machine $\tau_1 = 0$.)
"""
DRIVEN = (
    "tau2 = (I2 + m2*lc2**2 + m2*l1*lc2*cos(q2))*q1dd + (I2 + m2*lc2**2)*q2dd + m2*l1*lc2*sin(q2)*q1d**2"
    " + m2*g*lc2*sin(q1 + q2)\n"
)


@pytest.mark.parametrize(
    ("arm", "suffix", "text", "change"),
    [
        ("yaw_pitch", ".tex", MACROS, (r"\ddot\qb +", r"\ddot\qb -")),
        ("yaw_pitch", ".tex", MACROS, (r"a_2\cos", r"a_2\sin")),
        ("cart_double", ".py", ANGLE, ("theta1 + theta2", "theta1 - theta2")),
        ("cart_double", ".py", ANGLE, ("theta1d + theta2d", "theta2d")),
        ("cart_double", ".md", ANGLE_IN_WORDS, (r"\theta_1 + ", "")),
        ("cart_double", ".txt", LENGTH, ("l1 + l2", "l1 - l2")),
        ("acrobot", ".tex", PASSIVE, ("- 2m_2", "+ 2m_2")),
        ("spring_slider", ".txt", "a = (F - k*x - b*v)/m", ("- k", "+ k")),
    ],
)
def test_answers_with_definitions_and_macros_are_read(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(str(ARMS / f"{arm}.toml"), suffix, text, change, tmp_path)


@pytest.mark.parametrize("text", ["tau1 = 0\n", f"tau1 = 0\n{DRIVEN}"])
def test_a_joint_without_a_motor_is_no_equation_of_its_motion(text: str, tmp_path: Path) -> None:
    assert_judged(text, str(ARMS / "acrobot.toml"), "unread", tmp_path)
