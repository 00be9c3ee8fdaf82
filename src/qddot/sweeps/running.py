"""Runs the chunks of a job that its store does not have, on threads or on a cluster, and writes each as it comes."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from qddot.errors import SweepError
from qddot.sweeps.chunks import FIRST_BODY, engine_of, processor
from qddot.sweeps.job import Job
from qddot.sweeps.store import Store

TRIES = 3
AHEAD = 2  # chunks that wait behind those that run, so that no worker waits for a chunk


@dataclass(frozen=True)
class Outcome:
    """This is what became of a chunk: its arrays and the processor that made them, or an error."""

    k: int
    arrays: dict[str, Any] = field(default_factory=dict)
    processor: str = ""
    error: Exception | None = None


class Workers(Protocol):
    """Workers run chunks: as many at once as there is room for."""

    @property
    def room(self) -> int:
        """Returns how many more chunks may be started."""
        ...

    def start(self, k: int) -> None:
        """Starts a chunk."""
        ...

    def ended(self) -> Iterator[Outcome]:
        """Waits until some chunks have ended, and yields what became of each.

        raises SweepError: no chunk will end any more
        """
        ...

    def close(self) -> None:
        """Gives up the chunks that have not ended."""
        ...


class Threads:
    """These are threads of this process, which share machine code that runs without Python's lock."""

    def __init__(self, job: Job, count: int) -> None:
        self._engine, self._count = engine_of(job), count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="qddot-sweep")
        self._running: dict[Future[dict[str, Any]], int] = {}

    @property
    def room(self) -> int:
        return self._count + AHEAD - len(self._running)

    def start(self, k: int) -> None:
        self._running[self._pool.submit(self._engine.chunk, k)] = k

    def ended(self) -> Iterator[Outcome]:
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            k, error = self._running.pop(future), future.exception()
            if error is None:
                yield Outcome(k, future.result(), processor())
            elif isinstance(error, Exception):
                yield Outcome(k, error=error)
            else:
                raise error

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(job: Job, store: Store, workers: Workers, strict: bool, progress: Callable[[float], None]) -> None:
    """Runs all chunks that the store does not have.

    raises SweepError: chunks that failed three times, after all others; with strict=True, a run that no body can do;
    what the workers and the store raise. Whatever is raised, the chunks that the store has stay.
    """
    there = store.finished
    waiting, tries, failed = deque(map(int, np.flatnonzero(~there))), Counter[int](), dict[int, Exception]()
    running, done = 0, int(there.sum())
    while waiting or running:
        while waiting and workers.room > 0:
            workers.start(waiting.popleft())
            running += 1
        for outcome in workers.ended():
            running -= 1
            if outcome.error is not None:
                tries[outcome.k] += 1
                if tries[outcome.k] < TRIES:
                    waiting.append(outcome.k)
                else:
                    failed[outcome.k] = outcome.error
                continue
            if strict:
                _check_possible(job, outcome)
            store.note_processor(outcome.processor)
            store.write(outcome.k, outcome.arrays)
            done += 1
            progress(done / job.chunks)
    if failed:
        raise _failure(job, failed)


def _check_possible(job: Job, outcome: Outcome) -> None:
    """Raises SweepError for the first run of a chunk with a body that cannot be."""
    arrays, status = outcome.arrays, outcome.arrays["status"]
    bad = np.flatnonzero((status >= FIRST_BODY) & (status < job.first_guard))
    if len(bad):
        i = int(bad[0])
        values = ", ".join(f"{label} = {arrays[f'value_{label}'][i]:.6g}" for label in job.labels)
        body = job.bodies.names[status[i] - FIRST_BODY] if job.bodies else ""
        raise SweepError(
            f"run {job.part(outcome.k)[0] + i}: no body has the mass and inertia of link {body!r} at {values}",
            remedy="draw other values, or strict=False to leave such runs out",
        )


def _failure(job: Job, failed: dict[int, Exception]) -> SweepError:
    k, error = next(iter(failed.items()))
    start, stop = job.part(k)
    others = f", and {len(failed) - 1} other chunks" if len(failed) > 1 else ""
    return SweepError(
        f"chunk {k} (runs {start} to {stop - 1}){others} failed {TRIES} times: {type(error).__name__}: {error}",
        remedy=f"the other {job.chunks - len(failed)} chunks are kept; calling again tries these once more",
    )
