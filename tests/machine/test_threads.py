"""Threads that share a batch end with the call that they work for, and all calls share a bounded pool of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.machine.compilers import threads


@pytest.fixture(autouse=True)
def pool() -> Iterator[None]:
    """A pool of the test's own."""
    threads._pool.cache_clear()
    yield
    threads._pool.cache_clear()


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores, so that eight threads are the most."""
    monkeypatch.setattr(threads, "cores", lambda: 2)


def run(script: str, *modules: str) -> str:
    """What a process prints, which says nothing else and ends well."""
    command = [sys.executable, "-W", "ignore", "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def is_caller() -> bool:
    return threading.current_thread() is threading.main_thread()


@pytest.mark.parametrize("count", [1, 7, 8, 255, 256, 257, 5_000])
@pytest.mark.parametrize("workers", [1, 2, 3000])
@pytest.mark.parametrize("first", [1, 256])
def test_pieces_are_whole_blocks_that_cover_each_row_once(count: int, workers: int, first: int) -> None:
    pieces: list[tuple[int, int]] = []
    threads.shared(lambda *piece: pieces.append(piece), count, 8, workers, first)
    pieces.sort()
    assert [start for start, _ in pieces] == [0, *(stop for _, stop in pieces[:-1])] and pieces[-1][1] == count
    assert all(start % 8 == 0 for start, _ in pieces)


@pytest.mark.usefixtures("eight")
def test_no_thread_is_at_work_when_an_interrupted_call_has_ended() -> None:
    begun: list[Any] = []
    ended: list[Any] = []
    interrupted = Event()

    def work(start: int, stop: int) -> None:
        if is_caller():
            while not begun:
                time.sleep(0.001)
            interrupted.set()
            raise KeyboardInterrupt
        begun.append(start)
        interrupted.wait()
        time.sleep(0.1)
        ended.append(start)

    with pytest.raises(KeyboardInterrupt):
        threads.shared(work, 1000, 1, 8)
    assert begun and sorted(begun) == sorted(ended)
    assert len(begun) < 8  # a piece each, and nothing more is begun
    time.sleep(0.2)
    assert len(begun) == len(ended)


INTERRUPTED = """
import os, signal, threading, time, numpy as np, qddot
from qddot.machine.compilers.llvm import Kernel
arm, main = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0), threading.main_thread()
q = np.random.default_rng(0).uniform(-1, 1, (200_000, 2)); out = np.zeros_like(q)
run, begun, pressed = Kernel.run, [], threading.Event()
def watched(self, inputs, outputs, start, stop):
    if threading.current_thread() is main:
        while not begun: time.sleep(0.001)
        pressed.set()
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the caller goes on")
    begun.append(start)
    pressed.wait()
    for _ in range(3):  # the key is pressed again while the caller waits
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
    run(self, inputs, outputs, start, stop)
arm.inverse_dynamics(q[:10], q[:10], q[:10], threads=2)
Kernel.run = watched
try:
    arm.inverse_dynamics(q, q, q, out=out, threads=2)
except KeyboardInterrupt:
    written = np.count_nonzero(out.any(1))
    out[:] = 0
    time.sleep(0.3)
    print(len(begun), written > 0, out.any())
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_key_that_is_pressed_twice_leaves_nobody_writing_into_the_callers_array() -> None:
    assert run(INTERRUPTED) == "1 True False\n"


def test_the_error_of_a_piece_is_raised_when_the_others_have_ended() -> None:
    begun, ended, failed = [], [], Event()

    def work(start: int, stop: int) -> None:
        if is_caller():
            begun.append(start)
            failed.wait()
            time.sleep(0.05)
            ended.append(start)
            return
        while not begun:
            time.sleep(0.001)
        failed.set()
        raise MemoryError(f"no room at {start}")

    with pytest.raises(MemoryError, match="no room at"):
        threads.shared(work, 1000, 1, 2)
    assert begun == ended


