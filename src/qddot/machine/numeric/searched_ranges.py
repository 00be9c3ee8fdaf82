"""Finds the ranges of dependent coordinates that contain every distinct configuration of a closed chain.

A coordinate that only turns joints has a period: the shortest change that turns all of them by whole turns. One that
moves a slide has none. A loop that holds two points at a distance then bounds it, since the links between the points,
laid end to end, must reach as far as the slide goes. Along its axis, slides that are perpendicular to it reach nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import hypot, inf, lcm, pi
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, evaluator, folded
from qddot.algebra.numbers.balls import Balls, ball, ends
from qddot.algebra.spatial import Rotation, Vec3
from qddot.base.errors import EvaluationError, few
from qddot.robot.bodies import Body, Joint
from qddot.robot.closed_model import ClosedModel
from qddot.robot.loops import EVERYWHERE, Loop

MOST = 3  # dependent coordinates that are searched together
MOST_TURNS = 100  # of a coordinate until all joints that it turns are back
BEYOND = 1 + 2.0**-40  # by how much a range is taken longer, for rounding


class SearchedRange(NamedTuple):
    """This is the range in which a coordinate is searched.

    period: the change of the coordinate that changes no configuration, None if there is none
    """

    low: float
    high: float
    period: float | None = None

    @property
    def ends(self) -> bool:
        """Returns whether the range has ends; a slide that nothing bounds has none."""
        return self.high < inf

    def within(self, value: float) -> float:
        """Returns the value that is the same configuration, at most half a period from 0."""
        return value if self.period is None else (value + self.period / 2) % self.period - self.period / 2

    def apart(self, a: float, b: float) -> float:
        """Returns the distance of two values."""
        return abs(a - b) if self.period is None else min(abs(a - b), abs(self.period - abs(a - b)))


def ranges(
    model: ClosedModel,
    names: Sequence[str],
    q: NDArray[Any],
    dependent: Sequence[str],
    values: Mapping[str, float],
) -> list[SearchedRange]:
    """Returns the range of each coordinate; at most one, a slide that turns no joint, has no ends.

    q: the coordinates, of which those of `dependent` are not known
    raises EvaluationError: there are too many coordinates, or one has neither a short period, limits nor a bound
    """
    if len(names) > MOST:
        raise EvaluationError("too-many-found-together", where=model.name, names=few(names), most=MOST)
    lengths = _Lengths(model, q, dependent, values)
    found = [_range(lengths, name) for name in names]
    endless = [name for name, each in zip(names, found, strict=True) if not each.ends]
    turning = [name for name in endless if name in model.tree.ratios]
    if turning or len(endless) > 1:
        raise EvaluationError(
            "coordinates-without-limits",
            where=model.name,
            names=few(turning or endless),
            count=len(turning or endless),
            turns=MOST_TURNS,
        )
    return found


def searched_within_limits(model: ClosedModel, dependent: Sequence[str]) -> list[str]:
    """Returns the dependent coordinates whose configurations beyond their limits are not searched."""
    lengths = _Lengths(model, np.zeros(model.tree.n), dependent, {})
    return [name for name in dependent if _period(lengths, name) is None and lengths.leader(name).limits is not None]


def _period(lengths: _Lengths, name: str) -> float | None:
    """Returns the shortest change of a coordinate that turns all its joints by whole turns, None if there is none."""
    turns = MOST_TURNS + 1
    if all(body.joint.kind.is_revolute for body in lengths.bodies_of(name)):
        turns = lcm(*(ratio.denominator for ratio in lengths.model.tree.ratios[name]))
    return 2 * pi * turns if turns <= MOST_TURNS else None


def _range(lengths: _Lengths, name: str) -> SearchedRange:
    if period := _period(lengths, name):
        return SearchedRange(-period / 2 * BEYOND, period / 2 * BEYOND, period)
    limits = lengths.limits(name)
    if limits is not None:
        return SearchedRange(*limits)
    bound = lengths.bound(name)
    return SearchedRange(-bound, bound)


class _Lengths:
    """This has the lengths of links, the ways of slides that are known, and their bounds by loops."""

    def __init__(
        self, model: ClosedModel, q: NDArray[Any], dependent: Sequence[str], values: Mapping[str, float]
    ) -> None:
        self.model, self._evaluate = model, evaluator(Balls(values))
        self._bodies = {body.name: body for body in model.tree.bodies}
        known = zip(model.tree.coordinates, q, strict=True)
        self._known = {name: float(abs(value)) for name, value in known if name not in dependent}

    def bodies_of(self, name: str) -> list[Body]:
        """Returns the bodies whose joints move by a coordinate."""
        return [body for body in self.model.tree.bodies if body.joint.moves and body.joint.coordinate == name]

    def leader(self, name: str) -> Joint:
        """Returns the joint of a coordinate that leads the others, and has its limits."""
        return next(body.joint for body in self.bodies_of(name) if body.joint.leads)

    def limits(self, name: str) -> tuple[float, float] | None:
        """Returns the limits of a coordinate, None if there are none."""
        limits = self.leader(name).limits
        if limits is None:
            return None
        low, high = map(self._number, limits)
        return ends(low)[0], ends(high)[1]

    def bound(self, name: str) -> float:
        """Returns how far a coordinate that moves slides can be from 0, infinity if no loop bounds it."""
        return min((self._bound(loop, name) for loop in self.model.loops), default=inf)

    def _bound(self, loop: Loop, name: str) -> float:
        """Returns the bound by one loop; parallel slides may cancel each other's ways."""
        if loop.length is None and loop.conditions.place != EVERYWHERE:
            return inf
        reach, own = arb(0 if loop.length is None else self._number(loop.length)), list[arb]()
        aside = self._perpendicular(loop, name)
        for body in self._around(loop):
            reach += self._length(body)
            if not body.joint.moves or body.joint.kind.is_revolute:
                continue
            way = abs(self._number(Fraction(1) if body.joint.ratio is None else body.joint.ratio))
            if body.joint.coordinate == name:
                own.append(way)
            elif body.name not in aside:
                reach += way * self._way(str(body.joint.coordinate))
        lever = 2 * max(own, key=float) - sum(own, start=arb(0)) if own else arb(0)
        if not (lever > 0 and reach.is_finite()):
            return inf
        return ends(reach / lever)[1] * BEYOND

    def _perpendicular(self, loop: Loop, name: str) -> set[str]:
        """Returns the slides around a loop that are perpendicular to the one of a coordinate, with no turn between."""
        axes: dict[str, tuple[Body, Vec3]] = {}  # of slides behind the last turn, along the axes of what turns
        for path in map(self._path, loop.links):
            axes, R = {}, Rotation.identity()
            for body in reversed(path):
                R = R @ body.joint.placement.R
                if body.joint.moves and body.joint.type != "prismatic":
                    if name in axes:
                        break
                    axes, R = {}, Rotation.identity()
                elif body.joint.moves:
                    axes[str(body.joint.coordinate)] = body, R.apply(body.joint.axis)
                R = R @ body.joint.offset.R
            if name in axes:
                break
        if name not in axes or len(self.bodies_of(name)) > 1:
            return set()
        own = axes[name][1]
        return {
            body.name for body, axis in axes.values() if folded(reduced(Expression.constant(0) + own.dot(axis))) == 0
        }

    def _around(self, loop: Loop) -> list[Body]:
        """Returns the bodies between the two ends of a loop, without those that carry both."""
        paths = [self._path(name) for name in loop.links]
        return [body for k in range(2) for body in paths[k] if body not in paths[1 - k]]

    def _path(self, name: str) -> list[Body]:
        path = []
        while name in self._bodies:
            path.append(self._bodies[name])
            name = path[-1].joint.parent
        return path

    def _length(self, body: Body) -> arb:
        """Returns the length from the frame of a body's parent to its own, apart from the joint's way."""
        poses = (body.joint.placement, body.joint.offset)
        return sum((arb(hypot(*(ends(abs(self._number(x)))[1] for x in pose.p))) for pose in poses), start=arb(0))

    def _way(self, name: str) -> arb:
        """Returns the largest size of a coordinate, infinity if it is not known."""
        if name in self._known:
            return ball(self._known[name])
        return ball(max(map(abs, self.limits(name) or (inf,))))

    def _number(self, entry: Any) -> arb:
        return ball(self._evaluate(entry))
