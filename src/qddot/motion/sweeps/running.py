"""Runs the chunks of a job that its store does not have, on threads or on a cluster, and writes each as it ends."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import field
from threading import Event
from typing import Any, Protocol

import numpy as np

from qddot.base.errors import SweepError
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.machine.compilers import threads
from qddot.motion.sweeps.chunks import FIRST_BODY, engine_of, processor
from qddot.motion.sweeps.job import Job
from qddot.motion.sweeps.store import Store

TRIES = 3
AHEAD = 2  # chunks in the queue, so that no worker has to wait for one


@record()
class Outcome:
    """An outcome of a chunk is its arrays and the processor that made them, or an error."""

    k: int
    arrays: dict[str, Any] = field(default_factory=dict)
    processor: str = ""
    error: Exception | None = None


class Workers(Protocol):
    """Workers run chunks, as many at once as they have room for."""

    @property
    def room(self) -> int:
        """Returns how many more chunks may be started."""
        ...

    def start(self, k: int) -> None:
        """Starts a chunk."""
        ...

    def ended(self) -> Iterator[Outcome]:
        """Waits until some chunks have ended, and yields their outcomes.

        raises SweepError: no further chunk will end
        """
        ...

    def close(self) -> None:
        """Cancels the chunks that have not ended."""
        ...


class Threads:
    """These are threads of this process, which share machine code that runs without Python's lock.

    If the system cannot start another thread, the caller's thread runs a chunk itself.
    """

    def __init__(self, job: Job, count: int) -> None:
        self._engine, self._count, self._given_up = engine_of(job), min(count, threads.most()), Event()
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="qddot-sweep")
        self._waiting: deque[tuple[int, Future[dict[str, Any]]]] = deque()
        self._running: dict[Future[dict[str, Any]], int] = {}

    @property
    def room(self) -> int:
        return self._count + AHEAD - len(self._running)

    def start(self, k: int) -> None:
        future: Future[dict[str, Any]] = Future()
        self._running[future] = k
        self._waiting.append((k, future))
        try:
            self._pool.submit(self._run)
        except RuntimeError:  # the system starts no more threads
            self._run()

    def _run(self) -> None:
        """Runs the first chunk in the queue, if there is one."""
        try:
            k, future = self._waiting.popleft()
        except IndexError:
            return
        try:
            future.set_result(self._engine.chunk(k, self._given_up))
        except BaseException as error:
            future.set_exception(error)

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
        self._given_up.set()
        self._waiting.clear()
        self._pool.shutdown(cancel_futures=True)


def run(job: Job, store: Store, workers: Workers, strict: bool, progress: Callable[[float], None]) -> None:
    """Runs all chunks that the store does not have.

    raises SweepError: chunks that failed three times, when all others have ended; with strict=True, a physically
    impossible draw; errors of the workers and the store. In every case the chunks in the store are kept.
    """
    there = store.finished
    waiting, tries, failed = deque(map(int, np.flatnonzero(~there))), Counter[int](), dict[int, Exception]()
    running, count = 0, int(there.sum())
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
            store.add(outcome.k, outcome.arrays)
            count += 1
            progress(count / job.chunks)
    if failed:
        raise _failure(job, failed)


def _check_possible(job: Job, outcome: Outcome) -> None:
    """Raises SweepError for the first run of a chunk with a physically impossible body."""
    arrays, status = outcome.arrays, outcome.arrays["status"]
    bad = np.flatnonzero((status >= FIRST_BODY) & (status < job.first_guard))
    if len(bad):
        i = int(bad[0])
        values = ", ".join(f"{label} = {arrays[f'value_{label}'][i]:.6g}" for label in job.drawn.labels)
        body = job.bodies.names[status[i] - FIRST_BODY] if job.bodies else ""
        raise SweepError("impossible-draw", number=job.part(outcome.k)[0] + i, body=repr(body), values=values)


def _failure(job: Job, failed: dict[int, Exception]) -> SweepError:
    k, error = next(iter(failed.items()))
    start, stop = job.part(k)
    others = say("and-other-chunks", count=len(failed) - 1) if len(failed) > 1 else ""
    return SweepError(
        "chunk-failed",
        k=k,
        start=start,
        last=stop - 1,
        others=others,
        tries=TRIES,
        kind=type(error).__name__,
        problem=error,
        finished=job.chunks - len(failed),
    )
