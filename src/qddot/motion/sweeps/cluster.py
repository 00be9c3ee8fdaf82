"""Runs chunks on the workers of a Dask cluster; the job goes to each worker once, also to those that join late.

A scheduler runs any code that its clients send. Only the client writes the store, so that workers need no shared disk.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from time import sleep
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, WorkerPlugin

from qddot.base.errors import SweepError, shortened
from qddot.base.version import __version__
from qddot.base.words.message import Words, say
from qddot.machine.compilers.threads import cores
from qddot.motion.sweeps.chunks import engine_of, processor
from qddot.motion.sweeps.job import Job
from qddot.motion.sweeps.running import Outcome

LOCAL, HERE = "local", "127.0.0.1"
PATIENCE = 10.0  # seconds for a scheduler to answer
PAUSE = 0.05  # seconds between two looks at a chunk whose worker has ended
_jobs: dict[str, Job] = {}  # the jobs that a worker has, by their digests


def local_cluster(workers: int, processes: bool = True) -> LocalCluster:
    """Returns a new cluster on this machine, which accepts only local connections and has no dashboard."""
    with dask.config.set({f"distributed.{each}.http.routes": [] for each in ("scheduler", "worker")}):
        return LocalCluster(
            n_workers=workers,
            processes=processes,
            threads_per_worker=1,
            host=HERE,
            protocol="tcp://",
            dashboard_address=f"{HERE}:0",
            worker_dashboard_address=f"{HERE}:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )


class JobPlugin(WorkerPlugin):  # type: ignore[misc]
    """This sends a job to each worker, before its first chunk."""

    idempotent = True

    def __init__(self, job: Job) -> None:
        self.name = f"qddot-{job.digest}"
        self._job = job

    def setup(self, worker: Any) -> None:
        """Keeps the job."""
        _jobs[self._job.digest] = self._job

    def teardown(self, worker: Any) -> None:
        """Forgets the job."""
        _jobs.pop(self._job.digest, None)


def version() -> str:
    """Returns the version of qddot that a worker has."""
    return __version__


def chunk(digest: str, version: str, k: int) -> tuple[str, str, dict[str, Any]]:
    """Returns (a worker's version of qddot, its processor, a chunk's arrays); no arrays with another version."""
    if version != __version__:
        return __version__, "", {}
    return __version__, processor(), engine_of(_jobs[digest]).chunk(k)


class Cluster:
    """These are the workers of a Dask cluster."""

    def __init__(self, job: Job, scheduler: Any) -> None:
        """scheduler: an address, a Client, or "local" for a cluster on this machine, which ends with the sweep.

        raises SweepError: a scheduler that does not answer, or workers with another version of qddot
        """
        self._job, self._running = job, {}  # type: Job, dict[str, tuple[int, Future]]
        self._ended: SimpleQueue[Future] = SimpleQueue()
        self._count = 0
        self._own: list[Any] = []  # resources that are closed at the end
        self._client = self._connected(scheduler)
        try:
            self._check_versions()
            self._plugin = JobPlugin(job)
            self._client.register_plugin(self._plugin)
        except BaseException:
            self._close_own()
            raise

    def _connected(self, scheduler: Any) -> Client:
        if isinstance(scheduler, Client):
            return scheduler
        if not isinstance(scheduler, str):
            raise SweepError("no-such-scheduler", scheduler=shortened(scheduler))
        address: Any = scheduler
        if scheduler == LOCAL:
            address = local_cluster(cores())
            self._own.append(address)
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SweepError("scheduler-silent", scheduler=shortened(scheduler), problem=error) from error
        self._own.insert(0, client)
        return client

    def _check_versions(self) -> None:
        try:
            versions = self._client.run(version)
        except Exception as error:
            raise SweepError("workers-without-qddot", problem=error) from error
        for address, theirs in versions.items():
            _check_version(theirs, address)

    @property
    def room(self) -> int:
        with self._answering():
            threads = int(sum(self._client.nthreads().values()))
        return max(1, 2 * threads) - len(self._running)  # one chunk waits for each that runs

    def start(self, k: int) -> None:
        self._count += 1
        key = f"qddot-{self._job.digest}-{k}-{self._count}"
        with self._answering():
            future = self._client.submit(chunk, self._job.digest, __version__, k, key=key, pure=False)
        self._running[key] = k, future
        future.add_done_callback(self._ended.put)

    def ended(self) -> Iterator[Outcome]:
        while self._client.status in ("running", "connecting"):
            with suppress(Empty):
                future = self._ended.get(timeout=1.0)
                if future.status in ("lost", "pending"):  # its worker has ended, and another one computes it again
                    sleep(PAUSE)  # a lost one comes back at once, again and again, and would keep the loop busy
                    future.add_done_callback(self._ended.put)
                    continue
                yield self._outcome(future)
                return
        raise self._lost()

    def _outcome(self, future: Future) -> Outcome:
        k, _ = self._running.pop(future.key)
        if future.status == "cancelled":
            raise self._lost()
        try:
            theirs, made_by, arrays = self._client.gather(future, direct=True)
        except CancelledError as error:
            raise self._lost() from error
        except Exception as error:
            return Outcome(k, error=error)
        _check_version(theirs, say("a-worker"))
        return Outcome(k, arrays, made_by)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raises SweepError if a request to the scheduler fails, since the scheduler was then lost."""
        try:
            yield
        except (OSError, RuntimeError, CancelledError) as error:
            raise self._lost() from error

    def _lost(self) -> SweepError:
        return SweepError("scheduler-lost")

    def close(self) -> None:
        with suppress(Exception, CancelledError):
            self._client.cancel([future for _, future in self._running.values()])
            self._client.unregister_worker_plugin(self._plugin.name)
        self._close_own()

    def _close_own(self) -> None:
        for each in self._own:
            with suppress(Exception):
                each.close()


def _check_version(theirs: str, where: Words) -> None:
    if theirs != __version__:
        raise SweepError("another-version-there", place=where, theirs=theirs, version=__version__)
