"""Builds helical joints and those with several degrees of freedom from revolute and prismatic ones.

The joints in such a chain have massless bodies between them. The velocities are the rates of the coordinates, so that
the chain is the same mechanism, and every function and proof accepts it. A helical joint is a revolute joint and a
prismatic joint that follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, Scalar, folded
from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.parser import expression
from qddot.algebra.freedoms import FREE, SPHERICAL, UNITS
from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.formats.shared.rotations import from_quaternion
from qddot.robot.axes import nearest_rational, nearly_unit, rationals
from qddot.robot.bodies import Body, Joint, check_unit
from qddot.robot.effects.effect import Effect
from qddot.robot.model import Model
from qddot.robot.notes import note

# the coordinates of each joint, in order; the bodies between are named after them
COORDINATES = {
    "helical": ("turn",),
    "universal": ("first", "second"),
    "cylindrical": ("turn", "slide"),
    "planar": ("x", "y", "turn"),
    SPHERICAL: ("roll", "pitch", "yaw"),
    FREE: ("x", "y", "z", "roll", "pitch", "yaw"),
}


@record()
class Freedom:
    """A degree of freedom is one coordinate of a joint, with its name (if any), its limits, and its effects.

    effort, velocity: the largest torque [N m] or force [N] of its motor, and its largest rate [rad/s or m/s], if the
        file gives them
    """

    coordinate: str | None = None
    limits: tuple[Expression, ...] | None = None
    effects: tuple[Effect, ...] = ()
    effort: float | None = None
    velocity: float | None = None


def helical(body: Body, axis: Vec3, pitch: Scalar, freedom: Freedom, names_in_use: Collection[str]) -> list[Body]:
    """Returns the bodies of a helical joint: as it turns by q, the body moves by pitch · q along the axis.

    body: the last body, whose joint has the screw's placement. pitch: a length per radian, positive for a right-handed
    thread. names_in_use: those of other bodies
    raises ModelError: a pitch of zero, an axis that is not a unit vector
    """
    length = expression(pitch)
    number = length.rational
    if number == 0:
        raise ModelError("pitch-zero")
    along = axis if number is None or number > 0 else -axis
    turn = turning(axis, freedom)
    slide = Joint("prismatic", axis=along, coordinate=freedom.coordinate)
    first, last = _chain(body, "helical", [turn, slide], names_in_use)
    ratio = length if number is None else abs(number)
    return [first, replace(last, joint=replace(last.joint, ratio=ratio))]


def universal(
    body: Body, axes: Sequence[Vec3], freedoms: Sequence[Freedom], names_in_use: Collection[str]
) -> list[Body]:
    """Returns the bodies of a universal joint, which turns about an axis of its parent, then about a second axis.

    raises ModelError: axes that are parallel, or not unit vectors
    """
    first, second = (nearly_unit(axis)[0] for axis in axes)
    if not any(folded(reduced(Expression.constant(0) + entry)) for entry in first.cross(second)):
        raise ModelError("universal-axes-parallel")
    parts = [turning(axis, freedom) for axis, freedom in zip((first, second), freedoms, strict=True)]
    return _chain(body, "universal", parts, names_in_use)


def cylindrical(body: Body, axis: Vec3, freedoms: Sequence[Freedom], names_in_use: Collection[str]) -> list[Body]:
    """Returns the bodies of a cylindrical joint, which turns about its axis and slides along it."""
    turn, slide = freedoms
    return _chain(body, "cylindrical", [turning(axis, turn), _slide(axis, slide)], names_in_use)


def planar(
    body: Body, normal: Vec3, freedoms: Sequence[Freedom], names_in_use: Collection[str]
) -> tuple[list[Body], str]:
    """Returns the bodies of a planar joint, which slides along x and y of a plane, then turns about its normal.

    The second value is a note; it is empty unless the plane had to be made rational.
    raises ModelError: a normal that is not a unit vector, or has symbols in it
    """
    x, y, z, change = in_plane(normal)
    across, turn = [_slide(axis, freedom) for axis, freedom in zip((x, y), freedoms[:2], strict=True)], freedoms[2]
    return _chain(body, "planar", [*across, turning(z, turn)], names_in_use), change


def in_coordinates(model: Model) -> Model:
    """Returns a model whose free joints slide along x, y and z and turn about x, y and z; spherical ones turn only.

    The coordinates have the names of the velocities, but are their integrals only near q = 0. The mechanism is the same
    except where the second angle is a right angle. The doctor and the comparison use such models.
    """
    names_in_use, bodies = {body.name for body in model.bodies}, list[Body]()
    for body in model.bodies:
        freedoms = body.joint.freedoms
        if freedoms is None:
            bodies.append(body)
            continue
        named = [Freedom(name, effects=body.joint.effects) for name in freedoms.velocities]
        slides = len(freedoms.slides)
        joints = [(_slide if k < slides else turning)(UNITS[k % 3], freedom) for k, freedom in enumerate(named)]
        bodies += _chain(body, freedoms.kind, joints, names_in_use)
    return replace(model, bodies=tuple(bodies)) if model.freedoms else model


def in_plane(normal: Vec3) -> tuple[Vec3, Vec3, Vec3, str]:
    """Returns the axes x, y and z of the least rotated frame whose z is `normal`, and a note of a change.

    The rotation has the quaternion (1 + z, −y, x, 0) up to its length; for a normal along −z it is a half turn about x.
    A quaternion that contains roots is made rational.
    """
    check_unit(normal)
    entries = [Expression.constant(0) + entry for entry in normal]
    if any(entry.symbols() for entry in entries):
        raise ModelError("plane-normal-symbolic")
    exact: Any = rationals(normal)
    change = ""
    x, y, z = exact or (entry.value({}) for entry in entries)
    parts: Sequence[Scalar] = (1 + z, -y, x, 0)
    if exact is None:
        parts, change = nearest_rational((1 + z, -y, x, 0)), note("axis-made-rational")
    R = from_quaternion(*parts) if any(parts) else from_quaternion(0, 1, 0, 0)
    first, second, third = (R.apply(Vec3(*(int(k == j) for j in range(3)))).map(expression) for k in range(3))
    return first, second, third, change


def turning(axis: Vec3, freedom: Freedom) -> Joint:
    """Returns a revolute joint with a freedom's coordinate, limits and effects, to be placed."""
    return Joint(
        "revolute",
        axis=axis,
        coordinate=freedom.coordinate,
        limits=freedom.limits,
        effects=freedom.effects,
        effort=freedom.effort,
        velocity=freedom.velocity,
    )


def standing(joint: Joint) -> Joint:
    """Returns a joint that does not move, in the place of another."""
    return replace(joint, type="fixed", limits=None, effects=(), effort=None, velocity=None, coordinate=None)


def _slide(axis: Vec3, freedom: Freedom) -> Joint:
    return replace(turning(axis, freedom), type="prismatic")


def _chain(body: Body, kind: str, joints: Sequence[Joint], names_in_use: Collection[str]) -> list[Body]:
    """Returns the bodies on a chain of joints at one place; the last is the body itself, the others have no mass."""
    where, bodies, names = body.joint, list[Body](), set(names_in_use) | {body.name}
    parent, placement = where.parent, where.placement
    for part, joint in zip(COORDINATES[kind], joints[:-1], strict=False):
        name = fresh(f"{body.name}_{part}", names)
        called = f"{where.name}_{part}" if where.name else ""
        bodies.append(Body(name, replace(joint, parent=parent, placement=placement, name=called, part_of=kind)))
        parent, placement = name, Pose.identity()
    last = replace(joints[-1], parent=parent, placement=placement, offset=where.offset, name=where.name, part_of=kind)
    return [*bodies, replace(body, joint=last)]
