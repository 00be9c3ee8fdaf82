"""A run that is streamed to a store has the samples of one in memory; what is written stays readable."""

from __future__ import annotations

import errno
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from refusals import refusal

import qddot
from qddot import laws
from qddot.apps.cli import main
from qddot.base.errors import SimulationError
from qddot.faces.run import Run
from qddot.motion.simulate import simulation
from qddot.motion.simulate.runs import run_store

pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)


class Remembering:
    """A law that remembers, which is called in order of time."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, t: float, q: Any, qd: Any) -> Any:
        self.calls += 1
        return -q * (self.calls % 7)


class Leaning:
    """A law that declares a state."""

    z0 = (0.0, 0.0)

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return -20 * q - z - 4 * qd, q


def branching(t: float, q: Any, qd: Any) -> Any:
    return [3.0 if t < 0.1 else -3.0, 0.0]


ONE, TWO = [1.0, 0.2], [[1.0, 0.2], [2.0, 0.1]]
ASKED: dict[str, dict[str, Any]] = {
    "one arm with forces": {"q0": ONE, "forces": qddot.forces.SpringDamper("tool", (1, 0, 0), 5.0), "record_every": 3},
    "two arms, one of which stops": {"q0": TWO, "torque": lambda: branching, "event": lambda t, q, qd: q[1] - 0.5},
    "a memory": {"q0": TWO, "torque": lambda: laws.made(Remembering), "method": "semi-implicit", "record_every": 3},
    "sampled, with a state": {"q0": ONE, "torque": lambda: laws.sampled(Leaning(), 0.02)},
    "called and sampled": {
        "q0": ONE,
        "torque": lambda: laws.sampled(laws.made(Remembering), 0.02),
        "m2": [1.0, 2.0],
    },
    "called by SciPy": {"q0": TWO, "torque": lambda: branching, "method": "dop853"},
    "no time": {"q0": ONE, "duration": 0},
}


@pytest.mark.parametrize("case", ASKED)
def test_a_streamed_run_has_the_samples_of_one_in_memory(case: str, arm: qddot.Robot, tmp_path: Path) -> None:
    asked = {"duration": 0.3, "step": 0.01, "method": "rk4", **ASKED[case]}
    record_every, made = asked.pop("record_every", 1), {}
    for store in (None, tmp_path / "run.zarr"):
        law = asked["torque"]() if "torque" in asked else None
        options = qddot.Options(store=store, record_every=record_every)
        made[store] = arm.simulate(**{**asked, "torque": law}, options=options)
    whole, streamed = made.values()
    assert streamed.complete and str(streamed.stops) == str(whole.stops)
    assert len(whole.stops) == ("event" in asked)
    xr.testing.assert_identical(streamed.data.load(), whole.data)
    again = qddot.Run.load(tmp_path / "run.zarr")
    xr.testing.assert_identical(again.data.load(), whole.data)
    assert again.complete and str(again.stops) == str(whole.stops)
    assert np.array_equal(again.q, whole.q, equal_nan=True) and again.q.shape == whole.q.shape
    assert np.array_equal(again.energy.balance, whole.energy.balance, equal_nan=True)
    if case == "a memory":
        assert str(streamed.trust()) == str(whole.trust())


@pytest.mark.parametrize(("method", "within"), [("taylor", 1e-11), ("dop853", 1e-7), ("radau", 1e-6)])
def test_a_streamed_run_with_steps_of_its_own_ends_one_with_each_block(
    method: str, within: float, arm: qddot.Robot, tmp_path: Path
) -> None:
    times = np.linspace(0, 1, 7)
    asked: dict[str, Any] = {"q0": TWO, "duration": 0.34, "step": 0.01, "method": method}
    asked |= {"torque": (times, np.outer(np.sin(9 * times), [1, 2])), "event": lambda t, q, qd: q[1] - 0.8}
    whole = arm.simulate(**asked)
    streamed = arm.simulate(options=qddot.Options(store=tmp_path / "run.zarr"), **asked)
    assert len(whole.stops) == 1 and streamed.complete
    # steps have other lengths: in each a series is right to rounding, other methods to their tolerance
    xr.testing.assert_allclose(streamed.data, whole.data, rtol=within, atol=within / 10)
    assert [stop.time for stop in streamed.stops] == pytest.approx([stop.time for stop in whole.stops], rel=within)


SCRIPT = """
import sys, time, qddot
arm = qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)
options = qddot.Options(store=sys.argv[1], progress=lambda part: time.sleep(0.01))
arm.simulate([1, 0.2], duration=1000, step=0.01, method="rk4", options=options)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.thorough
def test_a_killed_process_leaves_what_was_written(arm: qddot.Robot, tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    begun = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], env=environment)
    while not (path / "finished" / "c" / "0" / "0").exists() and begun.poll() is None:
        time.sleep(0.005)
    begun.send_signal(signal.SIGKILL)
    assert begun.wait() == -signal.SIGKILL
    left = Run.load(path)
    assert not left.complete and "interrupted" in repr(left)
    count = len(left.time)
    assert 1000 <= count < 100_001 and np.isfinite(left.q).all() and np.isfinite(left.energy.balance).all()
    whole = arm.simulate([1, 0.2], method="rk4", duration=1000, step=0.01)
    assert np.array_equal(left.q, whole.q[:count]) and np.array_equal(left.tau, whole.tau[:count])


