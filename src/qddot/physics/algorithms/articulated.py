"""Computes forward dynamics by the articulated-body algorithm, cheaper than the mass matrix for long chains.

Source: Featherstone 2008, §7.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.spatial import Force, Inertia, Matrix3, Rotation, SymmetricMatrix3, Transform, Twist, Vec3, skew
from qddot.base.records import record
from qddot.physics.mechanism import Mechanism

ONES = Vec3(1, 1, 1)


@record(slots=True)
class ArticulatedInertia:
    """An articulated inertia gives a wrench n = A ω + B v, f = Bᵀ ω + C v; A and C are symmetric."""

    A: Matrix3
    B: Matrix3
    C: Matrix3

    @classmethod
    def of(cls, body: Inertia) -> ArticulatedInertia:
        mass = Matrix3(Vec3(body.m, 0, 0), Vec3(0, body.m, 0), Vec3(0, 0, body.m))
        return cls(body.I.rows(), skew(body.h), mass)

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def apply(self, twist: Twist) -> Force:
        turned = self.B.T
        return Force(self.A @ twist.w + self.B @ twist.v, turned @ twist.w + self.C @ twist.v)

    def without(self, U: Force, inverse: Any) -> ArticulatedInertia:
        """Returns this inertia minus U Uᵀ / D, the part that the free motion of the joint removes."""
        scaled = Force(U.n * inverse, U.f * inverse)
        return ArticulatedInertia(
            self.A + outer(-scaled.n, U.n), self.B + outer(-scaled.n, U.f), self.C + outer(-scaled.f, U.f)
        )

    def unfelt_along(self, S: Twist) -> ArticulatedInertia:
        """Returns the inertia with structural zeros for the free direction S, if S is along an axis of the frame."""
        place = S.one_entry()
        if place is None:
            return self
        rest = Vec3(*(int(k != place % 3) for k in range(3)))
        if place < 3:
            return ArticulatedInertia(_masked(self.A, rest, rest), _masked(self.B, rest, ONES), self.C)
        return ArticulatedInertia(self.A, _masked(self.B, ONES, rest), _masked(self.C, rest, rest))

    def to_parent(self, X: Transform) -> ArticulatedInertia:
        """Returns the same inertia about the parent's origin, along the parent's axes."""
        return self.shifted(X.r).rotated(X.R).shifted(X.p)

    def shifted(self, r: Vec3) -> ArticulatedInertia:
        """Returns the inertia after every point moves by r: B' = B + [r] C, A' = A + [r] Bᵀ + ([r] Bᵀ)ᵀ − [r] C [r]."""
        S = skew(r)
        moved = S.times(self.C)
        Y = S.times(self.B.T)
        A = self.A + Y + Y.T + moved.times(S.T)
        return ArticulatedInertia(symmetric(A).rows(), self.B + moved, self.C)

    def rotated(self, R: Rotation) -> ArticulatedInertia:
        turn = Matrix3(*R)
        A, C = (symmetric(part).rotated(R).rows() for part in (self.A, self.C))
        return ArticulatedInertia(A, turn.times(self.B).times(turn.T), C)


def forward_dynamics(
    mechanism: Mechanism, tau: Sequence[Any], armature: Sequence[Any], external: Sequence[Force], reciprocal: Any
) -> list[Any]:
    """Returns q̈ from the torques for bodies and armature, for an arm whose joints all have their own coordinates.

    tau: n torques of the motors minus those of friction and springs [N·m or N]
    armature: n inertias at the joints
    external: the external wrench on each link, along its axes and at its origin; empty if there is none
    reciprocal: (D, k) → 1 / D, where k is the coordinate
    """
    V = mechanism.twists
    inertia = [ArticulatedInertia.of(link.inertia) for link in mechanism.links]
    bias = [V[k].cross_force(link.inertia.momentum(V[k])) for k, link in enumerate(mechanism.links)]
    if external:
        bias = [a + -b for a, b in zip(bias, external, strict=True)]
    drift = [V[k].cross(link.twist(mechanism.qd)) for k, link in enumerate(mechanism.links)]
    U: list[Force] = [Force.zero()] * mechanism.n
    u: list[Any] = [0] * mechanism.n
    D: list[Any] = [0] * mechanism.n
    for link in reversed(mechanism.links):
        k = link.index
        carried, pulls = inertia[k], list[tuple[Force, Any]]()
        for j in reversed(link.places):
            S = link.column(j)
            U[j] = carried.apply(S)
            D[j] = reciprocal(S.dot(U[j]) + armature[j], j)
            u[j] = tau[j] - S.dot(pulled(bias[k], pulls))
            carried = carried.without(U[j], D[j])
            if armature[j] == 0:
                carried = carried.unfelt_along(S)
            pulls.append((U[j], u[j] * D[j]))
        force = pulled(bias[k] + carried.apply(drift[k]), pulls)
        if link.parent is not None:
            inertia[link.parent] = inertia[link.parent] + carried.to_parent(link.X)
            bias[link.parent] = bias[link.parent] + link.X.to_parent(force)
    return _accelerations(mechanism, drift, U, u, D)


def _accelerations(
    mechanism: Mechanism, drift: Sequence[Twist], U: Sequence[Force], u: Sequence[Any], D: Sequence[Any]
) -> list[Any]:
    """Returns q̈ by the last pass, from the base outward."""
    qdd: list[Any] = [0] * mechanism.n
    A: list[Twist] = []
    for link in mechanism.links:
        k = link.index
        above = Twist(Vec3.zero(), -mechanism.gravity) if link.parent is None else A[link.parent]
        a = link.X.to_child(above) + drift[k]
        for j in link.places:
            qdd[j] = (u[j] - a.dot(U[j])) * D[j]
            a = a + link.column(j) * qdd[j]
        A.append(a)
    return qdd


def pulled(wrench: Force, pulls: Sequence[tuple[Force, Any]]) -> Force:
    """Returns a wrench plus Σ U · rate over the pairs (U, rate) in `pulls`."""
    for U, rate in pulls:
        wrench = wrench + Force(U.n * rate, U.f * rate)
    return wrench


def _masked(A: Matrix3, rows: Vec3, columns: Vec3) -> Matrix3:
    """Returns A with structural zeros in the rows and columns that two vectors of zeros and ones mark with 0."""
    masked = (Vec3(*(x * a for x, a in zip(row, columns, strict=True))) * b for row, b in zip(A, rows, strict=True))
    return Matrix3(*masked)


def outer(a: Vec3, b: Vec3) -> Matrix3:
    return Matrix3(b * a.x, b * a.y, b * a.z)


def symmetric(A: Matrix3) -> SymmetricMatrix3:
    """Returns the symmetric matrix with this upper triangle, so that each entry is computed once."""
    return SymmetricMatrix3(A.x.x, A.x.y, A.x.z, A.y.y, A.y.z, A.z.z)
