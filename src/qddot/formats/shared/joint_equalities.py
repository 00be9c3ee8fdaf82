"""Applies linear relations between joints: one joint leads and the others follow it, or all of them stand still."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.base.errors import FormatError
from qddot.formats.shared import compound_joints
from qddot.formats.shared.couplings import Coupling, coupled, shifted
from qddot.robot.bodies import Body
from qddot.robot.notes import note, noted


class Affine(NamedTuple):
    """This is a relation q of `one` = ratio · q of `other` + offset, or q of `one` = offset.

    one, other: the names of the bodies on the two joints; where: the place in the file, for errors
    """

    one: str
    other: str | None
    ratio: Fraction
    offset: Fraction
    where: str


class _Motion(NamedTuple):
    """The joint moves by ratio · q + offset, where q is the leader's coordinate; where: the relation's place."""

    ratio: Fraction
    offset: Fraction
    where: str


def applied(bodies: Sequence[Body], relations: Sequence[Affine]) -> tuple[list[Body], list[str]]:
    """Returns the bodies with coordinates q1, q2 … for the joints that neither follow another nor stand still, and
    notes.

    raises FormatError: a relation contradicts others or repeats them, or a follower has a spring
    """
    by_name = {body.name: body for body in bodies}
    notes, couplings = list[str](), list[Coupling]()
    for group in _groups(relations):
        leader = _leader(by_name, group)
        motions, value = _motions(leader, group)
        for name, (ratio, offset, where) in motions.items():
            if value is not None:
                by_name[name], standing = _fixed(by_name[name], ratio * value + offset)
                notes.append(standing)
            elif name != leader:
                couplings.append(Coupling(name, leader, ratio, _offset(by_name[name], offset), where))
    by_name = _numbered(by_name, {coupling.follower for coupling in couplings})
    changed, of_followers = coupled(by_name, couplings)
    return changed, [*notes, *of_followers]


def _groups(relations: Iterable[Affine]) -> list[list[Affine]]:
    """Returns the relations in groups that share joints, each in the order of the file."""
    groups: list[list[Affine]] = []
    for relation in relations:
        joints = {relation.one, relation.other} - {None}
        touched = [group for group in groups if joints & {end for each in group for end in (each.one, each.other)}]
        groups = [group for group in groups if group not in touched]
        groups.append([*(each for group in touched for each in group), relation])
    return groups


def _leader(by_name: Mapping[str, Body], group: Sequence[Affine]) -> str:
    """Returns the joint that others follow: the first that turns, if any does, and depends on no other, if possible."""
    dependent = {relation.one for relation in group}
    joints = [name for name in by_name if any(name in (each.one, each.other) for each in group)]
    return min(joints, key=lambda name: (not by_name[name].joint.kind.is_angle, name in dependent))


def _motions(leader: str, group: Sequence[Affine]) -> tuple[dict[str, _Motion], Fraction | None]:
    """Returns how each joint of a group moves with the leader, and the leader's value if the group stands still."""
    motions = {leader: _Motion(Fraction(1), Fraction(0), "")}
    values: list[Fraction] = []
    waiting = list(group)
    while waiting:
        relation = next(each for each in waiting if each.one in motions or each.other in motions)
        waiting.remove(relation)
        one, other, ratio, offset, where = relation
        if (one in motions and other in motions) or (other is None and values):
            raise FormatError("equality-superfluous", where=where)
        if other is None:
            values.append((offset - motions[one].offset) / motions[one].ratio)
        elif other in motions:
            motion = motions[other]
            motions[one] = _Motion(ratio * motion.ratio, ratio * motion.offset + offset, where)
        else:
            motion = motions[one]
            motions[other] = _Motion(motion.ratio / ratio, (motion.offset - offset) / ratio, where)
    return motions, values[0] if values else None


def _fixed(body: Body, value: Fraction) -> tuple[Body, str]:
    """Returns the body on a joint that stands still at a value, and a note."""
    placement, change = shifted(body.joint, _offset(body, value))
    joint = replace(compound_joints.standing(body.joint), placement=placement)
    standing = note("joint-fixed-at", name=repr(body.joint.name), value=f"{float(value):.10g}")
    return replace(body, joint=joint), noted(standing, change) if change else standing


def _offset(body: Body, value: Fraction) -> Fraction | Angle:
    """Returns an offset of a joint; of MuJoCo's angles, a double next to a multiple of 15° becomes that multiple."""
    return Angle.of_double(float(value)) if body.joint.kind.is_angle else value


def _numbered(by_name: Mapping[str, Body], followers: set[str]) -> dict[str, Body]:
    """Returns the bodies with new coordinates q1, q2 … of the joints that do not follow another."""
    numbered, number = dict[str, Body](), 0
    for name, body in by_name.items():
        if body.joint.leads and body.joint.freedoms is None:
            number += name not in followers
            coordinate = None if name in followers else f"q{number}"
            body = replace(body, joint=replace(body.joint, coordinate=coordinate))
        numbered[name] = body
    return numbered
