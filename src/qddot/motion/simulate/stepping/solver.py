"""A Solver advances the arms of a run from sample to sample; its loop is the same for all methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from qddot.base.words.message import Message
from qddot.motion.simulate.runs.stops import Cause, Stop
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import Machine

PIECE = 0.1  # seconds of computing between checks of the keyboard and reports of progress
Progress: TypeAlias = Callable[[float], None]


class Solver(ABC):
    """A solver has the state of every arm, and the samples since those that were last written.

    Each method says how the arms advance in pieces, and what remains of them after an interrupt. The loop here reports
    progress, handles Ctrl-C and counts samples.
    sample: the last one that is reached; stops: why arms have stopped by now; interrupted: whether Ctrl-C ended the
    run; pace: samples per second of computing, recently measured; records: states, (N, R, m)
    pushed: the velocities without a motor along which the torque is not zero in some sample
    singular, opened: the first times at which the loops of arms were nearly singular, or open, by arm
    """

    def __init__(
        self,
        setup: Setup,
        kernels: Machine,
        calls: LawCalls,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.setup, self.plant, self.kernels, self.calls = setup, setup.plant, kernels, calls
        self.threads, self._progress = threads, progress
        self.sample, self.interrupted, self.pace = 0, False, 0.0
        self.stops: list[Stop] = []
        self.pushed: set[str] = set()
        self.singular: dict[int, float] = {}
        self.opened: dict[int, float] = {}
        self.records: Any = None
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Makes what the method needs of its own, before the first step."""

    @abstractmethod
    def make_room(self, sample: int) -> None:
        """Makes room in `records` for the states up to a sample, after the last known one."""

    @abstractmethod
    def advance(self, until: int) -> Iterator[None]:
        """Advances every arm to a sample; yields after each piece of computing."""

    @property
    @abstractmethod
    def done(self) -> float:
        """Returns the completed fraction of the run."""

    @abstractmethod
    def reached(self) -> Any:
        """Returns the records of the samples that are reached and notes the arms' stops, also after an interrupt."""

    @property
    def complete(self) -> bool:
        """Returns whether the run is at its end."""
        return self.sample == self.setup.records - 1 and not self.interrupted

    def until(self, sample: int) -> Any:
        """Returns the states from the last sample that is reached to another, both included, (N, R, m).

        There are fewer after a keyboard interrupt. An arm that has stopped keeps its last state, or has NaN.
        """
        first, start = self.sample, perf_counter()
        self.make_room(sample)
        try:
            for _ in self.advance(sample):
                if self._progress:
                    self._progress(self.done)
        except KeyboardInterrupt:
            self.interrupted = True
        self.records = self.reached()
        self.sample = first + self.records.shape[1] - 1
        self.pace = self.records.shape[1] / max(perf_counter() - start, 1e-9)
        return self.records

    def leave_empty(self, sample: int) -> None:
        """Makes room for the states after the last known one, up to a sample; they are NaN until an arm gets there."""
        last = self.records[:, -1]
        self.times = self.setup.times_from(self.sample, sample - self.sample + 1)
        self.records = np.full((self.setup.arms, len(self.times), self.plant.state_size), np.nan)
        self.records[:, 0] = last

    def furthest(self) -> Any:
        """Returns the samples of the arm that got furthest; the others stop where their samples end."""
        there = np.isfinite(self.records).all(2).sum(1)
        stopped = {stop.arm for stop in self.stops}
        for arm in np.flatnonzero(there < there.max()):
            last = there[arm] - 1
            if arm not in stopped:
                self.stop(int(arm), float(self.times[last]), Cause("interrupted"), self.records[arm, last])
        return self.records[:, : max(1, there.max())]

    def stop(self, arm: int, t: float, cause: Cause, state: Any) -> None:
        """Notes why an arm has stopped, and in which state."""
        q, qd = state[self.plant.at_q].copy(), state[self.plant.at_rates].copy()
        self.stops.append(Stop(arm, t, cause, q, qd))

    def bounds(self) -> dict[str, Any]:
        """Returns bounds of the samples by name, or nothing if the method computes none."""
        return {}

    def notes(self) -> list[Message]:
        """Returns notes that a user should read about the run."""
        return []
