"""Integrates by the compiled methods that repeat steps whose error is too large, over the plant's own rates.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential Equations II*,
1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

import math
import sys
from functools import cached_property

from qddot.algebra.program.rates import allowed_defect
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.stepping.integration import Integration
from qddot.motion.simulate.stepping.methods import LEAST_ABSOLUTE
from qddot.motion.simulate.stepping.taylor.expanded import Expanded

LOOSEST, ROUNDINGS = 0.03, 10.0  # tolerance of Newton's iteration, as a part of the step's tolerance


class RungeKuttaSolver(Integration):
    """This is a run by a method that repeats steps whose error is too large.

    If joints have dry friction, steps end where a switch changes; otherwise steps cross switches.
    """

    @property
    def programs(self) -> Expanded | None:
        return self.kernels.expanded if self.plant.dry_joints else None

    @cached_property
    def integrator(self) -> Integrator:
        return self.kernels.runge_kutta(self.setup.arms > 1)

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
