"""The kinds of shapes, each a record of its sizes and the limits of its points, from which its moments follow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.quotient import quotient
from qddot.algebra.spatial import SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.shapes.integration import Region


class Moments(NamedTuple):
    """These are integrals over a body in its own frame, in its sizes.

    measure: ∫dV, its length, area or volume; centre: the centre of mass; second: ∫r rᵀ dV about that centre
    """

    measure: Expression
    centre: Vec3
    second: SymmetricMatrix3


@record(eq=False)
class Kind:
    """A kind of shape: its own frame has its origin at the middle (that of a cone at the middle of its base).

    name: its key in robot files; noun: what it is called in sentences
    sizes: the meaning of each size by its key; each is above 0
    axis: the link's axis along which the shape's own z axis lies by default, or "" if it takes no axis; the own x and y
        axes lie along the next two of x, y, z, x …
    regions: the limits of its points; a body without thickness has fewer than three variables
    within: a size that is below another one
    """

    name: str
    noun: Message
    sizes: Mapping[str, Message]
    axis: str
    regions: tuple[Region, ...]
    within: tuple[str, str] | None = None

    @property
    def dimension(self) -> int:
        """Returns 1 for a line, 2 for an area, 3 for a volume: the density is per metre, per m² or per m³."""
        return len(self.regions[0].variables)

    @cached_property
    def moments(self) -> Moments:
        """Returns the moments as polynomials in the names of the sizes."""
        x, y, z = (self._integral(k) for k in range(3))
        measure = self._integral()
        centre = Vec3(*(_divided(each, measure) for each in (x, y, z)))
        about_origin = [self._integral(i, k) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
        products = (c * d * measure for c, d in _pairs(centre))
        return Moments(measure, centre, SymmetricMatrix3(*map(Expression.__sub__, about_origin, products)))

    def _integral(self, *axes: int) -> Expression:
        """Returns ∫ of the product of coordinates."""
        total = Expression.constant(0)
        for region in self.regions:
            integrand = Expression.constant(1)
            for axis in axes:
                integrand = integrand * region.point[axis]
            total = total + region.integral(integrand)
        return total


def _pairs(v: Vec3) -> list[tuple[Expression, Expression]]:
    x, y, z = v
    return [(x, x), (x, y), (x, z), (y, y), (y, z), (z, z)]


def _divided(one: Expression, by: Expression) -> Expression:
    result = quotient(one, by)
    assert result is not None
    return result


HALVES = ("-length/2", "length/2")
TURN = ("0", "2*pi")
POINT_ON_CIRCLE = ("s*cos(phi)", "s*sin(phi)")
ON_SPHERE = ("s*sin(theta)*cos(phi)", "s*sin(theta)*sin(phi)")
ALONG, OF_CIRCLE = say("along-its-axis"), say("of-its-circle")
ROUND = {"length": ALONG, "radius": OF_CIRCLE}


def _ball(inner: str) -> Region:
    limits = {"s": (inner, "radius"), "theta": ("0", "pi"), "phi": TURN}
    return Region.of(limits, "s**2*sin(theta)", (*ON_SPHERE, "s*cos(theta)"))


def _cap(theta: tuple[str, str], middle: str) -> Region:
    """Returns half a ball whose own middle is on the z axis."""
    limits = {"s": ("0", "radius"), "theta": theta, "phi": TURN}
    return Region.of(limits, "s**2*sin(theta)", (*ON_SPHERE, f"s*cos(theta) + {middle}"))


def _barrel(inner: str = "0") -> Region:
    limits = {"z": HALVES, "s": (inner, "radius"), "phi": TURN}
    return Region.of(limits, "s", (*POINT_ON_CIRCLE, "z"))


_LISTED = (
    Kind(
        "rod",
        say("thin-rod"),
        {"length": say("along-its-axis")},
        "x",
        (Region.of({"z": HALVES}, "1", ("0", "0", "z")),),
    ),
    Kind(
        "plate",
        say("thin-plate"),
        {"length": say("along-first-axis"), "width": say("along-second-axis")},
        "z",
        (Region.of({"x": HALVES, "y": ("-width/2", "width/2")}, "1", ("x", "y", "0")),),
    ),
    Kind(
        "disk",
        say("thin-disk"),
        {"radius": OF_CIRCLE},
        "z",
        (Region.of({"s": ("0", "radius"), "phi": TURN}, "s", (*POINT_ON_CIRCLE, "0")),),
    ),
    Kind(
        "box",
        say("shape-box"),
        {"length": say("along-x"), "width": say("along-y"), "height": say("along-z")},
        "",
        (Region.of({"x": HALVES, "y": ("-width/2", "width/2"), "z": ("-height/2", "height/2")}, "1", ("x", "y", "z")),),
    ),
    Kind("cylinder", say("shape-cylinder"), ROUND, "z", (_barrel(),)),
    Kind(
        "tube",
        say("shape-tube"),
        {**ROUND, "inner_radius": say("of-its-hole")},
        "z",
        (_barrel("inner_radius"),),
        ("inner_radius", "radius"),
    ),
    Kind("sphere", say("shape-sphere"), {"radius": say("of-the-sphere")}, "", (_ball("0"),)),
    Kind(
        "hollow_sphere",
        say("hollow-sphere"),
        {"radius": say("of-the-sphere"), "inner_radius": say("of-its-hollow")},
        "",
        (_ball("inner_radius"),),
        ("inner_radius", "radius"),
    ),
    Kind(
        "ellipsoid",
        say("shape-ellipsoid"),
        {"length": say("along-x"), "width": say("along-y"), "height": say("along-z")},
        "",
        (
            Region.of(
                {"s": ("0", "1"), "theta": ("0", "pi"), "phi": TURN},
                "length*width*height/8*s**2*sin(theta)",
                ("length/2*s*sin(theta)*cos(phi)", "width/2*s*sin(theta)*sin(phi)", "height/2*s*cos(theta)"),
            ),
        ),
    ),
    Kind(
        "capsule",
        say("shape-capsule"),
        {"length": say("of-cylinder-between-ends"), "radius": say("of-its-circle-and-ends")},
        "z",
        (_barrel(), _cap(("0", "pi/2"), "length/2"), _cap(("pi/2", "pi"), "-length/2")),
    ),
    Kind(
        "cone",
        say("shape-cone"),
        {"height": say("from-base-to-tip"), "radius": say("of-its-base")},
        "z",
        (
            Region.of(
                {"zeta": ("0", "1"), "s": ("0", "radius*(1 - zeta)"), "phi": TURN},
                "s*height",
                (*POINT_ON_CIRCLE, "zeta*height"),
            ),
        ),
    ),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _LISTED}
