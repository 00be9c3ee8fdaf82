"""Defines the joint that turns about its axis by an angle."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.circle import multiple_of_angle
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.turning import LARGEST_MULTIPLE
from qddot.algebra.spatial import Inertia, Number, Pose, Rotation, SymmetricMatrix3, Twist, Vec3
from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kind import Kind, Split
from qddot.robot.placements import turn


class Revolute(Kind):
    """A revolute joint turns about its axis; its laws need the cosine and sine of the angle.

    It does not feel the mass, the first moment along its axis u, or a tensor t (1 − u uᵀ): the parent sees no change
    when the joint turns. Source: Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial
    robots", IEEE T-RA 6, 1990.
    """

    types = ("revolute", "continuous")
    letter = "R"
    is_revolute = is_angle = True
    angular = (True,)
    units = ("rad",)
    home = (1, 0)

    def at(self, q: Coordinates, coordinate: str | None, ratio: Any) -> tuple[Number, Number]:
        return q.cos_sin(str(coordinate))

    def at_multiple(self, q: Coordinates, coordinate: str, ratio: Any) -> tuple[Number, Number]:
        assert isinstance(ratio, Fraction)  # only ratios of sliding joints and rotors contain symbols
        # a few sums of angles are cheaper than another sine and cosine
        few = ratio.denominator == 1 and ratio <= LARGEST_MULTIPLE
        return multiple_of_angle(q.cos_sin(coordinate), int(ratio)) if few else q.cos_sin_of(coordinate, ratio)

    def moved(self, placement: Pose, axis: Vec3, at: tuple[Number, Number]) -> Pose:
        return Pose(placement.R @ Rotation.about(axis, *at), placement.p)

    def displaced(self, axis: Vec3, by: Expression) -> Pose:
        return Pose(turn(axis, by), Vec3.zero())

    def exponential(self, screw: Twist, at: tuple[Number, Number], sign: int = 1) -> Pose:
        c, s = at
        return Pose.exp(screw, c, s * sign)

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        return (Twist(axis, Vec3.zero()),)

    def split(self, axis: Vec3, body: Inertia) -> Split:
        place = axis.unit_place()
        if place is None:
            return body, Inertia.zero()
        I, h = body.I, body.h
        x, y, z = (int(k == place) for k in range(3))
        along, across = Vec3(h.x * x, h.y * y, h.z * z), Vec3(h.x * (1 - x), h.y * (1 - y), h.z * (1 - z))
        t, moments = _transverse(body, place)
        tensor = SymmetricMatrix3(moments[0], I.xy, I.xz, moments[1], I.yz, moments[2])
        moved = SymmetricMatrix3.diagonal(t * (1 - x), t * (1 - y), t * (1 - z))
        return Inertia(0, across, tensor), Inertia(body.m, along, moved)

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        u, nothing = axis, SymmetricMatrix3.diagonal(0, 0, 0)
        across = SymmetricMatrix3(1 - u.x * u.x, -u.x * u.y, -u.x * u.z, 1 - u.y * u.y, -u.y * u.z, 1 - u.z * u.z)
        at_joint = [Inertia(1, Vec3.zero(), nothing), Inertia(0, u, nothing), Inertia(0, Vec3.zero(), across)]
        return [(each.shifted(-offset.p).rotated(offset.R.T), each) for each in at_joint]


def _transverse(body: Inertia, place: int) -> tuple[Any, list[Any]]:
    """Returns t of the tensor t (1 − u uᵀ) that moves to the parent, and the three moments that stay.

    A body that is symmetric about the axis keeps only its axial moment. Otherwise t = ∫ (u · r)² dm, the
    second moment along the axis, so that the axial moment is the sum of the other two.
    """
    I = body.I
    moments: list[Any] = [I.xx, I.yy, I.zz]
    a, b = place - 1, place - 2
    products = (I.xy, I.xz, I.yz, tuple(body.h)[a], tuple(body.h)[b])
    if all(entry == 0 for entry in (structural(moments[a] - moments[b]), *products)):
        t, moments[a], moments[b] = moments[a], 0, 0
    else:
        t = body.second_moments()[place]
        moments[a], moments[b] = moments[a] - t, moments[b] - t
        moments[place] = moments[a] + moments[b]
    return t, moments


def structural(entry: Any) -> Any:
    """Returns the integer 0 for a constant node that is zero, and any other entry unchanged."""
    return 0 if getattr(entry, "constant", entry) == 0 else entry
