"""Only what an answer certainly says is called wrong; other differences are listed as unread."""

from __future__ import annotations

import pytest

import qddot
from qddot.check.checking import check


@pytest.mark.parametrize(
    ("arm", "answer", "reason"),
    [
        ("two_link", "tau1 = g*l*c1*m1/2 + m2*g*l*(c1 + c12/2)\nM22 = m2*l^2/3", "no accelerations"),
        ("two_link", "N = [m1*g*c1; m2*g*l*s2^2]\nM22 = m2*l^2/3", "it is not the gravity torques G"),
        ("one_link", "b1 = l*qd1\nM11 = m*l^2", "it is not the velocity torques h"),
        ("two_link", "M22 = m2*l^2*s2^2/7\nG2 = m2*g*zeta", "parts of the answer that were not read"),
    ],
)
def test_a_difference_that_may_come_from_the_reading_is_not_called_wrong(arm: str, answer: str, reason: str) -> None:
    judgement = check(qddot.load(arm).equations().quantities, answer, None, {})
    assert not judgement
    assert not judgement.wrong
    assert reason in judgement.unread[-1].reason


@pytest.mark.parametrize(
    ("arm", "answer"),
    [
        ("two_link", "M22 = m2*l^2*s2^2/7"),  # no slip, but nothing else is unread or guessed
        ("two_link", "N = [m1*g*l*c1/2 + m2*g*l*(c1 + c12/2); -m2*g*l*c12/2]"),  # one slip in a guessed letter
        ("one_link", "tau1 = m*g*l*cos(q1)"),  # the only term with an acceleration is missing
    ],
)
def test_what_is_certain_is_called_wrong(arm: str, answer: str) -> None:
    assert check(qddot.load(arm).equations().quantities, answer, None, {}).wrong
