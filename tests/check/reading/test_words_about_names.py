"""Words say what names mean: sentences with an equals sign, brackets, rows of tables, and remarks on zeros."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot

ARMS = Path(__file__).parents[3] / "bench" / "answers" / "arms"
TWO_LINK = qddot.load("two_link")
RIGHT, WRONG = "m2*l^2/3", "m2*l^2/2"
ANSWERS = {
    "sentences": "q1 = angle of the first link\nq2 = joint angle\nM22 = {M22}",
    "brackets": "mb = mass of the second rod (m2 in the table)\nM22 = {M22_of_mb}",
    "table": "$M_{12} = m2*l^2/3 + m2*l^2*\\cos(q2)/2$\n"
    "\\begin{tabular}{ll}\n$M_{22}$ & ${M22}$ \\\\ \\hline\n\\end{tabular}",
    "zeros": "C12 = -m2*l^2*sin(q2)*qd1/2 - m2*l^2*sin(q2)*qd2/2\nC11 = -m2*l^2*sin(q2)*qd2/2\n"
    "C21 = m2*l^2*sin(q2)*qd1/2\nall other entries of C are zero\nM22 = {M22}",
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_words_beside_formulas_are_read(kind: str) -> None:
    for M22, is_right in ((RIGHT, True), (WRONG, False)):
        text = ANSWERS[kind].replace("{M22}", M22).replace("{M22_of_mb}", M22.replace("m2", "mb"))
        judgement = TWO_LINK.check(text)
        assert bool(judgement) is is_right, str(judgement)
        assert is_right or judgement.wrong, str(judgement)


@pytest.mark.parametrize(("joint", "is_right"), [("second", True), ("first", False)])
def test_the_only_torque_acts_where_the_words_say(joint: str, is_right: bool) -> None:
    arm = qddot.load(ARMS / "reaction_wheel.toml")
    text = f"""The torque u acts at the {joint} joint only; a = m1*lc1^2 + m2*l1^2 + I1, b = m1*lc1 + m2*l1
qdd1 = b*g/a*sin(q1) - u/a
qdd2 = -b*g/a*sin(q1) + (a + I2)/(a*I2)*u"""
    judgement = arm.check(text)
    assert bool(judgement) is is_right, str(judgement)
