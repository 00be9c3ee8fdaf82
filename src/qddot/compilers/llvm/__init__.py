"""Programs to machine code of this processor, a batch of states at a time."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from qddot.compilers import cache
from qddot.compilers.llvm import engine, entry, ir, stepping
from qddot.program.program import Deferred, Program
from qddot.program.recurrence import Recurrence

ELEMENTS = {"float64": "double", "float32": "float"}


class Kernel:
    """A compiled program. `run` takes two-dimensional arrays, rows in and rows out; `entry` gives the outputs of plain
    float64 arrays, all of one state or of one batch, and None where they are not that.
    """

    def __init__(self, program: Program | Deferred, dtype: str) -> None:
        self.lanes = engine.processor().lanes
        element = ELEMENTS[dtype]
        self._loaded = _loaded((program.hash, dtype), lambda: ir.module(program.whole(), self.lanes, element))
        self._call = self._loaded.function("kernel", 4, 2)
        self.entry: Callable[..., Any] = _none
        if ir.has_entry(program, element) and entry.table() is not None:
            self.entry = entry.function(self._loaded.address(entry.NAME), self._loaded)

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Compute rows start … stop − 1; rows of one stride each, elements within a row side by side."""
        arguments = (*_addresses(inputs), *_addresses(outputs))
        self._call(*arguments, start, stop)


class Stepper:
    """A compiled recurrence. `advance` takes packed arrays with one arm a row."""

    def __init__(self, recurrence: Recurrence, lanes: int) -> None:
        """lanes: at most so many, and no more than the processor has"""
        self.lanes = min(lanes, engine.processor().lanes)
        about = (recurrence.hash, stepping.NAME, str(self.lanes))
        self._loaded = _loaded(about, lambda: stepping.module(recurrence, self.lanes))
        self._call = self._loaded.function(stepping.NAME, 5, 5)

    def advance(
        self, state: Any, parameters: Any, rows: Any, record: Any, log: Any, every: int, start: int, stop: int
    ) -> None:
        """Step arms start … stop − 1 once for every row of `rows`, (steps, stages, r); see `Recurrence`.

        state (N, m) and log (N, 3) are changed in place; record is (N, records, m), filled from its beginning
        """
        arrays = (array.ctypes.data for array in (state, parameters, rows, record, log))
        self._call(*arrays, record.strides[0], len(rows), every, start, stop)


def _loaded(of: tuple[str, ...], assembly: Callable[[], str]) -> engine.Loaded:
    """Machine code for this processor, from the cache where it has been made before."""
    host = engine.processor()
    parts = (cache.source_stamp(), *of, host.name, host.features, str(host.lanes), engine.version())
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".o"
    code = cache.read(key)
    if code is None:
        code = engine.object_code(assembly())
        cache.write(key, code)
    return engine.Loaded(code)


def _none(*_: Any) -> None:
    """No array fits."""


def _addresses(arrays: Sequence[Any]) -> tuple[Any, Any]:
    count = len(arrays)
    pointers = (ctypes.c_void_p * count)(*(array.ctypes.data for array in arrays))
    return pointers, (ctypes.c_int64 * count)(*(array.strides[0] for array in arrays))
