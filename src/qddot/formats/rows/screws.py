"""Turns screw axes and home poses into joints (Lynch & Park 2017, ch. 4).

S = (ω, v): for a revolute joint ω is a unit vector and v = −ω × point; for a prismatic one ω = 0 and v is a unit
vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose, Rotation, Twist, Vec3
from qddot.base.errors import FormatError, shortened
from qddot.formats.rows.dh import Geometry
from qddot.robot.axes import nearly_unit, rationals
from qddot.robot.notes import noted

ROUNDING = 1e-12  # the largest |ω · v| that counts as zero, because of rounding in doubles


def joint(screw: Sequence[Any], home: Pose, parent_home: Pose, where: str, seen_from: Pose | None = None) -> Geometry:
    """Returns the joint of one screw between a parent and a body, whose poses at q = 0 are given.

    T_parent_body = M_p⁻¹ e^([S]q) M. The joint's frame is parallel to the frame in which the screw is given: the space
    frame, or the tool's frame at q = 0 (`seen_from`). Its origin is ω × v, the point of the screw axis nearest to that
    frame's origin.
    """
    S, notes = _motion(screw, where)
    into_parent = parent_home.inverse()
    slides = all(entry == 0 for entry in S.w)
    if not slides and not _vanishes(S.w.dot(S.v), S.v):
        raise FormatError("screw-with-pitch", where=where, screw=shortened(screw))
    on_axis = (seen_from or Pose.identity()) @ Pose(Rotation.identity(), Vec3.zero() if slides else S.w.cross(S.v))
    return Geometry(
        type="prismatic" if slides else "revolute",
        coordinate=None,
        axis=(S.v if slides else S.w).map(_value),
        placement=(into_parent @ on_axis).map(_value),
        offset=(on_axis.inverse() @ home).map(_value),
        notes=notes,
    )


def _motion(screw: Sequence[Any], where: str) -> tuple[Twist, tuple[str, ...]]:
    """Returns the screw with its axis scaled to length 1, and notes of the change."""
    if isinstance(screw, str) or not hasattr(screw, "__len__") or len(screw) != 6:
        raise FormatError("screw-not-six", where=where, screw=shortened(screw))
    entries = [folded(expression(entry)) for entry in screw]
    w, v = Vec3(*entries[:3]), Vec3(*entries[3:])
    if any(entry != 0 for entry in w) and all(_vanishes(entry, v) for entry in w):
        w = Vec3.zero()
    if all(entry == 0 for entry in w):
        v, note = nearly_unit(v)
    else:
        w, note = nearly_unit(w)
    return Twist(w, v), (noted(where, note),) if note else ()


def _vanishes(value: Any, v: Vec3) -> bool:
    """Returns whether a value is zero within the rounding errors of doubles, relative to v."""
    number = _value(value)
    if isinstance(number, int) or number.rational is None:
        return bool(number == 0)
    largest = max((abs(entry) for entry in rationals(v) or ()), default=0)
    return bool(abs(number.rational) <= ROUNDING * max(1, largest))


def _value(entry: Any) -> Any:
    return folded(reduced(entry)) if isinstance(entry, Expression) else entry
