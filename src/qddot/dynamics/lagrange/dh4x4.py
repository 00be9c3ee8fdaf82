"""Derives Lagrange's equations with homogeneous 4×4 matrices: T, Q, U_ij, U_ijk and pseudo-inertias.

D_ik = Σ_j Tr(U_jk J_j U_jiᵀ), h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), C_i = −Σ_j gᵀ U_ji J_j e4.
Sources: Uicker 1965; Paul, *Robot Manipulators*, 1981, ch. 6; Fu, Gonzalez, Lee, *Robotics*, 1987,
§3.2. Here Q_i is the joint's axis as a 4×4 matrix in the parent's frame, so that trees and axes of
any direction need no other form.
"""

from __future__ import annotations

from typing import TypeAlias

from qddot.dynamics.derivation import Derivation
from qddot.dynamics.mechanism import Link, Mechanism
from qddot.spatial import Number, skew

Matrix: TypeAlias = list[list[Number]]

ZERO: Matrix = [[0] * 4 for _ in range(4)]
ONE: Matrix = [[int(i == j) for j in range(4)] for i in range(4)]


def derive(arm: Mechanism) -> Derivation:
    """Returns the method's D, h_ikm and C; h_ikm are the Christoffel symbols Γ_ikm."""
    T = link_transforms(arm)
    Q = {link.index: axis_matrix(link) for _, link in arm.moving}
    J = [link.inertia.pseudo() for link in arm.links]
    U = first_derivatives(arm, T, Q)
    U2 = second_derivatives(arm, T, Q)
    JU = {(i, j): multiply(J[i], transposed(u)) for (i, j), u in U.items()}
    links, h = range(len(arm.links)), velocity_coefficients(arm, U2, JU)
    return Derivation(
        M=inertia_coefficients(arm, U, JU),
        christoffel=h,
        G=[_sum(-weight(arm, U[j, i], J[j]) for j in links if (j, i) in U) for i in range(arm.n)],
        steps={
            "T": [T[None, link.index] for link in arm.links],
            "Q": [Q[link.index] for link in arm.joints],
            "U": [[U.get((i, j), ZERO) for j in range(arm.n)] for i in links],
            "U_ijk": [
                [[U2.get((i, max(j, k), min(j, k)), ZERO) for k in range(arm.n)] for j in range(arm.n)] for i in links
            ],
            "pseudo_inertia": J,
            "h_ikm": h,
        },
    )


def link_transforms(arm: Mechanism) -> dict[tuple[int | None, int | None], Matrix]:
    """Returns T from any link (None: the base) to itself or to a link that it carries."""
    T: dict[tuple[int | None, int | None], Matrix] = {(None, None): ONE}
    for link in arm.links:
        step = link.X.pose().matrix()
        T[link.index, link.index] = ONE
        for above in (None, *arm.paths[link.index][:-1]):
            T[above, link.index] = multiply(T[above, link.parent], step)
    return T


def axis_matrix(link: Link) -> Matrix:
    """Returns Q with ∂T/∂q = Q T, from the joint's axis times its ratio in the parent's frame."""
    w = link.placement.R.apply(link.axis)
    w = w if link.ratio is None else w * link.ratio
    if not link.turns:
        return [[0, 0, 0, v] for v in w] + [[0, 0, 0, 0]]
    moment = -w.cross(link.placement.p)
    return [[*row, v] for row, v in zip(skew(w), moment, strict=True)] + [[0, 0, 0, 0]]


def first_derivatives(
    arm: Mechanism, T: dict[tuple[int | None, int | None], Matrix], Q: dict[int, Matrix]
) -> dict[tuple[int, int], Matrix]:
    """Returns U_ij = T_0^p(j) Q_j T_p(j)^i for every link i and joint j that moves it; joints that share q_j add up."""
    U: dict[tuple[int, int], Matrix] = {}
    for link in arm.links:
        for joint in arm.moving_path(link.index):
            place, above = (link.index, _dof(joint)), joint.parent
            turned = multiply(T[None, above], multiply(Q[joint.index], T[above, link.index]))
            U[place] = added(U[place], turned) if place in U else turned
    return U


def second_derivatives(
    arm: Mechanism, T: dict[tuple[int | None, int | None], Matrix], Q: dict[int, Matrix]
) -> dict[tuple[int, int, int], Matrix]:
    """Returns U_ijk = T_0^p(j) Q_j T_p(j)^p(k) Q_k T_p(k)^i for a joint j at or inboard of k; keys have j ≥ k."""
    U2: dict[tuple[int, int, int], Matrix] = {}
    for link in arm.links:
        path = arm.moving_path(link.index)
        for position, outer in enumerate(path):
            for inner in path[position:]:
                j, k = _dof(outer), _dof(inner)
                last = multiply(Q[inner.index], T[inner.parent, link.index])
                middle = multiply(Q[outer.index], multiply(T[outer.parent, inner.parent], last))
                twice, place = multiply(T[None, outer.parent], middle), (link.index, max(j, k), min(j, k))
                if j == k and inner is not outer:
                    twice = added(twice, twice)  # either may be taken first
                U2[place] = added(U2[place], twice) if place in U2 else twice
    return U2


def inertia_coefficients(arm: Mechanism, U: dict[tuple[int, int], Matrix], JU: dict[tuple[int, int], Matrix]) -> Matrix:
    """Returns D_ik = Σ_j Tr(U_jk J_j U_jiᵀ); both triangles are computed."""
    D: Matrix = [[0] * arm.n for _ in range(arm.n)]
    for (j, i), ju in JU.items():
        for k in range(arm.n):
            if (j, k) in U:
                D[i][k] = D[i][k] + trace(U[j, k], ju)
    return D


def velocity_coefficients(
    arm: Mechanism, U2: dict[tuple[int, int, int], Matrix], JU: dict[tuple[int, int], Matrix]
) -> list[Matrix]:
    """Returns h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), computed once for k ≥ m since U_jkm = U_jmk."""
    h: list[Matrix] = [[[0] * arm.n for _ in range(arm.n)] for _ in range(arm.n)]
    for (j, k, m), u2 in U2.items():
        for i in range(arm.n):
            if (j, i) in JU:
                h[i][k][m] = h[i][m][k] = h[i][k][m] + trace(u2, JU[j, i])
    return h


def weight(arm: Mechanism, u: Matrix, J: Matrix) -> Number:
    """Returns gᵀ U J e4: the last column of the pseudo-inertia is the first moment m r̄ and the mass."""
    return _sum(g * _sum(u[r][c] * J[c][3] for c in range(4)) for r, g in enumerate(arm.gravity))


def multiply(A: Matrix, B: Matrix) -> Matrix:
    columns = list(zip(*B, strict=True))
    return [[_sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in A]


def added(A: Matrix, B: Matrix) -> Matrix:
    return [[a + b for a, b in zip(row, other, strict=True)] for row, other in zip(A, B, strict=True)]


def transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]


def trace(A: Matrix, B: Matrix) -> Number:
    """Returns Tr(A B)."""
    return _sum(A[r][c] * B[c][r] for r in range(4) for c in range(4))


def _dof(joint: Link) -> int:
    assert joint.dof is not None
    return joint.dof


def _sum(terms: object) -> Number:
    total: Number = 0
    for term in terms:  # type: ignore[attr-defined]
        total = total + term
    return total
