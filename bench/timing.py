"""How long a piece of work takes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter
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


def milliseconds(work: Callable[[], Any], repeats: int = 9) -> float:
    return 1e3 * seconds(work, repeats)
