"""Recovers the Denavit–Hartenberg rows from the joints of a model whose frames already follow a convention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.constant_angles import cos_sin, reduced
from qddot.algebra.expressions.expression import Trigonometric
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.formats.rows.dh import Row, Z
from qddot.formats.shared.rotations import snapped
from qddot.robot.bodies import BASE, Joint
from qddot.robot.model import Model


def table_of(model: Model, convention: str) -> tuple[Pose, list[Row]] | None:
    """Returns the base placement and the rows of a chain whose frames follow "dh" or "mdh", or None for any other
    model."""
    base, rows, before = Pose.identity(), list[Row](), BASE
    for body in model.links:
        if body.joint.parent != before:
            return None
        row = _row(body.joint, convention)
        if row is None and not rows:
            base, rest = _base_and_rest(body.joint.placement)
            row = _row(replace(body.joint, placement=rest), convention)
        if row is None:
            return None
        rows.append(row)
        before = body.name
    return base, rows


def _base_and_rest(placement: Pose) -> tuple[Pose, Pose]:
    """Splits a placement into the part before the first row and the rest.

    The first part is only the displacement if the z axes agree, else the whole pose.
    """
    if placement.R.z == Z:
        return Pose(Rotation.identity(), placement.p), Pose(placement.R, Vec3.zero())
    return placement, Pose.identity()


def _row(joint: Joint, convention: str) -> Row | None:
    """Returns the row that describes exactly this joint, or None."""
    P, O = joint.placement, joint.offset
    if convention == "dh":
        theta, alpha = _angle(P.R.x.x, P.R.y.x), _angle(O.R.z.z, O.R.z.y)
        a, d = O.p.x, P.p.z + O.p.z
    else:
        theta, alpha = _angle(P.R.x.x, -expression(P.R.x.y)), _angle(P.R.z.z, -expression(P.R.y.z))
        a, d = P.p.x, P.R.T.z.dot(P.p)
    if theta is None or alpha is None or any(snapped(angle)[0] != angle for angle in (theta, alpha)):
        return None
    sign = -1 if joint.moves and joint.axis == -Z else 1
    slides = joint.type == "prismatic"
    row = Row(theta, reduced(expression(d)), expression(a), alpha, joint.coordinate, slides, sign)
    geometry = row.geometry(convention)
    axis = joint.axis if joint.moves else geometry.axis
    return row if (geometry.placement, geometry.offset, geometry.axis) == (P, O, axis) else None


def _angle(c: Any, s: Any) -> Angle | None:
    """Returns the angle with this cosine and sine if both are written with the same angle, else None."""
    pair = expression(c), expression(s)
    declared = [atom.angle for atom in (*pair[0].atoms(), *pair[1].atoms()) if isinstance(atom, Trigonometric)]
    steps = (Angle.degrees(15 * k) for k in range(-11, 13))
    return next((angle for angle in declared or steps if cos_sin(angle) == pair), None)
