"""Reads numbers, truth values and poses from SDF elements; decimals are exact."""

from __future__ import annotations

import math
from fractions import Fraction

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import FormatError, located, shortened
from qddot.formats.shared.rotations import from_quaternion
from qddot.formats.urdf import numbers
from qddot.formats.urdf.numbers import decimal, roll_pitch_yaw
from qddot.formats.xml.elements import Element
from qddot.robot.placements import simplified, vector

TRUTHS = {"true": True, "1": True, "false": False, "0": False}
QUATERNION, ANGLES = "quat_xyzw", "euler_rpy"
EXACT_STEP = 15  # degrees, whose multiples have exact cosines
ENDLESS = ("inf", "+inf", "-inf", "infinity", "-infinity")


def word(element: Element, tag: str) -> str:
    """Returns the text of the child element `tag`; raises FormatError if there is none."""
    child = element.child(tag)
    if child is None or not child.text:
        raise FormatError("element-missing", where=element.where, tag=tag)
    return child.text


def number(element: Element | None, tag: str, default: str) -> Fraction:
    """Returns the number of the child element `tag`, or the default if there is none."""
    child = None if element is None else element.child(tag)
    return Fraction(default) if child is None else decimal(child.text, tag, child)


def positive(element: Element | None, tag: str, default: str) -> Fraction:
    """Returns the number of the child element `tag`, which must be zero or more."""
    value = number(element, tag, default)
    if value < 0:
        assert element is not None
        raise FormatError("value-negative", where=element.where, tag=tag)
    return value


def bound(element: Element, tag: str) -> Fraction | None:
    """Returns a limit, or None where it is infinite, at least 1e16, or missing."""
    child = element.child(tag)
    if child is None or child.text.lower() in ENDLESS:
        return None
    return numbers.bound(child.text, tag, child)


def truth(element: Element, tag: str, default: bool = False) -> bool:
    """Returns the truth value of the child element `tag`, or the default if there is none."""
    child = element.child(tag)
    return default if child is None else _truth(child.text, tag, child)


def attribute_truth(element: Element, name: str) -> bool:
    """Returns the truth value of an attribute; false where it is missing."""
    return _truth(element.attributes.get(name, "false"), name, element)


def _truth(text: str, name: str, element: Element) -> bool:
    if text.strip().lower() not in TRUTHS:
        raise FormatError("truth-wrong", where=element.where, name=name, text=shortened(text))
    return TRUTHS[text.strip().lower()]


def pose(element: Element | None) -> tuple[Pose, list[str]]:
    """Returns the pose in an element's text, and notes of changes; the default is the identity.

    The text has x y z, then roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll), in degrees if the element says so,
    or a quaternion x y z w of any length.
    """
    if element is None or not element.text:
        return Pose.identity(), []
    written = element.attributes.get("rotation_format", ANGLES)
    in_degrees = attribute_truth(element, "degrees")
    if written == QUATERNION:
        if in_degrees:
            raise FormatError("pose-quaternion-degrees", where=element.where, quaternion=QUATERNION)
        values = decimals(element, 7)
        x, y, z, w = values[3:]
        with located(element.where):
            R, notes = from_quaternion(w, x, y, z), list[str]()
    elif written == ANGLES:
        values = decimals(element, 6)
        R, notes = roll_pitch_yaw([_degrees(part) if in_degrees else Angle(radians=part) for part in values[3:]])
    else:
        raise FormatError(
            "rotation-format-unknown",
            where=element.where,
            given=shortened(written),
            angles=ANGLES,
            quaternion=QUATERNION,
        )
    return simplified(Pose(R, vector(Vec3(*values[:3])))), notes


def _degrees(value: Fraction) -> Angle:
    if value % EXACT_STEP == 0:
        return Angle.degrees(value)
    return Angle(radians=Fraction(math.radians(float(value))))


def decimals(element: Element, count: int) -> list[Fraction]:
    """Returns the decimals in an element's text, of which there must be so many."""
    parts = element.text.split()
    if len(parts) != count:
        raise FormatError(
            "decimals-wrong", where=element.where, tag=element.tag, text=shortened(element.text), count=count
        )
    return [decimal(part, element.tag, element) for part in parts]
