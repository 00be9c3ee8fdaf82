"""Computes the volume of a link's shapes in URDF and SDF, with which the doctor compares the link's mass."""

from __future__ import annotations

import math

from qddot.formats.xml.elements import Element

SIZES = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "ellipsoid": ("radii",),
    "cone": ("radius", "length"),
}


def volume(link: Element) -> float | None:
    """Returns the volume of a link's collision shapes or of its visual ones, whichever is larger [m³].

    It is None if there are no shapes, or if one of them is a mesh, a plane or the like, or has no size. The collision
    shapes beside a mesh do not count, since many are far smaller than the link. Shapes that overlap count twice.
    """
    sums = []
    for kind in ("collision", "visual"):
        volumes = [_volume(shape) for shape in link.all(kind)]
        known = [each for each in volumes if each is not None]
        if len(known) < len(volumes):
            return None
        sums.append(math.fsum(known))
    return max(sums) or None


def _volume(shape: Element) -> float | None:
    geometry = shape.child("geometry")
    if geometry is None or len(geometry.children) != 1:
        return None
    (solid,) = geometry.children
    try:
        sizes = [float(part) for name in SIZES.get(solid.tag, ()) for part in _text(solid, name).split()]
    except ValueError:
        return None
    if not all(0 < size < math.inf for size in sizes):
        return None
    match solid.tag, sizes:
        case "box", [x, y, z]:
            return x * y * z
        case "sphere", [radius]:
            return 4 / 3 * math.pi * radius**3
        case "cylinder", [radius, length]:
            return math.pi * radius**2 * length
        case "capsule", [radius, length]:  # of the cylinder between the halves of a sphere
            return math.pi * radius**2 * (length + 4 / 3 * radius)
        case "ellipsoid", [x, y, z]:
            return 4 / 3 * math.pi * x * y * z
        case "cone", [radius, length]:
            return math.pi * radius**2 * length / 3
    return None


def _text(solid: Element, name: str) -> str:
    """Returns the text of an attribute, as in URDF, or of a child element, as in SDF."""
    child = solid.child(name)
    return solid.attributes.get(name, "") if child is None else child.text
