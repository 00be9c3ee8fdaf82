"""Derives Lagrange's equations with homogeneous 4×4 matrices: T, Q, U_ij, U_ijk and pseudo-inertias.

D_ik = Σ_j Tr(U_jk J_j U_jiᵀ), h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), C_i = −Σ_j gᵀ U_ji J_j e4.
Sources: Uicker 1965; Paul, *Robot Manipulators*, 1981, ch. 6; Fu, Gonzalez, Lee, *Robotics*, 1987,
§3.2. Here Q_i is the joint's axis as a 4×4 matrix in the parent's frame, so that trees and axes of
any direction need no other form. A trace does not change when both of its matrices are turned alike, hence each
is taken in the frame of the first joint that occurs in it, where it is far shorter than in the base's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from qddot.dynamics.derivation import Derivation
from qddot.dynamics.mechanism import Link, Mechanism
from qddot.spatial import Number, skew

Matrix: TypeAlias = list[list[Number]]
Transforms: TypeAlias = Mapping[tuple[int | None, int | None], Matrix]
Place: TypeAlias = tuple[int, int, int]  # the joint that the frame belongs to, the joint that turns, the link

ZERO: Matrix = [[0] * 4 for _ in range(4)]
ONE: Matrix = [[int(i == j) for j in range(4)] for i in range(4)]


def derive(arm: Mechanism) -> Derivation:
    """Returns the method's D, h_ikm and C; h_ikm are the Christoffel symbols Γ_ikm."""
    T = link_transforms(arm)
    Q = {link.index: axis_matrix(link) for _, link in arm.moving}
    S = {link.index: own_axis_matrix(link) for _, link in arm.moving}
    J = [link.inertia.pseudo() for link in arm.links]
    U = derivatives_from_joints(arm, T, S)
    JU = {place: multiply(J[place[2]], transposed(u)) for place, u in U.items()}
    h = velocity_coefficients(arm, T, S, U, JU)
    return Derivation(
        M=inertia_coefficients(arm, U, JU),
        christoffel=h,
        G=gravity(arm, T, S, J),
        steps={
            "T": [T[None, link.index] for link in arm.links],
            "Q": [Q[link.index] for link in arm.joints],
            "U": lambda: first_derivatives(arm, T, Q),
            "U_ijk": lambda: second_derivatives(arm, T, Q),
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


def own_axis_matrix(link: Link) -> Matrix:
    """Returns S with ∂T/∂q = T S, from the joint's twist along the link's own axes."""
    return [[*row, v] for row, v in zip(skew(link.S.w), link.S.v, strict=True)] + [[0, 0, 0, 0]]


def first_derivatives(arm: Mechanism, T: Transforms, Q: Mapping[int, Matrix]) -> list[list[Matrix]]:
    """Returns U_ij = T_0^p(j) Q_j T_p(j)^i for every link i and coordinate j; joints that share q_j add up."""
    U = [[ZERO] * arm.n for _ in arm.links]
    for link in arm.links:
        for joint in arm.moving_path(link.index):
            turned = multiply(T[None, joint.parent], multiply(Q[joint.index], T[joint.parent, link.index]))
            row, j = U[link.index], _dof(joint)
            row[j] = added(row[j], turned)
    return U


def second_derivatives(arm: Mechanism, T: Transforms, Q: Mapping[int, Matrix]) -> list[list[list[Matrix]]]:
    """Returns U_ijk = T_0^p(j) Q_j T_p(j)^p(k) Q_k T_p(k)^i, with the joint of q_j at or inboard of that of q_k."""
    U2 = [[[ZERO] * arm.n for _ in range(arm.n)] for _ in arm.links]
    for link in arm.links:
        path = arm.moving_path(link.index)
        for position, outer in enumerate(path):
            for inner in path[position:]:
                last = multiply(Q[inner.index], T[inner.parent, link.index])
                middle = multiply(Q[outer.index], multiply(T[outer.parent, inner.parent], last))
                twice, plane = multiply(T[None, outer.parent], middle), U2[link.index]
                for j, k in _orders(outer, inner):
                    plane[j][k] = added(plane[j][k], twice)
    return U2


def derivatives_from_joints(arm: Mechanism, T: Transforms, S: Mapping[int, Matrix]) -> dict[Place, Matrix]:
    """Returns U = T_t^j S_j T_j^i by (t, j, i): the derivative of T_t^i, seen from joint t at or inboard of joint j."""
    U: dict[Place, Matrix] = {}
    for link in arm.links:
        path = arm.moving_path(link.index)
        for position, joint in enumerate(path):
            turned = multiply(S[joint.index], T[joint.index, link.index])
            for top in path[: position + 1]:
                U[top.index, joint.index, link.index] = multiply(T[top.index, joint.index], turned)
    return U


def inertia_coefficients(arm: Mechanism, U: Mapping[Place, Matrix], JU: Mapping[Place, Matrix]) -> Matrix:
    """Returns D_ik = Σ_j Tr(U_jk J_j U_jiᵀ); both triangles are computed."""
    D: Matrix = [[0] * arm.n for _ in range(arm.n)]
    for (top, joint, link), u in U.items():
        i, k, own = _dof(arm.links[top]), _dof(arm.links[joint]), (top, top, link)
        D[i][k] = D[i][k] + trace(u, JU[own])
        if top != joint:
            D[k][i] = D[k][i] + trace(U[own], JU[top, joint, link])
    return D


def velocity_coefficients(
    arm: Mechanism, T: Transforms, S: Mapping[int, Matrix], U: Mapping[Place, Matrix], JU: Mapping[Place, Matrix]
) -> list[Matrix]:
    """Returns h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), computed once for both orders of k and m since U_jkm = U_jmk."""
    h: list[Matrix] = [[[0] * arm.n for _ in range(arm.n)] for _ in range(arm.n)]
    for outer, inner, link in U:
        path = arm.moving_path(link)
        place = path.index(arm.links[outer])
        for top in path[: place + 1]:
            turned = multiply(multiply(T[top.index, outer], S[outer]), U[outer, inner, link])
            for other in path[place:] if top.index == outer else [top]:
                value, i = trace(turned, JU[top.index, other.index, link]), _dof(other)
                for k, m in _orders(arm.links[outer], arm.links[inner]):
                    h[i][k][m] = h[i][k][m] + value
    return h


def gravity(arm: Mechanism, T: Transforms, S: Mapping[int, Matrix], J: Sequence[Matrix]) -> list[Number]:
    """Returns C_i = −Σ_j gᵀ U_ji J_j e4: the last column of the pseudo-inertia is the first moment m r̄ and the mass."""
    G: list[Number] = [0] * arm.n
    for link in arm.links:
        moment = [[row[3]] for row in J[link.index]]
        for joint in arm.moving_path(link.index):
            turned = multiply(S[joint.index], multiply(T[joint.index, link.index], moment))
            weight = _sum(
                g * row[0] for g, row in zip(arm.gravity, multiply(T[None, joint.index], turned), strict=False)
            )
            G[_dof(joint)] = G[_dof(joint)] - weight
    return G


def _orders(outer: Link, inner: Link) -> list[tuple[int, int]]:
    """Returns the places of a second derivative by two joints: either may be taken first."""
    j, k = _dof(outer), _dof(inner)
    return [(j, k)] if outer is inner else [(j, k), (k, j)]


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
