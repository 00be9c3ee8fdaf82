"""Half angles, states, numbered equations, one-line mathematics and letters told in words are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_twins, judged

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
ANSWERS = [  # arm, suffix, a right answer, and what is changed in it to make it wrong
    (
        "two_link",
        ".tex",
        r"""Mit $1+\cos q_2=2\cos^2\frac{q_2}{2}$ wird
\[M_{11}=\tfrac13(m_1+m_2)l^2+2m_2l^2\cos^2\frac{q_2}2,
\qquad M_{12}=m_2l^2\left(\cos^2\tfrac{q_2}{2}-\tfrac16\right),\qquad M_{22}=\tfrac13m_2l^2.\]""",
        ("2m_2l^2\\cos^2", "m_2l^2\\cos^2"),
    ),
    (
        "two_link",
        ".tex",
        r"""\[\mathbf M=\left[\begin{array}{cc}\underbrace{\tfrac13m_1l^2+\tfrac43m_2l^2
+m_2l^2c_2}_{M_{11}} & \tfrac13m_2l^2+\tfrac12m_2l^2c_2\\ \text{sym.} & \tfrac13m_2l^2\end{array}\right]\]""",
        ("\\tfrac43", "\\tfrac13"),
    ),
    (
        "two_link",
        ".tex",
        r"""$$M=\frac{m_2l^2}{6}\begin{pmatrix}2\mu+8+6c_2&2+3c_2\\2+3c_2&2\end{pmatrix},
\qquad \mu=\frac{m_1}{m_2}$$""",
        ("2\\mu+8", "\\mu+8"),
    ),
    (
        "rp",
        ".tex",
        r"""\begin{equation}\left.\begin{aligned}
\tau_1&=\bigl(I_{zz1}+I_{zz2}+m_1l_1^2+m_2d_2^2\bigr)\ddot q_1+2m_2d_2\dot d_2\dot q_1+g\cos q_1\,(m_1l_1+m_2d_2)\\
\tau_2&=m_2\ddot d_2-m_2d_2\dot q_1^2+m_2g\sin q_1
\end{aligned}\right\}\label{eq:rp}\end{equation}""",
        ("2m_2d_2", "m_2d_2"),
    ),
    (
        "cart_pole",
        ".tex",
        r"""State-space form with $x_1=x$, $x_2=\theta$, $x_3=\dot x$, $x_4=\dot\theta$, $u=F$:
\begin{align*}
\dot x_1&=x_3,&\dot x_2&=x_4,\\
\dot x_3&=\frac{u+m_p\sin x_2\,(l x_4^2+g\cos x_2)}{m_c+m_p\sin^2x_2},\\
\dot x_4&=-\frac{u\cos x_2+m_plx_4^2\sin x_2\cos x_2+(m_c+m_p)g\sin x_2}{l(m_c+m_p\sin^2x_2)}.
\end{align*}""",
        ("+g\\cos x_2", "-g\\cos x_2"),
    ),
    (
        "one_link",
        ".tex",
        r"""Setting $x_1=q$, $x_2=\dot q$ gives
\[\dot{x}=\begin{pmatrix}x_2\\ \dfrac{\tau-mgl\cos x_1}{ml^2}\end{pmatrix}.\]""",
        ("\\tau-mgl", "\\tau+mgl"),
    ),
    (
        "two_link",
        ".tex",
        r"""The gravity vector is $\mathbf{g}(\mathbf{q}) =
\operatorname{col}\!\left(\tfrac12 m_1 g l c_1 + m_2 g l (c_1 + \tfrac12 c_{12}),\; \tfrac12 m_2 g l c_{12}\right)$.""",
        ("c_1 + \\tfrac12", "c_1 - \\tfrac12"),
    ),
    (
        "two_link",
        ".tex",
        r"""$G(q)=\left[\left(\frac{m_1}{2}+m_2\right)gl\cos q_1+\frac{m_2}{2}gl\cos(q_1+q_2)
\quad \frac{m_2}{2}gl\cos(q_1+q_2)\right]^{\mathsf T}$""",
        ("\\frac{m_1}{2}+m_2", "\\frac{m_1}{2}-m_2"),
    ),
    (
        "planar_2r",
        ".tex",
        """Let $I$ be the moment of inertia of link 2 about its centre of mass, and
