"""Derives the equations in screw form: body Jacobians by exponentials, spatial inertias, M = Σ Jᵀ 𝒢 J.

T_i = e^[S_1]q_1 … e^[S_i]q_i M_i. In the frame of link i, B_j = Ad(M_i⁻¹) S_j and
J_j = Ad(e^−[B_m]q_m … e^−[B_j+1]q_j+1) B_j along the path j … m that ends in the link. Sources:
Murray, Li, Sastry 1994, §4.3; Lynch & Park 2017, §8.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.spatial import Number, Pose, Twist, divided, summed
from qddot.physics.derivation import Calculus, Derivation
from qddot.physics.mechanism import Link, Mechanism

NOTHING = Twist.zero()


def derive(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    """Returns M, Γ_ijk by differentiation of M, and G as the derivative of the potential energy."""
    derivative = calculus.by_q
    assert derivative, "a kind of number with derivatives"
    home = home_poses(mechanism)
    S = space_screws(mechanism, home)
    J = body_jacobians(mechanism, home, S)
    M = mass_matrix(mechanism, J)
    n = range(mechanism.n)
    lower = [[[derivative(M[i][j], k) for k in n] for j in range(i + 1)] for i in n]
    d = [[lower[max(i, j)][min(i, j)] for j in n] for i in n]
    P_links = potentials(mechanism, home, S)
    P = summed(P_links)
    return Derivation(
        M=M,
        christoffel=[[[divided(d[i][j][k] + d[i][k][j] - d[j][k][i], 2) for k in n] for j in n] for i in n],
        G=[derivative(P, k) for k in n],
        steps={
            "S": [list(S[joint.index]) for joint in mechanism.joints],
            "M_home": [pose.matrix() for pose in home],
            "exponential": lambda: [exponential(S[joint.index], joint).matrix() for joint in mechanism.joints],
            "B_body": lambda: [
                [list(_body_screw(mechanism, home, S, link, joint)) for joint in mechanism.joints]
                for link in mechanism.links
            ],
            "J_body": [_columns(columns) for columns in J],
            "spatial_inertia": [link.inertia.spatial_matrix() for link in mechanism.links],
            "M_b": lambda: [mass_matrix(mechanism, J, [link]) for link in mechanism.links],
            "m_ijk": d,
            "P_links": P_links,
        },
    )


def home_poses(mechanism: Mechanism) -> list[Pose]:
    """Returns M_i, every link's pose in the base frame at q = 0."""
    home: list[Pose] = []
    for link in mechanism.links:
        step = link.placement @ link.offset
        home.append(step if link.parent is None else home[link.parent] @ step)
    return home


def space_screws(mechanism: Mechanism, home: list[Pose]) -> dict[int, Twist]:
    """Returns S of each moving joint in the base frame at q = 0, by its link."""
    return {link.index: home[link.index].adjoint(link.screw) for _, link in mechanism.moving}


def exponential(screw: Twist, joint: Link, sign: int = 1) -> Pose:
    """Returns e^(±[S] q), where q is the joint's own motion."""
    if joint.turns:
        c, s = joint.circular
        return Pose.exp(screw, c, s * sign)
    return Pose.exp_translation(screw, joint.displacement * sign)


def mass_matrix(mechanism: Mechanism, J: list[list[Twist]], links: Sequence[Link] = ()) -> list[list[Number]]:
    """Returns M_ij = Σ_links J_i · 𝒢 J_j, symmetric as 𝒢 is. links: those to sum over, by default all"""
    M: list[list[Number]] = [[0] * mechanism.n for _ in range(mechanism.n)]
    for link in links or mechanism.links:
        columns = J[link.index]
        for i in _moved_by(mechanism, link):
            momentum = link.inertia.momentum(columns[i])
            for j in (j for j in _moved_by(mechanism, link) if j <= i):
                M[i][j] = M[j][i] = M[i][j] + columns[j].dot(momentum)
    return M


def potentials(mechanism: Mechanism, home: list[Pose], S: dict[int, Twist]) -> list[Number]:
    """Returns P_i = −gᵀ (R h + m p) of every link, with T from the product of exponentials."""
    potentials: list[Number] = []
    moved: list[Pose] = []
    for link in mechanism.links:
        above = Pose.identity() if link.parent is None else moved[link.parent]
        moved.append(above if link.dof is None else above @ exponential(S[link.index], link))
        T = moved[-1] @ home[link.index]
        potentials.append(-mechanism.gravity.dot(T.R.apply(link.inertia.h) + T.p * link.inertia.m))
    return potentials


def _moved_by(mechanism: Mechanism, link: Link) -> list[int]:
    """Returns the coordinates that move a link, each once, from the base outward."""
    return list(dict.fromkeys(k for k, _ in mechanism.moving_path(link.index)))


def _body_screw(mechanism: Mechanism, home: list[Pose], S: dict[int, Twist], link: Link, joint: Link) -> Twist:
    if not mechanism.carries(joint.index, link.index):
        return NOTHING
    return home[link.index].inverse().adjoint(S[joint.index])


def body_jacobians(mechanism: Mechanism, home: list[Pose], S: dict[int, Twist]) -> list[list[Twist]]:
    """Returns every link's columns by coordinate; the columns of joints that share a coordinate are added.

    The parent's columns already contain the exponentials inboard of the parent.
    """
    J: list[list[Twist]] = []
    for link in mechanism.links:
        back = home[link.index].inverse()
        step = back if link.parent is None else back @ home[link.parent]
        columns = [NOTHING] * mechanism.n if link.parent is None else J[link.parent]
        if link.dof is None:
            J.append(_carried(columns, step))
            continue
        B = _body_screw(mechanism, home, S, link, link)
        columns = _carried(columns, exponential(B, link, sign=-1) @ step)
        columns[link.dof] = columns[link.dof] + (B if link.ratio is None else B * link.ratio)
        J.append(columns)
    return J


def _carried(columns: list[Twist], step: Pose) -> list[Twist]:
    return [column if column is NOTHING else step.adjoint(column) for column in columns]


def _columns(columns: list[Twist]) -> list[list[Number]]:
    """Returns six rows in the order (ω, v), with one column per coordinate."""
    return [list(row) for row in zip(*(tuple(column) for column in columns), strict=True)]
