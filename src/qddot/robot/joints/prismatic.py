"""Defines the joint that slides along its axis by a displacement."""

from __future__ import annotations

from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Inertia, Number, Pose, Rotation, SymmetricMatrix3, Twist, Vec3, unit_inertia
from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kind import Kind, Split


class Prismatic(Kind):
    """A prismatic joint slides along its axis; its laws need the displacement.

    It does not feel the tensor of a body without mass and first moment.
    """

    types = ("prismatic",)
    letter = "P"
    is_prismatic = is_plain = True
    angular = (False,)
    units = ("m",)
    home = 0

    def at(self, q: Coordinates, coordinate: str | None, ratio: Any) -> Number:
        return q(str(coordinate))

    def at_multiple(self, q: Coordinates, coordinate: str, ratio: Any) -> Number:
        way: Number = q(coordinate) * q.number(ratio)
        return way

    def moved(self, placement: Pose, axis: Vec3, at: Number) -> Pose:
        return Pose(placement.R, placement.p + placement.R.apply(axis) * at)

    def displaced(self, axis: Vec3, by: Expression) -> Pose:
        return Pose(Rotation.identity(), axis * by)

    def exponential(self, screw: Twist, at: Number, sign: int = 1) -> Pose:
        return Pose.exp_translation(screw, at * sign)

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        return (Twist(Vec3.zero(), axis),)

    def split(self, axis: Vec3, body: Inertia) -> Split:
        return Inertia(body.m, body.h, SymmetricMatrix3.diagonal(0, 0, 0)), Inertia(0, Vec3.zero(), body.I)

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        return [(each, each.placed(offset)) for each in map(unit_inertia, range(4, 10))]
