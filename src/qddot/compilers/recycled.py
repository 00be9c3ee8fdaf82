"""Memory of large results, which is used again when the last array over it is gone.

A system hands out large memory page by page, each cleared and mapped at the first touch, which takes longer than most
functions take to fill it. Here a result is an array over a lease; every view of the result keeps the lease, and with
the lease the memory goes back to the blocks that wait, of which the oldest go first. What waits beyond `KEPT` bytes is
memory that a system may take when it has no other.
"""

from __future__ import annotations

import math
import mmap
import sys
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = 8 << 20  # bytes of a call's results: C libraries keep smaller memory themselves, 2 MiB take 25 µs where 32
FREE = getattr(mmap, "MADV_FREE", None)  # advice that pages may be taken, on Linux and macOS
HUGE = getattr(mmap, "MADV_HUGEPAGE", None)  # advice that pages may be large, which are sooner made
PRIVATE: dict[str, Any] = {} if FREE is None else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
KEPT = 128 << 20  # bytes that wait and stay a process's own: mass matrices take 21 ns a state, 52 in new memory
MOST = KEPT if FREE is None else 1 << 30  # bytes that wait at the most: there, where they may be taken, 23 to 35 ns
SPARE = 8  # a block may be larger than its result by such a part of it

_waiting: deque[_Block] = deque()  # its methods are atomic, so that threads and collectors need no lock


class _Block(np.ndarray[Any, Any]):
    """This is memory, in a type of its own: NumPy names the last array of one type as the base of a view."""

    pages: mmap.mmap


class _Lease(np.ndarray[Any, Any]):
    """This is a block in use by one result and all its views."""

    block: _Block | None = None  # none of a view

    def __del__(self) -> None:
        if self.block is not None:
            _give_back(self.block)


def empties(shapes: Sequence[tuple[int, ...]], dtype: str) -> list[NDArray[Any]]:
    """Returns arrays of any content, as np.empty does, in memory that is recycled where they are large together."""
    sizes = [math.prod(shape) * np.dtype(dtype).itemsize for shape in shapes]
    if sum(sizes) < LEAST:
        return [np.empty(shape, dtype) for shape in shapes]
    return [_leased(shape, dtype, size) for shape, size in zip(shapes, sizes, strict=True)]


def _leased(shape: tuple[int, ...], dtype: str, size: int) -> NDArray[Any]:
    """Returns an array over a block of so many bytes."""
    block = _taken(size)
    lease = np.ndarray.__new__(_Lease, shape, dtype, buffer=block)
    lease.block = block
    return np.ndarray(shape, dtype, buffer=lease)


def _taken(size: int) -> _Block:
    """Returns a block that nothing else refers to: one that waited, or a new one."""
    for _ in range(len(_waiting)):
        try:
            block = _waiting.popleft()
        except IndexError:  # another thread took the last one
            break
        if size <= block.nbytes <= size + size // SPARE:
            # somebody may have kept the base of a base
            if sys.getrefcount(block) <= 2:
                return block
            continue
        _waiting.append(block)
    return _new(size)


def _new(size: int) -> _Block:
    """Returns a block of the system's memory."""
    pages = mmap.mmap(-1, size, **PRIVATE)
    if HUGE is not None:
        pages.madvise(HUGE)
    block = np.ndarray.__new__(_Block, size, np.uint8, buffer=pages)
    block.pages = pages
    return block


def _give_back(block: _Block) -> None:
    if FREE is not None and block.nbytes + _bytes() > KEPT:
        block.pages.madvise(FREE)
    _waiting.append(block)
    while _bytes() > MOST:
        try:
            _waiting.popleft()
        except IndexError:
            return


def _bytes() -> int:
    """Returns how many bytes wait."""
    return sum(each.nbytes for each in tuple(_waiting))
