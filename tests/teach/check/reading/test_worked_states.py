"""What a whole solution has on the way is known by its value, and numbers in a state are held against that state."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

TABLE = """| joint | q | q̇ | q̈ |
|---|---|---|---|
| $q_1$ | −75° | −0.4 rad/s | 1.2 rad/s² |
| $q_2$ | −120° | −1.4 rad/s | 1 rad/s² |
"""
STATE = "q1 = -75°, q2 = -120°\n"
FORMULA = "\n$$M_{22} = m_2 l^2/3$$\n"


@pytest.mark.parametrize("state", [TABLE, STATE])
def test_numbers_in_a_state_are_held_against_it(state: str, tmp_path: Path) -> None:
    form = r"$$G = \begin{{bmatrix}} {} \cr -4.73787 \end{{bmatrix}}$$"
    right, wrong = (
        judged(state + FORMULA + form.format(number), "two_link", tmp_path, ".md")
        for number in ("-0.929344", "-0.829344")
    )
    assert right, right
    assert [unread.text for unread in wrong.unread] == ["G"]


def test_numbers_without_a_state_are_formulas(tmp_path: Path) -> None:
    assert judged("G = [-0.929344; -4.73787]", "two_link", tmp_path).wrong


STEPS = [
    (
        r"A_2 = \begin{{bmatrix}} c_2 & -s_2 & 0 & l c_2 \\ s_2 & c_2 & 0 & l {} \\ 0&0&1&0 \\ 0&0&0&1 \end{{bmatrix}}",
        "s_2",
        "c_2",
    ),
    (r"J_{{\omega 1}} = \begin{{bmatrix}} 0&0\\0&0\\{}&0 \end{{bmatrix}}", "1", "2"),
    (r"g_0 = ( 0 , {} g , 0 )", "-", ""),
    (r"m_{{112}} = \frac{{\partial M_{{11}}}}{{\partial q_2}} = -{} m_2 l^2 s_2", "", "2"),
]


@pytest.mark.parametrize(("form", "right", "wrong"), STEPS, ids=[form[:12] for form, _, _ in STEPS])
def test_steps_of_a_solution_are_known_by_their_values(form: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert judged(f"{FORMULA}\n\n$${form.format(right)}$$", "two_link", tmp_path, ".md")
    assert not judged(f"{FORMULA}\n\n$${form.format(wrong)}$$", "two_link", tmp_path, ".md")


def test_a_skew_matrix_is_minus_its_transpose(tmp_path: Path) -> None:
    form = r"$$S = \begin{{bmatrix}} 0 & \dot q_2 \\ {}\dot q_2 & 0 \end{{bmatrix}}$$ $S^T = -S$"
    skew, other = (judged(FORMULA + form.format(sign), "two_link", tmp_path, ".md") for sign in ("-", ""))
    assert any("S^T" in note and "agrees" in note for note in skew.notes)
    assert not other
    assert not any("S^T" in note and "agrees" in note for note in other.notes)


def test_a_constant_is_judged_as_a_formula_beside_a_state_too(tmp_path: Path) -> None:
    state = "".join(f"q{k} = 90°\n" for k in range(1, 7))
    (entry,) = judged(f"{state}\n$$M_{{66}} = 0.0171364731454$$\n", "ur5", tmp_path, ".md").entries
    assert (entry.name, entry.verdict) == ("M66", "equal")
