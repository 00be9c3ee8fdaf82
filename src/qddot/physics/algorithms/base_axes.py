"""Computes M and C from the joints' twists in the base frame.

A coordinate q_i moves a particle at p by ∂p/∂q_i. So M_ij = Σ m ∂p/∂q_i · ∂p/∂q_j and C_ij = Σ m ∂p/∂q_i · d/dt
∂p/∂q_j, summed over the particles that both coordinates move. If joint i carries joint j, an entry is the product S_i ·
F_j of a twist about the base's origin and a sum over the links that j carries. In long arms, which have many pairs of
joints, this takes fewer operations than carrying a wrench from link to link. The operations are the same for every
pair, so that a loop can do them.

Source: Echeandia & Wensing, "Numerical methods to compute the Coriolis matrix and Christoffel symbols for rigid-body
systems", Journal of Computational and Nonlinear Dynamics 16, 2021; here with Cartesian tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from qddot.algebra.spatial import Force, Matrix3, Number, SymmetricMatrix3, Twist, Vec3
from qddot.base.records import record
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.mechanism import Link, Mechanism

Matrix: TypeAlias = list[list[Any]]

PAIR = 11  # operations for an entry of M
LINK = 165  # about how many more operations a link takes here than with wrenches carried from link to link
CARRIED, FOR_ENTRY = 6, 4  # operations to carry a wrench to the parent: in all cases, and per nonzero entry of R
DEEP = 3  # inboard joints of a joint, on average, above which C takes fewer operations here


@record(slots=True)
class Place:
    """A place holds the position and velocity of a link's origin in the base frame, and the twist of its joint.

    p, dp: the origin and its velocity; d, dd: the vector from the parent's origin and its rate; w: ω
    own, d_own: the joint's twist at the link's origin, along the base's axes, and its rate along these
    S, dS: its twist about the base's origin, w = z and v + p × z, and the rate of that
    """

    p: Vec3
    dp: Vec3
    d: Vec3
    dd: Vec3
    w: Vec3
    own: Twist
    d_own: Twist
    S: Twist
    dS: Twist

    def at_base(self, wrench: Force) -> Force:
        """Returns the moment and force of a wrench about the base's origin, from those about the link's."""
        return Force(wrench.n + self.p.cross(wrench.f), wrench.f)


@record(slots=True)
class Sums:
    """These are sums over particles at r from a link's origin: Σ m, Σ m r, Σ m r rᵀ, and Σ m ṙ, Σ m r ṙᵀ."""

    m: Number
    h: Vec3
    J: SymmetricMatrix3
    dh: Vec3
    D: Matrix3

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.m + other.m, self.h + other.h, self.J + other.J, self.dh + other.dh, self.D + other.D)

    def shifted(self, d: Vec3, dd: Vec3) -> Sums:
        """Returns the sums about another origin, from which the particles are at r + d and move with ṙ + ḋ."""
        h, dh = self.h + d * self.m, self.dh + dd * self.m
        xy, xz, yz = (self.h.x * d.y + d.x * h.y, self.h.x * d.z + d.x * h.z, self.h.y * d.z + d.y * h.z)
        xx, yy, zz = (a * x + x * b for a, x, b in zip(self.h, d, h, strict=True))
        J = self.J + SymmetricMatrix3(xx, xy, xz, yy, yz, zz)
        D = Matrix3(*(dh * x + dd * a for x, a in zip(d, self.h, strict=True)))
        return Sums(self.m, h, J, dh, self.D + D)


def mass_matrix(mechanism: Mechanism) -> Matrix:
    """Returns M(q), n × n, without the joints' armature; frames must be at their joints (`at_joints`)."""
    places = _places(mechanism, (0,) * mechanism.n)
    sums = _carried(mechanism, places)
    M: Matrix = [[0] * mechanism.n for _ in range(mechanism.n)]
    for j, joint in mechanism.moving:
        own, body = places[joint.index], sums[joint.index]
        F = _momentum(own, body)
        M[j][j] = M[j][j] + own.own.dot(F)
        F = own.at_base(F)
        for i, S, _ in _carriers(mechanism, joint, places):
            part = S.dot(F)
            # two joints of one coordinate add both M_ij and M_ji to M_ii
            M[i][j] = M[j][i] = M[i][j] + (part if i != j else part * 2)
    return M


def coriolis_matrix(mechanism: Mechanism) -> Matrix:
    """Returns C(q, q̇), n × n, C_ij = Σ_k Γ_ijk q̇_k; frames must be at their joints (`at_joints`)."""
    places = _places(mechanism, mechanism.qd)
    sums = _carried(mechanism, places)
    C: Matrix = [[0] * mechanism.n for _ in range(mechanism.n)]
    for j, joint in mechanism.moving:
        own, body = places[joint.index], sums[joint.index]
        F, dF = _momentum(own, body), _rate(own, body)
        C[j][j] = C[j][j] + own.own.dot(dF)
        G = _turned(own, body) + own.dp.cross(F.f)
        F, dF = own.at_base(F), own.at_base(dF)
        for i, S, dS in _carriers(mechanism, joint, places):
            C[i][j] = C[i][j] + S.dot(dF)
            C[j][i] = C[j][i] + (dS.dot(F) + S.w.dot(G))
    return C


