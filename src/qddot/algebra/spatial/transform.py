"""Defines transforms between parent and child frames, which carry twists outward, and wrenches and inertias inward."""

from __future__ import annotations

from qddot.algebra.spatial.inertia import Inertia
from qddot.algebra.spatial.motion import Force, Pose, Twist
from qddot.algebra.spatial.vectors import Rotation, Vec3
from qddot.base.records import record


@record(slots=True)
class Transform:
    """A transform places a child's frame in its parent's by three motions, one of which depends on q.

    It translates by p along the parent's axes, rotates by R, and translates by r along the child's axes: T = [R, p + R
    r]. Modified DH has r = 0, and standard DH p = 0; the other translation is constant if the joint is revolute.
    """

    p: Vec3
    R: Rotation
    r: Vec3

    def pose(self) -> Pose:
        return Pose(self.R, self.p + self.R.apply(self.r))

    def to_child(self, twist: Twist) -> Twist:
        """Returns the same twist at the child's origin, along the child's axes."""
        back = self.R.T
        w = back.apply(twist.w)
        return Twist(w, back.apply(twist.v + twist.w.cross(self.p)) + w.cross(self.r))

    def to_parent(self, force: Force) -> Force:
        """Returns the same wrench about the parent's origin, along the parent's axes."""
        f = self.R.apply(force.f)
        return Force(self.R.apply(force.n + self.r.cross(force.f)) + self.p.cross(f), f)

    def inertia_to_parent(self, inertia: Inertia) -> Inertia:
        """Returns the same inertia about the parent's origin, along the parent's axes."""
        return inertia.shifted(self.r).rotated(self.R).shifted(self.p)
