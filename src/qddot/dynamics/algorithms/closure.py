"""Computes the conditions of a closed chain: φ(q) = 0 of its loops, and A q̇ = 0 with those of rolling wheels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from qddot.dynamics.algorithms import kinematics
from qddot.dynamics.mechanism import Mechanism
from qddot.expressions.expression import Expression
from qddot.model.closed_model import ClosedModel
from qddot.model.loops import EVERYWHERE, Loop
from qddot.model.rolling import Rolling
from qddot.spatial import Motion, Pose, Rotation, Vec3, divided

Columns: TypeAlias = Sequence[Motion | None]  # of a link's Jacobian in base axes


class Frame(NamedTuple):
    """This is a frame that a loop holds: its pose in the base frame, and the Jacobian of its origin in base axes."""

    pose: Pose
    J: Columns

    def axis(self, k: int) -> Vec3:
        """Returns one of the frame's axes along the base's."""
        return _axes(self.pose.R)[k]


class Ends(NamedTuple):
    """These are the two frames of a loop.

    directions: those in which the second frame's origin is held, along the base's axes; turning: whether they turn with
        the first frame
    """

    loop: Loop
    first: Frame
    second: Frame
    directions: Sequence[Vec3]
    turning: bool


def residuals(arm: Mechanism, model: ClosedModel, evaluate: Callable[[Expression], Any]) -> list[Any]:
    """Returns φ(q), one entry for each condition of a loop.

    It is a length [m], the cosine of the angle between two axes, or ½ (distance² − length²) of a rod [m²].
    evaluate: returns a rod's length in the arm's kind of number
    """
    phi: list[Any] = []
    for loop, first, second, directions, _ in _ends(arm, model.loops):
        apart = second.pose.p - first.pose.p
        phi += [along.dot(apart) for along in directions]
        phi += [first.axis(i).dot(second.axis(j)) for i, j in loop.conditions.attitude]
        if loop.length is not None:
            length = evaluate(loop.length)
            phi.append(divided(apart.dot(apart) - length * length, 2))
    return phi


def jacobian(arm: Mechanism, model: ClosedModel) -> list[list[Any]]:
    """Returns A (conditions × n) with A q̇ = 0: first the derivatives of φ, then the conditions of rolling wheels."""
    return [*_of_loops(arm, model.loops), *_of_wheels(arm, model.rolling)]


def _of_loops(arm: Mechanism, loops: Sequence[Loop]) -> list[list[Any]]:
    """Returns the rows of A with d/dt φ = A q̇."""
    rows: list[list[Any]] = []
    for loop, first, second, directions, turning in _ends(arm, loops):
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


def _of_wheels(arm: Mechanism, wheels: Sequence[Rolling]) -> list[list[Any]]:
    """Returns the rows of A that say that wheels do not slip: the velocity of their points relative to the ground."""
    frames = _frames(arm, {name for each in wheels for name in (each.wheel, each.contact, each.ground)})
    rows: list[list[Any]] = []
    for each in wheels:
        contact = frames[each.contact]
        for along in map(contact.axis, each.axes):
            points = [_of_point(frames[link], contact.pose.p, along) for link in (each.wheel, each.ground)]
            rows.append(_difference(*points))
    return rows


def _of_point(frame: Frame, at: Vec3, along: Vec3) -> list[Any]:
    """Returns the part along a direction of the velocity of a link's point, by joint."""
    return _sum(_along(frame.J, along), _about(frame.J, (at - frame.pose.p).cross(along)))


def _frames(arm: Mechanism, names: Iterable[str]) -> dict[str, Frame]:
    """Returns the frames of links by name; that of the base is at rest."""
    T, index = kinematics.poses(arm), {link.name: link.index for link in arm.links}
    return {
        name: Frame(T[index[name]], kinematics.jacobian(arm, index[name], T=T))
        if name in index
        else Frame(Pose.identity(), [None] * arm.n)
        for name in names
    }


def _ends(arm: Mechanism, loops: Sequence[Loop]) -> Iterator[Ends]:
    """Yields the two frames of each loop."""
    T, index = kinematics.poses(arm), {link.name: link.index for link in arm.links}
    frames = _frames(arm, {name for loop in loops for name in loop.links})
    for loop in loops:
        first, second = (frames[name] for name in loop.links)
        place = loop.conditions.place
        turning = place != EVERYWHERE
        # a point that is held in all directions may be held along any axes, of which those at rest are the shortest
        directions = [first.axis(k) for k in place] if turning else _axes(_at_rest(arm, T, map(index.get, loop.links)))
        yield Ends(loop, first, second, directions, turning)


def _at_rest(arm: Mechanism, T: Sequence[Pose], ends: Iterable[int | None]) -> Rotation:
    """Returns the attitude of the first moving joint that carries a frame of a loop; no joint moves this attitude.

    In a planar chain, the direction in which nothing moves is one of its axes.
    """
    for end in ends:
        for k in arm.paths[end or 0]:
            link = arm.links[k]
            if link.dof is not None:
                return (T[link.parent].R if link.parent is not None else Rotation.identity()) @ link.placement.R
    return Rotation.identity()


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
