"""Exact arrays can be indexed, computed with, differentiated, substituted and printed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal
from shipped import robot

import qddot
from qddot.base.errors import EvaluationError, ExactnessError, QddotError
from qddot.exact.equations.arrays import indexing
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantity_table import QUANTITIES


@pytest.fixture(scope="module")
def eq() -> qddot.EquationsOfMotion:
    return robot("two_link").equations()


def test_a_quantity_has_one_name(eq: qddot.EquationsOfMotion) -> None:
    for name in (*QUANTITIES, *eq.steps):
        assert eq.array(name).name == name
        assert eq.array(name).identifier == name
    assert eq.christoffel.text().startswith("Γ")


def test_shapes_follow_the_conventions(zoo_arm: qddot.Robot) -> None:
    eq, n = zoo_arm.equations(), zoo_arm.n
    assert eq.M.shape == eq.C.shape == eq.C2.shape == (n, n)
    assert eq.christoffel.shape == (n, n, n)
    assert eq.B.shape == (n, n * (n - 1) // 2)
    assert eq.h.shape == eq.G.shape == eq.springs.shape == eq.friction.shape == eq.tau.shape == (n,)
    assert eq.K.shape == eq.P.shape == ()


def test_the_family_fits_together(zoo_arm: qddot.Robot) -> None:
    """h = C q̇ = B [q̇q̇] + C2 [q̇²]."""
    eq, ring = zoo_arm.equations(), zoo_arm.equations().quantities.ring
    qd = [ring.rate(name) for name in ring.coordinates]
    pairs = [qd[j] * qd[k] for j in range(eq.n) for k in range(j + 1, eq.n)]
    squares = ExactArray.of(ring, [rate * rate for rate in qd])
    by_c = eq.C @ ExactArray.of(ring, qd)
    assert by_c == eq.h
    products = eq.B @ ExactArray.of(ring, pairs) if pairs else eq.h * 0
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


PARTS = st.one_of(
    st.integers(-3, 3),
    st.builds(slice, *[st.none() | st.integers(-4, 4)] * 2, st.none() | st.sampled_from((1, 2, -1, -2))),
    st.sampled_from((None, ..., [0, -1], True, np.int64(1), np.array([1, 0]))),
)


@given(st.lists(st.integers(0, 3), max_size=3), PARTS | st.lists(PARTS, max_size=4).map(tuple))
def test_every_index_picks_what_numpys_picks(shape: list[int], index: Any) -> None:
    places = np.arange(math.prod(shape)).reshape(shape)
    try:
        right = places[index]
    except IndexError:
        with pytest.raises(IndexError):
            indexing.picked(shape, index)
        return
    positions, picked_shape = indexing.picked(shape, index)
    assert (positions, picked_shape) == (np.ravel(right).tolist(), np.shape(right))
    assert indexing.transposed(shape) == (np.ravel(places.T).tolist(), places.T.shape)


def test_what_is_no_index_is_refused(eq: qddot.EquationsOfMotion) -> None:
    indices: tuple[Any, ...] = ("q1", 0.5, (0, "q1"), {})
    for index in indices:
        with pytest.raises(IndexError, match="is not an index"):
            eq.M[index]


def test_arithmetic(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.T == eq.M
    assert not (eq.M - eq.M)
    assert eq.M + eq.M == eq.M * 2
    assert eq.M * "1/2" + eq.M * 0.5 == eq.M
    assert eq.M[1, 1] == "m2*l**2/3"
    assert eq.G @ eq.G == eq.G[0] * eq.G[0] + eq.G[1] * eq.G[1]
    assert -eq.G + eq.G == eq.G * 0
    with refusal(ExactnessError, "arrays-of-two-shapes"):
        eq.M + eq.G
    with refusal(ExactnessError, "entrywise-product"):
        eq.M * eq.M
    with refusal(ExactnessError, "shapes-do-not-match"):
        eq.M @ eq.J


def test_calculus(eq: qddot.EquationsOfMotion) -> None:
    assert eq.P.diff("q1") == eq.G[0]
    assert eq.K.diff("qd1").diff("qd2") == eq.M[0, 1]
    assert eq.tau.diff("qdd2") == eq.M[:, 1]
    assert eq.M.diff("m1")[0, 0] == "l**2/3"
    with refusal(QddotError, "no-name-to-differentiate", "'qd1'"):
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
    with refusal(QddotError, "no-name-to-replace", "'x'"):
        eq.M.subs(x=1)
    with refusal(QddotError, "no-symbol-in-equations", "'m3'"):
        eq.M.subs(m1="m3")


def test_free_symbols(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.free_symbols == {"m1", "m2", "l", "q2"}
    assert eq.tau.free_symbols == {"m1", "m2", "l", "g", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2"}


def test_text_is_readable_and_wraps_at_signs(eq: qddot.EquationsOfMotion) -> None:
    assert str(eq.M) == "M11 = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*c2\nM12 = m2*l**2/3 + m2*l**2*c2/2\nM22 = m2*l**2/3"
    lines = robot("puma560").equations().M.text(80).splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.startswith("M") or line.lstrip()[0] in "+-" for line in lines if "zero" not in line)


def test_latex(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M[1, 1].latex() == r"\tfrac{1}{3} m_{2} l^{2}"
    assert eq.h[1].latex() == r"\tfrac{1}{2} m_{2} l^{2} s_{2} \dot{q}_{1}^{2}"
    assert eq.M.latex().startswith(r"\begin{bmatrix}")
    assert r"\Gamma_{112} &= " in eq.christoffel.latex()
    pendulum = robot("spherical_pendulum").equations()
    assert pendulum.h[0].latex() == r"-m l^{2} \cos{\theta} \sin{\theta} \, \dot{\phi}^{2}"
    assert repr(robot("puma560").equations().M) == "<M: 6 × 6, 1355 terms>"


def test_at_says_what_is_wrong(eq: qddot.EquationsOfMotion) -> None:
    with refusal(EvaluationError, "of-another-shape", "q", "(3,)", "2", "q1, q2"):
        eq.at([1, 2, 3])
    with refusal(EvaluationError, "unknown-name-in-state", "'q1'"):
        eq.at({"q11": 1})
    with refusal(EvaluationError, "no-argument-no-symbol", "'m11'", "two_link"):
        eq.at([0, 0], m11=3)
    with refusal(EvaluationError, "not-these-numbers", "qd", "2", "q1, q2"):
        eq.at([0, 0], ["a", "b"])
    for heavy in ("heavy", np.ones(3), 10**400, float("nan")):
        with pytest.raises(EvaluationError, match=r"m1 = .*expected a finite number"):
            eq.at([0, 0], m1=heavy)
    with refusal(EvaluationError, "q-lacks", "q2"):
        eq.at({"q1": 1})
    for state in ([np.inf, 0], [None, 0], [10**400, 0]):
        with refusal(EvaluationError, "not-these-numbers", "q"):
            eq.at(state)
    puma = robot("puma560").equations()
    with refusal(EvaluationError, "value-missing", "Ixx2") as caught:
        puma.at([0] * 6)
    assert "mz6" in str(caught.value)
    with pytest.raises(KeyError, match="did you mean 'tau'"):
        eq.at([0, 0])["taus"]


def test_at_takes_mappings_defaults_and_missing_rates(eq: qddot.EquationsOfMotion) -> None:
    by_name = eq.at({"q1": 0, "q2": 0.4}, qdd={"q1": 1.0})
    by_place = eq.at([0, 0.4], [0, 0], [1, 0])
    assert set(by_name) >= {"M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P", "Phi"}
    for name in ("M", "tau", "K"):
        assert np.array_equal(by_name[name], by_place[name])
    assert by_name["K"] == 0


def test_one_joint_has_an_empty_coriolis_matrix() -> None:
    eq = robot("one_link").equations()
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


def test_arrays_of_different_models_compare_and_add_in_one_ring() -> None:
    one, two = robot("one_link").equations(), robot("two_link").equations()
    assert one.M != two.M[0, 0]
    assert two.M[0, 0] != one.M[0]
    assert one.M[0, 0] == "m*l**2"
    total = one.M[0, 0] + two.M[1, 1]
    assert total == two.M[1, 1] + one.M[0, 0]
    assert total.free_symbols == {"m", "m2", "l"}
    turned = two.G.subs(q1="20deg")
    assert two.G + turned != two.G
    assert two.G + turned == turned + two.G
    assert (two.G * 0).free_symbols == set()


def test_coordinates_are_replaced_by_coordinates(eq: qddot.EquationsOfMotion) -> None:
    doubled = eq.M.subs(q2="q1")
    assert doubled[0, 1] == eq.M.subs(q2="-q1")[0, 1]
    assert doubled.free_symbols == {"m1", "m2", "l", "q1"}
    folded = eq.G[1].subs(q2="90deg - q1")
    assert not folded
    assert eq.G[1].subs(q2="2*q1 + 45deg").subs(q1="15deg") == 0
    with refusal(ExactnessError, "not-whole-times-angle"):
        eq.M.subs(q2="q1/2")
    assert eq.h.subs(qd1="qd2", qd2="qd1").subs(qd1="qd2", qd2="qd1") == eq.h


def test_values_with_roots_angles_and_pi(eq: qddot.EquationsOfMotion) -> None:
    assert eq.M.subs(l="sqrt(2)")[1, 1] == "2*m2/3"
    assert eq.M[1, 1] * "cos(20deg)" == eq.M.subs(m2="m2*cos(20deg)")[1, 1]
    assert float(eq.M.subs(l="cos(20deg)", m2="pi")[1, 1]) == pytest.approx(np.pi * np.cos(np.pi / 9) ** 2 / 3)
    assert eq.G.subs(q1="20deg").subs(q2="10deg") == eq.G.subs(q2="10deg").subs(q1="20deg")
    assert eq.M[1, 1] / 2 == "m2*l**2/6"
    with refusal(ExactnessError, "no-symbol-in-equations", "'foo'"):
        eq.M.subs(q2="foo")
    with refusal(ExactnessError, "not-a-number-yet"):
        float(eq.M[0, 0])


def test_a_symbol_inside_a_constant_angle_is_replaced() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": "phi"}, {"theta": "q2", "d": 0, "a": "l", "alpha": 0}],
        [{}, {"mass": "m"}],
        symbols="l m phi",
    )
    G = arm.equations().G
    assert "sin(phi)" in str(G)
    assert not G.subs(phi=0)
    right = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": "90deg"}, {"theta": "q2", "d": 0, "a": "l", "alpha": 0}],
        [{}, {"mass": "m"}],
        symbols="l m",
    )
    assert G.subs(phi="90deg") == right.equations().G


def test_a_rate_under_sgn_is_replaced_by_a_number() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 0, "alpha": 0}],
        [{"mass": 1, "joint": {"coulomb": "f", "damping": "c"}}],
        symbols="f c",
    )
    friction = arm.equations().friction
    assert friction.subs(qd1=-2)[0] == "-f - 2*c"
    assert not friction.subs(qd1=0)
    with refusal(ExactnessError, "sign-of-expression"):
        friction.subs(qd1="2*qd1")


def test_parts_keep_the_labels_of_the_whole(eq: qddot.EquationsOfMotion) -> None:
    assert str(eq.M[1:2]).startswith("M21 = ")
    assert str(eq.M[::-1][0, 0]).startswith("M21 = ")
    assert str(eq.G[1]).startswith("G2 = ")
    assert str(eq.M - eq.M) == "0"


def test_a_symbol_called_c1_does_not_hide_the_cosine() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "c1", "alpha": "90deg"}],
        [{"mass": "m", "com": [0, 0, "c1"]}],
        symbols="c1 m",
        gravity=["g", 0, 0],
    )
    G = arm.equations().G[0]
    assert "cos(q1)" in str(G)
    assert r"\cos{q_{1}}" in G.latex()


def test_latex_names_arrays_and_places_apart() -> None:
    eq = robot("puma560_akb").equations()
    assert "C_{21} &= " in eq.C.latex()
    assert "C^{(2)}_{21} &= " in eq.C2.latex()


def test_robots_and_equations_travel() -> None:
    import copy
    import pickle

    arm = robot("rp")
    eq = arm.equations()
    for again in (pickle.loads(pickle.dumps(arm)), copy.deepcopy(arm)):
        assert again.equations().M == eq.M
    assert pickle.loads(pickle.dumps(eq)).G == eq.G


def test_names_beyond_ascii() -> None:
    arm = qddot.from_dh([{"theta": "θ", "d": 0, "a": "µ", "alpha": 0}], [{"mass": "m"}], symbols=["µ", "m"])
    assert "m" in str(arm.equations().M)
    assert arm.prove()


@pytest.mark.parametrize("lumped", [True, False])
def test_what_is_written_short_has_an_exact_array_and_no_equality(lumped: bool) -> None:
    for name in ("elbow_3r", "puma560_akb") if lumped else ("elbow_3r",):
        eq = robot(name).equations()
        short = eq.textbook(lumped=lumped)
        for coordinate in eq.model.coordinates:
            assert short.M.subs({coordinate: 0}).exact == eq.M.subs({coordinate: 0})
            assert not short.M.subs({coordinate: 0}).exact - eq.M.subs({coordinate: 0})
        assert short.G[1].exact == eq.G[1]
        assert short.M[:2, 1].exact == eq.M[:2, 1]
        assert short.G.diff("q2").exact == eq.G.diff("q2")
        for refused in (
            lambda M=short.M, exact=eq.M: M == exact,
            lambda M=short.M, exact=eq.M: exact == M,
            lambda M=short.M, exact=eq.M: M != exact,
            lambda M=short.M: M + M,
            lambda M=short.M, exact=eq.M: exact - M,
            lambda M=short.M: 2 * M,
            lambda M=short.M: M @ M,
            lambda M=short.M: -M,
        ):
            with pytest.raises(ExactnessError, match=r"use its attribute \.exact"):
                refused()


def test_a_part_that_is_written_short_reads_as_the_whole_does() -> None:
    short = robot("elbow_3r").equations().textbook()
    entry = next(line for line in short.M.text().splitlines() if line.startswith("M22"))
    assert short.M[1, 1].text() == entry


def test_operations_keep_how_an_array_is_shown() -> None:
    eq = robot("two_link").equations()
    thirds = (eq.M / 7).rounded(3)
    assert "0.143" in thirds.text()
    for result in (thirds + 0, thirds.subs(q1=0), thirds[0], thirds.T, thirds * 1, -thirds):
        assert "0.143" in str(result), result
        assert result.display == thirds.display


def test_of_a_symmetric_pair_one_entry_is_printed_after_a_substitution() -> None:
    M = robot("two_link").equations().M.subs(q1=0)
    assert "M12" in M.text()
    assert "M21" not in M.text()
