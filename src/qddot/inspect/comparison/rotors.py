"""Compares the rotors of motors that spin on the links of two arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from qddot.algebra.expressions.expression import Expression
from qddot.base.errors import few
from qddot.inspect.comparison.differences import Difference
from qddot.inspect.comparison.findings import Finding
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.robot.bodies import BASE
from qddot.robot.effects.effect import Effect
from qddot.robot.elastic import motors_of
from qddot.robot.notes import note
from qddot.robot.rotors import axial_moment, rotors_of

# carrier, J, axis, and the ratios by coordinate
Rotor: TypeAlias = tuple[str, float, tuple[float, ...], tuple[tuple[str, float], ...]]
# of a motor with a coordinate of its own: the key of each effect between it and another coordinate, and its numbers
Motor: TypeAlias = tuple[tuple[str, str, tuple[tuple[str, float], ...]], ...]
DIGITS = 10


def of_rotors(a: Snapshot, b: Snapshot, pairs: Sequence[tuple[str, str]]) -> tuple[list[Finding], list[Difference]]:
    """Returns the rotors that differ, or that one arm alone has, as findings and as differences.

    pairs: names of links whose joints are the same in A and in B
    """
    links = {BASE: BASE, **{theirs: ours for ours, theirs in pairs}}
    joints = [(a.model.body(ours).joint, b.model.body(theirs).joint) for ours, theirs in pairs]
    coordinates = {str(theirs.coordinate): str(ours.coordinate) for ours, theirs in joints}
    ours = _rotors(a, {}, {}) | _motors(a, {})
    theirs = _rotors(b, links, coordinates) | _motors(b, coordinates)
    findings, differing, none = list[Finding](), list[Difference](), note("none-there")
    unlike = [name for name, each in ours.items() if name in theirs and each != theirs[name]]
    for name in unlike:
        x, y = _told(ours[name]), _told(theirs[name])
        findings.append(Finding("rotors", note("rotor-differs", name=name, ours=x, theirs=y)))
        differing.append(Difference(name, "rotor", x, y))
    for who, other, own, rest in (("A", "B", ours, theirs), ("B", "A", theirs, ours)):
        alone = {name: _told(each) for name, each in own.items() if name not in unlike and each not in rest.values()}
        if alone:
            names = few([f"{name} ({told})" for name, told in alone.items()], 12)
            text = note("rotors-of-one-alone", count=len(alone), who=who, names=names, other=other)
            findings.append(Finding("rotors", text))
        for name, told in alone.items():
            differing.append(Difference(name, "rotor", *((told, none) if who == "A" else (none, told))))
    return findings, differing


def _rotors(arm: Snapshot, links: Mapping[str, str], coordinates: Mapping[str, str]) -> dict[str, Rotor | Motor]:
    """Returns the rotors by name, with the names that the other arm has for links and coordinates."""

    number, rotors = partial(_number, arm), dict[str, Rotor | Motor]()
    for body, joint, ratios in rotors_of(arm.model.bodies):
        turned = sorted((coordinates.get(name, name), number(ratio)) for name, ratio in ratios.items())
        axis = tuple(map(number, joint.axis))
        rotors[body.name] = links.get(joint.parent, joint.parent), number(axial_moment(body)), axis, tuple(turned)
    return rotors


def _motors(arm: Snapshot, coordinates: Mapping[str, str]) -> dict[str, Rotor | Motor]:
    """Returns the motors with own coordinates by name, with the names that the other arm has for coordinates."""
    motors = dict[str, Rotor | Motor]()
    for motor in motors_of(arm.model.bodies):
        effects = list[tuple[Effect, str]]()
        for body in arm.model.moving():
            name = str(body.joint.coordinate)
            between = (effect for effect in body.joint.effects if effect.second)
            effects += [
                (e, coordinates.get(name, name)) for e in between if getattr(e, e.second) == motor.joint.coordinate
            ]
        told = [(e.key, name, tuple((k, _number(arm, x)) for k, x in e.numbers.items())) for e, name in effects]
        motors[motor.name] = tuple(sorted(told))
    return motors


def _number(arm: Snapshot, entry: object) -> float:
    return float(f"{(Expression.constant(0) + entry).value(arm.values):.{DIGITS}g}")


def _told(one: Rotor | Motor) -> str:
    if len(one) == 4 and isinstance(one[0], str):
        _, J, _, ratios = one
        return f"J = {J:g} kg m², " + ", ".join(f"{ratio:g} {coordinate}" for coordinate, ratio in ratios)
    told = ((key, ", ".join(f"{k} = {x:g}" for k, x in numbers if x), name) for key, name, numbers in one)
    return "; ".join(f"{key} {numbers}, {name}" for key, numbers, name in told)
