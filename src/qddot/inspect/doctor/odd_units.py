"""Checks for numbers whose size suggests another unit, and for gravity unlike the Earth's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import radians
from typing import TYPE_CHECKING

from qddot.algebra.freedoms import FREE
from qddot.algebra.spatial import Vec3
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import say
from qddot.formats.confusions.of_arms import DEGREES
from qddot.formats.shared.rotations import NO_UNIT
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check, length
from qddot.inspect.doctor.odd_joints import TURNS
from qddot.inspect.doctor.site import Site

if TYPE_CHECKING:
    from qddot.robot.bodies import Body
    from qddot.robot.shapes.uniform import Part

_IN_RADIANS = re.compile(rf"(?P<place>.*?): (?P<angle>-?\d+) {NO_UNIT}.*", re.DOTALL)
LONGEST = 20.0  # m, longest link of any arm
LIGHTEST, SOLID = 10.0, 3  # kg/m³, half that of packing foam; the dimension of what has a density in kg/m³
EARTH, SPREAD = 9.8, 0.1  # m/s²; at the poles 9.832, at the equator 9.780
PLANETS = (1.0, 15.0)  # m/s², from the Moon to beyond Neptune


@check("A length is so large that it is probably in millimetres.")
def millimetres(case: Examined) -> Iterator[Finding]:
    """Yields findings on lengths of more than 20 m."""
    for body, link in case.pairs():
        lengths = {
            "from its parent to its joint": link.placement.p,
            "from its joint to its frame": link.offset.p,
            "to its centre of mass": link.com,
            "to the tool": case.home.tool.p if link.index == case.home.tool_link else None,
        }
        metres = {what: length(vector) for what, vector in lengths.items() if vector is not None}
        for part in _shapes(body):
            sizes = part.named_sizes.items()
            metres |= {f"as the {name} of a {part.name}": case.number(size) for name, size in sizes}
        for what, number in metres.items():
            if number > LONGEST:
                yield Finding(
                    "warning",
                    Site.link(body.name),
                    f"{number:g} m {what}",
                    "no arm is so long: the number seems to be in millimetres",
                    "give lengths in m (and inertias in kg m²)",
                )


@check("The density of a shape is so small that it is probably in g/cm³.", of_links=True)
def light_shapes(case: Examined) -> Iterator[Finding]:
    """Yields findings on solids of less than 10 kg/m³."""
    for body in case.model.bodies:
        for part in _shapes(body):
            if part.density is None or part.kind.dimension < SOLID:
                continue
            density = case.number(part.density)
            if density < LIGHTEST:
                yield Finding.of(
                    "warning", Site.link(body.name), say("finding-light-shape", shape=part.name, density=f"{density:g}")
                )


def _shapes(body: Body) -> Sequence[Part]:
    return () if body.shapes is None else body.shapes.parts


@check("A constant angle is so large that it is probably in degrees.")
def angles_in_degrees(case: Examined) -> Iterator[Finding]:
    """Yields findings on constant angles of more than two turns, also of poses that a reader has made rational."""
    for angle in sorted(case.model.constant_angles(), key=str):
        if abs(angle.value(case.values)) > TURNS * (1 + 1e-9):
            more = f'; a robot file also takes "{angle}deg"'
            yield _in_degrees("a joint's or a frame's angle", str(angle), abs(angle.value(case.values)), more)
    kept = {str(angle) for angle in case.model.constant_angles()}
    for note in case.model.notes:
        read = _IN_RADIANS.fullmatch(note)
        if read and read["angle"] not in kept and abs(int(read["angle"])) > TURNS:
            yield _in_degrees(read["place"], read["angle"], int(read["angle"]))


def _in_degrees(place: str, angle: str, degrees: float, more: str = "") -> Finding:
    """Returns the finding on an angle, as it is written and as a number; more: the end of the remedy."""
    why = f"that is more than two turns; probably, {DEGREES.said().told(ENGLISH)}"
    remedy = f"write radians: {radians(degrees):.5g} for as many degrees{more}"
    return Finding("warning", Site(place, "number", angle), f"a constant angle of {angle} rad", why, remedy)


@check("Gravity has an unusual size or direction.", of_links=True)
def unusual_gravity(case: Examined) -> Iterator[Finding]:
    """Yields findings on gravity that differs from 9.8 m/s², is along none of the axes, or points toward +z."""
    g = case.home.gravity.map(float)
    size = length(g)
    if size == 0 and any(body.joint.part_of == FREE for body in case.model.bodies):
        return  # a body that moves freely without gravity is a spacecraft
    for text, severity, why, remedy in (*_size(size), *_direction(g, size)):
        yield Finding(severity, Site("gravity"), text, why, remedy)


def _size(size: float) -> Iterator[tuple[str, str, str, str]]:
    if size == 0:
        yield (
            "no gravity",
            "hint",
            "this is right only for motion in a horizontal plane or in space",
            'gravity = [0, 0, "-g"]',
        )
    elif abs(size - EARTH) > SPREAD:
        severity = "hint" if PLANETS[0] <= size <= PLANETS[1] else "warning"
        yield f"{size:g} m/s²", severity, "on Earth it is 9.8 m/s²", "check its size and unit (m/s²)"


def _direction(g: Vec3, size: float) -> Iterator[tuple[str, str, str, str]]:
    along = [entry for entry in g if abs(entry) > 1e-9 * size]
    vector = "(" + ", ".join(f"{entry:g}" for entry in g) + ") m/s²"
    if len(along) > 1:
        yield (
            f"along none of the base's axes: {vector}",
            "hint",
            "this is right only for a tilted base",
            "check its components",
        )
    elif g.z > 0:  # type: ignore[operator]
        why = "gravity is the acceleration of free fall, which points down; +z usually points up"
        yield f"toward +z: {vector}", "hint", why, 'gravity = [0, 0, "-g"] unless z points down or the arm hangs'
