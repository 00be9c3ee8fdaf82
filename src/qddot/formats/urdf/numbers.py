"""Reads numbers, vectors and poses in the attributes of XML elements; decimals are exact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, shortened
from qddot.formats.shared.rotations import about
from qddot.formats.xml.elements import Element
from qddot.robot.notes import note
from qddot.robot.placements import simplified, vector

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
Limits: TypeAlias = tuple[Expression, Expression]
AXES = (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))
LONGEST_NUMBER = 100  # characters
LARGEST_NUMBER = 1e30  # powers of such numbers are still floats; no robot has one
UNLIMITED = 10**16  # a limit of this size means no limit
UNLIMITED = 10**9  # N m, N, rad/s or m/s; no motor of a robot comes near it


def number(element: Element, attribute: str, default: str | None = None) -> Fraction:
    """Returns a decimal exactly; raises FormatError if it is not finite, or missing without a default."""
    text = element.required(attribute) if default is None else element.attributes.get(attribute, default)
    return decimal(text.strip(), attribute, element)


def bound(text: str, attribute: str, element: Element) -> Fraction | None:
    """Returns a limit of a joint, or None for 1e16 or more, which means no limit."""
    value = finite(text.strip(), attribute, element)
    return None if abs(value) >= UNLIMITED else value


def limits(lower: Fraction | None, upper: Fraction | None, written: str = "") -> tuple[Limits | None, str]:
    """Returns both limits if both are finite, else None, and a note of a change. written: the lower one, in the note"""
    if lower is None or upper is None:
        return None, "" if lower == upper else note("one-limit-unread")
    ends = Expression.constant(min(lower, upper)), Expression.constant(max(lower, upper))
    exchanged = note("limits-exchanged", lower=written)
    return ends, exchanged if lower > upper else ""


def motor_limit(value: str | float) -> float | None:
    """Returns the largest torque, force or rate of a motor; 0 and less, huge numbers and texts stand for none."""
    try:
        limit = float(value)
    except ValueError:
        return None
    return limit if 0 < limit < UNLIMITED else None


def numbers(element: Element, attribute: str, default: str) -> list[Fraction]:
    """Returns three decimals that are separated by blanks or commas."""
    text = element.attributes.get(attribute, default)
    parts = text.split()
    if text.count(",") == 2:
        parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise FormatError("three-numbers", where=element.where, attribute=attribute, text=shortened(text))
    return [decimal(part, attribute, element) for part in parts]


def decimal(text: str, attribute: str, element: Element) -> Fraction:
    """Returns a decimal of plausible magnitude exactly; `attribute` names it in errors."""
    value = finite(text, attribute, element)
    if abs(value) > LARGEST_NUMBER:
        raise FormatError("decimal-too-large", where=element.where, attribute=attribute, text=text)
    return value


def finite(text: str, attribute: str, element: Element) -> Fraction:
    """Returns a finite decimal of any magnitude, exactly."""
    if len(text) > LONGEST_NUMBER or not _DECIMAL.fullmatch(text):
        raise FormatError("decimal-wrong", where=element.where, attribute=attribute, text=shortened(text))
    return Fraction(Decimal(text))


def origin(element: Element | None) -> tuple[Pose, list[str]]:
    """Returns the pose of an <origin>, R = Rz(yaw) Ry(pitch) Rx(roll), and notes of changes; None is the identity."""
    if element is None:
        return Pose.identity(), []
    xyz = vector(Vec3(*numbers(element, "xyz", "0 0 0")))
    R, notes = roll_pitch_yaw([Angle(radians=part) for part in numbers(element, "rpy", "0 0 0")])
    return simplified(Pose(R, xyz)), notes


def roll_pitch_yaw(angles: Sequence[Angle]) -> tuple[Rotation, list[str]]:
    """Returns R = Rz(yaw) Ry(pitch) Rx(roll), and notes of changes."""
    turns, notes = zip(*(about(axis, angle) for axis, angle in zip(AXES, angles, strict=True)), strict=True)
    roll, pitch, yaw = turns
    return yaw @ pitch @ roll, [each for each in notes if each]
