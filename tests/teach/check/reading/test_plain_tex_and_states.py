"""Plain TeX, labels of rows, states in brackets, arms at rest, and numeric parts of programs are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, assert_twins, judged

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
ANSWERS = [  # arm, suffix, a right answer, and what is changed in it to make it wrong
    (
        "two_link",
        ".tex",
        r"$$G=\pmatrix{(\frac12m_1+m_2)gl\cos q_1+\frac12m_2gl\cos(q_1+q_2)\cr \frac12m_2gl\cos(q_1+q_2)\cr}$$",
        ("\\cr \\frac12", "\\cr "),
    ),
    (
        "rp",
        ".tex",
        r"""\begin{align}
q_1:&\quad (I_{zz1}+I_{zz2}+m_1l_1^2+m_2d_2^2)\ddot q_1+2m_2d_2\dot d_2\dot q_1+(m_1l_1+m_2d_2)g\cos q_1=\tau_1\\
d_2:&\quad m_2\ddot d_2-m_2d_2\dot q_1^2+m_2g\sin q_1=\tau_2
\end{align}""",
        ("-m_2d_2", "+m_2d_2"),
    ),
    (
        "one_link",
        ".tex",
        r"With $z=(q_1,\dot q_1)$: \[\dot z_2=\frac{\tau_1}{ml^2}-\frac gl\cos z_1\]",
        ("-\\frac gl", "+\\frac gl"),
    ),
    (
        "two_link",
        ".tex",
        r"""\begin{align*} h_1&=-m_2l^2\sin q_2\left(\dot q_1\dot q_2\right.\\
&\quad\left.{}+\tfrac12\dot q_2^2\right),\qquad h_2=\tfrac12m_2l^2\sin q_2\,\dot q_1^2\end{align*}""",
        ("\\qquad h_2=", "\\qquad h_2=-"),
    ),
    (
        "two_link",
        ".tex",
        r"Let $W'=\partial M_{11}/\partial q_2$, $W'=-m_2l^2\sin q_2$; then $h_2=-\tfrac12W'\dot q_1^2$.",
        ("h_2=-", "h_2="),
    ),
    (
        "two_link",
        ".md",
        r"$$M=\begin{bmatrix}\frac53+\cos q_2&\frac13+\frac12\cos q_2\\ \cdot&\frac13\end{bmatrix}\ \mathrm{kg\,m^2}"
        r"\quad\text{(symmetric)}$$ with $m_1=m_2=1$, $l=1$",
        ("\\frac53", "\\frac43"),
    ),
    (
        "two_link",
        ".txt",
        "Holding torques:\ntau1 = (m1/2 + m2)*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2\ntau2 = m2*g*l*cos(q1 + q2)/2",
        ("(m1/2 + m2)", "(m1 + m2)"),
    ),
    (
        "two_link",
        ".py",
        """import numpy as np
from scipy.integrate import solve_ivp
c, s = np.cos, np.sin

def rhs(t, y, u=lambda t: 0.0):
    q1, q2, qd1, qd2 = y
    M = l**2*np.array([[m1/3 + 4*m2/3 + m2*c(q2), m2/3 + m2*c(q2)/2], [m2/3 + m2*c(q2)/2, m2/3]])
    h = m2*l**2*s(q2)*np.array([-qd1*qd2 - qd2**2/2, qd1**2/2])
    G = g*l*np.array([(m1/2 + m2)*c(q1) + m2/2*c(q1 + q2), m2/2*c(q1 + q2)])
    tau = np.array([u(t), 0.0])
    qdd = np.linalg.solve(M, tau - h - G)
    return [qd1, qd2, *qdd]

