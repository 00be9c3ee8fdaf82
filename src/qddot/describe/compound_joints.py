"""Makes joints of several freedoms, and screws, of joints that turn or slide, with bodies of no mass between them.

All of them have velocities that are the rates of their coordinates, so that a chain of joints of one freedom is the
same mechanism: every function and every proof takes it. A screw is a turn, and a slide that follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from qddot.describe.rotations import from_quaternion
from qddot.errors import ModelError
from qddot.expressions.expression import Expression, Scalar, folded, reduced
from qddot.expressions.names import fresh
from qddot.expressions.parser import expression
from qddot.model.axes import nearest_rational, nearly_unit
from qddot.model.bodies import Body, Effect, Joint, check_unit
from qddot.records import record
from qddot.spatial import Pose, Vec3

# what each coordinate of a joint is, in order; it names the bodies between
COORDINATES = {
    "helical": ("turn",),
    "universal": ("first", "second"),
    "cylindrical": ("turn", "slide"),
    "planar": ("x", "y", "turn"),
}


@record()
class Freedom:
    """A freedom is one coordinate of a joint: its name, if it has one, its limits, and the effects along it."""

    coordinate: str | None = None
    limits: tuple[Expression, ...] | None = None
    effects: tuple[Effect, ...] = ()


def helical(body: Body, axis: Vec3, pitch: Scalar, freedom: Freedom, taken: Collection[str]) -> list[Body]:
    """Returns the bodies of a screw: as it turns by q, the body moves by pitch · q along the axis.

    body: the last one; its joint says where the joint is. pitch: a length per radian, positive for a right-handed
    screw. taken: the names of other bodies
    raises ModelError: a pitch of zero, an axis that is not a unit vector
    """
    length = expression(pitch)
    number = length.rational
    if number == 0:
        raise ModelError(
            "the pitch is 0",
            expected="a length per radian",
            remedy='give type = "revolute" for a joint that only turns',
        )
    along = axis if number is None or number > 0 else -axis
    turn = Joint("revolute", axis=axis, coordinate=freedom.coordinate, limits=freedom.limits, effects=freedom.effects)
    slide = Joint("prismatic", axis=along, coordinate=freedom.coordinate)
    bodies = _chain(body, "helical", [turn, slide], taken)
    return [
        bodies[0],
        replace(bodies[1], joint=replace(bodies[1].joint, ratio=length if number is None else abs(number))),
    ]


def universal(body: Body, axes: Sequence[Vec3], freedoms: Sequence[Freedom], taken: Collection[str]) -> list[Body]:
    """Returns the bodies of a universal joint, which turns about an axis of its parent, then about one of the cross.

    raises ModelError: axes that are parallel, or not unit vectors
    """
    first, second = (nearly_unit(axis)[0] for axis in axes)
    if not any(folded(reduced(Expression.constant(0) + entry)) for entry in first.cross(second)):
        raise ModelError(
            "the axes of a universal joint are parallel", expected="two directions", remedy='or type = "revolute"'
        )
    parts = [_turn(axis, freedom) for axis, freedom in zip((first, second), freedoms, strict=True)]
    return _chain(body, "universal", parts, taken)


def cylindrical(body: Body, axis: Vec3, freedoms: Sequence[Freedom], taken: Collection[str]) -> list[Body]:
    """Returns the bodies of a cylindrical joint, which turns about its axis and slides along it."""
    turn, slide = freedoms
    return _chain(body, "cylindrical", [_turn(axis, turn), _slide(axis, slide)], taken)


def planar(body: Body, normal: Vec3, freedoms: Sequence[Freedom], taken: Collection[str]) -> tuple[list[Body], str]:
    """Returns the bodies of a planar joint, which slides along x and y of a plane, then turns about its normal.

    Behind them stands a note if the plane had to be made rational.
    raises ModelError: a normal that is not a unit vector, or has symbols in it
    """
    x, y, z, note = in_plane(normal)
    across, turn = [_slide(axis, freedom) for axis, freedom in zip((x, y), freedoms[:2], strict=True)], freedoms[2]
    return _chain(body, "planar", [*across, _turn(z, turn)], taken), note


def in_plane(normal: Vec3) -> tuple[Vec3, Vec3, Vec3, str]:
    """Returns x, y and z of a frame whose z is a normal, and a note; the frame is turned on the shortest way.

    The quaternion of that turn is (1 + z, −y, x, 0) but for its length; for −z it is half a turn about x. Where it has
    roots, it is made rational.
    """
    check_unit(normal)
    entries = [Expression.constant(0) + entry for entry in normal]
    if any(entry.symbols() for entry in entries):
        raise ModelError("the normal of a plane has symbols in it", remedy="turn the joint by rpy, and let it be z")
    numbers, note = [entry.rational for entry in entries], ""
    x, y, z = (number for number in numbers if number is not None) if None not in numbers else (0, 0, 0)
    parts: Sequence[Scalar] = (1 + z, -y, x, 0)
    if None in numbers:
        x, y, z = (entry.value({}) for entry in entries)
        parts, note = nearest_rational((1 + z, -y, x, 0.0)), "the normal of its plane is made rational, to 1e-12"
    R = from_quaternion(*parts) if any(parts) else from_quaternion(0, 1, 0, 0)
    first, second, third = (R.apply(Vec3(*(int(k == j) for j in range(3)))).map(expression) for k in range(3))
    return first, second, third, note


def _turn(axis: Vec3, freedom: Freedom) -> Joint:
    return Joint("revolute", axis=axis, coordinate=freedom.coordinate, limits=freedom.limits, effects=freedom.effects)


def _slide(axis: Vec3, freedom: Freedom) -> Joint:
    return replace(_turn(axis, freedom), type="prismatic")


def _chain(body: Body, kind: str, joints: Sequence[Joint], taken: Collection[str]) -> list[Body]:
    """Returns the bodies on a row of joints at one place; the last is the body itself, the others have no mass."""
    where, bodies, names = body.joint, list[Body](), set(taken) | {body.name}
    parent, placement = where.parent, where.placement
    for part, joint in zip(COORDINATES[kind], joints[:-1], strict=False):
        name = fresh(f"{body.name}_{part}", names)
        called = f"{where.name}_{part}" if where.name else ""
        bodies.append(Body(name, replace(joint, parent=parent, placement=placement, name=called, part_of=kind)))
        parent, placement = name, Pose.identity()
    last = replace(joints[-1], parent=parent, placement=placement, offset=where.offset, name=where.name, part_of=kind)
    return [*bodies, replace(body, joint=last)]
