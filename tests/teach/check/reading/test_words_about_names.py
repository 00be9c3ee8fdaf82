"""Words say what names mean: sentences with an equals sign, brackets, rows of tables, and remarks on zeros."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged

ARMS = Path(__file__).parents[4] / "bench" / "answers" / "arms"
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
def test_words_beside_formulas_are_read(kind: str, tmp_path: Path) -> None:
    for M22, verdict in ((RIGHT, "right"), (WRONG, "wrong")):
        text = ANSWERS[kind].replace("{M22}", M22).replace("{M22_of_mb}", M22.replace("m2", "mb"))
        assert_judged(text, "two_link", verdict, tmp_path)


@pytest.mark.parametrize(("joint", "verdict"), [("second", "right"), ("first", "wrong")])
def test_the_only_torque_acts_where_the_words_say(joint: str, verdict: str, tmp_path: Path) -> None:
    text = f"""The torque u acts at the {joint} joint only; a = m1*lc1^2 + m2*l1^2 + I1, b = m1*lc1 + m2*l1
qdd1 = b*g/a*sin(q1) - u/a
qdd2 = -b*g/a*sin(q1) + (a + I2)/(a*I2)*u"""
    assert_judged(text, str(ARMS / "reaction_wheel.toml"), verdict, tmp_path)


TWO_OF_C = "C11 = -m2*l^2*sin(q2)*qd2/2\nC12 = -m2*l^2*sin(q2)*qd1/2 - m2*l^2*sin(q2)*qd2/2\n"
SAYING_ZERO = (
    "The other entries are zero.",
    "the remaining entries vanish",
    "the remaining entry of C is 0",
    "The rest is zero.",
    "Die übrigen Einträge sind null.",
    "alle anderen Elemente verschwinden",
    "其余元素均为零。",
)
SAYING_SOMETHING_ELSE = (
    "The other entries are obtained by symmetry.",
    "the other entries follow by symmetry",
    "the remaining terms are similar",
    "all other entries are not zero",
    "Not all other entries are zero.",
    "The other entries are zero or follow from the symmetry",
    "The other entries are zero if q2 = 0",
    "Die übrigen Einträge ergeben sich aus der Symmetrie.",
    "其余由对称性得",
    "其余元素不为零",
)


@pytest.mark.parametrize("sentence", SAYING_ZERO)
def test_other_entries_are_zero_where_the_words_say_so(sentence: str, tmp_path: Path) -> None:
    assert_judged(f"{TWO_OF_C}C21 = m2*l^2*sin(q2)*qd1/2\n{sentence}", "two_link", "right", tmp_path)
    assert_judged(f"{TWO_OF_C}{sentence}", "two_link", "wrong", tmp_path)


@pytest.mark.parametrize("sentence", SAYING_SOMETHING_ELSE)
def test_entries_that_the_words_leave_out_are_not_zero(sentence: str, tmp_path: Path) -> None:
    assert_judged(f"{TWO_OF_C}{sentence}", "two_link", "right", tmp_path)


@pytest.mark.parametrize("words", ["Masse mal Laenge", "mass times length squared", "Traegheit des Arms"])
def test_a_quantity_in_words_other_than_a_common_sentence_is_unread(words: str, tmp_path: Path) -> None:
    assert_judged(f"M = {words}\nG2 = m2*g*l*cos(q1 + q2)/2", "two_link", "unread", tmp_path)


@pytest.mark.parametrize("words", ["the mass matrix of the arm", "mass matrix"])
def test_a_common_sentence_about_a_quantity_is_no_formula(words: str, tmp_path: Path) -> None:
    assert_judged(f"M = {words}\nG2 = m2*g*l*cos(q1 + q2)/2", "two_link", "right", tmp_path)


@pytest.mark.parametrize(("c112", "verdict"), [("1/2*m2*l^2*sin(q2)", "right"), ("m2*l^2*sin(q2)", "wrong")])
def test_all_other_symbols_of_a_letter_of_its_own_vanish(c112: str, verdict: str, tmp_path: Path) -> None:
    text = f"c_121 = -1/2*m2*l^2*sin(q2)\nc_221 = -1/2*m2*l^2*sin(q2)\nc_112 = {c112}\nAll others vanish."
    assert_judged(text, "two_link", verdict, tmp_path)


@pytest.mark.parametrize(("joint", "verdict"), [("second", "right"), ("first", "wrong")])
def test_the_row_with_the_only_torque_is_that_of_the_joint_in_the_words(
    joint: str, verdict: str, tmp_path: Path
) -> None:
    text = f"""The motor acts at the {joint} joint only.
(m1*l1^2 + m2*l1^2 + m2*l2^2 + 2*m2*l1*l2*c2)*qdd1 + (m2*l2^2 + m2*l1*l2*c2)*qdd2
 - m2*l1*l2*s2*(2*qd1*qd2 + qd2^2) + (m1 + m2)*g*l1*s1 + m2*g*l2*s12 = 0
(m2*l2^2 + m2*l1*l2*c2)*qdd1 + m2*l2^2*qdd2 + m2*l1*l2*s2*qd1^2 + m2*g*l2*s12 = u"""
    assert_judged(text, str(ARMS / "double_pendulum.toml"), verdict, tmp_path)