sol = solve_ivp(rhs, (0, 1), [0, 0, 0, 0])
""",
        ("qd1**2/2]", "qd1**2]"),
    ),
    (
        "two_link",
        ".jl",
        """function arm!(dx, x, p, t)
    q1, q2, qd1, qd2 = x
    M = m2*l^2*[m1/m2/3 + 4/3 + cos(q2)  1/3 + cos(q2)/2; 1/3 + cos(q2)/2  1/3]
    h = m2*l^2*sin(q2)*[-qd1*qd2 - qd2^2/2, qd1^2/2]
    G = g*l*[(m1/2 + m2)*cos(q1) + m2/2*cos(q1 + q2), m2/2*cos(q1 + q2)]
    dx[1:2] .= x[3:4]
    dx[3:4] .= M \\ (tau .- h .- G)
end
""",
        ("[-qd1*qd2", "[qd1*qd2"),
    ),
    (
        str(ARMS / "polar.toml"),
        ".wl",
        "pos = r[t] {Cos[theta[t]], Sin[theta[t]]};\nvel = D[pos, t];\nK = 1/2 m vel . vel + 1/2 J theta'[t]^2;",
        ("1/2 m", "m"),
    ),
    (
        str(ARMS / "double_damped.toml"),
        ".md",
        r"""$M\ddot\theta+h+B\dot\theta+G=\tau$ with $B=\operatorname{diag}(b_1,b_2)$ and $$M=\begin{pmatrix}
J_1+J_2+m_1a_1^2+m_2(L_1^2+a_2^2+2L_1a_2\cos\theta_2)&J_2+m_2a_2^2+m_2L_1a_2\cos\theta_2\\
J_2+m_2a_2^2+m_2L_1a_2\cos\theta_2&J_2+m_2a_2^2\end{pmatrix}$$""",
        ("+2L_1a_2", "+L_1a_2"),
    ),
    (
        str(ARMS / "elbow_com.toml"),
        ".txt",
        "d^2 = l1^2 + lc2^2 + 2 l1 lc2 cos(q2)\nH22 = I2 + m2 lc2^2\nH12 = H21\nH21 = H22 + m2 l1 lc2 cos(q2)",
        ("H22 = I2", "H22 = 2 I2"),
    ),
    (
        str(ARMS / "elbow_com.toml"),
        ".txt",
        "K = m2 l1 lc2\n(I2 + m2 lc2^2 + K cos q2) q1'' + (I2 + m2 lc2^2) q2'' + K sin q2 q1'^2 "
        "+ m2 g lc2 cos(q1 + q2) = tau2",
        ("+ K sin", "- K sin"),
    ),
    ("one_link", ".txt", "T = ½ m l² q̇₁²      V = m g l sin q₁", ("½ m", "m")),
]


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), ANSWERS)
def test_a_right_one_is_accepted_and_a_wrong_one_is_not(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(arm, suffix, text, change, tmp_path)


def test_numbers_in_a_state_are_neither_accepted_nor_called_wrong_as_formulas(tmp_path: Path) -> None:
    text = r"$q_1 = 0$, $\dot q_1 = 2$, $M_{22} = m_2l^2/3$, $h_2 = 0.75$"
    assert_judged(text, "two_link", "unread", tmp_path, ".md")


def test_a_zero_beside_formulas_of_the_same_letter_is_an_entry(tmp_path: Path) -> None:
    judgement = judged("phi1 = 0\nphi2 = -g*m3*d3*sin(theta2)", str(ARMS / "stanford_3.toml"), tmp_path)
    assert [entry.name for entry in judgement.entries] == ["G1", "G2"]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".jl", "function f!(du, u, p, t)\n  du[1] = u[2]\n  du[2] = u[9]\nend\nM11 = m*l^2"),
        (".jl", "f(x, u) = [x[2], x[9]]\nM11 = m*l^2"),
        (".py", "def f(t, s):\n    x, v = s\n    return [v, s[9]]\nM11 = m*l**2"),
    ],
)
def test_an_entry_beyond_a_state_is_a_mistake_of_its_own(suffix: str, text: str, tmp_path: Path) -> None:
    assert "proved equal: M11" in str(judged(text, "one_link", tmp_path, suffix))
