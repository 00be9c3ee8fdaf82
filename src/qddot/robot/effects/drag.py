"""Defines drag, friction that grows with the square of the rate, as that of air and of oil in gears."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Drag(Effect):
    """Drag requires the torque c q̇² sgn q̇; c in N·m·s²/rad² or N·s²/m²."""

    coefficient: Expression
    key: ClassVar[str] = "drag"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m s²/rad²",), ("N s²/m²",))
    power: ClassVar[int | None] = 2
    uses: ClassVar[str] = "sign"
    account: ClassVar[str] = "drag"
    heat: ClassVar[str] = "drag"
    parameter: ClassVar[str] = "Fd"
    linear: ClassVar[str] = "coefficient"
    reflected: ClassVar[int] = 3
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}
    in_table: ClassVar[Message] = say("drag-in-table")
    because: ClassVar[Message] = say("why-drag")
    lost: ClassVar[Message] = say("loss-of-drag")

    def torque(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd * at.sign)

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd * at.qd * at.sign)
