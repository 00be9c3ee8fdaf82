"""Workers of a Dask cluster give the same bytes as threads, and may come late, die, or be lost with their scheduler."""

from __future__ import annotations

import http.client
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from refusals import refusal
from short_sweeps import SHORT, digest, short_plan, sweep

import qddot
from qddot.motion.sweeps import cluster, store
from qddot.motion.sweeps.preparing import prepared

if TYPE_CHECKING:
    from distributed import LocalCluster  # it is loaded where it is used, since each worker of the tests would load it


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    with cluster.local_cluster(1) as made:
        yield made


@pytest.fixture(scope="module")
def whole(two_link: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bytes of a store that threads made."""
    path = tmp_path_factory.mktemp("sweep") / "whole.zarr"
    sweep(two_link, options=qddot.Options(store=path), **SHORT)
    return digest(path)


def test_a_cluster_writes_the_bytes_of_threads(
    workers: LocalCluster, whole: str, two_link: qddot.Robot, tmp_path: Path
) -> None:
    sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr", scheduler=workers.scheduler_address), **SHORT)
    assert digest(tmp_path / "s.zarr") == whole


def test_a_worker_that_is_killed_is_replaced(
    workers: LocalCluster, whole: str, two_link: qddot.Robot, tmp_path: Path
) -> None:
    from distributed import Client

    killed: list[int] = []
    with Client(workers, set_as_default=False) as client:

        def kill(part: float) -> None:
            if part > 0.3 and not killed:
                killed.extend(client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr", scheduler=client, progress=kill), **SHORT)
        assert client.status == "running"  # it is the caller's
        assert killed[0] not in client.run(os.getpid).values()
    assert digest(tmp_path / "s.zarr") == whole


def test_a_chunk_that_is_lost_with_its_worker_is_computed_again(workers: LocalCluster, two_link: qddot.Robot) -> None:
    from distributed import Client

    with Client(workers, set_as_default=False) as client:
        mine = cluster.Cluster(prepared(two_link.model, short_plan()), client)
        mine.start(3)
        ((_, future),) = mine._running.values()
        future.result()
        (worker,) = client.run(os.getpid).values()
        os.kill(worker, signal.SIGKILL)
        while future.status == "finished":
            time.sleep(0.01)
        (outcome,) = mine.ended()
        assert outcome.k == 3 and len(outcome.arrays["status"])
        mine.close()


def test_a_lost_chunk_leaves_the_client_its_time(workers: LocalCluster, two_link: qddot.Robot) -> None:
    """Dask calls back at once while a future is lost, so that its status must not be asked for without a pause."""
    lost = Lost()
    with closing(cluster.Cluster(prepared(two_link.model, short_plan()), workers.scheduler_address)) as running:
        lost.add_done_callback(running._ended.put)
        running._running[lost.key] = 0, lost  # type: ignore[assignment]
        begun = time.monotonic()
        (outcome,) = running.ended()
    assert outcome.k == 0 and isinstance(outcome.error, TypeError)  # what is no future has no result
    assert time.monotonic() - begun > (Lost.TIMES - 1) * cluster.PAUSE


class Lost:
    """A future that is lost for some looks at it, and ends in an error."""

    TIMES, key = 5, "lost"
    looks = 0

    @property
    def status(self) -> str:
        return "lost" if self.looks < self.TIMES else "error"

    def add_done_callback(self, told: Callable[[Any], None]) -> None:
        self.looks += 1
        told(self)


def test_a_worker_that_comes_late_takes_its_share(workers: LocalCluster, two_link: qddot.Robot) -> None:
    from distributed import Client

    job = prepared(two_link.model, short_plan())
    with Client(workers, set_as_default=False) as client:
        early = set(client.nthreads())
        mine = cluster.Cluster(job, client)
        room = mine.room
        workers.scale(2)
        client.wait_for_workers(2)
        assert mine.room == 2 * room
        (late,) = set(client.nthreads()) - early
        _, _, arrays = client.submit(cluster.chunk, job.digest, cluster.version(), 3, workers=[late]).result()
        assert len(arrays["status"]) == job.chunk
        mine.close()


def test_all_that_we_start_listens_to_this_machine_alone(two_link: qddot.Robot) -> None:
    addresses: set[str] = set()

    def look(part: float) -> None:
        me = psutil.Process()
        for process in (me, *me.children(recursive=True)):
            with suppress(psutil.Error):
                open_ports = (each for each in process.net_connections() if each.status == psutil.CONN_LISTEN)
                addresses.update(each.laddr.ip for each in open_ports)

    sweep(two_link, options=qddot.Options(scheduler="local", progress=look), **SHORT | {"draws": 48})
    assert addresses == {"127.0.0.1"}


@pytest.mark.parametrize("page", ["/", "/status", "/info/main/workers.html", "/json/counts.json"])
def test_a_cluster_that_we_start_shows_no_page(page: str, workers: LocalCluster) -> None:
    asked = http.client.HTTPConnection("127.0.0.1", workers.scheduler.http_server.port, timeout=5)  # type: ignore[union-attr]
    asked.request("GET", page)
    answer = asked.getresponse()
    answer.close()
    asked.close()
    assert answer.status == 404


def test_another_version_of_qddot_is_refused(
    workers: LocalCluster, two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.0")
    with refusal(qddot.QddotError, "another-version-there", qddot.__version__, "0.0.0"):
        sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr", scheduler=workers.scheduler_address), **SHORT)
    assert not (tmp_path / "s.zarr").exists()


def test_a_scheduler_that_does_not_answer_is_named_and_nothing_is_overwritten(
    two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    path = tmp_path / "s.zarr"
    sweep(two_link, options=qddot.Options(store=path), **SHORT)
    before = digest(path)
    for address in ("tcp://127.0.0.1:1", "banana", "tcp://127.0.0.1:x"):
        with refusal(qddot.QddotError, "scheduler-silent"):
            sweep(two_link, options=qddot.Options(store=path, overwrite=True, scheduler=address), **SHORT)
    assert digest(path) == before


def test_a_scheduler_that_is_lost_loses_no_finished_chunk(
    whole: str, two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    path = tmp_path / "s.zarr"
    with cluster.local_cluster(1, processes=False) as doomed:

        def end(part: Any) -> None:
            if part > 0.3:
                doomed.close()

        with refusal(qddot.QddotError, "scheduler-lost"):
            sweep(
                two_link, options=qddot.Options(store=path, scheduler=doomed.scheduler_address, progress=end), **SHORT
            )
    assert 0 < store.opened(path).finished.sum() < 13
    sweep(two_link, options=qddot.Options(store=path), **SHORT)
    assert digest(path) == whole
