"""Right-hand sides for ode45, as students hand them in: matrices, entries, halves of the state; right and wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import qddot
from qddot.teach.check.judging.judgement import Judgement

VALUES = "m1 = 10; m2 = 10; L = 2; Ia = 5; g = 9.81;"

# names of coordinates and rates, the torques as a function, matrices with lines that continue
NAMED = f"""function zDot = rhs(t, z, tau)
% SPATIAL 2R  state derivative
{VALUES}   % SI
if nargin < 3
    tau = @(t, z) zeros(2, 1);
end
q1 = z(1); q2 = z(2); dq1 = z(3); dq2 = z(4);
c2 = cos(q2); s2 = sin(q2);
D = [Ia + m1*L^2/4 + (6*Ia + 9*m2*L^2 + 8*m2*L^2*c2 + ...
      (2*Ia + m2*L^2)*cos(2*q2))/8, 0; ...
     0, Ia + m2*L^2/4];
B = [-m2*L^2*s2 - (2*Ia + m2*L^2)*sin(2*q2)/4; 0];
C2 = [0 0; (m2*L^2*s2 + (2*Ia + m2*L^2)*sin(2*q2)/4)/2 0];
G = [L*g*sin(q1)*(m1/2 + m2 + m2*c2/2); L*g*m2*cos(q1)*s2/2];
qdd = D \\ (tau(t, z) - B*[dq1*dq2] - C2*[dq1^2; dq2^2] - G);
zDot = [dq1; dq2; qdd];
end
"""
# entry by entry, halves of the state and of its rate, elementwise powers
BY_ENTRIES = f"""function dz = rhs(t, z)
{VALUES}
D = zeros(2,2);
D(1,1) = Ia + m1*L.^2/4 + (6*Ia + 9*m2*L^2 + 8*m2*L^2*cos(z(2)) + (2*Ia + m2*L^2)*cos(2*z(2)))/8;
D(2,2) = Ia + m2*L^2/4;
B = [-m2*L^2*sin(z(2)) - (2*Ia + m2*L^2)*sin(2*z(2))/4; 0];
C = zeros(2);
C(2,1) = (m2*L^2*sin(z(2)) + (2*Ia + m2*L^2)*sin(2*z(2))/4)/2;
G = [L*g*sin(z(1))*(m1/2 + m2 + m2*cos(z(2))/2);
     L*g*m2*cos(z(1))*sin(z(2))/2];
