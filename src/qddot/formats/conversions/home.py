"""Finds where the bodies and joint axes of an arm are at q = 0, in the base frame and in normal form."""

from __future__ import annotations

from dataclasses import dataclass

from qddot.algebra.spatial import Pose, Vec3
from qddot.formats.conversions.geometry import Constants
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model


@dataclass(frozen=True)
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
