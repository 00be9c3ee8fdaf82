"""A Mechanism is a model in one kind of number and in one state; every algorithm of dynamics takes it.

Sine and cosine are computed once, here at the joint, and passed on as the pair (c, s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce
from operator import add
from typing import Any

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.freedoms import Brackets
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.spatial import Force, Inertia, Number, Pose, Rotation, Transform, Twist, Vec3
from qddot.base.errors import EvaluationError
from qddot.base.records import record
from qddot.robot.bodies import BASE, Body
from qddot.robot.effects.acting import Acting, acting_on
from qddot.robot.joints.coordinates import Coordinates, number
from qddot.robot.joints.kind import Kind
from qddot.robot.model import Model


@record()
class Link:
    """A link is one body in the current state.

    parent: index of the parent link, None for the base
    dof: place in q̇ of the joint's coordinate, or of the first of its velocities; None for a fixed joint
    kind: that of its joint, whose laws move it; at: what these laws need of the joint's positions
    ratio: the joint's motion divided by q if the joint follows another's coordinate, else None
    placement, axis, offset: as in Joint
    """

    name: str
    index: int
    parent: int | None
    dof: int | None
    kind: Kind
    ratio: Any
    at: Any
    placement: Pose
    axis: Vec3
    offset: Pose
    inertia: Inertia
    com: Vec3 | None

    @cached_property
    def X(self) -> Transform:
        """Returns the pose of the body's frame in its parent's, placement · pose(at) · offset."""
        moved = self.kind.moved(self.placement, self.axis, self.at)
        return Transform(moved.p, moved.R @ self.offset.R, self._back.apply(self.offset.p))

    @cached_property
    def _back(self) -> Rotation:
        """Returns R_body,joint."""
        return self.offset.R.T

    @cached_property
    def screws(self) -> tuple[Twist, ...]:
        """Returns the twist for a unit of each velocity of the joint, at the joint's origin, along the body's axes."""
        return self.kind.columns(self._back.apply(self.axis))

    @cached_property
    def screw(self) -> Twist:
        """Returns the twist for a unit rate of a joint of one coordinate, at the body's origin and along its axes."""
        return self._at_origin(self.screws[0])

    @cached_property
    def S(self) -> Twist:
        """Returns the twist for a unit rate of the joint's coordinate: its screw times its ratio.

        raises EvaluationError: the joint has several velocities
        """
        if self.dof is None:
            return Twist.zero()
        if len(self.screws) > 1:
            raise EvaluationError("joint-has-several-velocities", joint=self.kind.named, name=repr(self.name))
        return self.columns[0]

    @cached_property
    def columns_at_joint(self) -> tuple[Twist, ...]:
        """Returns the twist for a unit of each velocity in q̇, at the joint's origin and along the body's axes."""
        return self.screws if self.ratio is None else tuple(S * self.ratio for S in self.screws)

    @cached_property
    def columns(self) -> tuple[Twist, ...]:
        """Returns the twist for a unit of each velocity in q̇, at the body's origin and along its axes."""
        columns = tuple(map(self._at_origin, self.screws))
        return columns if self.ratio is None else tuple(S * self.ratio for S in columns)

    def _at_origin(self, S: Twist) -> Twist:
        return Twist(S.w, S.v + S.w.cross(self._back.apply(self.offset.p)))

    @property
    def places(self) -> Sequence[int]:
        """Returns the places of the joint's velocities in q̇."""
        return () if self.dof is None else range(self.dof, self.dof + len(self.screws))

    def column(self, place: int) -> Twist:
        """Returns the twist for a unit of the joint's velocity at a place in q̇."""
        return self.columns[place - (self.dof or 0)]

    def twist(self, rates: Sequence[Number]) -> Twist:
        """Returns S q̇ of the link's joint, at the body's origin and along its axes."""
        return self._combined(self.columns, rates)

    def twist_at_joint(self, rates: Sequence[Number]) -> Twist:
        """Returns S q̇ of the link's joint, at the joint's origin and along the body's axes."""
        return self._combined(self.columns_at_joint, rates)

    def _combined(self, columns: Sequence[Twist], rates: Sequence[Number]) -> Twist:
        if self.dof is None:
            return Twist.zero()
        return reduce(add, (S * rates[place] for S, place in zip(columns, self.places, strict=True)))

    def moved(self, at: Any) -> Link:
        """Returns the link with its joint at another position; at: what the laws of its kind need of it."""
        return replace(self, at=at)


