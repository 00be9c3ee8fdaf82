"""Uniform bodies: parts of one shape each, with a mass or a density, placed in the frame of a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.quotient import quotient
from qddot.algebra.expressions.substitution import Substitution
from qddot.algebra.spatial import Inertia, Pose, Rotation, SymmetricMatrix3, Vec3, tensor_of
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Words, say
from qddot.robot.placements import pose
from qddot.robot.shapes.kinds import KINDS, Kind, Moments

AXES = ("x", "y", "z")
SIZES = {
    "length": say("size-length"),
    "width": say("size-width"),
    "height": say("size-height"),
    "radius": say("size-radius"),
    "inner_radius": say("size-inner-radius"),
}
COLUMNS = (
    *(say(key) for key in ("title-shape", "title-axis", "title-sizes", "title-mass", "title-centre")),
    *(say("title-moment-there", moment=moment) for moment in ("Ixx", "Iyy", "Izz")),
)
ROUNDED = 0.01  # relative: the mass of a data sheet and the density of a table agree to this accuracy


class Central(NamedTuple):
    """A body's mass, centre of mass, and inertia tensor about that centre, along the axes of a frame."""

    m: Expression
    com: Vec3
    tensor: SymmetricMatrix3

    @property
    def inertia(self) -> Inertia:
        """Returns the inertia about the frame's origin, by the parallel-axis theorem."""
        return Inertia.about_com(self.m, self.com, self.tensor).map(_exact)


