"""What an answer says beside its equations, such as a speed or the product J q̇, is taken for no wrong entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged

SPEED = (
    r"The bob has the speed $v = l\dot q_1$, so that \[ K = \tfrac12 m l^2 \dot q_1^2, \quad G_1 = m g l SIGN q_1 \]"
)
TIP = r"""$x = l c_1 + l c_{12}, \quad y = l s_1 + l s_{12}$ and $(\dot x, \dot y)^T = J(q)\,\dot q$ with
\[ J(q) = \begin{bmatrix} -l s_1 - l s_{12} & -l s_{12} \\ l c_1 SIGN l c_{12} & l c_{12} \end{bmatrix}. \]"""
RETURNED = """function dynamics(θ, φ, θ̇, φ̇, τ1, τ2, m, g, l)
    θ̈ = τ1/(m*l^2) SIGN sin(θ)*cos(θ)*φ̇^2 - g/l*sin(θ)
    φ̈ = τ2/(m*l^2*sin(θ)^2) - 2*θ̇*φ̇*cos(θ)/sin(θ)
    return θ̈, φ̈
end
"""


@pytest.mark.parametrize(
    ("arm", "suffix", "text", "right", "wrong"),
    [
        ("one_link", ".tex", SPEED, r"\cos", r"\sin"),
        ("two_link", ".tex", TIP, "+", "-"),
        ("spherical_pendulum", ".jl", RETURNED, "+", "-"),
    ],
)
def test_what_stands_beside_the_equations_is_no_entry(
    arm: str, suffix: str, text: str, right: str, wrong: str, tmp_path: Path
) -> None:
    for sign, verdict in ((right, "right"), (wrong, "wrong")):
        assert_judged(text.replace("SIGN", sign), arm, verdict, tmp_path, suffix)
