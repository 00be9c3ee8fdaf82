"""Watches the loops of closed chains during an integration, whose steps end where the determinant of A Aᵀ is small.

There the conditions of a chain that was opened near a configuration are mixed anew, or a chain is taken past a singular
configuration, if it is near one.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from qddot.algebra.program.status import ENDED, GUARDED, RUNNING, STATUS
from qddot.algebra.program.stretch import BEYOND, LENGTH, SAMPLE, SECONDS
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping import events, mixing
from qddot.motion.simulate.stepping.crossing import Crossing
from qddot.motion.simulate.stepping.machine import Machine

LEFT = 1e-3  # of the determinant of A Aᵀ, at which the loops are looked at again
BESIDE = 2e-3  # of the distance from a singular configuration at the start, to which a chain comes before it crosses
CROSSED = 3e-3  # of the distance from a singular configuration at the start, at which a chain is near one


class WatchedRun(Protocol):
    """This is what an integration has; see `Integration`."""

    setup: Setup
    plant: Plant
    kernels: Machine
    state: Any
    parameters: Any
    log: Any
    times: Any
    records: Any
    singular: dict[int, float]

    def resume(self, arms: Any) -> None: ...


class WatchedLoops:
    """These are the loops of an integration's arms.

    near: the arms that have come near a singular configuration; start: by arm, the distance from one and det A Aᵀ at
    the start, or where it is as far as usual
    """

    def __init__(self, run: WatchedRun) -> None:
        self.run, self.plant = run, run.plant
        self.near, self.start = set[int](), dict[int, tuple[float, float]]()
        for arm in range(run.setup.arms):
            self._mix(arm)

    def look(self, end: float) -> bool:
        """Lets arms go on whose step ended at a small determinant; returns whether there are some."""
        log, carried = self.run.log, self.plant.carried
        for arm in [arm for arm in self.near if log[arm, STATUS] == RUNNING]:
            self._mix(arm)
        own = GUARDED + len(events.guards(self.plant)) + (carried.size if carried else 0)
        found = False
        for arm in map(int, np.flatnonzero(log[:, STATUS] == own)):
            if self._measured(arm)[0] > CROSSED * self.start[arm][0] or self._cross(arm, end):
                self._mix(arm)
                log[arm, STATUS] = ENDED if log[arm, SECONDS] >= end else RUNNING
                self.run.resume(np.array([arm]))
                found = True
        return found

    def _measured(self, arm: int) -> tuple[float, float]:
        """Returns an arm's distance from a singular configuration, and det A Aᵀ of the conditions that hold."""
        run, plant = self.run, self.plant
        state, own = run.state[arm], run.parameters[arm, : plant.parameter_size]
        _, A, determinants = run.kernels.conditions(state[plant.at_q], state[plant.integrated_size :], own)
        return float(mixing.distance(plant, A)), determinants[0]

    def _mix(self, arm: int) -> None:
        """Mixes the conditions anew, closes the loops, and sets the determinant at which they are looked at again."""
        run, plant = self.run, self.plant
        assert plant.closed
        state, own = run.state[arm], run.parameters[arm, : plant.parameter_size]
        moving, discrete_state = state[: plant.at_rates.stop], state[plant.integrated_size :]
        own[:] = mixing.mixed(plant, run.kernels.conditions, state[plant.at_q], discrete_state, own)
        moving[:] = run.kernels.closing(moving, discrete_state, own)
        distance, determinant = self._measured(arm)
        usual = max(distance, mixing.USUAL)
        start, first = self.start.setdefault(arm, (usual, determinant * (usual / distance) ** 2))
        (self.near.discard if determinant > LEFT * first else self.near.add)(arm)
        # one singular value of A falls to BESIDE, or several to less far
        share = max(LEFT, (BESIDE * start / distance) ** 2) if distance > CROSSED * start else 1 / 4
        own[-1] = share * determinant if plant.closed.choice.near else min(share * determinant, LEFT * LEFT * first)

    def _cross(self, arm: int, end: float) -> bool:
        """Takes an arm past a singular configuration; returns whether its motion leads past it."""
        if self.plant.discrete_size:  # torques that are sampled, and payloads, may change on the way
            return False
        run, log = self.run, self.run.log[arm]
        t = float(log[SECONDS] + log[BEYOND])
        way = Crossing(self.plant, run.kernels, run.parameters[arm, : self.plant.parameter_size], run.setup.step)
        passage = way.passage(t, run.state[arm], end - t)
        if passage is None:
            return False
        run.singular.setdefault(arm, t)
        after = t + passage.length
        for sample in np.flatnonzero((run.times > t) & (run.times <= after)):
            run.records[arm, sample] = passage.at(run.times[sample] - t)
        run.state[arm] = passage.states[1]
        log[[SECONDS, BEYOND, LENGTH]] = after, 0.0, 0.0
        log[SAMPLE] = np.searchsorted(run.times, after, side="right")
        return True
