"""Sums over links are read as the sums of their terms, and arrays of zeros as arrays of the entries assigned later."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

from qddot.teach.check.reading.signs.characters import Characters
from qddot.teach.check.reading.signs.lexemes import lexemes, word_of
from qddot.teach.check.reading.signs.sums import Bounds, bounds, with_number
from qddot.teach.check.reading.texts.written import Written

HEIGHTS = r"$h_1 = \frac{l}{2} s_1$, $h_2 = l s_1 + \frac{l}{2} s_{12}$"
SPEEDS = (
    r"$v_1^2 = \frac{l^2}{4}\dot q_1^2$, "
    r"$v_2^2 = l^2\dot q_1^2 + \frac{l^2}{4}(\dot q_1 + \dot q_2)^2 + l^2 c_2 \dot q_1 (\dot q_1 + \dot q_2)$, "
    r"$\omega_1 = \dot q_1$, $\omega_2 = \dot q_1 + \dot q_2$, $I_1 = m_1 l^2/12$, $I_2 = m_2 l^2/12$"
)
MASSES = r"$M_{11} = m_1 l^2/3 + 4 m_2 l^2/3 + m_2 l^2 c_2$, $M_{12} = m_2 l^2/3 + m_2 l^2 c_2/2$, $M_{22} = m_2 l^2/3$"
KINETIC = """K1 = m1*l^2*q1d^2/6
K2 = m2*l^2*(q1d^2 + (q1d + q2d)^2/3 + q1d*(q1d + q2d)*cos(q2))/2
K = %s"""
FORMULAS = [
    (HEIGHTS + r" $$P = \sum_{i=1}^{n} m_i g h_i$$", "m_i g", "m_i"),
    (HEIGHTS + r" $$P = g\sum\nolimits_i m_i\, h_{i}$$", r"= g", r"= 2 g"),
    (SPEEDS + r" $$K = \sum_{i=1}^2 \tfrac12 m_i v_i^2 + \tfrac12 I_i \omega_i^2$$", r"\tfrac12 I", "I"),
    (SPEEDS + r" $$K = \tfrac12\sum_{i=1}^2 m_i v_i^2 + \tfrac12\sum_{j=1}^2 I_j \omega_j^2$$", "j=1", "j=2"),
    (MASSES + r" $$K = \frac12\sum_{i,j} M_{ij} \dot q_i \dot q_j$$", r"\dot q_j", r"\dot q_i"),
    (MASSES + r" $$K = \frac12\sum_{i=1}^{2}\sum_{j=i}^{n} M_{ij} \dot q_i \dot q_j + \frac12 M_{12}\dot q_1\dot q_2$$",
     "j=i", "j=1"),
    (KINETIC % "Σ K_i", "K = ", "K = 2*"),
    (KINETIC % "∑ᵢ₌₁² Kᵢ", "ᵢ₌₁", "ᵢ₌₂"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right", "wrong"), FORMULAS)
def test_a_sum_over_links_is_judged(text: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert judged(text, "two_link", tmp_path, ".txt")
    head, _, tail = text.rpartition(right)
    assert not judged(head + wrong + tail, "two_link", tmp_path, ".txt")


@pytest.mark.parametrize("law", [
    r"T = \sum_i T_i", r"K = \sum_{i=1}^{n} K_i", r"L = \sum_i (T_i - V_i)", r"\tau_i = \sum_j M_{ij}\ddot q_j + h_i",
])  # fmt: skip
def test_a_sum_of_names_without_values_is_a_general_formula(law: str, tmp_path: Path) -> None:
    judgement = judged(f"$$M_{{22}} = m_2 l^2/3$$ $${law}$$", "two_link", tmp_path, ".md")
    assert judgement
    assert any("general formula" in line for line in judgement.summary())


@pytest.mark.parametrize("value", [
    r"\sum_{i=1}^{99} \sum_{j=1}^{99} m_2", r"\sum_{i=1}^{2}" * 40 + "m_2", r"\sum_{i=1}^{", r"\sum_{i=1}^{n}",
    r"\sum m_2", r"\sum_{i \ne 1} m_i",
])  # fmt: skip
def test_a_sum_that_cannot_be_written_out_is_not_accepted(value: str, tmp_path: Path) -> None:
    assert not judged(f"$$M_{{22}} = m_2 l^2/3$$ $$G_2 = {value}$$", "two_link", tmp_path, ".md")


@pytest.mark.parametrize(("name", "letter", "number", "named"), [
    ("M_{ij}", "j", 2, "M_i2"), ("z_{i-1}", "i", 1, "z_0"), ("p_{c,i}", "i", 3, "p_c,3"), ("I_{ci}", "i", 2, "I_c2"),
    ("K_{kin,i}", "i", 1, "K_kin,1"), ("m_{link}", "i", 1, "m_link"), ("q_{12}", "i", 1, "q_12"), ("i", "i", 1, "i"),
])  # fmt: skip
def test_a_number_takes_the_place_of_an_index(name: str, letter: str, number: int, named: str) -> None:
    (lexeme,) = lexemes(Written(name))
    units = with_number(lexeme.data, letter, number)
    assert word_of(lexeme._replace(data=units)) == named


@pytest.mark.parametrize(("text", "read"), [
    ("_{i=1}^{n} m", Bounds(("i",), "1", "n")), ("^{2}_{k = 0} m", Bounds(("k",), "0", "2")), ("_i m", Bounds(("i",))),
    (r"\limits_{j,k} m", Bounds(("j", "k"))), (" m", Bounds()), ("_{i<j} m", None), ("_{i=1}^{n-1} m", None),
])  # fmt: skip
def test_bounds_of_a_sum_are_read(text: str, read: Bounds | None) -> None:
    characters = Characters(Written(text), 0, len(text))
    assert bounds(characters) == read
    assert characters.since(0) == ("" if read is None else text[: text.rindex(" m")])


def test_an_energy_by_the_mass_matrix_is_a_definition(tmp_path: Path) -> None:
    matrix = r"$$M = \begin{bmatrix} M_{11} & M_{12} \\ M_{12} & M_{22} \end{bmatrix}$$"
    energies = r"$$K = \tfrac12 \dot q^{T} M \dot q$$ $$P = m_1 g l s_1/2 + m_2 g (l s_1 + l s_{12}/2)$$ $$L = K - P$$"
    judgement = judged(f"{MASSES}\n\n{matrix} {energies}", "two_link", tmp_path, ".md")
    assert judgement
    assert "L" in {entry.quantity for entry in judgement.entries}


PROGRAM = """from sympy import *
M, C = zeros(2, 2), zeros(2, 2)
M[0, 0] = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2)
M[0, 1] = m2*l**2/3 + m2*l**2*cos(q2)/2
M[1, 1] = m2*l**2/3
C[0, 0] = -m2*l**2*sin(q2)*q2d/2
C[0, 1] = -m2*l**2*sin(q2)*(q1d + q2d)/2
C[1, 0] = m2*l**2*sin(q2)*q1d/2
qd = Matrix([q1d, q2d])
h = %s
K = (qd.T*M*qd)[0]/2
"""


def test_an_array_that_a_program_fills_is_used_as_a_whole(tmp_path: Path) -> None:
    assert judged(PROGRAM % "C*qd", "two_link", tmp_path, ".py")
    assert judged(PROGRAM % "M*qd", "two_link", tmp_path, ".py").wrong
