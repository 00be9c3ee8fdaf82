"""Defines dry friction, which opposes the motion whatever its rate, and may hold a joint at rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Coulomb(Effect):
    """Dry friction requires the torque f sgn q̇; f in N·m or N."""

    coefficient: Expression
    key: ClassVar[str] = "coulomb"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m",), ("N",))
    power: ClassVar[int | None] = 0
    uses: ClassVar[str] = "sign"
    account: ClassVar[str] = "coulomb"
    heat: ClassVar[str] = "Coulomb friction"
    parameter: ClassVar[str] = "Fc"
    linear: ClassVar[str] = "coefficient"
    usual: ClassVar[bool] = True
    sticks: ClassVar[bool] = True
    reflected: ClassVar[int] = 1
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}
    in_table: ClassVar[Message] = say("coulomb-in-table")
    because: ClassVar[Message] = say("why-coulomb")
    lost: ClassVar[Message] = say("loss-of-coulomb")

    def torque(self, at: Motion) -> Number:
        return self.coefficient * at.sign

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.sign)
