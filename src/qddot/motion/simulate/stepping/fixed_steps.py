"""Steps a setup by a compiled scheme, in stretches between which Ctrl-C is handled and samples can be written."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from qddot.algebra.program.recurrence import COLUMNS, UNSETTLED
from qddot.algebra.program.status import GUARDED, RUNNING, STATUS, STEPS
from qddot.base.words.message import Message, say
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping import events, mixing
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import Machine
from qddot.motion.simulate.stepping.solver import PIECE, Solver

OFTEN = 50  # steps after which the conditions of a chain that was opened near a configuration are mixed anew


class FixedStepSolver(Solver):
    """All steps have one size: this has the state of every arm, and a log of how its run ended."""

    def prepare(self) -> None:
        self._hook = self.calls.hook(self.kernels)
        self._state = _beginning(self.setup, self.kernels, self.calls)
        self._log, self._parameters = np.zeros((self.setup.arms, COLUMNS)), self.setup.parameters
        self._at, self._count = 0, 1

    @property
    def complete(self) -> bool:
        """Returns whether the run is at its end."""
        return self._at == self.setup.steps

    def make_room(self, sample: int) -> None:
        self.records = np.empty((self.setup.arms, sample - self.sample + 1, self.plant.state_size))
        self.records[:, 0] = self._state
        self.calls.note_from(self.sample, self.records.shape[1])

    @property
    def done(self) -> float:
        return self._at / self.setup.steps

    def advance(self, until: int) -> Iterator[None]:
        end = until * self.setup.record_every
        while self._at < end:
            start = perf_counter()
            self._piece(end)
            rate = self._count / max(perf_counter() - start, 1e-9)
            self._count = max(1, int(min(8.0 * self._count, PIECE * rate)))
            yield

    def reached(self) -> Any:
        self._note_stops()
        return self.records[:, : self._at // self.setup.record_every - self.sample + 1]

    def _piece(self, end: int) -> None:
        """Steps over whole intervals between samples, or over the rest of one."""
        setup, every, at, first = self.setup, self.setup.record_every, self._at, self.sample
        left, period = every - at % every, self.calls.every
        count = min(self._count, period - at % period) if period else self._count
        count = min(count, left) if count < every or left < every else min(count // every * every, end - at)
        count = self._mixed(count)
        rows = self.kernels.scheme.rows(setup.plant, (at + np.arange(count)) * setup.step, setup.step)
        records, state, log = self.records[:, at // every + 1 - first :], self._state, self._log
        stepper, before = self.kernels.stepper, (state.copy(), log.copy())
        try:
            stepper.advance(state, self._parameters, rows, records, log, min(every, count), self.threads, self._hook)
            self._at = at = at + count
        except KeyboardInterrupt:  # some arms may have taken steps that others have not
            state[:], log[:] = before
            raise
        self._count = count
        if period and at % period == 0:
            self.calls.sample(self.kernels, at * setup.step, state, log[:, STATUS] == RUNNING)
        if at % every == 0:
            self.records[:, at // every - first] = state

    def _mixed(self, count: int) -> int:
        """Renews the conditions of a chain that was opened near a configuration; returns for how many steps they do."""
        plant = self.plant
        if not plant.closed or not plant.closed.choice.near:
            return count
        at = self._state[:, plant.at_q], self._state[:, plant.integrated_size :]
        self._parameters = mixing.mixed(plant, self.kernels.conditions, *at, self.setup.parameters)
        return min(count, OFTEN)

    def _note_stops(self) -> None:
        """Notes where arms stopped: at the zero of a guard, or at the last finite state."""
        stopped = {stop.arm for stop in self.stops}
        for arm in map(int, np.flatnonzero(self._log[:, STATUS] != RUNNING)):
            if arm not in stopped:
                self._note_stop(arm)
        self.stops.sort(key=lambda stop: stop.arm)

    def _note_stop(self, arm: int) -> None:
        setup, kernels, plant, log = self.setup, self.kernels, self.setup.plant, self._log[arm]
        t, state, guard = log[STEPS] * setup.step, self._state[arm], int(log[STATUS]) - GUARDED
        late = log[UNSETTLED] == log[STEPS] + 1
        cause = Cause("unsettled" if late else "unbounded")
        if guard >= 0:
            # a law that is called in order cannot be called again: its last torque is kept
            before = None if self.calls.in_order else self._hook

            def after(length: float) -> tuple[Any, float]:
                rows = kernels.scheme.rows(plant, np.array([t]), length)[0]
                new, guards = kernels.stepper.trial(self._state[[arm]], self._parameters[[arm]], rows, before)
                return new[0], float(guards[0, guard])

            within, state = events.located(after, setup.step)
            t, cause = t + within, events.guards(plant)[guard]
        if kernels.in_momenta:
            state, q, p = state.copy(), state[plant.at_q], state[plant.at_rates]
            state[plant.at_rates] = kernels.velocities(q, p, state[plant.integrated_size :], setup.parameters[arm])
        self.stop(arm, float(t), cause, state)

    def notes(self) -> list[Message]:
        """Returns notes that a user should read about the run."""
        late = np.flatnonzero(self._log[:, UNSETTLED])
        if not len(late):
            return []
        arm = int(late[self._log[late, UNSETTLED].argmin()])
        t = self._log[arm, UNSETTLED] * self.setup.step
        return [say("note-of-unsettled-steps", count=len(late), t=f"{t:.6g}", arm=arm)]


def _beginning(setup: Setup, kernels: Machine, calls: LawCalls) -> Any:
    """Returns the state of each arm at t = 0, where a sampled law computes its first torque."""
    plant, state = setup.plant, setup.beginning
    if plant.drive.sampling and not plant.drive.caller:
        state = kernels.resampled(state, plant.row(0.0, setup.step), setup.parameters)
    if kernels.in_momenta:
        discrete_state = state[:, plant.integrated_size :]
        state[:, plant.at_rates] = kernels.momenta(setup.q0, setup.qd0, discrete_state, setup.parameters)
    if plant.drive.sampling and plant.drive.caller:
        calls.sample(kernels, 0.0, state, np.ones(setup.arms, bool))
    return state
