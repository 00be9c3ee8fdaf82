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
