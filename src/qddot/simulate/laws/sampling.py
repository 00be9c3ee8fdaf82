"""A sampled controller computes its torques at fixed times, and holds them until the next ones arrive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.errors import SimulationError
from qddot.program.graph import Symbolic
from qddot.simulate.laws.elementary import rint

NEAR = 1e-6  # of a step: times this close are one time


@dataclass(frozen=True)
class Sampling:
    """A law is called every `period` seconds; its torques act `delay` seconds later, and until the next ones do.

    encoder: the smallest difference of a measured coordinate [rad or m], 0 for exact ones; quantum: that of a torque
    [N·m or N]. Before the first torque arrives there is none.
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
        """Returns how many torques are kept: the newest, and those on their way."""
        return self.behind + (2 if self.rest else 1)

    @property
    def row_size(self) -> int:
        """Returns how many numbers a row of time has: whether a sample is due at its end, and how old its torque is."""
        return 2 if self.rest else 1

    def columns(self, times: Any, h: float) -> Any:
        """Returns the numbers of rows for steps of h that begin at `times`, (…, row_size)."""
        near = NEAR * h
        due = np.mod(times + h + near, self.period) < 2 * near
        arrived = np.mod(times + near, self.period) >= self.rest
        return np.stack([due, arrived][: self.row_size], axis=-1).astype(float)

    def torque(self, kept: Sequence[Any], row: Sequence[Any], n: int) -> list[Any]:
        """Returns the torque that acts: the newest that has arrived, of those that are kept, newest first."""
        at = self.behind * n
        newest = list(kept[at : at + n])
        if not self.rest:
            return newest
        older, arrived = kept[at + n : at + 2 * n], row[1]
        return [arrived * new + (1 - arrived) * old for new, old in zip(newest, older, strict=True)]

    def after(self, kept: Sequence[Any], torque: Sequence[Any], n: int) -> list[Any]:
        """Returns what is kept once a new torque has been computed."""
        return [*(rounded(u, self.quantum) for u in torque), *kept[: (self.slots - 1) * n]]

    def measured(self, q: Any) -> Any:
        """Returns coordinates as the encoders give them."""
        return [rounded(x, self.encoder) for x in q]

    def __str__(self) -> str:
        parts = [f"every {self.period:g} s"]
        parts += [f"{self.delay:g} s late"] if self.delay else []
        parts += [f"from q in steps of {self.encoder:g}"] if self.encoder else []
        parts += [f"in steps of {self.quantum:g}"] if self.quantum else []
        return ", ".join(parts)


def rounded(x: Any, unit: float) -> Any:
    """Returns the nearest multiple of a unit; x itself where that is 0."""
    if not unit:
        return x
    units = x * (1 / unit)
    return (units.apply("rint") if isinstance(units, Symbolic) else rint(units)) * unit


def checked(period: float, step: float, delay: float, encoder: float, quantum: float) -> Sampling:
    """Returns the sampling of times that are whole numbers of steps. raises SimulationError: they are not"""
    for value, what in ((encoder, "encoder"), (quantum, "quantum"), (delay, "delay")):
        if value < 0:
            raise SimulationError(f"{what} = {value:g}", expected="0 or more")
    for value, what in ((period, "sample"), (delay, "delay")):
        count = round(value / step)
        if abs(value - count * step) > NEAR * step or (what == "sample" and not count):
            nearest = max(1, count) * step
            raise SimulationError(
                f"{what} = {value:g} s is no multiple of the step of {step:g} s",
                expected="a whole number of steps",
                remedy=f"{what}={nearest:.12g}, or a step that divides it",
            )
    return Sampling(period, delay, encoder, quantum)
