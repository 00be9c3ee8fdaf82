"""Steps end where signs, minima and maxima change, and where friction begins or ceases to hold a joint.

DOP853 and Radau IIA are compiled over the plant's own rates. Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853);
Hairer & Wanner, *Solving Ordinary Differential Equations II*, 1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

import math
import sys
from functools import cached_property
from typing import Any

import numpy as np

from qddot.algebra.program.rates import allowed_defect
from qddot.algebra.program.status import CROSSED, ENDED, GUARDED, RUNNING, STATUS
from qddot.algebra.program.stretch import SECONDS
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.stepping.integration import Integration
from qddot.motion.simulate.stepping.methods import LEAST_ABSOLUTE
from qddot.motion.simulate.stepping.taylor.chain_modes import ChainModes
from qddot.motion.simulate.stepping.taylor.expanded import Expanded
from qddot.motion.simulate.stepping.taylor.modes import Modes

CHATTERS = 0.5 + ENDED  # the status of an arm for which no choice of modes is consistent
MOST_TURNS, ROUND = 50, 1e-12
MOMENT = 1e-4  # part of the run's step within which joints of a closed chain come to rest together
LOOSEST, ROUNDINGS = 0.03, 10.0  # tolerance of Newton's iteration, as a part of the step's tolerance


class Switched(Integration):
    """This is a run with the modes of the arms' switches."""

    @property
    def programs(self) -> Expanded | None:
        """Returns the programs in which modes are parameters; None where steps may cross all switches."""
        return self.kernels.expanded

    def prepare(self) -> None:
        of = self.programs
        self.own_parameters = of.modes.stop - of.held.start if of else 0
        super().prepare()
        self.modes = self._modes_of(of) if of and of.judge else None
        self._turned: dict[int, tuple[float, int]] = {}

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

    def cause(self, arm: int) -> Cause:
        if self.log[arm, STATUS] == CHATTERS:
            return Cause("chattering")
        return super().cause(arm)


class RungeKuttaSolver(Switched):
    """This is a run by a method that repeats steps whose error is too large.

    If joints have dry friction, steps end where a switch changes; otherwise steps cross switches.
    """

    @property
    def programs(self) -> Expanded | None:
        return self.kernels.expanded if self.plant.dry_joints else None

    @cached_property
    def integrator(self) -> Integrator:
        integrator: Integrator = self.kernels.runge_kutta(self.setup.arms > 1)
        return integrator

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the relative and the absolute tolerance, that of Newton's iteration, the longest step, and defect.

        While friction holds a joint, the state does not show how the torques on the joint change, so that
        no error estimate would shorten the steps.
        """
        relative = self.tolerance.relative
        enough = max(ROUNDINGS * sys.float_info.epsilon / relative, min(LOOSEST, math.sqrt(relative)))
        longest = self.setup.step if self.modes else math.inf
        return relative, max(self.tolerance.absolute, LEAST_ABSOLUTE), enough, longest, allowed_defect(relative)
