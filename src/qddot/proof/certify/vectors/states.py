"""Chooses exact states: eighths for coordinates and rates, and unit quaternions with finite decimals."""

from __future__ import annotations

from fractions import Fraction

from qddot.base.records import record
from qddot.robot.model import Model

EIGHTHS = [Fraction(k, 8) for k in range(-20, 21) if k]
# (w, x, y, z), each of norm 1; none has a pitch of 90° or a yaw of 180°, where Drake's angles jump
QUATERNIONS = [
    [Fraction(part, 10) for part in parts] for parts in ((8, 6, 0, 0), (5, 5, 5, 5), (1, 3, -9, 3), (4, 2, 8, 4))
]


@record()
class State:
    """A state has q by the names of positions, and ν and its rate by the names of velocities."""

    q: dict[str, Fraction]
    qd: dict[str, Fraction]
    qdd: dict[str, Fraction]


def state(model: Model, number: int) -> State:
    """Returns one of the states of a model, by its number; it is the same on every machine."""
    q = {name: _eighth(k, 3 * number) for k, name in enumerate(model.positions)}
    for k, freedoms in enumerate(model.freedoms):
        q |= zip(freedoms.quaternion, QUATERNIONS[(number + k) % len(QUATERNIONS)], strict=True)
    rates, accelerations = (
        {name: _eighth(k, 3 * number + which) for k, name in enumerate(model.coordinates)} for which in (1, 2)
    )
    return State(q, rates, accelerations)


def _eighth(k: int, row: int) -> Fraction:
    return EIGHTHS[(7 * k + 11 * row + k * k * (row + 2)) % len(EIGHTHS)]
