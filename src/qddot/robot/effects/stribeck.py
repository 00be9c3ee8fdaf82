"""Defines what dry friction has in excess at low rates, by which it breaks away with more than it slides with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.derivative import applied, inverse
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Stribeck(Effect):
    """The Stribeck effect requires the torque s e^{−(q̇/v)²} sgn q̇; s in N·m or N, v in rad/s or m/s.

    Beside dry friction f, s = F_s − f is the excess of the breakaway torque F_s over f; it may be negative down to −f.
    Source: Armstrong-Hélouvry, Dupont & Canudas de Wit, "A survey of models, analysis tools and compensation methods
    for the control of machines with friction", Automatica 30 (1994).
    """

    excess: Expression
    velocity: Expression
    key: ClassVar[str] = "stribeck"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m", "rad/s"), ("N", "m/s"))
    uses: ClassVar[str] = "sign"
    account: ClassVar[str] = "stribeck"
    heat: ClassVar[str] = "Stribeck friction"
    parameter: ClassVar[str] = "Fs"
    linear: ClassVar[str] = "excess"
    sticks: ClassVar[bool] = True
    positive: ClassVar[Mapping[str, Message]] = {"velocity": say("effect-stribeck-velocity")}
    incomplete: ClassVar[str] = "stribeck-without-excess"
    in_table: ClassVar[Message] = say("stribeck-in-table")
    because: ClassVar[Message] = say("why-stribeck")
    lost: ClassVar[Message] = say("loss-of-stribeck")

    def of_rate(self, rate: Expression) -> Expression:
        return applied("exp", -((rate * inverse(self.velocity)) ** 2))

    def torque(self, at: Motion) -> Number:
        return self.excess * (at.function * at.sign)

    def loss(self, at: Motion) -> Number:
        return self.excess * (at.function * (at.qd * at.sign))
