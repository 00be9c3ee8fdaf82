"""Defines the joint of a body that moves freely."""

from __future__ import annotations

from qddot.algebra.freedoms import FREE
from qddot.base.words.message import say
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joints.attitude import Attitude


class Free(Attitude):
    """A free joint has a place, too, and the twist (v, ω) along the body's axes; it feels all of the body's inertia."""

    types = (FREE,)
    letter = "F"
    is_free = True
    angular = (False, False, False, True, True, True)
    units = ("m", "m", "m", "", "", "", "")
    named = say("the-free-joint")
    allowed = (Viscous,)  # an armature on v would affect ω, too
