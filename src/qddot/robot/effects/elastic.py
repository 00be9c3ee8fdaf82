"""Defines the elasticity between a motor and the link that it drives, as that of harmonic gears, belts and long shafts.

The coordinate q of the link stands beside θ of its motor, which is counted behind the gear: a motor of the gear ratio n
turns by n θ. Both are equal where the joint is rigid.
Sources: Spong, "Modeling and control of elastic joint robots", J. Dyn. Syst. Meas. Control 109, 1987; De Luca & Book,
"Robots with flexible elements", in *Springer Handbook of Robotics*, 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number, divided
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Elastic(Effect):
    """An elastic joint requires k δ + c δ³ at the link and the opposite at its motor, with δ = q − θ.

    k in N·m/rad or N/m, c in N·m/rad³ or N/m³; motor: the coordinate θ of the motor
    """

    stiffness: Expression
    cubic: Expression
    motor: str
    key: ClassVar[str] = "elastic"
    part: ClassVar[str] = "springs"
    units: ClassVar[Units] = (("N m/rad", "N m/rad³"), ("N/m", "N/m³"))
    uses: ClassVar[str] = "coordinate"
    second: ClassVar[str] = "motor"
    incomplete: ClassVar[str] = "elastic-without-stiffness"
    not_negative: ClassVar[Mapping[str, Message]] = {
        "stiffness": say("effect-stiffness"),
        "cubic": say("effect-stiffness"),
    }
    in_table: ClassVar[Message] = say("elastic-in-table")
    because: ClassVar[Message] = say("why-elastic")

    def __post_init__(self) -> None:
        Effect.__post_init__(self)  # records with slots are new classes, which super() does not find
        if self.stiffness == 0 and self.cubic == 0:
            raise ModelError("elastic-without-stiffness")

    def torque(self, at: Motion) -> Number:
        return self.stiffness * at.q + self.cubic * (at.q * at.q * at.q)

    def potential_energy(self, at: Motion) -> Number:
        square = at.q * at.q
        return divided(self.stiffness * square, 2) + divided(self.cubic * square * square, 4)  # type: ignore[no-any-return]
