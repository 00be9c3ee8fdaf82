"""Computes with rigid displacements and lines in space, as arrays of floats."""

from __future__ import annotations

from math import atan2, cos, sin
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.base.records import record

Array: TypeAlias = NDArray[np.float64]
PARALLEL = 1e-3  # the sine of the angle below which two measured lines count as parallel


@record(slots=True, eq=False)
class Place:
    """A place is a rigid displacement x → R x + p."""

    R: Array
    p: Array

    @classmethod
    def identity(cls) -> Place:
        return cls(np.eye(3), np.zeros(3))

    @classmethod
    def about(cls, axis: Array, point: Array, angle: float) -> Place:
        """Returns the rotation about a line, by Rodrigues' formula."""
        x, y, z = axis
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])  # K u = axis × u
        R = np.eye(3) + sin(angle) * K + (1 - cos(angle)) * (K @ K)
        return cls(R, point - R @ point)

    @classmethod
    def between(cls, one: Array, other: Array, point: Array) -> Place:
        """Returns the smallest rotation about a point that takes one unit vector to another."""
        normal = np.cross(one, other)
        size = float(np.linalg.norm(normal))
        if size < 1e-15:
            return cls.identity() if one @ other > 0 else cls.about(perpendicular(one), point, np.pi)
        return cls.about(normal / size, point, atan2(size, float(one @ other)))

    def __matmul__(self, other: Place) -> Place:
        return Place(self.R @ other.R, self.R @ other.p + self.p)

    def scaled(self, factor: float) -> Place:
        """Returns the displacement with its translation multiplied."""
        return Place(self.R, self.p * factor)

    def inverse(self) -> Place:
        return Place(self.R.T, -self.R.T @ self.p)

    def point(self, x: Array) -> Array:
        return self.R @ x + self.p

    def turn(self) -> tuple[Array, float]:
        """Returns the axis and the angle of the rotation."""
        w = np.array([self.R[2, 1] - self.R[1, 2], self.R[0, 2] - self.R[2, 0], self.R[1, 0] - self.R[0, 1]]) / 2
        size = float(np.linalg.norm(w))
        angle = atan2(size, (float(np.trace(self.R)) - 1) / 2)
        if size > 1e-9:
            return w / size, angle
        columns = self.R + np.eye(3)  # for a half turn this is twice the projection on the axis
        axis = columns[:, int(np.argmax(np.abs(np.diag(columns))))]
        return axis / np.linalg.norm(axis), angle


def spread(c: Array) -> Array:
    """Returns cᵀc 1 − c cᵀ, the inertia of a unit point mass at c."""
    return float(c @ c) * np.eye(3) - np.outer(c, c)


def perpendicular(axis: Array) -> Array:
    """Returns a unit vector perpendicular to a unit vector."""
    across = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return across / float(np.linalg.norm(across))


def across(v: Array, axis: Array) -> Array:
    """Returns the part of v perpendicular to a unit axis."""
    return v - (v @ axis) * axis


def angle_about(axis: Array, one: Array, other: Array, smallest: float) -> float | None:
    """Returns the angle about the axis from one vector to another, or None where one is along the axis."""
    u, v = across(one, axis), across(other, axis)
    if min(float(np.linalg.norm(u)), float(np.linalg.norm(v))) < smallest:
        return None
    return atan2(float(np.cross(u, v) @ axis), float(u @ v))


def feet(d1: Array, x1: Array, d2: Array, x2: Array) -> tuple[Array, Array] | None:
    """Returns the nearest points of two lines to each other, or None for parallel ones."""
    normal = np.cross(d1, d2)
    square = float(normal @ normal)
    if square < PARALLEL**2:
        return None
    gap = x2 - x1
    t1, t2 = (float(np.cross(gap, d) @ normal) / square for d in (d2, d1))
    return x1 + t1 * d1, x2 + t2 * d2
