"""A saved file holds the run, whole; on a full disk the old files stay, and the process goes on and saves elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
import xarray as xr
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import SimulationError
from qddot.faces.run import Run
from qddot.papers.draw import plot


def converted(*_: Any) -> None:
    if main(["convert", "two_link", "--to", "tree", "-o", "arm.toml", "--overwrite"]):
        raise SimulationError("the command failed")


WAYS: dict[str, Callable[[qddot.Robot, Run], object]] = {
    "run.nc": lambda arm, run: run.save("run.nc", overwrite=True),
    "run.csv": lambda arm, run: run.save("run.csv", overwrite=True),
    "equations.json": lambda arm, run: arm.equations().save("equations.json", overwrite=True),
    "two_link.c": lambda arm, run: arm.export("c", ["gravity"], ".", overwrite=True),
    "two_link.py": lambda arm, run: arm.export("python", ["gravity"], ".", overwrite=True),
    "picture.pdf": lambda arm, run: plot.save(run.plot(), "picture.pdf", overwrite=True),
    "movie.mp4": lambda arm, run: run.movie("movie.mp4", True, duration=0.2, fps=10, size=(160, 90)),
    "frame_00000.png": lambda arm, run: run.pictures(".", True, duration=0.2, fps=10, size=(160, 90)),
    "arm.toml": converted,
}


@contextmanager
def limited(size: int) -> Iterator[None]:
    """No file that this process or a child of it writes can be larger."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.skipif(os.name == "nt", reason="a limit of POSIX stands for the full disk")
@pytest.mark.parametrize("name", WAYS)
def test_on_a_full_disk_the_old_file_stays(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With 0 bytes the first write fails, with 300 one in the middle; what is printed meanwhile goes to no file."""
    monkeypatch.chdir(tmp_path)
    arm = qddot.load("two_link")
    arm.equations()
    Path(name).write_text("old")
    for size in (0, 300):
        with limited(size), pytest.raises(qddot.QddotError):
            WAYS[name](arm, run)
        assert Path(name).read_text() == "old"
        assert os.listdir() == [name]
    WAYS[name](arm, run)
    assert Path(name).read_bytes() != b"old"


def test_of_two_runs_saved_at_once_one_is_there_whole(tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    runs = [arm.simulate([q, 0], method="rk4", duration=1, step=0.001) for q in (1, 2)]
    whole = [run.save(tmp_path / f"{k}.csv").read_bytes() for k, run in enumerate(runs)]
    threads = [Thread(target=run.save, args=(tmp_path / "both.csv",)) for run in runs * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "both.csv").read_bytes() in whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.csv", "1.csv", "both.csv"]


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_no_link_can_be_planted_where_a_file_is_made(tmp_path: Path) -> None:
    run = qddot.load("two_link").simulate([1, 0], method="rk4", duration=0.1, step=0.01)
    (tmp_path / "precious").write_text("mine")
    for suffix in ("csv", "nc", "gif"):
        (tmp_path / f".run.{os.getpid()}.{suffix}").symlink_to("precious")
    run.save(tmp_path / "run.csv")
    run.save(tmp_path / "run.nc")
    run.movie(tmp_path / "run.gif", fps=10, size=(160, 90))
    plot.save(run.plot(), tmp_path / "run.png")
    assert (tmp_path / "precious").read_text() == "mine"
    assert not any((tmp_path / f"run.{suffix}").is_symlink() for suffix in ("csv", "nc", "gif", "png"))


@pytest.mark.parametrize("batch", [False, True])
def test_files_hold_the_run(batch: bool, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    q0 = [[2.0, 0.3], [1.5, 0.1]] if batch else [2.0, 0.3]
    made = arm.simulate(q0, None, 1.0, 0.01, method="rk4", event=lambda t, q, qd: 1.6 - q[0] if not batch else t - 0.5)
    again = Run.load(made.save(tmp_path / "a.nc"))
    xr.testing.assert_identical(again.data, made.data)
    assert again.q.shape == made.q.shape
    assert str(again.stops) == str(made.stops)
    assert np.array_equal(again.energy.balance, made.energy.balance, equal_nan=True)
    with refusal(SimulationError, "run-not-repeatable"):
        again.trust()
    with refusal(SimulationError, "run-from-a-file"):
        again.plot_path()
    lines = made.save(tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "arm,time,q_q1,q_q2,qd_q1,qd_q2,tau_q1,tau_q2,K,P"
    assert len(lines) == 1 + 101 * (2 if batch else 1)
    first = [float(x) for x in lines[2].split(",")]
    assert first[2:4] == made.data.q.values[0, 1].tolist()


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.nc").write_text("no")
    xr.Dataset({"x": 1}).to_netcdf(tmp_path / "b.nc", engine="h5netcdf")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.nc")
    for name in ("a.nc", "b.nc", "c.nc", "pipe.nc"):
        with refusal(SimulationError, "not-a-run"):
            Run.load(tmp_path / name)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("a.xyz", "the format .xyz"),
        ("a", "without a suffix"),
        ("/dev/null/a.nc", "cannot be written"),
        (3, "a path"),
        (".nc", "suffix"),
        ("a\0b.nc", "a path"),
        ("\ud800.nc" if sys.platform == "linux" else 3, "a path"),
    ],
)
def test_paths_that_cannot_be(run: Run, path: Any, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for write in (run.save, run.movie):
        is_film = write == run.movie and path == "/dev/null/a.nc"
        with pytest.raises(SimulationError, match="format|written" if is_film else says):
            write(path)


def test_saved_files_are_as_readable_as_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    assert run.save(tmp_path / "a.nc").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert {path.name for path in tmp_path.iterdir()} == {"plain", "a.nc"}
