"""Defines loops, which are joints that close a chain of bodies.

A loop holds the frame of its second link to that of its first, as a joint of its type does. Each condition says that a
coordinate of the second frame's origin along an axis of the first is zero, or that an axis of the first frame stays
perpendicular to one of the second, or, of a rod, that the distance of the origins stays the same. A revolute joint thus
has five conditions, of which a planar chain needs only two.
Source: Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §8.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import check_visible
from qddot.base.errors import ModelError, check_one_of, shortened
from qddot.base.records import record
from qddot.base.words.message import say

X, Y, Z = range(3)


class Conditions(NamedTuple):
    """These are the conditions of a type of loop.

    place: axes of the first frame along which the second frame's origin stays at zero
    attitude: (axis of the first frame, axis of the second), which stay perpendicular
    distance: whether the distance of the two origins is held
    """

    place: tuple[int, ...] = ()
    attitude: tuple[tuple[int, int], ...] = ()
    distance: bool = False

    @property
    def number(self) -> int:
        """Returns how many conditions there are."""
        return len(self.place) + len(self.attitude) + self.distance


EVERYWHERE, PARALLEL = (X, Y, Z), ((X, Z), (Y, Z))  # all coordinates of a point; parallel z axes
TURNED = ((X, Y), (Y, Z), (Z, X))  # the same attitude
ROD = "rod"
ENDS = ("first", "second")
CONDITIONS: Mapping[str, Conditions] = {
    "revolute": Conditions(EVERYWHERE, PARALLEL),
    "prismatic": Conditions((X, Y), TURNED),
    "cylindrical": Conditions((X, Y), PARALLEL),
    "planar": Conditions((Z,), PARALLEL),
    "universal": Conditions(EVERYWHERE, ((X, Y),)),
    "spherical": Conditions(EVERYWHERE),
    "fixed": Conditions(EVERYWHERE, TURNED),
    ROD: Conditions(distance=True),
}  # about or along the z axes of both frames; "planar" slides in x and y; "universal" turns about the first x, second y


@record()
class Loop:
    """A loop holds the frame of one link to that of another.

    links: names of the first and the second; type: one of CONDITIONS; length: of a rod [m]
    raises ModelError: the type is unknown, there are not two links, or a rod has no length, or another type has one
    """

    name: str
    links: tuple[str, str]
    type: str = "revolute"
    length: Expression | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ModelError("loop-name-not-text", name=shortened(self.name))
        check_visible(self.name, say("name-of-loop"))
        where = f"loop {self.name!r}"
        check_one_of(self.type, CONDITIONS, say("type-of-loop"), ModelError, where)
        if len(self.links) != 2 or self.links[0] == self.links[1]:
            raise ModelError("loop-links-not-two", where=where, links=shortened(self.links))
        if (self.length is None) == (self.type == ROD):
            raise ModelError(
                "rod-without-length" if self.type == ROD else "loop-with-length", where=where, type=self.type
            )

    @property
    def conditions(self) -> Conditions:
        return CONDITIONS[self.type]
