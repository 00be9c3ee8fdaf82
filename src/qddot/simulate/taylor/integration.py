"""Runs a setup by Taylor series: compiled steps, between which torques change, keys are heard and events are judged."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from qddot.errors import SimulationError
from qddot.program.series import BLOWN_UP, COLUMNS, ENDED, GUARDED, RUNNING, SECONDS, STATUS, Stretch
from qddot.simulate import events
from qddot.simulate.accuracy import USUAL
from qddot.simulate.events import Stop
from qddot.simulate.setup import Setup
from qddot.simulate.taylor import step_size
from qddot.simulate.taylor.modes import Modes

PIECE = 0.1  # seconds of computing between checks of the keyboard and reports of progress
FIRST, MOST = 2_000, 10**9  # steps before the first of them, and between any two
CHATTERS = 0.5 + ENDED  # the status of an arm that no choice of modes lets move
MOST_TURNS, ROUND = 50, 1e-12
SINGULAR = 1e12  # condition of a mass matrix that leaves no digits of the accelerations


class Integration:
    """This is one run: the state of every arm, and a log of where it is."""

    def __init__(self, setup: Setup, kernels: Any, threads: int | None) -> None:
        self.setup, self.plant, self.kernels, self.threads = setup, setup.plant, kernels, threads or 1
        self.tolerance = setup.tolerance or USUAL["taylor"]
        self.integrator = kernels.taylor(step_size.order(self.tolerance.relative), setup.arms > 1)
        n, arms = self.plant.n, setup.arms
        self.state = setup.beginning
        self.of = of = kernels.expanded
        more = np.zeros((arms, of.modes.stop - self.plant.parameter_size))
        self.parameters = np.concatenate([setup.parameters, more], axis=1)
        self.modes = Modes(of, n, self.state, self.parameters) if of.judge else None
        self._turned: dict[int, tuple[float, int]] = {}
        self.times = setup.times
        self.records = np.full((arms, len(self.times), self.plant.state_size), np.nan)
        self.log = np.zeros((arms, COLUMNS))
        self.stops: list[Stop] = []
        self._budget = FIRST

    def integrated(self, progress: Callable[[float], None] | None) -> bool:
        """Runs every arm to the end, or to where it stops; returns whether no interrupt came before."""
        try:
            for begin, end in self._spans():
                self._drive(begin, end)
                self._span(end, progress)
        except KeyboardInterrupt:
            return False
        return True

    def _spans(self) -> list[tuple[float, float]]:
        """Returns the times between which the torque is smooth: from sample to sample of it."""
        end, torque = float(self.times[-1]), self.plant.torque
        knots = [float(t) for t in torque.times if 0 < t < end] if torque.kind == "samples" else []
        return list(zip([0.0, *knots], [*knots, end], strict=True))

    def _drive(self, begin: float, end: float) -> None:
        """Puts the torque between two samples into the parameters."""
        if self.plant.torque.kind != "samples":
            return
        first, last = self.plant.torque.columns(begin, np.array([begin, end]), 0.0)
        slope = (last - first) / (end - begin) if end > begin else 0 * first
        self.parameters[:, self.of.drive] = [begin, *first, *slope]

    def _span(self, end: float, progress: Callable[[float], None] | None) -> None:
        """Runs every arm to a time."""
        log, stretch = self.log, self.stretch(end)
        log[log[:, STATUS] == ENDED, STATUS] = RUNNING
        if self.modes and not self.stops and not log[:, SECONDS].any():
            self._chatter(np.flatnonzero(self.modes.begin()))
        while (log[:, STATUS] == RUNNING).any():
            begun = perf_counter()
            self.integrator.advance(stretch, self._budget, self.threads)
            self._judge()
            grown = self._budget * min(8.0, PIECE / max(perf_counter() - begun, 1e-9))
            self._budget = int(min(max(1.0, grown), MOST))
            if progress:
                done = np.where(log[:, STATUS] > ENDED, end, log[:, SECONDS])
                progress(float(done.mean()) / (float(self.times[-1]) or 1.0))

    def stretch(self, end: float) -> Stretch:
        """Returns what the integrator takes to run every arm to a time."""
        of = self.tolerance
        share = step_size.share(of.relative) * self.setup.shortened
        settings = np.array([share, of.absolute / of.relative, end])
        samples = int(np.searchsorted(self.times, end, side="right"))
        return Stretch(self.state, self.parameters, self.times, self.records, self.log, settings, samples)

    def _judge(self) -> None:
        """Changes the modes of arms whose step ended at a switch, and notes why others stopped, once."""
        if self.modes:
            switched = np.flatnonzero(self.log[:, STATUS] >= GUARDED + self.of.guards)
            if len(switched):
                guards = self.log[switched, STATUS].astype(int) - GUARDED - self.of.guards
                self.log[switched, STATUS] = RUNNING
                self._chatter(switched[self.modes.turn(switched, self.log[switched, SECONDS], guards)])
                self._chatter([arm for arm in switched if self._goes_round(int(arm))])
        known = {stop.arm for stop in self.stops}
        for arm in np.flatnonzero(self.log[:, STATUS] > ENDED):
            if arm not in known:
                self._stop(int(arm), self._reason(int(arm)))

    def _goes_round(self, arm: int) -> bool:
        """Returns whether an arm has been at switches many times without any time between."""
        t = float(self.log[arm, SECONDS])
        last, count = self._turned.get(arm, (-1.0, 0))
        count = count + 1 if t - last <= ROUND * max(1.0, t) else 0
        self._turned[arm] = (t, count)
        return count > MOST_TURNS

    def _chatter(self, arms: Any) -> None:
        self.log[arms, STATUS] = CHATTERS

    def _stop(self, arm: int, reason: str) -> None:
        n, t = self.plant.n, float(self.log[arm, SECONDS])
        q, qd = self.state[arm, :n].copy(), self.state[arm, n : 2 * n].copy()
        self.stops.append(Stop(arm, t, reason, q, qd))

    def _reason(self, arm: int) -> str:
        status = self.log[arm, STATUS]
        if status >= GUARDED:
            return f"it reached {events.names(self.plant)[int(status) - GUARDED]}"
        if status == CHATTERS:
            return "a sign, minimum or maximum turns back and forth without end: make it smooth, as tanh does"
        if self._is_singular(arm):
            return "its mass matrix is singular there: a joint moves nothing that has inertia"
        return "its state grew without bound" if status == BLOWN_UP else "its steps became too short to go on"

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


def integrated(
    setup: Setup, kernels: Any, threads: int | None, progress: Callable[[float], None] | None
) -> tuple[Any, list[Stop], bool, list[str]]:
    """Returns the states at the samples, (N, R, m), why arms stopped, whether the run is complete, and notes."""
    run = Integration(setup, kernels, threads)
    complete = run.integrated(progress)
    records = run.records if complete else run.interrupted()
    return records, run.stops, complete, []


def check(setup: Setup) -> None:
    """Raises SimulationError for what has no series: a law that is called."""
    torque = setup.plant.torque
    if torque.kind == "callback":
        raise SimulationError(
            f"method taylor expands the torque law, which cannot be traced: {torque.why}",
            expected="ordinary arithmetic of t, q and qd, with qddot.sin and the like",
            remedy='method="rk4" calls a law',
        )
