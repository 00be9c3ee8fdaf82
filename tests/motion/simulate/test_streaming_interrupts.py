"""Ctrl-C ends a run into a store soon, at any time, and leaves a store that is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.base.errors import SimulationError
from qddot.base.system import stores
from qddot.base.system.interrupts import held
from qddot.faces.run import Run
from qddot.motion.simulate.runs import run_store
from qddot.motion.simulate.runs.loaded_runs import stored

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")

AT_END = """
import sys
import qddot
from qddot.motion.simulate.stepping import fixed_steps
fixed_steps.PIECE = 1e-9  # of seconds, so that a quick processor, too, tells its progress in between
arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
def press(part):
    if part > 0.4:
        known.update(sys.modules)
        raise KeyboardInterrupt
known = set()
options = qddot.Options(store=sys.argv[1], progress=press)
run = arm.simulate([1, 0], duration=1, step=0.001, method="rk4", options=options)
print(run.complete, len(known) > 0, sorted(name for name in {*sys.modules} - known if not name.startswith("qddot")))
"""


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def pressed_after(seconds: float) -> Iterator[None]:
    """Presses Ctrl-C once after a time, unless the block has ended by then."""
    before = signal.signal(signal.SIGALRM, lambda *_: press())
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def whole(path: Path) -> int:
    """Returns the number of samples in a store whose files are all as they were sealed, or 0 if there is no store."""
    try:
        arrays = stored(path, in_full=True)
    except SimulationError:
        assert not path.exists()
        return 0
    assert not arrays.attrs["notes"]
    assert all(np.isfinite(arrays[name]).all() for name in ("q", "qd", "tau", "K", "P"))
    return len(arrays["time"])


def test_a_run_that_is_interrupted_loads_no_package_before_it_returns(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", AT_END, str(tmp_path / "run.zarr")]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout == "False True []\n"


@pytest.mark.parametrize(("of", "place"), [(stores.Store, "mark"), (run_store.Writer, "_write_stops")])
def test_ctrl_c_while_samples_are_written_waits_until_they_are(
    of: type, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = getattr(of, place)

    def interrupted(self: Any, *arguments: Any, **more: Any) -> None:
        press()
        written(self, *arguments, **more)

    monkeypatch.setattr(of, place, interrupted)
    monkeypatch.setattr(run_store, "LARGEST", 700)  # numbers in a block: many blocks
    arm = qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)
    path = tmp_path / "run.zarr"
    run = arm.simulate([1, 0.2], method="rk4", duration=2, step=0.01, options=qddot.Options(store=path))
    monkeypatch.undo()
    assert not run.complete and 0 < whole(path) == len(run.time) < 201


@pytest.mark.slow
def test_twenty_presses_at_any_time_are_answered_within_a_second(tmp_path: Path) -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    arm.simulate([1, 0], duration=1, step=0.0005, method="rk4")
    for k, wait in enumerate(np.random.default_rng(7).uniform(0.0, 1.5, 20)):
        path, start, run = tmp_path / f"{k}.zarr", time.perf_counter(), None
        try:
            with pressed_after(float(wait)):
                run = arm.simulate(
                    [1, 0], duration=30_000, step=0.0005, method="rk4", options=qddot.Options(store=path)
                )
        except KeyboardInterrupt:
            pass
        assert time.perf_counter() - start < wait + 1.0
        assert run is None or (not run.complete and len(run.time) == len(Run.load(path).time))
        assert whole(path) < 60_000_001


def test_a_press_is_held_until_the_block_has_ended() -> None:
    done = []

    def work() -> None:
        with held():
            press()
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with held():
        press()  # nobody wants to know
    signal.signal(signal.SIGINT, handler)
    assert handler is signal.default_int_handler
