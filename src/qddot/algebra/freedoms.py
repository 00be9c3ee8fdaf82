"""Defines positions and velocities of joints with several degrees of freedom, and how velocities move the body.

A joint with one degree of freedom has a coordinate, and its velocity is the coordinate's rate. Spherical and free
joints have quasi-velocities ν, which are not the rates of any coordinates. The attitude is a unit quaternion (w, x, y,
z) of R_parent,body. A spherical joint has ν = ω along the body's axes. A free joint has q = (p, quaternion), where p is
the position of the body's origin along the parent's axes, and ν = (v, ω), both along the body's axes.

The vector field X_a is the rate of the position at ν_a = 1. Fields of one joint do not commute: [X_a, X_b] = Σ_l c^l_ab
X_l, where the constants c are those of the Lie algebra of the joint's twists. Source: Murray, Li, Sastry, *A
Mathematical Introduction to Robotic Manipulation*, 1994, app. A; Bloch, Marsden, Zenkov, "Quasivelocities and
symmetries in non-holonomic systems", Dynamical Systems 24, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.spatial import Pose, Twist, Vec3
from qddot.algebra.spatial.quaternion import quaternion_rates, rotation_of

SPHERICAL, FREE = "spherical", "free"
SEVERAL = (SPHERICAL, FREE)  # types of joints
AXES = "xyz"
UNITS = tuple(Vec3(*(int(j == k) for j in range(3))) for k in range(3))
TURNS = tuple(Twist(unit, Vec3.zero()) for unit in UNITS)
SLIDES = tuple(Twist(Vec3.zero(), unit) for unit in UNITS)
COLUMNS = {
    SPHERICAL: TURNS,
    FREE: (*SLIDES, *TURNS),
}  # the twist of each velocity, along the body's axes and at its origin
Brackets: TypeAlias = Mapping[
    tuple[int, int], Sequence[tuple[int, int]]
]  # (a, b): (l, c^l_ab), where c^l_ab is not zero


class Freedoms(NamedTuple):
    """These are the degrees of freedom of one joint; a label distinguishes their names from those of other joints."""

    kind: str
    label: str = ""

    @property
    def velocities(self) -> tuple[str, ...]:
        """Returns the names of the entries of ν, in order."""
        return (*self.slides, *self._names("omega"))

    @property
    def slides(self) -> tuple[str, ...]:
        """Returns the names of the entries of v, or () for a joint without translation."""
        return self._names("v") if self.kind == FREE else ()

    @property
    def turning(self) -> tuple[bool, ...]:
        """Returns whether each velocity is an angular one."""
        return tuple(any(column.w) for column in COLUMNS[self.kind])

    @property
    def place(self) -> tuple[str, ...]:
        """Returns the names of the entries of p, or () for a joint without translation."""
        return self._names("p") if self.kind == FREE else ()

    @property
    def quaternion(self) -> tuple[str, ...]:
        """Returns the names of w, x, y and z."""
        return self._names("e", "w" + AXES)

    @property
    def positions(self) -> tuple[str, ...]:
        """Returns the names of the joint's entries of q, in order."""
        return (*self.place, *self.quaternion)

    def _names(self, letter: str, axes: str = AXES) -> tuple[str, ...]:
        return tuple("_".join(part for part in (letter, self.label, axis) if part) for axis in axes)

    def pose(self, values: Mapping[str, Any]) -> Pose:
        """Returns the body's pose in the joint's frame for values of the joint's positions, by name."""
        p = Vec3(*(values[name] for name in self.place)) if self.place else Vec3.zero()
        return Pose(rotation_of([values[name] for name in self.quaternion]), p)

    def fields(self, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Returns X_a for the name of each velocity a: the nonzero rates of positions, by the positions' names."""
        quaternion = [values[name] for name in self.quaternion]
        turning = [dict(zip(self.quaternion, row, strict=True)) for row in quaternion_rates(quaternion)]
        R = rotation_of(quaternion)
        sliding = [dict(zip(self.place, R.apply(unit), strict=True)) for unit in UNITS] if self.place else []
        return dict(zip(self.velocities, (*sliding, *turning), strict=True))


@cache
def brackets(columns: tuple[Twist, ...]) -> Brackets:
    """Returns the constants c^l_ab of a joint: [ω_a, ω_b] = ε_abl ω_l, [ω_a, v_b] = ε_abl v_l, [v_a, v_b] = 0.

    columns: the twists of its velocities along the body's axes, of which each has one entry
    """
    between: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for a, one in enumerate(columns):
        for b, other in enumerate(columns):
            bracket = tuple(one.cross(other))
            terms = tuple(
                (k, x * y) for k, column in enumerate(columns) for x, y in zip(bracket, column, strict=True) if x * y
            )
            if terms:
                between[a, b] = terms
    return between
