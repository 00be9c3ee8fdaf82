"""Defines friction that grows with the torque which a joint transmits, as in gears."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import MAGNITUDE, Applied, Expression
from qddot.algebra.expressions.names import load_name
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class LoadFriction(Effect):
    """Load-dependent friction requires the torque μ |L| sgn q̇, where L is the torque of the joint without friction.

    L = (M q̈ + h + G + springs)_i has the inertia of a rotor beside the joint, and external wrenches; μ has no unit.
    With 0 ≤ μ < 1 every torque has one acceleration: of u = τ − f, where f is the other friction,
    L = u/(1 + μ sgn q̇ sgn u) is left. With μ ≥ 1 a joint that is driven back has none, or two: it locks itself, as
    worm gears do. A gear has the efficiency 1/(1 + μ) while its motor drives, and 1 − μ while it is driven back.
    Source: Hamon, Gautier & Garrec, "Dynamic identification of robots with a dry friction model depending on load and
    velocity", IROS 2010.
    """

    share: Expression
    key: ClassVar[str] = "load"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("",), ("",))
    uses: ClassVar[str] = "sign"
    account: ClassVar[str] = "load"
    heat: ClassVar[str] = "load-dependent friction"
    parameter: ClassVar[str] = "Fl"
    linear: ClassVar[str] = "share"
    of_load: ClassVar[bool] = True
    sticks: ClassVar[bool] = True
    not_negative: ClassVar[Mapping[str, Message]] = {"share": say("effect-load")}
    below_one: ClassVar[Mapping[str, Message]] = {"share": say("effect-load")}
    in_table: ClassVar[Message] = say("load-in-table")
    because: ClassVar[Message] = say("why-load")
    lost: ClassVar[Message] = say("loss-of-load")

    def function(self, coordinate: str) -> Expression:
        return Expression.of(Applied(MAGNITUDE, Expression.of(load_name(coordinate))))

    def torque(self, at: Motion) -> Number:
        return self.share * (at.function * at.sign)

    def loss(self, at: Motion) -> Number:
        return self.share * (at.function * (at.qd * at.sign))
