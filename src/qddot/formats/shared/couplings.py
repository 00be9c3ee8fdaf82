"""Lets joints follow others: a joint moves by ratio · q + offset, where q is another joint's coordinate.

The offset is a constant rotation or translation and becomes part of the placement; a negative ratio reverses the axis.
The joint that follows keeps only the magnitude of the ratio. A joint that follows a follower moves by the product of
the ratios.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, located
from qddot.formats.shared.rotations import about, turned
from qddot.robot.bodies import Body, Joint
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.notes import note, noted
from qddot.robot.placements import simplified


class Coupling(NamedTuple):
    """A coupling lets the joint of one body follow the joint of another: q = ratio · q of the leader + offset.

    follower, leader: keys of the two bodies; where: the place in the file, for errors
    offset: a number of radians may be read as a multiple of 15°, but an Angle is kept
    """

    follower: str
    leader: str
    ratio: Fraction
    offset: Fraction | Angle
    where: str


def coupled(bodies: Mapping[str, Body], couplings: Sequence[Coupling]) -> tuple[list[Body], list[str]]:
    """Returns the bodies with the couplings applied, and notes; friction and armature of followers go to their leaders.

    raises FormatError: a joint follows two, joints follow one another in a circle, a follower has a spring, a leader
        does not move, or it slides and the follower turns
    """
    changed, notes = dict(bodies), list[str]()
    for name, leading, ratio, offset, where in _resolved(couplings):
        follower, leader = changed[name].joint, changed[leading].joint
        _check_leader(leader, leading, follower, where)
        if follower.has(Spring):
            raise FormatError("spring-in-follower", where=where)
        if left := next((effect for effect in follower.effects if not effect.reflected), None):
            raise FormatError("effect-in-follower", where=where, kind=left.key)
        placement, change = shifted(follower, offset)
        with located(where):
            joint = replace(
                follower,
                axis=follower.axis if ratio > 0 else -follower.axis,
                placement=placement,
                coordinate=leader.coordinate,
                limits=None,
                effects=(),
                ratio=abs(ratio),
            )
        effects = _summed(leader.effects, follower.effects, abs(ratio))
        changed[name] = replace(changed[name], joint=joint)
        changed[leading] = replace(changed[leading], joint=replace(leader, effects=effects))
        notes.append(note("joint-moves-with", name=repr(follower.name), ratio=ratio, leader=repr(leader.name)))
        notes += [noted(f"joint {follower.name!r}", change)] if change else []
    return list(changed.values()), notes


def _resolved(couplings: Sequence[Coupling]) -> Iterator[Coupling]:
    """Yields the couplings to leaders that follow none: q = r q₁ + b, q₁ = r₁ q₂ + b₁ make q = r r₁ q₂ + r b₁ + b."""
    by_follower = dict[str, Coupling]()
    for coupling in couplings:
        if coupling.follower in by_follower:
            raise FormatError("follower-twice", where=coupling.where, name=repr(coupling.follower))
        by_follower[coupling.follower] = coupling
    for coupling in couplings:
        passed = [coupling.follower]
        while coupling.leader in by_follower:
            passed.append(coupling.leader)
            if coupling.leader in passed[:-1]:
                raise FormatError("followers-in-circle", where=coupling.where, names=" → ".join(map(repr, passed)))
            _, leader, ratio, offset, _ = by_follower[coupling.leader]
            total: Any = coupling.offset + offset * coupling.ratio  # type: ignore[operator]  # numbers, or angles, both
            coupling = coupling._replace(leader=leader, ratio=coupling.ratio * ratio, offset=total)
        yield coupling


def _check_leader(leader: Joint, leading: str, follower: Joint, where: str) -> None:
    if not leader.moves:
        raise FormatError("leader-fixed", where=where, leading=repr(leading))
    if leader.part_of:
        raise FormatError("leader-has-coordinates", where=where, leading=repr(leading))
    if follower.kind.is_angle and not leader.kind.is_angle:
        raise FormatError("turning-mimics-sliding", where=where, leading=repr(leading))


def shifted(joint: Joint, offset: Fraction | Angle) -> tuple[Pose, str]:
    """Returns the placement moved by the offset along or about the joint's axis, and a note."""
    if isinstance(offset, Angle):
        R, change = turned(joint.axis, offset)
    elif joint.kind.is_angle:
        R, change = about(joint.axis, Angle(radians=offset))
    else:
        return simplified(joint.placement @ Pose(Rotation.identity(), joint.axis * Expression.constant(offset))), ""
    return simplified(joint.placement @ Pose(R, Vec3.zero())), change


def _summed(own: Sequence[Effect], others: Sequence[Effect], ratio: Fraction) -> tuple[Effect, ...]:
    """Returns a leader's effects plus those of its follower, so that the total power is unchanged.

    The sums are c + r² c' (viscous), J + r² J' (armature) and f + r f' (dry friction), with the follower's ratio r. An
    effect of several numbers is one of the leader.
    """
    total: dict[type[Any], Expression] = {}
    others_of_leader: list[Effect] = []
    for effects, by in ((own, Fraction(1)), (others, ratio)):
        for effect in effects:
            if len(effect.names()) > 1:
                others_of_leader.append(effect)
                continue
            value = getattr(effect, effect.linear) * by**effect.reflected
            total[type(effect)] = total.get(type(effect), Expression.constant(0)) + value
    return (*(kind(value) for kind, value in total.items()), *others_of_leader)
