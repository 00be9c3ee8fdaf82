"""Runs are compared, joined, resampled and sent to other processes; saving them from threads keeps every file whole."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qddot
from qddot import forces, laws
from qddot.base.errors import SimulationError
from qddot.faces.run import Run


def test_two_halves_are_the_whole() -> None:
    arm = qddot.load("spatial_2r")
    push = forces.Wrench("tool", (0, 5.0, 1.0))
    whole = arm.simulate([0.3, 0.2], None, 1.0, 0.01, method="rk4", torque=[1.0, 2.0], damping=0.5, forces=push)
    first = arm.simulate([0.3, 0.2], None, 0.4, 0.01, method="rk4", torque=[1.0, 2.0], damping=0.5, forces=push)
    second = arm.simulate(
        first.q[-1], first.qd[-1], 0.6, 0.01, method="rk4", torque=[1.0, 2.0], damping=0.5, forces=push
    )
    run = first.followed_by(second)
    assert isinstance(run, Run)
    for name in ("time", "q", "qd", "tau", "K", "P", "work", "external", "damping"):
        assert np.allclose(run.data[name], whole.data[name], rtol=0, atol=1e-12), name
    assert run.energy.check(1e-5)
    assert run.data.attrs["duration"] == pytest.approx(1.0)
    assert run.arm().name == "spatial_2r"


def test_stops_of_the_second_run_are_on_the_clock_of_both(tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    first = arm.simulate([3.0, 0.0], None, 0.2, 0.01, method="rk4")
    second = arm.simulate(first.q[-1], first.qd[-1], 2.0, 0.01, method="rk4", event=lambda t, q, qd: 1.0 - q[0])
    run = first.followed_by(second)
    assert run.stops[0].time == pytest.approx(0.2 + second.stops[0].time)
    again = Run.load(run.save(tmp_path / "a.nc"))
    assert again.stops[0].time == pytest.approx(run.stops[0].time)


def test_runs_that_do_not_meet_are_not_joined() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([0.3, 0.2], None, 0.1, 0.01, method="rk4")
    with pytest.raises(SimulationError, match="q of arm 0"):
        run.followed_by(run)
    with pytest.raises(SimulationError, match="runs of"):
        run.followed_by(arm.with_values(m1=3).simulate(run.q[-1], run.qd[-1], 0.1, 0.01, method="rk4"))
    with pytest.raises(SimulationError, match="cannot be repeated"):
        run.followed_by(arm.simulate(run.q[-1], run.qd[-1], 0.1, 0.01, method="rk4")).trust()


def test_samples_at_other_times_lie_on_the_motion() -> None:
    """The cubic between samples is off by h⁴/384 times the fourth derivative."""
    arm = qddot.load("spatial_2r")
    fine = arm.simulate([0.3, 0.2], [0.1, 0.1], 1.0, 0.001, method="rk4", torque=[1.0, 0.0])
    coarse = arm.simulate(
        [0.3, 0.2], [0.1, 0.1], 1.0, 0.001, method="rk4", torque=[1.0, 0.0], options=qddot.Options(record_every=20)
    )
    between = coarse.resampled(0.001)
    assert np.allclose(between.time, fine.time)
    assert np.allclose(between.q, fine.q, atol=1e-6)
    assert np.allclose(between.qd, fine.qd, atol=1e-4)
    assert np.allclose(between.energy.E, fine.energy.E, atol=1e-3)
    assert np.allclose(coarse.resampled(coarse.time).q, coarse.q, rtol=0, atol=1e-15)
    for times in ([0.5, 0.2], [0.5, 1.5], -0.1, [], "now"):
        with pytest.raises(SimulationError, match="times"):
            coarse.resampled(times)


def test_a_stopped_arm_has_no_samples_after_its_stop() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate(
        [[2.8, 0.0], [0.2, 0.1]], [[3.0, 0], [0, 0]], 1.0, 0.01, method="rk4", event=lambda t, q, qd: q[0] - 2.9
    )
    at = run.resampled(0.003)
    (stop,) = run.stops
    assert stop.arm == 0
    last = run.time[run.time <= stop.time][-1]
    assert np.array_equal(np.isfinite(at.q[0]).all(1), at.time <= last * (1 + 1e-9))
    assert np.isfinite(at.q[1]).all()


def test_runs_with_other_steps_are_compared() -> None:
    arm = qddot.load("spatial_2r")
    runs = [arm.simulate([2.0, 0.3], [0.1, 0.1], 20.0, step, method="rk4") for step in (0.02, 0.01)]
    comparison = runs[0].compare(runs[1], within=0.01)
    assert not comparison
    assert 1 < comparison.agree[0] < 20
    precise = arm.simulate([2.0, 0.3], [0.1, 0.1], 20.0, 0.02, ("dop853", 1e-13))
    assert runs[0].compare(precise, within=0.01).agree[0] == runs[0].trust().horizon
    assert "within 0.01 up to" in str(comparison)
    assert runs[0].compare(runs[0])
    short = arm.simulate([2.0, 0.3], [0.1, 0.1], 2.0, 0.01, method="rk4")
    assert short.compare(runs[1])
    with pytest.raises(SimulationError, match="the same coordinates"):
        runs[0].compare(qddot.load("elbow_3r").simulate([0, 0, 0], None, 1.0, 0.1, method="rk4"))


def test_a_run_can_be_sent_with_its_arm_and_its_law() -> None:
    arm = qddot.load("spatial_2r")
    law = laws.pd_gravity(arm, [0.5, 0.5], 100.0, 20.0)
    for torque, repeats in (
        (law, True),
        (lambda t, q, qd: -q, True),
        (lambda t, q, qd: -q if t > -1 else q, False),
        (None, True),
    ):
        run = arm.simulate([[0.3, 0.2]] * 3, None, 0.5, 0.01, method="rk4", torque=torque, m2=[5.0, 6.0, 7.0])
        assert run.energy.E.shape == (3, 51)
        sent: Any = pickle.loads(pickle.dumps(run))
        assert sent.data.identical(run.data)
        assert sent.arm(2).model.defaults()["m2"] == 7.0
        assert isinstance(sent.arm(), qddot.Robot)
        assert sent.energy.check(1e-3)
        if repeats:
            assert np.array_equal(sent.trust().distance, run.trust().distance)
        else:
            with pytest.raises(SimulationError, match="cannot be repeated"):
                sent.trust()


def test_many_threads_may_save_runs_at_once(tmp_path: Path) -> None:
    run = qddot.load("spatial_2r").simulate([0.3, 0.2], None, 0.5, 0.01, method="rk4")
    places = [tmp_path / f"{k % 4}.nc" for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run.save, places))
    for place in set(places):
        assert np.array_equal(Run.load(place).q, run.q)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.nc", "1.nc", "2.nc", "3.nc"]
