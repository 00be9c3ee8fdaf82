"""What runs a compiled program, and who makes it: LLVM, or NumPy in blocks where LLVM is not installed."""

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
    """A compiled program: it computes rows of outputs from rows of inputs."""

    @property
    def lanes(self) -> int:
        """How many rows it computes at once: shares of a batch are multiples of that."""
        ...

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Compute rows start … stop − 1 of two-dimensional arrays, one a port, with elements of a row side by side."""
        ...

    @property
    def entry(self) -> Callable[..., Any]:
        """The shortest way in: `entry(*inputs)` or `entry(*inputs, *outputs)` with NumPy's arrays as they come.

        It answers with the outputs, or with None where it does not take these arrays, and `run` has to.
        """
        ...


class Compiler(Protocol):
    """A maker of kernels; dtype: of the arrays, "float64" or "float32"."""

    def stored(self, interface: Interface, dtype: str) -> Kernel | None:
        """The kernel of a program of which the code is on disk, else None."""
        ...

    def compiled(self, program: Program, dtype: str) -> Kernel:
        """The kernel of a program, compiled now unless its code is on disk."""
        ...


def compiler() -> Compiler:
    """LLVM where llvmlite is installed, else NumPy in blocks, with a warning once."""
    return _llvm() or blocks()


@cache
def _llvm() -> Compiler | None:
    try:
        from qddot.compilers import llvm
    except ModuleNotFoundError:
        # said to whoever called a method of an arm
        warnings.warn("llvmlite is not installed: NumPy computes, far more slowly", stacklevel=9)
        return None
    return llvm


def blocks() -> Compiler:
    """NumPy, a block of states at a time."""
    from qddot.compilers import blocks as by_blocks

    return by_blocks


def making() -> RLock:
    """The lock that is held while code is made: what one thread makes, the others find."""
    return _lock


def _after_fork() -> None:
    """A child process has none of its parent's threads, so that nobody would open their locks."""
    global _lock
    _lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
