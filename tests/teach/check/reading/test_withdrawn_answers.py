"""Formulas that a text denies, withdraws, hides or changes the meaning of are never called right."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.base.errors import QddotError

G2 = "G2 = m2*g*l*cos(q1+q2)/2"
M22 = "M22 = m2*l^2/3"
TEX = r"\[ G_2 = \tfrac12 m_2 g l \cos(q_1+q_2) \]"
WITHDRAWN = {
    "not_true.txt": f"{M22}\nIt is not true that {G2}",
    "false.txt": f"{M22}\nBut {G2} is false.",
    "none.tex": f"Some write\n{TEX}\nNone of these formulas is correct.",
    "chinese.md": f"下面的式子是错误的：\n\n{G2}",
    "unequal.tex": r"\[ M_{22} = \tfrac13 m_2 l^2, \quad G_2 \neq \tfrac12 m_2 g l \cos(q_1+q_2) \]",
    "disregard.txt": f"{G2}\nSorry, please disregard everything above.",
    "question.txt": f"Is {G2}?",
    "sign.txt": f"{G2} (up to the sign)",
    "absolute.tex": f"In this answer $q_2$ denotes the absolute angle of the link.\n{TEX}",
    "zero.txt": f"Let g = 0.\n{G2}",
    "iffalse.tex": f"\\begin{{document}}\n$M_{{22}} = m_2$\n\\iffalse\n{TEX}\n\\fi\n\\end{{document}}",
    "let.tex": f"\\let\\cos\\sin\n{TEX}",
    "hidden.html": f'<p>Gravity</p><div style="display:none"><p>{G2}</p></div>',
    "deleted.py": f"from sympy import *\n{G2}\ndel G2",
    "shadowed.py": f"from math import cosh as cos\n{G2}",
    "defined.py": f"import numpy as np\ndef cos(x):\n    return np.sin(x)\n{G2}",
    "handle.m": f"cos = @(x) 1;\n{G2};",
    "substituted.py": f"from sympy import *\nG = Matrix([0, {G2[5:]}]).subs(g, 0)",
    "integers.c": "double G2 = 1/2*m2*g*l*cos(q1+q2);",
    "integers.f90": "  G2 = (1/2)*m2*g*l*cos(q1+q2)",
    "power.c": "double M22 = m2*l^2/3.0;",
}
KEPT = {
    "right.txt": f"{G2}\nThe point is not on the axis, and the sum is not zero.",
    "wrong_before.txt": f"G1 = 0\noops, corrected:\nG1 = (m1/2 + m2)*g*l*cos(q1) + {G2[5:]}\n{G2}",
    "phantom.tex": r"\[ \phantom{G_2 =}\quad G_2 = \tfrac12 m_2 g l \cos(q_1+q_2) \neq 0 \]",
    "floats.c": "double G2 = 1.0/2*m2*g*l*cos(q1+q2);",
    "names.py": f"from numpy import cos as cos\n{G2}",
    "state.txt": f"At q1 = 0 the arm is horizontal.\n{G2}",
}


@pytest.mark.parametrize("name", WITHDRAWN)
def test_what_a_text_takes_back_is_not_right(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(WITHDRAWN[name], encoding="utf-8")
    try:
        assert not qddot.load("two_link").check(tmp_path / name)
    except QddotError as error:
        assert name in str(error) or "no quantity of the equations" in str(error)


@pytest.mark.parametrize("name", KEPT)
def test_other_words_take_nothing_back(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(KEPT[name], encoding="utf-8")
    assert qddot.load("two_link").check(tmp_path / name)


def test_a_formula_after_comes_to_is_read_from_its_sign() -> None:
    judgement = qddot.load("two_link").check(f"{M22}\nThe second gravity torque comes to -{G2[5:]}.")
    assert judgement.pile == "by hand"


def test_the_inverse_of_M_is_not_M() -> None:
    M = "[[(m1/3 + 4*m2/3 + m2*cos(q2))*l^2, (m2/3 + m2*cos(q2)/2)*l^2], [(m2/3 + m2*cos(q2)/2)*l^2, m2*l^2/3]]"
    assert qddot.load("two_link").check(f"M = {M}", only="M")
    assert not qddot.load("two_link").check(f"{M22}\nM^{{-1}} = {M}", only="M")