@record()
class Mechanism:
    """A mechanism has links (parents first), the tool's pose in its link, gravity in the base frame, and the state.

    q is 0 for a coordinate of which the links have only the sine and cosine, and for a quasi-velocity.
    acting: returns the effects in the joints; it is called only when they are needed, since few functions need them
    frames: the pose of each link's own frame in the frame that is used here, if the two differ
    numbers: the kind of number with its state, in which conditions on coordinates and rates are evaluated
    """

    links: tuple[Link, ...]
    tool_link: int
    tool: Pose
    gravity: Vec3
    q: tuple[Number, ...]
    qd: tuple[Number, ...]
    qdd: tuple[Number, ...]
    acting: Callable[[], tuple[Acting, ...]] = tuple
    frames: tuple[Pose, ...] = ()
    numbers: StateNumbers | None = None

    @classmethod
    def of(cls, model: Model, numbers: StateNumbers) -> Mechanism:
        """Returns the model in the state and the kind of number that `numbers` holds."""
        evaluate = evaluator(numbers)
        q, positions = _positions(model, numbers)
        return cls(
            links=tuple(_links(model, evaluate, positions, model.bodies)),
            tool_link=[body.name for body in model.bodies].index(model.tool_body),
            tool=model.tool.map(evaluate),
            gravity=model.gravity.map(evaluate),
            q=q,
            **_motion(model, numbers),
        )

    def with_bodies(self, model: Model, numbers: StateNumbers, bodies: Iterable[Body]) -> Mechanism:
        """Returns the same arm in the same state, with some of the model's bodies in other numbers."""
        _, positions = _positions(model, numbers)
        changed = {link.index: link for link in _links(model, evaluator(numbers), positions, bodies)}
        return replace(self, links=tuple(changed.get(link.index, link) for link in self.links))

    def in_state(self, model: Model, numbers: StateNumbers) -> Mechanism:
        """Returns the same arm in another state of the same kind of number, without evaluating its geometry again."""
        q, positions = _positions(model, numbers)
        links = tuple(link.moved(position) for link, position in zip(self.links, positions, strict=True))
        return replace(self, links=links, q=q, **_motion(model, numbers))

    def in_motion(self, model: Model, numbers: StateNumbers) -> Mechanism:
        """Returns the same arm in the same position with the rates and accelerations that `numbers` holds."""
        return replace(self, **_motion(model, numbers))

    @property
    def n(self) -> int:
        return len(self.q)

    def frame(self, k: int) -> Pose:
        """Returns the pose of link k's own frame in the frame that is used here."""
        return self.frames[k] if self.frames else Pose.identity()

    @cached_property
    def effects(self) -> tuple[Acting, ...]:
        """Returns the effects in the joints, in the order of q."""
        return self.acting()

    @cached_property
    def joints(self) -> tuple[Link, ...]:
        """Returns for each velocity the link whose joint has it for its own, in the order of q̇."""
        moving = {place: link for place, link in self.moving if link.ratio is None}
        return tuple(moving[k] for k in range(self.n))

    @cached_property
    def moving(self) -> tuple[tuple[int, Link], ...]:
        """Returns (place in q̇, link) for every velocity of every joint; several joints may share a coordinate."""
        return tuple((place, link) for link in self.links for place in link.places)

    @cached_property
    def brackets(self) -> Brackets:
        """Returns the c^l_ab of [X_a, X_b] = Σ_l c^l_ab X_l, by places in q̇; empty if all velocities are rates."""
        return {
            (a + first, b + first): tuple((k + first, c) for k, c in terms)
            for link in self.links
            if (first := link.dof) is not None
            for (a, b), terms in link.kind.brackets().items()
        }

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """Returns, for each link, the indices of the links from the base to it, itself included."""
        paths: list[tuple[int, ...]] = []
        for link in self.links:
            above = () if link.parent is None else paths[link.parent]
            paths.append((*above, link.index))
        return tuple(paths)

    @cached_property
    def twists(self) -> list[Twist]:
        """Returns V_i of every link, at the body's origin and along its axes: V_i = X V_p + S q̇."""
        V: list[Twist] = []
        for link in self.links:
            own = link.twist(self.qd)
            V.append(own if link.parent is None else link.X.to_child(V[link.parent]) + own)
        return V

    @cached_property
    def twice_kinetic_energies(self) -> list[Number]:
        """Returns Vᵀ 𝒢 V of each link [J]."""
        return [link.inertia.twice_kinetic_energy(V) for link, V in zip(self.links, self.twists, strict=True)]

    @cached_property
    def composite_inertias(self) -> tuple[Inertia, ...]:
        """Returns, for every link, the inertia of it and of all links that it carries, at its own origin."""
        total = [link.inertia for link in self.links]
        for link in reversed(self.links):
            if link.parent is not None:
                total[link.parent] = total[link.parent] + link.X.inertia_to_parent(total[link.index])
        return tuple(total)

    def moving_path(self, i: int) -> list[tuple[int, Link]]:
        """Returns (place in q̇, link) for the velocities of the joints from the base to link i."""
        return [(place, self.links[k]) for k in self.paths[i] for place in self.links[k].places]

    def carries(self, j: int, i: int) -> bool:
        """Returns whether the joint of link j moves link i."""
        return j in self.paths[i]

    def inward(self, link: Link, wrench: Force) -> Iterator[tuple[Link, Force]]:
        """Yields the links from `link` to the base, each with the wrench on `link` in its own frame."""
        yield link, wrench
        while link.parent is not None:
            wrench, link = link.X.to_parent(wrench), self.links[link.parent]
            yield link, wrench


