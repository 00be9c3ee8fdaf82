"""Compiles programs to machine code of this processor, for batches of states."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from qddot.algebra.program.program import Interface, Port, Program
from qddot.machine.compilers.llvm import builtin, codes, engine, entry, ir
from qddot.machine.compilers.llvm.registers import Vectors

ELEMENTS = {"float64": "double", "float32": "float"}
QUICK = 1  # LLVM's effort for an entry: it compiles in 29 ms, not 48, and calls take 0 to 3 % longer
SMALLEST, LARGEST = 1e-30, 1e30  # of constants in single precision, so that their products are still floats


class Kernel:
    """This is a program in machine code.

    `run` computes rows of two-dimensional arrays. `entry` returns the outputs for arguments of the kinds
    that `entry.py` lists, and None for others.
    """

    def __init__(self, interface: Interface, dtype: str, code: engine.Loaded) -> None:
        self.lanes = _lanes(dtype)
        self.code = code
        self._call = code.function("kernel", 4, 2)
        self.entry: Callable[..., Any] = lambda *_: None  # it accepts no arrays directly
        if entry.has_entry(interface.inputs) and builtin.table() is not None:
            ports = (tuple(Port("", port.shape) for port in side) for side in (interface.inputs, interface.outputs))
            taking = _entry(*ports, ELEMENTS[dtype], interface.is_guarded)
            self.entry = builtin.function(taking.address(entry.NAME), code.address("kernel"), taking, code)

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Computes rows start … stop − 1; rows have a constant stride, and elements within a row are contiguous."""
        arguments = (*_addresses(inputs), *_addresses(outputs))
        self._call(*arguments, start, stop)


def stored(interface: Interface, dtype: str) -> Kernel | None:
    """Returns the kernel of a program whose machine code is in the cache, else None."""
    code = codes.stored(interface.hash, dtype)
    return None if code is None else Kernel(interface, dtype, code)


def compiled(program: Program, dtype: str) -> Kernel:
    """Returns the kernel of a program; its machine code comes from the cache, or is compiled and kept there."""
    code = codes.code((program.hash, dtype), lambda: ir.module(program, vectors(program, dtype)))
    return Kernel(program.interface, dtype, code)


@cache
def _entry(inputs: tuple[Port, ...], outputs: tuple[Port, ...], element: str, guarded: bool) -> engine.Loaded:
    """Returns the code of the entry for ports of some shapes, which many kernels share."""
    facts = ("entry", *(str([port.shape for port in side]) for side in (inputs, outputs)), element, str(guarded))
    return codes.code(facts, lambda: (entry.module(inputs, outputs, element, guarded), QUICK))


def vectors(program: Program, dtype: str) -> Vectors:
    """Returns the vectors of a program's kernel: of floats for arrays of floats, in twice as many lanes.

    A program with constants that are too large or too small for floats computes in double precision.
    """
    sizes = [abs(node.value) for node in program.nodes if node.op == "constant" and node.value]
    if dtype == "float32" and (not sizes or SMALLEST < min(sizes) <= max(sizes) < LARGEST):
        return Vectors(_lanes(dtype), "float", "float")
    return Vectors(engine.processor().lanes, "double", ELEMENTS[dtype])


def _lanes(dtype: str) -> int:
    """Returns the most lanes of a kernel for arrays of a type."""
    return engine.processor().lanes * (2 if dtype == "float32" else 1)


def _addresses(arrays: Sequence[Any]) -> tuple[Any, Any]:
    count = len(arrays)
    pointers = (ctypes.c_void_p * count)(*(array.ctypes.data for array in arrays))
    return pointers, (ctypes.c_int64 * count)(*(array.strides[0] for array in arrays))