dz = zeros(4,1);
dz(1:2) = z(3:4);
dz(3:4) = D\\([0; 0] - B*z(3)*z(4) - C*z(3:4).^2 - G);
end
"""
ALL = {*("M11", "M12", "M21", "M22", "B112", "B212", "C2_11", "C2_12", "C2_21", "C2_22", "G1", "G2", "tau1", "tau2")}


@cache
def arm() -> qddot.Robot:
    return qddot.load("spatial_2r")


def judged(text: str, folder: Path) -> Judgement:
    path = folder / "rhs.m"
    path.write_text(text, encoding="utf-8")
    return arm().check(path)


@pytest.mark.parametrize("text", [NAMED, BY_ENTRIES], ids=["named", "by entries"])
def test_a_right_listing_is_right_up_to_its_accelerations(text: str, tmp_path: Path) -> None:
    judgement = judged(text, tmp_path)
    assert judgement, judgement.text()
    assert {entry.name for entry in judgement.entries} == ALL


@pytest.mark.parametrize(
    ("text", "right", "wrong", "entries", "mistake"),
    [
        (NAMED, "C2 = [0 0; (m2", "C2 = [0 0; (-m2", {"C2_21", "tau2"}, "the sign of m2*L**2*s2/2"),
        (NAMED, "- C2*[dq1^2", "+ C2*[dq1^2", {"tau2"}, "the sign of"),
        (NAMED, "- B*[dq1*dq2]", "- 2*B*[dq1*dq2]", {"tau1"}, "is doubled"),
        (NAMED, "G = [L*g*sin(q1)", "G = [-L*g*sin(q1)", {"G1", "tau1"}, "the sign of the whole expression"),
        (BY_ENTRIES, "- B*z(3)*z(4)", "+ B*z(3)*z(4)", {"tau1"}, "the sign of"),
        (BY_ENTRIES, "D(2,2) = Ia + m2", "D(2,2) = Ia - m2", {"M22", "tau2"}, "the sign of m2*L**2/4"),
        (BY_ENTRIES, "8*m2*L^2*cos(z(2))", "8*m2*L^2*sin(z(2))", {"M11", "tau1"}, "sin(q2) instead of cos(q2)"),
    ],
)
def test_a_slip_is_found_and_named(
    text: str, right: str, wrong: str, entries: set[str], mistake: str, tmp_path: Path
) -> None:
    assert text.count(right) == 1
    judgement = judged(text.replace(right, wrong), tmp_path)
    assert {entry.name for entry in judgement.entries if entry.verdict == "different"} == entries
    assert mistake in judgement.text()


# the Lagrangian with symbolic functions of time: slices, cross products, blocks, a vector that is cut
LAGRANGE = """syms q1(t) q2(t) dq1(t) dq2(t);
syms I1zz I2zz real;
g0 = [0; 0; {sign}g];
T1 = formula([cos(q1) -sin(q1) 0 0; 0 0 -1 0; sin(q1) cos(q1) 0 0; 0 0 0 1]);
T2 = formula([cos(q2) -sin(q2) 0 l1; sin(q2) cos(q2) 0 0; 0 0 1 0; 0 0 0 1]);
T20 = T1*T2;
pc1 = formula(simplify(T1 * [l1/2; 0; 0; 1]));
pc1 = pc1(1:3);
pc2 = formula(T1 * T2 * [l2/2; 0; 0; 1]);
pc2 = pc2(1:3);
z1 = T1(1:3,3);
z2 = T20(1:3, 3);
o2 = T20(:,4);
o2 = o2(1:3);
oc1 = pc1;
J1c = [cross(z1, pc1) zeros(3,1); z1 zeros(3,1)];
J2c = [cross(z1, pc2) cross(z2, {arm}); z1 z2];
vw1 = formula(J1c * [dq1; dq2]);
v1 = formula(vw1(1:3));
vw2 = formula(J2c * [dq1; dq2]);
v2 = vw2(1:3);
w2 = vw2(4:6);
R2 = T20(1:3, 1:3);
I2 = [0 0 0; 0 0 0; 0 0 I2zz];
E1 = 1/2 * m1 * v1' * v1 + 1/2 * I1zz * dq1^2;
E2 = 1/2 * m2 * v2' * v2 + 1/2 * w2' * R2 * I2 * R2' * w2;
U1 = -m1 * g0' * pc1;
U2 = -m2 * g0' * pc2;
L = simplify(E1 + E2 - U1 - U2);
tau1 = formula(diff(diff(L, dq1), t) - diff(L, q1));
tau2 = formula(diff(diff(L, dq2), t) - diff(L, q2));
"""


def test_a_symbolic_lagrangian_is_judged_to_its_torques(tmp_path: Path) -> None:
    path = tmp_path / "lagrange.m"
    planar = qddot.load("planar_2r")

    def judged_as(sign: str = "-", arm: str = "pc2 - o2") -> Judgement:
        path.write_text(LAGRANGE.format(sign=sign, arm=arm), encoding="utf-8")
        return planar.check(path)

    right = judged_as()
    assert right, right.text()
    assert {"L", "tau1", "tau2", "P1", "A2[1,4]"} <= {each.name for each in right.entries}
    assert {"P1", "P2", "L", "tau1", "tau2"} == {each.name for each in judged_as(sign="").wrong}
    assert {"L", "tau1", "tau2"} <= {each.name for each in judged_as(arm="o2 - pc2").wrong}
