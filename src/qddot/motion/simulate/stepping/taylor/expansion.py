"""Runs a setup by Taylor series, whose steps end where signs, minima and maxima change."""

from __future__ import annotations

from functools import cached_property

from qddot.base.errors import SimulationError
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.methods import ANY, for_any_function
from qddot.motion.simulate.stepping.switched import Switched
from qddot.motion.simulate.stepping.taylor import step_size


class Expansion(Switched):
    """This is a run by series, whose steps end at all switches."""

    @cached_property
    def integrator(self) -> Integrator:
        order = step_size.order(self.tolerance.relative)
        integrator: Integrator = self.kernels.taylor(order, self.setup.arms > 1)
        return integrator

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the step as a fraction of the radius of convergence, and the least scale of relative errors.

        The third setting is the largest defect of a step times its length, relative to the state's size.
        """
        of = self.tolerance
        share = step_size.share(of.relative) * self.setup.shortened
        return share, of.absolute / of.relative, step_size.defect(of.relative)


def check(setup: Setup) -> None:
    """Raises SimulationError for a law that is called, or a function that rounds, which have no series."""
    called = setup.plant.drive.in_stages
    if called:
        raise SimulationError(
            f"method {setup.method} needs a torque law that can be traced, and this one cannot: {called.why}",
            expected="ordinary arithmetic of t, q and qd, with qddot.sin and the like",
            remedy=f'method="{ANY}" calls a law, and laws.sampled(law, every=…) has it called between steps',
        )
    if setup.plant.rounds:
        raise SimulationError(
            f"method {setup.method} needs functions that have series, and rint has none",
            expected="functions such as sign and clip at most, at whose jumps and kinks a step ends",
            remedy=for_any_function(),
        )
