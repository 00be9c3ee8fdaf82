"""A Mechanism is a model in one kind of number and in one state; every algorithm of dynamics takes it.

Sine and cosine are computed once, here at the joint, and passed on as the pair (c, s).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from qddot.dynamics.effects import Effect, effects_of
from qddot.expressions.circle import multiple_of_angle
from qddot.expressions.expression import evaluator
from qddot.expressions.turning import LARGEST_MULTIPLE
from qddot.model.bodies import BASE, Body, Joint
from qddot.model.model import Model
from qddot.numbers.state_numbers import StateNumbers
from qddot.records import record
from qddot.spatial import Inertia, Motion, Number, Pose, Rotation, Transform, Vec3


@record()
class Link:
    """A link is one body in the current state.

    parent: index of the parent link, None for the base
    dof: place of the joint's coordinate in q, None for a fixed joint
    ratio: joint's motion over q where the joint follows another's coordinate, else None
    circular: (cos, sin) of the angle by which the joint has turned; way: how far it has slid
    X: the pose of the body's frame in its parent's
    S: ratio times the joint's unit twist at the body's origin, along the body's axes
    placement, axis, offset: as in Joint
    """

    name: str
    index: int
    parent: int | None
    dof: int | None
    turns: bool
    ratio: Any
    circular: tuple[Number, Number]
    way: Number
    placement: Pose
    axis: Vec3
    offset: Pose
    X: Transform
    S: Motion
    inertia: Inertia
    com: Vec3 | None

    @property
    def screw(self) -> Motion:
        """Returns the joint's own unit twist, without its ratio."""
        return unit_twist(self.axis, self.offset, self.turns)

    def moved(self, circular: tuple[Number, Number], way: Number) -> Link:
        """Returns the link with its joint at another angle or position."""
        X, S = joint_motion(self.placement, self.axis, self.offset, self.dof, self.turns, circular, way, self.ratio)
        return replace(self, circular=circular, way=way, X=X, S=S)


