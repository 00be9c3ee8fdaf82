"""Turns Denavit–Hartenberg rows, standard and modified, into joints.

Standard: T = Rz(θ) Tz(d) Tx(a) Rx(α), frame i at the link's distal end (Denavit & Hartenberg 1955; Paul
1981). Modified: T = Rx(α) Tx(a) Rz(θ) Tz(d), frame i at the joint (Craig 1986). A joint coordinate
appears in θ or d as ±q plus a constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.formats.shared.rotations import snapped
from qddot.robot.bodies import coordinate_of
from qddot.robot.placements import simplified, turn

COLUMNS = ("theta", "d", "a", "alpha")
X, Z = Vec3(1, 0, 0), Vec3(0, 0, 1)


class Geometry(NamedTuple):
    """A row gives a joint's geometry: type, coordinate, axis, placement, and the body's frame on it."""

    type: str
    coordinate: str | None
    axis: Vec3
    placement: Pose
    offset: Pose
    notes: tuple[str, ...]


def standard(row: Mapping[str, Any], declared: set[str], where: str) -> Geometry:
    """Returns the joint of Rz(θ) Tz(d) Tx(a) Rx(α): its axis is the parent's z, the frame is at the distal end."""
    r = _Row(row, declared, where)
    tail = Pose(turn(X, r.alpha), Vec3(r.a, 0, 0))
    if r.type == "prismatic":
        return r.geometry(_about_z(r.theta) @ _along_z(r.d), tail)
    return r.geometry(_about_z(r.theta), _along_z(r.d) @ tail)


def modified(row: Mapping[str, Any], declared: set[str], where: str) -> Geometry:
    """Returns the joint of Rx(α) Tx(a) Rz(θ) Tz(d): the frame is at the joint, with z along the axis."""
    r = _Row(row, declared, where)
    head = Pose(turn(X, r.alpha), Vec3(r.a, 0, 0))
    return r.geometry(head @ _along_z(r.d) @ _about_z(r.theta), Pose.identity())


class _Row:
    """A row has constants θ, d, a, α, and the coordinate with its sign."""

    def __init__(self, row: Mapping[str, Any], declared: set[str], where: str) -> None:
        if not isinstance(row, Mapping):
            raise FormatError(f"a row {shortened(row)}", where=where, expected=f"a mapping of {', '.join(COLUMNS)}")
        for key in row:
            if key not in COLUMNS:
                raise FormatError(f"unknown key {key!r} in the row", where=where, remedy=did_you_mean(key, COLUMNS))
        for key in COLUMNS:
            if key not in row:
                raise FormatError(f"the row lacks {key}", where=where, expected=", ".join(COLUMNS))
        self.notes: list[str] = []
        turning, sign, theta = coordinate_of(row["theta"], declared, where)
        sliding, slide_sign, d = coordinate_of(row["d"], declared, where)
        if turning and sliding:
            raise FormatError(
                f"both theta and d contain a coordinate: {turning} and {sliding}",
                where=where,
                expected="one coordinate in each row",
                remedy=f"declare {sliding} as a symbol if it is a constant and no joint's coordinate",
            )
        self.coordinate = turning or sliding
        self.type = "revolute" if turning else ("prismatic" if sliding else "fixed")
        self.axis = Vec3(0, 0, sign * slide_sign)
        self.theta = self._angle(theta, where)
        self.alpha = self._angle(expression(row["alpha"]), where)
        self.d, self.a = folded(d), folded(expression(row["a"]))

    def _angle(self, value: Expression, where: str) -> Angle:
        turned = value.as_angle()
        if turned is None:
            raise FormatError(
                f"{shortened(str(value))} is not an angle", where=where, expected='an angle such as "90deg"'
            )
        neat, note = snapped(turned)
        self.notes += [f"{where}: {note}"] if note else []
        return neat

    def geometry(self, placement: Pose, offset: Pose) -> Geometry:
        return Geometry(
            self.type, self.coordinate, self.axis, simplified(placement), simplified(offset), tuple(self.notes)
        )


def _about_z(by: Angle) -> Pose:
    return Pose(turn(Z, by), Vec3.zero())


def _along_z(d: Any) -> Pose:
    return Pose(Rotation.identity(), Vec3(0, 0, d))


ROWS = {"dh": standard, "mdh": modified}
