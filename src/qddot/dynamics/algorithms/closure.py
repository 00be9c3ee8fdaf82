"""Computes the conditions of loops: φ(q) = 0, and A with d/dt φ = A q̇, over any kind of number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from qddot.dynamics.algorithms import kinematics
from qddot.dynamics.mechanism import Mechanism
from qddot.model.loops import EVERYWHERE, Loop
from qddot.spatial import Motion, Pose, Vec3

Columns: TypeAlias = Sequence[Motion | None]  # of a link's Jacobian in base axes
UNITS = tuple(Vec3(*(int(j == k) for j in range(3))) for k in range(3))


class End(NamedTuple):
    """This is a frame that a loop holds: its pose in the base frame, and the Jacobian of its origin in base axes."""

    pose: Pose
    J: Columns

    def axis(self, k: int) -> Vec3:
        return list(self.pose.R.T)[k]


def residuals(arm: Mechanism, loops: Sequence[Loop]) -> list[Any]:
    """Returns φ(q), one entry for each condition: a length [m], or the cosine of the angle between two axes.

    The place of a point that is held in all directions is written along the base's axes, since it is shorter there.
    """
    phi: list[Any] = []
    for loop, first, second in _ends(arm, loops):
        apart = second.pose.p - first.pose.p
        phi += [along.dot(apart) for along in _directions(loop, first)]
        phi += [first.axis(i).dot(second.axis(j)) for i, j in loop.conditions.attitude]
    return phi


def jacobian(arm: Mechanism, loops: Sequence[Loop]) -> list[list[Any]]:
    """Returns A (conditions × n) with d/dt φ = A q̇."""
    rows: list[list[Any]] = []
    for loop, first, second in _ends(arm, loops):
        apart = second.pose.p - first.pose.p
        turned = loop.conditions.place != EVERYWHERE  # the directions turn with the first frame
        for along in _directions(loop, first):
            slide = _row(second.J, along), _row(first.J, along)
            row = [b - a for b, a in zip(*slide, strict=True)]
            if turned:
                lever = along.cross(apart)
                row = [x + t for x, t in zip(row, _row(first.J, lever, turning=True), strict=True)]
            rows.append(row)
        for i, j in loop.conditions.attitude:
            normal = second.axis(j).cross(first.axis(i))
            pair = (_row(end.J, normal, turning=True) for end in (second, first))
            rows.append([b - a for b, a in zip(*pair, strict=True)])
    return rows


def _directions(loop: Loop, first: End) -> list[Vec3]:
    """Returns the directions in which the second frame's origin is held, along the base's axes."""
    place = loop.conditions.place
    return list(UNITS) if place == EVERYWHERE else [first.axis(k) for k in place]


def _row(J: Columns, along: Vec3, turning: bool = False) -> list[Any]:
    """Returns the part of each column's velocity, or of its angular velocity, along a direction."""
    return [0 if column is None else (column.w if turning else column.v).dot(along) for column in J]


def _ends(arm: Mechanism, loops: Sequence[Loop]) -> Iterator[tuple[Loop, End, End]]:
    """Yields each loop with the two frames that it holds."""
    T, index = kinematics.poses(arm), {link.name: link.index for link in arm.links}
    ends = {
        name: End(T[index[name]], kinematics.jacobian(arm, index[name], T=T)) for loop in loops for name in loop.links
    }
    for loop in loops:
        yield loop, ends[loop.links[0]], ends[loop.links[1]]
