"""Runs compiled code that integrates arms in lanes, in memory of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qddot.compilers.llvm import codes, lanes
from qddot.program.stretch import Stretch


class Advancing:
    """This is the function `advance` of some lanes, compiled from an assembly or found on disk."""

    def __init__(self, count: int, size: int, facts: tuple[str, ...], assembly: Callable[[], str], effort: int) -> None:
        """count: of lanes; size: of the memory [bytes]; facts: all that the code depends on"""
        self.lanes, self._size = count, size
        file = codes.file_name(*facts, lanes.NAME, str(count))
        self._code = codes.stored(file) or codes.made(file, assembly(), effort)
        self._call = self._code.function(lanes.NAME, lanes.POINTERS, lanes.COUNTS)

    def _workspace(self) -> Any:
        """Returns memory to work in, for one thread."""
        memory = np.zeros((self._size + lanes.ALIGNED) // 8)
        skipped = -memory.ctypes.data % lanes.ALIGNED // 8
        return memory[skipped : skipped + self._size // 8]

    def advance(self, stretch: Stretch, budget: int, start: int, stop: int) -> None:
        """Steps the running ones of the arms start … stop − 1, as the function in `lanes` does."""
        *arrays, samples = (self._workspace(), *stretch)
        addresses = (array.ctypes.data for array in arrays)
        self._call(*addresses, stretch.record.strides[0], samples, start, stop, budget)
