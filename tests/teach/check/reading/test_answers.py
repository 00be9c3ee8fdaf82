"""Whole answers are read from TOML, LaTeX, MATLAB, Python and plain text, under the letters that sources use."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from shipped import robot

from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.checking import check
from qddot.teach.check.reading.answer import Answer
from qddot.teach.check.reading.read_answer import read, read_parts, read_text

M11 = "m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*c2"
M12 = "m2*l**2/3 + m2*l**2*c2/2"
M22 = "m2*l**2/3"
H1, H2 = "-m2*l**2*s2*(qd1*qd2 + qd2**2/2)", "m2*l**2*s2*qd1**2/2"
G1, G2 = "m1*g*l*c1/2 + m2*g*l*c12/2 + m2*g*l*c1", "m2*g*l*c12/2"


@cache
def equations(arm: str = "two_link") -> Quantities:
    return robot(arm).equations().quantities


def right(answer: Answer, eq: Quantities) -> set[str]:
    """The quantities of which every entry is that of the arm."""
    return {
        name
        for name, entries in answer.entries.items()
        if all(entry.numerator == eq.array(name)[entry.place].entries[0] for entry in entries)
    }


LETTERS = [
    (f"M = [{M11}, {M12}; {M12}, {M22}]", "M", ""),
    (f"D(q) = [{M11}, {M12}; {M12}, {M22}]", "M", "D is read as the mass matrix M"),
    (f"B(q) = [{M11}, {M12}; {M12}, {M22}]", "M", "B is read as the mass matrix M"),
    (f"b_{{12}} = {M12}", "M", "b_ij is read as the mass matrix M"),
    (f"H11 = {M11}", "M", "H_ij is read as the mass matrix M"),
    (f"M[1,2] = {M12}", "M", "the indices of M[1,2] are read as counted from 1"),
    (f"M[0][1] = {M12}\nM[1][1] = {M22}", "M", ""),
    (f"M[0,1] = {M12}\nM[1,1] = {M22}", "M", ""),
    (f"M(1,2) = {M12}; M(2,2) = {M22};", "M", ""),
    (f"m_{{12}} = {M12}", "M", "m_ij is read as the mass matrix M"),
    (f"h = [{H1}; {H2}]", "h", ""),
    (f"V_1 = {H1}; V_2 = {H2}", "h", "V_i is read as the velocity torques h = C q̇"),
    (f"C_1 = {H1}", "h", "C_i is read as the velocity torques h = C q̇"),
    (f"C_1 = {G1}", "G", "C_i is read as the gravity torques G"),
    (f"N = [{G1}; {G2}]", "G", "N is read as the gravity torques G"),
    (f"g_2 = {G2}", "G", "g_i is read as the gravity torques G"),
    (f"G(2,1) = {G2}", "G", ""),
    ("M = zeros(2, 2); M11 = " + M11 + "; M12 = " + M12 + "; M21 = M12; M22 = " + M22, "M", ""),
    ("C = [-m2*l**2*s2*qd2/2, -m2*l**2*s2*(qd1 + qd2)/2; m2*l**2*s2*qd1/2, 0]", "C", ""),
    ("C(q) = [0, -m2*l**2*s2/2; m2*l**2*s2/2, 0]", "C2", "C is read as the centrifugal matrix C2"),
    ("C2 = [0, -m2*l**2*s2/2; m2*l**2*s2/2, 0]", "C2", ""),
    ("C2(1,2) = -m2*l**2*s2/2", "C2", ""),
    ("B = [-m2*l**2*s2; 0]", "B", ""),
    ("B112 = -m2*l**2*s2", "B", ""),
    ("C_112 = -m2*l**2*s2/2", "christoffel", "C_ijk is read as the Christoffel symbols Γ"),
    ("Γ_{121} = -m2*l**2*s2/2 = -Γ_{211}", "christoffel", ""),
    ("\\Gamma_{211} = \\frac12 m_2 l^2 s_2", "christoffel", ""),
    ("b_{2,11} = m2*l**2*s2/2", "christoffel", "b_ijk is read as the Christoffel symbols Γ"),
    (f"τ₂ = ({M12})*q̈₁ + {M22}*q̈₂ + {H2} + {G2}", "tau", ""),
    (f"Γ_2 = ({M12})*q̈₁ + {M22}*q̈₂ + {H2} + {G2}", "tau", "Gamma_i is read as the joint torques tau"),
    (f"({M12})*qdd1 + {M22}*qdd2 + {H2} + {G2} = tau_2", "tau", ""),
    ("U = g*l*(m1*s1/2 + m2*s1 + m2*s12/2)", "P", "U is read as the potential energy P"),
    ("V = g*l*(m1*s1/2 + m2*s1 + m2*s12/2)", "P", "V is read as the potential energy P"),
    (f"T = ({M11})*qd1**2/2 + ({M12})*qd1*qd2 + {M22}*qd2**2/2", "K", "T is read as the kinetic energy K"),
    (f"L = ({M11})*qd1**2/2 + ({M12})*qd1*qd2 + {M22}*qd2**2/2 - g*l*(m1*s1/2 + m2*s1 + m2*s12/2)", "L", ""),
    ("T_1 = [c1 -s1 0 l*c1; s1 c1 0 l*s1; 0 0 1 0; 0 0 0 1]", "T", ""),
    ("0T2 = [c12 -s12 0 l*c1+l*c12; s12 c12 0 l*s1+l*s12; 0 0 1 0; 0 0 0 1]", "T", ""),
    ("T02 = [c12 -s12 0 l*c1+l*c12; s12 c12 0 l*s1+l*s12; 0 0 1 0; 0 0 0 1]", "T", ""),
    (
        "T = [c12 -s12 0 l*c1+l*c12; s12 c12 0 l*s1+l*s12; 0 0 1 0; 0 0 0 1]",
        "T_tool",
        "T is read as the pose T_tool of the tool",
    ),
    ("T2[1,4] = l*c1 + l*c12", "T", "the indices of T2[1,4] are read as counted from 1"),
    (
        "J = [-l*s1-l*s12 -l*s12; l*c1+l*c12 l*c12; 0 0; 0 0; 0 0; 1 1]",
        "J_tool",
        "J is read as the Jacobian J_tool of the tool",
    ),
    ("J_c1 = [-l*s1/2 0; l*c1/2 0; 0 0; 0 0; 0 0; 1 0]", "J_c", ""),
    ("p_{c1} = [l*c1/2; l*s1/2; 0]", "p_c", ""),
]


@pytest.mark.parametrize(("text", "quantity", "guess"), LETTERS, ids=[text[:30] for text, _, _ in LETTERS])
def test_the_letter_of_a_quantity(text: str, quantity: str, guess: str) -> None:
    eq = equations()
    answer = read_text(text, eq)
    assert set(answer.entries) == {quantity} == right(answer, eq)
    assert answer.guesses == ((guess,) if guess else ())
    assert answer.shapes[quantity] == eq.array(quantity).shape


@pytest.mark.parametrize("arguments", ["q, qd", "q,\\dot q", "q, q̇", "q1, q2, qd1, qd2", "q, q'"])
def test_a_matrix_of_rates_is_the_coriolis_matrix_even_where_its_rates_are_missing(arguments: str) -> None:
    """Γ without rates, called C(q, q̇), lacks the rates; it is not the centrifugal matrix."""
    answer = read_text(f"C({arguments}) = [0, -m2*l**2*s2/2; m2*l**2*s2/2, 0]", equations())
    assert set(answer.entries) == {"C"}
    assert not right(answer, equations())


def test_a_letter_that_is_ambiguous_is_decided_by_rename() -> None:
    assert set(read_text("C_1 = 0", equations(), {"C": "h"}).entries) == {"h"}
    assert right(read_text("b112 = -m2*l**2*s2", equations(), {"b": "B"}), equations()) == {"B"}


@pytest.mark.parametrize("left", ["M^{-1}", "M⁻¹", "T_2^1", "{}^{1}T_2", "B(q)[q̇ q̇]", "E", "M1"])
def test_what_is_no_quantity_is_left_out(left: str) -> None:
    answer = read_text(f"{left} = [1 0; 0 1]\nM22 = {M22}", equations())
    assert right(answer, equations()) == {"M"} == set(answer.entries)
    assert [unread.where for unread in answer.unread] == ["line 1, column 1"]


def test_the_torques_of_springs_are_a_quantity() -> None:
    assert right(read_text(r"\tau^{s} = \begin{bmatrix} 0 \\ 0 \end{bmatrix}", equations()), equations()) == {"springs"}
    assert right(read_text(r"\tau_1^{f} = 0", equations()), equations()) == {"friction"}


def test_zero_stands_for_a_whole_array() -> None:
    answer = read_text("G = 0\nT_1 = 0", equations())
    assert [entry.place for entry in answer.entries["G"]] == [(0,), (1,)]
    assert [entry.place[0] for entry in answer.entries["T"]] == [0] * 16
    assert not any(entry.numerator for entries in answer.entries.values() for entry in entries)


def test_entries_may_refer_to_others() -> None:
    text = f"D(2,1) = D(1,2);\nD(1,2) = {M12};\nD(2,2) = {M22}; tau_2 = M12*qdd1 + D22*qdd2 + h2 + G2\n"
    answer = read_text(f"{text}M12 = D(1,2); h2 = {H2}; G2 = {G2}", equations())
    assert right(answer, equations()) == {"M", "tau", "h", "G"}


def test_second_derivatives_of_poses() -> None:
    eq = robot("two_link").equations("dh4x4").quantities
    step = eq.steps["U_ijk"]
    rows = [[entry.text().split(" = ")[-1] for entry in row] for row in step[1, 1, 1]]
    answer = read_parts({"U_222": rows}, eq)
    assert answer.shapes["U_ijk"] == step.shape
    assert all(entry.numerator == step[entry.place].entries[0] for entry in answer.entries["U_ijk"])
    assert [entry.place[:3] for entry in answer.entries["U_ijk"]] == [(1, 1, 1)] * 16


TOML = f"""# my own
M = [["{M11}", "{M12}"],
     ['{M12}', "{M22}"]]
