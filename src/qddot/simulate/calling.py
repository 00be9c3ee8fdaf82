"""Calls a torque law in one run: from Python, in order of time, with a memory for each arm."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.compilers.steppers import Hook
from qddot.simulate.memory import Memory
from qddot.simulate.schemes import SCHEMES
from qddot.simulate.setup import Setup
from qddot.simulate.torque import called


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
        shape = (setup.arms, setup.records, setup.plant.n)
        self._tau = np.full(shape, np.nan) if self._torque.once and setup.method in SCHEMES else None

    def _at_beginning(self) -> list[Memory] | None:
        """Returns the memory that each arm of a batch begins with."""
        return [self._beginning] * self._setup.arms if self._beginning and self._setup.arms > 1 else None

    def of(self, arm: int, t: float, q: Any, qd: Any) -> Any:
        """Returns the torques of one arm, (n,)."""
        torque = self._torque
        if self._memories is None:
            return called(torque.law, torque.n, t, q, qd)
        self._memories[arm].restore()
        answer = called(torque.law, torque.n, t, q, qd)
        self._memories[arm] = Memory(torque.law, with_random=False)
        return answer

    def hook(self, kernels: Any) -> Hook | None:
        """Returns the function that a stepper calls before a stage: it puts the law's torques into the parameters."""
        if self._torque.kind != "callback":
            return None
        setup, n, places = self._setup, self._setup.plant.n, self._setup.plant.torque_places

        def before(stage: int, state: Any, inner: Any, row: Any, parameters: Any, waiting: Any) -> None:
            t, q, second = kernels.scheme.at_stage(n, state, inner, row)
            if self._torque.once and kernels.in_momenta:
                if stage:
                    return  # iterations of one step share the torque at its beginning
                t, q, second = float(row[0]), state[:, :n], state[:, n : 2 * n]
            qd = kernels.velocities(q, second, parameters) if kernels.in_momenta else second
            t = self._latest = max(t, self._latest)  # a step's end and the next one's begin may differ in the last bit
            for arm in np.flatnonzero(waiting):
                parameters[arm, places] = self.of(int(arm), t, q[arm], qd[arm])
            step, rest = divmod(round(t / setup.step), setup.record_every)
            if self._tau is not None and not stage and not rest:
                self._tau[waiting, step] = parameters[waiting, places]

        return before

    def at_samples(self, times: Any, q: Any, qd: Any) -> Any:
        """Returns the torques at samples, (N, R, n): as noted in the run, or called again if that is the same."""
        arms, count, _ = q.shape
        if self._tau is None:
            if self._beginning:
                self._beginning.restore()
                self._memories = self._at_beginning()
            steps = [(arm, k) for arm in range(arms) for k in range(count)]
            return np.array([self.of(arm, float(times[k]), q[arm, k], qd[arm, k]) for arm, k in steps]).reshape(q.shape)
        for arm in np.flatnonzero(np.isnan(self._tau[:, count - 1]).all(1) & np.isfinite(q[:, -1]).all(1)):
            self._tau[arm, count - 1] = self.of(int(arm), float(times[-1]), q[arm, -1], qd[arm, -1])
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
        if not torque.once:
            return [f"the torque law is called from Python at every stage, for {torque.why}"]
        often = {"rk4": "once a stage, in order of time", "midpoint": "once a step", "semi-implicit": "once a step"}
        note = (
            f"the torque law is called from Python, {often.get(method, 'whenever the solver asks')}, for {torque.why}"
        )
        if method not in SCHEMES:
            note += f"; {method} tries steps and takes some back, which a memory does not follow: rk4 does not"
        if self._setup.arms > 1:
            note += "; each arm has a memory of its own" if self._memories else "; the arms share what it remembers"
        return [note]