$a$ the distance from the elbow to that centre, so $a=l_2/2$. Then $M_{22}=I+m_2a^2$.""",
        ("I+m_2a^2", "I-m_2a^2"),
    ),
    (
        "two_link",
        ".md",
        """| quantity | value |
|---|---|
| M₁₁ | ⅓m₁l² + m₂l²(4/3 + cos q₂) |
| M₁₂ = M₂₁ | m₂l²(⅓ + ½cos q₂) |
| M₂₂ | ⅓m₂l² |
| G₁ | (½m₁ + m₂)gl cos q₁ + ½m₂gl cos(q₁+q₂) |
| G₂ | ½m₂gl cos(q₁+q₂) |""",
        ("4/3", "1/3"),
    ),
    (
        "two_link",
        ".txt",
        """τ₁ = (⅓m₁ + ⁴⁄₃m₂ + m₂cosθ₂)l²θ̈₁ + (⅓ + ½cosθ₂)m₂l²θ̈₂ − m₂l²sinθ₂(θ̇₁θ̇₂ + ½θ̇₂²)
+ (½m₁+m₂)gl cosθ₁ + ½m₂gl cos(θ₁+θ₂)
τ₂ = (⅓ + ½cosθ₂)m₂l²θ̈₁ + ⅓m₂l²θ̈₂ + ½m₂l²sinθ₂ θ̇₁² + ½m₂gl cos(θ₁+θ₂)""",
        ("− m₂l²sinθ₂", "+ m₂l²sinθ₂"),
    ),
    (
        "two_link",
        ".txt",
        """With absolute angles φ1 = q1 and φ2 = q1 + q2 (both from the horizontal):
T = 1/2 (m1/3 + m2) l^2 φ1'^2 + 1/6 m2 l^2 φ2'^2 + 1/2 m2 l^2 φ1' φ2' cos(φ2 − φ1)
V = (m1/2 + m2) g l sin φ1 + 1/2 m2 g l sin φ2
""",
        ("+ 1/6 m2", "+ 1/2 m2"),
    ),
    (
        "two_link",
        ".txt",
        """1) M11 = m1*l^2/3 + m2*l^2*(4/3 + cos(q2))   (1)
2) M12 = M21 = m2*l^2*(1/3 + cos(q2)/2)       (2)
3) M22 = m2*l^2/3                             (3)""",
        ("4/3", "1/3"),
    ),
    (
        "two_link",
        ".txt",
        """m12 = m2 l^2 (cos(q2)/2 + 1/3), by the cosine rule with r = l/2.""",
        ("cos(q2)/2", "cos(q2)"),
    ),
    (
        "two_link",
        ".txt",
        """`h_2 = 1/2 m_2 l^2 sin(q_2) dot q_1^2`, `G_2 = 1/2 m_2 g l cos(q_1 + q_2)`""",
        ("h_2 = 1/2", "h_2 = -1/2"),
    ),
    (
        "rp",
        ".txt",
        """`tau_1 = (I_(zz1) + I_(zz2) + m_1 l_1^2 + m_2 d_2^2) ddot q_1
+ 2 m_2 d_2 dot d_2 dot q_1 + (m_1 l_1 + m_2 d_2) g cos q_1`
`tau_2 = m_2 ddot d_2 - m_2 d_2 dot q_1^2 + m_2 g sin q_1`""",
        ("2 m_2 d_2", "m_2 d_2"),
    ),
    (
        "two_link",
        ".txt",
        """M=■(1/3 m_1 l^2+m_2 l^2 (4/3+cos⁡〖q_2 〗 )&m_2 l^2 (1/3+1/2 cos⁡〖q_2 〗 )@*&1/3 m_2 l^2 )""",
        ("4/3", "1/3"),
    ),
    ("rp", ".tex", r"$c_1=(m_1l_1+m_2d_2)g\cos q_1$, $c_2=m_2g\sin q_1$", ("m_1l_1+", "m_1l_1-")),
    ("rp", ".tex", r"$D_1=(m_1l_1+m_2d_2)g\cos q_1$, $D_2=m_2g\sin q_1$", ("m_1l_1+", "m_1l_1-")),
    ("one_link", ".tex", r"$ml^2\ddot q+mgl\cos q=\Gamma$, the couple at the pin", ("+mgl", "-mgl")),
    ("one_link", ".tex", r"$L=\frac12ml^2\dot q^2-mgl\sin q+\text{const}$", ("-mgl", "+mgl")),
    (
        str(ARMS / "craig_points.toml"),
        ".txt",
        "C(Θ)=[■(0&-m_2 l_1 l_2 sin(θ_2)@m_2 l_1 l_2 sin(θ_2)&0)]",
        ("0&-m_2", "0&m_2"),
    ),
    (
        str(ARMS / "elbow_com.toml"),
        ".txt",
        "I write J1, J2 for the moments of inertia I1, I2.\nM22 = J2 + m2*lc2^2",
        ("m2*lc2^2", "m2*l1^2"),
    ),
    (
        str(ARMS / "crane.toml"),
        ".md",
        r"""Rope length $\ell$ (the coordinate $r$): $$m\sin\theta\,\ddot x + m\ddot\ell - m\ell\dot\theta^2
