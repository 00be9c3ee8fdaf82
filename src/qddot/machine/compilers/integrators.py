"""Integrates arms in machine code with adaptive steps for each arm."""

from __future__ import annotations

from functools import partial

from qddot.algebra.program.rates import Rates
from qddot.algebra.program.series import Series
from qddot.algebra.program.stretch import Stretch
from qddot.base.errors import QddotError
from qddot.machine.compilers.threads import shared


def are_there() -> bool:
    """Returns whether integrators can be compiled, which needs llvmlite."""
    try:
        from qddot.machine.compilers import llvm  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


class Integrator:
    """An integrator steps one arm, or several in lanes: by Taylor series, or by rates and a method for them.

    raises QddotError: llvmlite is not installed
    """

    def __init__(self, motion: Series | Rates, several: bool) -> None:
        try:
            from qddot.machine.compilers.llvm import runge_kutta, taylor
        except ModuleNotFoundError as error:
            raise QddotError("adaptive-methods-need-llvmlite") from error
        if isinstance(motion, Series):
            self._code = taylor.integrating(motion, several)
        else:
            self._code = runge_kutta.integrating(motion, several)

    def advance(self, stretch: Stretch, budget: int, threads: int = 1) -> None:
        """Steps the running arms to the end, with at most `budget` steps in each lane."""
        shared(partial(self._code.advance, stretch, budget), len(stretch.state), self._code.lanes, threads)
