"""Derivatives in an answer are taken: Lagrange's steps are held against the energies, rates against the motion."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

L = r"$$L = \frac12 m l^2\dot\theta^2 - m g l\sin\theta$$"
LAW = r"$$\tau = m l^2\ddot\theta + m g l\cos\theta$$ $$L = T - V$$ "
SYMPY = "import sympy as sp\nL = m*l**2*q1.diff(t)**2/2 - m*g*l*sp.{}(q1)\ntau = "

RIGHT = [
    (".md", L + r"$$\frac{\partial L}{\partial\dot\theta} = m l^2\dot\theta$$"),
    (".md", L + r"$$\frac{d}{dt}\left(\frac{\partial L}{\partial\dot\theta}\right) = m l^2\ddot\theta$$"),
    (".md", r"$$\frac{\partial L}{\partial\theta} = -mgl\cos\theta$$ $$\tau = ml^2\ddot\theta + mgl\cos\theta$$"),
    (".tex", r"\[\dv{t}\pdv{L}{\dot\theta} = m l^2\ddot\theta,\quad \tau = m l^2\ddot\theta + m g\qty(l\cos\theta)\]"),
    (".tex", r"\[\tau(t) = g l m\cos{\left(q_{1}{\left(t\right)}\right)} + l^{2} m \frac{d^{2}}{d t^{2}} q_{1}(t)\]"),
    (".txt", "d/dt(m*l^2*dθ/dt) + m*g*l*cos(θ) = τ"),
    (".txt", "L = m l² θ̇²/2 − m g l sin θ\n∂L/∂θ̇ = m l² θ̇\n∂L/∂θ = −m g l cos θ"),
    (".py", SYMPY.format("sin") + "sp.diff(sp.diff(L, q1.diff(t)), t) - sp.diff(L, q1)"),
    (".m", "K = m*l^2*qd1^2/2;\nM = hessian(K, qd1);\n"),
    (".mo", "equation\n  w = der(theta);\n  m*l^2*der(w) + m*g*l*cos(theta) = tau;\n"),
    (".md", LAW + r"$$\frac{\partial L}{\partial\dot\theta} = 1.00 m l^2\dot\theta$$"),
]


@pytest.mark.parametrize(("suffix", "text"), RIGHT, ids=[text[:40] for _, text in RIGHT])
def test_a_right_step_is_accepted(suffix: str, text: str, tmp_path: Path) -> None:
    judgement = judged(text, "one_link", tmp_path, suffix)
    assert judgement, judgement


WRONG = [
    (".md", LAW + r"$$\frac{\partial L}{\partial\dot\theta} = 1.01 m l^2\dot\theta$$"),
    (".md", L + r"$$\frac{\partial L}{\partial\dot\theta} = 2 m l^2\dot\theta$$"),
    (".md", L + r"$$\frac{d}{dt}\frac{\partial L}{\partial\dot\theta} = m l^2\dot\theta$$"),
    (".md", r"$$\frac{\partial L}{\partial\theta} = mgl\cos\theta$$ $$\tau = ml^2\ddot\theta + mgl\cos\theta$$"),
    (".md", r"$$\frac{d}{dt}\left(m l^2\dot\theta\right) = \tau$$"),
    (".txt", "d/dt(m*l*dθ/dt) + m*g*l*cos(θ) = τ"),
    (".txt", "L = m l² θ̇²/2 − m g l sin θ\n∂L/∂θ = m g l cos θ"),
    (".py", SYMPY.format("cos") + "sp.diff(sp.diff(L, q1.diff(t)), t) - sp.diff(L, q1)"),
    (".m", "K = m*l^2*qd1^2;\nM = hessian(K, qd1);\n"),
    (".mo", "equation\n  w = 2*der(theta);\n  m*l^2*der(w) + m*g*l*cos(theta) = tau;\n"),
]


@pytest.mark.parametrize(("suffix", "text"), WRONG, ids=[text[:40] for _, text in WRONG])
def test_a_wrong_step_is_never_accepted(suffix: str, text: str, tmp_path: Path) -> None:
    assert not judged(text, "one_link", tmp_path, suffix)


def test_lagranges_law_alone_is_no_answer(tmp_path: Path) -> None:
    law = r"$$\tau = \frac{d}{dt}\frac{\partial L}{\partial\dot\theta} - \frac{\partial L}{\partial\theta}$$"
    judgement = judged(L + law, "one_link", tmp_path, ".md")
    assert [entry.name for entry in judgement.entries] == ["L"]
