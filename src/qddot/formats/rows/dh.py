"""Turns Denavit–Hartenberg rows, standard and modified, into joints.

Standard: T = Rz(θ) Tz(d) Tx(a) Rx(α), frame i at the link's distal end (Denavit & Hartenberg 1955; Paul
1981). Modified: T = Rx(α) Tx(a) Rz(θ) Tz(d), frame i at the joint (Craig 1986). A joint coordinate
appears in θ or d as ±q plus a constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qddot.algebra.expressions.angles import Angle, decimal
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import LONGEST_TEXT, expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.base.words.message import Listed, say
from qddot.formats.shared.rotations import snapped
from qddot.robot.bodies import coordinate_of
from qddot.robot.notes import noted
from qddot.robot.placements import simplified, turn

ROWS = {"dh": say("rows-standard"), "mdh": say("rows-modified")}  # the kind of rows by the name of the convention
COLUMNS = ("theta", "d", "a", "alpha")
X, Z = Vec3(1, 0, 0), Vec3(0, 0, 1)


class Geometry(NamedTuple):
    """A row gives a joint's geometry: type, coordinate, axis, placement, and the body's frame on it."""

    type: str
    coordinate: str | None
    axis: Vec3
    placement: Pose
    offset: Pose
    notes: tuple[str, ...] = ()


class Row(NamedTuple):
    """A row has constants θ, d, a, α, and the coordinate in θ or d with its sign."""

    theta: Angle
    d: Expression
    a: Expression
    alpha: Angle
    coordinate: str | None = None
    slides: bool = False
    sign: int = 1

    def geometry(self, convention: str) -> Geometry:
        """Returns the joint of the row.

        The axis of a standard row ("dh") is the parent's z, and its frame is at the distal end; the frame of a modified
        row ("mdh") is at the joint, with z along the axis.
        """
        about_z, along_z = Pose(turn(Z, self.theta), Vec3.zero()), Pose(Rotation.identity(), Vec3(0, 0, folded(self.d)))
        across = Pose(turn(X, self.alpha), Vec3(folded(self.a), 0, 0))
        if convention == "mdh":
            placement, offset = across @ along_z @ about_z, Pose.identity()
        elif self.coordinate and self.slides:
            placement, offset = about_z @ along_z, across
        else:
            placement, offset = about_z, along_z @ across
        kind = ("prismatic" if self.slides else "revolute") if self.coordinate else "fixed"
        return Geometry(kind, self.coordinate, Vec3(0, 0, self.sign), simplified(placement), simplified(offset))

    def texts(self) -> dict[str, str]:
        """Returns the entries of the row as texts for a robot file."""
        row = {"theta": str(self.theta), "d": text(self.d), "a": text(self.a), "alpha": str(self.alpha)}
        if self.coordinate:
            key, moving = "d" if self.slides else "theta", f"{'-' if self.sign < 0 else ''}{self.coordinate}"
            row[key] = moving if row[key] == "0" else f"{moving} + {row[key]}".replace("+ -", "- ")
        return row


def read(row: Any, declared: set[str], where: str) -> tuple[Row, tuple[str, ...]]:
    """Returns the row of a mapping to numbers and texts, and notes of changes; its angles are snapped.

    declared: the symbols; any other name is that of a coordinate
    """
    if not isinstance(row, Mapping):
        raise FormatError("row-not-mapping", where=where, row=shortened(row), columns=Listed(COLUMNS))
    for key in row:
        if key not in COLUMNS:
            raise FormatError("row-key-unknown", where=where, key=repr(key), remedy=did_you_mean(key, COLUMNS))
    for key in COLUMNS:
        if key not in row:
            raise FormatError("row-lacks", where=where, key=key, columns=Listed(COLUMNS))
    turning, sign, theta = coordinate_of(row["theta"], declared, where)
    sliding, slide_sign, d = coordinate_of(row["d"], declared, where)
    if turning and sliding:
        raise FormatError("two-coordinates-in-row", where=where, turning=turning, sliding=sliding)
    angles = [snapped(_angle(value, where)) for value in (theta, expression(row["alpha"]))]
    notes = tuple(noted(where, note) for _, note in angles if note)
    a, coordinate = expression(row["a"]), turning or sliding
    return Row(angles[0][0], d, a, angles[1][0], coordinate, bool(sliding), sign * slide_sign), notes


def _angle(value: Expression, where: str) -> Angle:
    turned = value.as_angle()
    if turned is None:
        raise FormatError("not-constant-angle", where=where, value=shortened(str(value)))
    return turned


def text(entry: Any) -> str:
    """Returns a number as a decimal or fraction, any other expression as arithmetic.

    raises FormatError: the text is too long for a robot file
    """
    number = (entry if isinstance(entry, Expression) else Expression.constant(entry)).rational
    written = str(entry) if number is None else decimal(number).strip("()")
    if len(written) > LONGEST_TEXT:
        raise FormatError("entry-too-long", count=len(written), most=LONGEST_TEXT)
    return written
