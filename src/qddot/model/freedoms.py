"""Joints of several freedoms: what their positions and velocities are called, and how their velocities move a body.

A joint of one freedom has a coordinate, and its velocity is the coordinate's rate. A spherical and a free joint have
quasi-velocities ν: no coordinates have these for rates. The attitude is a unit quaternion (w, x, y, z) of
R_parent,body. A spherical joint has ν = ω along the body's axes; a free one has q = (p, quaternion), with p of the
body's origin along the parent's axes, and ν = (v, ω), both along the body's own axes.

The vector field X_a moves a position with ν_a = 1. Fields on one joint do not commute: [X_a, X_b] = Σ_l c^l_ab X_l with
constant c, those of the Lie algebra of the joint's twists. Source: Murray, Li, Sastry, *A Mathematical Introduction to
Robotic Manipulation*, 1994, app. A; Bloch, Marsden, Zenkov, "Quasivelocities and symmetries in non-holonomic systems",
Dynamical Systems 24, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from qddot.errors import ModelError
from qddot.spatial import Motion, Pose, Vec3
from qddot.spatial.quaternion import quaternion_rates, rotation_of

SPHERICAL, FREE = "spherical", "free"
SEVERAL = (SPHERICAL, FREE)  # types of joints
AXES = "xyz"
UNITS = tuple(Vec3(*(int(j == k) for j in range(3))) for k in range(3))
TURNS = tuple(Motion(unit, Vec3.zero()) for unit in UNITS)
SLIDES = tuple(Motion(Vec3.zero(), unit) for unit in UNITS)
COLUMNS = {SPHERICAL: TURNS, FREE: (*SLIDES, *TURNS)}  # the twist of each velocity, along the body's axes at its origin
Brackets: TypeAlias = Mapping[tuple[int, int], Sequence[tuple[int, int]]]  # (a, b): (l, c^l_ab) where that is not zero


class Freedoms(NamedTuple):
    """These are the freedoms of one joint; its label tells its names from those of other joints."""

    kind: str
    label: str = ""

    @property
    def velocities(self) -> tuple[str, ...]:
        """Returns the names of ν, in its order."""
        return (*self.slides, *self._names("omega"))

    @property
    def slides(self) -> tuple[str, ...]:
        """Returns the names of v, nothing for a joint that does not slide."""
        return self._names("v") if self.kind == FREE else ()

    @property
    def place(self) -> tuple[str, ...]:
        """Returns the names of p, nothing for a joint that does not slide."""
        return self._names("p") if self.kind == FREE else ()

    @property
    def quaternion(self) -> tuple[str, ...]:
        """Returns the names of w, x, y and z."""
        return self._names("e", "w" + AXES)

    @property
    def positions(self) -> tuple[str, ...]:
        """Returns the names of the joint's part of q, in its order."""
        return (*self.place, *self.quaternion)

    def _names(self, letter: str, axes: str = AXES) -> tuple[str, ...]:
        return tuple("_".join(part for part in (letter, self.label, axis) if part) for axis in axes)

    def pose(self, values: Mapping[str, Any]) -> Pose:
        """Returns the pose that the joint's positions, by name, give the body in the joint's frame."""
        p = Vec3(*(values[name] for name in self.place)) if self.place else Vec3.zero()
        return Pose(rotation_of([values[name] for name in self.quaternion]), p)

    def fields(self, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Returns X_a of each velocity a, by its name: the rates of the positions that change with it, by theirs."""
        quaternion = [values[name] for name in self.quaternion]
        turning = [dict(zip(self.quaternion, row, strict=True)) for row in quaternion_rates(quaternion)]
        R = rotation_of(quaternion)
        sliding = [dict(zip(self.place, R.apply(unit), strict=True)) for unit in UNITS] if self.place else []
        return dict(zip(self.velocities, (*sliding, *turning), strict=True))


@cache
def brackets(kind: str) -> Brackets:
    """Returns the c^l_ab of a kind of joint: [ω_a, ω_b] = ε_abl ω_l, [ω_a, v_b] = ε_abl v_l, [v_a, v_b] = 0."""
    columns = COLUMNS[kind]
    between: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for a, one in enumerate(columns):
        for b, other in enumerate(columns):
            made = tuple(one.cross(other))
            terms = tuple(
                (k, x * y) for k, column in enumerate(columns) for x, y in zip(made, column, strict=True) if x * y
            )
            if terms:
                between[a, b] = terms
    return between


def identity_positions(freedoms: Freedoms) -> tuple[float, ...]:
    """Returns the positions of a joint that has not moved: p = 0 and the quaternion 1."""
    return (*(0.0 for _ in freedoms.place), 1.0, 0.0, 0.0, 0.0)


def refuse_several(
    model: Any, what: str, expected: str = "joints whose velocities are rates of coordinates", remedy: str = ""
) -> None:
    """Raises ModelError where a joint of the model has several freedoms, which `what` cannot take yet."""
    for body in model.bodies:
        if body.joint.type in SEVERAL:
            raise ModelError(
                f"the {body.joint.type} joint of link {body.name!r} has quasi-velocities, which {what} cannot take yet",
                where=model.name,
                expected=expected,
                remedy=remedy,
            )
