"""Derives the equations in explicit form, from Jacobians of the centres of mass in the base frame.

M = Σ (m JvᵀJv + JωᵀR I_c Rᵀ Jω), m_ijk = ∂m_ij/∂q_k, b_ijk = ½ (m_ijk + m_ikj − m_jki) and
G = −Σ Jvᵀ m g. Sources: Khatib, *Introduction to Robotics* lecture notes (CS223A), 2008, ch. 4;
Spong, Hutchinson, Vidyasagar, *Robot Modeling and Control*, 2006, ch. 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qddot.algebra.spatial import Number, Pose, Vec3, divided
from qddot.physics.derivation import Calculus, Derivation
from qddot.physics.mechanism import Link, Mechanism


def derive(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    """Returns M, b_ijk (the Christoffel symbols) and G; every link must have its centre of mass."""
    derivative, settled = calculus.by_q, calculus.settled
    assert derivative, "a kind of number with derivatives"
    T = _poses(mechanism)
    p_c = [pose.apply(_com(link)) for link, pose in zip(mechanism.links, T, strict=True)]
    axes = _axes(mechanism, T)
    Jv = [_linear(mechanism, axes, link, p_c[link.index]) for link in mechanism.links]
    Jw = [_angular(mechanism, axes, link) for link in mechanism.links]
    lower = [[settled(entry) for entry in row] for row in mass_matrix(mechanism, T, Jv, Jw)]
    n = range(mechanism.n)
    slopes = [[[derivative(entry, k) for k in n] for entry in row] for row in lower]
    M = [[lower[max(i, j)][min(i, j)] for j in n] for i in n]
    m = [[slopes[max(i, j)][min(i, j)] for j in n] for i in n]
    b = [[[divided(m[i][j][k] + m[i][k][j] - m[j][k][i], 2) for k in n] for j in n] for i in n]
    return Derivation(
        M=M,
        christoffel=b,
        G=[settled(entry) for entry in gravity(mechanism, Jv)],
        steps={
            "T": [pose.matrix() for pose in T],
            "T_c": [Pose(pose.R, p).matrix() for pose, p in zip(T, p_c, strict=True)],
            "z": [list(axes[link.index].z) if link.index in axes else [0] * 3 for link in mechanism.links],
            "o": [list(axes[link.index].o) if link.index in axes else [0] * 3 for link in mechanism.links],
            "Jv": [_rows(columns) for columns in Jv],
            "Jw": [_rows(columns) for columns in Jw],
            "p_c": [list(p) for p in p_c],
            "dp_c": lambda: [list(_moved(columns, mechanism.qd)) for columns in Jv],
            "w_base": lambda: [list(_moved(columns, mechanism.qd)) for columns in Jw],
            "I_base": lambda: [in_base_axes(link, T[link.index]) for link in mechanism.links],
            "M_v": lambda: [translational(link, Jv[link.index]) for link in mechanism.links],
            "M_w": lambda: [rotational(link, T[link.index], Jw[link.index]) for link in mechanism.links],
            "m_ijk": m,
            "b_ijk": b,
            "G_links": lambda: [
                [-mechanism.gravity.dot(v) * link.inertia.m for v in Jv[link.index]] for link in mechanism.links
            ],
        },
    )


def mass_matrix(mechanism: Mechanism, T: list[Pose], Jv: list[list[Vec3]], Jw: list[list[Vec3]]) -> list[list[Number]]:
    """Returns the lower triangle of M_ij = Σ_links m Jv_iᵀ Jv_j + (Rᵀ Jω_i)ᵀ I_c (Rᵀ Jω_j)."""
    M: list[list[Number]] = [[0] * (i + 1) for i in range(mechanism.n)]
    for link in mechanism.links:
        if not link.inertia.m and not any(link.inertia.I):
            continue
        I_c, back = link.inertia.central_tensor(_com(link)), T[link.index].R.T
        v = Jv[link.index]
        w = [back.apply(column) for column in Jw[link.index]]
        for i in range(mechanism.n):
            spin = I_c.apply(w[i])
            for j in range(i + 1):
                M[i][j] = M[i][j] + v[i].dot(v[j]) * link.inertia.m + spin.dot(w[j])
    return M


def translational(link: Link, Jv: list[Vec3]) -> list[list[Number]]:
    """Returns m Jvᵀ Jv, the contribution to M of the translation of a link's centre of mass."""
    return [[a.dot(b) * link.inertia.m for b in Jv] for a in Jv]


