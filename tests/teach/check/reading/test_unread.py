"""What an answer says and nobody evaluates is listed as unread, laws of all arms and comments excepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

RIGHT_ENTRY = "$$M_{22} = m_2 l^2/3$$"


@pytest.mark.parametrize(
    "formula",
    [
        r"G_2 = \sum_i \mu_i g l s_2",
        r"G_2 = m_2 g l c_{12} + \cdots",
        r"G_2 = m_i g l",
        r"M_{12} = \sum m_2",
        r"h_2 = \dots",
        r"G = [\ldots]",
        r"\tau = M\ddot q + 2 C\dot q + G",
        r"tau = M*qdd - G",
        r"L = K + P",
        r"K = \frac{\dot q^T M\dot q}{3}",
        r"\tau_2 = \frac{d}{dt}\frac{\partial L}{\partial\dot q_2} - \frac{\partial L}{\partial q_1}",
        r"\tau_2 = \frac{d}{dt}\frac{\partial L}{\partial\dot q_2} + \frac{\partial L}{\partial q_2}",
        r"\Gamma_{ijk} = \frac12\left(\frac{\partial M_{ij}}{\partial q_k} + \frac{\partial M_{ik}}{\partial q_j}"
        r" + \frac{\partial M_{jk}}{\partial q_i}\right)",
    ],
)
def test_what_is_not_evaluated_is_never_accepted_beside_a_right_entry(formula: str, tmp_path: Path) -> None:
    judgement = judged(f"{RIGHT_ENTRY}\n\n$${formula}$$", "two_link", tmp_path, ".md")
    assert not judgement
    assert len(judgement.unread) == 1


@pytest.mark.parametrize(
    "formula",
    [
        r"\tau = M(q)\ddot q + C(q,\dot q)\dot q + G(q)",
        r"c_{ijk} = \frac12\left\{\frac{\partial d_{kj}}{\partial q_i} + \frac{\partial d_{ki}}{\partial q_j}"
        r" - \frac{\partial d_{ij}}{\partial q_k}\right\}",
        r"tau = M*qdd + C*qd + G",
        r"B(q)\ddot q + C(q,\dot q)\dot q + F_v\dot q + g(q) = \tau",
        r"M\ddot q + C\dot q = \tau_g + Bu",
        r"\tau = M\ddot q + B(q)[\dot q\dot q] + C(q)[\dot q_1^2,\ \dot q_2^2]^T + G",
        r"[\dot q\dot q] = [\dot q_1\dot q_2]",
        r"L = T - V",
        r"K = \frac12\dot q^T M\dot q",
        r"\frac{d}{dt}\frac{\partial L}{\partial\dot q_2} - \frac{\partial L}{\partial q_2} = \tau_2",
        r"\tau_2 = \frac{d}{dt}\left(\frac{\partial K}{\partial\dot q_2}\right)"
        r" - \frac{\partial K}{\partial q_2} + \frac{\partial P}{\partial q_2}",
    ],
)
def test_laws_of_all_arms_that_hold_are_left_out_with_a_note(formula: str, tmp_path: Path) -> None:
    judgement = judged(f"{RIGHT_ENTRY}\n\n$${formula}$$", "two_link", tmp_path, ".md")
    assert judgement
    assert not judgement.unread


@pytest.mark.parametrize("line", ["det(M) = 0", "diff(M22, q1) = 7", "Mdot = 0", "dM = 0", "M22dot = 5", "M(q) = I"])
def test_a_value_of_what_is_made_of_quantities_is_never_accepted(line: str, tmp_path: Path) -> None:
    assert not judged(f"M22 = m2*l^2/3\n{line}\n", "two_link", tmp_path)


@pytest.mark.parametrize("line", ["K = m2", "K = 0"])
def test_energies_without_rates_are_judged(line: str, tmp_path: Path) -> None:
    assert judged(line, "two_link", tmp_path).wrong


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".m", "syms m1 m2\nM22 = m2*l^2/3;\nM12 = subs(M22, l, 2);\n"),
        (".wl", "M22 = m2*l^2/3;\n{M12 -> 0}\n"),
        (".wl", "M22 = m2*l^2/3;\nDo[M12 = 0, {k, 1}]\n"),
        (".md", f"{RIGHT_ENTRY}\n\n[M12 = 0](there)\n"),
        (".tex", f"{RIGHT_ENTRY}\n\n\\textbf{{M12 = 0}}\n"),
        (".txt", "M22 = m2*l^2/3\nG2 is m2*g*l*s12\n"),
        (".txt", "M22 = m2*l^2/3\nG2 is 0\n"),
        (".txt", "M22 = m2*l^2/3\nG_2 equals zero\n"),
        (".txt", "M22 = m2*l^2/3\nG2 ~ m2*g*l*c12\n"),
        (".tex", f"{RIGHT_ENTRY}\n\n\\ensuremath{{G_2=0}}\n"),
        (".tex", f"{RIGHT_ENTRY}\n\n\\begin{{verbatim}}\nM12 = 0\n\\end{{verbatim}}\n"),
    ],
)
def test_an_entry_that_no_formula_has_is_listed(suffix: str, text: str, tmp_path: Path) -> None:
    judgement = judged(text, "two_link", tmp_path, suffix)
    assert not judgement
    assert len(judgement.unread) == 1


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "M22 = m2*l**2/3  # M12 = 0\n"),
        (".m", "M22 = m2*l^2/3;\n%{\nM12 = 0\n%}\n"),
        (".wl", "M22 = m2*l^2/3; (* M12 = 0 *)\n"),
        (".md", f"{RIGHT_ENTRY}\n\n~~M12 = 0~~\n"),
        (".tex", f"{RIGHT_ENTRY}\n\n% $M_{{12}} = 0$\n\n\\label{{eq:G_2=0}}"),
    ],
)
def test_comments_are_not_read(suffix: str, text: str, tmp_path: Path) -> None:
    assert judged(text, "two_link", tmp_path, suffix)


@pytest.mark.parametrize(("length", "right", "wrong"), [
    ("0.5 m", "0.5", "50"), ("50 cm", "0.5", "50"), ("500 mm", "0.5", "500"), ("50 cm, m1 = 2 kg", "0.5", "50"),
])  # fmt: skip
def test_a_length_in_a_comment_is_taken_in_metres(length: str, right: str, wrong: str, tmp_path: Path) -> None:
    data = f"% m2 = 3 kg, l = {length}\n"
    assert judged(f"{data}M22 = 3*{right}^2/3;\n", "two_link", tmp_path, ".m")
    judgement = judged(f"{data}M22 = 3*{wrong}^2/3;\n", "two_link", tmp_path, ".m")
    assert not judgement and not judgement.unread


UNCLOSED = (
    "$$M_{22} = m_2 l^2/3$$\n\nwhere $J_2 = \\begin{bmatrix} \\operatorname{Ad}_{e^{-[B_2]} \\end{bmatrix} B$\n\n"
    "$$M_{12} = m_2 l^2/3 {} m_2 l^2 \\cos(q_2)/2$$\n"
)


@pytest.mark.parametrize("suffix", [".md", ".tex"])
def test_an_unclosed_brace_leaves_out_only_its_statement(suffix: str, tmp_path: Path) -> None:
    right, wrong = (judged(UNCLOSED.replace("{}", sign), "two_link", tmp_path, suffix) for sign in "+-")
    assert [each.name for each in right.entries] == ["M12", "M22"]
    assert not right.wrong
    assert [part.text[:3] for part in right.unread] == ["J_2"]
    assert "a brace is not closed" in right.unread[0].reason
    assert [each.name for each in wrong.wrong] == ["M12"]


def test_an_unclosed_brace_in_plain_lines_leaves_out_its_line(tmp_path: Path) -> None:
    judgement = judged("M_{22} = m_2 l^2/3\nM_{12} = m_{2 l\nG_2 = m_2 g l cos(q_1 + q_2)/2\n", "two_link", tmp_path)
    assert {each.name for each in judgement.entries} == {"M22", "G2"}
    assert [part.text for part in judgement.unread] == ["M_{12} = m_{2 l"]


FORM = r"\[M_{22} = I_a + m_2 L^2/4\] \[{}\]"
BRACKETS = r"[D]\left\{\ddot{q}\right\} + c\{\dot q\} + [B]\{\dot{q}\dot{q}\} + [C]\{\dot{q}^{2}\} + [G] = \{\tau\}"
OF_SYMBOLS = r"\begin{bmatrix} 2b_{1,12}\\ 2b_{2,12}\end{bmatrix}"
PRODUCTS = r"B\left ( q\right ) \left [ \dot {q}\dot {q}\right ] = " + OF_SYMBOLS + r"[\dot{\theta}_1\dot{\theta}_2]"
FACTORS = r"B = " + OF_SYMBOLS


@pytest.mark.parametrize(
    ("formula", "change"),
    [
        (BRACKETS, ("+ [G]", "- [G]")),
        (r"D = \begin{bmatrix} m_{11} & 0 \\ 0 & I_a \end{bmatrix}, \qquad " + BRACKETS, ("+ [G]", "- [G]")),
        (PRODUCTS, ("2b_{1", "b_{1")),
        (FACTORS, ("2b_{1", "b_{1")),
    ],
)
def test_the_form_of_configuration_space_is_read(formula: str, change: tuple[str, str], tmp_path: Path) -> None:
    right, wrong = (
        judged(FORM.replace("{}", text, 1), "spatial_2r", tmp_path, ".tex")
        for text in (formula, formula.replace(*change))
    )
    assert {each.name for each in right.entries} >= {"M22"}
    assert len(right.unread) < len(wrong.unread)
