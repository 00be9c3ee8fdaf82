"""Chooses what compiles and runs programs: LLVM, or NumPy in blocks where LLVM is not installed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from qddot.program.program import Interface, Program

_lock = RLock()


class Kernel(Protocol):
    """A kernel is a compiled program: it computes rows of outputs from rows of inputs."""

    @property
    def lanes(self) -> int:
        """Returns how many rows it computes at once; parts of a batch are multiples of that."""
        ...

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Computes rows start … stop − 1 of two-dimensional arrays, one per port; elements of a row are contiguous."""
        ...

    @property
    def entry(self) -> Callable[..., Any]:
        """Returns the fastest way to call: `entry(*inputs)` or `entry(*inputs, *outputs)` with any NumPy arrays.

        It returns the outputs, or None where it does not take these arrays, so that `run` has to compute.
        """
        ...


class Compiler(Protocol):
    """A compiler makes kernels; dtype: "float64" or "float32", of the arrays, and of the arithmetic where it can be."""

    def stored(self, interface: Interface, dtype: str) -> Kernel | None:
        """Returns the kernel of a program whose code is on disk, else None."""
        ...

    def compiled(self, program: Program, dtype: str) -> Kernel:
        """Returns the kernel of a program, compiled now unless its code is on disk."""
        ...


def compiler() -> Compiler:
    """Returns LLVM where llvmlite is installed, else NumPy in blocks, with one warning."""
    return _llvm() or blocks()


@cache
def _llvm() -> Compiler | None:
    try:
        from qddot.compilers import llvm
    except ModuleNotFoundError:
        # the warning points to the caller of an arm's method
        warnings.warn("llvmlite is not installed: NumPy computes, far more slowly", stacklevel=9)
        return None
    return llvm


def blocks() -> Compiler:
    """Returns the compiler that runs programs with NumPy, one block of states at a time."""
    from qddot.compilers import blocks as by_blocks

    return by_blocks


def making() -> RLock:
    """Returns the lock that is held while code is made, so that other threads find the code of the first."""
    return _lock


def _after_fork() -> None:
    """Makes a new lock in a child process, which has none of its parent's threads to release the old one."""
    global _lock
    _lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