def pays_for_mass_matrix(mechanism: Mechanism) -> bool:
    """Returns whether M takes fewer operations here than with wrenches carried from link to link."""
    entries = [
        sum(getattr(entry, "constant", entry) != 0 for row in link.X.R for entry in row) for link in mechanism.links
    ]
    saved: list[int] = [CARRIED + FOR_ENTRY * count - PAIR for count in entries]
    return sum(saved[k] for _, joint in mechanism.moving for k in mechanism.paths[joint.index][1:]) > LINK * mechanism.n


def pays_for_coriolis_matrix(mechanism: Mechanism) -> bool:
    """Returns whether C takes fewer operations here than from derivatives of h or M."""
    return sum(len(mechanism.moving_path(joint.index)) - 1 for _, joint in mechanism.moving) > DEEP * mechanism.n


def _places(mechanism: Mechanism, qd: Sequence[Number]) -> list[Place]:
    """Returns where every link is and how it moves, from the base outward."""
    T, places, still = poses(mechanism), list[Place](), Vec3.zero()
    for link in mechanism.links:
        R, p = T[link.index].R, T[link.index].p
        if link.parent is None:
            above, d = Place(still, still, still, still, still, *[Twist.zero()] * 4), p
        else:
            above, d = places[link.parent], T[link.parent].R.apply(link.X.p)
        z, v, rate = R.apply(link.S.w), R.apply(link.S.v), 0 if link.dof is None else qd[link.dof]
        w, dd = above.w + z * rate, above.w.cross(d) + v * rate
        dp, dz, dv = above.dp + dd, w.cross(z), w.cross(v)
        S, dS = Twist(z, p.cross(z) + v), Twist(dz, dp.cross(z) + p.cross(dz) + dv)
        places.append(Place(p, dp, d, dd, w, Twist(z, v), Twist(dz, dv), S, dS))
    return places


def _carried(mechanism: Mechanism, places: Sequence[Place]) -> list[Sums]:
    """Returns for each link the sums over it and all that it carries, about its origin, from the tips inward."""
    sums = list[Sums]()
    for link, pose, place in zip(mechanism.links, poses(mechanism), places, strict=True):
        body, w = link.inertia, place.w
        I, (xx, yy, zz) = body.I, body.second_moments()
        h, J = pose.R.apply(body.h), SymmetricMatrix3(xx, -I.xy, -I.xz, yy, -I.yz, zz).rotated(pose.R)
        sums.append(Sums(body.m, h, J, w.cross(h), Matrix3(*(w.cross(row) for row in J.rows()))))
    for link in reversed(mechanism.links):
        if link.parent is not None:
            moved = sums[link.index].shifted(places[link.index].d, places[link.index].dd)
            sums[link.parent] = sums[link.parent] + moved
    return sums


def _momentum(own: Place, body: Sums) -> Force:
    """Returns Σ m ∂p/∂q, and its moment about the joint's origin."""
    z, v = own.own.w, own.own.v
    n = z * _trace(body.J.rows()) - body.J.apply(z) + body.h.cross(v)
    return Force(n, z.cross(body.h) + v * body.m)


def _rate(own: Place, body: Sums) -> Force:
    """Returns Σ m d/dt ∂p/∂q, and the moment of m d/dt ∂p/∂q about the joint's origin."""
    z, dz, dv, D = own.own.w, own.d_own.w, own.d_own.v, body.D
    n = dz * _trace(body.J.rows()) - body.J.apply(dz) + (z * _trace(D) - D.T @ z) + body.h.cross(dv)
    return Force(n, dz.cross(body.h) + z.cross(body.dh) + dv * body.m)


def _turned(own: Place, body: Sums) -> Vec3:
    """Returns Σ m ṙ × ∂p/∂q, whose product with an inboard joint's w is part of C."""
    z, v = own.own.w, own.own.v
    return z * _trace(body.D) - body.D @ z + body.dh.cross(v)


def _carriers(mechanism: Mechanism, joint: Link, places: Sequence[Place]) -> Iterator[tuple[int, Twist, Twist]]:
    """Yields (coordinate, S, Ṡ) of each joint that carries `joint`."""
    for k, link in mechanism.moving_path(joint.index):
        if link is not joint:
            yield k, places[link.index].S, places[link.index].dS


def _trace(A: Matrix3) -> Number:
    return A.x.x + A.y.y + A.z.z
