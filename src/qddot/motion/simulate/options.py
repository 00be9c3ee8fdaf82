"""Options say how runs and sweeps are computed and stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from qddot.base.checked import whole
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record


@record(kw_only=True)
class Options:
    """These options say how a run or a sweep is computed and stored.

    record_every: 10 keeps one in ten samples, and so on. Without it a run keeps all of its samples, and a sweep keeps
        about 100 of each run.
    store: a Zarr folder to which the samples of a run, or the results of a sweep, are written while it is computed, so
        that memory holds only a part of them. None keeps all in memory. overwrite: whether to delete what `qddot`
        stored in that folder
    threads: how many threads share the work, by default one for each core
    progress: a function that is called with the completed fraction
    chunk: how many runs of a sweep are computed together and stored in one file
    scheduler: the Dask cluster that runs a sweep: "tcp://host:port", a Client, or "local", which starts one here.
    Without it threads run the sweep.
    raises SimulationError: `threads` is not a positive integer, or `progress` is not a function
    """

    record_every: int | None = None
    store: str | Path | None = None
    overwrite: bool = False
    threads: int | None = None
    progress: Callable[[float], None] | None = None
    chunk: int | None = None
    scheduler: Any = None

    def __post_init__(self) -> None:
        if self.threads is not None:
            whole(self.threads, "threads", 1, error=SimulationError)
        if self.progress is not None and not callable(self.progress):
            raise SimulationError("progress-no-function", progress=shortened(self.progress))


def options_of(options: Any) -> Options:
    """Returns the options that a user gives, or the default ones for None. raises SimulationError: anything else"""
    if options is None:
        return Options()
    if not isinstance(options, Options):
        raise SimulationError("not-options", options=shortened(options))
    return options


def options_of_run(options: Any) -> Options:
    """Returns the options of one run. raises SimulationError: neither Options nor None, or options of a sweep"""
    chosen = options_of(options)
    for what in ("scheduler", "chunk"):
        if getattr(chosen, what) is not None:
            raise SimulationError("option-of-sweeps", what=what)
    return chosen
