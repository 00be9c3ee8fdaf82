"""Refuses a sweep that needs more memory or disk than is free, before any run."""

from __future__ import annotations

import shutil
from math import prod
from pathlib import Path

import numpy as np

from qddot.base.errors import SweepError
from qddot.motion.simulate.runs import capacity
from qddot.motion.sweeps.designs import Latin
from qddot.motion.sweeps.job import Job
from qddot.motion.sweeps.quantiles import PILOT
from qddot.motion.sweeps.store_layout import Layout, layouts

DRAWING = 4  # arrays that SciPy holds at once for a design that cannot be drawn in parts


def check(job: Job, store: str | Path | None, finished: int, at_once: int) -> None:
    """Raises SweepError if a job or its answer needs more memory or disk than is free.

    finished: number of finished chunks; at_once: chunks that run in this process at once
    """
    if isinstance(job.design, Latin):
        drawn = 8 * DRAWING * job.runs * job.design.dimensions
        purpose = f"a latin design of {job.runs} runs, which cannot be drawn in parts, takes"
        _check(drawn, purpose, "take a sobol or a random design")
    states = max(1, job.samples)
    remedy = "keep fewer states by Options(record_every=…), or run fewer at once by Options(chunk=…)"
    purpose = f"chunks of {min(job.chunk, job.runs)} runs with {states} states each, {at_once} at once, take"
    _check(at_once * _working(job, job.chunk), purpose, remedy)
    if job.tubes:
        purpose = f"the first runs, {states} states each, which set the edges of the quantiles, take"
        _check(_working(job.pilot(PILOT), PILOT), purpose, remedy)
    answer = {each.name: _bytes(job, each) for each in layouts(job)}
    if store is None:
        remedy = 'Options(store="sweep.zarr") keeps it on disk; or take fewer draws or fewer results in reduce='
        _check(sum(answer.values()), f"the answer of {job.runs} runs takes", remedy)
        return
    least = sum(answer[each.name] for each in layouts(job) if not each.packed)
    size, there = least * (job.chunks - finished) // job.chunks, shutil.disk_usage(Path(store).absolute().parent).free
    if size > there:
        needed, free = capacity.apart(size, there)
        raise SweepError("answer-runs-takes", runs=job.runs, needed=needed, store=store, free=free)


def _check(size: int, purpose: str, remedy: str) -> None:
    capacity.check_free(size, purpose, lambda _: remedy, SweepError)


def _bytes(job: Job, of: Layout) -> int:
    count = job.chunks if of.per_chunk else job.runs
    return int(count * prod(of.sizes) * np.dtype(of.dtype).itemsize)


def _working(job: Job, chunk: int) -> int:
    """Returns the bytes that computing so many runs takes: their states over time, and the results."""
    state, own = job.recurrence.state_size, sum(each.size for each in job.variables)
    each = job.samples * (state + sum(size for _, size in job.kept.values())) + 2 * (
        state + job.recurrence.parameter_size + own
    )
    return 8 * min(chunk, job.runs) * each
