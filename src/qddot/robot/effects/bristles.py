"""Defines bristles, by whose bending dry friction has a state: the model of LuGre."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Units


@record(slots=True)
class Bristles(Effect):
    """Bristles bend by z before dry friction slides: ż = q̇ − k |q̇| z/g(q̇), and its torque is k z + b ż.

    k in N·m/rad or N/m, b in N·m·s/rad or N·s/m; g = f + s e^{−(q̇/v)²} is the joint's dry friction, to which the torque
    tends in steady motion. So functions of (q, q̇, q̈) have steady friction, and simulations have z, which begins at 0.
    The energy of bending is ½ k z². With viscous friction c, the model is passive if s ≤ 0 or c f ≥ b s.
    Source: Canudas de Wit, Olsson, Åström & Lischinsky, "A new model for control of systems with friction", IEEE TAC 40
    (1995).
    """

    stiffness: Expression
    damping: Expression
    key: ClassVar[str] = "bristles"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m/rad", "N m s/rad"), ("N/m", "N s/m"))
    account: ClassVar[str] = "bristles"
    heat: ClassVar[str] = "friction of bristles"
    positive: ClassVar[Mapping[str, Message]] = {"stiffness": say("effect-bristles")}
    not_negative: ClassVar[Mapping[str, Message]] = {"damping": say("effect-bristles-damping")}
    incomplete: ClassVar[str] = "bristles-without-stiffness"
    in_table: ClassVar[Message] = say("bristles-in-table")
    because: ClassVar[Message] = say("why-bristles")
    lost: ClassVar[Message] = say("loss-of-bristles")
