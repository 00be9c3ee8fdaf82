"""Recycles the memory of large results when the last array that uses it is gone.

The operating system clears and maps large memory page by page at the first access, which takes longer than most
functions take to fill it. Here a result is an array over a lease, which every view of the result keeps alive. When the
lease ends, its block of memory returns to the waiting blocks; if these are too many, the oldest are freed. The system
may reclaim the memory of waiting blocks beyond `KEPT` bytes if it runs short.
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

LEAST = 8 << 20  # bytes of a call's results; C libraries recycle smaller memory: 2 MiB take 25 µs instead of 32
FREE = getattr(mmap, "MADV_FREE", None)  # advice that pages may be reclaimed, on Linux and macOS
HUGE = getattr(mmap, "MADV_HUGEPAGE", None)  # advice to use large pages, which are mapped sooner
PRIVATE: dict[str, Any] = {} if FREE is None else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
KEPT = 128 << 20  # bytes that wait and are not reclaimed: mass matrices take 21 ns a state, 52 in new memory
MOST = KEPT if FREE is None else 1 << 30  # the most bytes that wait; if reclaimable, 23 to 35 ns a state
SPARE = 8  # a block may be larger than its result by 1/8 of it

_waiting: deque[_Block] = deque()  # its methods are atomic, so that threads and the garbage collector need no lock


class _Block(np.ndarray[Any, Any]):
    """This is a block of memory.

    It has a type of its own, since NumPy replaces the base of a new array by the base's own base if their types are the
    same: a result would keep its block alive, but not its lease.
    """

    pages: mmap.mmap


class _Lease(np.ndarray[Any, Any]):
    """This is a block that one result and all its views use."""

    block: _Block | None = None  # None for a view

    def __del__(self) -> None:
        if self.block is not None:
            _give_back(self.block)


def empties(shapes: Sequence[tuple[int, ...]], dtype: str) -> list[NDArray[Any]]:
    """Returns uninitialised arrays, as np.empty does, in recycled memory if they are large together."""
    sizes = [math.prod(shape) * np.dtype(dtype).itemsize for shape in shapes]
    if sum(sizes) < LEAST:
        return [np.empty(shape, dtype) for shape in shapes]
    return [_array(shape, dtype, size) for shape, size in zip(shapes, sizes, strict=True)]


def _array(shape: tuple[int, ...], dtype: str, size: int) -> NDArray[Any]:
    """Returns an array over a block of at least `size` bytes."""
    block = _block(size)
    lease = np.ndarray.__new__(_Lease, shape, dtype, buffer=block)
    lease.block = block
    return np.ndarray(shape, dtype, buffer=lease)


def _block(size: int) -> _Block:
    """Returns a block that nothing else refers to: one that waited, or a new one."""
    for _ in range(len(_waiting)):
        try:
            block = _waiting.popleft()
        except IndexError:  # another thread took the last one
            break
        if size <= block.nbytes <= size + size // SPARE:
            # a caller may have kept the base of a base
            if sys.getrefcount(block) <= 2:
                return block
            continue
        _waiting.append(block)
    return _new_block(size)


def _new_block(size: int) -> _Block:
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
    """Returns the number of bytes of the waiting blocks."""
    return sum(each.nbytes for each in tuple(_waiting))
