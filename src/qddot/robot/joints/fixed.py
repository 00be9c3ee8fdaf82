"""Defines the joint that does not move."""

from __future__ import annotations

from typing import Any

from qddot.algebra.spatial import Inertia, Pose, Twist, Vec3, unit_inertia
from qddot.robot.joints.kind import Kind, Split


class Fixed(Kind):
    """A fixed joint holds the body; its parent has all of the body's inertia."""

    types = ("fixed",)
    moves = leads = False

    def at(self, q: Any, coordinate: str | None, ratio: Any) -> None:
        return None

    def moved(self, placement: Pose, axis: Vec3, at: None) -> Pose:
        return placement

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        return ()

    def split(self, axis: Vec3, body: Inertia) -> Split:
        return Inertia.zero(), body

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        return [(each, each.placed(offset)) for each in map(unit_inertia, range(10))]
