"""Derives the equations in screw form: body Jacobians by exponentials, spatial inertias, M = Σ Jᵀ 𝒢 J.

T_i = e^[S_1]q_1 … e^[S_i]q_i M_i. In the frame of link i, B_j = Ad(M_i⁻¹) S_j and
J_j = Ad(e^−[B_m]q_m … e^−[B_j+1]q_j+1) B_j along the path j … m that ends in the link. Sources:
Murray, Li, Sastry 1994, §4.3; Lynch & Park 2017, §8.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from qddot.algebra.spatial import Number, Pose, Twist, Vec3, divided, summed
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
            **_of_twists(mechanism, home, S, J),
            "spatial_inertia": [link.inertia.spatial_matrix() for link in mechanism.links],
            "M_b": lambda: [mass_matrix(mechanism, J, [link]) for link in mechanism.links],
            "m_ijk": d,
            "P_links": P_links,
        },
    )


def _of_twists(
    mechanism: Mechanism, home: list[Pose], S: dict[int, Twist], J: list[list[Twist]]
) -> dict[str, Callable[[], Any]]:
    """Returns V_i = J_i q̇, ad_V, V̇_i, and the energies K_i = ½ V_iᵀ 𝒢_i V_i and wrenches 𝒢_i V̇_i − ad_Vᵀ 𝒢_i V_i.

    Source: Lynch & Park 2017, §8.2.
    """

    @cache
    def V() -> list[Twist]:
        moved = ((column * rate for column, rate in zip(columns, mechanism.qd, strict=True)) for columns in J)
        return [sum(parts, NOTHING) for parts in moved]

    @cache
    def dV() -> list[Twist]:
        return accelerations(mechanism, home, S, V())

    def wrenches() -> list[list[Number]]:
        links = zip(mechanism.links, V(), dV(), strict=True)
        return [[*F.n, *F.f] for F in (link.inertia.wrench(twist, rate) for link, twist, rate in links)]

    def K_links() -> list[Number]:
        links = zip(mechanism.links, V(), strict=True)
        return [divided(link.inertia.twice_kinetic_energy(twist), 2) for link, twist in links]

    return {
        "V": lambda: [list(twist) for twist in V()],
        "K_links": K_links,
        "K": lambda: summed((*K_links(), *(effect.kinetic_energy(mechanism) for effect in mechanism.effects))),
        "ad_V": lambda: [twist.bracket_matrix() for twist in V()],
        "dV": lambda: [list(twist) for twist in dV()],
        "F_b": wrenches,
    }


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
    return joint.kind.exponential(screw, joint.at, sign)


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
    for link, step, B in _outward(mechanism, home, S):
        columns = _carried([NOTHING] * mechanism.n if link.parent is None else J[link.parent], step)
        if link.dof is not None:
            columns[link.dof] = columns[link.dof] + B
        J.append(columns)
    return J


def accelerations(mechanism: Mechanism, home: list[Pose], S: dict[int, Twist], V: Sequence[Twist]) -> list[Twist]:
    """Returns V̇_i = Ad(A_i⁻¹) V̇_parent + ad_V B q̇ + B q̈; an upward acceleration of the base stands for gravity."""
    base, A = Twist(Vec3.zero(), -mechanism.gravity), list[Twist]()
    for link, step, B in _outward(mechanism, home, S):
        A.append(step.adjoint(base if link.parent is None else A[link.parent]))
        if link.dof is not None:
            A[-1] = A[-1] + V[link.index].cross(B * mechanism.qd[link.dof]) + B * mechanism.qdd[link.dof]
    return A


def _outward(mechanism: Mechanism, home: list[Pose], S: dict[int, Twist]) -> Iterator[tuple[Link, Pose, Twist]]:
    """Yields each link with A_i⁻¹, its parent's pose in its frame, and the twist of a unit rate of its joint there."""
    for link in mechanism.links:
        back = home[link.index].inverse()
        step = back if link.parent is None else back @ home[link.parent]
        if link.dof is None:
            yield link, step, NOTHING
            continue
        B = _body_screw(mechanism, home, S, link, link)
        yield link, exponential(B, link, sign=-1) @ step, B if link.ratio is None else B * link.ratio


def _carried(columns: list[Twist], step: Pose) -> list[Twist]:
    return [column if column is NOTHING else step.adjoint(column) for column in columns]


def _columns(columns: list[Twist]) -> list[list[Number]]:
    """Returns six rows in the order (ω, v), with one column per coordinate."""
    return [list(row) for row in zip(*(tuple(column) for column in columns), strict=True)]
