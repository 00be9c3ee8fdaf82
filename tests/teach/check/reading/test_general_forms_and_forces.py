r"""Answers have general forms, M q̈ + N = (τ, 0)ᵀ, and say what is known beside the equations, as Q_θ = −c θ̇."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, assert_twins, judged

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
OF_CART = r"""
$$(m_c+m_p)\ddot x+m_pl\,\ddot\theta\cos\theta-m_pl\,\dot\theta^2\sin\theta=F$$
$$m_pl^2\ddot\theta+m_pl\,\ddot x\cos\theta-m_pgl\sin\theta=0$$
$$\ddot x=\frac{F+m_pl\dot\theta^2\sin\theta-m_pg\sin\theta\cos\theta}{m_c+m_p\sin^2\theta}$$
"""
OF_ACROBOT = r"""
In the form $M\ddot q+C\dot q=\tau_g(q)+Bu$ with $B=[0,\,1]^T$ the gravity torques are
\[\tau_g=\begin{bmatrix}-m_1gl_{c1}s_1-m_2g(l_1s_1+l_{c2}s_{1+2})\\-m_2gl_{c2}s_{1+2}\end{bmatrix}.\]
"""
OF_FURUTA = r"""
The dynamics take the form $M(q)\ddot q+C(q,\dot q)\dot q+g(q)=(\tau,0)^T$, $q=(\alpha,\beta)^T$, where
\[M(q)=\begin{bmatrix}J_0+mr^2+ml^2\sin^2\beta&-mrl\cos\beta\\-mrl\cos\beta&ml^2\end{bmatrix},\quad
g(q)=\begin{bmatrix}0\\-mgl\sin\beta\end{bmatrix}.\]
"""
OF_WORDS = """All terms without accelerations are in N(q, q'), so that M q'' + N = tau:
N1 = -m2 l1 lc2 sin(q2) (2 q1' + q2') q2' + (m1 lc1 + m2 l1) g cos(q1) + m2 lc2 g cos(q1 + q2)
N2 = m2 l1 lc2 sin(q2) q1'^2 + m2 lc2 g cos(q1 + q2)
"""
OF_ENERGIES = """K : 1/2*(M + m)*xd^2 + m*l*cos(theta)*xd*thetad + 1/2*(I + m*l^2)*thetad^2$
P : -m*g*l*cos(theta)$
Ps : 1/2*k*x^2$
"""
OF_SPRING = r"""
Generalized forces: $Q_x=F-b\dot x-kx$ and $Q_\theta=-c\,\dot\theta$.
$$(M+m)\ddot x+ml\cos\theta\,\ddot\theta-ml\sin\theta\,\dot\theta^2+b\dot x+kx=F$$
$$(I+ml^2)\ddot\theta+ml\cos\theta\,\ddot x+c\,\dot\theta+mgl\sin\theta=0$$
"""
OF_SLIDES = r"""
$M=\operatorname{diag}(m_1+m_2+m_3,\;m_2+m_3,\;m_3)$, $C(q,\dot q)=0_{3\times3}$, $g(q)=(0,\;0,\;m_3g)^{\mathsf T}$.
"""
OF_CRANE = r"""
\[
\left\{
\begin{array}{l}
(M+m)\ddot x+m\sin\theta\,\ddot r+mr\cos\theta\,\ddot\theta+2m\cos\theta\,\dot r\dot\theta
-mr\sin\theta\,\dot\theta^2=F_x\\[3pt]
r\ddot\theta+\cos\theta\,\ddot x+2\dot r\dot\theta+g\sin\theta=0\\[3pt]
m\ddot r+m\sin\theta\,\ddot x-mr\dot\theta^2-mg\cos\theta=F_r
\end{array}
\right.
\]
"""
TWINS = [
    ("cartpole_up", ".md", OF_CART, (r"F+m_pl\dot", r"F-m_pl\dot")),
    ("acrobot", ".tex", OF_ACROBOT, ("-m_2gl_{c2}s_{1+2}\\end", "+m_2gl_{c2}s_{1+2}\\end")),
    ("furuta", ".tex", OF_FURUTA, (r"0\\-mgl", r"0\\mgl")),
    ("spong_elbow", ".txt", OF_WORDS, ("N2 = m2", "N2 = -m2")),
    ("spring_cart", ".mac", OF_ENERGIES, ("P : -m", "P : m")),
    ("spring_cart", ".md", OF_SPRING, ("+mgl", "-mgl")),
    ("gantry", ".tex", OF_SLIDES, ("m_3g)", "m_2g)")),
    ("gantry", ".tex", OF_SLIDES, (r"(0,\;0,\;m_3g)^{\mathsf T}", "0_3")),
    ("crane", ".tex", OF_CRANE, (r"+2\dot r\dot\theta+g", "+g")),
]
SPEEDS = r"""
* $\dot x_1^2+\dot y_1^2 = r_1^2\dot\theta_1^2$
* $\dot x_2^2+\dot y_2^2 = l_1^2\dot\theta_1^2+r_2^2(\dot\theta_1+\dot\theta_2)^2
+2l_1r_2\cos\theta_2\dot\theta_1(\dot\theta_1+\dot\theta_2)$

$$K = \frac12m_1r_1^2\dot\theta_1^2+\frac12I_{z1}\dot\theta_1^2+\frac12I_{z2}(\dot\theta_1+\dot\theta_2)^2
+\frac12m_2\left[l_1^2\dot\theta_1^2+r_2^2(\dot\theta_1+\dot\theta_2)^2+2l_1r_2\cos\theta_2\dot\theta_1(\dot\theta_1+\dot\theta_2)\right]$$
"""
ACCELERATION = r"""
$$a_{x} = -\ell_1\sin\theta_1\,\ddot\theta_1-\ell_1\cos\theta_1\,\dot\theta_1^2
-\ell_{c2}\sin(\theta_1+\theta_2)(\ddot\theta_1+\ddot\theta_2)
-\ell_{c2}\cos(\theta_1+\theta_2)(\dot\theta_1+\dot\theta_2)^2$$
$$G_2=m_2g\ell_{c2}\cos(\theta_1+\theta_2)$$
"""
OF_ELBOW = """The robot satisfies D(q) q'' + C(q,q') q' + G(q) = [0; u] with
D22 = I2 + m2 lc2^2
G2 = m2 g lc2 sin(q1 + q2)
"""
OF_DAMPER = """Q_x = F - b x', Q_theta = -c theta'
(M+m) x'' + m l cos(theta) theta'' - m l sin(theta) theta'^2 + b x' + k x = F
(I + m l^2) theta'' + m l cos(theta) x'' + c theta' + m g l sin(theta) = 0
"""
IN_LETTERS = (
    OF_DAMPER.replace("x''", "xdd").replace("theta''", "thetadd").replace("x'", "xd").replace("theta'", "thetad")
)
OF_PARTS = r"""$T=\frac12(M+m)\dot x^2+ml\cos\theta\,\dot x\dot\theta+\frac12(I+ml^2)\dot\theta^2$,
$V_g=-mgl\cos\theta$, $V_s=\frac12kx^2$."""
TWINS += [
    ("acrobot", ".txt", OF_ELBOW, ("G2 = m2", "G2 = -m2")),
    ("spring_cart", ".txt", OF_DAMPER, ("+ k x", "- k x")),
    ("spring_cart", ".txt", OF_DAMPER, ("+ b x'", "+ 2 b x'")),
    ("spring_cart", ".txt", IN_LETTERS, ("+ b xd", "+ 2 b xd")),
    ("spring_cart", ".tex", OF_PARTS, ("V_g=-", "V_g=")),
]
WITH_SLIPS = [  # in what is recognized beside the equations, a slip leaves it unread
    ("mls_2r", ".md", SPEEDS, (r"* $\dot x_1^2+\dot y_1^2 = r", r"* $\dot x_1^2+\dot y_1^2 = 2r")),
    ("asada_planar", ".md", ACCELERATION, (r"= -\ell", r"= \ell")),
    ("spring_cart", ".md", OF_SPRING, (r"-c\,", r"c\,")),
]
STATE = """Values: m1 = m2 = 1 kg, l = 1 m, g = 9.81 m/s^2, posture q1 = 30 deg, q2 = 60 deg.

M11 = 1/3 + 4/3 + cos 60° = 2.1667
G1 = 14.715 cos 30° + 4.905 cos 90° = 12.7436
"""
WHEEL = r"""
With $J = I_1 + m_1 l_{c1}^2 + m_2 l_1^2$,
$$\ddot q_1 = \frac{(m_1l_{c1}+m_2l_1) g\sin q_1 - \tau}{J}, \qquad \ddot q_2 = \frac{\tau}{I_2} - \ddot q_1$$
"""


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), TWINS, ids=lambda value: str(value)[:30])
def test_a_general_form_beside_the_entries_is_no_mistake(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(str(ARMS / f"{arm}.toml"), suffix, text, change, tmp_path)


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), WITH_SLIPS, ids=lambda value: str(value)[:30])
def test_a_slip_beside_the_equations_is_not_accepted(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_judged(text, str(ARMS / f"{arm}.toml"), "right", tmp_path, suffix)
    assert_judged(text.replace(*change, 1), str(ARMS / f"{arm}.toml"), "unread", tmp_path, suffix)


def test_the_energy_of_springs_needs_the_potential_energy_beside_it(tmp_path: Path) -> None:
    without = OF_ENERGIES.replace("P : -m*g*l*cos(theta)$\n", "")
    assert_judged(without, str(ARMS / "spring_cart.toml"), "wrong", tmp_path, ".mac")


@pytest.mark.parametrize("change", [("cos 60°", "2 cos 60°"), ("cos 90°", "sin 90°")])
def test_a_calculation_with_sines_has_the_numbers_of_the_state(change: tuple[str, str], tmp_path: Path) -> None:
    assert_judged(STATE, "two_link", "right", tmp_path)
    assert_judged(STATE.replace(*change), "two_link", "wrong", tmp_path)


def test_of_a_torque_without_a_joint_the_joint_is_asked(tmp_path: Path) -> None:
    arm = str(ARMS / "reaction_wheel.toml")
    judgement = judged(WHEEL, arm, tmp_path, ".tex")
    assert "if so, name the torque" in str(judgement)
    assert_judged(WHEEL, arm, "unread", tmp_path, ".tex")
    assert_judged(WHEEL.replace("With", "The torque acts on the wheel. With"), arm, "right", tmp_path, ".tex")
    assert_judged(WHEEL.replace("With", "The torque acts at the wheel, joint 2. With"), arm, "right", tmp_path, ".tex")
    assert_judged(WHEEL.replace("q_1 - ", "q_1 + "), arm, "wrong", tmp_path, ".tex")
