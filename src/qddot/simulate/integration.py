"""Runs a setup by a method with steps of its own: compiled, with pauses in which torques change and keys are heard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from qddot.compilers.integrators import Integrator
from qddot.program.stretch import BEYOND, BLOWN_UP, COLUMNS, ENDED, GUARDED, RUNNING, SAMPLE, SECONDS, STATUS, Stretch
from qddot.simulate import events
from qddot.simulate.accuracy import USUAL
from qddot.simulate.events import Stop
from qddot.simulate.setup import Setup

PIECE = 0.1  # seconds of computing between checks of the keyboard and reports of progress
FIRST, MOST = 2_000, 10**9  # steps before the first of them, and between any two
SINGULAR = 1e12  # condition of a mass matrix that leaves no digits of the accelerations
Progress: TypeAlias = Callable[[float], None]


class Integration(ABC):
    """This is one run: the state of every arm, and a log of where it is.

    drive: the places of the torque and the forces between two samples, among the parameters; size: of all of them
    sample: the last one that is reached; stops, interrupted, pace: as in `FixedSteps`
    """

    def __init__(
        self, setup: Setup, kernels: Any, threads: int | None, progress: Progress | None, drive: slice, size: int
    ) -> None:
        self.setup, self.plant, self.kernels, self.threads = setup, setup.plant, kernels, threads or 1
        self.tolerance = setup.tolerance or USUAL[setup.method]
        self.state, self.drive, self._progress = setup.beginning, drive, progress
        more = np.zeros((setup.arms, size - self.plant.parameter_size))
        self.parameters = np.concatenate([setup.parameters, more], axis=1)
        self.sample, self.interrupted, self.pace = 0, False, 0.0
        self.times = setup.times_from(0, 1)
        self.records = self.state[:, None].copy()
        self.log = np.zeros((setup.arms, COLUMNS))
        self.stops: list[Stop] = []
        self._budget = FIRST

    @property
    @abstractmethod
    def integrator(self) -> Integrator:
        """Returns what steps the arms."""

    @property
    @abstractmethod
    def settings(self) -> tuple[float, ...]:
        """Returns the numbers of the method for a stretch; the third one, the end, is put in."""

    @abstractmethod
    def begin(self) -> None:
        """Judges the arms before the first step."""

    @abstractmethod
    def judge(self) -> None:
        """Judges arms whose steps ended where they do not stop."""

    @property
    def complete(self) -> bool:
        """Returns whether the run is at its end."""
        return self.sample == self.setup.records - 1 and not self.interrupted

    def until(self, sample: int) -> Any:
        """Returns the states from the last sample that is reached to another, both included, (N, R, m).

        Every arm ends a step there. There are fewer samples after a keyboard interrupt.
        """
        first, begun = self.sample, perf_counter()
        self.make_room(sample)
        start, end = float(self.times[0]), float(self.times[-1])
        knots = [start, *(float(t) for t in self.plant.knots if start < t < end), end]
        try:
            for span in pairwise(knots):
                self._drive(*span)
                self._span(span[1])
        except KeyboardInterrupt:
            self.interrupted = True
            self.records = self._interrupted()
        self.sample = first + self.records.shape[1] - 1
        self.pace = self.records.shape[1] / max(perf_counter() - begun, 1e-9)
        return self.records

    def make_room(self, sample: int) -> None:
        """Makes room for the states up to a sample, which the next stretch fills, behind the last one that is known."""
        first, last = self.sample, self.records[:, -1]
        self.times = self.setup.times_from(first, sample - first + 1)
        self.records = np.full((self.setup.arms, len(self.times), self.plant.state_size), np.nan)
        self.records[:, 0] = last
        if first:
            self.log[:, SAMPLE] = 1

    def notes(self) -> list[str]:
        """Returns no notes: what is wrong stops an arm."""
        return []

    def _drive(self, begin: float, end: float) -> None:
        """Puts torques and forces between two samples into the parameters."""
        if not self.plant.row_size:
            return
        at = np.array([begin, end])
        first, last = self.plant.columns(at, at, 0.0)
        slope = (last - first) / (end - begin) if end > begin else 0 * first
        self.parameters[:, self.drive] = [begin, *first, *slope]

    def _span(self, end: float) -> None:
        """Runs every arm to a time."""
        log, stretch = self.log, self.stretch(end)
        log[log[:, STATUS] == ENDED, STATUS] = RUNNING
        if not self.stops and not log[:, SECONDS].any():
            self.begin()
        while (log[:, STATUS] == RUNNING).any():
            begun = perf_counter()
            self.integrator.advance(stretch, self._budget, self.threads)
            self.judge()
            self._note()
            grown = self._budget * min(8.0, PIECE / max(perf_counter() - begun, 1e-9))
            self._budget = int(min(max(1.0, grown), MOST))
            if self._progress:
                done = np.where(log[:, STATUS] > ENDED, end, log[:, SECONDS])
                self._progress(float(done.mean()) / (self.setup.step * self.setup.steps or 1.0))

    def stretch(self, end: float) -> Stretch:
        """Returns what the integrator takes to run every arm to a time."""
        first, second, *more = self.settings
        settings = np.array([first, second, end, *more])
        samples = int(np.searchsorted(self.times, end, side="right"))
        return Stretch(self.state, self.parameters, self.times, self.records, self.log, settings, samples)

    def _note(self) -> None:
        """Notes why arms have stopped, once."""
        known = {stop.arm for stop in self.stops}
        for arm in np.flatnonzero(self.log[:, STATUS] > ENDED):
            if arm not in known:
                self._stop(int(arm), self.reason(int(arm)))

    def _stop(self, arm: int, reason: str) -> None:
        n, (t, beyond) = self.plant.n, self.log[arm, [SECONDS, BEYOND]]
        t = float(np.nextafter(t, 0.0) if beyond < 0 else t)  # so that all samples up to it are there
        q, qd = self.state[arm, :n].copy(), self.state[arm, n : 2 * n].copy()
        self.stops.append(Stop(arm, t, reason, q, qd))

    def reason(self, arm: int) -> str:
        """Returns why an arm has stopped."""
        status = self.log[arm, STATUS]
        if status >= GUARDED:
            return f"it reached {events.names(self.plant)[int(status) - GUARDED]}"
        if self._is_singular(arm):
            return "its mass matrix is singular there: a joint moves nothing that has inertia"
        if status == BLOWN_UP:
            return "its state grew without bound"
        return f"{self.setup.method} gave up: its steps became too short to go on"

    def _is_singular(self, arm: int) -> bool:
        n = self.plant.n
        q = np.broadcast_to(self.state[arm, :n], (n, n))
        with np.errstate(all="ignore"):
            M = self.kernels.momenta(q, np.eye(n), self.setup.parameters[arm])
            return bool(np.isfinite(M).all() and not np.linalg.cond(M) < SINGULAR)

    def _interrupted(self) -> Any:
        """Returns the samples that the longest arm has; the others stop where theirs end."""
        there = np.isfinite(self.records).all(2).sum(1)
        known, n = {stop.arm for stop in self.stops}, self.plant.n
        for arm in np.flatnonzero(there < there.max()):
            if arm not in known:
                last = there[arm] - 1
                q, qd = self.records[arm, last, :n].copy(), self.records[arm, last, n : 2 * n].copy()
                self.stops.append(Stop(int(arm), float(self.times[last]), "the run was interrupted", q, qd))
        return self.records[:, : max(1, there.max())]
