"""Runs as users meet them: samples, interruptions and mistakes."""

from __future__ import annotations

import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import SimulationError
from qddot.base.words.language import speaking
from qddot.faces.run import Run
from qddot.machine.compilers.fixed_steps import FixedSteps
from qddot.motion.simulate.runs.stops import Cause, Stop
from qddot.motion.simulate.runs.trust import Compared, Trust


def idle(t: float, q: Any, qd: Any) -> Any:
    """A law that has to be called, for SciPy's solver: no torque."""
    return 0 * q if t >= 0 else q


def test_a_run_says_what_it_is(run: Run) -> None:
    assert run.data.q.dims == ("arm", "time", "joint")
    assert run.data.sizes == {"arm": 1, "time": 101, "joint": 2}
    assert {name: run.data[name].attrs["units"] for name in ("q", "qd", "tau", "K")} == {
        "q": "rad",
        "qd": "rad/s",
        "tau": "N m",
        "K": "J",
    }
    attrs = run.data.attrs
    assert (attrs["model"], attrs["method"], attrs["step"], attrs["complete"]) == ("spatial_2r", "taylor", 0.01, 1)
    assert attrs["model_hash"] == qddot.load("spatial_2r").model.hash
    assert run.q.shape == (101, 2)
    assert run.complete
    mixed = qddot.load("rp").simulate([0.1, 0.5], None, 0.1, 0.01)
    assert mixed.data.unit.values.tolist() == ["rad", "m"]
    assert mixed.data.q.attrs["units"] == "rad or m"


def test_an_interrupt_keeps_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.full((3, 2), 0.3)

    def call(which: int) -> Any:
        seen: list[float] = []

        def progress(done: float) -> None:
            seen.append(done)
            if len(seen) == which:
                raise KeyboardInterrupt

        return progress

    for module in ("fixed_steps", "scipys"):
        monkeypatch.setattr(f"qddot.motion.simulate.stepping.{module}.PIECE", 1e-9)
    whole = arm.simulate(q0, None, 1.0, 0.01, "rk4")
    part = arm.simulate(q0, None, 1.0, 0.01, "rk4", options=qddot.Options(progress=call(2)))
    assert not part.complete
    assert "interrupted" in repr(part)
    count = len(part.time)
    assert 2 <= count < 101
    assert np.array_equal(part.q, whole.q[:, :count])
    assert part.energy.check(1e-3)
    some = arm.simulate(q0, None, 1.0, 0.01, "dop853", torque=idle, options=qddot.Options(progress=call(10)))
    assert not some.complete
    assert 2 <= len(some.time) < 101
    assert np.isfinite(some.q[0]).all()
    assert np.isnan(some.q[1:, 1:]).all()
    assert "where this run ends, whereas a run by rk4" in str(some.trust())


def test_progress_reaches_the_end() -> None:
    seen: list[float] = []
    options = qddot.Options(progress=seen.append)
    qddot.load("spatial_2r").simulate([0.3, 0.2], None, 1.0, 0.01, damping=1.0, options=options)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_a_run_too_large_to_hold_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FixedSteps, "advance", lambda *_: pytest.fail("it began"))
    with refusal(SimulationError, "too-large-for-memory"):
        qddot.load("spatial_2r").simulate(np.zeros((100_000, 2)), None, 10_000.0, 1e-3)


