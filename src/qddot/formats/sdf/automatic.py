"""Computes the inertia of a link with `<inertial auto="true">` from its collision shapes and their densities.

Sources: the specification of SDFormat 1.11, sdformat.org/spec, and its proposal "Automatic calculation of moments of
inertia for SDFormat links"; a mass beside it scales the densities (gazebosim/sdformat, pull request 1513).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.quotient import quotient
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError
from qddot.base.words.message import Listed
from qddot.formats.sdf import elements, known
from qddot.formats.sdf.frames import Frames
from qddot.formats.sdf.models import Link, relative
from qddot.formats.shared.shapes import volume
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import Body, Joint, mass_properties
from qddot.robot.notes import note, noted
from qddot.robot.shapes.kinds import KINDS
from qddot.robot.shapes.uniform import Part, Shapes

OF_WATER = "1000"  # kg/m³, the default density
REPLACED = ("inertia", "pose")  # what is computed instead
EMPTY = "empty"


def _sizes(solid: Element, tag: str, count: int) -> list[Fraction]:
    """Returns the sizes in a child element, each above 0."""
    elements.word(solid, tag)
    child = solid.child(tag)
    assert child is not None
    sizes = elements.decimals(child, count)
    if min(sizes) <= 0:
        raise FormatError("size-not-above-zero", where=child.where, tag=tag, text=child.text)
    return sizes


def _box(solid: Element) -> list[Fraction]:
    return _sizes(solid, "size", 3)


def _ball(solid: Element) -> list[Fraction]:
    return _sizes(solid, "radius", 1)


def _round(solid: Element) -> list[Fraction]:
    return [*_sizes(solid, "length", 1), *_sizes(solid, "radius", 1)]


def _ellipsoid(solid: Element) -> list[Fraction]:
    return [2 * radius for radius in _sizes(solid, "radii", 3)]


SIZES: Mapping[str, Callable[[Element], list[Fraction]]] = {  # of each kind of shape, in its order
    "box": _box,
    "sphere": _ball,
    "cylinder": _round,
    "capsule": _round,
    "ellipsoid": _ellipsoid,
    "cone": _round,
}


def body(name: str, full: str, link: Link, joint: Joint, frames: Frames, notes: list[str]) -> Body:
    """Returns the body of a link on its joint, whose inertia is that of its collision shapes.

    full: the link's full name
    raises FormatError: it has no such shape, or one whose inertia is not computed, such as a mesh
    """
    inertial = link.element.child("inertial")
    assert inertial is not None
    known.check(inertial)
    unread = [tag for tag in REPLACED if inertial.child(tag) is not None]
    if unread:
        notes.append(noted(link.element.label, note("automatic-inertia-replaces", tags=Listed(unread))))
    density = elements.number(inertial, "density", OF_WATER)
    collisions = list(link.element.all("collision"))
    parts = [part for each in collisions for part in _parts(each, density, full, link, frames, notes)]
    if not parts:
        raise FormatError("no-collision-shapes", where=inertial.where)
    shapes, change = _with_mass(Shapes(tuple(parts)), _mass(inertial))
    notes += [noted(link.element.label, change)] if change else []
    inertia, com = mass_properties(inertia=shapes)
    return Body(name, joint, inertia, com, volume=volume(link.element), shapes=shapes)


def _parts(
    collision: Element, density: Fraction, full: str, link: Link, frames: Frames, notes: list[str]
) -> list[Part]:
    """Returns the shape of a collision, in the frame of its link, or none where it is empty."""
    geometry = collision.child("geometry")
    solids = [] if geometry is None else geometry.children
    if len(solids) != 1 or solids[0].tag not in (*SIZES, EMPTY):
        names = Listed(solid.tag for solid in solids)
        raise FormatError("inertia-of-shape-unknown", where=collision.where, names=names, shapes=Listed(SIZES))
    (solid,) = solids
    if solid.tag == EMPTY:
        return []
    density = elements.number(collision, "density", str(density))
    if density <= 0:
        raise FormatError("density-not-above-zero", where=collision.where)
    at = _pose(collision, full, link, frames, notes)
    sizes = tuple(map(Expression.constant, SIZES[solid.tag](solid)))
    if solid.tag == "cone":  # whose middle is that of its height here, and that of its base in `KINDS`
        at = at @ Pose(Rotation.identity(), Vec3(0, 0, sizes[0] * Fraction(-1, 2)))
    return [Part(solid.tag, sizes, KINDS[solid.tag].axis, at, density=Expression.constant(density))]


def _pose(collision: Element, full: str, link: Link, frames: Frames, notes: list[str]) -> Pose:
    """Returns the pose of a collision in its link."""
    element = collision.child("pose")
    pose, changes = elements.pose(element)
    notes += [noted(collision.label, change) for change in changes]
    frame = "" if element is None else relative(element, link.scope.source)
    return frames.between(full, link.scope.full(frame), collision.where) @ pose if frame else pose


def _mass(inertial: Element) -> Fraction | None:
    if inertial.child("mass") is None:
        return None
    mass = elements.number(inertial, "mass", "0")
    if mass <= 0:
        raise FormatError("automatic-mass-not-above-zero", where=inertial.where)
    return mass


def _with_mass(shapes: Shapes, mass: Fraction | None) -> tuple[Shapes, str]:
    """Returns shapes with a mass that is shared out as by their densities, and a note if masses were rounded.

    The masses are rounded to doubles if the centre of mass, or a share, would be a quotient with π.
    """
    own = [part.central.m for part in shapes.parts]
    masses = own if mass is None else [quotient(each * mass, shapes.mass) for each in own]
    if mass is None and shapes.com is not None:
        return shapes, ""
    weighed = None if None in masses else _weighed(shapes, masses)
    if weighed is not None and weighed.com is not None:
        return weighed, ""
    scale = 1.0 if mass is None else float(mass) / shapes.mass.value({})
    numbers = [Fraction(repr(each.value({}) * scale)) for each in own]
    if mass is not None:
        numbers[-1] = mass - sum(numbers[:-1])
    return _weighed(shapes, numbers), note("masses-rounded")


def _weighed(shapes: Shapes, masses: Sequence[Any]) -> Shapes:
    """Returns shapes with these masses instead of their densities."""
    parts = zip(shapes.parts, masses, strict=True)
    return Shapes(tuple(replace(part, mass=Expression.constant(0) + mass, density=None) for part, mass in parts))
