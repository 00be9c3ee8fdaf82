"""A sampled controller computes its torques at fixed times, and holds them until the next ones arrive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from qddot.algebra.program.graph import Symbolic
from qddot.base.checked import real
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.motion.simulate.laws.elementary import rint
from qddot.motion.simulate.laws.law import Law, Made

NEAR = 1e-6  # of a step: times closer than this are the same


@record()
class Sampling:
    """A law is called every `period` seconds; its torques act `delay` seconds later, and until the next ones do.

    encoder: the smallest difference of a measured coordinate [rad or m], 0 for exact ones; quantum: that of a torque
    [N·m or N]. Before the first torque arrives the torque is zero.
    """

    period: float
    delay: float = 0.0
    encoder: float = 0.0
    quantum: float = 0.0

    @property
    def behind(self) -> int:
        """Returns how many whole periods a torque is delayed."""
        return math.floor(self.delay / self.period + NEAR)

    @property
    def rest(self) -> float:
        """Returns the part of the delay beyond whole periods [s], 0 where there is none."""
        rest = self.delay - self.behind * self.period
        return rest if rest > NEAR * self.period else 0.0

    @property
    def slots(self) -> int:
        """Returns how many torques are stored: the one that acts, and those that are still delayed."""
        return self.behind + (2 if self.rest else 1)

    @property
    def row_size(self) -> int:
        """Returns how many numbers the law adds to a row of time.

        They are whether a sample is due at the end of the step and, if the delay is not a whole number of periods,
        whether the newest torque has arrived.
        """
        return 2 if self.rest else 1

    def times(self, start: float, end: float) -> Any:
        """Returns the times between two others at which a torque is computed, or arrives."""
        computed = np.arange(math.floor(start / self.period), math.ceil(end / self.period) + 1) * self.period
        return np.concatenate([computed, computed + self.rest])

    def columns(self, times: Any, h: float) -> Any:
        """Returns this law's part of the rows of time for steps of h that begin at `times`, (…, row_size)."""
        near = NEAR * h
        due = np.mod(times + h + near, self.period) < 2 * near
        arrived = np.mod(times + near, self.period) >= self.rest
        return np.stack([due, arrived][: self.row_size], axis=-1).astype(float)

    def torque(self, torques: Sequence[Any], row: Sequence[Any], n: int) -> list[Any]:
        """Returns the torque that acts: the newest that has arrived; torques: the stored ones, from new to old."""
        at = self.behind * n
        newest = list(torques[at : at + n])
        if not self.rest:
            return newest
        older, arrived = torques[at + n : at + 2 * n], row[1]
        return [arrived * new + (1 - arrived) * old for new, old in zip(newest, older, strict=True)]

    def after(self, torques: Sequence[Any], torque: Sequence[Any], n: int) -> list[Any]:
        """Returns the stored torques after a new one has been computed."""
        return [*(rounded(u, self.quantum) for u in torque), *torques[: (self.slots - 1) * n]]

    def measured(self, q: Any) -> Any:
        """Returns coordinates as the encoders give them."""
        return [rounded(x, self.encoder) for x in q]

    @property
    def told(self) -> list[Message]:
        """When torques are computed, how late they act, and how coarse the coordinates and the torques are."""
        numbers = {"sampled-every": self.period, "sampled-late": self.delay}
        numbers |= {"sampled-steps-of-q": self.encoder, "sampled-steps-of-torque": self.quantum}
        return [say(key, value=f"{value:g}") for key, value in numbers.items() if value]


def rounded(x: Any, unit: float) -> Any:
    """Returns the nearest multiple of a unit, or x itself if the unit is 0."""
    if not unit:
        return x
    units = x * (1 / unit)
    return (units.apply("rint") if isinstance(units, Symbolic) else rint(units)) * unit


@record(eq=False)
class Sampled:
    """This law is computed at fixed times, like a controller on a computer."""

    law: Law | Made
    sampling: Sampling


def sampled(law: Law | Made, every: float, delay: float = 0.0, encoder: float = 0.0, quantum: float = 0.0) -> Sampled:
    """Returns the law of a sampled controller, which computes torques every so many seconds and holds them in between.

    delay: the time until they act [s]; encoder: the smallest difference of a measured coordinate [rad or m];
    quantum: that of a torque [N·m or N]
    raises SimulationError: not a law, or impossible numbers; in a run, `every` or `delay` is not a multiple of its step
    """
    if not (callable(law) or isinstance(law, Made)):
        raise SimulationError("sampling-of-no-law", law=shortened(law))
    period = real(
        every, say("of-a-sampled-law", name="every"), 0, above=True, of=say("in-seconds"), error=SimulationError
    )
    numbers = {"delay": delay, "encoder": encoder, "quantum": quantum}
    others = (
        real(value, say("of-a-sampled-law", name=name), 0, error=SimulationError) for name, value in numbers.items()
    )
    return Sampled(law, Sampling(period, *others))


def check_clock(sampling: Sampling, step: float) -> None:
    """Raises SimulationError for times that are not whole numbers of steps."""
    for value, what in ((sampling.period, "every"), (sampling.delay, "delay")):
        count = round(value / step)
        if abs(value - count * step) > NEAR * step or (what == "every" and not count):
            nearest = max(1, count) * step
            raise SimulationError(
                "sampling-between-steps", what=what, value=f"{value:g}", step=f"{step:g}", nearest=f"{nearest:.12g}"
            )
