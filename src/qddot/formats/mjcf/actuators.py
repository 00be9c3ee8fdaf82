"""Reads from MJCF which joints have motors, how strong these are, and their inertia and damping.

An actuator acts on a joint directly, or by a fixed tendon of joints. One that acts on anything else, such as a site,
may drive any joint, so that all count as driven. Its force, which `forcerange` limits, or `ctrlrange` if the control is
the force, acts on a joint `gear` times; armature and damping act by the square. The laws of control are not read.
Source: MuJoCo's XML reference, actuator.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from qddot.algebra.expressions.parser import expression
from qddot.formats.mjcf.tendons import coefficients
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joint_tree import velocities_of_joints
from qddot.robot.model import Model
from qddot.robot.notes import note

ADHESION = "mjTRN_BODY"  # it holds a body in contact, and drives no joint
OF_JOINTS = ("mjTRN_JOINT", "mjTRN_JOINTINPARENT", "mjTRN_SO3")
OF_TENDON = "mjTRN_TENDON"
ONE_FREEDOM = ("mjJNT_HINGE", "mjJNT_SLIDE")
LIMITED, AUTOMATIC = 1, 2  # of mjtLimited
PLAIN = ("mjGAIN_FIXED", "mjBIAS_NONE")  # the control times a gain is the force
KEEPS_RANGE = ("mjDYN_NONE", "mjDYN_FILTER", "mjDYN_FILTEREXACT")


class Motors(NamedTuple):
    """These are the motors of a file.

    driven: the names of the joints with motors, None if all count as driven
    efforts: the largest torques or forces by the joints' names; effects: of the motors, likewise
    """

    driven: tuple[str, ...] | None = None
    efforts: Mapping[str, float] = {}
    effects: Mapping[str, tuple[Effect, ...]] = {}


def motors(spec: Any) -> tuple[Motors, list[str]]:
    """Returns the motors of a description, and notes; all joints of a file without actuators count as driven."""
    ways = [(each, _ways(each, spec)) for each in spec.actuators if each.trntype.name != ADHESION]
    if not ways:
        return Motors(), []
    effects = dict[str, tuple[Effect, ...]]()
    for actuator, way in ways:
        if acts_on_one(actuator, spec):
            ((joint, c),) = way.items()
            effects[joint] = (*effects.get(joint, ()), *_effects(actuator, c))
    unknown = [actuator.name or actuator.target for actuator, way in ways if not way]
    if unknown:
        return Motors(effects=effects), [note("actuator-on-no-joint", name=repr(unknown[0]))]
    driven = tuple(dict.fromkeys(joint for _, way in ways for joint in way))
    shared = [actuator for actuator, way in ways if len(way) > 1 and math.isfinite(_strongest(actuator, spec))]
    notes = [note("actuator-limit-unread", name=repr(each.name or each.target)) for each in shared]
    return Motors(driven, _efforts(ways, spec), effects), notes


def acts_on_one(actuator: Any, spec: Any) -> bool:
    """Returns whether an actuator acts on one hinge or slide alone, so that its inertia and damping are the joint's;
    damping that is a polynomial is not.
    """
    types = {joint.name: joint.type.name for joint in spec.joints}
    way = _ways(actuator, spec)
    return len(way) == 1 and all(types.get(name) in ONE_FREEDOM for name in way) and not any(_damping(actuator)[1:])


def _ways(actuator: Any, spec: Any) -> dict[str, float]:
    """Returns by the joints' names how far an actuator moves per unit of each; none if it acts on anything else."""
    gear = float(actuator.gear[0])
    if actuator.trntype.name in OF_JOINTS:
        return {actuator.target: gear}
    if actuator.trntype.name != OF_TENDON:
        return {}
    tendon = next((each for each in spec.tendons if each.name == actuator.target), None)
    return {name: gear * c for name, c in coefficients(tendon).items()} if tendon is not None else {}


def _effects(actuator: Any, c: float) -> Iterator[Effect]:
    square = expression(c) * expression(c)
    if J := float(getattr(actuator, "armature", 0.0)):
        yield Armature(square * expression(J))
    if d := float(_damping(actuator)[0]):
        yield Viscous(square * expression(d))


def _damping(actuator: Any) -> Any:
    """Returns the coefficients of the polynomial; versions of MuJoCo before 3.6 have none of actuators."""
    return getattr(actuator, "damping", (0.0,))


def _efforts(ways: Iterable[tuple[Any, Mapping[str, float]]], spec: Any) -> dict[str, float]:
    """Returns the largest torque or force of all actuators of each joint, where all act on it alone and are limited."""
    total = dict[str, float]()
    for actuator, way in ways:
        strongest = _strongest(actuator, spec) if len(way) == 1 else math.inf
        for joint, c in way.items():
            total[joint] = total.get(joint, 0.0) + (abs(c) * strongest if c else 0.0)
    return {joint: most for joint, most in total.items() if math.isfinite(most)}


def _strongest(actuator: Any, spec: Any) -> float:
    """Returns the largest force of an actuator: the larger end of its range, infinite if nothing limits it."""
    ends = [math.inf]
    if _is_limited(actuator.forcelimited, actuator.forcerange, spec):
        ends.append(max(map(abs, actuator.forcerange)))
    is_plain = (actuator.gaintype.name, actuator.biastype.name) == PLAIN and actuator.dyntype.name in KEEPS_RANGE
    if is_plain and _is_limited(actuator.ctrllimited, actuator.ctrlrange, spec):
        ends.append(abs(actuator.gainprm[0]) * max(map(abs, actuator.ctrlrange)))
    return float(min(ends))


def _is_limited(flag: Any, ends: Any, spec: Any) -> bool:
    return int(flag) == LIMITED or (int(flag) == AUTOMATIC and spec.compiler.autolimits and ends[0] < ends[1])


def with_motors(model: Model, driven: tuple[str, ...] | None, leaders: Mapping[str, tuple[str, ...]]) -> Model:
    """Returns the model with motors in the joints of these names; those that relations hold still have none.

    leaders: the names of the joints that a joint follows
    """
    if driven is None:
        return model
    velocities = velocities_of_joints(model.bodies)
    moved = [leader for joint in driven for leader in leaders.get(joint, (joint,))]
    return replace(model, driven=tuple(name for joint in moved for name in velocities.get(joint, ())))
