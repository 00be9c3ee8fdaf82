"""What functions in C, C++, Java, JavaScript and Rust return is read as the quantity that they are called after."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, judged
from refusals import refusal

import qddot
from qddot.base.errors import ExpressionError

PROGRAMS = [  # arm, suffix, a right program, and what is changed in it to make it wrong
    (
        "two_link",
        ".cpp",
        """#include <Eigen/Dense>
using namespace Eigen;
Matrix2d massMatrix(const Vector2d& q) {
  double c2 = std::cos(q(1));
  Matrix2d M;
  M << m1*l*l/3.0 + m2*l*l*(4.0/3.0 + c2), m2*l*l*(1.0/3.0 + 0.5*c2),
       m2*l*l*(1.0/3.0 + 0.5*c2), m2*l*l/3.0;
  return M;
}""",
        ("4.0/3.0", "1.0/3.0"),
    ),
    (
        "two_link",
        ".cpp",
        """Eigen::Vector2d gravity(const Eigen::Vector2d &q)
{
    Eigen::Vector2d G;
    G(0) = g*l*((0.5*m1 + m2)*std::cos(q(0)) + 0.5*m2*std::cos(q(0) + q(1)));
    G(1) = 0.5*m2*g*l*std::cos(q(0) + q(1));
    return G;
}""",
        ("G(1) = 0.5", "G(1) = -0.5"),
    ),
    (
        "two_link",
        ".h",
        """#define HALF 0.5
#define SQR(x) ((x)*(x))
struct Arm {
  double m1, m2, l, g;
  double M22() const { return m2*SQR(l)/3; }
  double G2(double q1, double q2) const { return HALF*m2*g*l*cos(q1 + q2); }
};""",
        ("m2*SQR(l)/3", "m2*SQR(l)/2"),
    ),
    (
        "rp",
        ".c",
        """void torques(const double q[2], const double qd[2], const double qdd[2], double out[2])
{
  out[0] = (Izz1 + m1*l1*l1 + Izz2 + m2*q[1]*q[1])*qdd[0] + 2*m2*q[1]*qd[0]*qd[1] + (m1*l1 + m2*q[1])*g*cos(q[0]);
  out[1] = m2*qdd[1] - m2*q[1]*qd[0]*qd[0] + m2*g*sin(q[0]);
}""",
        ("2*m2*q[1]", "m2*q[1]"),
    ),
    (
        "cart_pole",
        ".cpp",
        """auto dynamics = [](double theta, double thetadot, double F) {
    double s = std::sin(theta), c = std::cos(theta);
    double xddot = (F + mp*s*(l*thetadot*thetadot + g*c)) / (mc + mp*s*s);
    double thetaddot = (-F*c - mp*l*thetadot*thetadot*c*s - (mc+mp)*g*s) / (l*(mc + mp*s*s));
    return std::make_pair(xddot, thetaddot);
};""",
        ("(-F*c - mp", "(-F*c + mp"),
    ),
    (
        "cart_pole",
        ".rs",
        """pub fn step(s: &State, f: f64, p: &Params) -> (f64, f64) {
    let (sn, cs) = s.theta.sin_cos();
    let den = p.mc + p.mp * sn.powi(2);
    let xdd = (f + p.mp * sn * (p.l * s.thetad.powi(2) + p.g * cs)) / den;
    let thetadd = (-f * cs - p.mp * p.l * s.thetad.powi(2) * cs * sn - (p.mc + p.mp) * p.g * sn) / (p.l * den);
    (xdd, thetadd)
}""",
        ("+ p.g * cs", "- p.g * cs"),
    ),
    (
        "one_link",
        ".rs",
        "fn tau(q: f64, qdd: f64) -> f64 {\n    m * l.powi(2) * qdd + m * g * l * q.cos()\n}",
        ("+", "-"),
    ),
    ("one_link", ".rs", "let tau1 = |q1: f64, qdd1: f64| m * l * l * qdd1 + m * g * l * q1.cos();", ("+", "-")),
    (
        "two_link",
        ".java",
        """public class TwoLink {
    private final double m1 = 2.0, m2 = 1.5, l = 0.5, g = 9.81;
    public double[][] massMatrix(double q1, double q2) {
        double c2 = Math.cos(q2);
        return new double[][] {
            { m1*l*l/3 + m2*l*l*(4.0/3 + c2), m2*l*l*(1.0/3 + c2/2) },
            { m2*l*l*(1.0/3 + c2/2),          m2*l*l/3 }
        };
    }
}""",
        ("4.0/3", "1.0/3"),
    ),
    (
        "two_link",
        ".js",
        """const { cos, sin } = Math;
