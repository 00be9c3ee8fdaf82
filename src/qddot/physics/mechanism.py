"""A Mechanism is a model in one kind of number and in one state; every algorithm of dynamics takes it.

Sine and cosine are computed once, here at the joint, and passed on as the pair (c, s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from operator import add
from typing import Any, TypeAlias

from qddot.algebra.expressions.circle import multiple_of_angle
from qddot.algebra.expressions.expression import Expression, evaluator
from qddot.algebra.expressions.turning import LARGEST_MULTIPLE
from qddot.algebra.freedoms import COLUMNS, THE_JOINT, Brackets, brackets
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.spatial import Force, Inertia, Number, Pose, Rotation, Transform, Twist, Vec3
from qddot.base.errors import EvaluationError
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.effects.acting import Acting, acting_on
from qddot.robot.model import Model

Position: TypeAlias = tuple[tuple[Number, Number], Number, Pose | None]


@record()
class Link:
    """A link is one body in the current state.

    parent: index of the parent link, None for the base
    dof: place in q̇ of the joint's coordinate, or of the first of its velocities; None for a fixed joint
    ratio: the joint's motion divided by q if the joint follows another's coordinate, else None
    circular: (cos, sin) of the angle by which the joint has turned; displacement: how far it has moved along its axis
    placement, axis, offset: as in Joint
    several: the kind of a joint with quasi-velocities, else ""; motion: the pose by which such a joint has moved
    spins: whether it is a rotor, which has an inertia about its axis alone and a frame that stays with its carrier
    """

    name: str
    index: int
    parent: int | None
    dof: int | None
    turns: bool
    ratio: Any
    circular: tuple[Number, Number]
    displacement: Number
    placement: Pose
    axis: Vec3
    offset: Pose
    inertia: Inertia
    com: Vec3 | None
    several: str = ""
    motion: Pose | None = None
    spins: bool = False

    @cached_property
    def X(self) -> Transform:
        """Returns the pose of the body's frame in its parent's, placement · motion(q) · offset."""
        placement, offset = self.placement, self.offset
        if self.motion is not None:
            moved = placement @ self.motion
            return Transform(moved.p, moved.R, Vec3.zero())
        p, R = placement.p, placement.R
        if self.dof is not None and self.turns:
            R = R @ Rotation.about(self.axis, *self.circular)
        elif self.dof is not None:
            p = p + R.apply(self.axis) * self.displacement
        return Transform(p, R @ offset.R, offset.R.T.apply(offset.p))

    @cached_property
    def screw(self) -> Twist:
        """Returns the twist for a unit rate of the joint, at the body's origin and along its axes."""
        back = self.offset.R.T
        along = back.apply(self.axis)
        return Twist(along, along.cross(back.apply(self.offset.p))) if self.turns else Twist(Vec3.zero(), along)

    @cached_property
    def S(self) -> Twist:
        """Returns the twist for a unit rate of the joint's coordinate: its screw times its ratio.

        raises EvaluationError: the joint has several velocities
        """
        if self.dof is None:
            return Twist.zero()
        if self.several:
            raise EvaluationError(
                "joint-has-several-velocities", joint=say(THE_JOINT[self.several]), name=repr(self.name)
            )
        return self.screw if self.ratio is None else self.screw * self.ratio

    @property
    def places(self) -> Sequence[int]:
        """Returns the places of the joint's velocities in q̇."""
        if self.dof is None:
            return ()
        return range(self.dof, self.dof + len(COLUMNS[self.several])) if self.several else (self.dof,)

    def column(self, place: int) -> Twist:
        """Returns the twist for a unit of the joint's velocity at a place in q̇."""
        return COLUMNS[self.several][place - (self.dof or 0)] if self.several else self.S

    def twist(self, rates: Sequence[Number]) -> Twist:
        """Returns S q̇ of the link's joint, at the body's origin and along its axes."""
        if self.dof is None:
            return Twist.zero()
        return reduce(add, (self.column(place) * rates[place] for place in self.places))

    def moved(self, circular: tuple[Number, Number], displacement: Number, motion: Pose | None = None) -> Link:
        """Returns the link with its joint at another angle or position, or in another pose."""
        return replace(self, circular=circular, displacement=displacement, motion=motion)


