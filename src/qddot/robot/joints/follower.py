"""Defines the joint that follows another joint's coordinate by a ratio."""

from __future__ import annotations

from functools import cache
from typing import Any

from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kind import Kind


class Follower(Kind):
    """A follower moves as a joint of its kind does, by ratio times another joint's coordinate.

    Its columns are those of a unit of its own motion; a unit of the coordinate's rate moves it by the ratio.
    """

    leads = False

    def at(self, q: Coordinates, coordinate: str | None, ratio: Any) -> Any:
        return self.at_multiple(q, str(coordinate), ratio)


@cache
def following(kind: Kind) -> Kind:
    """Returns the kind of joints that follow a coordinate and move as `kind` does."""
    follower: Any = type(f"Following{type(kind).__name__}", (Follower, type(kind)), {})
    return follower()  # type: ignore[no-any-return]
