"""Only what an answer certainly says is called wrong; other differences are listed as unread."""

from __future__ import annotations

from fractions import Fraction

import pytest

import qddot
from qddot.teach.check.checking import check
from qddot.teach.check.reading.exact import rounding


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


def sum_of_decimals(whole: Fraction, count: int = 30, digits: int = 4) -> str:
    """A sum of different decimals, each rounded to some digits."""
    shares = [whole * (count + k) / sum(range(count, 2 * count)) for k in range(count)]
    return " + ".join(f"{float(share):.{digits}f}" for share in shares)


def in_many_decimals(whole: Fraction) -> str:
    return f"M22 = m2*l^2*({sum_of_decimals(whole)})"


def test_many_rounded_decimals_are_right_and_a_wrong_sum_of_them_is_wrong() -> None:
    eq = qddot.load("two_link").equations().quantities
    right = check(eq, in_many_decimals(Fraction(1, 3)), None, {})
    assert right
    assert right.entries[0].verdict == "rounded"
    assert check(eq, in_many_decimals(Fraction(2, 5)), None, {}).wrong


@pytest.mark.parametrize(
    ("rounded", "wrong"),
    [
        ("M22 = 0.577^2*m2*l^2", "M22 = 0.575^2*m2*l^2"),
        ("M22 = m2*l^2/1.73^2", "M22 = m2*l^2/1.75^2"),
        ("k = 0.33\nM22 = k*m2*l^2", "k = 0.32\nM22 = k*m2*l^2"),
        ("M22 = diff(0.167*m2*l^2*q1^2, q1)/q1", "M22 = diff(0.168*m2*l^2*q1^2, q1)/q1"),
        ("M22 = 0.33*m2*l^2*(q1 + 1)/(q1 + 1)", "M22 = 0.32*m2*l^2*(q1 + 1)/(q1 + 1)"),
    ],
)
def test_a_rounded_decimal_is_right_wherever_it_stands(rounded: str, wrong: str) -> None:
    eq = qddot.load("two_link").equations().quantities
    assert check(eq, rounded, None, {})
    assert check(eq, wrong, None, {}).wrong


def test_more_decimals_than_are_compared_are_no_reason_to_call_an_entry_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounding, "MOST_COMPUTED", 50)
    judgement = check(qddot.load("two_link").equations().quantities, in_many_decimals(Fraction(2, 5)), None, {})
    assert not judgement
    assert not judgement.wrong
    assert "too many decimals" in judgement.unread[-1].reason


def test_what_follows_from_a_quantity_that_could_not_be_judged_is_not_called_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eq = qddot.load("one_link").equations().quantities
    decimals = sum_of_decimals(Fraction(2, 5))
    answer = f"P = m*g*l*sin(q1)*({decimals})\nG1 = {sum(map(Fraction, decimals.split(' + ')))}*m*g*l*cos(q1)"
    wrong = check(eq, answer, None, {}).wrong
    assert [[mistake.kind for mistake in entry.mistakes] for entry in wrong if entry.quantity == "G"] == [["carried"]]
    monkeypatch.setattr(rounding, "MOST_COMPUTED", 10)
    judgement = check(eq, answer, None, {})
    assert not judgement
    assert not judgement.wrong
    assert judgement.unread[-1].reason == "it follows from your own P, which could not be judged"