def test_progress_is_shown_where_a_person_watches(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {"size": (64, 64), "duration": 0.1}
    run.movie(tmp_path / "a.gif", **small)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run.movie(tmp_path / "a.gif", **small)
    said = capsys.readouterr().err
    assert "drawing a.gif" in said
    assert "100 %" in said


ARM_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"step": 0}, "step = 0"),
    ({"step": -1.0}, "step = -1.0"),
    ({"step": np.nan}, "a number of seconds above 0"),
    ({"step": "x"}, "a number of seconds above 0"),
    ({"duration": -1.0}, "duration = -1.0"),
    ({"duration": 1.0, "step": 0.3}, r"does not divide.*step=0\.333"),
    ({"options": qddot.Options(record_every=7)}, "a divisor"),
    ({"options": qddot.Options(record_every=0)}, "a divisor"),
    ({"options": qddot.Options(record_every="x")}, "a divisor"),
    ({"q0": [1.0]}, r"q0 has the shape \(1,\)"),
    ({"q0": [[[1.0, 2.0]]]}, "q0 has the shape"),
    ({"q0": [np.nan, 0]}, r"q0\[0, 0\] is nan|q0\[0\] is nan"),
    ({"q0": "no"}, "q0 is 'no'"),
    ({"q0": [[1, 2], [3]]}, "q0 is"),
    ({"qd0": [1, 2, 3]}, "qd0 has the shape"),
    ({"q0": np.zeros((3, 2)), "qd0": np.zeros((4, 2))}, "batches of 3 and 4 arms"),
    ({"method": "rk5"}, "did you mean|expected rk4"),
    ({"method": 3}, "method"),
    ({"damping": -1}, "damping has the entry -1"),
    ({"damping": [1, 2, 3]}, "damping has the shape"),
    ({"damping": "x"}, "damping is 'x'"),
    ({"m3": 1.0}, "no symbol 'm3'"),
    ({"m2": "x"}, "m2 is 'x'"),
    ({"m2": np.inf}, "m2 is"),
    ({"m2": [[1.0]]}, "m2 is"),
    ({"torque": [1.0]}, "torque has the shape"),
    ({"torque": "x"}, "torque is 'x'"),
    ({"torque": ([0, 1], [[1, 2]])}, "values of the torque have the shape"),
    ({"torque": ([0, 0.5], [[1, 2], [3, 4]])}, "times that cover"),
    ({"torque": ([1, 0], [[1, 2], [3, 4]])}, "times that cover"),
    ({"torque": lambda t, q, qd: [1.0]}, r"returned the shape \(1,\)"),
    ({"torque": lambda t, q, qd: 1 / 0}, "raised ZeroDivisionError"),
    ({"torque": lambda t, q, qd: None}, "raised TypeError|returned the shape"),
    ({"event": lambda t, q, qd: [1.0, 2.0]}, "returned 2 numbers"),
    ({"event": lambda t, q, qd: 1 if q[0] > 0 else 0}, "cannot be compiled"),
    ({"event": lambda t, q, qd: q[0] + 1}, "begins beyond the event"),
    ({"limits": "x"}, "limits = 'x'"),
]


@pytest.mark.parametrize(("given", "says"), ARM_CALLS)
def test_mistakes_are_told_before_the_run(given: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FixedSteps, "advance", lambda *_: pytest.fail("it began"))
    arguments = {"q0": [0.1, 0.2], "duration": 1.0, "step": 0.01, **given}
    with pytest.raises(SimulationError, match=says):
        qddot.load("spatial_2r").simulate(**arguments)


def test_a_laws_error_is_kept_as_the_cause() -> None:
    def law(t: float, q: Any, qd: Any) -> Any:
        if t > 0.05:
            raise RuntimeError("the motor is off")
        return [0.0, 0.0]

    with refusal(SimulationError, "law-raised", "0.055", "the motor is off") as caught:
        qddot.load("spatial_2r").simulate([0.1, 0.2], None, 0.1, 0.01, torque=law)
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_what_a_law_closes_over_may_change_between_runs() -> None:
    arm = qddot.load("spatial_2r")
    gain, level = np.array([10.0, 10.0]), 0.5
    law = lambda t, q, qd: -gain * q  # noqa: E731
    event = lambda t, q, qd: t - level  # noqa: E731
    first = arm.simulate([1, 0], None, 1.0, 0.01, "rk4", torque=law, event=event)
    gain[:], level = 0, 0.8
    second = arm.simulate([1, 0], None, 1.0, 0.01, "rk4", torque=law, event=event)
    assert first.tau[0, 0] == -10
    assert second.tau[0, 0] == 0
    assert [run.stops[0].time for run in (first, second)] == pytest.approx([0.5, 0.8])


