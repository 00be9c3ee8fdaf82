"""Computes the conditions of a closed chain: φ(q) = 0 of its loops, and A q̇ = 0 with those of rolling wheels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import UNITS
from qddot.algebra.numbers.in_motion import InMotion
from qddot.algebra.spatial import Force, Pose, Rotation, Twist, Vec3, divided
from qddot.physics.algorithms import kinematics
from qddot.physics.mechanism import Mechanism
from qddot.robot.closed_model import ClosedModel
from qddot.robot.loops import EVERYWHERE, Loop
from qddot.robot.rolling import Rolling

Columns: TypeAlias = Sequence[Twist | None]  # of a link's Jacobian


class Frame(NamedTuple):
    """This is a frame that a loop or a wheel holds: its pose, and the Jacobian of its origin, along the same axes.

    J: empty where only poses are needed
    """

    pose: Pose
    J: Columns

    def axis(self, k: int) -> Vec3:
        """Returns one of the frame's axes."""
        return _axes(self.pose.R)[k]


class Axes(NamedTuple):
    """These are axes along which a loop is closed: those in which a joint is placed, on the link that carries the loop.

    carrier: the last link that carries both ends of the loop, None for the base; joint: the link of the joint
    """

    carrier: int | None
    joint: int | None


class Ends(NamedTuple):
    """These are the two frames of a loop, relative to the link that carries both of them.

    What this link does moves neither of them, so that a linkage has the same conditions wherever it is carried.
    directions: those in which the second frame's origin is held, along axes of that link
    turning: whether they turn with the first frame
    """

    loop: Loop
    first: Frame
    second: Frame
    directions: Sequence[Vec3]
    turning: bool


def residuals(mechanism: Mechanism, model: ClosedModel, evaluate: Callable[[Expression], Any]) -> list[Any]:
    """Returns φ(q), one entry for each condition of a loop.

    It is a length [m], the cosine of the angle between two axes, or ½ (distance² − length²) of a rod [m²].
    evaluate: returns a rod's length in the arm's kind of number
    """
    phi: list[Any] = []
    for loop, first, second, directions, _ in _ends(mechanism, model.loops, moving=False):
        apart = second.pose.p - first.pose.p
        phi += [along.dot(apart) for along in directions]
        phi += [first.axis(i).dot(second.axis(j)) for i, j in loop.conditions.attitude]
        if loop.length is not None:
            length = evaluate(loop.length)
            phi.append(divided(apart.dot(apart) - length * length, 2))
    return [*phi, *given(mechanism, model, [each.value for each in model.on_positions])]


def given(mechanism: Mechanism, model: ClosedModel, parts: Sequence[Expression]) -> list[Any]:
    """Returns expressions of given conditions in the arm's state."""
    if not parts:
        return []
    assert mechanism.numbers is not None, "a mechanism of a model"
    numbers = InMotion(mechanism.numbers, model.tree.coordinates, model.tree.turning_coordinates)
    return [part.evaluate(numbers) for part in parts]


def jacobian(mechanism: Mechanism, model: ClosedModel) -> list[list[Any]]:
    """Returns A (conditions × n) with A q̇ = 0: first the derivatives of φ, then the conditions on velocities."""
    held, moving = (
        [given(mechanism, model, each.row) for each in of] for of in (model.on_positions, model.on_velocities)
    )
    return [*_of_loops(mechanism, model.loops), *held, *_of_wheels(mechanism, model.rolling), *moving]


def wrenches(mechanism: Mechanism, model: ClosedModel, multipliers: Sequence[Any]) -> list[Force]:
    """Returns the wrench of loops and wheels on each link, at its origin along its own axes: Aᵀ λ = Σ Jᵀ wrench.

    multipliers: λ, one for each row of A
    """
    each = iter(multipliers)
    index, total = {link.name: link.index for link in mechanism.links}, [Force.zero() for _ in mechanism.links]
    for name, frame, wrench in (*_held_by_loops(mechanism, model, each), *_held_by_wheels(mechanism, model, each)):
        if name in index:
            back = frame.pose.R.T
            total[index[name]] += Force(back.apply(wrench.n), back.apply(wrench.f))
    return total


