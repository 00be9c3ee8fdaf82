"""Defines twists, wrenches and poses.

Sources: Lynch & Park, *Modern Robotics*, 2017, ch. 3; Featherstone, *Rigid Body Dynamics Algorithms*, 2008, ch. 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qddot.algebra.spatial.vectors import Number, Rotation, Vec3, skew
from qddot.base.records import record


@record(slots=True)
class Twist:
    """A twist is V = (ω, v): angular velocity, and velocity of the frame's origin [rad/s, m/s]."""

    w: Vec3
    v: Vec3

    @classmethod
    def zero(cls) -> Twist:
        return cls(Vec3.zero(), Vec3.zero())

    def __add__(self, other: Twist) -> Twist:
        return Twist(self.w + other.w, self.v + other.v)

    def __neg__(self) -> Twist:
        return Twist(-self.w, -self.v)

    def __mul__(self, scale: Number) -> Twist:
        return Twist(self.w * scale, self.v * scale)

    def cross(self, other: Twist) -> Twist:
        """Returns ad_V of another twist W, the Lie bracket [V, W]."""
        return Twist(self.w.cross(other.w), self.w.cross(other.v) + self.v.cross(other.w))

    def bracket_matrix(self) -> list[list[Number]]:
        """Returns ad_V as a 6×6 matrix in the order (ω, v): [[[ω], 0], [[v], [ω]]]."""
        turned, moved = skew(self.w), skew(self.v)
        lower = [[*a, *b] for a, b in zip(moved, turned, strict=True)]
        return [[*row, 0, 0, 0] for row in turned] + lower

    def cross_force(self, force: Force) -> Force:
        """Returns −ad_Vᵀ of a wrench: the rate of a wrench that is fixed in a frame moving with V."""
        return Force(self.w.cross(force.n) + self.v.cross(force.f), self.w.cross(force.f))

    def dot(self, force: Force) -> Number:
        """Returns the power of a wrench along this twist [W]."""
        return self.w.dot(force.n) + self.v.dot(force.f)

    def one_entry(self) -> int | None:
        """Returns the place, from 0 to 5, of the only entry of a twist that is structurally ±1 along it, else None."""
        turned, slid = self.w.unit_place(), self.v.unit_place()
        if turned is not None and not any(self.v):
            return turned
        return 3 + slid if slid is not None and not any(self.w) else None

    def map(self, change: Callable[[Any], Any]) -> Twist:
        return Twist(self.w.map(change), self.v.map(change))

    def __iter__(self) -> Any:
        return iter((*self.w, *self.v))


@record(slots=True)
class Force:
    """A wrench is F = (n, f): moment about the frame's origin, and force [N·m, N]."""

    n: Vec3
    f: Vec3

    @classmethod
    def zero(cls) -> Force:
        return cls(Vec3.zero(), Vec3.zero())

    def __add__(self, other: Force) -> Force:
        return Force(self.n + other.n, self.f + other.f)

    def __neg__(self) -> Force:
        return Force(-self.n, -self.f)


@record(slots=True)
class Pose:
    """A pose is T_ab: frame b has its origin at p, in a's axes, and the orientation R = R_ab."""

    R: Rotation
    p: Vec3

    @classmethod
    def identity(cls) -> Pose:
        return cls(Rotation.identity(), Vec3.zero())

    @classmethod
    def exp(cls, screw: Twist, c: Number, s: Number, q: Number = 0) -> Pose:
        """Returns exp([S] q) of a screw with unit ω, from cos q and sin q; q itself enters with the pitch ω·v.

        Source: Lynch & Park 2017, eq. 3.88: p = (1 − R)(ω × v) + ω (ω·v) q.
        """
        R = Rotation.about(screw.w, c, s)
        arm = screw.w.cross(screw.v)
        return cls(R, arm - R.apply(arm) + screw.w * (screw.w.dot(screw.v) * q))

    @classmethod
    def exp_translation(cls, screw: Twist, q: Number) -> Pose:
        """Returns exp([S] q) of a screw with ω = 0."""
        return cls(Rotation.identity(), screw.v * q)

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.R.apply(other.p) + self.p)

    def apply(self, point: Vec3) -> Vec3:
        """Returns the point's coordinates in frame a from those in frame b."""
        return self.R.apply(point) + self.p

    def inverse(self) -> Pose:
        back = self.R.T
        return Pose(back, -back.apply(self.p))

    def adjoint(self, twist: Twist) -> Twist:
        """Returns Ad_T V, the twist in frame a from the twist V in frame b."""
        w = self.R.apply(twist.w)
        return Twist(w, self.R.apply(twist.v) + self.p.cross(w))

    def adjoint_matrix(self) -> list[list[Number]]:
        """Returns Ad_T as a 6×6 matrix in the order (ω, v)."""
        units = [[int(i == j) for j in range(6)] for i in range(6)]
        columns = [tuple(self.adjoint(Twist(Vec3(*u[:3]), Vec3(*u[3:])))) for u in units]
        return [list(row) for row in zip(*columns, strict=True)]

    def matrix(self) -> list[list[Number]]:
        """Returns the homogeneous 4×4 matrix."""
        rows: list[list[Number]] = [[*row, p] for row, p in zip(self.R, self.p, strict=True)]
        return [*rows, [0, 0, 0, 1]]

    def map(self, change: Callable[[Any], Any]) -> Pose:
        return Pose(self.R.map(change), self.p.map(change))
