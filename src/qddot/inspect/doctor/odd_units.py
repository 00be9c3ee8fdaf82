"""Checks for numbers whose size suggests another unit, and for gravity unlike the Earth's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import radians
from typing import TYPE_CHECKING

from qddot.algebra.freedoms import FREE
from qddot.algebra.spatial import Vec3
from qddot.base.words.message import Message, Words, say
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check, length
from qddot.inspect.doctor.odd_joints import TURNS
from qddot.inspect.doctor.site import Site
from qddot.robot.notes import noted_as

if TYPE_CHECKING:
    from qddot.robot.bodies import Body
    from qddot.robot.shapes.uniform import Part

LONGEST = 20.0  # m, longest link of any arm
LIGHTEST, SOLID = 10.0, 3  # kg/m³, half that of packing foam; the dimension of what has a density in kg/m³
EARTH, SPREAD = 9.8, 0.1  # m/s²; at the poles 9.832, at the equator 9.780
PLANETS = (1.0, 15.0)  # m/s², from the Moon to beyond Neptune


@check("A length is so large that it is probably in millimetres.")
def millimetres(case: Examined) -> Iterator[Finding]:
    """Yields findings on lengths of more than 20 m."""
    for body, link in case.pairs():
        lengths = {
            say("from-parent-to-joint"): link.placement.p,
            say("from-joint-to-frame"): link.offset.p,
            say("to-centre-of-mass"): link.com,
            say("to-the-tool"): case.home.tool.p if link.index == case.home.tool_link else None,
        }
        metres = {what: length(vector) for what, vector in lengths.items() if vector is not None}
        for part in _shapes(body):
            sizes = part.named_sizes.items()
            metres |= {say("as-size-of-shape", size=name, shape=part.name): case.number(size) for name, size in sizes}
        for what, number in metres.items():
            if number > LONGEST:
                told = say("finding-in-millimetres", metres=f"{number:g}", what=what)
                yield Finding("warning", Site.link(body.name), told)


@check("The density of a shape is so small that it is probably in g/cm³.", of_links=True)
def light_shapes(case: Examined) -> Iterator[Finding]:
    """Yields findings on solids of less than 10 kg/m³."""
    for body in case.model.bodies:
        for part in _shapes(body):
            if part.density is None or part.kind.dimension < SOLID:
                continue
            density = case.number(part.density)
            if density < LIGHTEST:
                yield Finding(
                    "warning", Site.link(body.name), say("finding-light-shape", shape=part.name, density=f"{density:g}")
                )


def _shapes(body: Body) -> Sequence[Part]:
    return () if body.shapes is None else body.shapes.parts


@check("A constant angle is so large that it is probably in degrees.")
def angles_in_degrees(case: Examined) -> Iterator[Finding]:
    """Yields findings on constant angles of more than two turns, also of poses that a reader has made rational."""
    for angle in sorted(case.model.constant_angles(), key=str):
        if abs(angle.value(case.values)) > TURNS * (1 + 1e-9):
            also = say("also-in-degrees", angle=angle)
            yield _in_degrees(say("site-angle"), str(angle), angle.value(case.values), also)
    kept = {str(angle) for angle in case.model.constant_angles()}
    for place, reading in noted_as(case.model.notes, "angle-without-unit"):
        angle = reading.slots["angle"]
        if str(angle) not in kept and abs(angle) > TURNS:
            yield _in_degrees(place, str(angle), float(angle))


@check("An angle is perhaps a multiple of 45° that was rounded to two or three decimals.")
def rounded_angles(case: Examined) -> Iterator[Finding]:
    """Yields findings on angles such as 1.57, which are read as they stand."""
    for place, reading in noted_as(case.model.notes, "angle-rounded"):
        angle = str(reading.slots["angle"])
        exact, written = reading.slots["exact"], reading.slots["radians"]
        gap = abs(float(angle) - radians(int(exact.removesuffix("°"))))
        told = say("finding-angle-rounded", angle=angle, exact=exact, gap=f"{gap:.1g}", radians=written)
        yield Finding("hint", Site(place, "number", angle), told)


def _in_degrees(place: Words, angle: str, degrees: float, also: Words = "") -> Finding:
    """Returns the finding on an angle, as it is written and as a number. also: the end of the remedy"""
    told = say("finding-angle-in-degrees", angle=angle, radians=f"{radians(degrees):.5g}", also=also)
    return Finding("warning", Site(place, "number", angle), told)


@check("Gravity has an unusual size or direction.", of_links=True)
def unusual_gravity(case: Examined) -> Iterator[Finding]:
    """Yields findings on gravity that differs from 9.8 m/s², is along none of the axes, or points toward +z."""
    g = case.home.gravity.map(float)
    size = length(g)
    if size == 0 and any(body.joint.part_of == FREE for body in case.model.bodies):
        return  # a body that moves freely without gravity is a spacecraft
    for severity, told in (*_size(size), *_direction(g, size)):
        yield Finding(severity, Site(say("site-gravity"), "gravity"), told)


def _size(size: float) -> Iterator[tuple[str, Message]]:
    if size == 0:
        yield "hint", say("finding-no-gravity")
    elif abs(size - EARTH) > SPREAD:
        severity = "hint" if PLANETS[0] <= size <= PLANETS[1] else "warning"
        yield severity, say("finding-gravity-of-other-size", size=f"{size:g}")


def _direction(g: Vec3, size: float) -> Iterator[tuple[str, Message]]:
    along = [entry for entry in g if abs(entry) > 1e-9 * size]
    vector = "(" + ", ".join(f"{entry:g}" for entry in g) + ")"
    if len(along) > 1:
        yield "hint", say("finding-gravity-along-no-axis", vector=vector)
    elif g.z > 0:  # type: ignore[operator]
        yield "hint", say("finding-gravity-upward", vector=vector)
