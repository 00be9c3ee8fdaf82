"""Reads SDF's joints: kind, axis, limits, damping, friction and springs, and <mimic>."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from qddot.algebra.expressions.angles import decimal
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.freedoms import SPHERICAL
from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import FormatError, located, near, shortened
from qddot.formats.sdf import elements, known
from qddot.formats.sdf.frames import Frames
from qddot.formats.sdf.models import MODEL_FRAME, Joint, by_version
from qddot.formats.shared import compound_joints
from qddot.formats.shared.compound_joints import Freedom
from qddot.formats.shared.couplings import Coupling, coupled
from qddot.formats.urdf.numbers import Limits, limits, motor_limit
from qddot.formats.xml.elements import Element
from qddot.robot import bodies
from qddot.robot.axes import unit
from qddot.robot.bodies import OF_MOTORS, Body
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.notes import note, noted

AXIS_IN_MODEL = (1, 4)  # the last version with axes in the model's frame
FIRST_AXIS, SECOND_AXIS = "axis", "axis2"


def motion(joint: Joint, exchanged: bool, frames: Frames, notes: list[str]) -> bodies.Joint:
    """Returns a joint with its type, axis, limits and effects, but without placements and coordinate.

    exchanged: whether the child carries the parent; the coordinate stays that of the child relative to the parent
    For a screw this is the revolute part, for a joint with two axes the second revolute joint; `expanded` makes a ball
    joint.
    """
    element = joint.element
    kind = known.joint_type(element)
    if kind in ("fixed", known.BALL):
        return bodies.Joint("fixed")
    tag = SECOND_AXIS if kind in known.TWO_AXES else FIRST_AXIS
    axis, freedom = along(joint, tag, frames, notes)
    turning = compound_joints.turning(-axis if exchanged else axis, freedom)
    return turning if kind == known.SCREW or kind in known.TWO_AXES else replace(turning, type=kind)


def along(joint: Joint, tag: str, frames: Frames, notes: list[str]) -> tuple[Vec3, Freedom]:
    """Returns one axis of a joint, in the joint's frame, with its limits and effects."""
    element = joint.element
    axis = element.child(tag)
    if axis is None:
        key = "joint-without-axis" if tag == FIRST_AXIS else "joint-without-second-axis"
        raise FormatError(key, where=element.where, tag=tag)
    known.check(axis)
    ends = _limits(element, axis, notes) if known.joint_type(element) != "continuous" else None
    return _direction(joint, axis, frames, notes), Freedom(None, ends, tuple(_effects(axis)), **_of_motor(axis))


def expanded(
    body: Body,
    joint: Joint,
    exchanged: bool,
    frames: Frames,
    coordinates: Sequence[str],
    names_in_use: Collection[str],
    notes: list[str],
) -> list[Body]:
    """Returns a body on a joint of the file's type; a screw or a joint with two axes puts a massless body before it.

    body: the body on the joint that `motion` returns, with placements; exchanged: as in `motion`
    coordinates: their names, or the label of a ball, whose quaternion is that of the carried link
    """
    kind, own = known.joint_type(joint.element), body.joint
    if kind == known.BALL:
        return _on_ball(body, joint.element, coordinates[0], names_in_use, notes)
    if kind != known.SCREW and kind not in known.TWO_AXES:
        return [body]
    fixed = replace(body, joint=compound_joints.standing(own))
    last = Freedom(coordinates[-1] if coordinates else None, own.limits, own.effects, own.effort, own.velocity)
    if kind == known.SCREW:
        return compound_joints.helical(fixed, own.axis, _pitch(joint.element, notes), last, names_in_use)
    axis, first = along(joint, FIRST_AXIS, frames, notes)
    first = replace(first, coordinate=coordinates[0])
    if exchanged:
        return compound_joints.universal(fixed, [own.axis, -axis], [last, first], names_in_use)
    return compound_joints.universal(fixed, [axis, own.axis], [first, last], names_in_use)


def _on_ball(body: Body, joint: Element, label: str, names_in_use: Collection[str], notes: list[str]) -> list[Body]:
    """Returns a body on a ball joint, preceded by a massless body if its frame is not at the ball's centre.

    The friction of the joint's first axis, if it has one, acts in all directions.
    """
    own, axis, effects = body.joint, joint.child(FIRST_AXIS), tuple[Effect, ...]()
    if axis is not None:
        known.check(axis)
        effects = tuple(_effects(axis))
        notes += [noted(joint.label, note("limits-unread", type="ball"))] if axis.child("limit") is not None else []
    ball = bodies.Joint(
        SPHERICAL, own.parent, placement=own.placement, coordinate=label, effects=effects, name=own.name
    )
    if own.offset == Pose.identity():
        return [replace(body, joint=ball)]
    centre = Body(fresh(f"{body.name}_ball", {*names_in_use}), ball)
    return [centre, replace(body, joint=bodies.Joint("fixed", centre.name, placement=own.offset))]


def _pitch(joint: Element, notes: list[str]) -> Expression:
    """Returns the pitch of a screw in metres per radian.

    screw_thread_pitch is in metres per turn, positive for a right-handed thread; the older thread_pitch is in radians
    per metre, positive for a left-handed one. Source: SDFormat's joint.sdf 1.10, which introduced the former.
    """
    turn, old = joint.child("screw_thread_pitch"), joint.child("thread_pitch")
    thread = turn if turn is not None else old
    if thread is None:
        raise FormatError("screw-joint-without-pitch", where=joint.where)
    value = elements.number(joint, thread.tag, "0")
    if not value:
        raise FormatError("thread-pitch-zero", where=thread.where, tag=thread.tag)
    if turn is None:
        return Expression.constant(-1 / value)
    pitch = Fraction(repr(float(value) / (2 * math.pi)))
    notes.append(noted(joint.label, note("pitch-rounded", turn=decimal(value), radian=decimal(pitch))))
    return Expression.constant(pitch)