@record()
class Part:
    """A part is a uniform body of one shape.

    name: that of its kind; sizes: one for each of the kind's
    axis: that along which the shape's own z axis lies before it is placed; placement: the pose in the link's frame
    mass [kg], density [kg/m, kg/m² or kg/m³]: one of the two, or none where the mass of the link is shared out
    raises ModelError: a size or the density is not above 0, the mass is negative or not that of the density
    """

    name: str
    sizes: tuple[Expression, ...]
    axis: str
    placement: Pose = Pose.identity()
    mass: Expression | None = None
    density: Expression | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", tuple(map(expression, self.sizes)))
        for name in ("mass", "density"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else expression(value))
        self.check({})
        if self.mass is not None and self.density is not None:
            by_density = self.density * self.moments.measure
            if not _nearly_equal(self.mass, by_density):
                raise ModelError("mass-not-density", mass=self.mass, noun=self.kind.noun, by_density=_told(by_density))
            object.__setattr__(self, "density", None)

    @property
    def kind(self) -> Kind:
        return KINDS[self.name]

    def check(self, values: Mapping[str, float]) -> None:
        """Raises ModelError if a size or a density is not above 0 for values of symbols, a mass negative, or a hole too
        wide.
        """
        named = self.named_sizes | ({"density": self.density} if self.density is not None else {})
        for name, entry in named.items():
            number = _number(entry, values)
            if number is not None and number <= 0:
                of_symbols = f" = {number:g}" if entry.symbols() else ""
                raise ModelError(
                    "size-not-positive", name=name, entry=entry, of_symbols=of_symbols, noun=self.kind.noun
                )
        if self.mass is not None and (number := _number(self.mass, values)) is not None and number < 0:
            raise ModelError("shape-mass-negative", mass=f"{number:g}", noun=self.kind.noun)
        if self.kind.within is not None:
            inner, outer = self.kind.within
            gap = _number(named[outer] - named[inner], values)
            if gap is not None and gap <= 0:
                raise ModelError(
                    "size-not-within",
                    inner=inner,
                    value=named[inner],
                    noun=self.kind.noun,
                    outer=outer,
                    limit=named[outer],
                )

    @property
    def named_sizes(self) -> dict[str, Expression]:
        """Returns the sizes by their names."""
        return dict(zip(self.kind.sizes, self.sizes, strict=True))

    @cached_property
    def moments(self) -> Moments:
        """Returns the integrals over the shape in its own frame, of density 1."""
        of_kind, put = self.kind.moments, Substitution(self.named_sizes).put
        measure = expression(put(of_kind.measure))
        return Moments(measure, of_kind.centre.map(put), of_kind.second.map(put))

    @property
    def pose(self) -> Pose:
        """Returns the pose of the shape's own frame in the link's frame."""
        return self.placement @ Pose(self.turned, Vec3.zero())

    @property
    def is_turned(self) -> bool:
        """Returns whether the axes of the shape are not parallel to those of the link, in the cycle x, y, z, x …"""
        return self.placement.R != Rotation.identity()

    @property
    def turned(self) -> Rotation:
        """Returns the rotation that takes the own z axis to `axis`, and x, y, z in a cycle."""
        by = AXES.index(self.axis) + 1 if self.axis else 0
        return Rotation(*(Vec3(*(int(row == (k + by) % 3) for k in range(3))) for row in range(3)))

    @cached_property
    def central(self) -> Central:
        """Returns the mass, and the inertia about the centre of mass, along the axes of the link.

        raises ModelError: there is neither a mass nor a density, or the moments per mass are not polynomials
        """
        own, pose = self.moments, self.pose
        m = self.massive(own.measure)
        tensor = tensor_of(own.second.map(self.massive))
        return Central(m, pose.apply(own.centre).map(_exact), tensor.rotated(pose.R).map(_exact))

    def massive(self, entry: Any) -> Expression:
        """Returns an integral of density 1 times the density, which is the mass per volume if a mass is given.

        raises ModelError: there is neither a mass nor a density, or the integral per volume is not a polynomial
        """
        if self.density is not None:
            return self.density * expression(entry)
        if self.mass is None:
            raise ModelError("neither-mass-nor-density", noun=self.kind.noun)
        ratio = quotient(expression(entry), self.moments.measure)
        if ratio is None:
            raise ModelError("moments-not-polynomials", noun=self.kind.noun)
        return self.mass * ratio

    @property
    def row(self) -> list[Words]:
        """Returns the part as texts, below the titles COLUMNS; what depends on the mass of a link is left out."""
        sizes = Listed(say("size-with-value", size=SIZES[name], value=size) for name, size in self.named_sizes.items())
        if self.mass is None and self.density is None:
            return [self.kind.noun, self.axis, sizes, *[""] * (len(COLUMNS) - 3)]
        m, com, tensor = self.central
        moments = (tensor.xx, tensor.yy, tensor.zz)
        return [self.kind.noun, self.axis, sizes, str(m), f"({', '.join(map(str, com))})", *map(str, moments)]

    def moved(self, by: Pose) -> Part:
        """Returns the part with its link's frame placed in another frame."""
        return replace(self, placement=(by @ self.placement).map(_exact))


