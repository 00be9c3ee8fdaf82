"""The camera projects the scene; up is opposite to gravity, and a planar arm is seen along its normal."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from qddot.base.checked import real
from qddot.base.errors import QddotError, shortened
from qddot.base.words.message import say
from qddot.papers.draw.posed import PosedArm

IN_SPACE = (20.0, -55.0)  # elevation and azimuth in degrees
PERSPECTIVE = (*IN_SPACE, 3.0)  # seen from a distance of three extents of the picture
NEAREST = 1.5  # the least such distance
PARALLEL = 1e-6
Direction: TypeAlias = tuple[float, ...]  # two or three numbers


class Camera:
    """A camera has axes: right, up, and towards the eye; `flat`: it looks along the normal of the plane of motion.

    direction: (elevation, azimuth) in degrees, or None for a direction that suits the arm; a third number is the
    distance of the eye, in extents of the picture, from which the scene is seen in perspective, else in parallel
    middle, size: of the scene, and its extent [m]
    raises QddotError: a direction that is not two or three numbers, or an eye that is too near
    """

    def __init__(self, arm: PosedArm, direction: Direction | None, middle: Any, size: float) -> None:
        if direction is not None:
            _check(direction)
        self.perspective = direction is not None and len(direction) == 3
        normal = None if direction is not None else plane_of_motion(arm)
        self.flat = normal is not None
        self.axes = (
            _across(normal, arm.gravity) if normal is not None else _from((direction or IN_SPACE)[:2], arm.gravity)
        )
        self._middle = self.coordinates(middle)
        self._eye = self._middle + np.array([0, 0, size * direction[2] if direction and self.perspective else np.inf])

    def coordinates(self, points: Any) -> Any:
        """Returns points or directions of the base frame in the camera's axes, (…, 3); the last is towards the eye."""
        return points @ self.axes.T

    def seen(self, points: Any) -> Any:
        """Returns where points of the base frame are in the picture, (…, 2)."""
        return self.projected(self.coordinates(points))

    def projected(self, points: Any) -> Any:
        """Returns where points in the camera's axes are in the picture, (…, 2)."""
        if not self.perspective:
            return points[..., :2]
        far = (self._eye - self._middle)[2]
        away = np.maximum(self._eye[2] - points[..., 2:], far / NEAREST / 2)  # nothing is behind the eye
        return self._middle[:2] + far / away * (points[..., :2] - self._middle[:2])

    def towards_eye(self, points: Any) -> Any:
        """Returns vectors from points in the camera's axes to the eye, of any length."""
        return self._eye - points if self.perspective else np.array([0.0, 0.0, 1.0])


def _check(direction: Any) -> None:
    if not isinstance(direction, tuple | list) or len(direction) not in (2, 3):
        raise QddotError("camera-not-direction", direction=shortened(direction))
    for name, value in zip(("cameras-elevation", "cameras-azimuth"), direction, strict=False):
        real(value, say(name), of=say("in-degrees"))
    for distance in direction[2:]:
        real(distance, say("cameras-distance"), NEAREST, of=say("in-extents"))


def upright(gravity: Any) -> Any:
    """Returns the rotation that takes minus gravity to z; the identity without gravity."""
    strength = np.linalg.norm(gravity)
    if not strength:
        return np.eye(3)
    z = -gravity / strength
    least = np.eye(3)[int(np.argmin(np.abs(z)))] if abs(z[2]) < 0.999 else np.array([1.0, 0, 0])
    x = least - z * (least @ z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def plane_of_motion(arm: PosedArm) -> Any:
    """Returns the unit normal of the plane in which every point of the arm moves, or None.

    All joints turn about parallel axes or slide perpendicular to them. Such axes are parallel in every configuration.
    """
    links = arm.mechanism.links
    if any(link.kind.moves and not (link.kind.is_revolute or link.kind.is_prismatic) for link in links):
        return None
    turning = [arm.axes[0, link.index] for link in links if link.kind.is_revolute]
    sliding = [arm.axes[0, link.index] for link in links if link.kind.is_prismatic]
    if turning:
        normal = turning[0]
    elif len(sliding) > 1 and np.linalg.norm(np.cross(sliding[0], sliding[1])) > PARALLEL:
        normal = np.cross(sliding[0], sliding[1])
    else:
        up = upright(arm.gravity)[2]
        normal = np.cross(sliding[0], up)
        normal = normal if np.linalg.norm(normal) > PARALLEL else np.cross(sliding[0], upright(arm.gravity)[0])
    normal = normal / np.linalg.norm(normal)
    along = all(np.linalg.norm(np.cross(axis, normal)) < PARALLEL for axis in turning)
    across = all(abs(axis @ normal) < PARALLEL for axis in sliding)
    return normal if along and across else None


def _across(normal: Any, gravity: Any) -> Any:
    """Returns the camera's axes for a view along a normal: positive turns appear counterclockwise."""
    for direction in (-gravity, np.array([0.0, 1, 0]), np.array([0.0, 0, 1])):
        up = direction - normal * (normal @ direction)
        if np.linalg.norm(up) > 1e-3 * max(float(np.linalg.norm(direction)), 1e-300):
            break
    up = up / np.linalg.norm(up)
    return np.array([np.cross(up, normal), up, normal])


def _from(direction: Direction, gravity: Any) -> Any:
    """Returns the camera's axes for an elevation above the horizon and an azimuth about the vertical."""
    (ce, se), (ca, sa) = ((np.cos(a), np.sin(a)) for a in np.radians(direction))
    towards, right = np.array([ce * ca, ce * sa, se]), np.array([-sa, ca, 0.0])
    return np.array([right, np.cross(towards, right), towards]) @ upright(gravity)
