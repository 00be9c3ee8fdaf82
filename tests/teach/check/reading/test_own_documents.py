"""Documents of exams are read in each format: MathML, macros that lay out, Typst's functions, entries not listed."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from judged_texts import judged
from shipped import robot

import qddot
from qddot.exact.forms.base import base_parameters
from qddot.papers.report import report_file
from qddot.papers.report.arm_report import ReportContents, report
from qddot.teach.check.reading.dialects.common_signs import with_common_signs
from qddot.teach.check.reading.dialects.markup import parsed
from qddot.teach.check.reading.dialects.mathml import latex
from qddot.teach.check.reading.texts.rewriting import PROSE
from qddot.teach.check.reading.texts.written import Written

NAME = "<msub><mi>M</mi><mn>22</mn></msub><mo>=</mo>"
ABOVE = "<mrow><msub><mi>m</mi><mn>2</mn></msub><msup><mi>l</mi><mn>2</mn></msup></mrow>"
VALUE = f"<mfrac>{ABOVE}<mn>%s</mn></mfrac>"
FORMULA = f"<math>{NAME}{VALUE}</math>"
TERMS = f"<div><math>{NAME}</math></div> <div><math><mn>0</mn></math> <math><mo>+</mo>{VALUE}</math></div>"


@pytest.mark.parametrize(("mathml", "written"), [
    ("<math><msup></msup><mmultiscripts></mmultiscripts><mi>x</mi></math>", "{} x"),
    ("<math><msubsup><mi>q</mi><mn>2</mn><mn>2</mn></msubsup></math>", "q_{2}^{2}"),
    ("<math><mover><mi>q</mi><mo>˙</mo></mover></math>", r"\dot{q}"),
    ("<m:math><m:mfenced><m:mi>x</m:mi><m:mi>y</m:mi></m:mfenced></m:math>", "( x, y )"),
    ("<math><mmultiscripts><mi>T</mi><mn>1</mn><mrow/><mprescripts/><mrow/><mn>0</mn></mmultiscripts></math>",
     "{}^{0}T_{1}"),
    ("<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>y</annotation></semantics></math>", "x"),
    ("<math><mi>a</mi><mo>&minus;</mo><mi>sin</mi><mo>&#x2061;</mo><mi>θ</mi></math>", r"a - \sin θ"),
    ("<math><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable><mo>]</mo></math>",
     r"\begin{bmatrix} 1 & 0 \end{bmatrix}"),
    ("<math>" + "<mrow>" * 3000 + "<mi>x</mi>", "x"),
    ("<math><msub><mi>x</mi>", "x"),
])  # fmt: skip
def test_mathml_is_read_as_latex(mathml: str, written: str) -> None:
    assert latex(parsed(mathml)) == written


DOCUMENTS = [
    (".html", f"<p>{FORMULA}</p>"),
    (".html", f"<p>{FORMULA} <span role='tooltip'>link 1: <math><mi>x</mi></math></span></p>"),
    (".html", f"<svg><text>q1 = 0.4 rad</text></svg><p>{FORMULA}</p>"),
    (".html", TERMS),
    (".tex", r"\newcommand{\fit}[2]{\setbox0\hbox{$#1$}#2}\[\fit{M_{22} = {}}{\frac{1}{%s} m_2 l^2}\]"),
    (".typ", "#equations(\n  ($display(M_(22) =)$, ($m_(2) l^2 1/%s$, $plus med 0$,), 3, false),)"),
]


@pytest.mark.parametrize(("suffix", "text"), DOCUMENTS)
def test_a_formula_that_is_laid_out_is_read(suffix: str, text: str, tmp_path: Path) -> None:
    right, wrong = (text.replace("%s", number) for number in ("3", "2"))
    assert judged(right, "two_link", tmp_path, suffix)
    assert judged(wrong, "two_link", tmp_path, suffix).wrong


def test_a_page_is_read_in_time_that_grows_as_it_does(tmp_path: Path) -> None:
    start = process_time()
    head = f"<head><style>{' ' * 40_000}{'a{} ' * 9_000}</style></head>"
    assert judged(f"{head}<p>{FORMULA.replace('%s', '3')}</p>", "two_link", tmp_path, ".html")
    assert process_time() - start < 2


LISTED = r"""From (1). Entries that are not listed are zero.

$$C_{12} = -\tfrac12 m_2 l^2 s_2 (\dot q_1 + \dot q_2)$$

