"""Defines Stretch: an interval of time over which each arm is integrated with its own steps."""

from __future__ import annotations

from typing import Any, NamedTuple

SECONDS, BEYOND, SAMPLE, LENGTH = range(2, 6)  # columns of the log after STATUS and STEPS; the time is SECONDS + BEYOND
COLUMNS = 6


class Stretch(NamedTuple):
    """A stretch has the arrays that an integrator reads and changes while it advances N arms to the end.

    state (N, m) and log (N, COLUMNS) are changed in place; record (N, R, m) receives the states at the first `samples`
    of `times`. parameters: (N, p). settings: two numbers of the method, the end time, then any others. In the log,
    LENGTH is the length of the next step, 0 if it is not known.
    """

    state: Any
    parameters: Any
    times: Any
    record: Any
    log: Any
    settings: Any
    samples: int
