"""Answers by other methods, Kane's and Hamilton's, and in other layouts are judged like those of Lagrange."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_twins, judged

KANE = """Kane's method. Generalized speeds u1 = q1', u2 = d2'.
Partial velocities of the mass m2: v_1 = d2 e_theta, v_2 = e_r.
F_1 = tau1 - m1*g*l1*cos(q1) - m2*g*d2*cos(q1), F_2 = tau2 - m2*g*sin(q1)
F_1* = -(m1*l1^2 + Izz1 + Izz2 + m2*d2^2) q1'' - 2 m2 d2 d2' q1'
F_2* = -m2 (d2'' - d2 q1'^2)
F_r + F_r* = 0:
tau1 = (m1*l1^2 + Izz1 + Izz2 + m2*d2^2) q1'' + 2 m2 d2 d2' q1' + (m1 l1 + m2 d2) g cos(q1)
tau2 = m2 (d2'' - d2 q1'^2) + m2 g sin(q1)
"""
HAMILTON = r"""The momentum is $p = m l^2 \dot q$, so $$H = \frac{p^2}{2 m l^2} + m g l \sin q.$$
Hamilton's equations: $\dot q = \frac{p}{m l^2}$, $\dot p = \tau - m g l\cos q$."""
SAGE = """var('m1 m2 l1 g Izz1 Izz2 q1 d2 q1d d2d q1dd d2dd')
M = matrix([[m1*l1^2 + Izz1 + Izz2 + m2*d2^2, 0], [0, m2]])
h = vector([2*m2*d2*q1d*d2d, -m2*d2*q1d^2])
tau = M*vector([q1dd, d2dd]) + h + vector([(m1*l1 + m2*d2)*g*cos(q1), m2*g*sin(q1)])
"""
TABLE = """entry  | expression
M12    | m2 l^2/3 + m2 l^2 cos(q2)/2
M22    | m2 l^2/3
"""


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), [
    ("rp", ".txt", KANE, ("tau2 = m2 (d2'' - d2", "tau2 = m2 (d2'' - 2 d2")),
    ("one_link", ".md", HAMILTON, (r"\tau - m g l", r"\tau + m g l")),
    ("rp", ".sage", SAGE, ("[2*m2*d2", "[m2*d2")),
    ("two_link", ".txt", TABLE, ("M22    | m2 l^2/3", "M22    | m2 l^2/2")),
])  # fmt: skip
def test_an_answer_is_right_and_its_twin_is_wrong(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(arm, suffix, text, change, tmp_path)


@pytest.mark.parametrize("change", [
    ("F_1* = -(", "F_1* = ("), ("F_2 = tau2 - m2*g*sin(q1)", "F_2 = tau2 + m2*g*sin(q1)"), ("+ F_r* = 0", "- F_r* = 0"),
    ("F_2 = tau2 - m2*g*sin(q1)", "F_2 = m2 (d2'' - d2 q1'^2)"), ("u1 = q1'", "u1 = 2 q1'"),
])  # fmt: skip
def test_a_wrong_step_of_kanes_method_is_never_accepted(change: tuple[str, str], tmp_path: Path) -> None:
    assert change[0] in KANE
    assert not judged(KANE.replace(*change), "rp", tmp_path)


def test_numbers_side_by_side_in_a_transposed_row_are_its_entries(tmp_path: Path) -> None:
    assert judged(r"$$G = [m g l \cos q]^T$$ with $S = [0\;0\;1]^T$", "one_link", tmp_path, ".md")
