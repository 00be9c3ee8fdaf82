"""Defines a spring that pulls a joint's coordinate to its rest position."""

from __future__ import annotations

from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number, divided
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Spring(Effect):
    """A spring requires the torque k (q − q0); k in N·m/rad or N/m."""

    stiffness: Expression
    rest: Expression
    key: ClassVar[str] = "spring"
    part: ClassVar[str] = "springs"
    units: ClassVar[Units] = (("N m/rad", "rad"), ("N/m", "m"))
    uses: ClassVar[str] = "coordinate"
    incomplete: ClassVar[str] = "spring-without-stiffness"
    in_table: ClassVar[Message] = say("spring-in-table")
    because: ClassVar[Message] = say("why-spring")

    def torque(self, at: Motion) -> Number:
        return self.stiffness * (at.q - self.rest)

    def potential_energy(self, at: Motion) -> Number:
        stretch = at.q - self.rest
        return divided(self.stiffness * stretch * stretch, 2)  # type: ignore[no-any-return]
