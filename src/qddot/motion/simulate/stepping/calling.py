"""Calls a torque law from Python during one run, in order of time; each arm has its own law."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.base.words.message import Message, say
from qddot.machine.compilers.fixed_steps import Hook
from qddot.motion.simulate.laws.law import called
from qddot.motion.simulate.setup import Setup


class LawCalls:
    """This calls the laws of one run.

    in_order: whether the law may only be called once in each state, in order of time
    every: the number of steps between calls of a sampled law, 0 where none is sampled
    """

    def __init__(self, setup: Setup) -> None:
        self._setup, self._drive = setup, setup.plant.drive
        caller, sampling = self._drive.caller, self._drive.sampling
        self._laws = caller.of_arms(setup.arms) if caller else []
        self.in_order = caller is not None and caller.in_order
        self.every = round(sampling.period / setup.step) if caller and sampling else 0
        self._notes_torques = self.in_order and not sampling
        self._latest = 0.0
        self._first, self._tau = 0, np.zeros((setup.arms, 0, setup.plant.n))

    def note_from(self, first: int, count: int) -> None:
        """Begins to record the torques at `count` samples, if the law has to be called in order of time."""
        if self._notes_torques:
            self._first, self._tau = first, np.full((self._setup.arms, count, self._drive.n), np.nan)

    def of(self, arm: int, t: float, q: Any, qd: Any, z: Any) -> Any:
        """Returns the torques of one arm, (n,), then the rates of the state that the law declares."""
        return called(self._laws[arm], self._drive.n, t, q, qd, z)

    def hook(self, kernels: Any) -> Hook | None:
        """Returns the function that a stepper calls before a stage: it puts the law's torques into the parameters."""
        if not self._drive.in_stages:
            return None
        setup, plant = self._setup, self._setup.plant
        places = plant.torque_places

        def before(stage: int, state: Any, inner: Any, row: Any, parameters: Any, waiting: Any) -> None:
            t, q, second, z = kernels.scheme.at_stage(plant, state, inner, row)
            if self.in_order and kernels.in_momenta:
                if stage:
                    return  # the iterations of one step share the torque at its beginning
                t, q, second = float(row[0]), state[:, plant.at_q], state[:, plant.at_rates]
            discrete_state = state[:, plant.integrated_size :]
            qd = kernels.velocities(q, second, discrete_state, parameters) if kernels.in_momenta else second
            if self.in_order:
                # a step's end and the next one's begin may differ in the last bit
                t = self._latest = max(t, self._latest)
            for arm in np.flatnonzero(waiting):
                parameters[arm, places] = self.of(int(arm), t, q[arm], qd[arm], z[arm])
            step, rest = divmod(round(t / setup.step), setup.record_every)
            if self._notes_torques and not stage and not rest:
                self._tau[waiting, step - self._first] = parameters[waiting, places][:, : plant.n]

        return before

    def sample(self, kernels: Any, t: float, state: Any, running: Any) -> None:
        """Puts the torques of a sampled law into the states of arms that run, and the law's own next state."""
        plant, drive = self._setup.plant, self._drive
        n, m, own = plant.n, plant.integrated_size, plant.memory_places
        qd = state[:, plant.at_rates]
        if kernels.in_momenta:
            qd = kernels.velocities(state[:, plant.at_q], qd, state[:, m:], self._setup.parameters)
        torque_places, end = slice(m, own.start), m + drive.discrete_size
        for arm in np.flatnonzero(running):
            z = state[arm, own]
            answer = self.of(int(arm), t, np.array(drive.measured(state[arm, plant.at_q])), qd[arm], z)
            state[arm, m:end] = drive.held((answer[:n], answer[n:]), state[arm, torque_places], z)

    def at_samples(self, times: Any, q: Any, qd: Any, z: Any, at_end: bool) -> Any:
        """Returns the torques at samples, (N, R, n): as recorded, or by calling the law again if that gives the same.

        at_end: whether the last sample is that of the run, where no step has called the law
        """
        arms, count, n = qd.shape
        if not self._notes_torques:
            steps = [(arm, k) for arm in range(arms) for k in range(count)]
            answers = [self.of(arm, float(times[k]), q[arm, k], qd[arm, k], z[arm, k])[:n] for arm, k in steps]
            return np.array(answers).reshape(qd.shape)
        if at_end:
            for arm in np.flatnonzero(np.isnan(self._tau[:, count - 1]).all(1) & np.isfinite(q[:, -1]).all(1)):
                last = self.of(int(arm), float(times[-1]), q[arm, -1], qd[arm, -1], z[arm, -1])
                self._tau[arm, count - 1] = last[:n]
        return self._tau[:, :count]

    def notes(self) -> list[Message]:
        """Returns notes about a law that is called instead of compiled, and why."""
        caller = self._drive.caller
        if caller is None:
            return []
        when = "at-every-stage"
        if self._drive.sampling:
            when = "once-a-sample"
        elif self.in_order:
            when = "once-a-step" if self._setup.method.in_momenta else "once-a-stage"
        note = say("note-of-called-law", when=say(when), why=caller.why)
        return [say("note-of-memory", note=note) if caller.remembers else note]
