"""Defines the spherical joint, which turns in all directions."""

from __future__ import annotations

from qddot.algebra.freedoms import SPHERICAL
from qddot.algebra.spatial import Inertia, Pose, Vec3, unit_inertia
from qddot.base.words.message import say
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joints.attitude import Attitude
from qddot.robot.joints.kind import Split


class Ball(Attitude):
    """A spherical joint has ω along the body's axes; it does not feel a mass at its centre."""

    types = (SPHERICAL,)
    letter = "S"
    angular = (True, True, True)
    units = ("", "", "", "")
    named = say("the-spherical-joint")
    allowed = (Viscous, Armature)

    def split(self, axis: Vec3, body: Inertia) -> Split:
        return Inertia(0, body.h, body.I), Inertia(body.m, Vec3.zero(), Inertia.zero().I)

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        return [(unit_inertia(0), unit_inertia(0))]
