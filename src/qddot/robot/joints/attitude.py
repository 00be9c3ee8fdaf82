"""Defines what joints with a unit quaternion have in common, whose velocities are not rates of coordinates."""

from __future__ import annotations

from typing import Any

from qddot.algebra.freedoms import COLUMNS, Freedoms
from qddot.algebra.spatial import Pose, Twist, Vec3
from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kind import Kind


class Attitude(Kind):
    """Such a joint has the positions and the vector fields of its `Freedoms`; its laws need the pose."""

    home = Pose.identity()

    def freedoms(self, coordinate: str | None) -> Freedoms:
        return Freedoms(self.types[0], coordinate or "")

    def positions(self, coordinate: str | None) -> tuple[str, ...]:
        return self.freedoms(coordinate).positions

    def velocities(self, coordinate: str | None) -> tuple[str, ...]:
        return self.freedoms(coordinate).velocities

    def at(self, q: Coordinates, coordinate: str | None, ratio: Any) -> Pose:
        freedoms = self.freedoms(coordinate)
        return freedoms.pose(q.values(freedoms.positions))

    def moved(self, placement: Pose, axis: Vec3, at: Pose) -> Pose:
        return placement @ at

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        return COLUMNS[self.types[0]]