def test_runs_that_drift_apart_and_meet_again_are_not_said_to_end() -> None:
    by = Compared("dop853", "a run by dop853 to a tolerance of 1e-13")
    met = Trust(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.0]), 0.5, 0.0, by, np.array([[2.0, 2.0]]))
    assert "reliable up to 0 s; after that, a run by dop853 to a tolerance of 1e-13 differs by more than 0.5" in str(
        met
    )


def test_the_earliest_step_that_did_not_converge_is_named() -> None:
    fast = [[3.1, 0.0], [2.0, 1.0]], [[0, 0], [0, 6.0]]
    notes = qddot.load("two_link").simulate(*fast, 10.0, 0.25, "midpoint", limits=False).notes
    assert "steps of 2 arms did not converge, the first at t = 0.25 s in arm 1: take a smaller step" in notes


def test_nothing_is_believed_of_what_is_not_there() -> None:
    arm = qddot.load("two_link")
    failed = arm.simulate([1, 0], None, 1.0, 0.01, "midpoint", damping=1e5)
    assert failed.stops[0].reason == "the implicit step did not converge"
    assert "did not converge" in failed.notes[0]
    assert failed.trust().horizon == 0
    assert "reliable up to 0 s, where this run ends, whereas a run by" in str(failed.trust())
    assert "1 of 101 samples" in str(failed.energy.check(1e-3))
    endless = arm.simulate([1, 0], [1e200, 0], 1.0, 0.01)
    assert not endless.energy.check(1)
    assert arm.simulate([1, 0], [100, 100], 1000.0, 100.0, "rk4").trust().horizon < 1000


def test_a_solver_without_headway_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.motion.simulate.stepping.scipys.MOST_CALLS", 2_000)
    run = qddot.load("two_link").simulate([1, 0], [1e5, 0], 1.0, 0.1, "dop853", torque=idle)
    assert run.stops[0].reason == "dop853 stopped: its steps became too short"


def test_a_solver_that_gets_on_is_never_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.motion.simulate.stepping.scipys.MOST_CALLS", 400)  # about 0.3 s of this run
    assert qddot.load("two_link").simulate([1, 0], None, 5.0, 0.5, "dop853", torque=idle).stops == ()


