"""A sweep's threads end with it, and fewer of them run it where the system starts no more."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import pytest
import xarray as xr
from short_sweeps import SHORT, short_plan, sweep

import qddot
from qddot.machine.compilers import threads
from qddot.machine.compilers.fixed_steps import FixedSteps
from qddot.motion.sweeps import chunks, running
from qddot.motion.sweeps.preparing import prepared


def test_a_chunk_that_is_given_up_ends_with_the_steps_that_it_is_taking(
    two_link: qddot.Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers, begun, calls = running.Threads(prepared(two_link.model, short_plan()), 1), Event(), []
    advance = FixedSteps.advance

    def watched(self: FixedSteps, *given: Any) -> None:
        advance(self, *given)
        calls.append(given)
        begun.set()
        assert workers._given_up.wait(60)

    monkeypatch.setattr(chunks, "PIECE", 1)  # so that a chunk has 50 pieces
    monkeypatch.setattr(FixedSteps, "advance", watched)
    for k in range(3):
        workers.start(k)
    begun.wait()
    workers.close()
    assert len(calls) == 1


@pytest.mark.parametrize("startable", [0, 1])
def test_where_the_system_starts_no_more_threads_fewer_run_a_sweep(
    startable: int, two_link: qddot.Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, start, tried = sweep(two_link, **SHORT), Thread.start, []

    def starting(self: Thread) -> None:
        tried.append(self)
        if len(tried) > startable:
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threads, "cores", lambda: 2)
    monkeypatch.setattr(Thread, "start", starting)
    swept = sweep(two_link, options=qddot.Options(threads=4), **SHORT)
    assert len(tried) > startable
    xr.testing.assert_identical(swept, whole)


def test_the_cores_bound_the_threads_of_a_sweep(two_link: qddot.Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 2)
    workers = running.Threads(prepared(two_link.model, short_plan()), 3000)
    assert workers.room == 8 + running.AHEAD
    workers.close()
