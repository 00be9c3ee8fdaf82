"""Defines a constant torque, as of a seal or a cable; with dry friction it is friction that differs by direction."""

from __future__ import annotations

from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Offset(Effect):
    """An offset requires the constant torque o; in N·m or N.

    Beside dry friction f, the friction is f + o in the positive direction and f − o in the negative one.
    """

    constant: Expression
    key: ClassVar[str] = "offset"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m",), ("N",))
    power: ClassVar[int | None] = 0
    account: ClassVar[str] = "offset"
    heat: ClassVar[str] = "constant torques"
    parameter: ClassVar[str] = "Fo"
    linear: ClassVar[str] = "constant"
    reflected: ClassVar[int] = 1
    in_table: ClassVar[Message] = say("offset-in-table")
    because: ClassVar[Message] = say("why-offset")
    lost: ClassVar[Message] = say("loss-of-offset")

    def torque(self, at: Motion) -> Number:
        return self.constant

    def loss(self, at: Motion) -> Number:
        return self.constant * at.qd