def _links(
    model: Model, evaluate: Callable[[Any], Number], positions: Sequence[Any], bodies: Iterable[Body]
) -> Iterator[Link]:
    """Yields the links of some of the model's bodies; positions: those of all of its bodies"""
    index = {body.name: k for k, body in enumerate(model.bodies)}
    index_of_q = {name: k for k, name in enumerate(model.coordinates)}
    for body in bodies:
        joint = body.joint
        yield Link(
            name=body.name,
            index=index[body.name],
            parent=None if joint.parent == BASE else index[joint.parent],
            dof=index_of_q[joint.velocities[0]] if joint.moves else None,
            kind=joint.kind,
            ratio=number(joint.ratio, evaluate),
            at=positions[index[body.name]],
            placement=joint.placement.map(evaluate),
            axis=joint.axis.map(evaluate),
            offset=joint.offset.map(evaluate),
            inertia=body.inertia.map(evaluate),
            com=body.com.map(evaluate) if body.com is not None else None,
        )


def _motion(model: Model, numbers: StateNumbers) -> dict[str, Any]:
    """Returns the fields of a mechanism for q̇, q̈, the effects in the joints and their kind of number."""
    return {
        "qd": tuple(numbers.rate(name) for name in model.coordinates),
        "qdd": tuple(numbers.acceleration(name) for name in model.coordinates),
        "numbers": numbers,
        "acting": partial(acting_on, [body.joint for body in model.moving()], numbers),
    }


def _positions(model: Model, numbers: StateNumbers) -> tuple[tuple[Number, ...], list[Any]]:
    """Returns q (0 where only sines and cosines occur), and for each body what the laws of its joint need of q."""
    kinds = {body.joint.coordinate: body.joint.kind for body in model.moving() if body.joint.freedoms is None}
    q = {n: numbers.coordinate(n) if n in kinds and not kinds[n].is_angle else 0 for n in model.coordinates}
    own = Coordinates(numbers, [name for name in model.coordinates if name in kinds and kinds[name].is_angle])
    joints = (body.joint for body in model.bodies)
    return tuple(q.values()), [joint.kind.at(own, joint.coordinate, joint.ratio) for joint in joints]
