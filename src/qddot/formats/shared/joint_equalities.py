"""Applies linear relations between joints: some joints lead, and the others follow them or stand still."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.names import fresh
from qddot.algebra.spatial import Pose
from qddot.base.errors import FormatError
from qddot.base.words.message import Listed
from qddot.formats.shared import compound_joints
from qddot.formats.shared.couplings import Coupling, coupled, shifted
from qddot.robot.bodies import BASE, Body
from qddot.robot.notes import note, noted


class Linear(NamedTuple):
    """This is a relation Σ coefficient · q = value.

    coefficients: by the names of the bodies on the joints; where: the place in the file, for errors
    follower: the body on the joint that is to follow the others, if it can; "" for any
    """

    coefficients: Mapping[str, Fraction]
    value: Fraction
    follower: str
    where: str


class Applied(NamedTuple):
    """These are the bodies after relations are applied, notes, and the names of the joints that others follow."""

    bodies: list[Body]
    notes: list[str]
    leaders: dict[str, tuple[str, ...]]


class _Motion(NamedTuple):
    """The joint moves by Σ ratio · q + offset, q of other joints that lead; where: the relation's place."""

    ratios: dict[str, Fraction]
    offset: Fraction
    where: str


def applied(bodies: Sequence[Body], relations: Sequence[Linear]) -> Applied:
    """Returns the bodies with coordinates q1, q2 … for the joints that neither follow others nor stand still.

    raises FormatError: a relation contradicts others or repeats them, a follower has a spring, or a follower of several
        joints has any effect
    """
    by_name = {body.name: body for body in bodies}
    motions = _motions(relations, _followers_first(by_name, relations))
    notes, couplings = list[str](), list[Coupling]()
    for name, (ratios, offset, where) in motions.items():
        if not ratios:
            by_name[name], standing = _fixed(by_name[name], offset)
            notes.append(standing)
        elif len(ratios) == 1:
            ((leader, ratio),) = ratios.items()
            couplings.append(Coupling(name, leader, ratio, _offset(by_name[name], offset), where))
    by_name = _numbered(by_name, {name for name, motion in motions.items() if motion.ratios})
    changed, of_followers = coupled(by_name, couplings)
    expanded, of_several = _with_several(changed, motions)
    return Applied(expanded, [*notes, *of_followers, *of_several], _leaders(by_name, motions))


def _followers_first(by_name: Mapping[str, Body], relations: Iterable[Linear]) -> list[str]:
    """Returns the joints in relations in an order that prefers followers: those that slide, as none that turns follows
    them; then those without effects where there are several leaders, then those that a relation names, then later ones.
    """
    joints = {name for relation in relations for name in relation.coefficients}
    of_several = {name for each in relations if len(each.coefficients) > 2 for name in each.coefficients}
    named = {relation.follower for relation in relations}

    def leads_less(name: str) -> tuple[bool, bool, bool]:
        joint = by_name[name].joint
        return not joint.kind.is_angle, name in of_several and not joint.effects, name in named

    return sorted((name for name in by_name if name in joints), key=leads_less)[::-1]


def _motions(relations: Iterable[Linear], order: Sequence[str]) -> dict[str, _Motion]:
    """Returns how the joints move that follow or stand still, by elimination: each relation determines the first joint
    of the order that it still contains.
    """
    motions = dict[str, _Motion]()
    for coefficients, value, _, where in relations:
        row = _substituted(coefficients, motions)
        value -= sum((c * motions[name].offset for name, c in coefficients.items() if name in motions), Fraction(0))
        if not row:
            raise FormatError("equality-superfluous", where=where)
        first = next(name for name in order if name in row)
        c = row.pop(first)
        own = {first: _Motion({name: -other / c for name, other in row.items()}, value / c, where)}
        for name, motion in motions.items():
            offset = motion.offset + motion.ratios.get(first, Fraction(0)) * own[first].offset
            motions[name] = motion._replace(ratios=_substituted(motion.ratios, own), offset=offset)
        motions |= own
    return motions


def _leaders(by_name: Mapping[str, Body], motions: Mapping[str, _Motion]) -> dict[str, tuple[str, ...]]:
    """Returns the names of the joints that each follower follows."""
    names = {name: body.joint.name for name, body in by_name.items()}
    return {names[name]: tuple(map(names.__getitem__, each.ratios)) for name, each in motions.items() if each.ratios}


def _substituted(coefficients: Mapping[str, Fraction], motions: Mapping[str, _Motion]) -> dict[str, Fraction]:
    """Returns the coefficients of the joints that lead."""
    total = dict[str, Fraction]()
    for name, c in coefficients.items():
        for leader, ratio in motions[name].ratios.items() if name in motions else [(name, Fraction(1))]:
            total[leader] = total.get(leader, Fraction(0)) + c * ratio
    return {name: c for name, c in total.items() if c}


def _with_several(bodies: Sequence[Body], motions: Mapping[str, _Motion]) -> tuple[list[Body], list[str]]:
    """Returns the bodies, with massless ones before those that follow several joints, and notes."""
    joints, expanded, notes = {body.name: body.joint for body in bodies}, list[Body](), list[str]()
    names_in_use = {BASE, *joints}
    for body in bodies:
        if body.name not in motions or len(motions[body.name].ratios) < 2:
            expanded.append(body)
            continue
        motion = motions[body.name]
        ratios = {str(joints[leader].coordinate): ratio for leader, ratio in motion.ratios.items()}
        several, change = _following(body, ratios, motion, names_in_use)
        expanded += several
        leaders = Listed(repr(joints[leader].name) for leader in motion.ratios)
        notes.append(note("joint-moves-with-several", name=repr(body.joint.name), leaders=leaders))
        notes += [noted(f"joint {body.joint.name!r}", change)] if change else []
    return expanded, notes


def _following(
    body: Body, ratios: Mapping[str, Fraction], motion: _Motion, names_in_use: set[str]
) -> tuple[list[Body], str]:
    """Returns a body whose joint moves by Σ ratio · coordinate + offset, and a note.

    A massless body for each coordinate but the last precedes it, all on one axis.
    """
    joint = body.joint
    if joint.effects:
        raise FormatError("effects-in-follower-of-several", where=motion.where, name=repr(joint.name))
    placement, change = shifted(joint, _offset(body, motion.offset))
    bodies, parent = list[Body](), joint.parent
    for coordinate, ratio in ratios.items():
        own = replace(
            joint,
            parent=parent,
            axis=joint.axis if ratio > 0 else -joint.axis,
            placement=placement,
            offset=Pose.identity(),
            coordinate=coordinate,
            limits=None,
            ratio=abs(ratio),
            name="",
            effort=None,
            velocity=None,
        )
        placement, parent = Pose.identity(), fresh(f"{body.name}_{coordinate}", names_in_use)
        bodies.append(Body(parent, own))
    last = bodies[-1].joint
    ends = replace(last, offset=joint.offset, name=joint.name, effort=joint.effort, velocity=joint.velocity)
    return [*bodies[:-1], replace(body, joint=ends)], change


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
    """Returns the bodies with new coordinates q1, q2 … of the joints that do not follow others."""
    numbered, number = dict[str, Body](), 0
    for name, body in by_name.items():
        if body.joint.leads and body.joint.freedoms is None:
            number += name not in followers
            coordinate = None if name in followers else f"q{number}"
            body = replace(body, joint=replace(body.joint, coordinate=coordinate))
        numbered[name] = body
    return numbered
