"""Puts an arm on a free base, and checks that its mass matrix is not singular."""

from __future__ import annotations

from typing import Any

from qddot.algebra.numbers.modular import Modular
from qddot.base.errors import ModelError
from qddot.base.words.message import Listed
from qddot.physics.algorithms.composite import mass_matrix
from qddot.physics.mechanism import Mechanism
from qddot.robot import changes
from qddot.robot.effects.acting import with_inertias
from qddot.robot.model import Model


def floating(model: Model, **base: Any) -> Model:
    """Returns the model on a free base. base: the arguments of `changes.freed` for the base's inertia

    raises ModelError: the base floats already, or has too little inertia, so that M is singular everywhere, although
        the arm's own is not
    """
    freed = changes.freed(model, **base)
    unfelt = _unfelt(freed)
    if len(unfelt) > len(_unfelt(model)):
        moved = [name for name, moves in zip(freed.coordinates, unfelt[0], strict=True) if moves]
        raise ModelError("motion-without-energy", where=freed.name, names=Listed(moved))
    return freed


def _unfelt(model: Model) -> list[Any]:
    """Returns a basis of the motions that have no kinetic energy anywhere, modulo a prime."""
    if not model.coordinates:
        return []
    numbers = Modular.of(model)
    mechanism = Mechanism.of(model, numbers)
    return list(numbers.null_space(with_inertias(mass_matrix(mechanism), mechanism.effects)))
