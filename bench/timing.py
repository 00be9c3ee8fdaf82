"""How long a piece of work takes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any


def seconds(work: Callable[[], Any], repeats: int = 9) -> float:
    """The median of several runs after a first one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return statistics.median(times)


def in_turns(*works: Callable[[], Any], repeats: int = 51) -> list[float]:
    """The median of each work's runs in seconds of processor time, one run of each after the other.

    So their ratios hold where others use the machine, now more and now less.
    """
    times: list[list[float]] = [[] for _ in works]
    for turn in range(repeats + 1):
        for runs, work in zip(times, works, strict=True):
            started = process_time()
            work()
            if turn:
                runs.append(process_time() - started)
    return [statistics.median(runs) for runs in times]


def milliseconds(work: Callable[[], Any], repeats: int = 9) -> float:
    return 1e3 * seconds(work, repeats)
