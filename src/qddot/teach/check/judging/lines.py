"""Judges an answered L, K, P or M by the equations of motion that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.base.words.message import Listed, Message, say
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Sum
from qddot.teach.check.judging.entry_forms import EntryForms
from qddot.teach.check.judging.whole_quantities import WholeQuantities

LONGEST_EXCESS = 200  # the most letters of a formula within a sentence


class Consequence(NamedTuple):
    """A consequence names the joints whose equations a wrong quantity makes wrong, and the error of the first one.

    of: the quantity; joints: the coordinates whose equations are wrong; excess: the error in the first one's torque
    """

    of: str
    joints: tuple[str, ...]
    first: str
    excess: Sum

    def sentence(self) -> str:
        """Returns it as a sentence."""
        excess = Text().write(self.excess)
        slots = {"quantity": self.of, "first": self.first}
        said = Message("consequence", slots | ({"excess": excess} if len(excess) <= LONGEST_EXCESS else {}))
        others = Listed(name for name in self.joints if name != self.first)
        return str(say("consequence-for-others", consequence=said, others=others) if others else said)


def consequences(wholes: WholeQuantities, forms: EntryForms) -> Iterator[Consequence]:
    """Yields the consequences for the torques of each of L, K, P and M that is completely answered and wrong."""
    for name in ("L", "K", "P", "M") if wholes.eq.has_lagrangian else ():
        if name in wholes.wrong:
            excess = excess_torques(wholes, name)
            wrong = [k for k, value in enumerate(excess) if value]
            if wrong:
                joints = tuple(wholes.eq.velocities[k] for k in wrong)
                yield Consequence(name, joints, joints[0], forms.written(excess[wrong[0]]))


def excess_torques(wholes: WholeQuantities, name: str) -> list[Any]:
    """Returns the error of each joint's torque that Lagrange's equations give with an answered quantity."""
    exact = {part: WholeQuantities(wholes.eq, wholes.ring, {}, frozenset()).scalar(part) for part in ("K", "P")}
    right = exact["K"] - exact["P"]
    if name == "L":
        lagrangian = wholes.scalar("L")
    elif name == "K":
        lagrangian = wholes.scalar("K") - exact["P"]
    elif name == "P":
        lagrangian = exact["K"] - wholes.scalar("P")
    else:
        M, rates = wholes.matrix("M"), wholes.rates
        pairs = ((M[i][j] * a * b) for i, a in enumerate(rates) for j, b in enumerate(rates))
        lagrangian = sum(pairs, wholes.ring.zero) * Fraction(1, 2) - exact["P"]
    torques = wholes.lagrangian_torques(lagrangian - right)
    return [wholes.ring.zero if wholes.vanishes(torque) else wholes.ring.convert(torque) for torque in torques]
