"""What looks like a formula and is not read is said, and what an answer says twice is not counted as right."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.teach.check.judging.judgement import Judgement

RIGHT = r"M_{12} &= m_2 l^2/3 + m_2 l^2 \cos(q_2)/2"
DOCUMENT = r"""\documentclass{article}
\newcommand{\half}{\frac{1}{2}}
\hypersetup{colorlinks=true, linkcolor=\theta_1}
\begin{document}
The mass matrix, see \includegraphics[width=0.5\textwidth]{a_1}, is
\begin{align}
RIGHT
\end{align}
% K = \frac{1}{2} m
WORDS
\end{document}
"""


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link")


def judged(arm: qddot.Robot, folder: Path, text: str, name: str = "mine.tex") -> Judgement:
    (folder / name).write_text(text, encoding="utf-8")
    return arm.check(folder / name)


OUTSIDE = [
    r"N(\theta) = \begin{bmatrix} 0\\5\\7\end{bmatrix}",
    r"K = \frac{1}{2} m_1 l^2",
    r"G_1 = m_1 g l",
    r"with \tau = M \ddot q",
    r"V = 7 m_1 g \sin q_1",
    "P =\n\\frac{1}{2}",
]


@pytest.mark.parametrize("formula", OUTSIDE)
@pytest.mark.parametrize("whole", [True, False])
def test_a_formula_outside_the_mathematics_is_said(formula: str, whole: bool, arm: qddot.Robot, tmp_path: Path) -> None:
    text = DOCUMENT.replace("RIGHT", RIGHT).replace("WORDS", formula)
    text = text if whole else text[text.index(r"\begin{align}") : text.index(r"\end{document}")]
    judgement = judged(arm, tmp_path, text)
    assert not judgement
    assert [entry.verdict for entry in judgement.entries] == ["equal"]
    (unread,) = judgement.unread
    assert "outside the document's formulas" in unread.reason
    assert unread.where.split(":")[1] == str(text[: text.index(formula)].count("\n") + 1)


@pytest.mark.parametrize(
    "words", ["Here $m_1 = m_1$ and so on.", r"\begin{verbatim}K = \frac{1}{2}\end{verbatim}", "n = 2"]
)
def test_words_are_no_formulas(words: str, arm: qddot.Robot, tmp_path: Path) -> None:
    assert judged(arm, tmp_path, DOCUMENT.replace("RIGHT", RIGHT).replace("WORDS", words)).unread == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("M12 = m2*l^2/3 + m2*l^2*cos(q2)/2\n\nm1*g*l*cos(q1)*7\n", "mine.txt"),
        ("m1*g*l*cos(q1)*7\n\nM12 = m2*l^2/3 + m2*l^2*cos(q2)/2\n", "mine.txt"),
        (DOCUMENT.replace("RIGHT", RIGHT).replace("WORDS", r"$$ m_1 g l \cos(q_1) 7 $$"), "mine.tex"),
    ],
)
def test_a_formula_without_an_equals_sign_is_said(text: str, name: str, arm: qddot.Robot, tmp_path: Path) -> None:
    notes = judged(arm, tmp_path, text, name).notes
    assert any(note.startswith("not read: m") and note.endswith("has no '='") for note in notes)


def test_spongs_coriolis_terms_are_those_of_the_matrix_c(arm: qddot.Robot) -> None:
    """c_11 = h q̇_2 has a rate, which the factors of q̇² have not. Source: Spong, Hutchinson & Vidyasagar, §7.4."""
    terms = ("c_11 = h*qd2", "c_12 = h*qd2 + h*qd1", "c_21 = -h*qd1", "c_22 = 0")
    judgement = arm.check("\n".join(["h = -m2*l^2*sin(q2)/2", *terms]))
    assert judgement
    assert [entry.name for entry in judgement.entries] == ["C11", "C12", "C21", "C22"]
    assert not arm.check("\n".join(["h = -m2*l^2*sin(q2)/2", *terms[:2], "c_21 = h*qd1", terms[3]]))


P = "m1*g*l*sin(q1)/2 + m2*g*(l*sin(q1) + l*sin(q1+q2)/2)"
C = "[[-h*qd2, -h*(qd1 + qd2)], [h*qd1, 0]]"
OTHER_C = "[[0, -h*(2*qd1 + qd2)], [h*qd1, 0]]"


@pytest.mark.parametrize("name", ["V", "P"])
def test_two_values_of_an_energy_contradict_each_other(name: str, arm: qddot.Robot) -> None:
    """Each alone is right, since the zero of a potential energy is arbitrary; but an answer has one."""
    assert arm.check(f"{name} = {P}")
    assert arm.check(f"{name} = {P} + m1*g*l")
    assert arm.check(f"{name} = {P}\n{name} = ({P})*2/2")
    for values in ((P, f"{P} + m1*g*l"), (f"{P} + m1*g*l", P)):
        judgement = arm.check("\n".join(f"{name} = {value}" for value in values))
        assert not judgement
        assert {unread.where.split(",")[0] for unread in judgement.unread} == {"line 1", "line 2"}
        assert all("another value than at line" in unread.reason for unread in judgement.unread)


def test_two_right_matrices_c_contradict_each_other(arm: qddot.Robot) -> None:
    h = "h = m2*l^2*sin(q2)/2"
    assert arm.check(f"{h}\nC = {C}")
    assert arm.check(f"{h}\nC = {OTHER_C}")
    judgement = arm.check(f"{h}\nC = {C}\nC = {OTHER_C}")
    assert not judgement
    assert {unread.text for unread in judgement.unread} == {"C11", "C12"}


def test_a_cause_that_right_entries_exclude_is_not_offered(arm: qddot.Robot) -> None:
    """A table that is read as one of modified rows would change h1, too, which is right."""
    h = "m2*l^2*sin(q2)"
    judgement = arm.check(f"h1 = -{h}*qd1*qd2 - {h}*qd2^2/2\nh2 = -{h}*qd1^2/2")
    (explanation,) = judgement.explanations
    assert [mistake.kind for mistake in explanation.all] == ["sign"]
    assert all("rows" not in str(mistake) for entry in judgement.wrong for mistake in entry.mistakes)


TIP = "x = l1*cos(q1) + l2*cos(q1 + q2)\n"
J = r"\begin{bmatrix} -l_1 s_1 - l_2 s_{12} & -l_2 s_{12} \\ l_1 c_1 + l_2 c_{12} & l_2 c_{12} \end{bmatrix}"
RATES = r"\[ \begin{bmatrix}\dot x\\ \dot z\end{bmatrix} = J \begin{bmatrix}\dot q_1\\ \dot q_2\end{bmatrix} \]"


def test_the_coordinates_of_a_point_are_those_of_one_point() -> None:
    """Without its second term z would be right as that of the elbow."""
    arm = qddot.load("planar_2r")
    assert arm.check(f"{TIP}z = l1*sin(q1) + l2*sin(q1 + q2)")
    (unread,) = arm.check(f"{TIP}z = l1*sin(q1)").unread
    assert "another point" in unread.reason


@pytest.mark.parametrize(("sign", "is_right"), [("+", True), ("-", False)])
def test_a_velocity_is_the_rate_of_the_position_in_the_answer(sign: str, is_right: bool) -> None:
    z = rf"\[ x = l_1 \cos q_1 + l_2 \cos(q_1 + q_2), \quad z = l_1 \sin q_1 {sign} l_2 \sin(q_1 + q_2) \]"
    judgement = qddot.load("planar_2r").check(z + RATES.replace("J", J))
    assert bool(judgement) == is_right
    assert all("does not follow" in unread.reason for unread in judgement.unread)


@pytest.mark.parametrize(("equation", "is_right"), [("x_2", True), ("2 x_2", False), ("-x_2", False), ("x_1", False)])
def test_a_line_of_a_state_space_is_judged(equation: str, is_right: bool) -> None:
    state = r"$x_1 = q_1$, $x_2 = \dot q_1$, $\tau_1 = m l^2 \ddot q_1 + m g l \cos(q_1)$"
    assert bool(qddot.load("one_link").check(rf"{state}, $\dot x_1 = {equation}$")) == is_right


def test_a_kinetic_energy_with_the_index_k_is_no_formula_for_each_link(arm: qddot.Robot) -> None:
    assert arm.check(f"V = {P}\n\nE_k = 7*m_1*l^2*qd_1^2").wrong


@pytest.mark.parametrize("term", [r" + \frac{\partial M_{ik}}{\partial q_j}", ""])
def test_a_law_of_christoffel_symbols_with_too_few_terms_is_no_law(term: str, arm: qddot.Robot) -> None:
    slopes = rf"\frac{{\partial M_{{ij}}}}{{\partial q_k}}{term} - \frac{{\partial M_{{jk}}}}{{\partial q_i}}"
    text = rf"$\Gamma_{{ijk}} = \frac12 \left({slopes}\right)$, $M_{{22}} = m_2 l^2/3$"
    assert bool(arm.check(text)) == bool(term)
