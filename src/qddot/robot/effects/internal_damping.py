"""Defines the damping of an elastic joint, between the motor and the link that it drives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class InternalDamping(Effect):
    """Internal damping requires d δ̇ at the link and the opposite at its motor, with δ = q − θ as in `Elastic`.

    d in N·m·s/rad or N·s/m; motor: the coordinate θ of the motor
    """

    coefficient: Expression
    motor: str
    key: ClassVar[str] = "internal_damping"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m s/rad",), ("N s/m",))
    account: ClassVar[str] = "internal"
    heat: ClassVar[str] = "internal damping"
    parameter: ClassVar[str] = "Fi"
    linear: ClassVar[str] = "coefficient"
    second: ClassVar[str] = "motor"
    incomplete: ClassVar[str] = "damping-without-coefficient"
    not_negative: ClassVar[Mapping[str, Message]] = {"coefficient": say("effect-friction")}
    in_table: ClassVar[Message] = say("internal-damping-in-table")
    because: ClassVar[Message] = say("why-internal-damping")
    lost: ClassVar[Message] = say("loss-of-internal-damping")

    def torque(self, at: Motion) -> Number:
        return self.coefficient * at.qd

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd)
