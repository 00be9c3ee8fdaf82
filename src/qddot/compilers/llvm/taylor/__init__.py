"""Compiles the integration of a series: arms in lanes, each with its own steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.compilers.llvm import codes, engine
from qddot.compilers.llvm.taylor import driver
from qddot.compilers.llvm.taylor.workspace import Workspace
from qddot.program.series import Series, Stretch

ALIGNED = 64
SHORT = 200  # nodes of a program that LLVM shall work hard on
QUICK = 1


class Integrator:
    """An integrator is compiled from a series, for one arm or for several in the lanes of vectors."""

    def __init__(self, series: Series, several: bool) -> None:
        width = engine.processor().lanes
        self.lanes = width if several else 1
        self._space = Workspace(series, self.lanes, width)
        effort = engine.MOST if len(series.program.nodes) <= SHORT else QUICK
        file = codes.file_name(series.hash, driver.NAME, "taylor", str(self.lanes))
        self._code = codes.stored(file) or codes.made(file, driver.module(self._space), effort)
        self._call = self._code.function(driver.NAME, driver.POINTERS, driver.COUNTS)

    def _workspace(self) -> Any:
        """Returns memory to work in, for one thread."""
        size = self._space.offsets["size"] // 8
        memory = np.zeros(size + ALIGNED // 8)
        skipped = -memory.ctypes.data % ALIGNED // 8
        return memory[skipped : skipped + size]

    def advance(self, stretch: Stretch, budget: int, start: int, stop: int) -> None:
        """Steps the running ones of the arms start … stop − 1, as the function in `driver` does."""
        *arrays, samples = (self._workspace(), *stretch)
        addresses = (array.ctypes.data for array in arrays)
        self._call(*addresses, stretch.record.strides[0], samples, start, stop, budget)
