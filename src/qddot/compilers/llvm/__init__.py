"""Compiles programs to machine code of this processor, for batches of states."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from qddot.compilers import cache
from qddot.compilers.llvm import engine, entry, ir, stepping
from qddot.compilers.llvm.lengths import effort
from qddot.compilers.llvm.registers import Vectors
from qddot.program.program import Interface, Program
from qddot.program.recurrence import Recurrence

ELEMENTS = {"float64": "double", "float32": "float"}
SMALLEST, LARGEST = 1e-30, 1e30  # of constants in single precision, whose products floats still hold


class Kernel:
    """A compiled program. `run` takes two-dimensional arrays, rows in and rows out; `entry` gives the outputs of plain
    arrays, each of one state or of one batch, and None where they are not that.
    """

    def __init__(self, interface: Interface, dtype: str, code: engine.Loaded) -> None:
        self.lanes = _lanes(dtype)
        self.code = code
        self._call = code.function("kernel", 4, 2)
        self.entry: Callable[..., Any] = _none
        if entry.has_entry(interface.inputs) and entry.table() is not None:
            self.entry = entry.function(code.address(entry.NAME), code)

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Computes rows start … stop − 1; rows have a constant stride, elements within a row are contiguous."""
        arguments = (*_addresses(inputs), *_addresses(outputs))
        self._call(*arguments, start, stop)


def stored(interface: Interface, dtype: str) -> Kernel | None:
    """Returns the kernel of a program whose machine code is in the cache, else None."""
    code = _stored(_file(interface.hash, dtype))
    return None if code is None else Kernel(interface, dtype, code)


def compiled(program: Program, dtype: str) -> Kernel:
    """Returns the kernel of a program; its machine code comes from the cache, or is made and kept there."""
    file = _file(program.hash, dtype)
    code = _stored(file)
    if code is None:
        of = vectors(program, dtype)
        code = _made(file, ir.module(program, of), effort(program, of))
    return Kernel(program.interface, dtype, code)


def vectors(program: Program, dtype: str) -> Vectors:
    """Returns the vectors that a program's kernel computes with: floats for arrays of them, in twice the lanes.

    A program with constants that floats cannot hold computes in double precision.
    """
    sizes = [abs(node.value) for node in program.nodes if node.op == "constant" and node.value]
    if dtype == "float32" and (not sizes or SMALLEST < min(sizes) <= max(sizes) < LARGEST):
        return Vectors(_lanes(dtype), "float", "float")
    return Vectors(engine.processor().lanes, "double", ELEMENTS[dtype])


def _lanes(dtype: str) -> int:
    """Returns the most lanes of a kernel for arrays of a type."""
    return engine.processor().lanes * (2 if dtype == "float32" else 1)


class Stepper:
    """A stepper is a compiled recurrence. `advance` takes packed arrays with one arm per row."""

    def __init__(self, recurrence: Recurrence, lanes: int) -> None:
        """lanes: the most lanes to use; the processor may have fewer"""
        self.lanes = min(lanes, engine.processor().lanes)
        file = _file(recurrence.hash, stepping.NAME, str(self.lanes))
        self._code = _stored(file) or _made(file, stepping.module(recurrence, self.lanes))
        self._call = self._code.function(stepping.NAME, 5, 5)

    def advance(
        self, state: Any, parameters: Any, rows: Any, record: Any, log: Any, every: int, start: int, stop: int
    ) -> None:
        """Steps arms start … stop − 1 once for every row of `rows`, (steps, stages, r); see `Recurrence`.

        state (N, m) and log (N, 3) are changed in place; record is (N, records, m), filled from its beginning
        """
        arrays = (array.ctypes.data for array in (state, parameters, rows, record, log))
        self._call(*arrays, record.strides[0], len(rows), every, start, stop)


def _file(*of: str) -> str:
    """Returns the name of the file with a program's machine code for this processor."""
    host = engine.processor()
    parts = (cache.source_stamp(), *of, host.name, host.features, str(host.lanes), engine.version())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".o"


def _stored(file: str) -> engine.Loaded | None:
    """Returns machine code from the cache, or None."""
    code = cache.read(file)
    return None if code is None else engine.Loaded(code)


def _made(file: str, assembly: str, effort: int = engine.MOST) -> engine.Loaded:
    """Returns machine code of an assembly, made now and kept in the cache; effort: as in `engine.object_code`."""
    code = engine.object_code(assembly, effort)
    cache.write(file, code)
    return engine.Loaded(code)


def _none(*_: Any) -> None:
    """Returns None: this kernel takes no arrays directly."""


def _addresses(arrays: Sequence[Any]) -> tuple[Any, Any]:
    count = len(arrays)
    pointers = (ctypes.c_void_p * count)(*(array.ctypes.data for array in arrays))
    return pointers, (ctypes.c_int64 * count)(*(array.strides[0] for array in arrays))
