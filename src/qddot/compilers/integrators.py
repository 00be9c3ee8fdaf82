"""Integrates series by machine code: every arm takes steps of its own."""

from __future__ import annotations

from functools import partial

from qddot.compilers.threads import shared
from qddot.errors import QddotError
from qddot.program.series import Series, Stretch


class Integrator:
    """An integrator steps one arm, or several in the lanes of vectors, by one series.

    raises QddotError: llvmlite is not installed
    """

    def __init__(self, series: Series, several: bool) -> None:
        try:
            from qddot.compilers.llvm import taylor
        except ModuleNotFoundError as error:
            raise QddotError("Taylor series are compiled, and llvmlite is not installed") from error
        self._code = taylor.Integrator(series, several)

    def advance(self, stretch: Stretch, budget: int, threads: int = 1) -> None:
        """Steps the running arms to the end, with at most `budget` steps of each lane."""
        shared(partial(self._code.advance, stretch, budget), len(stretch.state), self._code.lanes, threads)
