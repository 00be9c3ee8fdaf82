"""Shares work among the threads of one pool, in pieces so short that a keyboard interrupt is handled soon."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock, RLock
from time import perf_counter

EACH = 4  # threads of the pool per core; more are no faster
PIECE = 0.02  # seconds that a piece should take
GROWN = 8.0  # the most by which a piece is longer than the one before, as a factor
FEWEST_ROWS = 256  # a thread takes 25 µs to start, as long as so many derivatives of a Panda
FIRST_ROWS = 4096  # of the first piece, which take less than PIECE with any robot's functions
SHORTEST = 16  # near the end, pieces become shorter, down to this part of their length

Work = Callable[[int, int], None]


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most() -> int:
    """Returns the most threads that compute at once, whatever a caller requests."""
    return EACH * cores()


def shared(work: Work, count: int, lanes: int, workers: int, first: int = 1) -> None:
    """Calls work(start, stop) over 0 … count, in pieces of whole blocks of lanes, on at most `workers` threads.

    The caller's thread is one of them, and does all pieces if the system starts no other. After an error, no further
    piece is begun. No thread is working any more when this function ends.

    first: rows of the first piece of each thread; the time that it takes determines the length of the next ones
    raises: the first error of a piece; the exception of a signal, once the running pieces have ended
    """
    if count <= max(first, lanes):
        work(0, count)
        return
    workers = min(workers, -(-count // lanes))
    pieces = _Pieces(work, count, lanes, first, min(workers, most()) if workers > 1 else 1)
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
    """These are the pieces of one call; its threads take one after the other."""

    def __init__(self, work: Work, count: int, lanes: int, first: int, workers: int) -> None:
        self.workers = workers
        self.error: BaseException | None = None
        self._work, self._count, self._lanes, self._first = work, count, lanes, first
        self._next, self._lock = 0, Lock()

    def run(self) -> None:
        """Works on one piece after the other until none is left."""
        rows = float(self._first)
        while piece := self._piece(rows):
            start = perf_counter()
            self._work(*piece)
            rows = (piece[1] - piece[0]) * min(GROWN, PIECE / max(perf_counter() - start, 1e-9))

    def help(self, lock: RLock) -> None:
        """Works on pieces on another thread, which holds a lock meanwhile; does nothing if the lock is taken."""
        if not lock.acquire(blocking=False):
            return
        try:
            self.run()
        except BaseException as error:
            self.error = self.error or error
            self.leave()
        finally:
            lock.release()

    def leave(self) -> None:
        """Cancels the pieces that were not begun."""
        with self._lock:
            self._next = self._count

    def _piece(self, rows: float) -> tuple[int, int] | None:
        """Returns the next piece, of about `rows` rows, or fewer near the end; None when no rows are left."""
        with self._lock:
            start, left = self._next, self._count - self._next
            if left <= 0:
                return None
            rows = min(rows, max(rows / SHORTEST, left / self.workers))
            self._next = min(start + -(-max(int(rows), 1) // self._lanes) * self._lanes, self._count)
            return start, self._next


def _start(pieces: _Pieces, helpers: list[RLock]) -> None:
    """Lets threads of the pool help, as many as the system can start."""
    try:
        for lock in helpers:
            _pool().submit(pieces.help, lock)
    except RuntimeError:
        # tasks in the queue of a pool without threads would stay there
        _pool.cache_clear()


def _wait(helpers: list[RLock]) -> None:
    """Waits until no helper is working; an exception of a signal is raised afterwards."""
    raised: BaseException | None = None
    for lock in helpers:
        while True:
            try:
                with lock:
                    break
            except BaseException as error:
                raised = error
    if raised is not None:
        raise raised


@cache
def _pool() -> ThreadPoolExecutor:
    """Returns the process's pool, which starts a thread when all its others are busy."""
    return ThreadPoolExecutor(most(), thread_name_prefix="qddot")


if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
