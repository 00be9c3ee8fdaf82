"""Runs a setup by Taylor series, whose steps end where signs, minima and maxima change."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from qddot.compilers.integrators import Integrator
from qddot.errors import SimulationError
from qddot.program.status import ENDED, GUARDED, RUNNING, STATUS
from qddot.program.stretch import SECONDS
from qddot.simulate.runs.stops import Cause
from qddot.simulate.setup import Setup
from qddot.simulate.stepping.calling import Calls
from qddot.simulate.stepping.integration import Integration
from qddot.simulate.stepping.machine import Machine
from qddot.simulate.stepping.solver import Progress
from qddot.simulate.stepping.taylor import step_size
from qddot.simulate.stepping.taylor.modes import Modes

CHATTERS = 0.5 + ENDED  # the status of an arm for which no choice of modes is consistent
MOST_TURNS, ROUND = 50, 1e-12


class Expansion(Integration):
    """This is a run by series, with the modes of the arms' switches."""

    def __init__(
        self, setup: Setup, kernels: Machine, calls: Calls, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        self.of = of = kernels.expanded
        super().__init__(setup, kernels, calls, threads, progress, of.modes.stop - of.held.start)
        self.modes = Modes(of, self.plant.at_rates.start, self.state, self.parameters) if of.judge else None
        self._turned: dict[int, tuple[float, int]] = {}

    @cached_property
    def integrator(self) -> Integrator:
        order = step_size.order(self.tolerance.relative)
        integrator: Integrator = self.kernels.taylor(order, self.setup.arms > 1)
        return integrator

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the step as a fraction of the radius of convergence, and the least scale of relative errors."""
        of = self.tolerance
        return step_size.share(of.relative) * self.setup.shortened, of.absolute / of.relative

    def begin(self) -> None:
        if self.modes:
            self._chatter(np.flatnonzero(self.modes.begin()))

    def resume(self, arms: Any) -> None:
        if self.modes:
            self.modes.resume(arms, self.log[arms, SECONDS])

    def judge(self) -> None:
        """Changes the modes of arms whose step ended at a switch."""
        if not self.modes:
            return
        switched = np.flatnonzero(self.log[:, STATUS] >= GUARDED + self.of.guards)
        if len(switched):
            guards = self.log[switched, STATUS].astype(int) - GUARDED - self.of.guards
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

    def cause(self, arm: int) -> Cause:
        if self.log[arm, STATUS] == CHATTERS:
            return Cause("chattering")
        return super().cause(arm)


def check(setup: Setup) -> None:
    """Raises SimulationError for a law that is called, which has no series."""
    called = setup.plant.drive.in_stages
    if called:
        raise SimulationError(
            f"method taylor expands the torque law, which cannot be traced: {called.why}",
            expected="ordinary arithmetic of t, q and qd, with qddot.sin and the like",
            remedy='method="rk4" calls a law, and laws.sampled(law, every=…) has it called between steps',
        )
