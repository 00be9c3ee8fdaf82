"""Makes bodies with inertias from SDF's links; refuses links that programs move, and finds what is not modelled.

Source: the specification of SDFormat, sdformat.org/spec.
"""

from __future__ import annotations

from collections.abc import Iterable

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import SymmetricMatrix3
from qddot.base.errors import FormatError
from qddot.formats.sdf import automatic, elements, known
from qddot.formats.sdf.frames import Frames
from qddot.formats.sdf.models import Link, relative
from qddot.formats.shared.shapes import volume
from qddot.formats.urdf.numbers import decimal
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import Body, Joint, mass_properties
from qddot.robot.left_out import LeftOut, left_out
from qddot.robot.notes import note, noted
from qddot.robot.validity import tolerated

MOMENTS = {"ixx": "1", "ixy": "0", "ixz": "0", "iyy": "1", "iyz": "0", "izz": "1"}  # these are SDF's defaults


def body(name: str, full: str, link: Link, joint: Joint, frames: Frames, notes: list[str]) -> Body:
    """Returns the body of a link on its joint. full: its full name in the file"""
    if elements.truth(link.element, "kinematic"):
        raise FormatError("link-kinematic", where=link.element.where)
    inertial = link.element.child("inertial")
    if inertial is None:
        notes.append(noted(link.element.label, note("no-inertial")))
    elif elements.attribute_truth(inertial, "auto"):
        return tolerated(automatic.body(name, full, link, joint, frames, notes))
    else:
        _check_inertial(inertial, link)
    placed = None if inertial is None else inertial.child("pose")
    pose, changes = elements.pose(placed)
    notes += [noted(link.element.label, change) for change in changes]
    mass = Expression.constant(elements.positive(inertial, "mass", "1"))
    moments = None if inertial is None else inertial.child("inertia")
    if moments is not None:
        known.check(moments)
    entries = (Expression.constant(elements.number(moments, tag, default)) for tag, default in MOMENTS.items())
    tensor = SymmetricMatrix3(*entries).rotated(pose.R)
    inertia, com = mass_properties(mass, pose.p, inertia=tuple(tensor))
    return tolerated(Body(name, joint, inertia, com, volume=volume(link.element)))


def _check_inertial(inertial: Element, link: Link) -> None:
    known.check(inertial)
    where = f"{inertial.file}:{inertial.line} <inertial> of {link.element.label}"
    pose = inertial.child("pose")
    if pose is not None and relative(pose, link.scope.source):
        raise FormatError("inertial-pose-relative", where=where)


def unmodelled(root: Element, links: Iterable[Link], models: Iterable[Element]) -> list[LeftOut]:
    """Returns the content of a model or a world that would change the equations.

    links, models: those that are read
    """
    parts = [link.element for link in links]
    blows = root.child("wind") is not None
    blown = [*parts, *models]
    return [
        *left_out("gravcomp", (link.label for link in parts if not elements.truth(link, "gravity", True))),
        *left_out("decay", (link.label for link in parts if _decays(link))),
        *left_out("fluid", (link.label for link in parts if _is_in_fluid(link))),
        *left_out("wind", (part.label for part in blown if blows and elements.truth(part, "enable_wind"))),
    ]


def _decays(link: Element) -> bool:
    decay = link.child("velocity_decay")
    return decay is not None and any(decimal(part.text, part.tag, part) for part in decay.children)


def _is_in_fluid(link: Element) -> bool:
    inertial = link.child("inertial")
    return inertial is not None and inertial.child("fluid_added_mass") is not None
