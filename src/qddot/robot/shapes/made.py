"""Makes uniform bodies: `rod(m="m", length="l")`, with a mass m or a density, which `+` joins and `moved` places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.expressions.expression import Expression, Scalar
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose
from qddot.base.errors import ModelError, check_one_of, did_you_mean, located
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Listed, say, told
from qddot.robot.placements import pose
from qddot.robot.shapes.kinds import KINDS, Kind
from qddot.robot.shapes.uniform import AXES, Part, Shapes

__all__ = [*KINDS, "Shapes"]


class Maker:
    """A maker returns uniform bodies of one shape.

    m: the mass [kg], or density: in kg/m³, of thin plates and disks in kg/m², of rods in kg/m; neither where the link
        has the mass
    axis: "x", "y" or "z" of the link, along which the axis of the shape lies
    at, rpy: the place of its middle [m], of a cone that of the middle of its base, and its rotation by roll, pitch and
        yaw
    sizes: the sizes of the shape [m], numbers or expressions
    raises QddotError: a size is missing, not above 0 or unknown, or the mass is not that of the density
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.__name__ = kind.name
        noun, sizes = kind.noun.told(ENGLISH), told(_sizes(kind), ENGLISH)
        self.__doc__ = f"Returns a uniform {noun} of {sizes} [m]. Other arguments are those of `Maker`."

    def __call__(
        self,
        m: Scalar | None = None,
        *,
        density: Scalar | None = None,
        axis: str | None = None,
        at: Any = (0, 0, 0),
        rpy: Any = (0, 0, 0),
        **sizes: Scalar,
    ) -> Shapes:
        return made(self.kind, sizes, pose(at, rpy), axis, m, density)

    def __repr__(self) -> str:
        return f"<{self.kind.name}({', '.join(self.kind.sizes)})>"


def made(
    kind: Kind,
    sizes: Mapping[str, Any],
    placement: Pose,
    axis: str | None = None,
    mass: Any = None,
    density: Any = None,
) -> Shapes:
    """Returns a body of one shape from numbers and texts; raises QddotError as a `Maker` does."""
    for name in sizes:
        if name not in kind.sizes:
            raise ModelError("shape-no-size", noun=kind.noun, name=name, remedy=did_you_mean(name, kind.sizes))
    for name in kind.sizes:
        if name not in sizes:
            raise ModelError("shape-lacks-size", noun=kind.noun, name=name, sizes=_sizes(kind))
    if axis is None:
        axis = kind.axis
    elif kind.axis:
        check_one_of(axis, AXES, say("axis-of-shape", noun=kind.noun), ModelError)
    else:
        raise ModelError("shape-no-axis", noun=kind.noun)
    numbers = tuple(_number(sizes[name], name) for name in kind.sizes)
    given = (None if value is None else _number(value, name) for value, name in ((mass, "mass"), (density, "density")))
    return Shapes((Part(kind.name, numbers, axis, placement, *given),))


def _sizes(kind: Kind) -> Listed:
    return Listed(say("size-and-meaning", name=name, meaning=meaning) for name, meaning in kind.sizes.items())


def _number(value: Any, name: str) -> Expression:
    with located(name):
        return expression(value)


rod, plate, disk, box, cylinder, tube, sphere, hollow_sphere, ellipsoid, capsule, cone = map(Maker, KINDS.values())
