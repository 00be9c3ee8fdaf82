"""Runs a setup by a compiled adaptive method; it pauses where torques change and to handle Ctrl-C.

Steps end where signs, minima and maxima change, and where friction begins or ceases to hold a joint.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from qddot.algebra.program.status import BLOWN_UP, CROSSED, ENDED, GUARDED, RUNNING, STATUS, STEPS, STUCK
from qddot.algebra.program.stretch import BEYOND, COLUMNS, SAMPLE, SECONDS, Stretch
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.acting.changing import Changing
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.stepping import events
from qddot.motion.simulate.stepping.solver import PIECE, Solver
from qddot.motion.simulate.stepping.taylor.chain_modes import ChainModes
from qddot.motion.simulate.stepping.taylor.expanded import Expanded
from qddot.motion.simulate.stepping.taylor.modes import Modes
from qddot.motion.simulate.stepping.watched_loops import WatchedLoops

FIRST, MOST = 2_000, 10**9  # steps before the first pause, and at most between two pauses
LOOKED = 10_000  # steps that give the mean step
HOPELESS, HURRIED = 10**8, 10**6  # an arm that needs more steps is stopped, also in a comparison
SOON = 8  # steps of arms that are near a singular configuration, until their loops are looked at again
CHATTERS = 0.5 + ENDED  # the status of an arm for which no choice of modes is consistent
MOST_TURNS, ROUND = 50, 1e-12
MOMENT = 1e-4  # part of the run's step within which joints of a closed chain come to rest together
SINGULAR = 1e12  # condition number of a mass matrix at which the accelerations have no correct digit


class Integration(Solver):
    """Each arm takes its own steps: this has the state of all, the modes of their switches, and a log of progress."""

    def prepare(self) -> None:
        setup, of = self.setup, self.programs
        assert setup.tolerance
        self.tolerance = setup.tolerance
        self.state, self._changing = setup.beginning, Changing(self.plant)
        of_modes = of.modes.stop - of.held.start if of else 0
        more = np.zeros((setup.arms, self._changing.size + of_modes - self.plant.parameter_size))
        self.parameters = np.concatenate([setup.parameters, more], axis=1)
        self.times = np.zeros(1)
        self.records = self.state[:, None].copy()
        self.log = np.zeros((setup.arms, COLUMNS))
        self._loops = WatchedLoops(self) if self.plant.closed else None
        self._budget, self._looked = FIRST, self.log[:, [STEPS, SECONDS]]
        if self.plant.discrete_size:
            self._renew(0.0, np.arange(setup.arms))
        self.modes = self._modes_of(of) if of and of.judge else None
        self._turned: dict[int, tuple[float, int]] = {}

    @property
    def programs(self) -> Expanded | None:
        """Returns the programs in which modes are parameters; None where steps may cross all switches."""
        return self.kernels.expanded

    @property
    @abstractmethod
    def integrator(self) -> Integrator:
        """Returns the function that steps the arms."""

    @property
    @abstractmethod
    def settings(self) -> tuple[float, ...]:
        """Returns the method's settings for a stretch; the caller inserts its end as the third one."""

    @property
    def done(self) -> float:
        times = np.where(self.log[:, STATUS] > ENDED, self.times[-1], self.log[:, SECONDS])
        return float(times.mean()) / (self.setup.step * self.setup.steps or 1.0)

    def advance(self, until: int) -> Iterator[None]:
        start, end = float(self.times[0]), float(self.times[-1])
        for span in pairwise([start, *self.setup.knots(start, end), end]):
            self._changing.put(self.parameters, self.state, *span, self.setup.step)
            yield from self._span(*span)
            if self.plant.discrete_size:
                self._renew(span[1], np.flatnonzero(self.log[:, STATUS] == ENDED))

    def reached(self) -> Any:
        return self.furthest() if self.interrupted else self.records

    def make_room(self, sample: int) -> None:
        self.leave_empty(sample)
        self.log[:, SAMPLE] = 1  # the first sample is known: a step that fails leaves it

    def _renew(self, t: float, arms: Any) -> None:
        """Updates the discrete state of some arms: the torques of a sampled law, and the payloads."""
        plant, kernels, state = self.plant, self.kernels, self.state
        if not len(arms):
            return
        row, parameters = plant.row(t, self.setup.step), self.setup.parameters[arms]
        if plant.carried:
            state[arms] = kernels.switched(state[arms], row, parameters)
        if plant.drive.sampling and row[1]:  # a sample is due
            if plant.drive.caller:
                self.calls.sample(kernels, t, state, np.isin(np.arange(len(state)), arms))
            else:
                state[arms] = kernels.resampled(state[arms], row, parameters)
        for sample in np.flatnonzero(self.times == t):
            self.records[arms, sample] = state[arms]

    def _switch(self) -> None:
        """Picks up and releases payloads of arms whose step ended where a function switched."""
        if not self.plant.carried:
            return
        first, count, log = GUARDED + len(events.guards(self.plant)), self.plant.carried.size, self.log
        for arm in np.flatnonzero((log[:, STATUS] >= first) & (log[:, STATUS] < first + count)):
            row = self.plant.row(log[arm, SECONDS], self.setup.step)
            row[int(log[arm, STATUS]) - first - count] = 1.0
            self.state[arm] = self.kernels.switched(self.state[arm], row, self.setup.parameters[arm])
            self.parameters[arm, self._changing.discrete_places] = self.state[arm, self.plant.integrated_size :]
            log[arm, STATUS] = RUNNING
            self.resume(np.array([arm]))

    def _modes_of(self, of: Expanded) -> Modes:
        numbers = self.plant.at_rates.start, self.state, self.parameters
        if not (self.plant.closed and of.dry_joints):
            return Modes(of, *numbers)
        return ChainModes(of, *numbers, self._close, MOMENT * self.setup.step)

    def _close(self, arms: Any) -> None:
        """Closes the loops of some arms, by the rates of the independent coordinates."""
        moving, discrete = slice(self.plant.at_rates.stop), slice(self.plant.integrated_size, None)
        own = self.state[arms], self.parameters[arms, : self.plant.parameter_size]
        self.state[arms, moving] = self.kernels.closing(own[0][:, moving], own[0][:, discrete], own[1])

    def resume(self, arms: Any) -> None:
        """Examines some arms where the torques or forces on them have changed."""
        if self.modes:
            self.modes.resume(arms, self.log[arms, SECONDS])

    def _judge(self) -> None:
        """Changes the modes of arms whose step ended at a switch."""
        if not self.modes:
            return
        crossed = np.flatnonzero(self.log[:, STATUS] == CROSSED)
        if len(crossed):
            self.log[crossed, STATUS] = RUNNING
            self.modes.renew(crossed, self.log[crossed, SECONDS])
        first = GUARDED + self.modes.of.guards
        switched = np.flatnonzero(self.log[:, STATUS] >= first)
        if len(switched):
            guards = self.log[switched, STATUS].astype(int) - first
            self.log[switched, STATUS] = RUNNING
            self._chatter(switched[self.modes.turn(switched, self.log[switched, SECONDS], guards)])
            self._chatter([arm for arm in switched if self._goes_round(int(arm))])

    def _goes_round(self, arm: int) -> bool:
        """Returns whether an arm has met many switches while its time hardly advanced."""
        t = float(self.log[arm, SECONDS])
        last, count = self._turned.get(arm, (-1.0, 0))
        count = count + 1 if t - last <= ROUND * max(1.0, t) else 0
        self._turned[arm] = (t, count)
        return count > MOST_TURNS

    def _chatter(self, arms: Any) -> None:
        self.log[arms, STATUS] = CHATTERS

    def _span(self, start: float, end: float) -> Iterator[None]:
        """Runs every arm to a time; yields after each budget of steps."""
        status, stretch = self.log[:, STATUS], self.stretch(end)
        status[status == ENDED] = RUNNING
        if self.modes and not start:
            self._chatter(np.flatnonzero(self.modes.begin()))
        elif self.plant.discrete_size:
            self.resume(np.flatnonzero(status == RUNNING))
        while np.count_nonzero(status == RUNNING):
            clock = perf_counter()
            self.integrator.advance(stretch, self._budget, self.threads or 1)
            if np.count_nonzero(status == RUNNING):  # the budget was used up
                grown = self._budget * min(8.0, PIECE / max(perf_counter() - clock, 1e-9))
                self._budget = int(min(max(1.0, grown), MOST))
            self._switch()
            if self._loops and self._loops.look(end):
                self._budget = SOON
            self._judge()
            self._look()
            if np.count_nonzero(status > ENDED):
                self._note()
            yield

    def _look(self) -> None:
        """Stops arms whose steps have been so short for so long that they would never reach the end."""
        gone = self.log[:, [STEPS, SECONDS]] - self._looked
        due = gone[:, 0] >= LOOKED
        if not np.count_nonzero(due):
            return
        left = self.setup.step * self.setup.steps - self.log[:, SECONDS]
        most = HURRIED if self.setup.hurried else HOPELESS
        hopeless = due & (self.log[:, STATUS] == RUNNING) & (gone[:, 1] * most < left * gone[:, 0])
        self.log[hopeless, STATUS] = STUCK
        self._looked[due] = self.log[due][:, [STEPS, SECONDS]]

    def stretch(self, end: float) -> Stretch:
        """Returns the arguments with which the integrator runs every arm to a time."""
        first, second, *more = self.settings
        settings = np.array([first, second, end, *more])
        samples = int(np.searchsorted(self.times, end, side="right"))
        return Stretch(self.state, self.parameters, self.times, self.records, self.log, settings, samples)

    def _note(self) -> None:
        """Records why arms have stopped, once for each arm."""
        stopped = {stop.arm for stop in self.stops}
        for arm in map(int, np.flatnonzero(self.log[:, STATUS] > ENDED)):
            if arm not in stopped:
                t, beyond = self.log[arm, [SECONDS, BEYOND]]
                t = float(np.nextafter(t, 0.0) if beyond < 0 else t)  # so that all samples up to it exist
                self.stop(arm, t, self._cause(arm), self.state[arm])

    def _cause(self, arm: int) -> Cause:
        """Returns why an arm has stopped."""
        status, guards = self.log[arm, STATUS], events.guards(self.plant)
        if status == CHATTERS:
            return Cause("chattering")
        if status >= GUARDED + len(guards):
            return Cause("loops")
        if status >= GUARDED:
            return guards[int(status) - GUARDED]
        if self._is_singular(arm):
            return Cause("singular")
        if status == BLOWN_UP:
            return Cause("unbounded")
        return Cause("stuck", detail=self.setup.method.name)

    def _is_singular(self, arm: int) -> bool:
        n = self.plant.n
        q = np.broadcast_to(self.state[arm, self.plant.at_q], (n, self.plant.at_q.stop))
        with np.errstate(all="ignore"):
            discrete_state = self.state[arm, self.plant.integrated_size :]
            M = self.kernels.momenta(q, np.eye(n), discrete_state, self.setup.parameters[arm])
            return bool(np.isfinite(M).all() and not np.linalg.cond(M) < SINGULAR)
