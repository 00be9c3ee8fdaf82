"""These confusions concern a whole description: gravity, Denavit–Hartenberg rows, angles, axes, effects in joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import degrees, radians

from qddot.algebra.spatial import Pose, Vec3
from qddot.base.words.message import Message
from qddot.formats.confusions.confusion import Confusion, itself
from qddot.formats.rows.dh import ROWS, Row
from qddot.formats.rows.dh_table import table_of
from qddot.robot.bodies import Body, Joint
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.model import Model


def _without(*kinds: type[Effect]) -> Callable[[Joint], Joint]:
    return lambda joint: replace(
        joint, effects=tuple(effect for effect in joint.effects if not isinstance(effect, kinds))
    )


def reversed_axis(joint: Joint) -> Joint:
    limits = joint.limits and (-joint.limits[1], -joint.limits[0])
    return replace(joint, axis=-joint.axis, limits=limits)


def other_rows(model: Model) -> Model:
    """Returns the arm whose table of standard Denavit–Hartenberg rows is read as a modified one, or the reverse.

    An arm whose frames follow no such table is returned unchanged.
    """
    convention, table = _table(model)
    if table is None:
        return model
    base, rows = table
    other = "mdh" if convention == "dh" else "dh"
    bodies = list[Body]()
    for body, row in zip(model.links, rows, strict=True):
        geometry = row.geometry(other)
        placement = geometry.placement if bodies else base @ geometry.placement
        joint = replace(body.joint, placement=placement, offset=geometry.offset, axis=geometry.axis)
        bodies.append(replace(body, joint=joint))
    return replace(model, bodies=(*bodies, *(body for body in model.bodies if body.joint.kind.is_rotor)))


def rows_of(model: Model) -> Message | str:
    """Returns the kind of the arm's Denavit–Hartenberg rows: standard, modified, or "" without a table."""
    convention, table = _table(model)
    return "" if table is None else ROWS[convention]


def _table(model: Model) -> tuple[str, tuple[Pose, list[Row]] | None]:
    for convention in ROWS:
        if (table := table_of(model, convention)) is not None:
            return convention, table
    return "", None


def _along(axis: int, sign: int) -> Callable[[Vec3], Vec3]:
    """Returns the change of gravity along one axis into gravity along another one; the rest does not change."""

    def change(gravity: Vec3) -> Vec3:
        sizes = [entry for entry in gravity if entry != 0]
        turned = Vec3(*(sizes[0] * sign if k == axis else 0 for k in range(3))) if len(sizes) == 1 else gravity
        return gravity if turned == -gravity else turned

    return change


SIGN_OF_GRAVITY = itself("gravity sign", lambda gravity: -gravity)
NO_GRAVITY = Confusion("missing gravity", lambda gravity: gravity.zero())
DIRECTIONS = tuple(Confusion("direction of gravity", _along(axis, sign)) for axis in range(3) for sign in (1, -1))
GRAVITIES = (SIGN_OF_GRAVITY, NO_GRAVITY, *DIRECTIONS)
OTHER_ROWS = Confusion[Model]("standard or modified DH", other_rows)
DEGREES = Confusion[float]("angles in degrees", degrees, radians)
LIMITS_IN_DEGREES = Confusion[tuple[float, ...]](
    "limits in degrees",
    lambda limits: tuple(map(degrees, limits)),
    lambda limits: tuple(map(radians, limits)),
)
REVERSED_AXIS = itself("axis reversed", reversed_axis)
NO_ARMATURE = Confusion("missing armature", _without(Armature))
NO_DAMPING = Confusion("missing damping", _without(Viscous))
NO_COULOMB = Confusion("missing friction", _without(Coulomb))
NO_SPRINGS = Confusion("missing springs", _without(Spring))
NO_LIMITS = Confusion[Joint]("missing limits", lambda joint: replace(joint, limits=None))
EFFECTS = (NO_ARMATURE, NO_DAMPING, NO_COULOMB, NO_SPRINGS)
NO_FRICTION = Confusion("missing damping and friction", _without(Viscous, Coulomb))
NO_SPRINGS_OR_FRICTION = Confusion("missing springs and friction", _without(Viscous, Coulomb, Spring))
TOGETHER = (NO_SPRINGS_OR_FRICTION, NO_FRICTION)  # effects that are left out at once
