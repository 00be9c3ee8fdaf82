"""Errors in the print of five teaching documents, found and named by `arm.check`.

    python examples/errata.py

Every formula below is as printed in its document, or follows from the printed formula. It is compared with
the equations of its arm, the mistake is named, and the corrected formula is proved equal.

Slides: Zhejiang University, robot dynamics. Blog: the two-link arm by Lagrange's method. Homework: ME 739, homework 3,
problem 2. Lecture 12: Ohio State, ECE 5463. CS223A: Stanford, dynamics.

Some errors are in no formula and are left out here: a title (the slides' four links, of which three are expanded), a
sentence (the blog's "solve the Newton-Euler equations"), an integral that is zero with or without its rho dV (the
blog's cross term), entries and tables that are blank (lecture 12, CS223A), and what the homework's script does and
says of its motion, for which there is examples/spatial_2r.py. Two printed indices are wrong and change nothing in the
arm that they are printed for, so they are put into arms in which they matter: the slides' Q3 Q2 for Q3^2, which are
equal where both joints turn, and the homework's d21 for d22.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import NamedTuple

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import QddotError


class Erratum(NamedTuple):
    """A printed formula, the mistake that `check` is to name, and the right formula."""

    source: str
    arm: qddot.Robot
    printed: str
    mistake: str
    right: str


def one_body() -> qddot.Robot:
    """Returns a body that turns about a fixed axis through its centre of mass."""
    row, body = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}, {"mass": "m", "inertia": {"about": "com", "zz": "I"}}
    return qddot.from_dh([row], [{**body, "partial_inertia": True}], symbols="m I", name="one body")


def gimbal() -> qddot.Robot:
    """Returns a slender body with two axes through its centre of mass: I1 along it, I2 across."""
    rows = [{"theta": f"q{k}", "d": 0, "a": 0, "alpha": alpha} for k, alpha in ((1, "90deg"), (2, 0))]
    inertia = {"about": "com", "xx": "I1", "yy": "I2", "zz": "I2"}
    return qddot.from_dh(rows, [{}, {"mass": "m", "inertia": inertia}], symbols="m I1 I2", name="gimbal")


def with_slide() -> qddot.Robot:
    """Returns an arm whose second joint slides, so that Q2 and Q3 are different matrices."""
    rows = [
        {"theta": "q1", "d": 0, "a": 0, "alpha": "-90deg"},
        {"theta": 0, "d": "d2", "a": 0, "alpha": "90deg"},
        {"theta": "q3", "d": 0, "a": "a3", "alpha": 0},
    ]
    return qddot.from_dh(rows, [{"mass": f"m{k}"} for k in (1, 2, 3)], symbols="a3 m1 m2 m3", name="with a slide")


def abbreviated_1986() -> qddot.Robot:
    """Returns the PUMA 560 with the published constants in its M that the abbreviation keeps in a13 and a66."""
    kept, model = {"I8": "-0.134", "I13": "-0.00379", "Im6": "0.19"}, qddot.load("puma560_1986").model
    assert model.explicit is not None

    def in_numbers(entry: object) -> str:
        return re.sub(r"\bI\w+\b", lambda name: f"({kept.get(name[0], 0)})", str(entry))

    M = tuple(tuple(expression(in_numbers(entry)) for entry in row) for row in model.explicit.M)
    return qddot.Robot(replace(model, explicit=replace(model.explicit, M=M)))


ONE_LINK, PLANAR, SPATIAL, ELBOW, RP = map(qddot.load, ("one_link", "planar_2r", "spatial_2r", "elbow_3r", "rp"))
SHORT_1986 = abbreviated_1986()
ZEROS = r"\begin{bmatrix} 0&0&0&0 \\ 0&0&0&0 \\ 0&0&0&0 \\ 0&0&0&0 \end{bmatrix}"
Q3_TWICE = r"""U_{333} = \begin{bmatrix} -c_{13} & s_{13} & 0 & -a_3 c_{13} \\ -s_{13} & -c_{13} & 0 & -a_3 s_{13} \\
0 & 0 & 0 & 0 \\ 0 & 0 & 0 & 0 \end{bmatrix}"""
TAU1_SPATIAL = """(Ia + m1*L^2/4 + (6*Ia + 9*m2*L^2 + 8*m2*L^2*c2 + (2*Ia + m2*L^2)*cos(2*q2))/8)*qdd1
+ (-m2*L^2*s2 - (2*Ia + m2*L^2)*sin(2*q2)/4)*qd1*qd2 + L*g*s1*(m1/2 + m2 + m2*c2/2)"""
TAU2_SPATIAL = "(Ia + m2*L^2/4)*qdd2 + (m2*L^2*s2/2 + (2*Ia + m2*L^2)*sin(2*q2)/8)*qd1^2 + L*g*m2*c1*s2/2"
RP_TORQUES = r"""\tau = \begin{bmatrix} m_1 l_1^2 + I_{zz1} + m_2 d_2^2 + I_{zz2} & 0 \\ 0 & m_2 \end{bmatrix}
\begin{bmatrix} %s{\theta}_1 \\ %s{d}_2 \end{bmatrix}
+ \begin{bmatrix} 2 m_2 d_2 \\ 0 \end{bmatrix} \dot\theta_1 \dot d_2
+ \begin{bmatrix} 0 & 0 \\ -m_2 d_2 & 0 \end{bmatrix} \begin{bmatrix} \dot\theta_1^2 \\ \dot d_2^2 \end{bmatrix}
+ \begin{bmatrix} (m_1 l_1 + m_2 d_2) g c_1 \\ m_2 g s_1 \end{bmatrix}"""
GAMMA = (
    r"\Gamma_{%s} = (I_{y2} - I_{z2} - m_2 r_1^2) %s + (I_{y3} - I_{z3}) c_{23} s_{23} "
    r"- m_3 (l_1 c_2 + r_2 c_{23}) (l_1 s_2 + r_2 s_{23})"
)
GAMMA_211 = (
    r"\Gamma_{211} = (I_{z2} - I_{y2} + %s r_1^2) c_2 s_2 + (I_{z3} - I_{y3}) c_{23} s_{23} "
    r"+ m_3 (l_1 c_2 + r_2 c_{23}) (l_1 s_2 + r_2 s_{23})"
)
N_BRACKETS = r"""N = \begin{bmatrix} 0 \\ -(m_2gr_1 + m_3gl_1)\cos\theta_2 - m_3r_2\cos(\theta_2 + \theta_3)) \\
-m_3gr_2\cos(\theta_2 + \theta_3)) \end{bmatrix}"""
N = r"""N = \begin{bmatrix} 0 \\ -(m_2gr_1 + m_3gl_1)\cos\theta_2 - %s\cos(\theta_2 + \theta_3) \\
-m_3gr_2\cos(\theta_2 + \theta_3) \end{bmatrix}"""
D = "M = [m1*(Ia + L^2/4) + m2*(6*Ia + 9*L^2 + 8*L^2*cos(q2) + (2*Ia + L^2)*cos(2*q2))/8, 0; 0, m2*(Ia + L^2/4)]"
B_122 = "b_{1,22} = -m2*l1*l2*sin(q2)/2\n"
D_RIGHT = (
    "M = [Ia + m1*L^2/4 + (6*Ia + 9*m2*L^2 + 8*m2*L^2*cos(q2) + (2*Ia + m2*L^2)*cos(2*q2))/8, 0; 0, Ia + m2*L^2/4]"
)
POTENTIAL = "P = %sm1*g*l1*s1/2 %s m2*g*(l1*s1 + l2*s12/2)"

ERRATA = (
    Erratum(
        "slides, one link: the sign of gravity",
        ONE_LINK,
        r"\tau_1 = l^2 m \ddot{\theta}_1 - g m \cdot l \cdot C\theta_1",
        "gravity points the other way",
        r"\tau_1 = l^2 m \ddot{\theta}_1 + g m \cdot l \cdot C\theta_1",
    ),
    Erratum(
        "slides, potential energy: T_0^1, which turns back, for T_1^0",
        ONE_LINK,
        "P = m*g*l*sin(-q1)",
        "gravity points the other way",
        "P = m*g*l*sin(q1)",
    ),
    Erratum(
        "slides, rotational energy: I w'w for w'I w, as if I were one number, here that across the body",
        gimbal(),
        "K = I2*(qd1^2 + qd2^2)/2",
        "I2 instead of I1",
        "K = (I1*s2^2*qd1^2 + I2*c2^2*qd1^2 + I2*qd2^2)/2",
    ),
    Erratum(
        "slides, U_333: T_2 Q3 Q2 T_3 for T_2 Q3^2 T_3; Q3 Q2 is zero where joint 2 slides",
        with_slide(),
        rf"U_{{333}} = {ZEROS}",
        "0 instead of an expression that is not zero",
        Q3_TWICE,
    ),
    Erratum(
        "blog, potential energy: -m G'p with G = (0, 0, g) and a positive g",
        PLANAR,
        POTENTIAL % ("-", "-"),
        "gravity points the other way",
        POTENTIAL % ("", "+"),
    ),
    Erratum(
        "homework, J_vc2(3,2)", SPATIAL, "J_c2[3,2] = L*cos(q2)", "an extra factor of 2", "J_c2[3,2] = L*cos(q2)/2"
    ),
    Erratum("homework, D: m1 and m2 multiply Ia", SPATIAL, D, "the inertia of every link is multiplied by", D_RIGHT),
    Erratum(
        "homework, right-hand side: (tau1, tau1) for (tau1, tau2)",
        SPATIAL,
        f"tau_2 = {TAU1_SPATIAL}",
        "this is tau1",
        f"tau_2 = {TAU2_SPATIAL}",
    ),
    Erratum(
        "homework, b_2,22: half the slope of d21 for that of d22, in an arm with coupled joints",
        PLANAR,
        B_122 + "b_{2,22} = -m2*l1*l2*sin(q2)/4",  # beside another b, from which it is clear what b means
        "should not be there",
        B_122 + "b_{2,22} = 0",
    ),
    Erratum(
        "lecture 12, tau_i: the sum over j starts at i, so that what is left of the diagonal is lost",
        PLANAR,
        "tau_2 = (m2*l2^2/4 + I2zz)*qdd2 + m2*l1*l2*s2*qd1^2/2 + m2*g*l2*c12/2",
        "is missing",
        "tau_2 = (m2*(l2^2/4 + l1*l2*c2/2) + I2zz)*qdd1 + (m2*l2^2/4 + I2zz)*qdd2 "
        "+ m2*l1*l2*s2*qd1^2/2 + m2*g*l2*c12/2",
    ),
    Erratum(
        "lecture 12, Gamma_112: damaged letters",
        ELBOW,
        GAMMA % (112, "c_{282}"),
        "no 'c_282'",
        GAMMA % (112, "c_2 s_2"),
    ),
    Erratum(
        "lecture 12, Gamma_121: damaged letters", ELBOW, GAMMA % (121, "c_{28}"), "no 'c_28'", GAMMA % (121, "c_2 s_2")
    ),
    Erratum("lecture 12, Gamma_211: m3 for m2", ELBOW, GAMMA_211 % "m_3", "m3 instead of m2", GAMMA_211 % "m_2"),
    Erratum("lecture 12, N: brackets", ELBOW, N_BRACKETS, "')' in a bracket that was opened", N % "m_3 g r_2"),
    Erratum("lecture 12, N row 2: m3 r2 without g", ELBOW, N % "m_3 r_2", "the factor g is missing", N % "m_3 g r_2"),
    Erratum("lecture 12, PUMA a66", SHORT_1986, "a_{66} = 0.39", "the number 0.39 instead of 0.19", "a_{66} = 0.19"),
    Erratum(
        "lecture 12, PUMA a13",
        SHORT_1986,
        "a_{13} = -0.134*C23 - 3.97e-3*S23",
        "the number -0.00397 instead of -0.00379",
        "a_{13} = -0.134*C23 - 3.79e-3*S23",
    ),
    Erratum(
        "CS223A, Euler's equation: w' + w x I w = N, here about a fixed axis",
        one_body(),
        "tau_1 = qdd1",
        "the factor I is missing",
        "tau_1 = I*qdd1",
    ),
    Erratum(
        "CS223A, last equation: M multiplies rates",
        RP,
        RP_TORQUES % (r"\dot", r"\dot"),
        "rates instead of accelerations",
        RP_TORQUES % (r"\ddot", r"\ddot"),
    ),
)


def named(erratum: Erratum) -> str:
    """Returns what `check` says of a printed formula: the likeliest mistake, or why it cannot be read."""
    try:
        found = erratum.arm.check(erratum.printed)
    except QddotError as error:
        return str(error)
    return str(found.mistakes[0]) if found.mistakes else "equal" if found else "different"


def main() -> int:
    """Judges every printed formula and every corrected one; returns how many are not as they should be."""
    wrong = 0
    for each in ERRATA:
        said, corrected = named(each), bool(each.arm.check(each.right))
        wrong += each.mistake not in said or not corrected
        print(f"{'✓' if each.mistake in said else '✗'} {each.source}\n    {said}")
        print(f"    corrected: {'proved equal' if corrected else 'not equal'}")
    print(f"{len(ERRATA) - wrong} of {len(ERRATA)} errata are found and named, and proved equal as corrected")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
