"""Orders the tree of joints with parents first, and finds compound joints; each moving joint has a coordinate."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from qddot.algebra.spatial import Inertia
from qddot.base.errors import ModelError, did_you_mean, shortened
from qddot.base.words.message import Listed
from qddot.robot.bodies import BASE, Body, Joint


def parents_first(bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """Returns the bodies with every parent before its children, otherwise in the same order."""
    _check_named(bodies)
    children: dict[str, list[int]] = {}
    for k, body in enumerate(bodies):
        children.setdefault(body.joint.parent, []).append(k)
    ready = list(children.get(BASE, ()))
    order: list[int] = []
    while ready:
        k = heapq.heappop(ready)
        order.append(k)
        for child in children.get(bodies[k].name, ()):
            heapq.heappush(ready, child)
    if len(order) < len(bodies):
        lost = sorted({body.name for body in bodies} - {bodies[k].name for k in order})
        raise ModelError("links-not-connected-base", names=Listed(lost[:8]))
    return tuple(bodies[k] for k in order)


def _check_named(bodies: tuple[Body, ...]) -> None:
    if not bodies:
        raise ModelError("robot-no-link")
    names: set[str] = {BASE}
    for body in bodies:
        if body.name in names:
            if body.name == BASE:
                raise ModelError("link-named-ground", base=repr(BASE))
            raise ModelError("link-name-twice", name=repr(body.name))
        names.add(body.name)
    for body in bodies:
        if body.joint.parent not in names:
            raise ModelError(
                "parent-not-exist",
                where=f"link {body.name!r}",
                parent=repr(body.joint.parent),
                remedy=did_you_mean(body.joint.parent, names),
            )


def with_coordinates(bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """Returns the bodies with a coordinate for each moving joint: the declared one, or q1, q2 … in order."""
    leading = [body.joint for body in bodies if body.joint.leads and body.joint.coordinate is not None]
    own = [name for joint in leading for name in joint.velocities]
    names_in_use: set[str | None] = set(own)
    if len(names_in_use) < len(own):
        twice = next(name for name in own if own.count(name) > 1)
        raise ModelError("coordinate-twice", coordinate=repr(twice))
    named: list[Body] = []
    number, names = 0, dict[str, str | None]()
    for body in bodies:
        joint = body.joint
        if joint.freedoms is not None:
            joint = _labelled(joint, names_in_use)
        elif joint.leads:
            number += 1
            joint = replace(joint, coordinate=joint.coordinate or _unused(f"q{number}", names_in_use))
        elif joint.part_of and joint.coordinate is None:
            joint = replace(joint, coordinate=names.get(joint.parent))
        names[body.name] = joint.coordinate
        named.append(replace(body, joint=joint))
    _check_followers(named)
    return tuple(named)


def _labelled(joint: Joint, names_in_use: set[str | None]) -> Joint:
    """Returns a joint with several degrees of freedom and a label: the declared one, or none for the first, then 2, 3
    …
    """
    if joint.coordinate is not None:
        return joint
    for k in count(1):
        named = replace(joint, coordinate="" if k == 1 else str(k))
        if not names_in_use.intersection(named.velocities):
            break
    names_in_use.update(named.velocities)
    return named


def _check_followers(bodies: Sequence[Body]) -> None:
    leaders = {body.joint.coordinate: body.joint for body in bodies if body.joint.leads and body.joint.freedoms is None}
    _check_rotors(bodies)
    _check_second(bodies, leaders)
    for body in bodies:
        joint, where = body.joint, f"link {body.name!r}"
        if joint.ratio is None:
            continue
        if joint.coordinate not in leaders:
            raise ModelError(
                "leader-unknown",
                where=where,
                coordinate=shortened(joint.coordinate),
                remedy=did_you_mean(str(joint.coordinate), map(str, leaders)),
            )
        if joint.kind.is_angle and not joint.kind.is_rotor and not leaders[joint.coordinate].kind.is_angle:
            raise ModelError("turning-follows-sliding", where=where, coordinate=joint.coordinate)


def _check_second(bodies: Sequence[Body], leaders: Mapping[str | None, Joint]) -> None:
    """Raises ModelError unless effects between two coordinates have two, of which both turn or both slide."""
    for body in bodies:
        for effect in body.joint.effects:
            if not effect.second:
                continue
            name, where = getattr(effect, effect.second), f"link {body.name!r}"
            others = {str(each): joint for each, joint in leaders.items() if each != body.joint.coordinate}
            if name not in others:
                remedy = did_you_mean(str(name), others)
                raise ModelError("second-unknown", where=where, kind=effect.key, name=shortened(name), remedy=remedy)
            if others[name].kind.angular != body.joint.kind.angular:
                raise ModelError("second-of-another-kind", where=where, kind=effect.key, name=repr(name))


def _check_rotors(bodies: Sequence[Body]) -> None:
    """Raises ModelError for what stands on a rotor, except the next of the bodies that one rotor consists of."""
    rotors, used = {body.name: body for body in bodies if body.joint.kind.is_rotor}, set[str]()
    for body in bodies:
        below = rotors.get(body.joint.parent)
        if below is None:
            continue
        kind = body.joint.kind
        is_next = kind.is_rotor and body.joint.axis == below.joint.axis and below.inertia == Inertia.zero()
        is_next = is_next and not kind.leads and not below.joint.leads
        if not is_next or below.name in used:
            raise ModelError("link-on-rotor", where=f"link {body.name!r}", rotor=repr(below.name))
        used.add(below.name)


def _unused(name: str, names_in_use: set[str | None]) -> str:
    if name in names_in_use:
        raise ModelError("coordinate-taken", name=name)
    return name


def in_order(requested: Iterable[str], bodies: tuple[Body, ...]) -> tuple[str, ...]:
    """Returns the coordinates in the order that the user gives, by default in that of the bodies; () if none moves."""
    joints = [body.joint for body in bodies if body.joint.leads]
    names = [name for joint in joints for name in joint.velocities]
    order = tuple(requested) or tuple(names)
    if sorted(order) != sorted(names):
        raise ModelError("coordinates-not-each-once", given=Listed(order), needed=Listed(names))
    for joint in joints:
        first = order.index(joint.velocities[0])
        if order[first : first + len(joint.velocities)] != joint.velocities:
            raise ModelError("coordinates-velocities-apart", given=Listed(order), needed=Listed(joint.velocities))
    return order


def driven_velocities(names: Iterable[str], bodies: Iterable[Body], coordinates: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the velocities of the named ones and of the named joints, in the order of q̇.

    A joint that follows another stands for the other's velocity. A name of both means the velocity.
    raises ModelError: a name that is neither that of a velocity nor of a joint that moves
    """
    by_name = {**velocities_of_joints(bodies), **{name: (name,) for name in coordinates}}
    unknown = next((name for name in names if name not in by_name), None)
    if unknown is not None:
        raise ModelError(
            "driven-unknown",
            name=shortened(unknown),
            coordinates=Listed(coordinates),
            remedy=did_you_mean(unknown, by_name),
        )
    driven = {velocity for name in names for velocity in by_name[name]}
    return tuple(name for name in coordinates if name in driven)


