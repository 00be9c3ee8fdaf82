"""Applies <mimic>: a joint moves by multiplier · q + offset, where q is another joint's.

The offset is a constant rotation or translation and becomes part of the placement; a negative multiplier reverses the
axis. The magnitude of the multiplier is the ratio of a joint that follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.describe.rotations import about
from qddot.describe.urdf.numbers import number
from qddot.describe.xml import Element
from qddot.errors import FormatError, ModelError, did_you_mean, shortened
from qddot.expressions.angles import Angle
from qddot.expressions.expression import Expression
from qddot.model.bodies import Body, Joint, simplified
from qddot.model.effects import Armature, Coulomb, Effect, Spring, Viscous
from qddot.spatial import Pose, Rotation, Vec3


def coupled(bodies: Sequence[Body], elements: Mapping[str, Element]) -> tuple[list[Body], list[str]]:
    """Returns the bodies with <mimic> applied, and notes; friction and armature of followers go to their leaders."""
    by_joint = {body.joint.name: body for body in bodies}
    notes: list[str] = []
    for name, element in elements.items():
        mimic = element.child("mimic")
        if mimic is None or not by_joint[name].joint.moves:
            continue
        leader = _leader(element, mimic, elements, by_joint)
        if by_joint[name].joint.has(Spring):
            raise FormatError(
                "a spring in a joint that mimics another",
                where=element.where,
                remedy="move the spring to the leading joint",
            )
        ratio = number(mimic, "multiplier", "1")
        if not ratio:
            raise FormatError("a multiplier of 0", where=mimic.where, remedy='make the joint type="fixed"')
        follower = by_joint[name].joint
        placement, note = _shifted(follower, number(mimic, "offset", "0"))
        try:
            joint = replace(
                follower,
                axis=follower.axis if ratio > 0 else -follower.axis,
                placement=placement,
                coordinate=leader.coordinate,
                limits=None,
                effects=(),
                ratio=abs(ratio),
            )
        except ModelError as error:
            raise error.at(element.where) from None
        by_joint[name] = replace(by_joint[name], joint=joint)
        effects = _summed(leader.effects, follower.effects, abs(ratio))
        by_joint[leader.name] = replace(by_joint[leader.name], joint=replace(leader, effects=effects))
        notes.append(f"joint {name!r} moves by {ratio} times the coordinate of {leader.name!r}")
        notes += [f"joint {name!r}: {note}"] if note else []
    return list(by_joint.values()), notes


def _leader(element: Element, mimic: Element, elements: Mapping[str, Element], by_joint: Mapping[str, Body]) -> Joint:
    where, leading = f"{mimic.where} of {element.label}", mimic.required("joint")
    if leading not in elements:
        raise FormatError(f"no joint {shortened(leading)}", where=where, remedy=did_you_mean(leading, elements))
    leader = by_joint[leading].joint
    if elements[leading].child("mimic") is not None or not leader.moves:
        raise FormatError(
            f"joint {leading!r} is fixed or mimics another",
            where=where,
            expected="a joint with a coordinate of its own",
        )
    if leader.part_of:
        raise FormatError(f"joint {leading!r} has several coordinates", where=where, expected="a joint with one")
    if by_joint[element.attributes["name"]].joint.turns and not leader.turns:
        raise FormatError(
            f"a revolute joint mimics {leading!r}, which is prismatic",
            where=where,
            expected="a revolute leader, or a prismatic joint that mimics",
        )
    return leader


def _shifted(joint: Joint, offset: Fraction) -> tuple[Pose, str]:
    """Returns the placement moved by the offset along or about the joint's axis, and a note."""
    if not joint.turns:
        return simplified(joint.placement @ Pose(Rotation.identity(), joint.axis * Expression.constant(offset))), ""
    R, note = about(joint.axis, Angle(radians=offset))
    return simplified(joint.placement @ Pose(R, Vec3.zero())), note


def _summed(own: Sequence[Effect], others: Sequence[Effect], ratio: Fraction) -> tuple[Effect, ...]:
    """Returns a leader's effects plus those of its follower, so that the total power is unchanged.

    The sums are c + r² c' (viscous), J + r² J' (armature) and f + r f' (dry friction), with the follower's ratio r.
    """
    total: dict[type[Any], Expression] = {}
    springs: list[Spring] = []
    for effects, by in ((own, Fraction(1)), (others, ratio)):
        for effect in effects:
            if isinstance(effect, Spring):
                springs.append(effect)
                continue
            assert isinstance(effect, Armature | Coulomb | Viscous)
            value = effect.inertia if isinstance(effect, Armature) else effect.coefficient
            scale = by if isinstance(effect, Coulomb) else by * by
            total[type(effect)] = total.get(type(effect), Expression.constant(0)) + value * scale
    return (*(kind(value) for kind, value in total.items()), *springs)
