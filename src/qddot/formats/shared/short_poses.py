"""Replaces the long fractions of a pose by short ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import Pose
from qddot.formats.shared.rotations import from_quaternion, quaternion
from qddot.robot.axes import nearest_rational
from qddot.robot.bodies import simplified

LONGEST_DENOMINATOR = 256  # bits; a longer product is replaced by the nearest short fraction
FINEST = Fraction(1, 10**18)  # m, to which positions are then rounded
NOTE = "a product of rotations is rounded to the nearest rotation of short fractions, to 1e-12"


def short(pose: Pose) -> tuple[Pose, str]:
    """Returns the pose with long fractions replaced by the nearest short ones, and a note if the rotation changed."""
    pose = simplified(pose)
    R, p, note = pose.R, pose.p, ""
    if any(_long(entry) for row in R for entry in row):
        R = from_quaternion(*nearest_rational(quaternion([[_value(entry) for entry in row] for row in R])))
        note = NOTE
    if any(_long(entry) for entry in p):
        p = p.map(_rounded)
    return Pose(R, p), note


def _long(entry: Any) -> bool:
    terms = entry.terms.values() if isinstance(entry, Expression) else ()
    return any(c.denominator.bit_length() > LONGEST_DENOMINATOR for c in terms)


def _rounded(entry: Any) -> Any:
    if not isinstance(entry, Expression):
        return entry
    return folded(Expression({monomial: Fraction(round(c / FINEST)) * FINEST for monomial, c in entry.terms.items()}))


def _value(entry: Any) -> float:
    return entry.value({}) if isinstance(entry, Expression) else float(entry)