def test_a_full_disk_leaves_what_was_written(arm: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zarr.storage import _local

    put, files = _local._put, []

    def full(target: Path, *rest: Any, **options: Any) -> Any:
        files.append(target)
        if len(files) > 60:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return put(target, *rest, **options)

    monkeypatch.setattr(_local, "_put", full)
    with refusal(SimulationError, "run-not-written", "disk-full") as error:
        arm.simulate(ONE, method="rk4", duration=2, step=0.01, options=qddot.Options(store=tmp_path / "run.zarr"))
    monkeypatch.undo()
    left = Run.load(tmp_path / "run.zarr")
    assert f"the {len(left.time)} samples" in str(error.value) and not left.complete
    assert np.array_equal(left.q, arm.simulate(ONE, method="rk4", duration=2, step=0.01).q[: len(left.time)])
    assert [path.name for path in tmp_path.iterdir()] == ["run.zarr"]


def test_an_interrupt_ends_a_streamed_run_with_what_was_computed(arm: qddot.Robot, tmp_path: Path) -> None:
    def press(part: float) -> None:
        if part > 0.4:
            raise KeyboardInterrupt

    made = arm.simulate(
        ONE, method="rk4", duration=2, step=0.01, options=qddot.Options(store=tmp_path / "run.zarr", progress=press)
    )
    left = Run.load(tmp_path / "run.zarr")
    assert not made.complete and not left.complete and 80 <= len(left.time) < 201
    assert np.array_equal(made.q, left.q)


def test_memory_has_a_block_and_not_the_run(arm: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_store, "LARGEST", 15_000)
    monkeypatch.setattr(simulation, "PAUSE", 1e9)  # other processes make no block smaller
    arm.simulate(ONE, method="rk4", duration=0.1, step=0.001, options=qddot.Options(store=tmp_path / "warm.zarr"))
    peaks = []
    for store in (None, tmp_path / "run.zarr"):
        tracemalloc.start()
        arm.simulate(ONE, method="rk4", duration=20, step=0.001, options=qddot.Options(store=store))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] / 2  # of 20,001 samples a block has 1,364


def test_another_run_is_overwritten_only_if_asked(arm: qddot.Robot, tmp_path: Path) -> None:
    path, short = tmp_path / "run.zarr", {"duration": 0.1, "step": 0.01}
    arm.simulate(ONE, method="rk4", options=qddot.Options(store=path), **short)
    with refusal(SimulationError, "run-store-exists"):
        arm.simulate([0, 0], method="rk4", options=qddot.Options(store=path), **short)
    assert Run.load(path).q[0].tolist() == ONE
    arm.simulate([0, 0], method="rk4", options=qddot.Options(store=path, overwrite=True), **short)
    assert Run.load(path).q[0].tolist() == [0, 0]
    (tmp_path / "link.zarr").symlink_to(path)
    with refusal(SimulationError, "store-is-a-link"):
        arm.simulate(ONE, method="rk4", options=qddot.Options(store=tmp_path / "link.zarr", overwrite=True), **short)
    with run_store.RUNS.alone(path), refusal(SimulationError, "store-in-use"):
        arm.simulate(ONE, method="rk4", options=qddot.Options(store=path, overwrite=True), **short)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.zarr", "run.zarr"]


@pytest.mark.parametrize(("name", "content"), [("letter.txt", "dear all"), ("zarr.json", '{"attributes": {}}')])
def test_what_is_no_run_is_never_deleted(name: str, content: str, arm: qddot.Robot, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text(content)
    with pytest.raises(SimulationError, match="not a store of a run"):
        arm.simulate(ONE, method="rk4", duration=0.1, step=0.01, options=qddot.Options(store=folder, overwrite=True))
    with pytest.raises(SimulationError, match="not a store of a run"):
        Run.load(folder)
    assert (folder / name).read_text() == content


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"store": "/dev/null/run.zarr"}, ("file-in-no-folder",)),
        ({"store": ""}, ("not-store-name",)),
        ({"store": 3}, ("not-store-name",)),
        ({"store": "\ud800" if sys.platform == "linux" else 3}, ("not-store-name",)),
    ],
)
def test_what_cannot_be_streamed_is_refused(
    asked: Any, says: tuple[str, ...], arm: qddot.Robot, tmp_path: Path
) -> None:
    with refusal(SimulationError, *says):
        arm.simulate(ONE, method="rk4", duration=0.1, step=0.01, options=qddot.Options(**asked))
    assert not any(tmp_path.iterdir())


def test_a_streamed_run_can_be_sent_without_its_folder(arm: qddot.Robot, tmp_path: Path) -> None:
    made = arm.simulate(ONE, method="rk4", duration=0.1, step=0.01, options=qddot.Options(store=tmp_path / "run.zarr"))
    sent = pickle.dumps(made)
    shutil.rmtree(tmp_path / "run.zarr")
    again = pickle.loads(sent)
    assert again.q[0].tolist() == ONE and len(again.time) == 11 and again.arm().model.name == arm.model.name


def test_the_command_streams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "simulate",
        "rp",
        "--at",
        "0,1",
        "--duration",
        "0.1",
        "--method",
        "rk4",
        "--store",
        str(tmp_path / "run.zarr"),
    ]
    assert main(asked) == 0
    assert f"wrote {tmp_path / 'run.zarr'}" in capsys.readouterr().out
    assert len(Run.load(tmp_path / "run.zarr").time) == 101
    assert main(asked) == 2
    assert "exists" in capsys.readouterr().err
    assert main([*asked, "--overwrite", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == [str(tmp_path / "run.zarr")]
