"""Programs to machine code of this processor, a batch of states at a time."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from qddot.compilers import cache
from qddot.compilers.llvm import engine, ir
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

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Compute rows start … stop − 1; rows of one stride each, elements within a row side by side."""
        arguments = (*_addresses(inputs), *_addresses(outputs))
        self._loaded.call(*arguments, start, stop)

    def prepared(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> Callable[[], None]:
        """`run` on the first row of these arrays, with nothing left to do but the call."""
        arguments = (*_addresses(inputs), *_addresses(outputs), ctypes.c_int64(0), ctypes.c_int64(1))
        kept = (self._loaded, inputs, outputs)  # as long as the call may come

        def call() -> None:
            kept[0].call(*arguments)

        return call


def _addresses(arrays: Sequence[Any]) -> tuple[Any, Any]:
    count = len(arrays)
    pointers = (ctypes.c_void_p * count)(*(array.__array_interface__["data"][0] for array in arrays))
    return pointers, (ctypes.c_int64 * count)(*(array.strides[0] for array in arrays))
