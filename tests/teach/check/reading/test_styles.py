"""Answers in the styles of books and students are accepted if they are right, and never if they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import equations, judged
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.teach.check.checking import check

CART = """
name = "cart"
convention = "tree"
gravity = [0, 0, "-g"]
coordinates = ["x", "theta"]
[symbols]
mc = 2.0
mp = 0.5
l = 0.4
[[link]]
name = "cart"
mass = "mc"
com = [0, 0, 0]
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x" }
[[link]]
name = "pole"
parent = "cart"
mass = "mp"
com = [0, 0, "l"]
joint = { type = "revolute", axis = [0, 1, 0], coordinate = "theta" }
"""
TAU2 = "({m}/3 + {m}*cos(q2)/2)*{a}1 + {m}/3*{a}2 + {m}*sin(q2)*{r}1^2/2 + m2*g*l*cos(q1 + q2)/2"
POLE = r"m_p l\cos\theta\,\ddot x + m_p l^2\ddot\theta - m_p g l\sin\theta"


@pytest.fixture(scope="session")
def cart(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("arms") / "cart.toml"
    path.write_text(CART, encoding="utf-8")
    return str(path)


NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["%s"]}]}'
TWO_ROWS = (
    "(m1 l^2/3 + 4 m2 l^2/3 + m2 l^2 Cos[q2[t]]) q1''[t] + m2 l^2 (%s + Cos[q2[t]]/2) q2''[t]"
    " - m2 l^2 Sin[q2[t]] (q1'[t] q2'[t] + q2'[t]^2/2) + g l ((m1/2 + m2) Cos[q1[t]] + m2 Cos[q1[t] + q2[t]]/2)%s"
)
RIGHT = [
    (".tex", r"\[ M_{12} = m_2 l^2\left(\tfrac13 + \tfrac12 c_2\right) = M_{21}, \quad M_{22} = \tfrac13 m_2 l^2 \]"),
    (
        ".tex",
        r"\[\left\{\begin{aligned} M_{22} &= \tfrac13 m_2 l^2 \end{aligned}\right.\] \[G_2 = \tfrac12 m_2 g l c_{12}\]",
    ),
    (".txt", "The entry is M22 = m2 l^2/3, where m2 is the mass.\nSo M12 = m2*l^2/3 + m2*l^2*cos(q2)/2"),
    (".txt", "质量矩阵 M22 = m2*l^2/3，其中 m2 是质量。"),
    (".txt", "(a) M22 = m2 l²/3\n(b) G2 = m2 g l c12/2"),
    (".txt", "M22 = 0.33*m2*l^2"),
    (".txt", "m2 = 2.3; l = 0.5\nM22 = m2*l^2/3"),
    (".txt", f"tau2 = {TAU2.format(m='m2*l^2', a='qdd', r='qd')}"),
    (".txt", "τ2 = (m2 l²/3 + m2 l² c2/2) q1'' + m2 l²/3 q2'' + m2 l² s2 q1'^2/2 + m2 g l c12/2"),
    (".txt", "h = -m2*l^2*sin(q2)/2\nC = [[h*qd2, h*(qd1 + qd2)], [-h*qd1, 0]]"),
    (".tex", r"\[ M_{22} = \frac13 m_2l^2 \qquad G_2 = \frac12 m_2 g l c_{12} \]"),
    (".tex", r"\newcommand{\half}{\frac12}\newcommand{\co}[1]{\cos(#1)}$M_{12}=\frac13m_2l^2+\half m_2l^2\co{q_2}$"),
    (".tex", r"\[ M_{22} = \cancel{m_1 l^2} \frac13 m_2 l^2 \]"),
    (".tex", r"With $\beta = \frac13 m_2 l^2$ we have $M_{22} = \beta$. In general $M\ddot q + h + G = \tau$."),
    (".md", "# Answer\n- M22 = ~~m1*l^2~~ m2*l^2/3\n\n| M12 | m2*l^2/3 + m2*l^2*cos(q2)/2 |"),
    (".html", "<p>M<sub>22</sub> = m<sub>2</sub> l<sup>2</sup>/3</p>"),
    (".py", "import sympy as sp\nq1, q2 = sp.symbols('q1 q2')\nM22 = sp.Rational(1, 3)*m2*l**2\n"),
    (".py", "th = dynamicsymbols('q2')\nC12 = -m2*l**2*sin(th)*(qd1 + th.diff(t))/2\n"),
    (".m", "q1 = q(1); q2 = q(2);\nG = [m1*g*l*cos(q1)/2 + m2*g*l*(cos(q1) + cos(q1+q2)/2); m2*g*l*cos(q1+q2)/2];"),
    (".nb", "(* mass *) M22 = m2 l^2/3;\nG2 = m2 g l Cos[q1[t] + q2[t]]/2"),
    (".mpl", "M22 := m2*l^2/3:\nC21 := m2*l^2*sin(q2(t))*diff(q1(t),t)/2;"),
    (".mac", "M22 : m2*l^2/3$\nC21 : m2*l^2*sin(q2)*'diff(q1,t)/2;"),
    (".typ", "The entry is $ M_22 = (m_2 l^2)/3 $ and $ C_21 = m_2 l^2 s_2 dot(q)_1 / 2 $"),
    (".json", '{"M": {"M22": "m2*l**2/3"}}'),
    (".json", '{"answer": "M22 = m2*l**2/3; G2 = m2*g*l*cos(q1 + q2)/2"}'),
    (".mac", "c2 : cos(q2)$ s2 : sin(q2)$\nM12 : m2*l^2*(1/3 + c2/2)$ M22 : m2*l^2/3$"),
    (".typ", "$ M_12 = m_2 l^2 (1/3 + 1/2 cos q_2) quad M_22 = m_2 l^2 / 3 $"),
    (".json", '{"arm": "a pair of rods", "M": {"12": "m2*l^2*(1/3 + cos(q2)/2)", "22": "m2*l^2/3"}}'),
    (".md", "With $\\lambda = m_2 l^2$:\n\n| entry | value |\n|---|---|\n| $M_{22}$ | $\\lambda/3$ |"),
    (".html", "<table><tr><td>M<sub>22</sub></td><td>m<sub>2</sub> l<sup>2</sup>/3</td></tr></table>"),
    (".py", "a, b = [Function(n)(t) for n in ('q1', 'q2')]\nM12 = m2*l**2*(1/3 + cos(b)/2)"),
    (".py", "def terms(q, v):\n    h2 = m2*l**2*np.sin(q[1])*v[0]**2/2\n    return h2"),
    (".py", "coriolis = np.array([-m2*l**2*sin(q2)*(2*qd1*qd2 + qd2**2)/2, m2*l**2*sin(q2)*qd1**2/2])"),
    (".ipynb", NOTEBOOK % "def M(q):\\n    k = np.cos(q[1])\\n    M22 = m2*l**2/3\\n    M12 = m2*l**2*(1/3 + k/2)\\n"),
    (".wl", "eoms = {" + TWO_ROWS % ("1/3", " == tau1") + "};"),
]


@pytest.mark.parametrize(("suffix", "text"), RIGHT, ids=[text[:40] for _, text in RIGHT])
def test_a_right_answer_is_accepted(suffix: str, text: str, tmp_path: Path) -> None:
    assert judged(text, "two_link", tmp_path, suffix), judged(text, "two_link", tmp_path, suffix)


WRONG = [
    (".tex", r"\[ M_{12} = m_2 l^2\left(\tfrac13 + \tfrac12 c_2\right) = M_{22} \]"),
    (".tex", r"\[ \left( M_{22} = \tfrac12 m_2 l^2 \] \[ G_2 = \tfrac12 m_2 g l c_{12} \]"),
    (
        ".tex",
        r"\[\left\{\begin{aligned} M_{22} &= \tfrac12 m_2 l^2 \end{aligned}\right.\] \[G_2 = \tfrac12 m_2 g l c_{12}\]",
    ),
    (".tex", r"\[ M_{22} = \frac13 m_2 l^2 \] \[ g(q) = \begin{bmatrix} 0 \\ 0 \end{bmatrix} \]"),
    (".tex", r"$M_{22} = \frac13 m_2 l^2$, $\tau_g = \begin{bmatrix} 0 \\ 0 \end{bmatrix}$"),
    (".txt", f"M22 = m2*l^2/3\n{TAU2.format(m='m2*l^2', a='qdd', r='qd')} + m1 = 0"),
    (".txt", "M22 = m2*l^2/3\nK_1 = m1*l^2*qd1^2"),
    (".py", "M22 = m2*l**2/3\nc = np.array([0, m2*l**2*np.sin(q[1])*dq[0]**2])"),
    (".txt", "C = [[0, -m2*l^2*s2/2], [m2*l^2*s2/2, 0]]"),
    (".txt", "tau2 = (m2 l²/3 + m2 l² c2/2) q1'' + m2 l²/3 q2'' + m2 l² s2 q1^2/2 + m2 g l c12/2"),
    (".txt", "M22 = 0.34*m2*l^2"),
    (".txt", "M22 = m2*l^2/2\nM22 = m2*l^2/3"),
    (".txt", "M22 = m2*l^2/3\nE = 5*foo"),
    (".tex", r"\input{other} $M_{22} = \frac13 m_2 l^2$"),
    (".py", "M22 = m2*l**2/3\nM22 += m1"),
    (".mac", "c2 : cos(q2)$ M12 : m2*l^2*(1/3 + c2)$"),
    (".typ", "$ M_12 = m_2 l^2 (1/3 + 1/2 cos q_2) quad M_22 = m_2 l^2 / 2 $"),
    (".json", '{"arm": "a pair of rods", "M": {"12": "m2*l^2*(1/3 + cos(q2))", "22": "m2*l^2/3"}}'),
    (".md", "With $\\lambda = m_2 l^2$:\n\n| entry | value |\n|---|---|\n| $M_{22}$ | $\\lambda/2$ |"),
    (".html", "<table><tr><td>M<sub>22</sub></td><td>m<sub>2</sub> l<sup>2</sup>/2</td></tr></table>"),
    (".py", "a, b = [Function(n)(t) for n in ('q1', 'q2')]\nM12 = m2*l**2*(1/3 + cos(a)/2)"),
    (".py", "def terms(q, v):\n    h2 = m2*l**2*np.sin(q[1])*v[1]**2/2\n    return h2"),
    (".ipynb", NOTEBOOK % "def M(q):\\n    k = np.cos(q[0])\\n    M22 = m2*l**2/3\\n    M12 = m2*l**2*(1/3 + k/2)\\n"),
    (".wl", "eoms = {" + TWO_ROWS % ("1/2", " == tau1") + "};"),
]


@pytest.mark.parametrize(("suffix", "text"), WRONG, ids=[text[:40] for _, text in WRONG])
def test_a_wrong_answer_is_never_accepted(suffix: str, text: str, tmp_path: Path) -> None:
    assert not judged(text, "two_link", tmp_path, suffix)


MOTION = [
    (rf"$F = (m_c+m_p)\ddot x + m_p l\cos\theta\,\ddot\theta - m_pl\sin\theta\,\dot\theta^2$, $0 = {POLE}$", True),
    (r"$\ddot x\cos\theta + l\ddot\theta = g\sin\theta$", True),
    (r"$\ddot x\cos\theta + l\ddot\theta = -g\sin\theta$", False),
    (
        r"$\ddot\theta = \frac{(m_c+m_p)g\sin\theta - F\cos\theta - m_pl\dot\theta^2\sin\theta\cos\theta}"
        r"{l(m_c+m_p\sin^2\theta)}$",
        True,
    ),
    (
        r"$\ddot\theta = \frac{(m_c+m_p)g\sin\theta + F\cos\theta - m_pl\dot\theta^2\sin\theta\cos\theta}"
        r"{l(m_c+m_p\sin^2\theta)}$",
        False,
    ),
    (
        r"\[\begin{bmatrix} m_c+m_p & m_pl\cos\theta\\ m_pl\cos\theta & m_pl^2\end{bmatrix}"
        r"\begin{bmatrix}\ddot x\\ \ddot\theta\end{bmatrix} + \begin{bmatrix} -m_pl\sin\theta\,\dot\theta^2\\ "
        r"-m_pgl\sin\theta\end{bmatrix} = \begin{bmatrix} F\\ 0\end{bmatrix}\]",
        True,
    ),
    (r"$M\ddot q + C\dot q = \tau_g + Bu$, $\tau_g = \begin{bmatrix}0\\ m_pgl\sin\theta\end{bmatrix}$", True),
    (r"$M\ddot q + C\dot q = \tau_g + Bu$, $\tau_g = \begin{bmatrix}0\\ -m_pgl\sin\theta\end{bmatrix}$", False),
]


@pytest.mark.parametrize(("text", "right"), MOTION, ids=[text[:50] for text, _ in MOTION])
def test_equations_of_motion_are_judged_in_any_form(text: str, right: bool, cart: str, tmp_path: Path) -> None:
    assert bool(judged(text, cart, tmp_path, ".tex")) is right


def test_numbers_stand_in_the_place_of_symbols(cart: str, tmp_path: Path) -> None:
    assert judged("M22 = 0.08", cart, tmp_path)
    assert not judged("M22 = 0.09", cart, tmp_path)
    assert judged("mp = 1; l = 2\nM22 = 4", cart, tmp_path)
    assert check(equations(cart), "M22 = 2", None, {}, values={"mp": 0.5, "l": 2})


def test_what_is_unread_is_told_and_nothing_is_all_right(tmp_path: Path) -> None:
    judgement = judged("M22 = m2*l^2/3\nG2 = m2*g*lx*cos(q1)", "two_link", tmp_path)
    assert not judgement
    assert not judgement.wrong
    assert [unread.text for unread in judgement.unread] == ["G2"]
    assert judgement.summary()[0] == "two_link: 1 entry is right, 1 part is not judged"
    assert judgement.as_json()["unread"][0]["where"].endswith("answer.txt:2:1")


def test_what_is_asked_must_be_there() -> None:
    eq = equations("two_link")
    judgement = check(eq, "M22 = m2*l^2/3", None, {}, asked="M,G2")
    assert not judgement
    assert judgement.missing == ("M11", "M12", "G2")
    assert check(eq, "M22 = m2*l^2/3", None, {}, asked="M22")
    with refusal(QddotError, "asked-unknown", "'speed'"):
        check(eq, "M22 = m2*l^2/3", None, {}, asked="speed")


def test_christoffel_symbols_may_have_the_index_of_the_equation_last(tmp_path: Path) -> None:
    text = "c_121 = -m2*l^2*s2/2\nc_221 = -m2*l^2*s2/2\nc_112 = m2*l^2*s2/2"
    assert judged(text, "two_link", tmp_path)
    assert not judged(text.replace("c_112 = ", "c_112 = -"), "two_link", tmp_path)


@pytest.mark.parametrize("data", [b"%PDF-1.4 M22 = 1", b"PK\x03\x04", b"\x89PNG"])
def test_other_files_are_refused_by_what_they_are(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_bytes(data)
    with pytest.raises(QddotError, match=r"a PDF|an archive|a picture"):
        check(equations("two_link"), tmp_path / "answer.txt", None, {})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_any_encoding_is_read(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_bytes("质量矩阵：M22 = m2*l^2/3".encode(encoding))
    assert check(equations("two_link"), tmp_path / "answer.txt", None, {})


def test_a_macro_that_calls_itself_is_refused(tmp_path: Path) -> None:
    with refusal(QddotError, "macro-calls-itself", "itself"):
        judged(r"\newcommand{\a}{\a\a} $M_{11}=\a$", "two_link", tmp_path, ".tex")


def test_a_matrix_below_another_is_multiplied_by_it() -> None:
    arm = qddot.load("rp")
    rates, squares = (
        r"\begin{bmatrix} \ddot\theta_1 \\ \ddot d_2 \end{bmatrix}",
        r"\begin{bmatrix} 0 \\ -m_2 d_2 \end{bmatrix}",
    )
    M = r"\begin{bmatrix} m_1 l_1^2 + I_{zz1} + m_2 d_2^2 + I_{zz2} & 0 \\ 0 & m_2 \end{bmatrix}"
    G = r"\begin{bmatrix} (m_1 l_1 + m_2 d_2) g c_1 \\ m_2 g s_1 \end{bmatrix}"
    mixed = r"\begin{bmatrix} 2 m_2 d_2 \\ 0 \end{bmatrix} \dot\theta_1 \dot d_2"
    lines = (rf"\tau = {M}", rates, f"+ {mixed}", rf"+ {squares} \dot\theta_1^2", f"+ {G}")
    assert arm.check("\n".join(lines))
    assert not arm.check("\n".join(lines).replace("2 m_2 d_2", "m_2 d_2"))


def test_rates_without_a_factor_are_no_numbers_in_place_of_symbols() -> None:
    judgement = qddot.load("one_link").check("tau_1 = qdd1")
    assert not judgement
    assert not judgement.unread


ELBOW = str(Path(__file__).parents[4] / "bench/answers/arms/spong_elbow.toml")
ACROBOT = str(Path(__file__).parents[4] / "bench/answers/arms/acrobot.toml")
PENDULUM = str(Path(__file__).parents[4] / "bench/answers/arms/damped_pendulum.toml")
RODS = str(Path(__file__).parents[4] / "bench/answers/arms/tilted_2r.toml")
STATE = (
    "f = @(t, x) [x(2); {sign}g/l*sin(x(1)) - b/(m*l^2)*x(2) + tau/(m*l^2)];\n[t, x] = ode45(f, [0 10], [0.1; 0]);\n"
)


@pytest.mark.parametrize(
    ("arm", "suffix", "right", "old", "new"),
    [
        (ACROBOT, ".tex", r"$G_2 = m_2 g l_{c2} s_{1+2}$", "1+2", "2"),
        ("two_link", ".tex", r"{\bf M}_{22} = \frac13 m_2 l^2$".replace("{", "${", 1), "13", "12"),
        (
            "two_link",
            ".tex",
            r"\[ M = \begin{bmatrix} \frac13 m_1 l^2 + \frac43 m_2 l^2 + m_2 l^2 c_2 & * \\"
            r" \frac13 m_2 l^2 + \frac12 m_2 l^2 c_2 & \frac13 m_2 l^2 \end{bmatrix} \]",
            r"\frac12 m_2",
            "m_2",
        ),
        ("two_link", ".tex", r"\[ G_2 = \frac12 m_2 g l c_{12} \qquad \text{(gravity)} \]", "c_{12}", "c_2"),
        (
            "two_link",
            ".m",
            "Mass = [(m1 + 4*m2)*l^2/3 + m2*l^2*cos(q2), p.m2*l^2/3 + p.m2*l^2*cos(q2)/2; ...\n"
            "p.m2*l^2/3 + p.m2*l^2*cos(q2)/2, p.m2*l^2/3];",
            "4*m2",
            "m2",
        ),
        ("two_link", ".wl", "M22 = Module[{a = m2, b}, b = l^2; a b/3];", "b/3", "b/2"),
        (PENDULUM, ".m", STATE.format(sign="-"), "-g/l", "g/l"),
        (RODS, ".tex", r"$I_i = \frac{1}{12} m_i L_i^2$, so $M_{22} = \frac14 m_2 L_2^2 + I_2$", "{12}", "3"),
        ("planar_2r", ".txt", "M22 = I2 + m2*l2^2/4", "I2", "I1"),
        (
            "rp",
            ".tex",
            r"$u_1 = m_1 l_1 g \sin q_1 + m_1 l_1 g$, $u_2 = m_2 g d_2 \sin q_1$, $u = u_1 + u_2$",
            "d_2",
            "l_1",
        ),
        (
            ELBOW,
            ".py",
            "import sympy as sp\na, b = sp.diff(q1, t), sp.diff(q2, t)\nh2 = m2*l1*lc2*sp.sin(q2)*a**2 + 0*b",
            "**2",
            "",
        ),
    ],
)
def test_notations_of_the_second_set_are_read(
    arm: str, suffix: str, right: str, old: str, new: str, tmp_path: Path
) -> None:
    assert judged(right, arm, tmp_path, suffix)
    assert judged(right.replace(old, new), arm, tmp_path, suffix).wrong


@pytest.mark.parametrize("line", ["qddot: X = G2", "% qddot: X = G2, L = l", "<!-- qddot: X = G2 -->"])
def test_a_file_says_what_its_own_names_mean(line: str, tmp_path: Path) -> None:
    assert judged(f"{line}\nX = m2*g*l*cos(q1 + q2)/2\n", "two_link", tmp_path)
    assert judged(f"{line}\nX = m2*g*l*cos(q2)/2\n", "two_link", tmp_path).wrong


def test_what_names_mean_is_told_where_it_cannot_be_read(tmp_path: Path) -> None:
    with refusal(QddotError, "header-not-read"):
        judged("# qddot: X is G2\nX = 0\n", "two_link", tmp_path)


def test_a_renaming_overrides_which_torque_is_meant() -> None:
    text, eq = "F = m2*ddd2 - m2*d2*qd1^2 + m2*g*sin(q1)", equations("rp")
    assert check(eq, text, None, {})
    assert check(eq, text, {"F": "tau2"}, {})
    assert check(eq, text, {"F": "tau1"}, {}).wrong


def test_equations_may_be_asked() -> None:
    eq = equations("two_link")
    rows = "M11 = m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*c2\nM12 = m2*l^2/3 + m2*l^2*c2/2\nM22 = m2*l^2/3\n"
    h = "h1 = -m2*l^2*s2*(qd1*qd2 + qd2^2/2)\nh2 = m2*l^2*s2*qd1^2/2\n"
    G = "G1 = m1*g*l*c1/2 + m2*g*l*(c1 + c12/2)\nG2 = m2*g*l*c12/2\n"
    assert check(eq, rows + h + G, None, {}, "equations")
    assert check(eq, rows + h + G.splitlines()[0], None, {}, "equations").missing == ("the equation of q2",)
    assert check(eq, rows + G, None, {}, "equations").missing == ("the equation of q1", "the equation of q2")
    assert check(eq, f"tau2 = {TAU2.format(m='m2*l^2', a='qdd', r='qd')}", None, {}, "equations").missing == (
        "the equation of q1",
    )


SPHERICAL = "spherical_pendulum"
SCARA = str(Path(__file__).parents[4] / "bench/answers/arms/mls_scara.toml")
PLACE = (
    r"$p = (-l_1 \sin\theta_1 - l_2 \sin(\theta_1+\theta_2), l_1 \cos\theta_1 + l_2 \cos(\theta_1+\theta_2), \theta_4)$"
)


@pytest.mark.parametrize(
    ("arm", "right", "old", "new"),
    [
        (SCARA, PLACE, "(-l_1", "(l_1"),
        ("two_link", r"$x = l\cos q_1 + l\cos(q_1+q_2)$, $y = l\sin q_1 + l\sin(q_1+q_2)$", "sin(q_1+q_2)", "sin q_2"),
        ("two_link", r"$y = l\sin q_1 + l\sin(q_1+q_2)$, $x = l\cos q_1 + l\cos(q_1+q_2)$", "sin(q_1+q_2)", "sin q_2"),
        (
            "rp",
            r"$B(q)[\dot q\dot q] = \begin{bmatrix} 2 m_2 d_2 \\ 0\end{bmatrix}[\dot\theta_1\dot d_2]$",
            "2 m_2",
            "m_2",
        ),
        (
            "rp",
            r"$C(q)[\dot q^2] = \begin{bmatrix} 0 & 0 \\ -m_2 d_2 & 0 \end{bmatrix}\begin{bmatrix}"
            r"\dot\theta_1^2\\ \dot d_2^2\end{bmatrix}$",
            "-m_2",
            "m_2",
        ),
        (ACROBOT, "tau_g = [-(m1*lc1 + m2*l1)*g*s1 - m2*g*lc2*s12; -m2*g*lc2*s12]", "s12]", "s2]"),
    ],
)
def test_positions_and_terms_of_configuration_space_are_judged(
    arm: str, right: str, old: str, new: str, tmp_path: Path
) -> None:
    assert judged(right, arm, tmp_path)
    assert judged(right.replace(old, new), arm, tmp_path).wrong


def test_a_torque_of_gravity_without_its_equation_may_have_either_sign(tmp_path: Path) -> None:
    column = "[(m1*lc1 + m2*l1)*g*s1 + m2*g*lc2*s12; m2*g*lc2*s12]"
    with refusal(QddotError, "g-of-unknown-sign"):
        judged(f"tau_g = {column}", ACROBOT, tmp_path)
    assert judged(f"M qdd + C qd = tau_g + B u\ntau_g = {column}", ACROBOT, tmp_path).wrong


def test_equations_in_another_form_are_all_there_if_none_follows_from_the_others() -> None:
    eq = equations(SPHERICAL)
    first, second = "θ'' = sin θ cos θ φ'^2 - (g/l) sin θ", "φ'' = -2 cot θ θ' φ'"
    assert check(eq, f"{first}\n{second}", None, {}, "equations")
    assert len(check(eq, f"{first}\nl {first.replace(' = ', ' = l*(')})", None, {}, "equations").missing) == 1
    assert len(check(eq, first, None, {}, "equations").missing) == 1


TAU_ARM = """
name = "delayed"
convention = "tree"
gravity = [0, 0, 0]
coordinates = ["x"]
[symbols]
tauc = 2.0
m = 1.0
[[link]]
name = "block"
mass = "m*tauc"
com = [0, 0, 0]
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x" }
"""


def test_a_symbol_that_begins_with_tau_is_a_common_factor_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "delayed.toml"
    file.write_text(TAU_ARM, encoding="utf-8")
    assert judged("m*xdd = F/tauc", str(file), tmp_path)
    assert judged("m*xdd = 2*F/tauc", str(file), tmp_path).wrong


def test_a_file_gives_the_names_of_the_arm_no_other_meaning(tmp_path: Path) -> None:
    with refusal(QddotError, "header-name-taken", "m1"):
        judged("qddot: m1 = m2\nM22 = m1*l^2/3\n", "two_link", tmp_path)
