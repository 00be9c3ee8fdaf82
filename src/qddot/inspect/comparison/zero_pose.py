"""A ZeroPose has the joints' lines of a robot, and the links that they carry, in floats in the base's frame at q = 0.

Two descriptions of one arm in different conventions give the same one, so that a mistake in a description changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import cos, sin
from typing import Any

import numpy as np

from qddot.algebra.spatial import Inertia, Pose, Rotation, SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.inspect.comparison.held_frames import Held, held
from qddot.inspect.comparison.places import Array, Place, spread
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.physics.algorithms.composite import gravity_torques
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.bodies import OF_MOTORS
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.kinds import KINDS
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joints.kind import Kind

EFFECTS: dict[str, tuple[type[Effect], str]] = {
    "armature": (Armature, "inertia"),
    "viscous friction": (Viscous, "coefficient"),
    "Coulomb friction": (Coulomb, "coefficient"),
    "spring stiffness": (Spring, "stiffness"),
    "spring rest": (Spring, "rest"),
}
KNOWN = {kind for kind, _ in EFFECTS.values()}
EFFECTS |= {
    kind.key if name == kind.linear else f"{kind.key} {name}": (kind, name)
    for kind in KINDS.values()
    if kind not in KNOWN and not kind.second
    for name in kind.names()
}


@record(eq=False)
class PosedBody:
    """This is a link in its place: frame; mass, first moment and tensor about its origin, along the frame's axes."""

    name: str
    frame: Place
    m: float
    h: Array
    J: Array

    @classmethod
    def of(cls, name: str, frame: Place, m: float, c: Array, I: Array) -> PosedBody:
        """Returns the part with the centre of mass c and the tensor I about it."""
        return cls(name, frame, m, m * c, I + m * spread(c))

    def changed(self, m: float | None = None, c: Array | None = None, I: Array | None = None) -> PosedBody:
        """Returns the part with another mass, centre of mass, or tensor about the centre of mass."""
        m, c, I = self.m if m is None else m, self.c if c is None else c, self.I if I is None else I
        return PosedBody.of(self.name, self.frame, m, c, I)

    @property
    def c(self) -> Array:
        """Returns the centre of mass in the frame, or the frame's origin without mass."""
        return self.h / self.m if self.m else np.zeros(3)

    @property
    def I(self) -> Array:  # noqa: E743
        """Returns the tensor about the centre of mass."""
        return self.J - self.m * spread(self.c)

    @property
    def empty(self) -> bool:
        return not self.m and not self.h.any() and not self.J.any()

    def to_base(self) -> tuple[float, Array, Array]:
        """Returns m, h and J about the base's origin, along its axes."""
        R, p = self.frame.R, self.frame.p
        h = R @ self.h
        crossed = np.outer(h, p) + np.outer(p, h)
        J = R @ self.J @ R.T + np.trace(crossed) * np.eye(3) - crossed + self.m * spread(p)
        return self.m, h + self.m * p, J


@record(eq=False)
class MovingJoint:
    """This is a moving joint with the parts that are fixed to its link, the link itself first.

    parent: the place of the node that carries it
    axis and point: those of the joint's line; the point is the nearest to the base's origin
    dof: the place of its coordinate in q; kind: of the joint; ratio: of a joint that follows this coordinate, else None
    """

    link: str
    dof: int
    ratio: Any
    kind: Kind
    parent: int | None
    axis: Array
    point: Array
    parts: tuple[PosedBody, ...]

    @cached_property
    def total(self) -> PosedBody:
        """Returns all parts as one body, in the base's frame."""
        return united(self.parts)

    @property
    def frame(self) -> Place:
        return self.parts[0].frame

    def moved(self, place: Place, sign: int = 1) -> MovingJoint:
        """Returns the node displaced, with its axis reversed if the sign is −1."""
        axis, x = place.R @ self.axis, place.point(self.point)
        parts = tuple(replace(part, frame=place @ part.frame) for part in self.parts)
        return replace(
            self, axis=sign * axis, point=x - (x @ axis) * axis if self.kind.is_revolute else 0 * x, parts=parts
        )


# of a part, by the names of its quantities: the numbers of each
NUMBERS: Mapping[str, Callable[[PosedBody], tuple[float, ...]]] = {
    "mass": lambda part: (part.m,),
    "centre of mass": lambda part: tuple(part.c.tolist()),
    "inertia": lambda part: tuple(part.I[np.triu_indices(3)].tolist()),
}


