"""Slips that students make are named by their kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.teach.check.checking import check

ARMS = Path(__file__).parents[4] / "bench/answers/arms"


@pytest.mark.parametrize(
    ("arm", "answer", "sentence"),
    [
        ("damped_pendulum", "tau = m*l^2*thetadd + b*theta + m*g*l*sin(theta)", "theta instead of thetad"),
        ("damped_pendulum", "K = m*l^2*thetad^2/2\nP = -m*g*l*cos(theta)\nL = K + P", "the sign of m*l*g*cos(theta)"),
        ("damped_pendulum", "P = m*g*l*(1 + cos(theta))", "the sign of the whole"),
        ("polar", "J = [-r*sin(theta), cos(theta); cos(theta), sin(theta)]", "the factor r is missing"),
        ("polar", "tau1 = (J + m*r^2)*thetadd + 2*m*r*thetad + m*g*r*cos(theta)", "the factor rd is missing"),
        ("polar", "M11 = m*r^2", "the inertia of link 1 (boom) about the centre of mass is left out"),
        ("spherical_rrp", "M11 = J1 + m*r^2", "the factor cos(phi)**2 is missing"),
        ("siciliano_2r", "h2 = m2*l1*l2*sin(theta2)*thetad1^2", "l1 instead of a1"),
        ("spring_slider", "m*xdd + k*xd + b*x = F", "k and b are exchanged"),
        ("acrobot", "G1 = (m1*lc1 + m2*l1)*g*c1 + m2*g*lc2*c12\nG2 = m2*g*lc2*s12", "cos(…) instead of sin(…)"),
        ("spong_elbow", "C = [-m2*l1*lc2*s2, -2*m2*l1*lc2*s2; m2*l1*lc2*s2, 0]", "the rates are missing"),
        ("one_link", "tau1 = m*l^2*qdd1 + m*g*l*cos(q1*180/pi)", "angles in degrees"),
        ("one_link", "tau1 = m*l^2*qdd1 + m*g*l*cos(q1*pi/180)", "angles in degrees"),
        (
            "reaction_wheel",
            "K = m1*lc1^2*qd1^2/2 + m2*l1^2*qd1^2/2 + I1*qd1^2/2 + I2*qd2^2/2",
            "a sum of rates lacks qd1",
        ),
        (
            "spring_cart",
            "M*xdd + m*xdd + m*l*(cos(theta)*thetadd - sin(theta)*thetad^2) + b*xd + k*xd = F",
            "xd instead of x",
        ),
        ("double_pendulum", "h2 = m2*l1*l2*sin(q2)*qdd1", "qdd1 instead of qd1**2"),
        ("two_link", "M22 = m2*l^2/12", "parallel-axis term"),
        ("two_link", "M12 = m2*l^2/3\nM22 = m2*l^2/3", "m2*l**2*c2/2 is missing"),
        (
            "cart_pole",
            "xdd = (F + mp*sin(theta)*(l*thetad^2 + g*cos(theta)))/(mc + mp*sin(theta)^2)\n"
            "thetadd = (F*cos(theta) - mp*l*thetad^2*sin(theta)*cos(theta) - (mc + mp)*g*sin(theta))"
            "/(l*(mc + mp*sin(theta)^2))",
            "the sign of -tau1*cos(theta)",
        ),
        ("two_link", "M11 = m1*l^2/3 + m2*l^2/3 + m2*l^2*cos(q2)", "the parallel-axis term m2*l**2 is missing"),
        (
            "lift_arm",
            "tau1 = (m1 + m2)*zdd + m2*e*cos(phi)*phidd - m2*e*sin(phi)*phidd*phid + (m1 + m2)*g",
            "phid*phidd instead of phid**2",
        ),
        (  # the other equation is right, and says nothing about this one
            "cart_pole",
            "xdd = (F + mp*sin(theta)*(l*thetad + g*cos(theta)))/(mc + mp*sin(theta)^2)\n"
            "thetadd = (-F*cos(theta) - mp*l*thetad^2*sin(theta)*cos(theta) - (mc + mp)*g*sin(theta))"
            "/(l*(mc + mp*sin(theta)^2))",
            "thetad is not squared",
        ),
        ("cart_pole", "(mc + mp)*xdd - mp*l*sin(theta)*thetad^2 = F", "mp*l*cos(theta)*thetadd is missing"),
    ],
)
def test_a_slip_is_named(arm: str, answer: str, sentence: str) -> None:
    file = ARMS / f"{arm}.toml"
    eq = qddot.load(str(file) if file.exists() else arm).equations().quantities
    said = [str(mistake) for each in check(eq, answer, None, {}).explanations for mistake in each.all]
    assert sentence in said[0]
