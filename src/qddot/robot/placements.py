"""Makes vectors, rotations and poses of what a user gives: numbers, texts such as "30deg" and expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import angle, expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import ModelError, shortened
from qddot.base.words.message import Words, say

A_VECTOR = say("a-vector")


def listed(values: Any, what: Words) -> Sequence[Any]:
    """Returns a list or tuple unchanged, and a NumPy array as a list; raises ModelError for anything else."""
    values = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(values, list | tuple):
        raise ModelError("not-list", what=what, values=shortened(values))
    return values


def vector(values: Any, what: Words = A_VECTOR) -> Vec3:
    """Returns three numbers or expressions as a Vec3 of expressions."""
    if isinstance(values, Vec3):
        return values.map(lambda entry: folded(expression(entry)))
    if len(listed(values, what)) != 3:
        raise ModelError("three-numbers", attribute=what, text=shortened(values))
    return Vec3(*(folded(expression(value)) for value in values))


def turn(axis: Vec3, by: Any) -> Rotation:
    """Returns the exact rotation by a constant angle about a unit axis."""
    c, s = cos_sin(angle(by))
    return Rotation.about(axis, folded(c), folded(s)).map(folded_entry)


def pose(xyz: Any = (0, 0, 0), rpy: Any = (0, 0, 0)) -> Pose:
    """Returns the pose of a frame at xyz that is rotated by roll, pitch and yaw about the fixed axes x, y and z.

    R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF. Lengths are in metres, angles in radians or texts such as "90deg".
    raises ModelError: xyz or rpy is not three numbers or texts
    """
    if len(listed(rpy, "rpy")) != 3:
        raise ModelError("rpy-not-three", rpy=shortened([str(part) for part in rpy]))
    about_x = turn(Vec3(1, 0, 0), rpy[0])
    about_y = turn(Vec3(0, 1, 0), rpy[1])
    about_z = turn(Vec3(0, 0, 1), rpy[2])
    return Pose((about_z @ about_y @ about_x).map(folded_entry), vector(xyz, "xyz"))


def folded_entry(entry: Any) -> Any:
    """Returns an entry; an expression that is 0, 1 or −1 becomes an integer."""
    return folded(entry) if isinstance(entry, Expression) else entry


def exact_number(entry: Any) -> Any:
    """Returns an entry of a pose or an inertia, a number of any type, as an expression or an integer."""
    return entry if isinstance(entry, Expression | int) else folded(expression(entry))


def simplified(pose: Pose) -> Pose:
    """Returns the pose with expressions that are 0, 1 or −1 as integers."""
    return pose.map(folded_entry)