- m g\cos\theta = F_r$$""",
        ("- m g", "+ m g"),
    ),
    ("cart_pole", ".txt", "half angles, t = theta/2:\nM12 = mp*l*(2*cos(theta/2)^2 - 1)", ("- 1", "+ 1")),
    (
        str(ARMS / "asada_planar.toml"),
        ".md",
        "| entry | value |\n|---|---|\n| $H_{12}=H_{21}$ | $I_2 + m_2\\,(l_{c2}^2 + l_1 l_{c2}\\cos\\theta_2)$ |",
        ("I_2 +", "I_2 -"),
    ),
    ("rp", ".txt", """τ_2=m_2 d ̈_2-m_2 d_2 q ̇_1^2+m_2 g sin⁡〖q_1 〗""", ("-m_2 d_2", "+m_2 d_2")),
]


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), ANSWERS)
def test_a_right_one_is_accepted_and_a_wrong_one_is_not(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(arm, suffix, text, change, tmp_path)


FURTHER = [
    (
        "tau - m*g*l*cos(q) = m*l^2*qddot\ntau = m*l^2*qddot + m*g*l*cos(q)",
        "tau + m*g*l*cos(q) = m*l^2*qddot\ntau = m*l^2*qddot + m*g*l*cos(q)",
        "one_link",
    ),
    ("J = m*l^2\ntau = m*l^2*qddot + m*g*l*cos(q)", "J = m*l^2\ntau = m*l^2*qddot - m*g*l*cos(q)", "one_link"),
    (
        "def torque(q1, d2, w1, w2, a1, a2):\n    tau2 = m2*a2 - m2*d2*w1**2 + m2*g*sin(q1)\n",
        "def torque(q1, d2, w1, w2, a1, a2):\n    tau2 = m2*a2 - m2*d2*w2**2 + m2*g*sin(q1)\n",
        "rp",
    ),
    (
        "With absolute angles phi1 = q1, phi2 = q1 + q2 the velocity is l*phi1' and G2 = m2*g*l*cos(phi2)/2",
        "With absolute angles phi1 = q1, phi2 = q1 + q2 the velocity is l*phi1' and G2 = m2*g*l*sin(phi2)/2",
        "two_link",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "arm"), FURTHER)
def test_letters_mean_what_the_text_says(right: str, wrong: str, arm: str, tmp_path: Path) -> None:
    judgement = judged(right, arm, tmp_path)
    assert judgement, judgement
    assert judged(wrong, arm, tmp_path).wrong


def test_a_column_of_torques_is_equal_to_another_column(tmp_path: Path) -> None:
    text = r"\[\begin{bmatrix}\tau_1\\\tau_2\end{bmatrix}=\begin{bmatrix}\tau_1\\m_2\ddot d_2\end{bmatrix}\]"
    assert not judged(text, "rp", tmp_path, ".tex")
