"""Names of the answer's own for torques, velocity torques, energies and parts of G are read as what they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
CART = """model Cart
  Real x, theta, v, w;
  input Real f "force on the cart, tau1";
  input Real u "torque at the pivot, tau2";
equation
  v = der(x);
  w = der(theta);
  (mc + mp)*der(v) + mp*l*cos(theta)*der(w) - mp*l*sin(theta)*w^2 = f;
  mp*l*cos(theta)*der(v) + mp*l^2*der(w) {} mp*g*l*sin(theta) = u;
end Cart;
"""
HOIST = r"""With $u_x=\tau_1$, $u_r=\tau_{}$,
\[(M+m)\ddot x+mr\cos\theta\,\ddot\theta+m\sin\theta\,\ddot r+2m\cos\theta\,\dot r\dot\theta
-mr\sin\theta\,\dot\theta^2=u_x\]
\[m\ddot r+m\sin\theta\,\ddot x-mr\dot\theta^2-mg\cos\theta=u_r\]
"""
RATES = r"$k=-m_2a_1l_2\sin\theta_2$, $n_1=k\dot\theta_2^2+{}k\dot\theta_1\dot\theta_2$, $n_2=-k\dot\theta_1^2$"
GRAVITY = r"$g_2=m_2l_2g\cos(\theta_1+\theta_2)$"
ENERGY = r"$E=\frac{{1}}{{{}}}m l^2\dot\theta^2$"
HALVES = r"$H_1=-m_2l_{{c2}}l_1\sin q_2({}\dot q_1\dot q_2+\dot q_2^2)$, $H_2=m_2l_{{c2}}l_1\sin q_2\,\dot q_1^2$"
SUMS = r"Let $g_2={}m_2+m_3)a_2g\,c_{{12}}$. Then $G_3=m_3a_3gc_{{123}}$, $G_2=(m_2+m_3)a_2gc_{{12}}+m_3a_3gc_{{123}}$"


@pytest.mark.parametrize(
    ("arm", "suffix", "text", "right", "wrong"),
    [
        ("cart_pole", ".mo", CART, "+", "-"),
        ("crane", ".tex", HOIST, "3", "2"),
        ("siciliano_2r", ".tex", f"{RATES}\n\n{GRAVITY}", "2", ""),
        ("damped_pendulum", ".tex", ENERGY, "2", "3"),
        ("elbow_com", ".tex", HALVES, "2", "3"),
        ("planar_3r_paul", ".tex", SUMS, "(", "2(m_1+"),
    ],
)
def test_a_name_is_read_as_what_it_stands_for(
    arm: str, suffix: str, text: str, right: str, wrong: str, tmp_path: Path
) -> None:
    file = str(ARMS / f"{arm}.toml")
    fill = (lambda it: text.replace("{}", it)) if arm in ("cart_pole", "crane") else text.format
    assert judged(fill(right), file, tmp_path, suffix)
    assert not judged(fill(wrong), file, tmp_path, suffix)


def test_torques_without_gravity_are_wrong_where_gravity_stands_nowhere_else(tmp_path: Path) -> None:
    assert judged(RATES.replace("{}", "2"), str(ARMS / "siciliano_2r.toml"), tmp_path, ".tex").wrong
