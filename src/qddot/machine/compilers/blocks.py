"""Runs programs over blocks of states with NumPy, for computers without LLVM."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Interface, Program

BLOCK = 512  # states, which have a few hundred kilobytes of intermediate values


def functions() -> dict[str, Callable[..., Any]]:
    """Returns NumPy's function for each operation."""
    return {name: getattr(np, function) for name, function in column("in_numpy").items()}


class BlockKernel:
    """This kernel runs a program node by node, each over a block of states."""

    lanes = BLOCK

    def __init__(self, program: Program) -> None:
        self.program = program
        with np.errstate(all="ignore"):
            self._walk = Walk(program, functions(), float)

    def run(self, inputs: Sequence[Any], outputs: Sequence[Any], start: int, stop: int) -> None:
        """Computes rows start … stop − 1."""
        with np.errstate(all="ignore"):
            for first in range(start, stop, BLOCK):
                self._block(inputs, outputs, slice(first, min(first + BLOCK, stop)))

    def entry(self, *_: Any) -> None:
        """Returns None, since this kernel has no direct entry: `run` has to compute."""

    def _block(self, inputs: Sequence[Any], outputs: Sequence[Any], rows: slice) -> None:
        values = self._walk([array[rows].T.astype(np.float64) for array in inputs])
        for array, (_, places) in zip(outputs, self.program.result_slices(), strict=True):
            for element, place in enumerate(places):
                array[rows, element] = values[place]


def stored(interface: Interface, dtype: str) -> None:
    """Returns None, since nothing is kept on disk: the program itself runs."""


def compiled(program: Program, dtype: str) -> BlockKernel:
    """Returns the kernel of a program."""
    return BlockKernel(program)
