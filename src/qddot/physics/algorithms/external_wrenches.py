"""Expresses external wrenches on links in the frames in which the dynamics are computed.

A force along the world's axes, or a point of the world, is transformed from link to link along the path, which takes
fewer operations than the links' poses do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from qddot.algebra.spatial import Force, Number, Pose, Twist, Vec3
from qddot.base.records import record
from qddot.physics.algorithms import newton_euler
from qddot.physics.mechanism import Mechanism


@record()
class ExternalWrenches:
    """These are the external wrenches on some links.

    on: returns the wrench on every link of a mechanism, in the mechanism's frames
    links: the indices of the links with a wrench; None if the wrenches are known only in the links' own frames, in
    which the dynamics are then computed
    """

    on: Callable[[Mechanism], Sequence[Force]]
    links: Collection[int] | None = None


class Point:
    """This is a point fixed in a link, in the coordinates of the link's frame in a mechanism.

    place: the pose in the link's own frame of the frame in which the point is given
    """

    def __init__(self, mechanism: Mechanism, link: int, place: Pose, at: Vec3) -> None:
        self._mechanism, self._link = mechanism, link
        self._place = mechanism.frame(link) @ place
        self.r = self._place.apply(at)

    def along(self, own: Vec3) -> Vec3:
        """Returns a vector along the link's axes, from one along the axes of `place`."""
        return self._place.R.apply(own)

    def turned(self, vector: Vec3) -> Vec3:
        """Returns a vector along the link's axes, from one along the world's axes."""
        for k in self._mechanism.paths[self._link]:
            vector = self._mechanism.links[k].X.R.T.apply(vector)
        return vector

    def reached(self, point: Vec3) -> Vec3:
        """Returns the position of a point of the world in the link's frame."""
        for k in self._mechanism.paths[self._link]:
            X = self._mechanism.links[k].X
            point = X.R.T.apply(point - X.p) - X.r
        return point

    @cached_property
    def _twist(self) -> Twist:
        return self._mechanism.twists[self._link]

    @property
    def velocity(self) -> Vec3:
        return self._twist.v + self._twist.w.cross(self.r)

    def wrench(self, force: Vec3, moment: Vec3) -> Force:
        """Returns the wrench, at the link's origin, of a force at the point and a moment."""
        return Force(moment + self.r.cross(force), force)


def power(mechanism: Mechanism, wrenches: Sequence[Force]) -> Number:
    """Returns Σ V · F [W]."""
    return sum((V.dot(F) for V, F in zip(mechanism.twists, wrenches, strict=True)), start=0)


def torques(mechanism: Mechanism, wrenches: Sequence[Force]) -> list[Number]:
    """Returns Σ Jᵀ F."""
    return newton_euler.joint_torques(mechanism, newton_euler.from_tip(mechanism, wrenches))
