"""A Stretch is a piece of time over which arms are integrated by steps of their own; its log says where they are."""

from __future__ import annotations

from typing import Any, NamedTuple

SECONDS, BEYOND, SAMPLE, LENGTH = range(
    2, 6
)  # columns of the log behind STATUS and STEPS; the time is SECONDS + BEYOND
COLUMNS = 6


class Stretch(NamedTuple):
    """A stretch has the arrays that an integrator reads and changes while it runs N arms to the end of the stretch.

    state (N, m) and log (N, COLUMNS) are changed in place, record (N, R, m) takes the states at the first `samples` of
    `times`. parameters: (N, p). settings: two numbers of the method, the end, more of them
    In the log, LENGTH is the step that comes next, 0 where none is known.
    """

    state: Any
    parameters: Any
    times: Any
    record: Any
    log: Any
    settings: Any
    samples: int