def _if_any(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)


def united(parts: Sequence[PosedBody]) -> PosedBody:
    sums = [part.to_base() for part in parts]
    m, h, J = (sum((each[k] for each in sums), start=0 * sums[0][k]) for k in range(3))
    return PosedBody(parts[0].name, Place.identity(), float(m), np.asarray(h), np.asarray(J))


@record(eq=False)
class ZeroPose:
    """An arm at q = 0 has its moving joints as nodes, in an order that it shares with the arm it is compared with.

    gravity: in the base frame; effects: by name, one number for each coordinate; motors: whether each has one
    tool: its frame in the base frame; held: what loops and wheels hold, of a closed chain
    of_motors: by the names of limits of motors, one number or none for each coordinate
    """

    nodes: tuple[MovingJoint, ...]
    gravity: Array
    effects: dict[str, Array]
    limits: tuple[tuple[float, ...], ...]
    motors: tuple[bool, ...]
    tool: Place
    tool_node: int | None
    tool_link: str
    held: tuple[Held, ...] = ()
    of_motors: Mapping[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot, links: Sequence[str], dofs: Sequence[int]) -> ZeroPose:
        """Returns the arm whose k-th node is the named link, which moves with the coordinate dofs[k]."""
        home, place_of = snapshot.home, {name: k for k, name in enumerate(links)}
        frames = [_place(T) for T in poses(home)]
        carried: list[list[PosedBody]] = [[] for _ in links]
        for link, frame in zip(home.links, frames, strict=True):
            carrier = snapshot.carrier(link) if link.kind.leads or not link.kind.is_rotor else None
            if carrier is not None:
                at = place_of[carrier.name]
                carried[at].insert(0 if carrier is link else len(carried[at]), _part(link, frame))
        own = {link.name: link for link in home.links}
        nodes = []
        for k, name in enumerate(links):
            link, T = own[name], frames[own[name].index]
            w, v = (np.array([float(x) for x in part]) for part in (link.screw.w, link.screw.v))
            w, v = T.R @ w, T.R @ v
            axis = w if link.kind.is_revolute else v
            point = np.cross(w, v + np.cross(T.p, w)) if link.kind.is_revolute else np.zeros(3)
            parent = _node(snapshot.above(link), place_of)
            nodes.append(MovingJoint(name, dofs[k], link.ratio, link.kind, parent, axis, point, tuple(carried[k])))
        order = _coordinates(home, links, dofs)
        effects = {what: np.zeros(len(order)) for what in EFFECTS}
        for what, (kind, attribute) in EFFECTS.items():
            for each in home.effects:
                if isinstance(each.effect, kind):
                    effects[what][order.index(each.dof)] += float(getattr(each.effect, attribute))
        joints = [body.joint for body in snapshot.model.moving()]
        limits = [joint.limits or () for joint in joints]
        ends = tuple(tuple(end.value(snapshot.values) for end in limits[i]) for i in order)
        gravity = np.array([float(entry) for entry in home.gravity])
        tool = frames[home.tool_link] @ _place(home.tool)
        node_of = {
            link.name: _node(snapshot.carrier(link), place_of)
            for link in home.links
            if link.kind.leads or not link.kind.is_rotor
        }
        poses_of = {link.name: frame for link, frame in zip(home.links, frames, strict=True)}
        return cls(
            tuple(nodes),
            gravity,
            effects,
            ends,
            tuple(i in snapshot.model.drives for i in order),
            tool,
            node_of[home.links[home.tool_link].name],
            home.links[home.tool_link].name,
            tuple(held(each, snapshot.values, poses_of, node_of) for each in snapshot.closures),
            {what: tuple(_if_any(getattr(joints[i], what)) for i in order) for what in OF_MOTORS},
        )

    @property
    def n(self) -> int:
        return len(self.limits)

    @cached_property
    def length(self) -> float:
        """Returns the size with which lengths are compared: how far joints and centres of mass are from their mean."""
        points = np.array([x for node in self.nodes for x in (node.point, node.total.c)])
        return float(np.abs(points - points.mean(axis=0)).max()) or 1.0

    @cached_property
    def inward_first(self) -> list[int]:
        """Returns the nodes' places, parents before children."""
        depth = [len(self.path(k)) for k in range(len(self.nodes))]
        return sorted(range(len(self.nodes)), key=lambda k: depth[k])

    def path(self, k: int) -> list[int]:
        """Returns the nodes from k inward to the base, k itself first."""
        places = [k]
        while (above := self.nodes[places[-1]].parent) is not None:
            places.append(above)
        return places

    def with_parts(self, k: int, parts: Iterable[PosedBody]) -> ZeroPose:
        """Returns the arm in which node k has these parts."""
        node = replace(self.nodes[k], parts=tuple(parts))
        return replace(self, nodes=(*self.nodes[:k], node, *self.nodes[k + 1 :]))

    def equations(self, q: Array, qd: Array) -> tuple[Array, Array, Array]:
        """Returns M with armature, C and G, shapes (k, n, n), (k, n, n), (k, n), in k states of shape (k, n)."""
        M, C, G = (np.array(part) for part in zip(*map(self._equations, q, qd), strict=True))
        return M, C, G

    def _equations(self, q: Array, qd: Array) -> tuple[Array, Array, Array]:
        arm = self._mechanism(q.tolist(), qd.tolist())
        _, by_qd, M = inverse_dynamics_derivatives(arm)
        armature = np.diag(self.effects["armature"])
        return np.array(M, float) + armature, np.array(by_qd, float) / 2, np.array(gravity_torques(arm), float)

    def _mechanism(self, q: Sequence[float], qd: Sequence[float]) -> Mechanism:
        """Returns the same arm with every frame on its joint's line, parallel to the base at q = 0."""
        place_of, links = {k: i for i, k in enumerate(self.inward_first)}, []
        for i, k in enumerate(self.inward_first):
            node = self.nodes[k]
            above = np.zeros(3) if node.parent is None else self.nodes[node.parent].point
            placement = Pose(Rotation.identity(), Vec3(*(node.point - above).tolist()))
            axis, offset = Vec3(*node.axis.tolist()), Pose.identity()
            moved = 0.0 if node.dof is None else q[node.dof] * (node.ratio or 1)
            at = (cos(moved), sin(moved)) if node.kind.is_angle else moved
            inertia = _inertia(node.total).shifted(Vec3(*(-node.point).tolist()))
            parent = None if node.parent is None else place_of[node.parent]
            own = (node.dof, node.kind, node.ratio, at, placement, axis, offset, inertia, None)
            links.append(Link(node.link, i, parent, *own))
        gravity = Vec3(*self.gravity.tolist())
        return Mechanism(tuple(links), 0, Pose.identity(), gravity, tuple(q), tuple(qd), (0,) * len(q))


