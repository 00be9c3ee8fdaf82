"""The camera projects the scene in parallel; up is opposite to gravity, and a planar arm is seen along its normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.base.checked import real
from qddot.base.errors import QddotError, shortened
from qddot.papers.draw.posed import PosedArm

IN_SPACE = (20.0, -55.0)  # elevation and azimuth in degrees
PARALLEL = 1e-6


class Camera:
    """A camera has axes: right, up, and towards the eye; `flat`: it looks along the normal of the plane of motion.

    direction: (elevation, azimuth) in degrees, or None for a direction that suits the arm
    raises QddotError: a direction that is not two numbers
    """

    def __init__(self, arm: PosedArm, direction: tuple[float, float] | None = None) -> None:
        if direction is not None:
            _check(direction)
        normal = None if direction is not None else plane_of_motion(arm)
        self.flat = normal is not None
        self.axes = _across(normal, arm.gravity) if normal is not None else _from(direction or IN_SPACE, arm.gravity)

    def coordinates(self, points: Any) -> Any:
        """Returns points of the base frame in the camera's axes, (…, 3): x and y in the picture, and depth."""
        return points @ self.axes.T


def _check(direction: Any) -> None:
    if not isinstance(direction, tuple | list) or len(direction) != 2:
        raise QddotError(f"camera = {shortened(direction)}", expected="(elevation, azimuth) in degrees")
    for name, value in zip(("elevation", "azimuth"), direction, strict=True):
        real(value, f"camera's {name}", of="degrees")


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
    if any(link.several for link in links):
        return None
    turning = [arm.axes[0, link.index] for link in links if link.dof is not None and link.turns]
    sliding = [arm.axes[0, link.index] for link in links if link.dof is not None and not link.turns]
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


def _from(direction: tuple[float, float], gravity: Any) -> Any:
    """Returns the camera's axes for an elevation above the horizon and an azimuth about the vertical."""
    (ce, se), (ca, sa) = ((np.cos(a), np.sin(a)) for a in np.radians(direction))
    towards, right = np.array([ce * ca, ce * sa, se]), np.array([-sa, ca, 0.0])
    return np.array([right, np.cross(towards, right), towards]) @ upright(gravity)
