"""Reads SDF's gearbox joints: the angle of one link follows that of another, both relative to a reference body.

With θ1 from the reference body to the gearbox's parent about its <axis>, and θ2 from there to its child about <axis2>,
θ2 = −gearbox_ratio θ1. Source: the specification of SDFormat, joint.sdf 1.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from qddot.algebra.expressions.expression import Expression
from qddot.base.errors import FormatError, NotModelledError, shortened
from qddot.formats.sdf import elements, known
from qddot.formats.sdf.frames import Frames
from qddot.formats.sdf.joints import FIRST_AXIS, SECOND_AXIS, along
from qddot.formats.sdf.models import Joint
from qddot.formats.shared.couplings import Coupling
from qddot.robot.notes import note, noted

ALONG = 1e-6  # the largest difference of axes that are the same: six digits are written


def couplings(
    gears: Mapping[str, Joint], joints: Mapping[str, Joint], ends: Mapping[str, tuple[str, str]], frames: Frames
) -> tuple[list[Coupling], list[str]]:
    """Returns how the joint of each gearbox's child follows that of its parent, and notes.

    joints: those of the tree, by their full names; ends: the parent link and the child link of each
    raises FormatError: the gearbox has no ratio, axes or reference body, or has friction
    raises NotModelledError: its links do not turn about its axes on the reference body
    """
    notes: list[str] = []
    return [_coupling(gear, joints, ends, frames, notes) for gear in gears.values()], notes


def _coupling(
    gear: Joint, joints: Mapping[str, Joint], ends: Mapping[str, tuple[str, str]], frames: Frames, notes: list[str]
) -> Coupling:
    element, where = gear.element, gear.element.where
    ratio = elements.number(element, "gearbox_ratio", "1")
    if not ratio:
        raise FormatError("gearbox-ratio-zero", where=where)
    reference = frames.link(gear.scope.full(elements.word(element, "gearbox_reference_body")), where)
    names, factor = [], -ratio
    for end, tag in ((gear.parent, FIRST_AXIS), (gear.child, SECOND_AXIS)):
        name, sign = _turning(gear, frames.link(end, where), reference, joints, ends)
        names.append(name)
        factor *= sign * _alike(gear, tag, joints[name], frames, notes)
    leader, follower = names
    return Coupling(follower, leader, factor, Fraction(0), where)


def _turning(
    gear: Joint, link: str, reference: str, joints: Mapping[str, Joint], ends: Mapping[str, tuple[str, str]]
) -> tuple[str, int]:
    """Returns the joint that turns a link on the reference body, and the sign of its coordinate in that angle."""
    for name, joint in joints.items():
        if known.joint_type(joint.element) in ("revolute", "continuous") and {*ends[name]} == {link, reference}:
            return name, 1 if ends[name] == (reference, link) else -1
    raise NotModelledError(
        "gearbox-without-joint", where=gear.element.where, link=shortened(link), reference=shortened(reference)
    )


def _alike(gear: Joint, tag: str, joint: Joint, frames: Frames, notes: list[str]) -> int:
    """Returns 1 if an axis of the gearbox has the direction of a joint's axis, or −1 if it is opposite."""
    where = gear.element.where
    own, freedom = along(gear, tag, frames, notes)
    axis, _ = along(joint, FIRST_AXIS, frames, [])
    if freedom.effects:
        raise FormatError("effects-in-gearbox", where=where)
    if freedom.limits is not None:
        notes.append(noted(gear.element.label, note("limits-unread", type=known.GEARBOX)))
    turned = frames.between(joint.frame, gear.frame, where).R.apply(own)
    cosine = (Expression.constant(0) + turned.dot(axis)).value({})
    if abs(abs(cosine) - 1) > ALONG:
        raise NotModelledError("gearbox-axis-differs", where=where, tag=tag, joint=shortened(joint.element.label))
    return 1 if cosine > 0 else -1
