"""Defines rolling: a wheel touches another link at a point where it does not slip.

Its conditions are on velocities, A(q) q̇ = 0, and in general no function of q has A as its derivative. Source: Neĭmark,
Fufaev, *Dynamics of Nonholonomic Systems*, 1972, ch. 3.
"""

from __future__ import annotations

from typing import Literal

from qddot.algebra.expressions.names import check_visible
from qddot.base.errors import ModelError, shortened
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.robot.bodies import BASE

Directions = Literal["xy", "x", "y"]
DIRECTIONS = ("xy", "x", "y")


@record()
class Rolling:
    """The point of a wheel that touches the ground has the ground's velocity.

    wheel: name of the link that rolls; contact: of the link whose origin stays at the point of contact, with its z axis
    normal to the ground; ground: of the link on which the wheel rolls
    directions: axes of the contact's link along which the wheel does not slip; "y" describes a skate, which slides
        along x
    raises ModelError: the name is not a text, or the directions are unknown
    """

    name: str
    wheel: str
    contact: str
    ground: str = BASE
    directions: Directions = "xy"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ModelError("wheel-name-not-text", name=shortened(self.name))
        check_visible(self.name, say("name-of-wheel"))
        if self.directions not in DIRECTIONS:
            raise ModelError(
                "directions-unknown",
                where=f"rolling {self.name!r}",
                directions=shortened(self.directions),
                known=Listed(DIRECTIONS),
            )

    @property
    def axes(self) -> tuple[int, ...]:
        """Returns the axes of the contact's link along which the wheel does not slip."""
        return tuple("xy".index(letter) for letter in self.directions)