def _held_by_loops(mechanism: Mechanism, model: ClosedModel, each: Iterator[Any]) -> Iterator[tuple[str, Frame, Force]]:
    """Yields the wrenches on the links of each loop along the axes of their frames' poses; each: λ, in order"""
    for loop, first, second, directions, turning in _ends(mechanism, model.loops):
        apart, force, moment = second.pose.p - first.pose.p, Vec3.zero(), Vec3.zero()
        for along in directions:
            force = force + along * next(each)
        for i, j in loop.conditions.attitude:
            moment = moment + second.axis(j).cross(first.axis(i)) * next(each)
        if loop.conditions.distance:
            force = force + apart * next(each)
        yield loop.links[1], second, Force(moment, force)
        yield loop.links[0], first, Force(force.cross(apart) - moment if turning else -moment, -force)


def _held_by_wheels(
    mechanism: Mechanism, model: ClosedModel, each: Iterator[Any]
) -> Iterator[tuple[str, Frame, Force]]:
    """Yields the wrenches on each wheel and its ground along the base's axes; each: λ, in order"""
    for wheel, contact, ground, of in _touching(mechanism, model.rolling):
        force = Vec3.zero()
        for along in map(contact.axis, of.axes):
            force = force + along * next(each)
        for name, frame, own in ((of.wheel, wheel, force), (of.ground, ground, -force)):
            yield name, frame, Force((contact.pose.p - frame.pose.p).cross(own), own)


def _of_loops(mechanism: Mechanism, loops: Sequence[Loop]) -> list[list[Any]]:
    """Returns the rows of A with d/dt φ = A q̇."""
    rows: list[list[Any]] = []
    for loop, first, second, directions, turning in _ends(mechanism, loops):
        apart = second.pose.p - first.pose.p
        for along in directions:
            row = _difference(_along(second.J, along), _along(first.J, along))
            rows.append(_sum(row, _about(first.J, along.cross(apart))) if turning else row)
        for i, j in loop.conditions.attitude:
            normal = second.axis(j).cross(first.axis(i))
            rows.append(_difference(_about(second.J, normal), _about(first.J, normal)))
        if loop.conditions.distance:
            rows.append(_difference(_along(second.J, apart), _along(first.J, apart)))
    return rows


def _of_wheels(mechanism: Mechanism, wheels: Sequence[Rolling]) -> list[list[Any]]:
    """Returns the rows of A that say that wheels do not slip: the velocity of their points relative to the ground."""
    rows: list[list[Any]] = []
    for wheel, contact, ground, of in _touching(mechanism, wheels):
        for along in map(contact.axis, of.axes):
            rows.append(_difference(*(_of_point(frame, contact.pose.p, along) for frame in (wheel, ground))))
    return rows


def _touching(mechanism: Mechanism, wheels: Sequence[Rolling]) -> Iterator[tuple[Frame, Frame, Frame, Rolling]]:
    """Yields the frames of each wheel, of its contact and of its ground."""
    T = kinematics.poses(mechanism)
    names = dict.fromkeys(name for each in wheels for name in (each.wheel, each.contact, each.ground))
    frames = _frames(mechanism, T, names)
    for each in wheels:
        yield frames[each.wheel], frames[each.contact], frames[each.ground], each


def _of_point(frame: Frame, at: Vec3, along: Vec3) -> list[Any]:
    """Returns the part along a direction of the velocity of a link's point, by joint."""
    return _sum(_along(frame.J, along), _about(frame.J, (at - frame.pose.p).cross(along)))


def _frames(
    mechanism: Mechanism, T: Sequence[Pose], names: Iterable[str], carrier: int | None = None, moving: bool = True
) -> dict[str, Frame]:
    """Returns the frames of links by name; that of the base is at rest.

    T: the links' poses relative to the carrier; moving: whether their Jacobians are needed
    """
    index = {link.name: link.index for link in mechanism.links}
    return {
        name: Frame(T[index[name]], kinematics.jacobian(mechanism, index[name], T=T, carrier=carrier) if moving else [])
        if name in index
        else Frame(Pose.identity(), [None] * mechanism.n)
        for name in names
    }


