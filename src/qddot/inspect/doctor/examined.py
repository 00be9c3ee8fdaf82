"""A check of the doctor, and what it examines: a model in numbers, of which an unknown one is NaN and not reported."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from qddot.algebra.expressions.expression import Expression, Trigonometric
from qddot.algebra.numbers.arbitrary import arbitrary
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.inspect.doctor.diagnosis import Finding
from qddot.physics.mechanism import Link, Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.bodies import Body
from qddot.robot.model import Model


@record()
class Examined:
    """This is a model that is examined; tolerated: links whose impossible inertia is accepted only for this."""

    model: Model
    tolerated: frozenset[str] = frozenset()

    @cached_property
    def values(self) -> dict[str, float]:
        """Returns every symbol's default, or NaN where it has none."""
        return {**dict.fromkeys(self.model.symbols, math.nan), **self.model.defaults()}

    @cached_property
    def residues(self) -> Modular:
        """Returns residues modulo a prime, in which symbols have their values, but for those with sines and cosines.

        Angles and other symbols are random, so that what is zero is so in almost every pose.
        """
        values = {name: symbol.value for name, symbol in self.model.symbols.items() if symbol.value is not None}
        plain = {
            name: value
            for name, value in values.items()
            if not any(isinstance(atom, Trigonometric) for atom in value.atoms())
        }
        return Modular.of(self.model, values=plain)

    @cached_property
    def home(self) -> Mechanism:
        """Returns the arm at q = 0."""
        return Mechanism.of(self.model, Floats(self.values, dict.fromkeys(self.model.coordinates, 0.0)))

    def gravity_torques(self, pose: int) -> list[float]:
        """Returns the torques that hold the arm still in a pose within its limits: q = 0 or an arbitrary one.

        A joint without limits turns by at most half a turn, and slides by at most 1 m.
        """
        q = {}
        for body in self.model.moving():
            if body.joint.coordinate is not None:
                name = body.joint.coordinate
                ends = body.joint.limits and [self.number(limit) for limit in body.joint.limits]
                least, most = ends or ((-math.pi, math.pi) if body.joint.kind.is_angle else (-1.0, 1.0))
                share = arbitrary(f"pose {pose} {name}") % 2**20 / 2**20
                q[name] = least + share * (most - least) if pose else min(max(0.0, least), most)
        positions = {name: q.get(name, 0.0) for name in self.model.coordinates}
        torques: Any = dynamics_of(self.model, Floats(self.values, positions)).gravity_torques()
        return [float(torque) for torque in torques]

    def number(self, expression: Expression) -> float:
        return expression.value(self.values)

    def pairs(self) -> Iterator[tuple[Body, Link]]:
        """Yields every body with its numbers."""
        return zip(self.model.bodies, self.home.links, strict=True)

    def moving(self) -> Iterator[tuple[Body, Link]]:
        """Yields the bodies on moving joints, with their numbers."""
        return ((body, link) for body, link in self.pairs() if body.joint.moves)

    def anchors(self, link: Link) -> list[Vec3]:
        """Returns points of a link in its own frame: its joint, its frame's origin, its children's joints, the tool."""
        points = [link.offset.inverse().p]
        if link.offset.p != points[0]:
            points.append(link.offset.p.zero())
        points += [child.placement.p for child in self.home.links if child.parent == link.index]
        if self.home.tool_link == link.index:
            points.append(self.home.tool.p)
        return points

    def span(self, link: Link) -> float:
        """Returns the largest distance between a link's anchors [m]."""
        return max((distance(a, b) for a, b in combinations(self.anchors(link), 2)), default=0.0)


Search = Callable[[Examined], Iterator[Finding]]


@record()
class Check:
    """A check yields findings about an examined model, each of which carries the name of the check's function.

    rule: the sentence that explains them
    of_links: whether it needs links with inertias; equations that are given entry by entry have none
    """

    search: Search
    rule: str
    of_links: bool = False

    @property
    def name(self) -> str:
        return self.search.__name__

    def __call__(self, case: Examined) -> Iterator[Finding]:
        return (replace(finding, check=self.name) for finding in self.search(case))


def check(rule: str, *, of_links: bool = False) -> Callable[[Search], Check]:
    """Makes a check of the function below it; nothing else has to name the function."""
    return partial(Check, rule=rule, of_links=of_links)


def length(vector: Vec3) -> float:
    return math.hypot(*vector)


def distance(a: Vec3, b: Vec3) -> float:
    return length(a - b)


def centre(inertia: Inertia) -> Vec3:
    """Returns the centre of mass, NaN for a body without mass."""
    m: Any = inertia.m
    return inertia.h.map(lambda moment: moment / m if m else math.nan)


def central(inertia: Inertia) -> SymmetricMatrix3:
    """Returns the tensor about the centre of mass, or about the origin without mass."""
    if not inertia.m:
        return inertia.I
    return inertia.central_tensor(centre(inertia))