@record()
class Mechanism:
    """A mechanism has links (parents first), the tool's pose in its link, gravity in the base frame, and the state.

    q is 0 for a turning coordinate: the links have its sine and cosine. acting: returns the effects in the joints; it
    is called when they are asked for, since few functions need all of them. frames: where each link's own frame is in
    the one that stands for it here, if these are others.
    """

    links: tuple[Link, ...]
    tool_link: int
    tool: Pose
    gravity: Vec3
    q: tuple[Number, ...]
    qd: tuple[Number, ...]
    qdd: tuple[Number, ...]
    acting: Callable[[], tuple[Effect, ...]] = tuple
    frames: tuple[Pose, ...] = ()

    @classmethod
    def of(cls, model: Model, numbers: StateNumbers) -> Mechanism:
        """Returns the model in the state and the kind of number that `numbers` holds."""
        evaluate = evaluator(numbers)
        index = {body.name: k for k, body in enumerate(model.bodies)}
        index_of_q = {name: k for k, name in enumerate(model.coordinates)}
        q, positions = _positions(model, numbers)

        def link(k: int, body: Body) -> Link:
            joint = body.joint
            placement, offset = joint.placement.map(evaluate), joint.offset.map(evaluate)
            axis = joint.axis.map(evaluate)
            dof = index_of_q[str(joint.coordinate)] if joint.moves else None
            ratio = _number(joint.ratio, evaluate)
            circular, way = positions[k]
            X, S = joint_motion(placement, axis, offset, dof, joint.turns, circular, way, ratio)
            return Link(
                name=body.name,
                index=k,
                parent=None if joint.parent == BASE else index[joint.parent],
                dof=dof,
                turns=joint.turns,
                ratio=ratio,
                circular=circular,
                way=way,
                placement=placement,
                axis=axis,
                offset=offset,
                X=X,
                S=S,
                inertia=body.inertia.map(evaluate),
                com=body.com.map(evaluate) if body.com is not None else None,
            )

        return cls(
            links=tuple(link(k, body) for k, body in enumerate(model.bodies)),
            tool_link=index[model.tool_body],
            tool=model.tool.map(evaluate),
            gravity=model.gravity.map(evaluate),
            q=q,
            qd=tuple(numbers.rate(name) for name in model.coordinates),
            qdd=tuple(numbers.acceleration(name) for name in model.coordinates),
            acting=partial(effects_of, [body.joint for body in model.moving()], numbers),
        )

    def in_state(self, model: Model, numbers: StateNumbers) -> Mechanism:
        """Returns the same arm in another state of the same kind of number, without evaluating its geometry again."""
        q, positions = _positions(model, numbers)
        links = tuple(link.moved(*position) for link, position in zip(self.links, positions, strict=True))
        rates = tuple(numbers.rate(name) for name in model.coordinates)
        accelerations = tuple(numbers.acceleration(name) for name in model.coordinates)
        acting = partial(effects_of, [body.joint for body in model.moving()], numbers)
        return replace(self, links=links, q=q, qd=rates, qdd=accelerations, acting=acting)

    @property
    def n(self) -> int:
        return len(self.q)

    def frame(self, k: int) -> Pose:
        """Returns link k's own frame in the one that stands for it here."""
        return self.frames[k] if self.frames else Pose.identity()

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Returns the effects in the joints, in the order of q."""
        return self.acting()

    @cached_property
    def joints(self) -> tuple[Link, ...]:
        """Returns the links whose joint moves by a coordinate of its own, in the order of q."""
        moving = {link.dof: link for link in self.links if link.dof is not None and link.ratio is None}
        return tuple(moving[k] for k in range(self.n))

    @cached_property
    def moving(self) -> tuple[tuple[int, Link], ...]:
        """Returns (index in q, link) for every joint that moves; several may share a coordinate."""
        return tuple((link.dof, link) for link in self.links if link.dof is not None)

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """Returns, for each link, the indices of the links from the base to it, itself included."""
        paths: list[tuple[int, ...]] = []
        for link in self.links:
            above = () if link.parent is None else paths[link.parent]
            paths.append((*above, link.index))
        return tuple(paths)

    def moving_path(self, i: int) -> list[Link]:
        """Returns the links from the base to link i whose joint moves."""
        return [self.links[k] for k in self.paths[i] if self.links[k].dof is not None]

    def carries(self, j: int, i: int) -> bool:
        """Returns whether the joint of link j moves link i."""
        return j in self.paths[i]


def _positions(
    model: Model, numbers: StateNumbers
) -> tuple[tuple[Number, ...], list[tuple[tuple[Number, Number], Number]]]:
    """Returns q (0 for turning coordinates), and for each body its joint's (cos, sin) and how far it has slid."""
    turning = {body.joint.coordinate for body in model.moving() if body.joint.turns}
    q = {name: 0 if name in turning else numbers.coordinate(name) for name in model.coordinates}
    own = {name: numbers.cos_sin(name) for name in model.coordinates if name in turning}

    def position(joint: Joint) -> tuple[tuple[Number, Number], Number]:
        if not joint.moves:
            return (1, 0), 0
        name, ratio = str(joint.coordinate), joint.ratio
        if not joint.turns:
            return (1, 0), q[name] if ratio is None else q[name] * _number(ratio, evaluator(numbers))
        if ratio is None:
            return own[name], 0
        # a few sums of angles are cheaper than another sine and cosine
        few = ratio.denominator == 1 and ratio <= LARGEST_MULTIPLE
        return multiple_of_angle(own[name], int(ratio)) if few else numbers.cos_sin(name, ratio), 0

    return tuple(q.values()), [position(body.joint) for body in model.bodies]


def _number(ratio: Fraction | None, evaluate: Any) -> Any:
    """Returns a ratio as a number, a whole one as an integer, None as None."""
    return int(ratio) if ratio is not None and ratio.denominator == 1 else evaluate(ratio) if ratio else None


def joint_motion(
    placement: Pose,
    axis: Vec3,
    offset: Pose,
    dof: int | None,
    turns: bool,
    circular: tuple[Number, Number],
    way: Number,
    ratio: Any = None,
) -> tuple[Transform, Motion]:
    """Returns X of T = placement · motion(q) · offset, and the joint's twist in the body's frame."""
    r = offset.R.T.apply(offset.p)
    if dof is None:
        return Transform(placement.p, placement.R @ offset.R, r), Motion.zero()
    S = unit_twist(axis, offset, turns)
    if turns:
        R = placement.R @ Rotation.about(axis, *circular) @ offset.R
        return Transform(placement.p, R, r), S if ratio is None else S * ratio
    p = placement.p + placement.R.apply(axis) * way
    return Transform(p, placement.R @ offset.R, r), S if ratio is None else S * ratio


def unit_twist(axis: Vec3, offset: Pose, turns: bool) -> Motion:
    """Returns the twist for a unit rate about or along a joint's axis, at the body's origin and along its axes."""
    back = offset.R.T
    along = back.apply(axis)
    return Motion(along, along.cross(back.apply(offset.p))) if turns else Motion(Vec3.zero(), along)
