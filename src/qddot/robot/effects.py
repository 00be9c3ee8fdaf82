"""Defines the effects in joints (friction, armature and springs) as frozen data whose numbers are expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.base.records import record
from qddot.base.words.message import Message, say


@record(slots=True)
class Effect:
    """An effect adds a torque or an inertia to one joint; `physics/effects.py` has its physics.

    uses: "coordinate" if the torque depends on q itself, "sign" if it depends on the sign of q̇, else ""
    not_negative: the fields that must not be negative, each with its name in messages
    """

    uses: ClassVar[str] = ""
    not_negative: ClassVar[Mapping[str, Message]] = {}

    def __post_init__(self) -> None:
        for entry in fields(self):
            object.__setattr__(self, entry.name, expression(getattr(self, entry.name)))


@record(slots=True)
class Viscous(Effect):
    """Viscous friction requires the torque c q̇; c in N·m·s/rad or N·s/m."""

    coefficient: Expression
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}


@record(slots=True)
class Coulomb(Effect):
    """Dry friction requires the torque f sgn q̇; f in N·m or N."""

    coefficient: Expression
    uses: ClassVar[str] = "sign"
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}


@record(slots=True)
class Armature(Effect):
    """Armature is the inertia J of rotor and gears at the joint; it adds J to M_ii and ½ J q̇² to K; in kg·m² or kg."""

    inertia: Expression
    not_negative: ClassVar[Mapping[str, Message]] = {"inertia": say("effect-armature")}


@record(slots=True)
class Spring(Effect):
    """A spring requires the torque k (q − q0); k in N·m/rad or N/m."""

    stiffness: Expression
    rest: Expression
    uses: ClassVar[str] = "coordinate"
