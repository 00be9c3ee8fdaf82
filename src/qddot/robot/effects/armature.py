"""Defines the inertia of rotor and gears as the joint feels it, without gyroscopic coupling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number, divided
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Armature(Effect):
    """Armature is the inertia J of rotor and gears at the joint; it adds J to M_ii and ½ J q̇² to K; in kg·m² or kg."""

    inertia: Expression
    key: ClassVar[str] = "armature"
    part: ClassVar[str] = "armature"
    units: ClassVar[Units] = (("kg m²",), ("kg",))
    parameter: ClassVar[str] = "Ia"
    linear: ClassVar[str] = "inertia"
    usual: ClassVar[bool] = True
    reflected: ClassVar[int] = 2
    not_negative: ClassVar[Mapping[str, Message]] = {"inertia": say("effect-armature")}
    in_table: ClassVar[Message] = say("armature-in-table")
    because: ClassVar[Message] = say("why-armature")

    def torque(self, at: Motion) -> Number:
        return self.inertia * at.qdd

    def own_inertia(self) -> Number:
        return self.inertia

    def kinetic_energy(self, at: Motion) -> Number:
        return divided(self.inertia * at.qd * at.qd, 2)  # type: ignore[no-any-return]
