"""A preview shows what each formula is read as, in the arm's symbols, and says nothing of what is right."""

from __future__ import annotations

import json

import pytest

import qddot

RIGHT, WRONG = "m2*l**2/3", "m1*l"


def test_each_formula_is_shown_in_the_symbols_of_the_arm() -> None:
    preview = qddot.load("two_link").check_preview(
        r"M_{22} = \frac13 m_2 l^2, \quad G_2 = \tfrac12 m_2 g l \cos(\theta_1+\theta_2)"
    )
    assert [(each.name, each.formula) for each in preview.entries] == [("M22", "m2*l**2/3"), ("G2", "m2*g*l*c12/2")]
    assert preview
    assert "line 1, column 10: M22 := m2*l**2/3" in str(preview)


def test_a_right_and_a_wrong_formula_are_shown_alike() -> None:
    arm = qddot.load("two_link")
    shown = [str(arm.check_preview(f"M22 = {formula}")).replace(formula, "…") for formula in (RIGHT, WRONG)]
    assert shown[0] == shown[1]
    assert not {"verdict", "witness", "exact", "difference"} & {*json.loads(arm.check_preview("M22 = m1").to_json())}


def test_an_equation_of_motion_is_shown_as_one() -> None:
    preview = qddot.load("two_link").check_preview("m1*l*qdd1 = tau1 - tau2")
    assert [each.name for each in preview.entries] == ["an equation of motion"]
    assert preview.entries[0].formula == "0 = m1*l*qdd1 - tau1 + tau2"


@pytest.mark.parametrize("text", ["M22 = m9*l", "M22 = m9*l\nG2 = g"])
def test_what_is_not_read_is_listed_with_its_place(text: str) -> None:
    preview = qddot.load("two_link").check_preview(text, only="M22")
    assert not preview
    assert preview.missing == ("M22",)
    assert "no 'm9' in this arm" in preview.unread[0].reason
    assert "line 1" in preview.unread[0].where


def test_empty_slots_of_a_template_are_missing() -> None:
    arm = qddot.load("two_link")
    preview = arm.check_preview(arm.answer_template(".md").replace("G1 = ?", "G1 = g"))
    assert [each.name for each in preview.entries] == ["G1"]
    assert preview.missing == ("M11", "M12", "M22", "h1", "h2", "G2")


def test_a_long_formula_is_shown_whole() -> None:
    powers = " + ".join(f"m1*l**{k}" for k in range(1, 20))
    formula = qddot.load("two_link").check_preview(f"M11 = {powers}").entries[0].formula
    assert "l**19" in formula
    assert "…" not in formula


def test_the_formulas_of_a_closed_chain_are_shown() -> None:
    preview = qddot.load_closed_chain("four_bar").check_preview("M11 = I1 + r21*m1", only="M11")
    assert [each.formula for each in preview.entries] == ["m1*r21 + I1"]