@record()
class Shapes:
    """A body made of uniform parts: its mass, centre of mass and inertia follow by integration.

    `+` joins bodies, `moved` places them. A link takes one as its `inertia`, where the link's `mass` is that of a body
    without a mass and a density of its own, and its `com` places a body whose centre of mass is at the origin.
    """

    parts: tuple[Part, ...]

    def __add__(self, other: Shapes) -> Shapes:
        return Shapes(self.parts + other.parts) if isinstance(other, Shapes) else NotImplemented

    @in_english
    def __repr__(self) -> str:
        return f"<Shapes: {', '.join(str(part.kind.noun) for part in self.parts)}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        return html.table(COLUMNS, [part.row for part in self.parts], "body.parts")

    def moved(self, xyz: Any = (0, 0, 0), rpy: Any = (0, 0, 0)) -> Shapes:
        """Returns the body placed at xyz [m], rotated by roll, pitch and yaw about the fixed axes x, y and z."""
        return self.placed(pose(xyz, rpy))

    def placed(self, by: Pose) -> Shapes:
        """Returns the body in the frame in which its own frame has the pose `by`."""
        return Shapes(tuple(part.moved(by) for part in self.parts))

    @cached_property
    def inertia(self) -> Inertia:
        """Returns the inertia about the origin of the frame, Σ of those of the parts.

        raises ModelError: a part has neither a mass nor a density, or its moments are not polynomials
        """
        return sum((part.central.inertia for part in self.parts), start=Inertia.zero()).map(_exact)

    @property
    def mass(self) -> Expression:
        """Returns the mass [kg]."""
        return expression(self.inertia.m)

    @property
    def com(self) -> Vec3 | None:
        """Returns the centre of mass, or None if its coordinates are no polynomials, as m1 l/(m1 + m2) is none."""
        centres = [part.central.com for part in self.parts]
        entries = []
        for along, moment in zip(zip(*centres, strict=True), self.inertia.h, strict=True):
            is_known = not self.mass or all(entry == along[0] for entry in along)
            entry = along[0] if is_known else quotient(expression(moment), self.mass)
            if entry is None:
                return None
            entries.append(_exact(entry))
        return Vec3(*entries)

    @property
    def tensor(self) -> SymmetricMatrix3 | None:
        """Returns the inertia tensor about the centre of mass, or None if `com` is None."""
        com = self.com
        return None if com is None else self.inertia.central_tensor(com).map(_exact)

    def pseudo(self) -> list[list[Any]]:
        """Returns the 4×4 pseudo-inertia ∫ p pᵀ dm of homogeneous points p = (x, y, z, 1)."""
        return self.inertia.pseudo()

    def check(self, values: Mapping[str, float]) -> None:
        """Raises ModelError if a size or a density is not above 0 for these values of symbols."""
        for part in self.parts:
            part.check(values)

    def of_link(self, mass: Any = None, com: Vec3 | None = None) -> Shapes:
        """Returns the body with the mass and at the centre of mass that its link has.

        raises ModelError: they are not those of the body
        """
        shapes = self if mass is None else self._with_mass(expression(mass))
        if com is None or shapes.com == com:
            return shapes
        if shapes.com != Vec3.zero():
            at = say("no-polynomial") if shapes.com is None else f"({', '.join(map(str, shapes.com))})"
            raise ModelError("com-not-centre-mass", com=Listed(com), at=at)
        return shapes.placed(Pose(Rotation.identity(), com))

    def _with_mass(self, mass: Expression) -> Shapes:
        """Returns the body with a mass, which is shared out by volume among parts without mass and density."""
        lacking = [part for part in self.parts if part.mass is None and part.density is None]
        if len(lacking) == len(self.parts):
            return Shapes(tuple(_shared_out(mass, lacking)))
        if lacking:
            raise ModelError("mass-of-some-shapes", noun=lacking[0].kind.noun)
        if len(self.parts) == 1 and self.parts[0].density is not None and self.mass != mass:
            return Shapes((replace(self.parts[0], mass=mass),))
        if self.mass != mass:
            raise ModelError("mass-not-of-shapes", mass=mass, of_shapes=_told(self.mass))
        return self


def _shared_out(mass: Expression, parts: Sequence[Part]) -> Iterator[Part]:
    """Yields parts of one density with their shares of a mass."""
    whole, dimensions = Expression.sum(part.moments.measure for part in parts), {part.kind.dimension for part in parts}
    for part in parts:
        share = quotient(part.moments.measure, whole) if len(dimensions) == 1 else None
        if share is None:
            raise ModelError("mass-not-shared")
        yield replace(part, mass=mass * share)


def _exact(entry: Any) -> Any:
    return folded(reduced(expression(entry)))


def _number(entry: Expression, values: Mapping[str, float]) -> float | None:
    return entry.value(values) if entry.symbols() <= set(values) else None


def _nearly_equal(one: Expression, other: Expression) -> bool:
    """Returns whether two masses are the same expression, or numbers that agree up to rounding."""
    a, b = _number(one, {}), _number(other, {})
    if a is None or b is None:
        return one == other
    return abs(a - b) <= ROUNDED * max(abs(a), abs(b))


def _told(mass: Expression) -> str:
    number = _number(mass, {})
    return str(mass) if number is None else f"{number:.4g}"
