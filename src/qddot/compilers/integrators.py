"""Integrates series by machine code: every arm takes steps of its own."""

from __future__ import annotations

from typing import Any

from qddot.compilers.threads import shared
from qddot.errors import QddotError
from qddot.program.series import Series


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

    def advance(
        self,
        state: Any,
        parameters: Any,
        times: Any,
        record: Any,
        log: Any,
        settings: Any,
        samples: int,
        budget: int,
        threads: int = 1,
    ) -> None:
        """Steps the running arms to the end, with at most `budget` steps of each lane.

        state (N, m), parameters (N, p); log (N, columns): see `program.series`. State and log are changed in place,
        record (N, R, m) takes the states at the first `samples` of `times`. settings: the step as a part of the radius
        of convergence; the least size that errors are relative to; the end
        """
        code = self._code

        def some(start: int, stop: int) -> None:
            arrays = (code.workspace(), state, parameters, times, record, log, settings)
            code.advance(*arrays, samples, start, stop, budget)

        shared(some, len(state), code.lanes, threads)
