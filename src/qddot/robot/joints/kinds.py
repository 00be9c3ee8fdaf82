"""Lists the kinds of joints in the order of messages; a new one is a file of this folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.robot.joints.ball import Ball
from qddot.robot.joints.fixed import Fixed
from qddot.robot.joints.follower import following
from qddot.robot.joints.free import Free
from qddot.robot.joints.kind import Kind
from qddot.robot.joints.prismatic import Prismatic
from qddot.robot.joints.revolute import Revolute
from qddot.robot.joints.rotor import Motor, Rotor, SlidingMotor

ROTOR = "rotor"  # the compound of a joint that spins a rotor, as in `robot/rotors.py`
KINDS: Mapping[str, Kind] = {
    name: kind for kind in (Revolute(), Prismatic(), Ball(), Free(), Fixed()) for name in kind.types
}
SPINNING, MOTORS = Rotor(), {True: Motor(), False: SlidingMotor()}


def kind_of(joint_type: str, follows: bool, part_of: str) -> Kind:
    """Returns the kind of a joint, by its type, whether it has a ratio, and the compound joint that it is part of."""
    kind = KINDS[joint_type]
    if part_of == ROTOR and not follows and (kind.is_revolute or kind.is_prismatic):
        return MOTORS[kind.is_revolute]
    if part_of == ROTOR and kind.is_revolute:
        return SPINNING
    return following(kind) if follows else kind