def _coordinates(home: Mechanism, links: Sequence[str], dofs: Sequence[int]) -> list[int]:
    """Returns the places of the shared coordinates in the description's q, in their order."""
    own = {link.name: link.dof for link in home.links if link.ratio is None}
    coordinate_of = {dof: own[name] for name, dof in zip(links, dofs, strict=True) if name in own}
    return [int(coordinate_of[dof] or 0) for dof in sorted(coordinate_of)]


def _node(carrier: Link | None, place_of: Mapping[str, int]) -> int | None:
    """Returns the place of the joint of a link, or None where no joint moves it."""
    return None if carrier is None else place_of[carrier.name]


def _place(pose: Pose) -> Place:
    matrix = np.array(pose.matrix(), dtype=float)
    return Place(matrix[:3, :3], matrix[:3, 3])


def _part(link: Link, frame: Place) -> PosedBody:
    body = link.inertia
    h = np.array([float(x) for x in body.h])
    J = np.array([[float(x) for x in row] for row in body.I.rows()])
    m: Any = body.m
    return PosedBody(link.name, frame, float(m), h, J)


def _inertia(part: PosedBody) -> Inertia:
    return Inertia(part.m, Vec3(*part.h.tolist()), symmetric(part.J))


def symmetric(I: Array) -> SymmetricMatrix3:
    """Returns a symmetric array as six numbers."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = I.tolist()
    return SymmetricMatrix3(xx, xy, xz, yy, yz, zz)


def matrix(I: SymmetricMatrix3) -> Array:
    return np.array([list(row) for row in I.rows()], dtype=float)
