"""Runs compiled code that steps arms in lanes: with fixed steps that all share, or with adaptive steps for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qddot.algebra.program.recurrence import Recurrence
from qddot.algebra.program.stretch import Stretch
from qddot.machine.compilers.llvm import codes, engine, lanes, stepping


class FixedSteps:
    """This is a compiled recurrence; its arrays are packed, with one arm per row."""

    def __init__(self, recurrence: Recurrence, count: int) -> None:
        """count: the most lanes to use; the processor may have fewer"""
        self.lanes = min(count, engine.processor().lanes)
        facts = (recurrence.hash, "fixed steps", str(self.lanes))
        self._code = codes.code(facts, lambda: (stepping.module(recurrence, self.lanes), engine.LOOPS))
        self._call = self._code.function(stepping.NAME, stepping.POINTERS, stepping.COUNTS)

    def advance(
        self, state: Any, parameters: Any, rows: Any, record: Any, log: Any, every: int, start: int, stop: int
    ) -> None:
        """Steps arms start … stop − 1 once for every row of `rows`, (steps, stages, r); see `Recurrence`.

        state (N, m) and log (N, 3) are changed in place; record is (N, records, m), filled from its beginning
        """
        addresses = (array.ctypes.data for array in (state, parameters, rows, record, log))
        self._call(*addresses, record.strides[0], len(rows), every, start, stop)


class OwnSteps:
    """This is the function `advance` of an adaptive method; each call has its own memory."""

    def __init__(self, count: int, size: int, facts: tuple[str, ...], assembly: Callable[[], str], effort: int) -> None:
        """count: the lanes; size: the memory's bytes; facts: all that the code depends on; effort: that of LLVM"""
        self.lanes, self._size = count, size
        self._code = codes.code((*facts, "steps of their own", str(count)), lambda: (assembly(), effort))
        self._call = self._code.function(lanes.NAME, lanes.POINTERS, lanes.COUNTS)

    def _workspace(self) -> Any:
        """Returns the work memory for one thread."""
        memory = np.zeros((self._size + lanes.ALIGNED) // 8)
        skipped = -memory.ctypes.data % lanes.ALIGNED // 8
        return memory[skipped : skipped + self._size // 8]

    def advance(self, stretch: Stretch, budget: int, start: int, stop: int) -> None:
        """Steps those of the arms start … stop − 1 that are running; see `lanes`."""
        *arrays, samples = (self._workspace(), *stretch)
        addresses = (array.ctypes.data for array in arrays)
        self._call(*addresses, stretch.record.strides[0], samples, start, stop, budget)