$$C_{21} = \tfrac12 m_2 l^2 s_2 \dot q_1$$
"""
C11 = r"""
$$C_{11} = -\tfrac12 m_2 l^2 s_2 \dot q_2$$
"""


def test_entries_that_are_not_listed_are_claimed_to_be_zero(tmp_path: Path) -> None:
    right = judged(LISTED + C11, "two_link", tmp_path, ".md")
    assert {entry.name for entry in right.entries} == {"C11", "C12", "C21", "C22"}
    assert right
    assert [entry.name for entry in judged(LISTED, "two_link", tmp_path, ".md").wrong] == ["C11"]
    power = r"$$\dot{q}^{T} C \dot{q} = \tfrac{1}{2} \dot{q}^{T} \dot{M} \dot{q}$$"
    assert judged(LISTED + C11 + power, "two_link", tmp_path, ".md")  # the C of the entries is no number


def test_a_symmetric_entry_is_listed_once(tmp_path: Path) -> None:
    entries = (
        r"$$M_{11} = \tfrac13 m_1 l^2 + \tfrac43 m_2 l^2 + m_2 l^2 c_2$$ $$M_{12} = m_2 l^2 (\tfrac13 + \tfrac12 c_2)$$"
    )
    text = f"Entries that are not listed are zero.\n\n{entries}\n\n$$M_{{22}} = \\tfrac13 m_2 l^2$$"
    assert judged(text, "two_link", tmp_path, ".md")


# the base is accelerated upwards in place of gravity
TWIST = r"""$V_1 = \begin{bmatrix} 0 & 0 & \dot q_1 & 0 & l \dot q_1 & 0 \end{bmatrix}^T$,
$\dot{V}_1 = \begin{bmatrix} 0 & 0 & \ddot q_1 & g s_1 & l \ddot q_1 + g c_1 & 0 \end{bmatrix}^T$,"""


@pytest.mark.parametrize(("text", "accepted"), [
    (r"$S = \dot{M} - 2 C$", True),
    (r"$S^{T} = -S$", True),
    (r"$M = M^{T}$, $\dot{q}^{T} C \dot{q} = \tfrac{1}{2} \dot{q}^{T} \dot{M} \dot{q}$", True),
    (r"$M = M^{T}$, $\dot{q}^{T} C \dot{q} = \dot{q}^{T} \dot{M} \dot{q}$", False),
    (r"$D_1 = \begin{bmatrix} 0.333 m_1 l^2 & 0 \cr 0 & 0 \end{bmatrix}$", True),
    (r"$D_1 = \begin{bmatrix} 0.343 m_1 l^2 & 0 \cr 0 & 0 \end{bmatrix}$", False),
    (r"$S_{12} = m_2 l^2 s_2 (2 \dot q_1 + \dot q_2)/2$", True),
    (r"$S_{12} = m_2 l^2 s_2 (2 \dot q_1 - \dot q_2)/2$", False),
    (r"$G = 2 M - C$", False),
    (r"$u = \dot{M} \dot{q}$", True),
    (r"$u = 2 \dot{M} \dot{q}$", False),
    (r"$y = \partial P / \partial q$", True),
    (r"$\dot{E} = \dot{q}^{T} \tau$", True),
    (r"$\dot{E} = 2 \dot{q}^{T} \tau$", False),
    (r"$\dot{W} = \dot{E}$", True),
    (r"$C \dot{q} = \dot{M} \dot{q} - \partial K / \partial q$", True),
    (r"$A = R_z(\theta) T_z(d) T_x(a) R_x(\alpha)$", True),
    (r"$J_{v1} = 0$", False),
    (f"{TWIST} $V_1^T \\dot{{V}}_1 = l^2 \\dot q_1 \\ddot q_1 + \\dot q_1 \\ddot q_1 + g l c_1 \\dot q_1$", True),
    (f"{TWIST} $V_1^T \\dot{{V}}_1 = l^2 \\dot q_1 \\ddot q_1 + \\dot q_1 \\ddot q_1$", False),
    (TWIST.replace("+ g c_1", "- g c_1"), False),
])  # fmt: skip
def test_what_is_shown_of_a_law_is_read(text: str, accepted: bool, tmp_path: Path) -> None:
    assert bool(judged(f"$M_{{22}} = \\frac13 m_2 l^2$, {text}", "two_link", tmp_path, ".md")) == accepted


@pytest.mark.slow
@pytest.mark.parametrize(("name", "route", "suffix"), [
    ("two_link", "com_jacobian", ".ipynb"),
    ("spatial_2r", "screw", ".html"),
    ("rp", "energy", ".md"),
    ("two_link", "newton_euler", ".typ"),
    ("cart_pole", "composite", ".tex"),
])  # fmt: skip
def test_a_whole_report_is_read_and_right(name: str, route: str, suffix: str, tmp_path: Path) -> None:
    arm = robot(name)
    eq = arm.equations(route)
    document = report(ReportContents([eq.textbook()], eq.prove([]), base_parameters(arm.model)))
    report_file.write({tmp_path / f"report{suffix}": document})
    judgement = arm.check(tmp_path / f"report{suffix}")
    assert judgement.unread == ()
    assert judgement.wrong == ()
    assert len(judgement.entries) > 40


RIGHT = r"$$M_{22} = \frac13 m_2 l^2$$"


def test_a_report_as_a_notebook_is_read_without_the_cells_that_call_qddot(tmp_path: Path) -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": f"- [The robot](#robot)\n- [Proof](#proof)\n\n{RIGHT}"},
        {"cell_type": "code", "source": "q = [0.4, -0.6]\ntau = arm.gravity(q)", "metadata": {"tags": ["qddot"]}},
    ]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert judged(json.dumps(whole), "two_link", tmp_path, ".ipynb")
    cells[1]["metadata"] = {}
    assert judged(json.dumps(whole), "two_link", tmp_path, ".ipynb").unread


def test_sums_are_signs_in_typst(tmp_path: Path) -> None:
    text = '$f_(i) = F_(i) + sum_(n) paren.l R_(a","n) f_(n) paren.r$'
    assert judged(f"$M_(22) = 1/3 m_2 l^2$\n\n{text}", "two_link", tmp_path, ".typ")


def test_a_raised_letter_ends_before_a_separator() -> None:
    assert with_common_signs(Written(f"n_{{1}}^{{e}}{PROSE}\n{PROSE}tau")).text == f"n_{{e1}}{PROSE}\n{PROSE}tau"


@pytest.mark.parametrize(("text", "accepted"), [
    (r"$\beta_{1} = \bar{m}_{1} + \bar{m}_{2}$", True),
    (r"$R^{T} R = 1$ and $\mathrm{det} \thinspace R = 1$", True),
    (r"$R^{T} R = 2$", False),
    (r"$\mathrm{d} E / \mathrm{d} t = \dot{q}^{T} \tau$", True),
    (r"$\mathrm{d} E / \mathrm{d} t = 2 \dot{q}^{T} \tau$", False),
    (r"$\dot{p} = \mathrm{d} / \mathrm{d} t ( \partial \mathcal{L} / \partial \dot{q} )$", True),
    (r"$r = (r_{x} , r_{y} , r_{z} , 1)$", True),
    (r"$\beta_{3} = I^{o}_{zz1} - l^{2} m_{1}$", True),
    ("The constants are $I_{1}$ = 1.5 kg m², $g_{1}$ = 14.715 N m; the arm starts at $q$ = (0.4 rad, −0.6 rad).", True),
    (r"$M_{12}$ = m_2 l", False),
    (r"$S^{T} = -S$ for $S = \dot{M} - 2 C$", True),
    (r"$\lbrack \omega_{i} \rbrack = R^{T}_{i} \dot{R}_{i}$", True),
])  # fmt: skip
def test_what_a_report_says_beside_its_equations_is_read(text: str, accepted: bool, tmp_path: Path) -> None:
    assert bool(judged(f"$M_{{22}} = \\frac13 m_2 l^2$\n\n{text}", "two_link", tmp_path, ".md")) == accepted


@pytest.mark.parametrize(("text", "accepted"), [
    (r"\omega_{1} = \begin{bmatrix} 0 \\ 0 \\ \dot{q}_{1} \end{bmatrix}", True),
    (r"\dot{\omega}_{1} = \begin{bmatrix} 0 \\ 0 \\ \ddot{q}_{1} \end{bmatrix}", True),
    (r"\dot{\omega}_{1} = \begin{bmatrix} 0 \\ 0 \\ 2 \ddot{q}_{1} \end{bmatrix}", False),
    (r"n^{e}_{2} = \begin{bmatrix} 0 \\ 0 \\ 0 \end{bmatrix}", False),
])  # fmt: skip
def test_steps_with_dots_and_raised_letters_are_compared(text: str, accepted: bool, tmp_path: Path) -> None:
    assert bool(judged(f"$$M_{{22}} = \\frac13 m_2 l^2$$ $${text}$$", "two_link", tmp_path, ".md")) == accepted


@pytest.mark.parametrize(("text", "accepted"), [
    (r"f_{1,1} = F_{1,1} + c_{2} f_{2,1} - s_{2} f_{2,2}", True),
    (r"f_{1,1} = F_{1,1} + c_{2} f_{2,1} + s_{2} f_{2,2}", False),
    (r"n^{e}_{1,3} = n_{1,3} + l f_{1,2}", True),
    (r"n^{e}_{1,3} = n_{1,3} - l f_{1,2}", False),
    (r"\tau_{1} = n_{1,3} + l f_{1,2}", True),
    (r"\tau_{1} = n_{1,3} - l f_{1,2}", False),
    # the wrong sign is in a definition
    (r"\tau_{1} = n_{1,3} + x $$ $$ x = -l f_{1,2}", False),
    (r"\tau_{1} = n_{1,4}", False),
])  # fmt: skip
def test_components_of_links_vectors_are_known_without_definitions(text: str, accepted: bool, tmp_path: Path) -> None:
    judgement = judged(f"$$M_{{22}} = \\frac13 m_2 l^2$$ $${text}$$", "two_link", tmp_path, ".md")
    assert bool(judgement) == accepted
    assert [entry.name for entry in judgement.entries] == ["M22"]  # a line by components answers no question


def test_links_of_two_digits_have_components_too() -> None:
    slides = [{"theta": 0, "d": f"q{k}", "a": 0, "alpha": 0} for k in range(1, 12)]
    arm = qddot.from_dh(slides, [{"mass": "m", "com": [0, 0, 0]}] * 11, symbols={"m": 1})
    last, wrong = "f_{11,3} = F_{11,3}", "f_{10,3} = F_{10,3} - f_{11,3}"
    judgement = arm.check(f"$M_{{1,10}} = 2 m$ ${last}$ ${wrong}$")
    assert not judgement.wrong
    assert [each.text for each in judgement.unread] == ["f_{10,3}"]


def test_a_state_of_a_table_stays_beside_poses_in_words(tmp_path: Path) -> None:
    table = "| joint | $q$ |\n| --- | --- |\n| $q_{1}$ | 0.4 rad |\n| $q_{2}$ | −0.6 rad |\n"
    text = f"The pose at $q_1 = 90^\\circ$ and $q_2 = 90^\\circ$.\n\n{table}\n$$M_{{22}} = %s$$\n\n$$M_{{12}} = %s$$\n"
    values = robot("two_link").mass_matrix([0.4, -0.6])
    assert judged(f"$$C_{{22}} = 0$$ {text % (values[1, 1], values[0, 1])}", "two_link", tmp_path, ".md")
    assert not judged(f"$$C_{{22}} = 0$$ {text % (values[1, 1], 1.5)}", "two_link", tmp_path, ".md")


STATE = "| joint | $q$ |\n| --- | --- |\n| $q_{1}$ | 0.4 rad |\n"
PSEUDO = (
    r"\begin{bmatrix} 0 & 0 & 0 & 0 \cr 0 & 0 & 0 & 0 \cr 0 & 0 & m l^{2} & -m l \cr 0 & 0 & -m l & m \end{bmatrix}"
)
CENTRE = (
    r"p_{c1} = \begin{bmatrix} c_{x1} c_{1} %s c_{z1} s_{1} \cr c_{x1} s_{1} + c_{z1} c_{1} \cr -c_{y1} \end{bmatrix}"
)


@pytest.mark.parametrize(("name", "entry", "right", "wrong"), [
    # the velocity terms do not define the height h
    ("slider", "M_{11} = m", r"P = m g h $$ $$ C \dot{q} = \dot{M} \dot{q} - \partial K / \partial q", "P = m g x"),
    # whole numbers in a state, beside the symbols
    ("one_link", "M_{11} = m l^{2}", r"M = \begin{bmatrix} 1 \end{bmatrix}", r"M = \begin{bmatrix} 2 \end{bmatrix}"),
    # steps that are zero have no size by which they differ from G_1, τ_1 and J_1
    ("spherical_pendulum", "M_{11} = m l^{2}", rf"\bar{{J}}_{{1}} = 0 $$ $$ \bar{{J}}_{{2}} = {PSEUDO}",
     r"\bar{J}_{2} = 0"),
    ("slider", "M_{11} = m", r"\dot{\omega}_{i} = 0", r"\dot{v}_{i} = 0"),
    # n_1 is no unit vector
    ("planar_2r", "M_{22} = m_2 l_2^2/4 + I_{2zz}", r"\tau_{1} = e^{T}_{1} n_{1}", r"\tau_{1} = e^{T}_{1} m_{1}"),
    # the centre of a link that is described by its first moment
    ("puma560", "M_{66} = I_{zz6}", CENTRE % "-", CENTRE % "+"),
])  # fmt: skip
def test_what_reports_say_of_some_arms_alone_is_read(
    name: str, entry: str, right: str, wrong: str, tmp_path: Path
) -> None:
    assert judged(f"{STATE}\n$${entry}$$\n\n$${right}$$", name, tmp_path, ".md")
    assert not judged(f"{STATE}\n$${entry}$$\n\n$${wrong}$$", name, tmp_path, ".md")
