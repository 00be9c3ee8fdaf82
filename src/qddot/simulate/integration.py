"""Runs a setup by a method with steps of its own: compiled, with pauses in which torques change and keys are heard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from qddot.compilers.integrators import Integrator
from qddot.program.stretch import BEYOND, BLOWN_UP, COLUMNS, ENDED, GUARDED, RUNNING, SECONDS, STATUS, Stretch
from qddot.simulate import events
from qddot.simulate.accuracy import USUAL
from qddot.simulate.events import Stop
from qddot.simulate.setup import Setup

PIECE = 0.1  # seconds of computing between checks of the keyboard and reports of progress
FIRST, MOST = 2_000, 10**9  # steps before the first of them, and between any two
SINGULAR = 1e12  # condition of a mass matrix that leaves no digits of the accelerations


class Integration(ABC):
    """This is one run: the state of every arm, and a log of where it is.

    drive: the places of the torque and the forces between two samples, among the parameters; size: of all of them
    """

    def __init__(self, setup: Setup, kernels: Any, threads: int | None, drive: slice, size: int) -> None:
        self.setup, self.plant, self.kernels, self.threads = setup, setup.plant, kernels, threads or 1
        self.tolerance = setup.tolerance or USUAL[setup.method]
        self.state, self.times, self.drive = setup.beginning, setup.times, drive
        more = np.zeros((setup.arms, size - self.plant.parameter_size))
        self.parameters = np.concatenate([setup.parameters, more], axis=1)
        self.records = np.full((setup.arms, len(self.times), self.plant.state_size), np.nan)
        self.records[:, 0] = self.state
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

    def integrated(self, progress: Callable[[float], None] | None) -> bool:
        """Runs every arm to the end, or to where it stops; returns whether no interrupt came before."""
        end = float(self.times[-1])
        knots = [0.0, *(float(t) for t in self.plant.knots if 0 < t < end), end]
        try:
            for span in pairwise(knots):
                self._drive(*span)
                self._span(span[1], progress)
        except KeyboardInterrupt:
            return False
        return True

    def _drive(self, begin: float, end: float) -> None:
        """Puts torques and forces between two samples into the parameters."""
        if not self.plant.row_size:
            return
        at = np.array([begin, end])
        first, last = self.plant.columns(at, at, 0.0)
        slope = (last - first) / (end - begin) if end > begin else 0 * first
        self.parameters[:, self.drive] = [begin, *first, *slope]

    def _span(self, end: float, progress: Callable[[float], None] | None) -> None:
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
            if progress:
                done = np.where(log[:, STATUS] > ENDED, end, log[:, SECONDS])
                progress(float(done.mean()) / (float(self.times[-1]) or 1.0))

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

    def interrupted(self) -> Any:
        """Returns the samples that the longest arm has; the others stop where theirs end."""
        there = np.isfinite(self.records).all(2).sum(1)
        known, n = {stop.arm for stop in self.stops}, self.plant.n
        for arm in np.flatnonzero(there < there.max()):
            if arm not in known:
                last = there[arm] - 1
                q, qd = self.records[arm, last, :n].copy(), self.records[arm, last, n : 2 * n].copy()
                self.stops.append(Stop(int(arm), float(self.times[last]), "the run was interrupted", q, qd))
        return self.records[:, : max(1, there.max())]


def integrated(run: Integration, progress: Callable[[float], None] | None) -> tuple[Any, list[Stop], bool, list[str]]:
    """Returns the states at the samples, (N, R, m), why arms stopped, whether the run is complete, and notes."""
    complete = run.integrated(progress)
    records = run.records if complete else run.interrupted()
    return records, run.stops, complete, []
