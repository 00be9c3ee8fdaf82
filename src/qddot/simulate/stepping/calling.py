"""Calls a torque law in one run: from Python, in order of time, with a memory for each arm."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.compilers.steppers import Hook
from qddot.simulate.laws.calls import called
from qddot.simulate.memory import Memory
from qddot.simulate.setup import Setup
from qddot.simulate.stepping.schemes import SCHEMES


class Calls:
    """These are the calls of one run.

    A single arm calls the law itself, so that its owner finds in it what it remembered. The arms of a batch each
    begin with the memory that the law had before the run; it gets that back at the end.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup, self._torque = setup, setup.plant.torque
        # all arms draw from one stream of random numbers, so that no two draw the same
        self._beginning = None if self._torque.memory is None else Memory(self._torque.law, with_random=False)
        self._memories = self._at_beginning()
        self._latest = 0.0
        self._sampling = self._torque.sampling
        self._notes_torques = self._torque.once and setup.method in SCHEMES and not self._sampling
        self._first, self._tau = 0, np.zeros((setup.arms, 0, setup.plant.n))

    def note_from(self, first: int, count: int) -> None:
        """Notes from now on the torques at so many samples from one on, where a law may be called in order alone."""
        if self._notes_torques:
            self._first, self._tau = first, np.full((self._setup.arms, count, self._torque.n), np.nan)

    def _at_beginning(self) -> list[Memory] | None:
        """Returns the memory that each arm of a batch begins with."""
        return [self._beginning] * self._setup.arms if self._beginning and self._setup.arms > 1 else None

    def of(self, arm: int, t: float, q: Any, qd: Any, z: Any) -> Any:
        """Returns the torques of one arm, (n,), then the rates of the state that the law declares."""
        torque = self._torque
        assert torque.law is not None
        if self._memories is None:
            return called(torque.law, torque.n, t, q, qd, z)
        self._memories[arm].restore()
        answer = called(torque.law, torque.n, t, q, qd, z)
        self._memories[arm] = Memory(torque.law, with_random=False)
        return answer

    def hook(self, kernels: Any) -> Hook | None:
        """Returns the function that a stepper calls before a stage: it puts the law's torques into the parameters."""
        if self._torque.kind != "callback" or self._torque.sampling:
            return None
        setup, plant, n = self._setup, self._setup.plant, self._setup.plant.n
        places = plant.torque_places

        def before(stage: int, state: Any, inner: Any, row: Any, parameters: Any, waiting: Any) -> None:
            t, q, second, z = kernels.scheme.at_stage(plant, state, inner, row)
            if self._torque.once and kernels.in_momenta:
                if stage:
                    return  # iterations of one step share the torque at its beginning
                t, q, second = float(row[0]), state[:, :n], state[:, n : 2 * n]
            kept = state[:, plant.integrated_size :]
            qd = kernels.velocities(q, second, kept, parameters) if kernels.in_momenta else second
            if self._torque.once:
                # a step's end and the next one's begin may differ in the last bit
                t = self._latest = max(t, self._latest)
            for arm in np.flatnonzero(waiting):
                parameters[arm, places] = self.of(int(arm), t, q[arm], qd[arm], z[arm])
            step, rest = divmod(round(t / setup.step), setup.record_every)
            if self._notes_torques and not stage and not rest:
                self._tau[waiting, step - self._first] = parameters[waiting, places][:, :n]

        return before

    def sample(self, kernels: Any, t: float, state: Any, running: Any) -> None:
        """Puts the torques of a sampled law into the states of arms that run, and the law's own next state."""
        plant, sampling = self._setup.plant, self._sampling
        assert sampling is not None
        n, m = plant.n, plant.integrated_size
        second, own = state[:, n : 2 * n], plant.memory_places
        qd = second
        if kernels.in_momenta:
            qd = kernels.velocities(state[:, :n], second, state[:, m:], self._setup.parameters)
        kept = slice(m, own.start)
        for arm in np.flatnonzero(running):
            z = state[arm, own]
            answer = self.of(int(arm), t, np.array(sampling.measured(state[arm, :n])), qd[arm], z)
            state[arm, kept] = sampling.after(state[arm, kept], answer[:n], n)
            state[arm, own] = answer[n:] if self._torque.discrete else z + sampling.period * answer[n:]

    def at_samples(self, times: Any, q: Any, qd: Any, z: Any, at_end: bool) -> Any:
        """Returns the torques at samples, (N, R, n): as noted in the run, or called again if that is the same.

        at_end: whether the last sample is that of the run, at which no step has called the law
        """
        arms, count, n = q.shape
        if not self._notes_torques:
            if self._beginning:
                self._beginning.restore()
                self._memories = self._at_beginning()
            steps = [(arm, k) for arm in range(arms) for k in range(count)]
            answers = [self.of(arm, float(times[k]), q[arm, k], qd[arm, k], z[arm, k])[:n] for arm, k in steps]
            return np.array(answers).reshape(q.shape)
        if at_end:
            for arm in np.flatnonzero(np.isnan(self._tau[:, count - 1]).all(1) & np.isfinite(q[:, -1]).all(1)):
                last = self.of(int(arm), float(times[-1]), q[arm, -1], qd[arm, -1], z[arm, -1])
                self._tau[arm, count - 1] = last[:n]
        return self._tau[:, :count]

    def finish(self) -> None:
        """Gives a law that several arms called in turn its own memory back."""
        if self._memories and self._beginning:
            self._beginning.restore()

    def notes(self) -> list[str]:
        """Returns notes about a law that is called instead of compiled, and why."""
        torque, method = self._torque, self._setup.method
        if torque.kind != "callback":
            return []
        if torque.sampling and not torque.once:
            return [f"the torque law is called from Python, once a sample, for {torque.why}"]
        if not torque.once:
            return [f"the torque law is called from Python at every stage, for {torque.why}"]
        often = {"rk4": "once a stage, in order of time", "midpoint": "once a step", "semi-implicit": "once a step"}
        when = "once a sample" if torque.sampling else often.get(method, "whenever the solver asks")
        note = f"the torque law is called from Python, {when}, for {torque.why}"
        if method not in SCHEMES and not torque.sampling:
            note += f"; {method} tries steps and takes some back, which a memory does not follow: rk4 does not"
        if self._setup.arms > 1:
            note += "; each arm has a memory of its own" if self._memories else "; the arms share what it remembers"
        return [note]
