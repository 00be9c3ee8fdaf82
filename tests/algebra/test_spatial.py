"""Rotations, poses, twists, wrenches and inertias satisfy their axioms, exactly where the numbers are exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qddot.algebra.expressions.circle import circle_point
from qddot.algebra.spatial import (
    Force,
    Inertia,
    Pose,
    Rotation,
    SymmetricMatrix3,
    Transform,
    Twist,
    Vec3,
    skew,
)

fractions = st.fractions(-3, 3, max_denominator=7)
vectors = st.builds(Vec3, fractions, fractions, fractions)
motions = st.builds(Twist, vectors, vectors)
forces = st.builds(Force, vectors, vectors)
pytestmark = pytest.mark.slow
# these are polynomial identities, which hold nearly nowhere if they do not hold everywhere: a planted sign or factor
# is found by the first or second random body (Schwartz 1980, Zippel 1979)
identity = settings(max_examples=10)

AXES = [
    Vec3(1, 0, 0),
    Vec3(0, 0, -1),
    Vec3(Fraction(3, 5), Fraction(4, 5), 0),
    Vec3(Fraction(2, 3), Fraction(-1, 3), Fraction(2, 3)),
]


@st.composite
def circulars(draw: st.DrawFn) -> tuple[Fraction, Fraction]:
    """A rational point of the circle, by its tangent of the half angle."""
    return circle_point(draw(fractions))


@st.composite
def rotations(draw: st.DrawFn) -> Rotation:
    first, second = (Rotation.about(draw(st.sampled_from(AXES)), *draw(circulars())) for _ in range(2))
    return first @ second


@st.composite
def inertias(draw: st.DrawFn) -> Inertia:
    tensor = SymmetricMatrix3(*(draw(fractions) for _ in range(6)))
    return Inertia(draw(fractions), draw(vectors), tensor)


poses = st.builds(Pose, rotations(), vectors)
transforms = st.builds(Transform, vectors, rotations(), vectors)


@given(rotations(), rotations(), vectors, vectors)
@identity
def test_rotations_are_a_group_that_keeps_lengths_and_handedness(A: Rotation, B: Rotation, u: Vec3, v: Vec3) -> None:
    assert A @ A.T == Rotation.identity()
    assert (A @ B).apply(u) == A.apply(B.apply(u))
    assert A.apply(u).dot(A.apply(v)) == u.dot(v)
    assert A.apply(u.cross(v)) == A.apply(u).cross(A.apply(v))


@given(poses, poses, motions, vectors)
@identity
def test_poses_are_a_group_and_the_adjoint_follows(T: Pose, S: Pose, V: Twist, p: Vec3) -> None:
    assert T @ T.inverse() == Pose.identity()
    assert (T @ S).apply(p) == T.apply(S.apply(p))
    assert (T @ S).adjoint(V) == T.adjoint(S.adjoint(V))
    six = T.adjoint_matrix()
    assert [sum((a * b for a, b in zip(row, V, strict=True)), Fraction(0)) for row in six] == list(T.adjoint(V))


@given(transforms, motions, forces)
@identity
def test_power_does_not_depend_on_the_frame(X: Transform, V: Twist, F: Force) -> None:
    assert X.to_child(V).dot(F) == V.dot(X.to_parent(F))
    assert X.to_child(V) == X.pose().inverse().adjoint(V)


@given(transforms, motions, inertias())
@identity
def test_kinetic_energy_does_not_depend_on_the_frame(X: Transform, V: Twist, body: Inertia) -> None:
    assert body.twice_kinetic_energy(X.to_child(V)) == X.inertia_to_parent(body).twice_kinetic_energy(V)


@given(motions, motions, motions, forces)
@identity
def test_the_bracket_keeps_jacobi_and_is_dual_to_its_action_on_forces(U: Twist, V: Twist, W: Twist, F: Force) -> None:
    jacobi = U.cross(V.cross(W)) + V.cross(W.cross(U)) + W.cross(U.cross(V))
    assert jacobi == Twist.zero()
    assert U.cross(V).dot(F) == -V.dot(U.cross_force(F))


@given(inertias(), motions, motions)
@identity
def test_the_twist_equation_conserves_what_it_must(body: Inertia, V: Twist, A: Twist) -> None:
    """V · (𝒢V̇ − ad_Vᵀ𝒢V) = V · 𝒢V̇: the velocity term does no work."""
    assert V.dot(body.wrench(V, A)) == V.dot(body.momentum(A))


@given(inertias(), motions)
@identity
def test_the_spatial_matrix_is_the_momentum_map(body: Inertia, V: Twist) -> None:
    F = body.momentum(V)
    product = [sum((a * b for a, b in zip(row, V, strict=True)), Fraction(0)) for row in body.spatial_matrix()]
    assert product == [*F.n, *F.f]


@given(inertias())
@identity
def test_pseudo_inertia_goes_both_ways(body: Inertia) -> None:
    assert Inertia.from_pseudo(body.pseudo()) == body


@given(fractions, vectors, inertias())
@identity
def test_the_tensor_about_the_centre_of_mass_goes_both_ways(m: Fraction, com: Vec3, other: Inertia) -> None:
    assert Inertia.about_com(m, com, other.I).central_tensor(com) == other.I
    assert Inertia.about_com(m, com, other.I).shifted(-com).I == other.I


@given(poses, motions, inertias())
@identity
def test_a_body_has_one_energy_wherever_it_is_seen_from(T: Pose, V: Twist, body: Inertia) -> None:
    assert body.placed(T).twice_kinetic_energy(T.adjoint(V)) == body.twice_kinetic_energy(V)


@given(st.sampled_from(AXES), vectors, circulars())
@identity
def test_the_exponential_of_a_screw_turns_about_its_line(w: Vec3, point: Vec3, pair: tuple[Fraction, Fraction]) -> None:
    screw = Twist(w, -w.cross(point))
    T = Pose.exp(screw, *pair)
    assert T.apply(point) == point
    assert T.apply(point + w) == point + w
    assert T.adjoint(screw) == screw


@given(st.sampled_from(AXES), vectors, circulars(), fractions, fractions)
@identity
def test_a_pitch_moves_along_the_line(
    w: Vec3, point: Vec3, pair: tuple[Any, Any], pitch: Fraction, q: Fraction
) -> None:
    screw = Twist(w, w * pitch - w.cross(point))
    assert Pose.exp(screw, *pair, q).apply(point) == point + w * (pitch * q)
    assert Pose.exp_translation(Twist(Vec3.zero(), w), q).apply(point) == point + w * q


@given(vectors, vectors)
@identity
def test_skew_is_the_cross_product(u: Vec3, v: Vec3) -> None:
    assert skew(u) @ v == u.cross(v)


def test_a_box_is_eight_boxes_about_its_corner() -> None:
    """Additivity: the tensor of a box is the sum of its eighths, shifted."""
    m, size = Fraction(8), Vec3(2, 4, 6)
    whole = Inertia.box(m, size)
    parts = [
        Inertia.box(m / 8, Vec3(1, 2, 3), Vec3(Fraction(x, 2), Fraction(y), Fraction(3 * z, 2)))
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (-1, 1)
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total == whole


def test_uniform_bodies_have_their_textbook_tensors() -> None:
    m = Fraction(3)
    assert Inertia.rod(m, Vec3.zero(), Vec3(2, 0, 0)).I == SymmetricMatrix3.diagonal(0, 4, 4)
    assert Inertia.rod(m, Vec3.zero(), Vec3(2, 0, 0)).h == Vec3(3, 0, 0)
    assert Inertia.sphere(m, Fraction(5)).I == SymmetricMatrix3.diagonal(30, 30, 30)
    assert Inertia.cylinder(m, 2, 4, "x").I == SymmetricMatrix3.diagonal(6, 7, 7)
    assert Inertia.point(m, Vec3(1, 2, 0)).I == SymmetricMatrix3(12, -6, 0, 3, 0, 15)
