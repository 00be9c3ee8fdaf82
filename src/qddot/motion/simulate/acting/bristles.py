"""Bends the bristles in the joints of a run: their states z, torques k z + b ż, energy and loss.

Where a joint has bristles, they take the place of its dry friction; see `qddot.robot.effects.bristles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from qddot.robot.bodies import Body
from qddot.robot.effects.bristles import Bristles
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.stribeck import Stribeck
from qddot.robot.model import Model

TAKEN = (Bristles, Coulomb, Stribeck)
ACCOUNT = Bristles.account  # of what they lose


class Bent(NamedTuple):
    """These are a joint's bristles and its dry friction; dof: its place among the velocities."""

    dof: int
    bristles: Bristles
    dry: tuple[Effect, ...]


def split(model: Model) -> tuple[Model, tuple[Bent, ...]]:
    """Returns the model without dry friction in joints with bristles, and these joints."""
    bent = list[Bent]()

    def smooth(body: Body) -> Body:
        own = body.joint.effects
        bristles = [effect for effect in own if isinstance(effect, Bristles)]
        if not bristles:
            return body
        dry = tuple(effect for effect in own if isinstance(effect, Coulomb | Stribeck))
        bent.append(Bent(model.coordinates.index(str(body.joint.coordinate)), bristles[0], dry))
        left = tuple(effect for effect in own if not isinstance(effect, TAKEN))
        return replace(body, joint=replace(body.joint, effects=left))

    bodies = tuple(map(smooth, model.bodies))
    return (replace(model, bodies=bodies), tuple(bent)) if bent else (model, ())


class Bending:
    """This is how bristles bend in a state: their rates ż, their torques, energy and loss, as nodes."""

    def __init__(self, traced: Any, bent: Sequence[Bent], z: Sequence[Any], qd: Sequence[Any]) -> None:
        self.rates, self.torques, self.energy, self.loss = list[Any](), [0] * len(qd), 0, 0
        for (dof, bristles, dry), bend in zip(bent, z, strict=True):
            k, b = (traced.evaluate(number) for number in bristles.numbers.values())
            rate = qd[dof]
            slip = k * (rate * rate.apply("sign")) * bend / self._friction(traced, dry, rate)
            bends = rate - slip
            torque = k * bend + b * bends
            self.rates.append(bends)
            self.torques[dof] = torque
            self.energy = self.energy + 0.5 * (k * bend * bend)
            self.loss = self.loss + torque * rate - k * bend * bends

    @staticmethod
    def _friction(traced: Any, dry: Sequence[Effect], rate: Any) -> Any:
        """Returns the dry friction g of a joint that moves at a rate."""
        total: Any = 0
        for effect in dry:
            size = traced.evaluate(getattr(effect, effect.linear))
            if isinstance(effect, Stribeck):
                part = rate / traced.evaluate(effect.velocity)
                size = size * (-(part * part)).apply("exp")
            total = total + size
        return total
