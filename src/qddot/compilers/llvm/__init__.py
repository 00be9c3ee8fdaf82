"""Programs to machine code of this processor, a batch of states at a time."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from qddot.compilers import cache
from qddot.compilers.llvm import engine, entry, ir
from qddot.program.program import Deferred, Program

ELEMENTS = {"float64": "double", "float32": "float"}


class Kernel:
    """A compiled program. `run` takes two-dimensional arrays, rows in and rows out."""

    def __init__(self, program: Program | Deferred, dtype: str) -> None:
        host = engine.processor()
        self.lanes = host.lanes
        parts = (cache.source_stamp(), program.hash, dtype, host.name, host.features, str(host.lanes), engine.version())
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".o"
        code = cache.read(key)
        if code is None:
            code = engine.object_code(ir.module(program.whole(), host.lanes, ELEMENTS[dtype]))
            cache.write(key, code)
        self._loaded = engine.Loaded(code)
        self._program, self._element = program, ELEMENTS[dtype]

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Compute rows start … stop − 1; rows of one stride each, elements within a row side by side."""
        arguments = (*_addresses(inputs), *_addresses(outputs))
        self._loaded.call(*arguments, start, stop)

    def entry(self) -> Callable[..., Any]:
        """The outputs of plain float64 arrays, all of one state or of one batch; None where they are not that."""
        if not ir.has_entry(self._program, self._element) or entry.table() is None:
            return _none
        self._call, self._method = entry.function(self._loaded.address(entry.NAME))
        return self._call


def _none(*_: Any) -> None:
    """No array fits."""


def _addresses(arrays: Sequence[Any]) -> tuple[Any, Any]:
    count = len(arrays)
    pointers = (ctypes.c_void_p * count)(*(array.ctypes.data for array in arrays))
    return pointers, (ctypes.c_int64 * count)(*(array.strides[0] for array in arrays))
