"""Shares a batch among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def shared(work: Callable[[int, int], None], count: int, lanes: int, workers: int) -> None:
    """Calls work(start, stop) over 0 … count in equal parts of whole blocks of lanes, one per worker."""
    share = -(-count // max(workers, 1) // lanes) * lanes
    if workers <= 1 or share >= count:
        work(0, count)
        return
    jobs = [_pool(workers).submit(work, start, min(start + share, count)) for start in range(share, count, share)]
    work(0, share)
    for job in jobs:
        job.result()


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="qddot")


if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