def test_an_interrupted_comparison_is_as_long_as_it_is() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([1, 0], None, 1.0, 0.01)
    short = arm.simulate([1, 0], None, 0.5, 0.01)
    run._recording = replace(run._recording, again=lambda: short._recording)
    assert run.trust().horizon == 0.5


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "midpoint", "dop853", "radau"])
def test_rest_on_a_limit_is_no_stop(method: str) -> None:
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="q1", limits=(-1, 1))
    body = qddot.Body.of("block", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    arm = qddot.Robot(qddot.Model("block", (body,), gravity=(0, 0, -9.81)))
    assert arm.simulate([1.0], None, 1.0, 0.01, method).stops == ()
    (stop,) = arm.simulate([0.0], [2.0], 1.0, 0.01, method).stops
    assert stop.time == pytest.approx(0.5)
    at_the_end = arm.simulate([0.0], [1.0], 1.0, 0.01, method, event=lambda t, q, qd: q[0] - 1)
    (end,) = at_the_end.stops
    assert end.time == pytest.approx(1.0)
    assert end.q == pytest.approx([1.0])


def test_an_event_within_a_step_of_scipys_solver_is_at_its_time() -> None:
    """The slider moves at 1 m/s, so that a step is longer than the run; arms that have stopped wait for others."""
    event = lambda t, q, qd: q[0] - 0.505  # noqa: E731
    run = qddot.load("slider").simulate([[0.0], [-1.0]], [[1.0], [1.0]], 1.0, 0.01, "dop853", event=event, torque=idle)
    (stop,) = run.stops
    assert (stop.arm, stop.reason) == (0, "it reached the event")
    assert (stop.time, stop.q[0]) == pytest.approx((0.505, 0.505), abs=1e-14)
    assert np.isnan(run.q[0, 51:]).all()
    assert np.isfinite(run.q[0, :51]).all()
    assert run.q[1, :, 0] == pytest.approx(run.time - 1.0, abs=1e-14)


def test_an_event_that_is_no_number_stops_nothing() -> None:
    arm = qddot.load("spatial_2r")
    for method in ("rk4", "dop853"):
        run = arm.simulate([1, 0], None, 1.0, 0.01, method, event=lambda t, q, qd: qddot.sqrt(-q[0] - 1e6))
        assert run.stops == ()
        assert (run.q == arm.simulate([1, 0], None, 1.0, 0.01, method).q).all()
    with refusal(SimulationError, "function-not-compiled"):
        arm.simulate([1, 0], None, 1.0, 0.01, event=lambda t, q, qd: float("nan"))


def test_a_batch_says_what_each_arm_was() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([1, 0], None, 0.1, 0.01, "rk4", m2=[1.0, 2.0, 3.0], damping=[0.5, 0.25])
    assert run.data.value_m2.values.tolist() == [1, 2, 3]
    assert run.data.damping_coefficient.values[2].tolist() == [0.5, 0.25]
    assert run.arm(1).model.defaults()["m2"] == 2
    for wrong in (3, -4, "x", True):
        with refusal(SimulationError, "no-such-index", "-3", "2"):
            run.arm(wrong)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"torque": [[1, 1], [2]]}, ("not-these-numbers", "torque")),
        ({"torque": ([0, 1], [[2, 2], [3]])}, ("not-these-numbers", "the-torque")),
        ({"torque": [[0, 1], [[2, 2], [3, 3]]]}, ("not-these-numbers", "torque")),
        ({"options": {"record_every": 10}}, ("not-options",)),
        ({"options": qddot.Options(scheduler="local")}, ("option-of-sweeps", "scheduler")),
        ({"duration": 1e300, "step": 1e-300}, ("too-many-steps",)),
        ({"damping": [1, np.inf]}, ("entry-not-finite", "damping", "[1]", "inf")),
        ({"q0": [1 + 2j, 0]}, ("not-these-numbers", "q0")),
        ({"q0": ["north", 0]}, ("not-these-numbers", "q0")),
    ],
)
def test_more_mistakes(given: dict[str, Any], says: tuple[str, ...]) -> None:
    with refusal(SimulationError, *says):
        qddot.load("spatial_2r").simulate(**{"q0": [0.1, 0.2], "duration": 1.0, "step": 0.01, **given})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"threads": "x"}, ("not-whole-number-from", "threads", "'x'")),
        ({"threads": 0}, ("not-whole-number-from", "threads", "0")),
        ({"progress": 5}, ("progress-no-function", "5")),
    ],
)
def test_options_are_looked_at_where_they_are_made(options: dict[str, Any], says: tuple[str, ...]) -> None:
    with refusal(SimulationError, *says):
        qddot.Options(**options)


def test_texts_and_numpys_integers_are_numbers() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate(["180deg", "-pi/4"], None, 1.0, 0.01, options=qddot.Options(record_every=np.int64(10)))
    assert run.q[0] == pytest.approx([np.pi, -np.pi / 4])
    assert run.energy.check(np.float32(1e-3))


