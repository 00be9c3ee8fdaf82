"""Right answers in forms that books, sessions and pages print are right, and a wrong one in the same form is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot

ROD = """
convention = "tree"
gravity = [0, 0, "-g"]
coordinates = ["theta"]
[symbols]
m = 1.0
L = 0.8
b = 0.1
[[link]]
joint = { type = "revolute", axis = [0, -1, 0], coordinate = "theta", damping = "b" }
mass = "m"
com = [0, 0, "-L/2"]
inertia = { about = "com", yy = "m*L**2/12" }
"""
NUMBERED = """3 Equations of motion
T1 = (1/3 m1 + 4/3 m2 + m2 cos q2) l² q̈1 + (1/3 m2 + 1/2 m2 cos q2) l² q̈2
− m2 l² sin q2 q̇1 q̇2 − 1/2 m2 l² sin q2 q̇2² + (1/2 m1 + m2) g l cos q1
+ 1/2 m2 g l cos(q1 + q2) (12)
T2 = (1/3 m2 + 1/2 m2 cos q2) l² q̈1 + 1/3 m2 l² q̈2 + 1/2 m2 l² sin q2 q̇1²
+ 1/2 m2 g l cos(q1 + q2) (13)
"""
SESSION = """julia> eqs
2-element Vector{Equation}:
 (mc + mp)*Differential(t)(Differential(t)(x(t))) + l*mp*cos(θ(t))*Differential(t)(Differential(t)(θ(t))) - \
l*mp*(Differential(t)(θ(t))^2)*sin(θ(t)) ~ F
 l*mp*cos(θ(t))*Differential(t)(Differential(t)(x(t))) + (l^2)*mp*Differential(t)(Differential(t)(θ(t))) + \
g*l*mp*sin(θ(t)) ~ 0
"""
UNITS = r"""With $m=\SI{1}{\kilo\gram}$, $L=\SI{0.8}{\metre}$, $b=\SI{0.05}{\newton\metre\second}$ and
$g=\SI{9.81}{\metre\per\second\squared}$ the equation of motion is
\[0.2133\,\ddot\theta+0.05\,\dot\theta+3.924\sin\theta=\tau\]
"""
ELEMENTS = r"""$A_{11} = I_{1zz} + I_{2zz} + \frac{m_1l_1^2}4 + m_2l_1^2 + \frac{m_2l_2^2}4 + m_2l_1l_2\cos q_2$,
$A_{12} = I_{2zz} + \frac{m_2l_2^2}4 + \frac12m_2l_1l_2\cos q_2$, $A_{22} = I_{2zz} + \frac{m_2l_2^2}4$."""
SLOW = """function dz = rhs(t, z, m1, m2, l, g, u)
q1 = z(1); q2 = z(2);
M = [m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q2), m2*l^2/3 + m2*l^2*cos(q2)/2; m2*l^2/3 + m2*l^2*cos(q2)/2, m2*l^2/3];
G = [(m1/2 + m2)*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2; m2*g*l*cos(q1 + q2)/2];
dz = [z(3:4); M\\(u - G)];   % velocity terms follow later
end
"""
COLUMNS = """syms l q1 real
Jv = [-l*sin(q1); l*cos(q1); 0];
Jw = [0; 0; 1];
J  = [Jv; Jw];
"""
GRAVITY = r"""$M(q)\ddot q + C(q,\dot q)\dot q + g(q) = (\tau_1,\tau_2)^T$ with
\[M(q) = \begin{pmatrix}(m_1/3+4m_2/3+m_2\cos q_2)l^2&(m_2/3+m_2\cos q_2/2)l^2\\
(m_2/3+m_2\cos q_2/2)l^2&m_2l^2/3\end{pmatrix},\]
\[C(q,\dot q)=\begin{pmatrix}-\frac12m_2l^2\sin q_2\,\dot q_2&-\frac12m_2l^2\sin q_2(\dot q_1+\dot q_2)\\
\frac12m_2l^2\sin q_2\,\dot q_1&0\end{pmatrix},\]
\[g(q) = \begin{pmatrix}(m_1/2+m_2)gl\cos q_1+\frac12m_2gl\cos(q_1+q_2)\\\frac12m_2gl\cos(q_1+q_2)\end{pmatrix}.\]
"""
FORMS = {
    "numbers of equations": ("two_link", NUMBERED, "", ("(1/3 m2 +", "(2/3 m2 +")),
    "a session's equations": ("cart_pole", SESSION, "", ("g*l*mp", "2*g*l*mp")),
    "units by commands": ("rod", UNITS, "", ("3.924", "3.294")),
    "elements A": ("planar_2r", ELEMENTS, "M", (r"+ \frac{m_2l_2^2}4$", r"- \frac{m_2l_2^2}4$")),
    "velocity terms that follow": ("two_link", SLOW, "M, G", ("m2*g*l*cos(q1 + q2)/2];", "m2*g*l*cos(q1 + q2)/3];")),
    "columns of columns": ("one_link", COLUMNS, "J_tool", ("0; 1]", "0; 2]")),
    "g(q) beside the symbol g": ("two_link", GRAVITY, "", (r"\frac12m_2gl\cos(q_1+q_2)\\", r"m_2gl\cos(q_1+q_2)\\")),
}


@pytest.mark.parametrize("form", FORMS)
def test_printed_form_is_judged(form: str, tmp_path: Path) -> None:
    name, text, asked, (old, new) = FORMS[form]
    arm = qddot.loads(ROD) if name == "rod" else qddot.load(name)
    file = tmp_path / ("answer.m" if "syms" in text or "function" in text else "answer.txt")
    file.write_text(text, encoding="utf-8")
    right = arm.check(file, only=asked or None)
    assert right, right.text()
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    wrong = arm.check(file, only=asked or None)
    assert wrong.wrong, wrong.text()
