"""Functions of C, Julia and Modelica, windows of Python and MATLAB, and decimals with commas are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, judged

G = "m2*g*l*cos(q1+q2)/2"
ANSWERS = [
    (".c", "/* inertia */\ndouble s = sin(q2);\nh2 = {}*m2*pow(l, 2)*s*qd1*qd1;", ("0.5", "0.25")),
    (
        ".c",
        "double M[2][2] = {{{{m1*l*l/3 + 4*m2*l*l/3 + m2*l*l*cos(q2), {0}}}, {{{0}, m2*l*l/3}}}};",
        ("m2*l*l*(1.0/3 + cos(q2)/2)", "m2*l*l/3"),
    ),
    (
        ".jl",
        "using LinearAlgebra\nτ₂ = m₂*l^2*({} + cos(q₂)/2)*q̈₁ + m₂*l^2/3*q̈₂ + m₂*l^2*sin(q₂)*q̇₁^2/2 + m₂*g*l*"
        "cos(q₁ + q₂)/2",
        ("1/3", "1/2"),
    ),
    (".txt", ">>> M22\nl**2*m2/{}\n", ("3", "2")),
    (".txt", "In [3]: G\nOut[3]: Matrix([\n[m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + " + G + "],\n[{}]])\n", (G, "0")),
    (".m", ">> G\n\nG =\n\n m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + " + G + "\n {}\n", (G, "m2*g*l*cos(q2)/2")),
    (".txt", "Gewichtskraft: G2 = {}·m2·g·l·cos(q1+q2)", ("0,5", "0,25")),
    (
        ".tex",
        r"\[ \tau_1 = \tau_1,\quad G_2 = \underbrace{{{}\,m_2 g l\cos(q_1+q_2)}}_{{\text{{gravity}}}} \]",
        (r"\tfrac12", ""),
    ),
    (
        ".tex",
        r"\[ 2K = m_2 l^2\left(\dot q_1^2 + \tfrac13(\dot q_1+\dot q_2)^2 + \cos q_2\,\dot q_1(\dot q_1+\dot q_2)"
        r"\right) + {} m_1 l^2\dot q_1^2 \]",
        (r"\tfrac13", r"\tfrac16"),
    ),
    (
        ".m",
        "M = @(q) [m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q(2)), {0}; {0}, m2*l^2/3];",
        ("m2*l^2*(1/3 + cos(q(2))/2)", "m2*l^2/3"),
    ),
    (".txt", "tip1 = l*c1 + l*c12\ntip2 = l*s1 + {}", ("l*s12", "l*c12")),
    (".txt", "J11 = -l*s1 - l*s12\nJ12 = {}", ("-l*s12", "l*s12")),
]


@pytest.mark.parametrize(("suffix", "form", "ways"), ANSWERS, ids=[form[:30] for _, form, _ in ANSWERS])
def test_right_ones_are_accepted_and_wrong_ones_are_not(
    suffix: str, form: str, ways: tuple[str, str], tmp_path: Path
) -> None:
    for way, verdict in zip(ways, ("right", "wrong"), strict=True):
        assert_judged(form.format(way), "two_link", verdict, tmp_path, suffix)


@pytest.mark.parametrize("text", ["tip = 5", "q1 = q2", "v = 5*qd1"])
def test_a_name_that_stands_for_something_else_is_never_passed_over(text: str, tmp_path: Path) -> None:
    assert not judged(f"M22 = m2*l^2/3\n{text}", "two_link", tmp_path)


def test_the_names_of_a_state_are_read_with_their_derivatives(tmp_path: Path) -> None:
    form = "states: x1 = q1, x2 = q2, x3 = q1dot, x4 = q2dot\nG2 = m2*g*l*cos(x1+x2)/2\nh2 = m2*l^2*sin(x2)*{}^2/2"
    assert judged(form.format("x3"), "two_link", tmp_path)
    assert judged(form.format("x4"), "two_link", tmp_path).wrong


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".mpl", "> # gravity\n> G2 := {}/2*m2*g*l*cos(q1+q2);\n"),
        (".wl", "In[1]:= G2 = {}/2 m2 g l Cos[q1 + q2]\n"),
        (".wl", "In[1]:= pot = m2 g l Sin[q1 + q2]/2;\nIn[2]:= G2 = D[pot, q2]\nOut[2]= {}/2 g l m2 Cos[q1 + q2]\n"),
    ],
)
def test_prompts_are_no_part_of_equations(suffix: str, text: str, tmp_path: Path) -> None:
    for factor in ("1", "3"):
        judgement = judged(text.format(factor), "two_link", tmp_path, suffix)
        assert {entry.name: entry.verdict for entry in judgement.entries}["G2"] == (
            "equal" if factor == "1" else "different"
        )
