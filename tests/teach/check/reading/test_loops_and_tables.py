"""Loops, entries of arrays, tables and matrices of pages are read as the equations that they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged

MASSES_OF_PYTHON = """q1, q2, dq1, dq2 = sp.symbols("q1 q2 dq1 dq2")
q, dq, n = [q1, q2], [dq1, dq2], 2
M = sp.Matrix([[m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*sp.cos(q2), m2*l**2/3 + m2*l**2*sp.cos(q2)/2],
               [m2*l**2/3 + m2*l**2*sp.cos(q2)/2, m2*l**2/3]])
n = 2
"""
IN_LOOPS = """C = sp.zeros(2, 2)
for i in range(2):
    for j in range(n):
        for k in range(2):
            C[i, j] += (M[i, j].diff(q[k]) + M[i, k].diff(q[j]) {} M[j, k].diff(q[i]))/2*dq[k]
"""
IN_A_FUNCTION = """def c(i, j, k):
    return (M[i, j].diff(q[k]) + M[i, k].diff(q[j]) {} M[j, k].diff(q[i]))/2
C = sp.Matrix(2, 2, lambda i, j: sum(c(i, j, k)*dq[k] for k in range(n)))
"""
IN_MATLAB = """M = [m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q2), m2*l^2/3 + m2*l^2*cos(q2)/2;
     m2*l^2/3 + m2*l^2*cos(q2)/2, m2*l^2/3];
q = [q1; q2]; dq = [dq1; dq2];
C = sym(zeros(2));
for i = 1:2
  for j = 1:2
    for k = 1:2
      C(i,j) = C(i,j) + (diff(M(i,j), q(k)) + diff(M(i,k), q(j)) {} diff(M(j,k), q(i)))/2*dq(k);
    end
  end
end
"""
IN_JULIA = """M = zeros(2, 2)
for i in 1:2
    M[i, 2] += m2*l^2/3
