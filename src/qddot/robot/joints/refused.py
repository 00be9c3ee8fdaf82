"""Refuses models with kinds of joints for which something is not made."""

from __future__ import annotations

from typing import Any

from qddot.base.errors import ModelError
from qddot.base.words.message import Listed, Words, say

OF_RATES = say("joints-of-rates")


def refuse_several(model: Any, what: Words, expected: Words = OF_RATES, remedy: Words = "") -> None:
    """Raises ModelError if a joint of the model has quasi-velocities, which `what` does not support yet."""
    for body in model.bodies:
        if body.joint.freedoms is not None:
            raise ModelError(
                "joint-has-quasi-velocities",
                where=model.name,
                joint=body.joint.kind.named,
                name=repr(body.name),
                what=what,
                expected=expected,
                remedy=remedy,
            )


def refuse_other_kinds(model: Any, what: Words, remedy: Words = "") -> None:
    """Raises ModelError if a joint that moves does not just turn about, or slide along, its axis."""
    refuse_several(model, what, remedy=remedy)
    for body in model.bodies:
        kind = body.joint.kind
        if kind.moves and not (kind.is_revolute or kind.is_prismatic):
            known = Listed(("revolute", "prismatic", "fixed"))
            raise ModelError(
                "joint-kind-unknown-there",
                where=model.name,
                type=body.joint.type,
                name=repr(body.name),
                what=what,
                known=known,
            )
