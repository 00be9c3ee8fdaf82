"""Steps arms by recurrences: in machine code on threads, or from Python if a hook has to be called."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from qddot.algebra.program.recurrence import DUE, UNSETTLED, Recurrence
from qddot.algebra.program.status import BLOWN_UP, GUARDED, STATUS, STEPS
from qddot.machine.compilers.batch import BatchFunction, compiled
from qddot.machine.compilers.threads import FIRST_ROWS, shared

WIDEST = 8  # lanes of the widest registers
Hook = Callable[[int, Any, Any, Any, Any, Any], None]


class FixedSteps:
    """This steps arms by a recurrence; with LLVM the state stays in registers from step to step."""

    def __init__(self, recurrence: Recurrence) -> None:
        self.recurrence = recurrence
        self._kernels: dict[int, Any] = {}

    def advance(
        self,
        state: Any,
        parameters: Any,
        rows: Any,
        record: Any,
        log: Any,
        every: int,
        threads: int | None = None,
        before: Hook | None = None,
    ) -> None:
        """Steps every arm once for each of `rows`, (steps, stages, r).

        state (N, m) and log (N, 3), with the columns STATUS, STEPS, UNSETTLED, are changed in place. After every
        `every` steps the state is copied to the next place of record, (N, records, m). parameters: (N, p). before: a
        hook, for which the steps are made from Python; it is called before each run of the inner program with (the
        run's number in the step, state, inner, row, parameters, the arms that have not settled), and may change the
        parameters
        """
        kernel = None if before else self._kernel(len(state))
        if kernel is None:
            self._advance_from_python(state, parameters, rows, record, log, every, before)
            return
        shared(
            lambda start, stop: kernel.advance(state, parameters, rows, record, log, every, start, stop),
            len(state),
            kernel.lanes,
            threads or 1,
            max(1, FIRST_ROWS // max(1, len(rows))),
        )

    def _kernel(self, arms: int) -> Any:
        """Returns machine code with lanes for this number of arms; few arms are faster in narrow registers."""
        lanes = 2
        while lanes < min(arms, WIDEST):
            lanes *= 2
        if lanes not in self._kernels:
            self._kernels[lanes] = _compiled(self.recurrence, lanes)
        return self._kernels[lanes]

    def trial(self, state: Any, parameters: Any, row: Any, before: Hook | None = None) -> tuple[Any, Any]:
        """Returns the states after one step with `row`, (stages, r), and their guards; no guard stops this step."""
        inner, _ = self._iterated(state, parameters, row, np.ones(len(state), bool), before)
        new, guards = self._programs[1](state, inner, row[0], parameters)
        return new, guards

    @cached_property
    def _programs(self) -> tuple[BatchFunction, BatchFunction, BatchFunction | None]:
        """Returns the recurrence's programs for steps from Python, all arms at once."""
        of = self.recurrence
        return compiled(of.inner), compiled(of.outer), compiled(of.sampled) if of.sampled else None

    def _advance_from_python(
        self, state: Any, parameters: Any, rows: Any, record: Any, log: Any, every: int, before: Hook | None
    ) -> None:
        _, outer, sampled = self._programs
        with np.errstate(all="ignore"):
            for step, row in enumerate(rows, 1):
                inner, unsettled = self._iterated(state, parameters, row, log[:, STATUS] == 0, before)
                good = self._take(state, log, outer(state, inner, row[0], parameters), unsettled)
                if sampled and row[0, DUE]:
                    state[good] = sampled(state, inner, row[0], parameters)[good]
                if step % every == 0:
                    record[:, step // every - 1] = state

    def _iterated(self, state: Any, parameters: Any, row: Any, waiting: Any, before: Hook | None) -> tuple[Any, Any]:
        """Returns the last values of `inner`, and which of the waiting arms have not settled."""
        of, (iterate, *_) = self.recurrence, self._programs
        inner = state[:, list(of.start)]
        for stage in range(of.repeats):
            at = row[0 if of.tolerance else stage]
            if before:
                before(stage, state, inner, at, parameters, waiting)
            if not of.tolerance:
                inner = iterate(state, inner, at, parameters)
                continue
            new, scale = iterate(state, inner, at, parameters)
            moved = ~(np.abs(new - inner) <= of.tolerance * (scale + np.abs(new))).all(1)
            inner = np.where(waiting[:, None], new, inner)
            waiting = waiting & moved
            if not waiting.any():
                break
        return inner, waiting if of.tolerance else np.zeros(len(state), bool)

    def _take(self, state: Any, log: Any, results: Any, unsettled: Any) -> Any:
        """Updates the arms whose step succeeded, and returns which; records the status of the others."""
        running, (new, guards) = log[:, STATUS] == 0, results
        above = guards > 0
        status = np.where(above.any(1), GUARDED + above.argmax(1), 0) if above.size else np.zeros(len(state))
        status = np.where(np.isfinite(new).all(1), status, BLOWN_UP)
        good = running & (status == 0)
        first = unsettled & (log[:, UNSETTLED] == 0)
        log[first, UNSETTLED] = log[first, STEPS] + 1
        state[good] = new[good]
        log[running, STATUS] = status[running]
        log[good, STEPS] += 1
        return good


def _compiled(recurrence: Recurrence, lanes: int) -> Any:
    try:
        from qddot.machine.compilers.llvm import advancing
    except ModuleNotFoundError:
        return None
    return advancing.FixedSteps(recurrence, lanes)
