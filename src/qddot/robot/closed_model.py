"""Defines models of closed chains: trees of bodies with loops that hold links, and wheels that roll on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from qddot.algebra.expressions.names import fresh
from qddot.algebra.freedoms import AXES
from qddot.base.errors import ModelError, did_you_mean
from qddot.base.records import record
from qddot.base.words.message import Listed
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.conditions import Condition
from qddot.robot.loops import ENDS, Loop
from qddot.robot.model import Model
from qddot.robot.rolling import Rolling


@record()
class ClosedModel:
    """A closed model is a tree of bodies with loops, rolling wheels or both, or a system with given conditions.

    conditions: on the coordinates and rates of a system that its Lagrangian describes, in place of loops and wheels
    A loop that holds the base's own frame holds a massless link, which is fixed to the base, instead.
    raises ModelError: a link does not exist, two loops or wheels have one name, two loops hold the same links, or a
        wheel rolls on itself
    """

    tree: Model
    loops: tuple[Loop, ...] = ()
    rolling: tuple[Rolling, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if not self.loops and not self.rolling and not self.conditions:
            raise ModelError("no-loop", where=self.tree.name)
        if self.tree.loaded:
            raise ModelError("load-in-loops", where=self.tree.name, names=Listed(self.tree.loaded))
        names: set[str] = set()
        for each in (*self.closures, *self.conditions):
            if each.name in names:
                raise ModelError("condition-name-twice", where=self._where(each))
            names.add(each.name)
        self._check_loops()
        for wheel in self.rolling:
            carriers = [self._carrier(name, self._where(wheel)) for name in (wheel.wheel, wheel.ground, wheel.contact)]
            if carriers[0] == carriers[1]:
                raise ModelError("wheel-on-its-own-link", where=self._where(wheel))
        self._put_on_links()

    def _put_on_links(self) -> None:
        """Replaces the base as an end of loops by links that are fixed to it, so that they move with it if it moves."""
        names, frames = {BASE, *(body.name for body in self.tree.bodies)}, list[Body]()

        def end(loop: Loop, link: str) -> str:
            if link != BASE:
                return link
            frames.append(Body(fresh(f"{loop.name}_{ENDS[loop.links.index(BASE)]}", names), Joint("fixed", BASE)))
            return frames[-1].name

        loops = tuple(replace(loop, links=(end(loop, loop.links[0]), end(loop, loop.links[1]))) for loop in self.loops)
        if frames:
            object.__setattr__(self, "loops", loops)
            object.__setattr__(self, "tree", replace(self.tree, bodies=(*self.tree.bodies, *frames)))

    def with_tree(self, tree: Model) -> ClosedModel:
        """Returns the same loops and wheels on other links and joints."""
        return replace(self, tree=tree)

    def with_values(self, values: Mapping[str, Any]) -> ClosedModel:
        """Returns the same model with other default values for some of its symbols."""
        return self.with_tree(self.tree.with_values(values))

    def _where(self, condition: Loop | Rolling | Condition) -> str:
        kind = "loop" if isinstance(condition, Loop) else "rolling" if isinstance(condition, Rolling) else "constraint"
        return f"{self.tree.name}: {kind} {condition.name!r}"

    def _check_loops(self) -> None:
        pairs: dict[frozenset[str], str] = {}
        for loop in self.loops:
            where = self._where(loop)
            missing = sorted((loop.length.symbols() if loop.length else set()) - {"pi"} - set(self.tree.symbols))
            if missing:
                raise ModelError("loop-symbol-undeclared", where=where, symbol=missing[0])
            self._check_length(loop, where)
            carriers = frozenset(self._carrier(name, where) for name in loop.links)
            if len(carriers) < 2:
                raise ModelError("loop-within-one-link", where=where)
            if carriers in pairs:
                raise ModelError("loop-of-same-links", where=where, other=repr(pairs[carriers]))
            pairs[carriers] = loop.name

    def _check_length(self, loop: Loop, where: str) -> None:
        """Raises ModelError for a rod whose length is not positive, if all of its symbols have values."""
        defaults = self.tree.defaults()
        if loop.length is None or not loop.length.symbols() <= {"pi", *defaults}:
            return
        if (length := loop.length.value(defaults)) <= 0:
            raise ModelError("rod-length", where=where, length=f"{length:g}")

    @property
    def closures(self) -> tuple[Loop | Rolling, ...]:
        """Returns the loops and the rolling wheels."""
        return (*self.loops, *self.rolling)

    @property
    def integrable(self) -> bool:
        """Returns whether all conditions are on q, as those of loops, and none on velocities, as that of a wheel."""
        return not self.rolling and not self.on_velocities

    @property
    def positional(self) -> int:
        """Returns how many conditions on q there are, those of loops among them; they are the first ones."""
        return sum(loop.conditions.number for loop in self.loops) + len(self.on_positions)

    @property
    def on_positions(self) -> tuple[Condition, ...]:
        """Returns the given conditions φ(q) = 0."""
        return tuple(each for each in self.conditions if not each.moving)

    @property
    def on_velocities(self) -> tuple[Condition, ...]:
        """Returns the given conditions on rates alone."""
        return tuple(each for each in self.conditions if each.moving)

    @property
    def of_positions(self) -> ClosedModel:
        """Returns the chain without the conditions on velocities alone."""
        return replace(self, rolling=(), conditions=self.on_positions)

    @property
    def rods(self) -> tuple[tuple[str, str], ...]:
        """Returns the pairs of links between whose origins a rod holds the distance."""
        return tuple(loop.links for loop in self.loops if loop.conditions.distance)

    def _carrier(self, name: str, where: str) -> str:
        """Returns the link with which a link moves, through fixed joints. raises ModelError: no such link"""
        bodies = {body.name: body for body in self.tree.bodies}
        if name not in bodies and name != BASE:
            raise ModelError("no-such-link", where=where, name=repr(name), remedy=did_you_mean(name, bodies))
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


def names_of_conditions(model: ClosedModel) -> tuple[str, ...]:
    """Returns the names of all conditions: those of loops and others on q, then those of wheels and others on rates."""
    names: list[str] = []
    for loop in model.loops:
        own = [*(AXES[k] for k in loop.conditions.place)]
        own += [f"{AXES[i]} ⊥ {AXES[j]}" for i, j in loop.conditions.attitude]
        own += ["length"] if loop.conditions.distance else []
        names += [f"{loop.name}, {each}" for each in own]
    names += [each.name for each in model.on_positions]
    names += [f"{each.name}, {axis}" for each in model.rolling for axis in each.directions]
    return (*names, *(each.name for each in model.on_velocities))
