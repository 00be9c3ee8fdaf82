"""Computes the rotation of a unit quaternion (w, x, y, z), and the rate of the quaternion as its body rotates.

Source: Lynch & Park, *Modern Robotics*, 2017, app. B.3; the components are Euler's parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from qddot.algebra.spatial.vectors import Number, Rotation, Vec3, divided

Quaternion: TypeAlias = Sequence[Number]


def rotation_of(quaternion: Quaternion) -> Rotation:
    """Returns the rotation R of a unit quaternion; the negative quaternion has the same rotation."""
    w, x, y, z = quaternion
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    return Rotation(
        Vec3(1 - (yy + zz) * 2, (xy - wz) * 2, (xz + wy) * 2),
        Vec3((xy + wz) * 2, 1 - (xx + zz) * 2, (yz - wx) * 2),
        Vec3((xz - wy) * 2, (yz + wx) * 2, 1 - (xx + yy) * 2),
    )


def unit_quaternion(numbers: Sequence[Any]) -> list[Any]:
    """Returns the square of a quaternion divided by its squared norm, which has norm 1 exactly in any field."""
    w, x, y, z = numbers
    vector = x * x + y * y + z * z
    norm = w * w + vector
    return [(w * w - vector) / norm, *(w * part * 2 / norm for part in (x, y, z))]


def quaternion_rates(quaternion: Quaternion) -> list[list[Number]]:
    """Returns the rates ½ quaternion ⊗ (0, e) for unit angular velocities e about the body's x, y and z axes."""
    w, x, y, z = quaternion
    rows: list[list[Number]] = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
    return [[divided(entry, 2) for entry in row] for row in rows]
