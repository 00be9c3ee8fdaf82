r"""Answers name parts of what they define: H_{12} of H, \dot v_2 of a link, x2d of x2, rows and parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, assert_twins

import qddot

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
OF_JACOBIANS = r"""
\[J_1=\begin{bmatrix}-\frac l2\sin q_1&0\\ \frac l2\cos q_1&0\end{bmatrix},\qquad
J_2=\begin{bmatrix}-l s_1-\frac l2 s_{12}&-\frac l2 s_{12}\\ l c_1+\frac l2 c_{12}&\frac l2 c_{12}\end{bmatrix}\]
\[M=m_1J_1^TJ_1+m_2J_2^TJ_2+\frac{1}{12}l^2\begin{bmatrix}m_1+m_2&m_2\\m_2&m_2\end{bmatrix}\]
"""
OF_ENTRIES = r"""
\[H=\begin{bmatrix}l^2(\frac{m_1}3+\frac{4m_2}3+m_2c_2)&m_2l^2(\frac13+\frac12c_2)\\
m_2l^2(\frac13+\frac12c_2)&\frac13m_2l^2\end{bmatrix}\]
\begin{align}\tau_1&=H_{11}\ddot q_1+H_{12}\ddot q_2-h\dot q_2^2-2h\dot q_1\dot q_2+G_1\\
\tau_2&=H_{22}\ddot q_2+H_{21}\ddot q_1+h\dot q_1^2+G_2\end{align}
where $h=\frac12m_2l^2s_2$, $G_1=(\frac{m_1}2+m_2)glc_1+\frac12m_2glc_{12}$ and $G_2=\frac12m_2glc_{12}$.
"""
MIRRORED = r"""
\[M=\begin{bmatrix}M_{11}&M_{12}\\M_{21}&M_{22}\end{bmatrix}\] with $M_{11}=l^2(\frac{m_1}3+\frac{4m_2}3+m_2c_2)$,
$M_{12}=m_2l^2(\frac13+\frac12c_2)$, $M_{21}=M_{12}$, $M_{22}=\frac13m_2l^2$.
"""
OF_SICILIANO = """import sympy as sym
B = sym.zeros(2, 2)
B[0, 0] = I1 + m1*l1**2 + J1 + I2 + m2*(a1**2 + l2**2 + 2*a1*l2*sym.cos(theta2))
B[0, 1] = I2 + m2*(l2**2 + a1*l2*sym.cos(theta2))
B[1, 0] = B[0, 1]
B[1, 1] = I2 + m2*l2**2 + J2
"""
NEWTON_EULER = r"""
For link 1 ${}^1\omega_1=\dot\theta_1\hat Z_1$, ${}^1\dot\omega_1=\ddot\theta_1\hat Z_1$, and
\[{}^1F_1=\begin{bmatrix}-m_1l_1\dot\theta_1^2+m_1gs_1\\ m_1l_1\ddot\theta_1+m_1gc_1\\0\end{bmatrix},\qquad {}^1N_1=0.\]
For link 2 ${}^2\omega_2=(\dot\theta_1+\dot\theta_2)\hat Z_2$ and
\[{}^2\dot v_2=\begin{bmatrix}l_1\ddot\theta_1s_2-l_1\dot\theta_1^2c_2+gs_{12}\\
l_1\ddot\theta_1c_2+l_1\dot\theta_1^2s_2+gc_{12}\\0\end{bmatrix},\qquad
{}^2F_2=m_2\left({}^2\dot v_2+\begin{bmatrix}-l_2(\dot\theta_1+\dot\theta_2)^2\\
l_2(\ddot\theta_1+\ddot\theta_2)\\0\end{bmatrix}\right).\]
\[\tau_2=m_2l_2^2(\ddot\theta_1+\ddot\theta_2)+m_2l_1l_2c_2\ddot\theta_1+m_2l_1l_2s_2\dot\theta_1^2+m_2l_2gc_{12}\]
"""
CONFIGURATION_SPACE = r"""
$\tau = M(q)\ddot q + B(q)[\dot q_1\dot d_2] + C(q)[\dot q_1^2\;\; \dot d_2^2]^T + G(q)$ with
$$B = \begin{bmatrix} 2 m_2 d_2 \\ 0\end{bmatrix},\quad C = \begin{bmatrix} 0 & 0 \\ -m_2 d_2 & 0\end{bmatrix}$$
"""
WHEEL = r"""
Let $J = I_1 + m_1 l_{c1}^2 + m_2 l_1^2$. Only the wheel is driven, by the torque $\tau$.
$$\ddot q_1 = \frac{(m_1l_{c1}+m_2l_1) g\sin q_1 - \tau}{J}, \qquad \ddot q_2 = \frac{\tau}{I_2} - \ddot q_1$$
"""
PARAMETERS = r"""
With $\pi_1=\frac12m_1+m_2$ and $\pi_2=\frac12m_2$: $G_1=gl(\pi_1c_1+\pi_2c_{12})$, $G_2=\pi_2glc_{12}$.
"""
RATES = """x2 = l cos q1 + l/2 cos(q1+q2), y2 = l sin q1 + l/2 sin(q1+q2)
K = 1/6 m1 l^2 q1d^2 + 1/2 m2 (x2d^2 + y2d^2) + 1/24 m2 l^2 (q1d+q2d)^2
"""
GEAR = r"""
The rotor turns $N$ times as fast, $\theta_m=N\theta$, so
\[(I+ml_c^2+N^2J_m)\ddot\theta+N^2b_m\dot\theta+mgl_c\cos\theta=\tau .\]
"""
COMMAS = r"""
Mit $M=12\,$kg, $m=5\,$kg und $g=9{,}81\,\mathrm{m/s^2}$:
\[5\sin\theta\,\ddot x+5\ddot r-5r\dot\theta^2-49{,}05\cos\theta=\tau_3\]
"""
OF_WORDS = """# u1, u2 are the joint velocities
R = a1 + a2*cos(q2)
h = Matrix([-2*m*a2*sin(q2)*R*u1*u2, m*a2*sin(q2)*R*u1**2])
"""
IN_BRACKETS = """V = g*(m1*l/2*sin(q1) + m2*(l*sin(q1) + l/2*sin(q1+q2)))
dV/dq2 = m2*g*l/2*cos(q1+q2)  (= G2)
"""
TEXTS = {
    "transposes": ("two_link", ".tex", OF_JACOBIANS, (r"+m_2J_2^T", "-m_2J_2^T")),
    "entries of a matrix": ("two_link", ".tex", OF_ENTRIES, ("-2h", "+2h")),
    "the other entry of a pair": ("two_link", ".tex", MIRRORED, (r"\frac13+", r"\frac14+")),
    "B is the mass matrix": (str(ARMS / "siciliano_2r.toml"), ".py", OF_SICILIANO, ("+ J1", "")),
    "vectors of links": (str(ARMS / "craig_points.toml"), ".tex", NEWTON_EULER, ("m_2l_1l_2s_2", "-m_2l_1l_2s_2")),
    "gaps in a row": ("rp", ".md", CONFIGURATION_SPACE, ("{bmatrix} 2 m", "{bmatrix} m")),
    "the driven link": (str(ARMS / "reaction_wheel.toml"), ".md", WHEEL, ("{J}", "{2J}")),
    "parameters": ("two_link", ".tex", PARAMETERS, (r"\frac12m_1+", r"m_1+")),
    "rates of positions": ("two_link", ".txt", RATES, ("1/24", "1/12")),
    "the angle of a motor": (str(ARMS / "geared_link.toml"), ".tex", GEAR, ("N^2J_m", "NJ_m")),
    "decimal commas": (str(ARMS / "crane.toml"), ".tex", COMMAS, ("49", "48")),
    "a transposed column": (
        "two_link",
        ".txt",
        "G^T = g l [ (m1/2 + m2) cos q1 + m2/2 cos(q1+q2) , m2/2 cos(q1+q2) ]",
        ("/2 cos(q1+q2) ]", " cos(q1+q2) ]"),
    ),
    "an entry in brackets": (
        "two_link",
        ".txt",
        IN_BRACKETS,
        ("/2*cos", "*cos"),
    ),
    "a function of one line": (
        str(ARMS / "spring_slider.toml"),
        ".jl",
        "f(x, u; m=m, b=b, k=k) = [x[2], (u - b*x[2] - k*x[1]) / m]\n",
        ("- k", "+ k"),
    ),
    "velocities in words": (
        str(ARMS / "yaw_pitch.toml"),
        ".py",
        OF_WORDS,
        (", m*a2", ", -m*a2"),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_parts_are_read(name: str, tmp_path: Path) -> None:
    arm, suffix, text, change = TEXTS[name]
    assert_twins(arm, suffix, text, change, tmp_path)


def test_the_product_of_two_own_names_is_no_rate(tmp_path: Path) -> None:
    text = r"""$a=l^2(\frac{m_1}3+\frac{4m_2}3+m_2c_2)$, $b=m_2l^2(\frac13+\frac12c_2)$, $d=\frac13m_2l^2$. Then
    $w_1=\tau_1+\frac12m_2l^2s_2(2\dot q_1\dot q_2+\dot q_2^2)-(\frac{m_1}2+m_2)glc_1-\frac12m_2glc_{12}$ and
    $w_2=\tau_2-\frac12m_2l^2s_2\dot q_1^2-\frac12m_2glc_{12}$ give
    $$\ddot q_1=\frac{d\,w_1-b\,w_2}{ad-b^2},\qquad\ddot q_2=\frac{a\,w_2-b\,w_1}{ad-b^2}.$$"""
    assert_twins("two_link", ".tex", text, (r"d\,w_1-b", r"d\,w_1+b"), tmp_path)


def test_a_root_that_is_not_exact_leaves_the_other_equations_to_be_judged(tmp_path: Path) -> None:
    text = r"""$m\ddot x+b\dot x+kx=F$ and, with $\zeta=\frac{b}{2\sqrt{km}}$ and $\omega_n=\frac{k}{m}$,
    $\ddot x+2\zeta\omega_n\dot x=F/m$."""
    assert_judged(text, str(ARMS / "spring_slider.toml"), "unread", tmp_path, ".tex")


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        (r"s_2-l_1\dot", r"s_2+l_1\dot"),
        (r"-m_1l_1\dot\theta_1^2+m_1gs_1", r"m_1l_1\dot\theta_1^2-m_1gs_1"),
        (r"l_1\ddot\theta_1c_2+l_1\dot\theta_1^2s_2+gc_{12}", r"-l_1\ddot\theta_1c_2-l_1\dot\theta_1^2s_2-gc_{12}"),
    ],
)
def test_a_vector_of_a_link_with_a_wrong_sign_is_not_read_as_that_vector(part: str, wrong: str, tmp_path: Path) -> None:
    assert part in NEWTON_EULER
    arm = str(ARMS / "craig_points.toml")
    assert_judged(NEWTON_EULER.replace(part, wrong), arm, "unread", tmp_path, ".tex")


def entries_of_links() -> dict[str, str]:
    """Lines that give the entries of D_2 of the two-link arm, as a report on 4×4 matrices lists them."""
    arm = qddot.load("two_link")
    D = arm.equations("dh4x4").textbook(lumped=False).array("D_links")[1]
    lines = {f"D_{{2,{i + 1}{j + 1}}}": D[i, j].latex() for i, j in ((0, 0), (0, 1), (1, 1))}
    return {name: f"${name} = {value}$" for name, value in lines.items()}


def test_entries_of_links_matrices_are_not_taken_for_christoffel_symbols() -> None:
    arm, lines = qddot.load("two_link"), entries_of_links()
    M = f"$M_{{22}} = {arm.equations().M[1, 1].latex()}$"
    assert arm.check("\n".join([*lines.values(), M]))
    wrong = lines["D_{2,22}"].replace("= ", "= 2 ")
    judgement = arm.check("\n".join([lines["D_{2,11}"], wrong, M]))
    assert judgement.wrong or judgement.unread


def test_the_energy_of_a_link_is_without_that_of_rotors() -> None:
    text = qddot.load("two_link").to_toml()
    for q in ("q1", "q2"):
        text = text.replace(f'coordinate = "{q}"', f'coordinate = "{q}", armature = 0.3')
    arm, K, M = qddot.loads(text), "K_1 = 1/6*m1*l^2*qd1^2", "M22 = m2*l^2/3 + 3/10"
    assert arm.check(f"{K}\n{M}")
    assert not arm.check(f"{K.replace('1/6', '1/5')}\n{M}")
    assert not arm.check(f"{K} + 3/20*qd1^2\n{M}")
