"""A Chain has an arm's joint axes at q = 0, the common normals between them, and the frames that follow."""

from __future__ import annotations

from functools import cached_property

from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.formats.conversions.geometry import Constants
from qddot.formats.conversions.normals import Axis, Normal, common_normal, kept_normal, unit
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model

X, Y, Z = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)


def check_chain(model: Model, convention: str) -> None:
    """Raises ModelError unless each body is the child of the one before it and moves by its own coordinate."""
    if model.has_followers:
        raise ModelError("followers-in-convention", where=model.name, convention=convention)
    names = [BASE, *(body.name for body in model.bodies)]
    for body, before in zip(model.bodies, names, strict=False):
        if body.joint.parent != before:
            raise ModelError(
                "arm-branches",
                where=model.name,
                name=repr(body.name),
                parent=repr(body.joint.parent),
                before=repr(before),
                convention=convention,
            )


@record()
class Chain:
    """A chain has bodies, joint axes and the tool in the base frame at q = 0."""

    model: Model
    k: Constants
    parts: tuple[Placed, ...]
    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, model: Model, exact: bool) -> Chain:
        k = Constants(model, exact)
        parts = tuple(placed(model, k).values())
        return cls(model, k, parts, tuple(_axis(part, number == 0) for number, part in enumerate(parts)))

    @cached_property
    def tool(self) -> Pose:
        carrier = next(part for part in self.parts if part.body.name == self.model.tool_body)
        return self.k.tidy(carrier.frame @ self.k.pose(self.model.tool))  # type: ignore[no-any-return]

    @cached_property
    def start(self) -> Vec3:
        """Returns the point of the first axis that is nearest to the base's origin."""
        first = self.axes[0]
        return Vec3.zero() if first.free else self.k.tidy(first.p - first.z * first.p.dot(first.z))

    @cached_property
    def normals(self) -> tuple[Normal, ...]:
        """Returns the common normals of neighbouring axes; there is one fewer than there are axes."""
        k, E, normals = self.k, self.start, list[Normal]()
        x = self._first_x()
        for part, axis, then in zip(self.parts, self.axes, self.axes[1:], strict=False):
            hints = (x, k.tidy(axis.z.cross(x)), X, Y, Z)
            normal = kept_normal(k, part.frame, axis, E, then)
            normal = normal or common_normal(k, axis.z, E, hints, then, self.tool.p - E)
            normals.append(normal)
            E, x = normal.B, normal.x
        return tuple(normals)

    def standard_frames(self) -> list[Pose]:
        """Returns frames 0 to n: x along normals, z along the next joint's axis; frame n is at the tool if possible."""
        frames = [frame(N.x, axis.z, N.B) for N, axis in zip(self.normals, self.axes[1:], strict=True)]
        frames.append(self._standard_end())
        first = self.axes[0].z
        if first == Z:
            return [Pose(Rotation.identity(), self.start), *frames]
        foot = self.start + first * (frames[0].p - self.start).dot(first)
        return [frame(frames[0].R.T.x, first, self.k.tidy(foot)), *frames]

    def modified_frames(self) -> list[Pose]:
        """Returns frames 0 to n: z along the joints' axes, x along the normal to the next."""
        frames = [frame(N.x, axis.z, N.A) for N, axis in zip(self.normals, self.axes, strict=False)]
        frames.append(self._modified_end())
        z = self.axes[0].z
        if self.k.is_zero(z.x) and self.k.is_zero(self.start.dot(X.cross(z))):
            return [Pose.identity(), *frames]
        return [Pose(Rotation.identity(), self.start) if z == Z else frames[0], *frames]

    def _standard_end(self) -> Pose:
        z, E, x = self._last()
        for own in (self._tool_at_the_end(), self.parts[-1].frame):
            along = own.R.T.x
            if self.k.is_zero(along.dot(z)) and self.k.is_zero((own.p - E).dot(z.cross(along))):
                return own
        return frame(x, z, E)

    def _modified_end(self) -> Pose:
        z, E, x = self._last()
        own = self.parts[-1].frame
        across = (candidate.R.T.x for candidate in (own, self._tool_at_the_end()))
        x = next((along for along in across if self.k.is_zero(along.dot(z))), x)
        return frame(x, z, self.k.tidy(E + z * (own.p - E).dot(z)))

    def _last(self) -> tuple[Vec3, Vec3, Vec3]:
        """Returns z of the last axis, the foot of the last common normal on it, and the x axis of that normal."""
        if not self.normals:
            return self.axes[-1].z, self.start, self._first_x()
        return self.axes[-1].z, self.normals[-1].B, self.normals[-1].x

    def _first_x(self) -> Vec3:
        z = self.axes[0].z
        return next((u for u in (X, Y, Z) if self.k.is_zero(u.dot(z))), None) or unit(self.k, Z.cross(z), ())

    def _tool_at_the_end(self) -> Pose:
        return self.tool if self.model.tool_body == self.parts[-1].body.name else self.parts[-1].frame


def frame(x: Vec3, z: Vec3, O: Vec3) -> Pose:
    """Returns the frame with origin O and these axes x and z."""
    return Pose(Rotation(x, z.cross(x), z).T, O)


def _axis(part: Placed, first: bool) -> Axis:
    """Returns the joint's axis; one along −z of the joint frame (the first one also of the base) is reversed."""
    sign = -1 if part.body.joint.axis == -Z or (first and part.axis == -Z) else 1
    return Axis(part.axis * sign, part.joint.p, part.body.joint.kind.is_prismatic, sign)


@record()
class Placed:
    """A body at q = 0 has the frame of its joint, the unit vector of the joint's axis, and its own frame."""

    body: Body
    joint: Pose
    axis: Vec3
    frame: Pose


def placed(model: Model, k: Constants) -> dict[str, Placed]:
    """Returns every body of a model at q = 0 by its name, parents first."""
    frames: dict[str, Pose] = {BASE: Pose.identity()}
    bodies: dict[str, Placed] = {}
    for body in model.bodies:
        joint = k.tidy(frames[body.joint.parent] @ k.pose(body.joint.placement))
        frames[body.name] = k.tidy(joint @ k.pose(body.joint.offset))
        axis = k.tidy(joint.R.apply(body.joint.axis.map(k.of)))
        bodies[body.name] = Placed(body, joint, axis, frames[body.name])
    return bodies
