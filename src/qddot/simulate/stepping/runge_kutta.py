"""Runs a setup by DOP853 or Radau IIA, compiled over the plant's own rates.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential Equations II*,
1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

import math
import sys
from functools import cached_property
from typing import Any

from qddot.compilers.integrators import Integrator
from qddot.simulate.stepping.integration import Integration
from qddot.simulate.stepping.methods import LEAST_ABSOLUTE

LOOSEST, ROUNDINGS = 0.03, 10.0  # tolerance of Newton's iteration, as a part of the step's tolerance


class RungeKutta(Integration):
    """This is a run by a method that repeats steps whose error is too large."""

    @cached_property
    def integrator(self) -> Integrator:
        integrator: Integrator = self.kernels.runge_kutta(self.setup.arms > 1)
        return integrator

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the relative and the absolute tolerance, and that of Newton's iteration."""
        relative = self.tolerance.relative
        enough = max(ROUNDINGS * sys.float_info.epsilon / relative, min(LOOSEST, math.sqrt(relative)))
        return relative, max(self.tolerance.absolute, LEAST_ABSOLUTE), enough

    def begin(self) -> None:
        """Does nothing, since steps may cross switches of signs, minima and maxima."""

    def resume(self, arms: Any) -> None:
        """Does nothing, since there are no modes."""

    def judge(self) -> None:
        """Does nothing, since steps end at the end of the run or where an arm stops."""
