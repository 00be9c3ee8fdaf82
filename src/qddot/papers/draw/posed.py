"""Computes where an arm's links are, in floats, for one configuration or many at once, to draw them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.algebra.checked_arrays import vector
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Pose
from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.machine.numeric import manifold
from qddot.physics.algorithms import kinematics
from qddot.physics.mechanism import Link, Mechanism
from qddot.physics.of_model import check_links
from qddot.robot.model import Model, expressions_in

if TYPE_CHECKING:
    from qddot.robot.closed_model import ClosedModel

NEARLY = 1e-9  # lengths below this part of the arm's are zero


def configuration(model: Model, q: Any) -> Any:
    """Returns q as an array; None gives zeros and quaternions without rotation.

    raises EvaluationError: a wrong number of entries, or a quaternion whose norm is not 1
    """
    if q is None:
        return manifold.neutral(model)
    return manifold.with_unit_quaternions(model, vector(q, "q", len(model.positions), error=EvaluationError))


class PosedArm:
    """This is an arm in K configurations; frame 0 is the base, frame k + 1 that of link k.

    R: (K, frames, 3, 3) and p: (K, frames, 3) give each frame in the base frame;
    displacements: (K, links), how far joints have slid; places: for each link the entries of q that are its joint's
    closed: the loops and wheels of a closed chain; rods: the pairs of frames between whose origins it has rods
    A symbol without a value counts as 1, as `Model.unvalued_geometry` says.
    """

    def __init__(self, model: Model, q: Any, closed: ClosedModel | None = None) -> None:
        check_links(model, say("a-picture"))
        self.closed = closed
        self.model, self.q = model, np.array(q, dtype=float)
        manifold.normalise_quaternions(model, self.q)  # since q may lie between samples
        state = dict(zip(model.positions, self.q.T, strict=True))
        still = dict.fromkeys(model.coordinates, 0.0)
        self.mechanism = Mechanism.of(model, Floats(_values(model), state, still, still, cos=np.cos, sin=np.sin))
        links = self.mechanism.links
        frames = [Pose.identity(), *kinematics.poses(self.mechanism)]
        self.R = np.stack([np.stack([self._vectors(row) for row in T.R], axis=1) for T in frames], axis=1)
        self.p = np.stack([self._vectors(T.p) for T in frames], axis=1)
        moved = [
            np.broadcast_to(np.asarray(link.at if link.kind.is_prismatic else 0, dtype=float), len(self.q))
            for link in links
        ]
        self.displacements = np.stack(moved, axis=1)

    def _vectors(self, vector: Any) -> Any:
        return np.stack([np.broadcast_to(np.asarray(x, dtype=float), len(self.q)) for x in vector], axis=-1)

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Returns for each link which entries of q belong to its joint, or to the joint that it follows."""
        at = {name: k for k, name in enumerate(self.model.positions)}
        return tuple(
            tuple(at[name] for name in body.joint.positions) if body.joint.moves else () for body in self.model.bodies
        )

    def frame(self, name: str) -> int:
        """Returns the frame of a link, or that of the base."""
        return next((k for k, body in enumerate(self.model.bodies, 1) if body.name == name), 0)

    @cached_property
    def rods(self) -> list[tuple[int, int]]:
        pairs = [] if self.closed is None else [(self.frame(a), self.frame(b)) for a, b in self.closed.rods]
        return [(a, b) for a, b in pairs if np.linalg.norm(self.p[0, b] - self.p[0, a]) > NEARLY]

    @cached_property
    def carriers(self) -> tuple[Any, Any]:
        """Returns R and p of all frames, and then of the rods, whose z axes point from their first to their second end.

        No link carries a rod, which has a ball at each end.
        """
        if not self.rods:
            return self.R, self.p
        starts, ends = (self.p[:, list(side)] for side in zip(*self.rods, strict=True))
        z = (ends - starts) / np.linalg.norm(ends - starts, axis=-1, keepdims=True)
        x = np.cross(np.where(np.abs(z[..., :1]) < 0.9, [1.0, 0, 0], [0, 1.0, 0]), z)
        x /= np.linalg.norm(x, axis=-1, keepdims=True)
        turned = np.stack([x, np.cross(z, x), z], axis=-1)
        return np.concatenate([self.R, turned], axis=1), np.concatenate([self.p, starts], axis=1)

    @cached_property
    def helpers(self) -> frozenset[int]:
        """Returns the links whose joints only say where a body of a closed chain is, and are no parts of the machine.

        They begin with two slides or more in a row on the base, without masses between them, as the place of a disc on
        the ground; massless links that go on from there, and the slide of the body at their end, belong to them.
        """
        found: set[int] = set()
        if self.closed is None:
            return frozenset()
        links, bodies = self.mechanism.links, self.model.bodies
        for link in links:
            slides = link.kind.is_prismatic
            massless = not bodies[link.index].inertia.m
            after = link.parent in found and not bodies[link.parent].inertia.m and (massless or slides)
            if after or (link.parent is None and slides and massless):
                found.add(link.index)
        chained = {links[k].parent for k in found if not links[k].kind.is_revolute}  # a slide by itself is a rail
        lone = {k for k in found if links[k].parent is None and k not in chained}
        return frozenset(k for k in found if self._root(k) not in lone)

    def _root(self, index: int) -> int:
        """Returns the link on the base from which a link hangs."""
        parent = self.mechanism.links[index].parent
        return index if parent is None else self._root(parent)

    @cached_property
    def gravity(self) -> Any:
        """Returns the acceleration of free fall in the base frame [m/s²]."""
        return np.array([float(x) for x in self.mechanism.gravity])

    @cached_property
    def end(self) -> Any:
        """Returns the end point, the tool's origin, (K, 3)."""
        k = self.mechanism.tool_link + 1
        return self.p[:, k] + self.R[:, k] @ constant(self.mechanism.tool.p)

    @cached_property
    def axes(self) -> Any:
        """Returns the joints' axes in the base frame, (K, links, 3)."""
        return np.stack([self.R[:, k + 1] @ own_axis(link) for k, link in enumerate(self.mechanism.links)], axis=1)

    @cached_property
    def joints(self) -> Any:
        """Returns the points of the joints that move with their links, in the base frame, (K, links, 3)."""
        links = self.mechanism.links
        return np.stack([self.p[:, k + 1] + self.R[:, k + 1] @ own_joint(link) for k, link in enumerate(links)], axis=1)

    @cached_property
    def points(self) -> Any:
        """Returns the points that a picture must contain, (many, 3): origins, joints, the end point, ends of links."""
        carriers = {link.parent for link in self.mechanism.links}
        last = [link for link in self.mechanism.links if link.index not in carriers]
        ends = [self.p[:, link.index + 1] + self.R[:, link.index + 1] @ self.centre(link) for link in last]
        return np.concatenate([self.p.reshape(-1, 3), self.joints.reshape(-1, 3), self.end, *ends])

    def centre(self, link: Link) -> Any:
        """Returns the centre of mass of a link in its own frame; the origin of a massless one.

        That of a link whose centre depends on symbols without values is unknown: the origin, too.
        """
        body, m = self.model.bodies[link.index], link.inertia.m
        given = (body.inertia.m, body.inertia.h) if body.com is None else body.com
        if not {name for part in expressions_in(given) for name in part.symbols()} <= {"pi", *self.model.defaults()}:
            return np.zeros(3)
        return constant(link.inertia.h) / m if m else np.zeros(3)

    def limits(self, link: Link) -> tuple[float, float] | None:
        """Returns the limits of a link's joint, or None where it has none with values."""
        limits, numbers = self.model.bodies[link.index].joint.limits, _values(self.model)
        values = [limit.value(numbers) for limit in limits or ()]
        return (values[0], values[1]) if values and np.isfinite(values).all() else None


def constant(vector: Any) -> Any:
    """Returns a vector or a rotation of numbers as an array."""
    return np.array([list(row) if hasattr(row, "__iter__") else row for row in vector], dtype=float)


def own_joint(link: Link) -> Any:
    """Returns the joint's point in the link's own frame."""
    return constant(link.offset.inverse().p)


def own_axis(link: Link) -> Any:
    """Returns the joint's axis in the link's own frame."""
    return constant(link.offset.R.T.apply(link.axis))


def _values(model: Model) -> dict[str, float]:
    """Returns a number for every symbol: 1 for one without a value, so that each length without one is 1 m."""
    return {**dict.fromkeys(model.symbols, 1.0), **model.defaults()}
