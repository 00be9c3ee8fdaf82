"""Refuses a sweep that needs more memory or disk than is free, before any run."""

from __future__ import annotations

import shutil
from math import prod
from pathlib import Path

import numpy as np

from qddot.base.errors import SweepError
from qddot.base.system import files
from qddot.base.words.message import Message, say
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
        purpose = say("latin-design-takes", runs=job.runs)
        _check(drawn, purpose, say("take-sobol-or-random"))
    states = max(1, job.samples)
    remedy = say("keep-fewer-states")
    purpose = say("chunks-take", runs=min(job.chunk, job.runs), states=states, at_once=at_once)
    _check(at_once * _working(job, job.chunk), purpose, remedy)
    if job.tubes:
        _check(_working(job.pilot(PILOT), PILOT), say("first-runs-take", states=states), remedy)
    answer = {each.name: _bytes(job, each) for each in layouts(job)}
    if store is None:
        _check(sum(answer.values()), say("answer-takes", runs=job.runs), say("keep-answer-on-disk"))
        return
    least = sum(answer[each.name] for each in layouts(job) if not each.packed)
    size = least * (job.chunks - finished) // job.chunks
    there = shutil.disk_usage(files.existing(Path(store).absolute().parent)).free
    if size > there:
        needed, free = capacity.apart(size, there)
        raise SweepError("answer-too-large-for-disk", runs=job.runs, needed=needed, store=store, free=free)


def _check(size: int, purpose: Message, remedy: Message) -> None:
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
