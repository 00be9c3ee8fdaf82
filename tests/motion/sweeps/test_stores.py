"""A store has the same bytes however it was made, and loses no finished chunk."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from short_sweeps import SHORT, digest, short_plan, sweep

import qddot
from qddot.motion.sweeps import chunks, running, store
from qddot.motion.sweeps.preparing import prepared

KEPT: dict[str, Any] = {**SHORT, "draws": 120, "reduce": ["final", "whole", "quantiles"]}
TENTH = partial(qddot.Options, record_every=10)


@pytest.fixture(scope="module")
def whole(two_link: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was made at once."""
    path = tmp_path_factory.mktemp("sweep") / "whole.zarr"
    sweep(two_link, options=TENTH(store=path, threads=1), **KEPT)
    return path


@pytest.fixture(scope="module")
def chunk(two_link: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one chunk, to be copied and changed."""
    path = tmp_path_factory.mktemp("sweep") / "chunk.zarr"
    sweep(two_link, options=TENTH(store=path), **KEPT | {"draws": 16})
    return path


def test_any_number_of_threads_writes_the_same_bytes(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    sweep(two_link, options=TENTH(store=tmp_path / "other.zarr", threads=3), **KEPT)
    assert digest(tmp_path / "other.zarr") == digest(whole)


def test_a_run_does_not_depend_on_the_others(two_link: qddot.Robot) -> None:
    many, few = (sweep(two_link, **{**SHORT, "draws": n, "chunk": size}) for n, size in ((200, 16), (60, 7)))
    assert np.array_equal(many.q_final[:60], few.q_final)


def test_the_answer_in_memory_is_that_on_disk(whole: Path, two_link: qddot.Robot) -> None:
    import xarray as xr

    xr.testing.assert_identical(sweep(two_link, options=TENTH(), **KEPT), qddot.load_sweep(whole))


def test_xarray_reads_a_store_by_itself(whole: Path) -> None:
    import xarray as xr

    data = xr.open_zarr(whole, chunks=None, consolidated=False)
    assert data.q.dims == ("run", "time", "joint") and data.q.shape == (120, 6, 2)
    assert data.value_m2.attrs["units"] == "kg" and data.time.attrs["units"] == "s"


class Broken(Exception):
    """What stops a sweep in the middle."""


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
def test_calling_again_finishes_the_rest(
    error: Any, whole: Path, two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.zarr"
    done: list[Any] = []

    def stop(part: float) -> None:
        if part > 0.5:
            raise error

    with pytest.raises(error):
        sweep(two_link, options=TENTH(store=path, progress=stop), **KEPT)
    begun = qddot.load_sweep(path)
    assert 0 < int((begun.status == -1).sum()) < 120
    assert np.isnan(begun.q_final[(begun.status == -1).values]).all()
    monkeypatch.setattr(chunks.Engine, "chunk", _counting(chunks.Engine.chunk, done))
    sweep(two_link, options=TENTH(store=path), **KEPT)
    assert digest(path) == digest(whole) and 0 < len(done) < 8
    sweep(two_link, options=TENTH(store=path), **KEPT)  # all is there: nothing runs
    assert len(done) < 8


def _counting(run: Any, done: list[int]) -> Any:
    def counted(self: Any, k: int, *given_up: Any) -> Any:
        done.append(k)
        return run(self, k, *given_up)

    return counted


SCRIPT = """
import sys, qddot
from short_sweeps import sweep
from test_stores import KEPT, TENTH
from qddot.motion.sweeps import store
import time
if sys.argv[2] == "slow":
    write = store.Store.add
    store.Store.add = lambda *a: (time.sleep(0.02), write(*a))
sweep(qddot.load("two_link"), options=TENTH(store=sys.argv[1]), **KEPT)
"""


@pytest.mark.thorough
def test_a_killed_process_loses_no_finished_chunk(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    path, tests = tmp_path / "s.zarr", Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])}
    begun = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), "slow"], env=environment)
    while not list(path.glob("finished/c/*/0")) and begun.poll() is None:
        time.sleep(0.005)
    begun.send_signal(signal.SIGKILL)
    assert begun.wait() == -signal.SIGKILL
    (path / "q" / "c" / "0").mkdir(parents=True, exist_ok=True)
    (path / "q" / "c" / "0" / "0.123.partial").write_bytes(b"half")  # as Zarr names what is not finished
    finished = store.opened(path).finished
    assert 0 < finished.sum() < len(finished)
    sweep(two_link, options=TENTH(store=path), **KEPT)
    assert digest(path) == digest(whole)


@pytest.mark.thorough
def test_a_sweep_that_breaks_twenty_times_at_random_is_finished_with_the_same_bytes(
    two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It breaks before some file is written, in the middle of a chunk or between a chunk and its mark."""
    from zarr.storage import _local

    job, path, rng, put = prepared(two_link.model, short_plan()), tmp_path / "s.zarr", random.Random(1), _local._put

    def run(path: Path) -> None:
        workers = running.Threads(job, 1)
        try:
            there = store.existing(job, path, False)
            with there.alone() if there else store.created(job, path, False) as kept:
                running.run(job, kept, workers, False, lambda _: None)
        finally:
            workers.close()

    for k in range(20):
        left = rng.randrange(1, 10) + (0 if k else 30)  # making the store takes some 15 files

        def breaking(target: Path, *rest: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Broken
            return put(target, *rest, **options)

        monkeypatch.setattr(_local, "_put", breaking)
        with pytest.raises(Broken):
            run(path)
    monkeypatch.undo()
    assert 0 < store.opened(path).finished.sum() < 13
    assert [each.name for each in tmp_path.iterdir()] == ["s.zarr"]
    run(path)
    run(tmp_path / "whole.zarr")
    assert digest(path) == digest(tmp_path / "whole.zarr")


def test_a_full_disk_loses_no_finished_chunk(
    whole: Path, two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zarr.storage import _local

    path, put, files = tmp_path / "s.zarr", _local._put, []

    def full(target: Path, *rest: Any, **options: Any) -> Any:
        files.append(target)
        if len(files) > 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return put(target, *rest, **options)

    monkeypatch.setattr(_local, "_put", full)
    with refusal(qddot.QddotError, "chunk-not-written", "disk-full"):
        sweep(two_link, options=TENTH(store=path), **KEPT)
    monkeypatch.undo()
    sweep(two_link, options=TENTH(store=path), **KEPT)
    assert digest(path) == digest(whole)


def test_a_chunk_that_fails_is_tried_three_times_and_then_named(
    two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, tried = chunks.Engine.chunk, []

    def failing(self: Any, k: int, *given_up: Any) -> Any:
        if k in (3, 5):
            tried.append(k)
            if k == 3 or tried.count(5) < 3:
                raise MemoryError("no room for it")
        return run(self, k, *given_up)

    monkeypatch.setattr(chunks.Engine, "chunk", failing)
    with refusal(qddot.QddotError, "chunk-failed", "3", "48", "63", "MemoryError"):
        sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr"), **SHORT)
    assert (tried.count(3), tried.count(5)) == (3, 3)
    assert store.opened(tmp_path / "s.zarr").finished.sum() == 12  # of 13
    monkeypatch.undo()
    assert (sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr"), **SHORT).status == 0).all()


def test_another_sweep_is_overwritten_only_if_asked(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    other = {**KEPT, "seed": 3}
    with refusal(qddot.QddotError, "store-of-another-sweep"):
        sweep(two_link, options=TENTH(store=path), **other)
    assert digest(path) == digest(whole)
    sweep(two_link, options=TENTH(store=path, overwrite=True), **other)
    assert digest(path) != digest(whole)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["s.zarr"]


def test_what_is_no_store_is_never_deleted(two_link: qddot.Robot, tmp_path: Path) -> None:
    for name, content in (("zarr.json", "{}"), ("letter.txt", "dear all"), ("zarr.json", '{"attributes": [1]}')):
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(content)
        with refusal(qddot.QddotError, "no-store-of", "sweep"):
            sweep(two_link, options=qddot.Options(store=folder, overwrite=True), **SHORT)
        assert (folder / name).read_text() == content


def test_a_link_to_a_store_is_read_and_not_overwritten(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    link, before = tmp_path / "link.zarr", digest(whole)
    link.symlink_to(whole)
    sweep(two_link, options=TENTH(store=link), **KEPT)
    with refusal(qddot.QddotError, "store-is-a-link"):
        sweep(two_link, options=TENTH(store=link, overwrite=True), **KEPT)
    assert link.is_symlink() and digest(whole) == before


def test_one_process_at_a_time_runs_a_store(whole: Path) -> None:
    with (
        store.opened(whole).alone(),
        refusal(qddot.QddotError, "store-in-use"),
        store.opened(whole).alone(),
    ):
        pass


THREE = """
import os, sys, time, xarray, zarr, qddot
from pathlib import Path
from short_sweeps import sweep
from test_stores import KEPT, TENTH
from qddot.base.system import stores

here, name, others = Path(sys.argv[1]), 0, []
for k in (1, 2):
    others.append(os.fork())
    if others[-1] == 0:  # another process, which goes on from here
        name, others = k, []
        break

def waiting(pattern, count):
    while len(list(here.glob(pattern))) < count:
        time.sleep(0.005)

fill = stores.Kind.seal
def sealed(self, place, *names):  # a new store, before it takes its place: every process has seen that there is none
    fill(self, place, *names)
    (here / f"ready{name}").touch()
    waiting("ready*", 3)

stores.Kind.seal = sealed
try:
    # the one that runs goes on when the others have been told
    course = {"store": here / "s.zarr", "overwrite": True, "progress": lambda part: waiting("told*", 2)}
    sweep(qddot.load("two_link"), options=TENTH(**course), **KEPT)
    (here / f"said{name}").write_text("finished")
except qddot.QddotError as error:
    (here / f"said{name}").write_text(str(error))
    (here / f"told{name}").touch()
for other in others:
    os.waitpid(other, 0)
"""


@pytest.mark.thorough
def test_of_three_processes_that_make_a_store_at_once_one_runs_it(whole: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    begun = subprocess.Popen([sys.executable, "-c", THREE, str(tmp_path)], env=environment, start_new_session=True)
    try:
        begun.wait(timeout=240)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(begun.pid, signal.SIGKILL)
    said = sorted((tmp_path / f"said{k}").read_text() for k in range(3))
    assert said == [f"{tmp_path / 's.zarr'}: another process is using it; wait until it has ended"] * 2 + ["finished"]
    assert digest(tmp_path / "s.zarr") == digest(whole)


def test_a_store_stays_with_the_process_that_runs_it(two_link: qddot.Robot, tmp_path: Path) -> None:
    """Also when a chunk has been written, and with overwrite=True."""
    path, told, few = tmp_path / "s.zarr", [], KEPT | {"draws": 48}

    def another(part: float) -> None:
        for overwrite in (False, True) if part < 1 else ():
            with refusal(qddot.QddotError, "store-in-use"):
                sweep(two_link, options=TENTH(store=path, overwrite=overwrite), **few)
            told.append(overwrite)

    assert (sweep(two_link, options=TENTH(store=path, progress=another), **few).status == 0).all()
    assert {*told} == {False, True}


@pytest.mark.parametrize(
    "change",
    [
        {"codecs": [{"name": "numcodecs.pickle"}]},
        {"codecs": [{"name": "vlen-utf8"}]},
        {"data_type": "object"},
        {"data_type": "variable_length_bytes"},
        {"codecs": 3},
        {"storage_transformers": [{"name": "x"}]},
    ],
)
def test_arrays_that_could_run_code_are_not_read(change: Any, chunk: Path, tmp_path: Path) -> None:
    shutil.copytree(chunk, tmp_path / "s.zarr")
    about = tmp_path / "s.zarr" / "q_final" / "zarr.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | change))
    store.SWEEPS.seal(tmp_path / "s.zarr")  # as somebody who changes it on purpose would
    with refusal(qddot.QddotError, "not-array-of", "sweep"):
        qddot.load_sweep(tmp_path / "s.zarr")


POSSIBLE: tuple[str, list[Any]] = ("variables", [])  # a value that is valid in a sealed store


@pytest.mark.parametrize("key", ["digest", "plan", "chunk", "variables", "joints", "runs"])
@pytest.mark.parametrize("value", [None, [], {}, -1, "x"])
@pytest.mark.parametrize("sealed", [False, True])
def test_damaged_metadata_is_an_error_of_ours(sealed: bool, key: str, value: Any, chunk: Path, tmp_path: Path) -> None:
    shutil.copytree(chunk, tmp_path / "s.zarr")
    about = tmp_path / "s.zarr" / "zarr.json"
    content = json.loads(about.read_text())
    content["attributes"][key] = value
    about.write_text(json.dumps(content))
    if sealed:  # by somebody who changes it on purpose
        store.SWEEPS.seal(tmp_path / "s.zarr")
    if sealed and (key, value) == POSSIBLE:
        assert "time" in qddot.load_sweep(tmp_path / "s.zarr").dims
        return
    with pytest.raises(qddot.QddotError, match=r"s\.zarr"):
        qddot.load_sweep(tmp_path / "s.zarr")


@pytest.mark.parametrize(
    ("package", "how", "says"),
    [("zarr", {}, "zarr is not installed"), ("distributed", {"scheduler": "local"}, "dask is not installed")],
)
def test_a_missing_package_is_named(
    package: str, how: Any, says: str, two_link: qddot.Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "qddot.motion.sweeps.cluster", raising=False)
    with pytest.raises(qddot.QddotError, match=rf'{says}; run `pip install "\.\[sweep\]"` in a clone'):
        sweep(two_link, options=qddot.Options(**how), **SHORT)


@pytest.mark.parametrize("path", ["", "\0", 3, "/dev/null/s.zarr"])
def test_a_path_that_cannot_be_is_an_error_of_ours(path: Any, two_link: qddot.Robot) -> None:
    says = "cannot be written" if str(path).startswith("/") else "a store .*; expected a folder's name"
    with pytest.raises(qddot.QddotError, match=says):
        sweep(two_link, options=qddot.Options(store=path), **SHORT)
    with pytest.raises(qddot.QddotError, match=says):
        qddot.load_sweep(path)
