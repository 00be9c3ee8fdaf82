"""Defines the joints by which rotors and motors spin on their carriers."""

from __future__ import annotations

from typing import Any

from qddot.algebra.spatial import Inertia, Number, Pose, SymmetricMatrix3, Twist, Vec3
from qddot.robot.joints.follower import Follower
from qddot.robot.joints.prismatic import Prismatic
from qddot.robot.joints.revolute import Revolute


class Spinning(Revolute):
    """A body that spins turns about its axis, but its frame stays with its carrier, since J a aᵀ does not change.

    It resists turning about the axis alone.
    """

    is_rotor = True

    def at(self, q: Any, coordinate: str | None, ratio: Any) -> tuple[Number, Number]:
        return self.home

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        return []

    def own_inertia(self, axis: Vec3, body: Inertia) -> Inertia:
        return about_axis(axis.dot(body.I.apply(axis)), axis)

    def own_motion(self, axis: Vec3, V: Twist, height: Number, gravity: Vec3) -> tuple[Twist, Number, Vec3]:
        return Twist(axis * axis.dot(V.w), Vec3.zero()), 0, Vec3.zero()


class Rotor(Spinning, Follower):
    """A rotor spins by ratios of the coordinates of joints."""


class Motor(Spinning):
    """The motor of an elastic joint spins by a coordinate of its own, whose sine and cosine occur nowhere."""

    is_angle = False
    is_plain = True


class SlidingMotor(Prismatic):
    """The motor of an elastic joint that slides moves along its axis by a coordinate of its own."""

    is_rotor = True


def about_axis(J: Any, a: Vec3) -> Inertia:
    """Returns the inertia J a aᵀ of a massless body that resists turning about the unit vector a alone."""
    tensor = SymmetricMatrix3(a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z).map(
        lambda entry: J * entry
    )
    return Inertia(0, Vec3.zero(), tensor)
