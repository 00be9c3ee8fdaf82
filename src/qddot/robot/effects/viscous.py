"""Defines viscous friction, which grows with the rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Viscous(Effect):
    """Viscous friction requires the torque c q̇; c in N·m·s/rad or N·s/m."""

    coefficient: Expression
    key: ClassVar[str] = "damping"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m s/rad",), ("N s/m",))
    power: ClassVar[int | None] = 1
    account: ClassVar[str] = "viscous"
    heat: ClassVar[str] = "viscous friction"
    parameter: ClassVar[str] = "Fv"
    linear: ClassVar[str] = "coefficient"
    usual: ClassVar[bool] = True
    reflected: ClassVar[int] = 2
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}
    in_table: ClassVar[Message] = say("damping-in-table")
    because: ClassVar[Message] = say("why-damping")
    lost: ClassVar[Message] = say("loss-of-viscous")

    def torque(self, at: Motion) -> Number:
        return self.coefficient * at.qd

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd)