@pytest.mark.parametrize("method", ["dop853", "radau", "rk4"])
@pytest.mark.parametrize("when", [0.25, 0.5, 0.505])
def test_a_torque_that_is_no_number_ends_the_run(method: str, when: float) -> None:
    """At the boundary of two calls of the solver, and within one."""
    law = lambda t, q, qd: qddot.motion.simulate.laws.elementary.sqrt(when - t) * q  # noqa: E731
    run = qddot.load("one_link").simulate([1], duration=1.0, step=0.01, method=method, torque=law)
    (stop,) = run.stops
    assert "grew without bound" in stop.reason or "too short" in stop.reason
    assert 0.2 < stop.time <= when
    assert np.isfinite(stop.q).all()
    assert np.isfinite(run.q[run.time <= stop.time]).all()
    assert np.isnan(run.q[run.time > stop.time]).all()


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "midpoint", "dop853", "radau"])
def test_masses_of_almost_nothing_move_as_others_do_or_end_the_run(method: str) -> None:
    """Free of torques, an arm's motion does not depend on the unit of mass."""
    arm = qddot.load("two_link")
    run = arm.simulate([1, 0], duration=1.0, step=0.01, method=method, m1=1e-300, m2=1e-300)
    if method == "radau":
        (stop,) = run.stops
        assert stop.time == 0 and stop.q == pytest.approx([1, 0])
        assert "grew without bound" in stop.reason
        return
    assert run.stops == ()
    within = 1e-6 if method == "dop853" else 1e-11  # dop853 takes other steps, the others only round
    assert run.q == pytest.approx(arm.simulate([1, 0], None, 1.0, 0.01, method, m1=1, m2=1).q, abs=within)


@pytest.mark.parametrize("method", ["semi-implicit", "midpoint"])
@pytest.mark.parametrize("mass", [1e-12, 1e12])
def test_the_equations_of_a_step_are_solved_as_well_for_light_arms_as_for_heavy_ones(method: str, mass: float) -> None:
    arm = qddot.load("two_link")
    run, usual = (arm.simulate([1, 0], None, 1.0, 0.01, method, m1=m, m2=m) for m in (mass, 1))
    assert run.notes == usual.notes
    assert run.q == pytest.approx(usual.q, abs=1e-11)


@pytest.mark.parametrize("arms", [1, 3])
def test_an_interrupted_run_has_what_was_computed(arms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(share: float) -> None:
        if share > 0.55:
            raise KeyboardInterrupt

    monkeypatch.setattr("qddot.motion.simulate.stepping.scipys.PIECE", 0.0)
    q0 = [[1, 0]] * arms if arms > 1 else [1, 0]
    arm = qddot.load("two_link")
    run = arm.simulate(
        q0, duration=1.0, step=0.01, method="dop853", torque=idle, options=qddot.Options(progress=interrupt)
    )
    assert not run.complete
    data = run.data
    if arms == 1:
        assert 57 <= len(run.time) < 101
        assert run.stops == ()
        assert all(np.isfinite(data[name]).all() for name in ("q", "qd", "tau", "K", "P"))
        return
    assert len(run.time) == 101
    assert np.isfinite(run.q[0]).all()
    assert [(stop.arm, stop.reason) for stop in run.stops] == [(k, "the run was interrupted") for k in (1, 2)]
    assert 0.65 <= run.stops[0].time < 1
    assert run.stops[1].time == 0
    for stop in run.stops:
        assert np.isfinite(run.q[stop.arm, run.time <= stop.time]).all()
        assert np.isnan(run.q[stop.arm, run.time > stop.time]).all()


def test_samples_are_not_kept_twice() -> None:
    arm, q0 = qddot.load("spatial_2r"), np.full((40, 2), 0.1)
    arm.simulate(q0, duration=0.1, step=0.001, damping=1.0)
    tracemalloc.start()
    try:
        run = arm.simulate(q0, duration=5, step=0.001, damping=1.0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    held = sum(values.nbytes for values in run.data.data_vars.values())
    assert peak < 1.5 * held


def test_stops_and_balances_are_told_in_the_language_in_use() -> None:
    stop = Stop(0, 0.5, Cause("limit", "q1", "upper"), 0, 0)
    run = qddot.load("two_link").simulate([0.5, 0.2], duration=0.02, step=0.01)
    assert str(stop) == f"arm 0 stopped at t = 0.5 s: {stop.reason}"
    with speaking("zh"):
        assert str(stop) == "第 0 个机械臂在 t = 0.5 s 停止：q1 到达上限"
        assert run.energy.check().balance == run.energy.rows(0, -1)[-1][0] == "ΔE − 电机做功 + 损耗"