@record()
class Mechanism:
    """A mechanism has links (parents first), the tool's pose in its link, gravity in the base frame, and the state.

    q is 0 for a turning coordinate, whose sine and cosine the links have, and for a quasi-velocity.
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
        links = tuple(link.moved(*position) for link, position in zip(self.links, positions, strict=True))
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
            if link.several and (first := link.dof) is not None
            for (a, b), terms in brackets(link.several).items()
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
    model: Model, evaluate: Callable[[Any], Number], positions: Sequence[Position], bodies: Iterable[Body]
) -> Iterator[Link]:
    """Yields the links of some of the model's bodies; positions: those of all of its bodies"""
    index = {body.name: k for k, body in enumerate(model.bodies)}
    index_of_q = {name: k for k, name in enumerate(model.coordinates)}
    for body in bodies:
        joint = body.joint
        circular, displacement, motion = positions[index[body.name]]
        yield Link(
            name=body.name,
            index=index[body.name],
            parent=None if joint.parent == BASE else index[joint.parent],
            dof=index_of_q[joint.velocities[0]] if joint.moves else None,
            turns=joint.turns,
            ratio=_number(joint.ratio, evaluate),
            circular=circular,
            displacement=displacement,
            placement=joint.placement.map(evaluate),
            axis=joint.axis.map(evaluate),
            offset=joint.offset.map(evaluate),
            inertia=body.inertia.map(evaluate),
            com=body.com.map(evaluate) if body.com is not None else None,
            several=joint.type if joint.freedoms is not None else "",
            motion=motion,
            spins=joint.spins,
        )


def _motion(model: Model, numbers: StateNumbers) -> dict[str, Any]:
    """Returns the fields of a mechanism for q̇, q̈, the effects in the joints and their kind of number."""
    return {
        "qd": tuple(numbers.rate(name) for name in model.coordinates),
        "qdd": tuple(numbers.acceleration(name) for name in model.coordinates),
        "numbers": numbers,
        "acting": partial(acting_on, [body.joint for body in model.moving()], numbers),
    }


def _positions(model: Model, numbers: StateNumbers) -> tuple[tuple[Number, ...], list[Position]]:
    """Returns q (0 for turning coordinates), and for each body its joint's (cos, sin), displacement and pose."""
    turning = set(model.turning_coordinates)
    zero = turning.union(*(freedoms.velocities for freedoms in model.freedoms))
    q = {name: 0 if name in zero else numbers.coordinate(name) for name in model.coordinates}
    own = {name: numbers.cos_sin(name) for name in model.coordinates if name in turning}

    def position(joint: Joint) -> Position:
        if not joint.moves or (joint.spins and joint.turns):
            return (1, 0), 0, None
        if (freedoms := joint.freedoms) is not None:
            return (1, 0), 0, freedoms.pose({name: numbers.coordinate(name) for name in freedoms.positions})
        name, ratio = str(joint.coordinate), joint.ratio
        if not joint.turns:
            way = numbers.coordinate(name) if name in turning else q[name]
            return (1, 0), way if ratio is None else way * _number(ratio, evaluator(numbers)), None
        if ratio is None:
            return own[name], 0, None
        assert isinstance(ratio, Fraction)  # only ratios of sliding joints contain symbols
        # a few sums of angles are cheaper than another sine and cosine
        few = ratio.denominator == 1 and ratio <= LARGEST_MULTIPLE
        return multiple_of_angle(own[name], int(ratio)) if few else numbers.cos_sin(name, ratio), 0, None

    return tuple(q.values()), [position(body.joint) for body in model.bodies]


def _number(ratio: Fraction | Expression | None, evaluate: Any) -> Any:
    """Returns a ratio as a number, a whole one as an integer, None as None."""
    if ratio is None:
        return None
    return int(ratio) if isinstance(ratio, Fraction) and ratio.denominator == 1 else evaluate(ratio)
