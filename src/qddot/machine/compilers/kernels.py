"""Chooses the compiler for programs: LLVM, or NumPy in blocks if LLVM is not installed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from qddot.base.words.message import say
from qddot.algebra.program.program import Interface, Program

_lock = RLock()


class Kernel(Protocol):
    """A kernel is a compiled program: it computes rows of outputs from rows of inputs."""

    @property
    def lanes(self) -> int:
        """Returns how many rows it computes at once; batches are split into multiples of this number."""
        ...

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Computes rows start … stop − 1 of two-dimensional arrays, one per port; a row's elements are contiguous."""
        ...

    @property
    def entry(self) -> Callable[..., Any]:
        """Returns the fastest way to call: `entry(*inputs)` or `entry(*inputs, *outputs)` with any NumPy arrays.

        It returns the outputs, or None if it does not accept these arrays; then `run` has to compute.
        """
        ...


class Compiler(Protocol):
    """A compiler makes kernels; dtype: "float64" or "float32", for the arrays and, if possible, for the arithmetic."""

    def stored(self, interface: Interface, dtype: str) -> Kernel | None:
        """Returns the kernel of a program if its code is on disk, else None."""
        ...

    def compiled(self, program: Program, dtype: str) -> Kernel:
        """Returns the kernel of a program, which is compiled unless its code is on disk."""
        ...


def compiler() -> Compiler:
    """Returns LLVM if llvmlite is installed, otherwise warns once and returns NumPy in blocks."""
    return _llvm() or blocks()


@cache
def _llvm() -> Compiler | None:
    try:
        from qddot.machine.compilers import llvm
    except ModuleNotFoundError:
        # the warning points to the caller of an arm's method
        warnings.warn(str(say("numpy-instead-of-llvmlite")), stacklevel=9)
        return None
    return llvm


def blocks() -> Compiler:
    """Returns the compiler that runs programs with NumPy, one block of states at a time."""
    from qddot.machine.compilers import blocks as by_blocks

    return by_blocks


def making() -> RLock:
    """Returns the lock that is held during compilation, so that other threads wait and find the compiled code."""
    return _lock


def _after_fork() -> None:
    """Makes a new lock in a child process, since no thread there can release one that the parent held."""
    global _lock
    _lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
