"""Names of the answer's own for torques, velocity torques, energies and parts of G are read as what they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import judged

import qddot
from qddot.base.errors import ExpressionError

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


@pytest.mark.parametrize(
    ("name", "known"), [("zeta", True), ("chi", True), ("gamma_e", True), ("zeta", False), ("chi", False)]
)
def test_a_result_on_the_way_is_known_by_its_value_under_any_name(name: str, known: bool, tmp_path: Path) -> None:
    """It is the square of the elbow's speed, the momentum of the second joint, or the elbow's acceleration."""
    values = {"zeta": "l^2*qd1^2", "chi": "(m2*l^2/3 + m2*l^2*cos(q2)/2)*qd1 + m2*l^2/3*qd2", "gamma_e": "-l*qd1^2"}
    judgement = judged(f"M22 = m2*l^2/3\n{name} = {'' if known else '2*'}{values[name]}\n", "two_link", tmp_path)
    assert bool(judgement) == known


@pytest.mark.parametrize("height", ["l*sin(q1)", "l*cos(q1)"])
def test_y_beside_x_is_a_coordinate_of_the_same_point(height: str, tmp_path: Path) -> None:
    text = f"M22 = m2*l^2/3\nx1 = l*cos(q1)/2\ny1 = {height}/2\n"
    assert bool(judged(text, "two_link", tmp_path)) == ("sin" in height)


def test_gravity_of_a_single_joint_has_either_sign() -> None:
    arm = qddot.load("one_link")
    assert arm.check("tau_g = -m*g*l*cos(q1)")
    with pytest.raises(ExpressionError):
        arm.check("tau_g = m*g*l*cos(q1)")