G = "[{G1}; {G2}]"
tau_2 = '''
\\tfrac12 m_2 l^2 \\sin\\theta_2 \\dot\\theta_1^2 '''

[energies]
P = "g*l*(m1*s1/2 + m2*s1\\u00b7m2)"
"""
TEX = r"""\documentclass{article}
% M_{11} = 0
\begin{document}
The masses are $m_1$ and $m_2$, and $q = (\theta_1, \theta_2)$.
\begin{align}
  M_{22} &= \frac{1}{3} m_2 l^2, \label{eq:m} \\
  M_{12} &= M_{22} \notag \\ & \quad + \frac{1}{2} m_2 l^2 \cos\theta_2 \tag{2}
\end{align}
and \[ G_2 = \frac12 m_2 g l \cos(\theta_1 + \theta_2). \]
\begin{equation*} \boxed{ h_2 = \tfrac12 m_2 l^2 s_2 \dot q_1^2 } \end{equation*}
\end{document}
"""
MATLAB = f"""syms m1 m2 l g q1 q2
q = [q1; q2]; % the angles
M = zeros(2,2);
M(1,1) = {M11.replace("**", "^").replace("c2", "cos(q(2))")};
M(1,2) = {M12.replace("**", "^").replace("c2", "cos(q(2))")}; M(2,1) = M(1,2);
M(2,2) = {M22.replace("**", "^")};
"""


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_toml_file(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.toml", TOML)
    answer = read(path, equations())
    assert right(answer, equations()) == {"M", "G"}
    second, third = TOML.splitlines()[1:3]
    columns = [second.index(M11), second.index(M12), third.index(M12), third.rindex(M22)]
    places = [f"{path}:{line}:{column + 1}" for line, column in zip((2, 2, 3, 3), columns, strict=True)]
    assert [entry.where for entry in answer.entries["M"]] == places
    assert answer.entries["tau"][0].where == f"{path}:6:1"


def test_the_place_of_a_fault_in_a_toml_file(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.toml", 'h = ["m1", \'m2\']\nG = ["m1*g", "m2*\\u0067 + x"]\n')
    assert [each.where for each in read(path, equations()).unread] == [f"{path}:2:7"]


def test_a_latex_file(tmp_path: Path) -> None:
    answer = read(file(tmp_path, "mine.tex", TEX), equations())
    assert right(answer, equations()) == {"M", "G", "h"}
    assert len(answer.entries["M"]) == 2
    assert answer.guesses == ()


def test_a_matlab_file(tmp_path: Path) -> None:
    answer = read(file(tmp_path, "mine.m", MATLAB), equations())
    assert right(answer, equations()) == {"M"}
    assert [entry.place for entry in answer.entries["M"]] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_python_file_counts_from_zero(tmp_path: Path) -> None:
    text = f"from sympy import *\nM = zeros(2, 2)\nM[1, 1] = {M22}\nG = Matrix([{G1},\n            {G2}])\n"
    answer = read(file(tmp_path, "mine.py", text), equations())
    assert right(answer, equations()) == {"G"}
    assert answer.entries["M"][3].numerator == equations().M[1, 1].entries[0]
    assert not any(entry.numerator for entry in answer.entries["M"][:3])


def test_a_file_without_a_suffix_is_looked_at(tmp_path: Path) -> None:
    for text in (TOML, TEX, MATLAB):
        assert "M" in right(read(file(tmp_path, "mine", text), equations()), equations())


def test_an_entry_knows_its_text() -> None:
    entry = read_text(f"M = [{M11}, 0;\n {M12}, {M22}]", equations()).entries["M"][2]
    assert (entry.text, entry.where) == (M12, "line 2, column 2")


def test_each_step_of_a_chain_is_an_entry() -> None:
    entries = read_text(f"M22 = m2*l*l/3 = {M22} = 4*m2*l**2/12", equations()).entries["M"]
    assert [entry.text for entry in entries] == ["m2*l*l/3", M22, "4*m2*l**2/12"]


def test_the_puma_in_its_form_of_1986() -> None:
    eq = equations("puma560_1986")
    text = "a12 = I4*S2+I8*C23+I9*C2+I13*S23-I15*C23*S4*S5+I16*S2*S4*S5+I18*(S23*C4*S5-C23*C5)+I19*S23*SC4"
    text += "+I20*S4*(S23*C4*CC5+C23*SC5)+I22*S23*S4*S5"
    assert right(read_text(text, eq), eq) == {"M"}


def test_the_documented_answer_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference" / "check.md").read_text(encoding="utf-8")
    shown = page.split("## How to write a derivation")[1].split("```toml\n")[1].split("```")[0]
    assert right(read(file(tmp_path, "mine.toml", shown), equations()), equations()) == {"M", "h"}


def test_entries_of_python_refer_to_each_other() -> None:
    text = f"M = zeros(2, 2)\nM[0, 0] = {M11}\nM[0, 1] = {M12}\nM[1, 0] = M[0, 1]\nM[1, 1] = {M22}"
    assert right(read_text(text, equations()), equations()) == {"M"}
    wrong = text.replace("= M[0, 1]", "= M[0, 0]")
    assert not right(read_text(wrong, equations()), equations())


def test_a_state_in_the_words_around_changes_no_formula() -> None:
    """The torques vanish at q1 = q2 = 0; this gives no coordinate a value in the formulas above it."""
    text = f"tau_2 = ({M12})*qdd1 + {M22}*qdd2 + {H2} + {G2}\n\nAs a check, for q1 = q2 = 0 the arm is stretched."
    answer = read_text(text, equations())
    assert right(answer, equations()) == {"tau"}
    assert any("one state" in guess for guess in answer.guesses)


def test_a_joint_without_a_torque_is_said_and_has_its_equation() -> None:
    row = f"({M12})*qdd1 + {M22}*qdd2 + {H2} + {G2}"
    answer = read_text(f"tau_2 = 0\n{row} = 0", equations())
    assert len(answer.entries["tau"]) == 1
    assert right(answer, equations()) == {"tau"}
    assert not right(read_text(f"tau_2 = 0\n{row.replace('m2*l**2/3', 'm2*l**2/2')} = 0", equations()), equations())
    assert not right(read_text("tau_2 = 0", equations()), equations())


def test_a_matrix_of_ones_and_zeros_distributes_the_inputs() -> None:
    answer = read_text(f"M22 = {M22}\nB = [1; 0]", equations())
    assert right(answer, equations()) == {"M"} == set(answer.entries)
    assert "B is read as the matrix of the inputs, and is not judged" in answer.guesses
    assert "B" in read_text(f"M22 = {M22}\nB = [2; 0]", equations()).entries


def test_lengths_computed_from_values_change_no_formula() -> None:
    """A script sets l1 = 0.6 and lc1 = l1/2; its mass matrix has lc1 all the same."""
    eq = robot("planar_2r").equations().quantities
    entry = "I2zz + m2*l2**2/4"
    assert right(read_text(f"l1 = 0.6;\nl2 = l1/2;\nM22 = {entry};", eq), eq) == {"M"}
    assert not right(read_text(f"l2 = l1/2;\nM22 = {entry};", eq), eq)


def test_an_entry_that_the_answer_takes_back_in_words_is_not_judged() -> None:
    assert not right(read_text(f"M22 = m2*l**2\nM22 = {M22}", equations()), equations())
    assert right(read_text(f"M22 = m2*l**2\nNo, about the end:\nM22 = {M22}", equations()), equations()) == {"M"}
    assert not right(read_text(f"M22 = {M22}\nNo, it is\nM22 = m2*l**2", equations()), equations())


@pytest.mark.parametrize(("driven", "other"), [(0, 1), (1, 0)])
def test_one_torque_without_an_index_is_that_of_the_joint_whose_equation_it_stands_in(driven: int, other: int) -> None:
    rows = [f"({M11})*qdd1 + ({M12})*qdd2 + {H1} + {G1}", f"({M12})*qdd1 + {M22}*qdd2 + {H2} + {G2}"]
    assert check(equations(), f"\\tau = {rows[driven]}\n0 = {rows[other]}", None, {}, asked="tau")
    assert not check(equations(), f"\\tau = 2*({rows[driven]})\n0 = {rows[other]}", None, {})


def test_an_array_under_a_name_of_its_own_is_read_where_it_is_used() -> None:
    answer = read_text(f"mm = [{M11}, {M12}; {M12}, {M22}]\nM = mm\nweight = [-{G2}; 0]", equations())
    assert right(answer, equations()) == {"M"}
    assert [unread.text for unread in answer.unread] == ["weight"]
