"""Measures how long a piece of work takes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any


def stopwatch(clock: Callable[[], float] = perf_counter) -> Callable[[], float]:
    """Starts, and returns a function for the seconds since then."""
    begun = clock()
    return lambda: clock() - begun


def runs(work: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> list[float]:
    """The seconds of several runs after a first one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        elapsed = stopwatch(clock)
        work()
        times.append(elapsed())
    return times


def seconds(work: Callable[[], Any], repeats: int = 9) -> float:
    """The median of several runs."""
    return statistics.median(runs(work, repeats, perf_counter))


def milliseconds(work: Callable[[], Any], repeats: int = 9) -> float:
    return 1e3 * seconds(work, repeats)


def least(work: Callable[[], Any], repeats: int = 9, calls: int = 1) -> float:
    """Returns a call's seconds of processor time: the least mean of several runs, as others run meanwhile."""

    def run() -> None:
        for _ in range(calls):
            work()

    return min(runs(run, repeats, process_time)) / calls


def in_turns(*works: Callable[[], Any], repeats: int = 51) -> list[float]:
    """The median of each work's runs in seconds of processor time, one run of each after the other.

    So their ratios are right even if the load of the machine changes.
    """
    times: list[list[float]] = [[] for _ in works]
    for turn in range(repeats + 1):
        for taken, work in zip(times, works, strict=True):
            elapsed = stopwatch(process_time)
            work()
            if turn:
                taken.append(elapsed())
    return [statistics.median(taken) for taken in times]
