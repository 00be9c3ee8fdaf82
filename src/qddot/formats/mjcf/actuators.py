"""Reads from MJCF which joints have motors: those on which its actuators act, directly or by a tendon of joints.

The actuators themselves are not read. One that acts on anything else, such as a site, may drive any joint, so that all
count as driven. Source: MuJoCo's XML reference, actuator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.robot.joint_tree import velocities_of_joints
from qddot.robot.model import Model
from qddot.robot.notes import note

ADHESION = "mjTRN_BODY"  # it holds a body in contact, and drives no joint
OF_JOINTS = ("mjTRN_JOINT", "mjTRN_JOINTINPARENT", "mjTRN_SO3")


def driven_joints(spec: Any, mujoco: Any) -> tuple[tuple[str, ...] | None, list[str]]:
    """Returns the names of the joints with motors, None if all count as driven, and a note of actuators on others.

    All joints of a file without actuators count as driven.
    """
    actuators = [each for each in spec.actuators if each.trntype.name != ADHESION]
    if not actuators:
        return None, []
    tendons = {tendon.name: tendon for tendon in spec.tendons}
    names, others = list[str](), list[str]()
    for actuator in actuators:
        joints = list(_joints(actuator, tendons, mujoco))
        names += joints
        others += [] if joints else [actuator.name or actuator.target]
    if not others:
        return tuple(dict.fromkeys(names)), []
    return None, [note("actuator-on-no-joint", name=repr(others[0]))]


def _joints(actuator: Any, tendons: dict[str, Any], mujoco: Any) -> Iterator[str]:
    """Yields the joints on which an actuator acts; none if it acts on anything else."""
    if actuator.trntype.name in OF_JOINTS:
        yield actuator.target
    elif actuator.trntype == mujoco.mjtTrn.mjTRN_TENDON and actuator.target in tendons:
        ways = list(tendons[actuator.target].path)
        if all(each.type == mujoco.mjtWrap.mjWRAP_JOINT for each in ways):
            yield from (each.target.name for each in ways)


def with_motors(model: Model, driven: tuple[str, ...] | None) -> Model:
    """Returns the model with motors in the joints of these names; those that relations hold still have none."""
    if driven is None:
        return model
    velocities = velocities_of_joints(model.bodies)
    return replace(model, driven=tuple(name for joint in driven for name in velocities.get(joint, ())))
