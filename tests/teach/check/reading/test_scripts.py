"""Scripts are read as they are written: states of solvers, methods of SymPy, products of arrays, names of equations."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, judged

ENERGIES = """q1, q2 = dynamicsymbols('q1 q2')
q1d, q2d = dynamicsymbols('q1 q2', 1)
K = m1*l**2*q1d**2/6 + m2*l**2*q1d**2/2 + m2*l**2*(q1d+q2d)**2/6 + m2*l**2*cos(q2)*q1d*(q1d+q2d)/2
V = m1*g*l*sin(q1)/2 + m2*g*(l*sin(q1) + l*sin(q1+q2)/{})
L = K - V
eq1 = L.diff(q1d).diff(t) - L.diff(q1)
"""
MASSES = """syms q1 q2 real
q = [q1; q2];
pc1 = [l/2*cos(q1); l/2*sin(q1)];
pc2 = [l*cos(q1)+l/2*cos(q1+q2); l*sin(q1)+l/2*sin(q1+q2)];
J1 = jacobian(pc1, q); J2 = jacobian(pc2, q);
a = m1*l^2/12; b = m2*l^2/{};
M = m1*(J1.'*J1) + m2*(J2.'*J2) + [a+b, b; b, b];
"""
GRAVITY = """q = sp.Matrix([q1, q2])
P = m1*g*l*sp.sin(q1)/2 + m2*g*(l*sp.sin(q1) + l*sp.sin(q1+q2)/2)
G = sp.Matrix([P]).jacobian(q).T*{}
"""
CORIOLIS = """def coriolis(q, qd):
    s2 = np.sin(q[1])
    return -{}*m2*l**2*s2*np.array([[qd[1], qd[0]+qd[1]], [-qd[0], 0]])
"""
STATE = "def f(t, y):\n    theta, omega = y\n    return [{}, (tau - m*g*l*np.cos(theta))/(m*l**2)]\n"
SPEEDS = r"""$$\begin{{bmatrix}}\dot x\\ \dot y\end{{bmatrix}}
= \begin{{bmatrix}}-l s_1\dot q_1 - l s_{{12}}(\dot q_1+\dot q_2)\\
l c_1\dot q_1+l {}(\dot q_1+\dot q_2)\end{{bmatrix}}$$"""

SCRIPTS = [
    ("two_link", ".py", ENERGIES, ("2", "3")),
    ("two_link", ".m", MASSES, ("12", "3")),
    ("two_link", ".py", GRAVITY, ("1", "2")),
    ("two_link", ".py", CORIOLIS, ("0.5", "0.25")),
    ("one_link", ".py", STATE, ("omega", "2*omega")),
    ("two_link", ".md", SPEEDS, ("c_{12}", "c_2")),
    (
        "two_link",
        ".tex",
        r"\[ {{}}^0_3T = \begin{{bmatrix}} c_{{12}} & -s_{{12}} & 0 & l c_1 + l c_{{12}} \\ s_{{12}} &"
        r" c_{{12}} & 0 & l s_1 + l {} \\ 0&0&1&0 \\ 0&0&0&1 \end{{bmatrix}} \]",
        ("s_{12}", "s_2"),
    ),
    ("two_link", ".txt", "G2 = m2*g*l*cos({})/2", ("q1 + q2", "(q1 + q2)*180/pi")),
    ("two_link", ".txt", "G2 = m2*g*l*c({})/2", ("q1 + q2", "q2")),
]


@pytest.mark.parametrize(("arm", "suffix", "form", "ways"), SCRIPTS, ids=[form[:30] for _, _, form, _ in SCRIPTS])
def test_right_scripts_are_accepted_and_wrong_ones_are_not(
    arm: str, suffix: str, form: str, ways: tuple[str, str], tmp_path: Path
) -> None:
    right, wrong = ways
    assert_judged(form.format(right), arm, "right", tmp_path, suffix)
    assert not judged(form.format(wrong), arm, tmp_path, suffix)


@pytest.mark.parametrize("first", ["x(4)", "2*x(3)", "x(1)"])
def test_the_rates_of_a_solvers_state_must_be_its_own(first: str, tmp_path: Path) -> None:
    form = "function dx = f(t, x)\nM22 = m2*l^2/3;\ndx = zeros(4,1);\ndx(1) = {};\ndx(2) = x(4);\nend\n"
    assert judged(form.format("x(3)"), "two_link", tmp_path, ".m")
    assert not judged(form.format(first), "two_link", tmp_path, ".m")


@pytest.mark.parametrize("text", ["x1 = l/2*sin(q1)", "p = [l*s1 + l*s12; l*c1 + l*c12]"])
def test_places_with_exchanged_axes_are_not_accepted(text: str, tmp_path: Path) -> None:
    assert not judged(f"M22 = m2*l^2/3\n{text}\n", "two_link", tmp_path)


FORMS = [
    (
        ".wl",
        "L = T - V;\nT = m l^2 q'[t]^2/2; V = m g l Sin[q[t]];\neq = D[D[L, q'[t]], t] - D[L, q[t]] == {} tau",
        ("", "2"),
    ),
    (".wl", "sol = Solve[m l^2 q''[t] + m g l {}[q[t]] == tau, q''[t]]", ("Cos", "Sin")),
    (".typ", "$ bold(g)(bold(q)) = m g l {} theta $", ("cos", "sin")),
    (
        ".typ",
        "$ dif / (dif t) (partial L)/(partial dot(theta)) = {} m l^2 dot.double(theta), tau = m l^2 dot.double(theta)"
        " + m g l cos theta $",
        ("", "2"),
    ),
    (
        ".json",
        '{{"entries": [{{"name": "tau", "value": "m*l^2*qdd + m*g*l*{}(q)"}}], "comment": "g = up"}}',
        ("cos", "sin"),
    ),
    (".json", '["tau = m*l^2*qdd + m*g*l*{}(q)", "M = m*l^2"]', ("cos", "sin")),
    (".md", "| entry | value | unit |\n|---|---|---|\n| M11 | m*l^{} | kg m² |\n", ("2", "3")),
    (".txt", "v = dθ/dt\nK = {}*m*l^2*v^2", ("1/2", "1")),
]


@pytest.mark.parametrize(("suffix", "form", "ways"), FORMS, ids=[form[:30] for _, form, _ in FORMS])
def test_forms_of_algebra_systems_and_of_data_are_read(
    suffix: str, form: str, ways: tuple[str, str], tmp_path: Path
) -> None:
    right, wrong = ways
    assert_judged(form.format(right), "one_link", "right", tmp_path, suffix)
    assert not judged(form.format(wrong), "one_link", tmp_path, suffix)


def test_speeds_of_exchanged_axes_are_not_accepted(tmp_path: Path) -> None:
    exchanged = r"$\dot x = l c_1\dot q_1 + l c_{12}(\dot q_1+\dot q_2)$"
    assert not judged(f"M22 = m2*l^2/3\n\n{exchanged}", "two_link", tmp_path, ".md")


@pytest.mark.parametrize(
    ("words", "is_said"), [("the torque of the second joint", True), ("the same as in the book", False)]
)
def test_a_name_may_be_explained_in_words(words: str, is_said: bool, tmp_path: Path) -> None:
    judgement = judged(f"M22 = m2*l^2/3\n\nN2 = {words}\n", "two_link", tmp_path)
    assert bool(judgement) == is_said