export const gravity = ([q1, q2]) => [
  (m1 / 2 + m2) * g * l * cos(q1) + (m2 / 2) * g * l * cos(q1 + q2),
  (m2 / 2) * g * l * cos(q1 + q2),
];""",
        ("m1 / 2", "m1"),
    ),
    (
        "one_link",
        ".js",
        "function qdd(q, tau) {\n  return (tau - m * g * l * Math.cos(q)) / (m * l ** 2);\n}",
        ("tau - m", "tau + m"),
    ),
]


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), PROGRAMS)
def test_the_results_of_functions_are_judged(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_judged(text, arm, "right", tmp_path, suffix)
    assert_judged(text.replace(*change, 1), arm, "wrong", tmp_path, suffix)


def test_a_call_that_is_never_closed_is_refused_at_once(tmp_path: Path) -> None:
    with refusal(ExpressionError, "no-quantity-in-answer"):  # not after minutes
        judged("f(" + "[0]" * 40 + ";", "one_link", tmp_path, ".c")


@pytest.mark.parametrize(
    ("suffix", "text"),
    [(".rs", "let A = Matrix2::new();\nlet M11 = m*l*l;"), (".py", "A = Matrix(2, 0, [l])\nM11 = m*l**2")],
)
def test_a_matrix_without_entries_in_a_row_is_unread_alone(suffix: str, text: str, tmp_path: Path) -> None:
    assert_judged(text, "one_link", "unread", tmp_path, suffix)


@pytest.mark.parametrize(
    ("declared", "factor", "is_right"),
    [
        ("int k = 7/2.0;", "k/9.0", True),  # k is 3
        ("int k = 7/2.0;", "k/10.5", False),
        ("int a = 3, b = 1.5;", "b*a/9.0", True),
        ("int k; k = 3.7;", "1.0/k", True),
        ("int k = 1;", "k/3", False),
        ("double k = 1;", "k/3", True),
        ("double k; k = 1;", "k/3", True),
        ("", "(double)1/3", True),
        ("", "(int)1.5/3.0", True),
        ("", "static_cast<double>(1)/3", True),
        ("", "double(1)/3", True),
        ("", "1/3", False),
    ],
)
def test_a_number_of_a_whole_type_is_cut_as_in_c(tmp_path: Path, declared: str, factor: str, is_right: bool) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        f"double M22(double m2, double l) {{\n{declared}\nreturn ({factor})*m2*l*l;\n}}\n", encoding="utf-8"
    )
    judgement = qddot.load("two_link").check(path)
    assert bool(judgement) == is_right
    assert judgement.unread == ()


def test_what_a_whole_variable_has_of_a_symbol_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "double M22(double m2, double l) {\nint k = m2*l;\nreturn k*l/3;\n}\ndouble G1(double g) {\nreturn g;\n}\n",
        encoding="utf-8",
    )
    assert qddot.load("two_link").check(path).unread


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_triangle_that_a_program_leaves_empty_is_told(tmp_path: Path, is_empty: bool) -> None:
    path = tmp_path / "a.py"
    filled = "" if is_empty else "M[1, 0] = M[0, 1]\n"
    path.write_text(
        "import numpy as np\nM = np.zeros((2, 2))\nM[0, 0] = m1*l**2/3 + m2*l**2*(4/3 + np.cos(q2))\n"
        f"M[0, 1] = m2*l**2*(1/3 + np.cos(q2)/2)\n{filled}M[1, 1] = m2*l**2/3\n",
        encoding="utf-8",
    )
    judgement = qddot.load("two_link").check(path, only="M")
    assert judgement
    assert any("the triangle that the program leaves empty" in note for note in judgement.notes) == is_empty
