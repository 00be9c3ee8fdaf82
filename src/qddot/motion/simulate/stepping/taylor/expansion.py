"""Runs a setup by Taylor series, whose steps end where signs, minima and maxima change.

A tolerance determines the order of a series and the length of its steps. Each step leaves an error of about
relative · max(|x|, absolute / relative), for the largest element of the state.
Sources: Jorba & Zou, *A Software Package for the Numerical Integration of ODEs by Means of High-Order Taylor Methods*,
2005, §3. Measurements show that a third more orders than theirs save more time than they cost.
"""

from __future__ import annotations

import math
from functools import cached_property

from qddot.base.errors import SimulationError
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.integration import Integration
from qddot.motion.simulate.stepping.methods import ANY, for_any_function

MORE = 4 / 3  # orders for each one that the tolerance needs
ROUNDING = 1e-12


class TaylorSolver(Integration):
    """This is a run by series, whose steps end at all switches."""

    @cached_property
    def integrator(self) -> Integrator:
        return self.kernels.taylor(order_of(self.tolerance.relative), self.setup.arms > 1)

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the step as a fraction of the radius of convergence, and the least scale of relative errors.

        The third setting is the largest defect of a step times its length, relative to the state's size.
        """
        of = self.tolerance
        share = share_of(of.relative) * self.setup.shortened
        return share, of.absolute / of.relative, defect_of(of.relative)


def check(setup: Setup) -> None:
    """Raises SimulationError for a law that is called, or a function that rounds, which have no series."""
    called = setup.plant.drive.in_stages
    if called:
        raise SimulationError("series-of-a-called-law", method=setup.method, why=called.why, usual=ANY)
    if setup.plant.rounds:
        raise SimulationError("series-of-rounding", method=setup.method, remedy=for_any_function())


def order_for(relative: float) -> int:
    """Returns the order at which steps of e⁻² radii of convergence have an error equal to the tolerance."""
    return math.ceil(1 - math.log(relative) / 2)


def order_of(relative: float) -> int:
    """Returns the number of orders to which a series is expanded."""
    return max(6, round(MORE * order_for(relative)))


def share_of(relative: float) -> float:
    """Returns the step as a fraction of the radius of convergence, which the last orders estimate."""
    least = order_for(relative)
    return math.exp(-(2 + 0.7 / (least - 1)) * least / order_of(relative))


def defect_of(relative: float) -> float:
    """Returns the largest defect of a step, times its length and relative to the state's size, that is within it."""
    return max(100 * relative, ROUNDING)
