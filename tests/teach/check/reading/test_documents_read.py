"""Answers in pages of courses, copies of PDFs and other documents: right ones are accepted and wrong ones rejected."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, assert_twins

COPY = """3 Equations of motion
T1 = (1/3 m1 + 4/3 m2 + m2 cos q2) l² q̈1 + (1/3 m2 + 1/2 m2 cos q2) l² q̈2
− m2 l² sin q2 q̇1 q̇2 − 1/2 m2 l² sin q2 q̇2² + (1/2 m1 + m2) g l cos q1
+ 1/2 m2 g l cos(q1 + q2) (12)
T2 = (1/3 m2 + 1/2 m2 cos q2) l² q̈1 + 1/3 m2 l² q̈2 + 1/2 m2 l² sin q2 q̇1²
+ 1/2 m2 g l cos(q1 + q2) (13)
Page 4 of 7
"""
COPIES = [
    (COPY, ("− m2 l²", "+ m2 l²")),
    ("M22 = 1/3 m2 l² (1)\nG2 = 1/2 m2 g l cos(q1 + q2) (2)\n", ("1/3", "2/3")),
    ("M\n22 = 1/3 m2 l²\n", ("1/3", "1/2")),
    ("G2 = 1/2 m2 g l c o s (q1 + q2)\n", ("1/2", "1/3")),
    ("The coeﬃcients of the ﬁrst row:\nG2 = ½ m2 g l cos (q1 ＋ q2)\nM22 ﹦ m2l²∕3\n", ("½", "⅓")),
    ("h1 = –m2 l² s i n q2 q̇1 q̇2 — 1/2 m2 l² sin q2 q̇2²   (3.5)\n", ("1/2", "1/3")),
    ("h1 = −m2 l² sin q2 q̇1 q̇2 −\n1/2 m2 l² sin q2 q̇2²\n", ("1/2", "1/3")),
]
KATEX = (
    "<span class='katex'><span class='katex-mathml'><math><semantics><mrow><msub><mi>M</mi><mn>22</mn></msub><mo>=</mo>"
    "<mfrac><mn>1</mn><mn>3</mn></mfrac><msub><mi>m</mi><mn>2</mn></msub><msup><mi>l</mi><mn>2</mn></msup></mrow>"
    "<annotation encoding='application/x-tex'>M_{22}=\\frac13 m_2 l^2</annotation></semantics></math></span>"
    "<span class='katex-html' aria-hidden='true'>M 22 = 3 1 m 2 l 2</span></span>"
)
CANVAS = (
    r"<p>So&nbsp;<img class='equation_image' alt='LaTeX: x' data-equation-content='M_{22}=\frac{1}{3} m_2 l^2'></p>"
    r"<p>and <img class='equation_image' alt='LaTeX: G_2 = \frac12 m_2 g l\cos(q_1+q_2)'></p>"
)
MATHJAX = (
    "<p><span class='MathJax_Preview'>M22=1/3 m2 l2</span><span class='MathJax'>M 2 2</span>"
    r"<script type='math/tex'>M_{22} = \frac{1}{3} m_2 l^2</script></p>"
)
MATRIX = (
    r"<p>\[ M = \begin{bmatrix} (\tfrac13 m_1+\tfrac43 m_2) l^2 + m_2 l^2\cos q_2 &amp; "
    r"\tfrac{1}{3} m_2 l^2 + \tfrac12 m_2 l^2\cos q_2 \\<br> * &amp; \tfrac13 m_2 l^2 \end{bmatrix} \]</p>"
)
ROWS = (
    r"<table><tr><th>Entry<th>Value<tr><td>\(M_{22}\)<td>\(\frac{1}{3} m_2 l^2\)"
    "<tr><td>G<sub>2</sub><td>½ m<sub>2</sub> g l cos(q<sub>1</sub>+q<sub>2</sub>)</table>"
)
JOINTS = (
    "<table><tr><th>Joint</th><th>Gravity</th></tr>"
    "<tr><td>1</td><td>(m1/2+m2) g l cos q1 + m2 g l cos(q1+q2)/2</td></tr>"
    "<tr><td>2</td><td>m2 g l cos(q1+q2)/2</td></tr></table>"
)
PAGES = [
    (CANVAS, ("{3}", "{2}")),
    (r"<p dir='ltr'>\( M_{22} = \frac{1}{3} m_2 l^2 \)</p>", ("{3}", "{2}")),
    (MATRIX, ("{3}", "{2}")),
    (MATHJAX, ("{3}", "{2}")),
    (KATEX, ("<mn>3</mn>", "<mn>2</mn>")),
    (r"<p>M<sub>22</sub> = <img class='texrender' alt='\frac{1}{3} m_2 l^2'></p>", ("{3}", "{2}")),
    (ROWS, ("{3}", "{2}")),
    (JOINTS, ("m1/2", "m1/3")),
    ("<p>M<em>22 = m</em>2 l^2/3 <span style='display: none'>M11 = 0</span></p>", ("/3", "/2")),
    ("<p>G2 = m2<em>g</em>l*cos(q1+q2)/2</p>", ("/2", "/3")),
    ("<pre>\nM22 = m2*l^2/3\nG2 = m2*g*l*cos(q1+q2)/2\n</pre>", ("/3", "/2")),
    ("<p>Where 0 <q1 and M22 = m2 l^2/3 <br><!-- the end", ("/3", "/2")),
    ("<p>The text <math><mi>x</mi> goes on.<p>M22 = m2*l^2/3", ("/3", "/2")),
]
NOTES = [
    (
        "| Entry | Value |\n|:--|--:|\n| $M_{22}$ | $\\frac{1}{3} m_2 l^2$ |\n| G2 | m2 g l cos(q1+q2)/2 |\n",
        ("{3}", "{2}"),
    ),
    ("| | |\n|--|--|\n| M22 | $\\frac{1}{3} m_2 l^2$ |\n", ("{3}", "{2}")),
    ("| entry | value | reason |\n|---|---|---|\n| M22 | `m2*l**2/3` | uniform rod |\n", ("/3", "/2")),
    ("1. **Inertia**\n   ```python\n   M22 = m2*l**2/3\n   ```\n   > G2 = m2 g l cos(q1+q2)/2\n", ("/3", "/2")),
    ("| M22 | m2*l^2/3 | G2 | m2*g*l*cos(q1+q2)/2 |\n", ("+", "-")),
    ("M\\_22 = m\\_2 l^2/3\n", ("/3", "/2")),
    ("~~~\nM22 = m2*l^2/3\n~~~\n", ("/3", "/2")),
]
OF_ORG = [
    ("* Inertia\n  \\begin{equation}\n  M_{22} = \\frac{1}{3} m_2 l^2\n  \\end{equation}\n", ("{3}", "{2}")),
    ("#+TITLE: A = B\n* Result\n#+BEGIN_SRC python\nM22 = m2*l**2/3\n#+END_SRC\n", ("/3", "/2")),
    ("| Entry | Value |\n|-------+-------|\n| M22 | m2*l^2/3 |\n| G2 | m2*g*l*cos(q1+q2)/2 |\n", ("/3", "/2")),
    ("# M22 = m2\n: M22 = m2*l^2/3\nThe *first* is ~h2 = m2 l^2 s2 qd1^2/2~ and +G2 = m2+ not.\n", ("/3", "/2")),
    (
        ":PROPERTIES:\n:ID: a=b\n:END:\n#+begin_example\nM22 = m2*l^2/3\n#+end_example\n- [X] G2 :: m2*g*l*c12/2\n",
        ("/3", "/2"),
    ),
]
SUFFIXES = {".txt": COPIES, ".html": PAGES, ".md": NOTES, ".org": OF_ORG}


@pytest.mark.parametrize(
    ("suffix", "text", "change"), [(suffix, *case) for suffix, cases in SUFFIXES.items() for case in cases]
)
def test_right_documents_are_accepted_and_wrong_ones_rejected(
    suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins("two_link", suffix, text, change, tmp_path)


def test_values_with_units_of_siunitx_are_read(tmp_path: Path) -> None:
    text = (
        r"With $m_2=\SI{2}{\kilo\gram}$, $l=\qty{50}{\centi\metre}$ and $g=\SI{9.81}{\metre\per\second\squared}$:"
        r"\[ M_{22} = \num{0.1667}, \quad G_2 = 4.905\cos(q_1+q_2) \]"
    )
    assert_twins("two_link", ".tex", text, ("0.1667", "0.1867"), tmp_path)


def test_commands_that_stand_for_others_are_read(tmp_path: Path) -> None:
    text = (
        r"\newcommand{\third}[2][m]{\frac{1}{3}#1_#2} \def\c#1{\cos q_{#1}} \let\f=\frac"
        r"\[ M_{22} = \third2 l^2, \quad M_{12} = \f13 m_2 l^2 + \f12 m_2 l^2 \c2 \]"
    )
    assert_twins("two_link", ".tex", text, ("{3}", "{2}"), tmp_path)


@pytest.mark.parametrize(
    "formula", ["<img class='equation_image'>", "<mjx-container><mjx-math></mjx-math></mjx-container>"]
)
def test_formulas_that_a_page_shows_without_their_text_are_listed_as_unread(formula: str, tmp_path: Path) -> None:
    assert_judged(f"<p>M22 = m2*l^2/3</p><p>{formula}</p>", "two_link", "unread", tmp_path, ".html")
