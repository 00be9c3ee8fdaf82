"""Makes machine code be placed where its sections are near each other: their references to each other have 32 bits.

LLVM maps each section by itself, and the system takes the highest gap that is large enough. If a small gap lies more
than 2 GB above the next large one, as after large arrays were freed, LLVM would end the process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import PAGESIZE, mmap

FAR = 1 << 30  # bytes; half of what a reference reaches
SECTIONS = 8  # at most, each of which begins a page


@contextmanager
def near(size: int) -> Iterator[None]:
    """Occupies the gaps far above the one in which all sections have room, until the `with` block ends.

    size: of the object file [bytes]
    """
    fillers: list[mmap] = []
    while abs(_start(small := mmap(-1, PAGESIZE)) - _start(large := mmap(-1, size + SECTIONS * PAGESIZE))) > FAR:
        fillers.append(small)
        large.close()
    small.close()
    large.close()
    try:
        yield
    finally:
        for filler in fillers:
            filler.close()


def _start(block: mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(block))