def _ends(mechanism: Mechanism, loops: Sequence[Loop], moving: bool = True) -> Iterator[Ends]:
    """Yields the two frames of each loop, along axes of the link that carries it in which its conditions are short.

    moving: whether their Jacobians are needed
    """
    axes = {loop.name: _axes_of(mechanism, loop) for loop in loops}
    frames = {}
    for each in dict.fromkeys(axes.values()):
        names = dict.fromkeys(name for loop in loops if axes[loop.name] == each for name in loop.links)
        frames[each] = _frames(mechanism, _poses_along(mechanism, each), names, each.carrier, moving)
    for loop in loops:
        first, second = (frames[axes[loop.name]][name] for name in loop.links)
        place = loop.conditions.place
        turning = place != EVERYWHERE
        # a point that is held in all directions may be held along any axes, of which the carrier's are the shortest
        directions = [first.axis(k) for k in place] if turning else UNITS
        yield Ends(loop, first, second, directions, turning)


def _axes_of(mechanism: Mechanism, loop: Loop) -> Axes:
    """Returns the axes of a loop: those in which the first joint is placed that moves one of its ends and not both.

    One that turns comes before one that slides. A joint does not move the frame in which it is placed, so that
    conditions along this frame's axes stay short. One of the axes is the joint's own, along which a turn moves nothing;
    in a planar chain one is the normal of the plane. The length of a rod needs no such axes.
    """
    index = {link.name: link.index for link in mechanism.links}
    paths = [mechanism.paths[index[name]] if name in index else () for name in loop.links]
    shared = [k for k in paths[0] if k in paths[1] and any(mechanism.links[j].places for j in mechanism.paths[k])]
    carrier = shared[-1] if shared else None
    beyond = ([k for k in path if k not in shared] for path in paths)
    firsts = [next((k for k in path if mechanism.links[k].dof is not None), None) for path in beyond]
    turning_first = min(
        (k for k in firsts if k is not None), key=lambda k: not mechanism.links[k].kind.is_revolute, default=None
    )
    return Axes(carrier, None if loop.conditions.distance else turning_first)


def _poses_along(mechanism: Mechanism, axes: Axes) -> list[Pose]:
    """Returns the poses of all links that the carrier carries, along these axes; those of others have no meaning."""
    carried = _carried_poses(mechanism, axes.carrier, Pose.identity())
    if axes.joint is None:
        return carried
    own = _attitude(mechanism, axes.joint, carried)
    return _carried_poses(mechanism, axes.carrier, Pose(own.T, Vec3.zero()), axes.joint)


def _attitude(mechanism: Mechanism, joint: int, carried: Sequence[Pose]) -> Rotation:
    """Returns the axes in which a joint is placed; carried: poses relative to the link along whose axes they are."""
    link = mechanism.links[joint]
    return link.placement.R if link.parent is None else carried[link.parent].R @ link.placement.R


def held_along(mechanism: Mechanism, loop: Loop) -> tuple[int | None, Sequence[Vec3]]:
    """Returns the link that carries a loop, and the three directions in its axes in which a point is held.

    None stands for the base; a loop that holds a point in fewer directions has those of the first frame instead
    """
    axes = _axes_of(mechanism, loop)
    if axes.joint is None:
        return axes.carrier, UNITS
    carried = _carried_poses(mechanism, axes.carrier, Pose.identity())
    return axes.carrier, _axes(_attitude(mechanism, axes.joint, carried))


def _carried_poses(mechanism: Mechanism, carrier: int | None, base: Pose, rest: int | None = None) -> list[Pose]:
    """Returns the poses of links relative to the carrier, whose own pose is `base`.

    rest: a joint whose placement has the attitude 1 then, which not all kinds of numbers would see
    """
    T: list[Pose] = []
    for link in mechanism.links:
        above = base if link.parent is None else T[link.parent]
        if link.index == carrier:
            T.append(base)
        elif link.index == rest:
            step = replace(link, placement=Pose.identity()).X.pose()
            T.append(Pose(Rotation.identity(), above.apply(link.placement.p)) @ step)
        else:
            T.append(above @ link.X.pose())
    return T


def _axes(R: Rotation) -> tuple[Vec3, Vec3, Vec3]:
    return R.T.x, R.T.y, R.T.z


def _along(J: Columns, direction: Vec3) -> list[Any]:
    """Returns the part of each column's linear velocity along a direction."""
    return [0 if column is None else column.v.dot(direction) for column in J]


def _about(J: Columns, direction: Vec3) -> list[Any]:
    """Returns the part of each column's angular velocity along a direction."""
    return [0 if column is None else column.w.dot(direction) for column in J]


def _sum(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _difference(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [x - y for x, y in zip(a, b, strict=True)]
