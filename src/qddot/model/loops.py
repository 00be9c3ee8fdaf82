"""Defines loops, which are joints that close a chain of bodies, and models of closed chains: trees with loops.

A loop holds the frame of its second link to that of its first, as a joint of its type does. Each condition says that a
coordinate of the second frame's origin along an axis of the first is zero, or that an axis of the first frame stays
perpendicular to one of the second. A revolute joint thus has five conditions, of which a planar chain needs only two.
Source: Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §8.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from qddot.errors import ModelError, did_you_mean, shortened
from qddot.expressions.expression import Expression
from qddot.expressions.names import check_visible
from qddot.model.freedoms import refuse_several
from qddot.model.model import Model
from qddot.records import record

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
            raise ModelError(f"a loop's name is {shortened(self.name)}", expected="a text")
        check_visible(self.name, "loop's name")
        where = f"loop {self.name!r}"
        if not isinstance(self.type, str) or self.type not in CONDITIONS:
            expected, remedy = ", ".join(CONDITIONS), did_you_mean(str(self.type), CONDITIONS)
            raise ModelError(f"type {shortened(self.type)}", where=where, expected=expected, remedy=remedy)
        if len(self.links) != 2 or self.links[0] == self.links[1]:
            raise ModelError(f"links {shortened(self.links)}", where=where, expected="the names of two links")
        if (self.length is None) == (self.type == ROD):
            problem = "a rod without a length" if self.type == ROD else f"a {self.type} loop with a length"
            raise ModelError(problem, where=where, expected='a length with type = "rod" alone')

    @property
    def conditions(self) -> Conditions:
        return CONDITIONS[self.type]


@record()
class ClosedModel:
    """A closed model is a tree of bodies with loops.

    raises ModelError: a loop's link does not exist, two loops have one name or hold the same links, or a joint has
        quasi-velocities
    """

    tree: Model
    loops: tuple[Loop, ...]

    def __post_init__(self) -> None:
        refuse_several(self.tree, "a closed chain")
        if self.tree.explicit is not None:
            raise ModelError("a closed chain with equations that are given entry by entry", where=self.tree.name)
        if not self.loops:
            raise ModelError("no loop", where=self.tree.name, expected="at least one")
        names: set[str] = set()
        pairs: dict[frozenset[str], str] = {}
        for loop in self.loops:
            where = f"{self.tree.name}: loop {loop.name!r}"
            if loop.name in names:
                raise ModelError("two loops have this name", where=where, remedy="rename one")
            names.add(loop.name)
            missing = sorted((loop.length.symbols() if loop.length else set()) - {"pi"} - set(self.tree.symbols))
            if missing:
                problem = f"the symbol {missing[0]} is used but not declared"
                raise ModelError(problem, where=where, remedy="declare it in [symbols]")
            carriers = frozenset(self._carrier(name, where) for name in loop.links)
            if len(carriers) < 2:
                raise ModelError("both frames move with one link", where=where, expected="frames on two links")
            if carriers in pairs:
                problem = f"it holds the same two links as loop {pairs[carriers]!r}"
                raise ModelError(problem, where=where, remedy="describe one loop with fewer freedoms")
            pairs[carriers] = loop.name

    def _carrier(self, name: str, where: str) -> str:
        """Returns the link with which a link moves, through fixed joints. raises ModelError: no such link"""
        bodies = {body.name: body for body in self.tree.bodies}
        if name not in bodies:
            raise ModelError(f"no link {name!r}", where=where, remedy=did_you_mean(name, bodies))
        while name in bodies and not bodies[name].joint.moves:
            name = bodies[name].joint.parent
        return name

    @property
    def name(self) -> str:
        return self.tree.name

    @cached_property
    def used_symbols(self) -> frozenset[str]:
        """Returns the names of the symbols that occur in the tree and in the lengths of rods."""
        lengths = (loop.length.symbols() for loop in self.loops if loop.length is not None)
        return self.tree.used_symbols.union(*lengths) - {"pi"}