def rotational(link: Link, T: Pose, Jw: list[Vec3]) -> list[list[Number]]:
    """Returns Jωᵀ R I_c Rᵀ Jω, the contribution to M of the rotation of a link about its centre of mass."""
    I_c, back = link.inertia.central_tensor(_com(link)), T.R.T
    w = [back.apply(column) for column in Jw]
    return [[I_c.apply(a).dot(b) for b in w] for a in w]


def in_base_axes(link: Link, T: Pose) -> list[list[Number]]:
    """Returns R I_c Rᵀ, the inertia tensor about a link's centre of mass along the axes of the base."""
    return list(map(list, link.inertia.central_tensor(_com(link)).rotated(T.R).rows()))


def gravity(mechanism: Mechanism, Jv: list[list[Vec3]]) -> list[Number]:
    """Returns G_j = −Σ_links m gᵀ Jv_j."""
    G: list[Number] = [0] * mechanism.n
    for link in mechanism.links:
        for j, column in enumerate(Jv[link.index]):
            G[j] = G[j] - mechanism.gravity.dot(column) * link.inertia.m
    return G


def _poses(mechanism: Mechanism) -> list[Pose]:
    T: list[Pose] = []
    for link in mechanism.links:
        step = link.X.pose()
        T.append(step if link.parent is None else T[link.parent] @ step)
    return T


class Axis(NamedTuple):
    """This is a joint's axis times its ratio, and a point on it, both in the base frame."""

    z: Vec3
    o: Vec3


def _axes(mechanism: Mechanism, T: list[Pose]) -> dict[int, Axis]:
    """Returns the axis of each moving joint, by its link."""
    axes = {}
    for _, joint in mechanism.moving:
        pose = joint.placement if joint.parent is None else T[joint.parent] @ joint.placement
        z = pose.R.apply(joint.axis)
        axes[joint.index] = Axis(z if joint.ratio is None else z * joint.ratio, pose.p)
    return axes


def _linear(mechanism: Mechanism, axes: dict[int, Axis], link: Link, p: Vec3) -> list[Vec3]:
    """Returns the linear columns: Σ z × (p − o) over a coordinate's turning joints plus Σ z over its sliding ones."""
    columns = [Vec3.zero()] * mechanism.n
    for j, joint in mechanism.moving_path(link.index):
        z, o = axes[joint.index]
        (S,) = joint.kind.columns(z)
        columns[j] = columns[j] + (S.w.cross(p - o) + S.v)
    return columns


def _angular(mechanism: Mechanism, axes: dict[int, Axis], link: Link) -> list[Vec3]:
    columns = [Vec3.zero()] * mechanism.n
    for j, joint in mechanism.moving_path(link.index):
        (S,) = joint.kind.columns(axes[joint.index].z)
        columns[j] = columns[j] + S.w
    return columns


def _moved(columns: list[Vec3], qd: Sequence[Number]) -> Vec3:
    """Returns J q̇."""
    return sum((column * rate for column, rate in zip(columns, qd, strict=True)), Vec3.zero())


def _rows(columns: list[Vec3]) -> list[list[Number]]:
    return [list(row) for row in zip(*columns, strict=True)]


def _com(link: Link) -> Vec3:
    assert link.com is not None, "the caller supplies centres of mass"
    return link.com