@pytest.mark.parametrize("startable", [0, 1])
def test_where_the_system_starts_no_more_threads_fewer_compute(startable: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arm, start, tried = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0), Thread.start, []
    q = np.random.default_rng(0).uniform(-1, 1, (20_000, 2))
    alone, out = arm.inverse_dynamics(q, q, q), np.zeros_like(q)

    def starting(self: Thread) -> None:
        tried.append(self)
        if len(tried) > startable:
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(Thread, "start", starting)
    arm.inverse_dynamics(q, q, q, out=out, threads=4)
    assert 1 <= len(tried) <= startable + 1
    assert np.array_equal(out, alone)
    out[:] = 0
    time.sleep(0.1)
    assert not out.any()


PILED = """
import threading, numpy as np, qddot
from qddot.machine.compilers import threads
threads.cores = lambda: 2
arm, q = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0), np.ones((20_000, 2))
for count in (*range(2, 60), 3000):
    arm.inverse_dynamics(q, q, q, threads=count)
print(sum(each.name.startswith("qddot") for each in threading.enumerate()) <= 8)
"""


def test_all_numbers_of_threads_share_a_pool_that_the_cores_bound() -> None:
    assert run(PILED) == "True\n"


LEFT = """
import atexit, threading, numpy as np, qddot
arm, q = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0), np.ones((20_000, 2))
def compute(): return arm.inverse_dynamics(q, q, q, threads=4)
def for_ever():
    while True: compute(); there.set()
there = threading.Event()
atexit.register(lambda: print(compute().shape))
threading.Thread(target=for_ever, daemon=True).start(); there.wait()
"""


def test_a_process_ends_quietly_in_the_middle_of_calls_and_computes_to_its_end() -> None:
    assert run(LEFT) == "(20000, 2)\n"


def test_an_interrupted_run_ends_at_a_sample_that_all_arms_have_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is pressed when the first arms, but not the others, have taken the step in which they meet the event."""
    from qddot.machine.compilers.llvm.advancing import FixedSteps

    event = lambda t, q, qd: t - 0.105  # noqa: E731
    arm, q0, advance = qddot.load("two_link"), np.full((40, 2), 0.3), FixedSteps.advance
    whole = arm.simulate(q0, None, 0.2, 0.01, "rk4", m1=1.0, m2=1.0, l=1.0, limits=False)
    steps: list[int] = []

    def pressed(self: Any, *given: Any) -> None:
        advance(self, *given)
        steps.append(given[-2] == 0 and len(given[2]))
        if sum(steps) >= 11:
            raise KeyboardInterrupt

    monkeypatch.setattr("qddot.motion.simulate.stepping.fixed_steps.PIECE", 1e-9)
    monkeypatch.setattr(FixedSteps, "advance", pressed)
    part = arm.simulate(q0, None, 0.2, 0.01, "rk4", m1=1.0, m2=1.0, l=1.0, limits=False, event=event)
    assert not part.complete and part.stops == ()
    assert 0 < len(part.time) <= 11
    assert np.array_equal(part.q, whole.q[:, : len(part.time)])


@pytest.mark.parametrize("method", ["dop853", "taylor"])
def test_an_interrupted_run_with_steps_of_its_own_keeps_the_arms_that_got_on(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qddot.machine.compilers.llvm.advancing import OwnSteps

    arm, q0, advance = qddot.load("two_link"), np.full((40, 2), 0.3), OwnSteps.advance
    whole = arm.simulate(q0, None, 0.2, 0.01, method, m1=1.0, m2=1.0, l=1.0, limits=False)

    def pressed(self: Any, *given: Any) -> None:
        advance(self, *given)
        raise KeyboardInterrupt

    monkeypatch.setattr(OwnSteps, "advance", pressed)
    part = arm.simulate(q0, None, 0.2, 0.01, method, m1=1.0, m2=1.0, l=1.0, limits=False)
    late = [stop.arm for stop in part.stops if stop.reason == "the run was interrupted"]
    assert not part.complete and 0 < len(late) < 40
    assert np.array_equal(np.delete(part.q, late, 0), np.delete(whole.q, late, 0))
    assert np.isnan(part.q[late, 1:]).all()
