"""Finds what an SDF file has that changes the equations of motion and is not modelled here.

Source: the specification of SDFormat, sdformat.org/spec.
"""

from __future__ import annotations

from collections.abc import Iterable

from qddot.formats.sdf import elements
from qddot.formats.sdf.models import Link
from qddot.formats.urdf.numbers import decimal
from qddot.formats.xml.elements import Element
from qddot.robot.left_out import LeftOut, left_out


def unmodelled(root: Element, links: Iterable[Link], included: Iterable[Element]) -> list[LeftOut]:
    """Returns the content of a model or a world, and of its moving links, that would change the equations.

    included: the root elements of included files
    """
    parts = [link.element for link in links]
    blows = root.child("wind") is not None
    blown = [*parts, *(each for file in (root, *included) for each in file.descendants() if each.tag == "model")]
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
