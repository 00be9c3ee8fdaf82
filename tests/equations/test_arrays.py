"""Exact arrays: indexing, arithmetic, calculus, substitution, print."""

from __future__ import annotations

import numpy as np
import pytest

import qddot
from qddot.equations.array import ExactArray
from qddot.errors import EvaluationError, ExactnessError, QddotError


@pytest.fixture(scope="module")
def eq() -> qddot.EquationsOfMotion:
    return qddot.load("two_link").equations()


def test_shapes_follow_the_conventions(zoo_arm: qddot.Robot) -> None:
    eq, n = zoo_arm.equations(), zoo_arm.n
    assert eq.M.shape == eq.C.shape == eq.C2.shape == (n, n)
    assert eq.christoffel.shape == (n, n, n)
    assert eq.B.shape == (n, n * (n - 1) // 2)
    assert eq.h.shape == eq.G.shape == eq.springs.shape == eq.friction.shape == eq.tau.shape == (n,)
    assert eq.K.shape == eq.P.shape == ()


def test_the_family_fits_together(zoo_arm: qddot.Robot) -> None:
    """h = C q̇ = B [q̇q̇] + C2 [q̇²]."""
    eq, ring = zoo_arm.equations(), zoo_arm.equations().ring
    qd = [ring.rate(name) for name in ring.coordinates]
    pairs = [qd[j] * qd[k] for j in range(eq.n) for k in range(j + 1, eq.n)]
    squares = ExactArray(ring, [rate * rate for rate in qd])
    by_c = eq.C @ ExactArray(ring, qd)
    assert by_c == eq.h
    products = eq.B @ ExactArray(ring, pairs) if pairs else eq.h * 0
    assert products + eq.C2 @ squares == eq.h


def test_indexing_is_numpys(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M[0, 1].shape == ()
    assert eq.M[0].shape == (2,)
    assert eq.M[:, 0] == eq.M[0]
    assert eq.M[-1, -1] == eq.M[1, 1]
    assert [row.shape for row in eq.M] == [(2,), (2,)]
    assert len(eq.M) == 2
    with pytest.raises(IndexError):
        eq.M[2, 0]
    with pytest.raises(TypeError):
        len(eq.K)


def test_arithmetic(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.T == eq.M
    assert not (eq.M - eq.M)
    assert eq.M + eq.M == eq.M * 2
    assert eq.M * "1/2" + eq.M * 0.5 == eq.M
    assert eq.M[1, 1] == "m2*l**2/3"
    assert eq.G @ eq.G == eq.G[0] * eq.G[0] + eq.G[1] * eq.G[1]
    assert -eq.G + eq.G == eq.G * 0
    with pytest.raises(ExactnessError, match="equal shapes"):
        eq.M + eq.G
    with pytest.raises(ExactnessError, match="@"):
        eq.M * eq.M
    with pytest.raises(ExactnessError, match="matching"):
        eq.M @ eq.christoffel


def test_calculus(eq: qddot.EquationsOfMotion) -> None:
    assert eq.P.diff("q1") == eq.G[0]
    assert eq.K.diff("qd1").diff("qd2") == eq.M[0, 1]
    assert eq.tau.diff("qdd2") == eq.M[:, 1]
    assert eq.M.diff("m1")[0, 0] == "l**2/3"
    with pytest.raises(QddotError, match="did you mean 'qd1'"):
        eq.M.diff("qd11")


def test_substitution(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.subs(q2="90deg")[0, 0] == "m1*l**2/3 + 4*m2*l**2/3"
    assert eq.M.subs(q2="60deg")[0, 1] == "m2*l**2/3 + m2*l**2/4"
    assert str(eq.M.subs(q2="45deg")[0, 1]) == "M12 = m2*l**2/3 + m2*l**2*sqrt(2)/4"
    assert eq.M.subs(m1="2*m2", l=0.5)[1, 1] == "m2/12"
    assert eq.M.subs({"m1": "m2", "m2": "m1"})[1, 1] == "m1*l**2/3"
    assert not eq.h.subs(qd1=0, qd2=0)
    assert eq.G.subs(q1="-90deg", q2=0) == eq.G * 0
    turned = eq.G.subs(q1="20deg")
    assert "cos(20deg)" in str(turned)
    assert turned.subs(q2="-20deg")[1] == "m2*g*l/2"
    with pytest.raises(QddotError, match="no 'x' to replace"):
        eq.M.subs(x=1)
    with pytest.raises(QddotError, match="no symbol 'm3'"):
        eq.M.subs(m1="m3")


def test_free_symbols(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.free_symbols == {"m1", "m2", "l", "q2"}
    assert eq.tau.free_symbols == {"m1", "m2", "l", "g", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2"}


def test_text_is_readable_and_wraps_at_signs(eq: qddot.EquationsOfMotion) -> None:
    assert str(eq.M) == "M11 = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*c2\nM12 = m2*l**2/3 + m2*l**2*c2/2\nM22 = m2*l**2/3"
    lines = qddot.load("puma560").equations().M.text(80).splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.startswith("M") or line.lstrip()[0] in "+-" for line in lines if "zero" not in line)


def test_latex(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M[1, 1].latex() == r"\tfrac{1}{3} m_{2} l^{2}"
    assert eq.h[1].latex() == r"\tfrac{1}{2} m_{2} l^{2} s_{2} \dot{q}_{1}^{2}"
    assert eq.M.latex().startswith(r"\begin{bmatrix}")
    assert r"\Gamma_{112} &= " in eq.christoffel.latex()
    assert eq._repr_latex_() is not None
    pendulum = qddot.load("spherical_pendulum").equations()
    assert pendulum.h[0].latex() == r"-m l^{2} \cos{\theta} \sin{\theta} \dot{\phi}^{2}"
    assert qddot.load("puma560").equations().M._repr_latex_() is None
    assert repr(qddot.load("puma560").equations().M) == "<M: 6 × 6, 2131 terms>"


def test_at_says_what_is_wrong(eq: qddot.EquationsOfMotion) -> None:
    with pytest.raises(EvaluationError, match=r"q has the shape \(3,\); expected \(2,\): q1, q2"):
        eq.at([1, 2, 3])
    with pytest.raises(EvaluationError, match="did you mean 'q1'"):
        eq.at({"q11": 1})
    with pytest.raises(EvaluationError, match="no symbol 'm11' in two_link; did you mean"):
        eq.at([0, 0], m11=3)
    with pytest.raises(EvaluationError, match="qd is not numeric"):
        eq.at([0, 0], ["a", "b"])
    with pytest.raises(EvaluationError, match="m1 = 'heavy'"):
        eq.at([0, 0], m1="heavy")
    puma = qddot.load("puma560").equations()
    with pytest.raises(EvaluationError, match="no value for Ixx1, Ixx2") as caught:
        puma.at([0] * 6)
    assert "mz6" in str(caught.value)
    with pytest.raises(KeyError, match="did you mean 'tau'"):
        eq.at([0, 0])["taus"]


def test_at_takes_mappings_defaults_and_missing_rates(eq: qddot.EquationsOfMotion) -> None:
    by_name = eq.at({"q2": 0.4}, qdd={"q1": 1.0})
    by_place = eq.at([0, 0.4], [0, 0], [1, 0])
    assert set(by_name) >= {"M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P", "S"}
    for name in ("M", "tau", "K"):
        assert np.array_equal(by_name[name], by_place[name])
    assert by_name["K"] == 0
    assert np.allclose(eq.at([0, np.nan])["G"][0], np.nan, equal_nan=True)


def test_one_joint_has_an_empty_coriolis_matrix() -> None:
    eq = qddot.load("one_link").equations()
    assert eq.B.shape == (1, 0)
    assert eq.at([0.3])["B"].shape == (1, 0)


def test_effects_enter_in_one_place() -> None:
    arm = qddot.Robot(
        qddot.Model(
            "sprung",
            [
                qddot.Body.of(
                    "block",
                    qddot.Joint(
                        "prismatic",
                        axis=(1, 0, 0),
                        effects=(
                            qddot.Viscous("c"),
                            qddot.Coulomb("f"),
                            qddot.Armature("J"),
                            qddot.Spring("k", "x0"),
                        ),
                    ),
                    mass="m",
                )
            ],
            symbols="c f J k x0 m",
        )
    )
    eq = arm.equations()
    assert str(eq.tau) == "tau1 = J*qdd1 + m*qdd1 + c*qd1 + f*sgn(qd1) - k*x0 + k*q1"
    assert str(eq.K) == "K = J*qd1**2/2 + m*qd1**2/2"
    assert arm.prove()
    at = eq.at([0.3], [-2.0], [1.0], c=1, f=0.5, J=0.1, k=10, x0=0.1, m=2)
    assert at["friction"] == pytest.approx([-2.5])
    assert at["springs"] == pytest.approx([2.0])
    assert at["tau"] == pytest.approx([2.1 - 2.5 + 2.0])
