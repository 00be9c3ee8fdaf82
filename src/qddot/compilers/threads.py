"""Shares work among the threads of one pool, in pieces so short that a keyboard interrupt is soon heard."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock, RLock
from time import perf_counter

EACH = 4  # threads of the pool for each core: more of them make nothing faster
PIECE = 0.02  # seconds of computing in a piece
GROWN = 8.0  # a piece is longer than the one before by such a factor at the most
SHORTEST = 16  # parts of a piece that are worth being given away when little is left

Work = Callable[[int, int], None]


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most() -> int:
    """Returns how many threads compute at once at the most, however many are asked for."""
    return EACH * cores()


def shared(work: Work, count: int, lanes: int, workers: int, first: int = 1) -> None:
    """Calls work(start, stop) over 0 … count, in pieces of whole blocks of lanes, on so many threads or fewer.

    The caller's thread is one of them. It takes all pieces itself where the system starts no other. Whatever is
    raised, no thread is at work any more when this ends, and the pieces that were not begun are left.

    first: rows of the first piece of each thread; how long the next ones are follows from the time that it takes
    raises: the first error of a piece; what a signal raises, after the running pieces
    """
    if count <= max(first, lanes):
        work(0, count)
        return
    pieces = _Pieces(work, count, lanes, first, min(workers, most(), -(-count // lanes)))
    helpers = [RLock() for _ in range(pieces.workers - 1)]
    try:
        _start(pieces, helpers)
        pieces.run()
    finally:
        pieces.leave()
        _wait(helpers)
    if pieces.error is not None:
        raise pieces.error


class _Pieces:
    """These are the pieces of one call, which its threads take one by one."""

    def __init__(self, work: Work, count: int, lanes: int, first: int, workers: int) -> None:
        self.workers = workers
        self.error: BaseException | None = None
        self._work, self._count, self._lanes, self._first = work, count, lanes, first
        self._next, self._lock = 0, Lock()

    def run(self) -> None:
        """Does one piece after the other until none is left."""
        rows = float(self._first)
        while piece := self._taken(rows):
            begun = perf_counter()
            self._work(*piece)
            rows = (piece[1] - piece[0]) * min(GROWN, PIECE / max(perf_counter() - begun, 1e-9))

    def help(self, held: RLock) -> None:
        """Does pieces on another thread, which holds a lock meanwhile; none if somebody waits for it already."""
        if not held.acquire(blocking=False):
            return
        try:
            self.run()
        except BaseException as error:
            self.error = self.error or error
            self.leave()
        finally:
            held.release()

    def leave(self) -> None:
        """Leaves the pieces that were not begun."""
        with self._lock:
            self._next = self._count

    def _taken(self, rows: float) -> tuple[int, int] | None:
        """Returns the next piece of about so many rows, smaller ones where little is left, or None at the end."""
        with self._lock:
            start, left = self._next, self._count - self._next
            if left <= 0:
                return None
            rows = min(rows, max(rows / SHORTEST, left / self.workers))
            self._next = min(start + -(-max(int(rows), 1) // self._lanes) * self._lanes, self._count)
            return start, self._next


def _start(pieces: _Pieces, helpers: list[RLock]) -> None:
    """Asks threads of the pool to help, as many as the system starts."""
    try:
        for held in helpers:
            _pool().submit(pieces.help, held)
    except RuntimeError:
        # what waits in the queue of a pool without threads would stay there
        _pool.cache_clear()


def _wait(helpers: list[RLock]) -> None:
    """Waits until no helper is at work; what signals raise meanwhile is raised afterwards."""
    raised: BaseException | None = None
    for held in helpers:
        while True:
            try:
                with held:
                    break
            except BaseException as error:
                raised = error
    if raised is not None:
        raise raised


@cache
def _pool() -> ThreadPoolExecutor:
    """Returns the pool of the process, which starts threads when all that it has are busy."""
    return ThreadPoolExecutor(most(), thread_name_prefix="qddot")


if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