def velocities_of_joints(bodies: Iterable[Body]) -> dict[str, tuple[str, ...]]:
    """Returns the velocities of each joint that has a name and moves; those of a compound joint are all of its axes."""
    by_name, compounds = dict[str, tuple[str, ...]](), dict[tuple[str, str], tuple[str, ...]]()
    for body in bodies:
        joint = body.joint
        if not joint.moves:
            continue
        own = joint.velocities if joint.leads else (str(joint.coordinate),)
        if joint.part_of:
            own = (*compounds.get((joint.parent, joint.part_of), ()), *own)
        if joint.part_of and not body.inertia.m:  # a body between two axes
            compounds[body.name, joint.part_of] = own
        if joint.name:
            by_name[joint.name] = own
    return by_name


def places_in_compounds(bodies: Iterable[Body]) -> dict[str, int]:
    """Returns by the bodies' names the index, from 0, of each body's joint in its compound joint."""
    by_name, places = {body.name: body for body in bodies}, dict[str, int]()
    for name, body in by_name.items():
        kind, parent = body.joint.part_of, by_name.get(body.joint.parent)
        if kind:
            goes_on = parent is not None and parent.joint.part_of == kind and parent.inertia.m == 0
            places[name] = places.get(body.joint.parent, -1) + 1 if goes_on else 0
    return places


def within_compounds(bodies: Sequence[Body]) -> set[str]:
    """Returns the names of the massless bodies between the axes of compound joints."""
    places = places_in_compounds(bodies)
    return {body.joint.parent for body in bodies if places.get(body.name, 0) > 0}
