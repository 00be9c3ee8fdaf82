"""Defines friction that grows with the square root of the rate, between that of dry and of wet surfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.derivative import applied
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class SquareRoot(Effect):
    """Square root friction requires the torque c √|q̇| sgn q̇; c in N·m·(s/rad)^½ or N·(s/m)^½.

    Its slope c/(2 √|q̇|) is infinite at rest, so that derivatives with respect to the rate are no numbers there.
    """

    coefficient: Expression
    key: ClassVar[str] = "square_root"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m √(s/rad)",), ("N √(s/m)",))
    uses: ClassVar[str] = "sign"
    account: ClassVar[str] = "square_root"
    heat: ClassVar[str] = "square root friction"
    parameter: ClassVar[str] = "Fr"
    linear: ClassVar[str] = "coefficient"
    steep: ClassVar[bool] = True
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}
    in_table: ClassVar[Message] = say("square-root-in-table")
    because: ClassVar[Message] = say("why-square-root")
    lost: ClassVar[Message] = say("loss-of-square-root")

    def of_rate(self, rate: Expression) -> Expression:
        return applied("sqrt", applied("sqrt", rate**2))  # √|q̇| without a sign, whose slope is 0 at rest

    def torque(self, at: Motion) -> Number:
        return self.coefficient * (at.function * at.sign)

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.function * (at.qd * at.sign))