def _direction(joint: Joint, axis: Element, frames: Frames, notes: list[str]) -> Vec3:
    """Returns the unit axis in the joint's frame."""
    xyz = axis.child("xyz")
    if xyz is None:
        return Vec3(0, 0, 1)
    entries = elements.decimals(xyz, 3)
    with located(f"{xyz.file}:{xyz.line} <xyz> of {joint.element.label}"):
        direction, change = unit(entries)
    if change:
        notes.append(noted(joint.element.label, change))
    frame = _expressed_in(joint, axis, xyz)
    return frames.between(joint.frame, frame, xyz.where).R.apply(direction) if frame != joint.frame else direction


def _expressed_in(joint: Joint, axis: Element, xyz: Element) -> str:
    """Returns the full name of the frame of an axis, by default the joint's own."""
    source, name = joint.scope.source, by_version(xyz, joint.scope.source, "", "expressed_in")
    of_model = elements.truth(axis, "use_parent_model_frame")
    if of_model and not source.early:
        raise FormatError("parent-model-frame-late", where=axis.where, frame=MODEL_FRAME)
    if of_model or source.version <= AXIS_IN_MODEL:
        return joint.scope.frame
    return joint.scope.full(name) if name else joint.frame


def _limits(joint: Element, axis: Element, notes: list[str]) -> Limits | None:
    """Returns the lower and the upper limit if both are finite, else None."""
    limit = axis.child("limit")
    if limit is None:
        return None
    ends, change = limits(elements.bound(limit, "lower"), elements.bound(limit, "upper"))
    notes += [noted(joint.label, change)] if change else []
    return ends


def _of_motor(axis: Element) -> dict[str, float | None]:
    limit = axis.child("limit")
    given = {} if limit is None else {name: limit.child(name) for name in OF_MOTORS}
    return {name: motor_limit(element.text) for name, element in given.items() if element is not None}


def _effects(axis: Element) -> Iterable[Effect]:
    dynamics = axis.child("dynamics")
    if dynamics is None:
        return
    known.check(dynamics)
    kinds: dict[str, type[Viscous] | type[Coulomb]] = {"damping": Viscous, "friction": Coulomb}
    for tag, kind in kinds.items():
        value = elements.positive(dynamics, tag, "0")
        if value:
            yield kind(Expression.constant(value))
    stiffness = elements.positive(dynamics, "spring_stiffness", "0")
    if stiffness:
        rest = elements.number(dynamics, "spring_reference", "0")
        yield Spring(Expression.constant(stiffness), Expression.constant(rest))


def followed(
    bodies: Sequence[Body], joints: Mapping[str, Joint], geared: Sequence[Coupling]
) -> tuple[list[Body], list[str]]:
    """Returns the bodies with <mimic> applied: q = multiplier · (leader's q − reference) + offset; and notes.

    bodies: those whose joints have their full names, the keys of `joints`; geared: what gearboxes couple
    """
    by_joint = {body.joint.name: body for body in bodies}
    couplings = [_coupling(by_joint[name].joint, joint, joints) for name, joint in joints.items()]
    return coupled(by_joint, [*(each for each in couplings if each is not None), *geared])


def _coupling(follower: bodies.Joint, joint: Joint, joints: Mapping[str, Joint]) -> Coupling | None:
    """Returns how a joint follows another by its mimic, or None if it has none."""
    mimic, element = mimics(joint.element), replace(joint.element, attributes={"name": follower.name})
    if mimic is None:
        return None
    known.check(mimic)
    for attribute in ("axis", "follower_axis"):
        if (axis := mimic.attributes.get(attribute, FIRST_AXIS)) != FIRST_AXIS:
            raise FormatError("mimic-axis-wrong", where=mimic.where, attribute=attribute, axis=shortened(axis))
    leader = joint.scope.full(mimic.required("joint"))
    if leader not in joints:
        raise FormatError("no-such-joint", where=mimic.where, name=shortened(leader), remedy=near(leader, joints))
    if known.joint_type(joints[leader].element) in known.TWO_AXES:
        raise FormatError("leader-has-two-axes", where=mimic.where, leader=shortened(leader))
    if follower.has(Spring):
        raise FormatError("spring-in-follower", where=element.where)
    ratio = elements.number(mimic, "multiplier", "1")
    if not ratio:
        raise FormatError("multiplier-zero", where=mimic.where)
    offset = elements.number(mimic, "offset", "0") - ratio * elements.number(mimic, "reference", "0")
    return Coupling(follower.name, leader, ratio, offset, f"{mimic.where} of {element.label}")


def mimics(joint: Element) -> Element | None:
    """Returns the <mimic> of a joint that moves, or None."""
    if joint.attributes.get("type") == "fixed":
        return None
    axes = [axis for tag in (FIRST_AXIS, SECOND_AXIS) if (axis := joint.child(tag)) is not None]
    mimic = next((element for axis in axes if (element := axis.child("mimic")) is not None), None)
    if mimic is not None and known.joint_type(joint) in (known.SCREW, known.BALL, *known.TWO_AXES):
        raise FormatError("mimic-in-joint-type", where=mimic.where, type=known.joint_type(joint))
    return mimic