end
M[1, 1] = m1*l^2/3 + m2*l^2*(4//3 + cos(q2))
M[1, 2] += m2*l^2*{}(q2)/2
M[2, 1] = M[1, 2]
"""
ROWS_OF_JACOBIANS = """J1 = l/2*np.array([[-np.sin(q1), 0], [np.cos(q1), 0]])
J2 = l*np.array([[-np.sin(q1) - np.sin(q1+q2)/2, -np.sin(q1+q2)/2], [np.cos(q1) + np.cos(q1+q2)/2, np.cos(q1+q2)/2]])
G = g*(m1*J1[1] + m2*J2[{}])
"""
PAIRS = """M = np.zeros((2, 2))
M[0, 0], M[1, 1] = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*np.cos(q2), m2*l**2/{}
M[0, 1] = m2*l**2/3 + m2*l**2*np.cos(q2)/2
M[1, 0] = M[0, 1]
"""
OF_JOINTS = """J = Izz1 + Izz2 + m1*l1^2

| joint | torque |
|---|---|
| 1 | $(J + m_2d_2^2)\\ddot q_1 + 2m_2d_2\\dot q_1\\dot d_2 + g(m_1l_1 + m_2d_2)\\cos q_1$ |
| 2 (slide) | $m_2\\ddot d_2 {} m_2d_2\\dot q_1^2 + m_2g\\sin q_1$ |
"""
OF_GRAVITY = "| $i$ | $G_i$ |\n|:-:|--|\n| 1 | g*(m1*l1 + m2*d2)*cos(q1) |\n| 2 | m2*g*{}(q1) |\n"
OF_A_PAGE = """<p>The mass matrix M is</p><table>
<tr><td>I<sub>zz1</sub> + I<sub>zz2</sub> + m<sub>1</sub> l<sub>1</sub><sup>2</sup>
 + m<sub>2</sub> d<sub>2</sub><sup>2</sup></td><td>0</td></tr><tr><td>0</td><td>{}</td></tr></table>"""
PROCEDURE = """gravity := proc(q1, q2)
  local a;
  a := m2*g*l*cos({})/2;
  return [(m1/2 + m2)*g*l*cos(q1) + a, a];
end proc;"""
ASSOCIATION = '<|"G" -> {{(m1/2 + m2) g l Cos[q1] + m2 g l Cos[q1 + q2]/2, m2 g l Cos[{}]/2}}|>'
NALGEBRA = """let m11 = m1 * l.powi(2) / 3.0 + 4.0 * m2 * l.powi(2) / 3.0 + m2 * l.powi(2) * q2.cos();
let m12 = m2 * l.powi(2) / 3.0 + m2 * l.powi(2) * q2.cos() / 2.0;
let mass = Matrix2::new(m11, m12, m12, m2 * l.powi(2) / {});"""
COLUMN = r"$$h = \binom{{-m_2l^2\sin q_2\,(2\dot q_1\dot q_2 + \dot q_2^2)/2}}{{m_2l^2\sin q_2\,\dot q_{}^2/2}}$$"
EXPONENTIALS = r"$M_{{12}} = m_2l^2\left(\tfrac13 + \tfrac1{}\left(e^{{iq_2}} + e^{{-iq_2}}\right)\right)$"
BLANKS = r"""$$M = \begin{{pmatrix}} \tfrac13m_1l^2 + \tfrac43m_2l^2 + m_2l^2\cos q_2 & \text{{sym.}} \\
\tfrac13m_2l^2 + \tfrac12m_2l^2\cos q_2 & \tfrac1{}m_2l^2 \end{{pmatrix}} \succ 0$$"""
MIDDLE = "V = m1*g*l*sin(q1)/2 + m2*g*(l*sin(q1) + l*sin(q1 + q2)/2)\n∂V/∂q₂ = G₂ = m2*g*l*cos(q1 + q2)/{}\n"
UNITS = r"$m_1 = \SI{{2000}}{{\gram}}$, $l = 0.5\,\mathrm{{m}}$. $M_{{22}} = \tfrac1{}m_2l^2$"

OVER_NAMES = """V = m1*g*l*sp.sin(q1)/2 + m2*g*(l*sp.sin(q1) + l*sp.sin(q1 + q2)/{})
G = sp.Matrix([V.diff(qi) for qi in (q1, q2)])
"""
OF_CONSTANTS = r"""$M(q)\ddot q + g(q) = \tau - h$ with
$$g = \left[\begin{{array}}{{c}} e_1g\cos q_1 + e_2g\cos(q_1+q_2) \\ e_2g\cos(q_1+q_2) \end{{array}}\right]$$
where $e_1 = \tfrac12m_1l + m_2l$ and $e_2 = \tfrac1{}m_2l$."""
ROUND = r"$$\mathbf h = \left(-m_2l^2\sin q_2(\dot q_1\dot q_2+\dot q_2^2/2),\;m_2l^2\sin q_2\,\dot q_1^2/{}\right)^T$$"
MULTIPLE = r"$$\frac{{M_{{12}}}}{{m_2l^2}} = \tfrac13 + \tfrac1{}\cos q_2,\qquad 3M_{{22}} = m_2l^2$$"
MOMENTUM = "p = m*l^2*dq1, dp/dt = tau - m*g*l*{}(q1)"
BY_COLONS = "M12: m2*l^2/3 + m2*l^2*{}(q2)/2\nM22: m2*l^2/3\n"
OF_JULIA = """@variables t θ(t) r(t)
D = Differential(t)
eqs = [D(D(r)) ~ r*D(θ)^2 + g*cos(θ) - k/m*(r - l0),
       D(D(θ)) ~ (-g*{}(θ) - 2*D(r)*D(θ))/r]
"""
OF_SPEED = r"""$\dot{{\mathbf r}} = \dot r\,\mathbf e_r + {}\,\dot\theta\,\mathbf e_\theta$,
$F = m\ddot r - mr\dot\theta^2 + mg\sin\theta$"""
ARMS = Path(__file__).parents[4] / "bench" / "answers" / "arms"

ANSWERS = [
    ("two_link", ".py", MASSES_OF_PYTHON + IN_LOOPS, ("-", "+")),
    ("two_link", ".py", MASSES_OF_PYTHON + IN_A_FUNCTION, ("-", "+")),
    ("two_link", ".m", IN_MATLAB, ("-", "+")),
    ("two_link", ".jl", IN_JULIA, ("cos", "sin")),
    ("two_link", ".py", ROWS_OF_JACOBIANS, ("1", "0")),
    ("two_link", ".py", PAIRS, ("3", "2")),
    ("rp", ".md", OF_JOINTS, ("-", "+")),
    ("rp", ".md", OF_GRAVITY, ("sin", "cos")),
    ("rp", ".html", OF_A_PAGE, ("m<sub>2</sub>", "m<sub>1</sub>")),
    ("two_link", ".mpl", PROCEDURE, ("q1 + q2", "q2")),
    ("two_link", ".wl", ASSOCIATION, ("q1 + q2", "q2")),
    ("two_link", ".rs", NALGEBRA, ("3.0", "2.0")),
    ("two_link", ".md", COLUMN, ("1", "2")),
    ("two_link", ".md", EXPONENTIALS, ("4", "2")),
    ("two_link", ".md", BLANKS, ("3", "2")),
    ("two_link", ".txt", MIDDLE, ("2", "3")),
    ("two_link", ".tex", UNITS, ("3", "2")),
    ("two_link", ".py", OVER_NAMES, ("2", "3")),
    ("two_link", ".md", OF_CONSTANTS, ("2", "3")),
    ("two_link", ".md", ROUND, ("2", "3")),
    ("two_link", ".md", MULTIPLE, ("2", "3")),
    ("one_link", ".txt", MOMENTUM, ("cos", "sin")),
    ("two_link", ".txt", BY_COLONS, ("cos", "sin")),
    (str(ARMS / "elastic_pendulum.toml"), ".jl", OF_JULIA, ("sin", "cos")),
]


@pytest.mark.parametrize(("arm", "suffix", "form", "ways"), ANSWERS, ids=[form[:30] for _, _, form, _ in ANSWERS])
def test_right_answers_are_accepted_and_wrong_ones_are_not(
    arm: str, suffix: str, form: str, ways: tuple[str, str], tmp_path: Path
) -> None:
    for way, verdict in zip(ways, ("right", "wrong"), strict=True):
        assert_judged(form.format(way), arm, verdict, tmp_path, suffix)


@pytest.mark.parametrize(("speed", "verdict"), [("r", "right"), ("2r", "unread")])
def test_a_velocity_along_unit_vectors_is_judged_by_its_length(speed: str, verdict: str, tmp_path: Path) -> None:
    assert_judged(OF_SPEED.format(speed), str(ARMS / "polar.toml"), verdict, tmp_path, ".md")


@pytest.mark.parametrize(("function", "verdict"), [("cos", "right"), ("sin", "wrong")])
def test_an_equation_of_a_free_joint_holds_for_all_torques_of_the_others(
    function: str, verdict: str, tmp_path: Path
) -> None:
    """Without any torque the load falls freely, so that the cart does not accelerate."""
    text = rf"""$$F_x = (M+m)\ddot x + m\ddot r\sin\theta + 2m\dot r\dot\theta\cos\theta + mr\ddot\theta\cos\theta
 - mr\dot\theta^2\sin\theta$$
$$r\ddot\theta + 2\dot r\dot\theta + \ddot x\{function}\theta + g\sin\theta = 0$$
$$F_r = m\ddot r + m\ddot x\sin\theta - mr\dot\theta^2 - mg\cos\theta$$"""
    assert_judged(text, str(ARMS / "crane.toml"), verdict, tmp_path, ".md")
