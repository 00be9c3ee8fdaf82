"""Torques, laws and trajectories drive an arm, and events stop it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import SimulationError

METHODS = ("rk4", "semi-implicit", "midpoint", "dop853", "radau")


def pushed(t: Any, q: Any, qd: Any) -> Any:
    return [3 * qddot.sin(2 * t) - 0.5 * qd[0], qddot.tanh(q[1]) + abs(qd[1]) ** 2 * 0.1]


def branching(t: Any, q: Any, qd: Any) -> Any:
    """The same, but it asks for a value."""
    return pushed(t, q, qd) if t >= 0 else [0.0, 0.0]


@pytest.mark.parametrize("method", [method for method in METHODS if method != "radau"])
def test_a_law_that_is_called_gives_what_a_compiled_one_gives(method: str) -> None:
    arm = qddot.load("spatial_2r")
    runs = [arm.simulate([0.3, 0.2], None, 0.5, 0.01, method, torque=law) for law in (pushed, branching)]
    assert [run.data.attrs["torque"] for run in runs] == ["a law, compiled", "a law that is called from Python"]
    assert not runs[0].notes
    assert "called from Python" in runs[1].notes[0]
    for name in ("q", "qd", "tau", "K", "P", "work"):
        assert np.allclose(runs[0].data[name], runs[1].data[name], rtol=1e-9, atol=1e-9), name


@pytest.mark.parametrize(
    ("method", "says"),
    [("radau", ("method-cannot-run", '"rk4" or "dop853"')), ("taylor", ("series-of-a-called-law", "taylor"))],
)
def test_a_law_that_is_called_is_refused_where_its_slopes_are_needed(method: str, says: tuple[str, ...]) -> None:
    with refusal(SimulationError, *says):
        qddot.load("spatial_2r").simulate([0.3, 0.2], None, 0.5, 0.01, method, torque=branching)


def test_a_called_law_is_asked_at_the_time_of_the_stop() -> None:
    """One arm of two stops in the middle, where the torque differs from that at the end."""

    def compiled(t: Any, q: Any, qd: Any) -> Any:
        return [30 * qddot.sin(3 * t), -30 * qddot.sin(3 * t)]

    def called(t: Any, q: Any, qd: Any) -> Any:
        return compiled(t, q, qd) if t >= 0 else [0.0, 0.0]

    arm, starts = qddot.load("spatial_2r"), [[0.3, 0.2], [0.3, 5.0]]
    runs = [
        arm.simulate(starts, None, 1.0, 0.01, method="rk4", torque=law, event=lambda t, q, qd: -q[1])
        for law in (compiled, called)
    ]
    (one,), (other,) = (run.stops for run in runs)
    assert other.time == pytest.approx(one.time, rel=1e-9) and 0.1 < one.time < 0.5


@pytest.mark.parametrize("name", ["rp", "puma560_akb"])
def test_the_work_of_the_motors_and_the_losses_balance(name: str) -> None:
    arm = physical(qddot.load(name))
    times = np.linspace(0, 1, 21)
    samples = np.sin(np.outer(times, np.arange(1, arm.n + 1))) * 3
    start = np.full(arm.n, 0.2)
    for torque in (None, np.full(arm.n, 2.0), (times, samples), lambda t, q, qd: -2 * q - qd):
        run = arm.simulate(start, start, 1.0, 1e-3, method="rk4", torque=torque, damping=0.5, limits=False)
        assert run.energy.check(1e-7)
        assert not run.energy.check(0)
        assert np.abs(run.energy.losses["damping"][-1]) > 1e-3
    with_friction = qddot.load("elbow_3r")
    assert physical(with_friction).n == 3


def test_the_models_own_friction_and_springs_are_accounted_for() -> None:
    effects = (qddot.Viscous(0.3), qddot.Coulomb(0.2), qddot.Spring(4.0, 0.1), qddot.Armature(0.5))
    joint = qddot.Joint("revolute", axis=(0, 0, 1), coordinate="q1", effects=effects)
    body = qddot.Body.of("link", joint, mass=2, com=(0.3, 0, 0), about="com", inertia=(0.1, 0, 0, 0.1, 0, 0.1))
    arm = qddot.Robot(qddot.Model("sprung", (body,), gravity=(0, -9.81, 0)))
    run = arm.simulate([1.0], [0.0], 2.0, 1e-4, method="rk4")
    assert set(run.energy.losses) == {"viscous", "coulomb"}
    assert all(loss[-1] > 0.05 for loss in run.energy.losses.values())
    assert run.energy.check(1e-3)
    assert run.energy.P[0] == pytest.approx(0.5 * 4 * 0.9**2 + 2 * 9.81 * 0.3 * np.sin(1.0))


def test_samples_are_joined_by_straight_lines() -> None:
    arm = qddot.load("spatial_2r")
    for method in METHODS:
        run = arm.simulate([0, 0], None, 1.0, 0.01, method, torque=([0, 0.5, 1], [[0, 1], [2, 1], [0, 1]]))
        assert run.tau[25] == pytest.approx([1, 1])
        assert run.tau[75] == pytest.approx([1, 1])
        assert run.energy.check(0.1)


@pytest.mark.parametrize("trajectory", [laws.quintic, laws.trapezoidal])
def test_trajectories_go_from_rest_to_rest(trajectory: Any) -> None:
    start, end = np.array([0.0, 1.0]), np.array([2.0, -1.0])
    motion = trajectory(start, end, 2.0)
    for t, where in ((-1.0, start), (0.0, start), (2.0, end), (9.0, end)):
        q, qd, _ = motion(t)
        assert np.allclose(q, where)
        assert np.allclose(qd, 0)
    for t in np.linspace(0.05, 1.95, 14):
        (before, _, _), (_, rate, _), (after, _, _) = motion(t - 1e-6), motion(t), motion(t + 1e-6)
        assert np.allclose((after - before) / 2e-6, rate, atol=1e-5)
        (_, before, _), (_, _, acceleration), (_, after, _) = motion(t - 1e-6), motion(t), motion(t + 1e-6)
        assert np.allclose((after - before) / 2e-6, acceleration, atol=1e-4)
    assert np.allclose(motion(1.0)[0], (start + end) / 2)


def test_laws_track_and_give_their_numbers() -> None:
    arm = qddot.load("puma560_akb")
    start, end = np.zeros(6), np.array([0.5, -0.5, 1.0, 0.3, 0.4, 0.5])
    motion = laws.quintic(start, end, 1.0)
    tracking = laws.computed_torque(arm, motion, 100.0, 20.0)
    run = arm.simulate(start, None, 1.2, 1e-3, method="rk4", torque=tracking)
    assert run.data.attrs["torque"] == "a law, compiled"
    assert np.abs(run.q - np.array([motion(t)[0] for t in run.time])).max() < 1e-9
    for k in (0, 300, 1100):
        assert np.allclose(tracking(run.time[k], run.q[k], run.qd[k]), run.tau[k], rtol=1e-9, atol=1e-9)
    holding = laws.pd_gravity(arm, end, np.full(6, 300.0), 60.0)
    held = arm.simulate(start, None, 6.0, 1e-3, method="rk4", torque=laws.limited(holding, 150.0))
    assert np.abs(held.q[-1] - end).max() < 1e-3
    assert np.abs(held.tau).max() <= 150.0
    sagging = arm.simulate(
        start, None, 6.0, 1e-3, method="rk4", torque=laws.pd(end, np.full(6, 300.0), 60.0), limits=False
    )
    assert np.allclose(300 * (end - sagging.q[-1]), arm.gravity(sagging.q[-1]), atol=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_an_event_stops_its_own_arm_where_it_is_zero(method: str) -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.array([[3.0, 0.0], [1.2, 0.1], [2.5, 0.1]])
    run = arm.simulate(q0, None, 3.0, 0.01, method, event=lambda t, q, qd: 1.0 - q[0])
    assert [stop.arm for stop in run.stops] == [0, 1, 2]
    for stop in run.stops:
        assert stop.reason == "it reached the event"
        assert stop.q[0] == pytest.approx(1.0, abs=1e-9)
        seen = run.time <= stop.time
        assert np.isfinite(run.q[stop.arm][seen]).all()
        assert np.isnan(run.q[stop.arm][~seen]).all()
        assert np.isnan(run.energy.E[stop.arm][~seen]).all()
    assert "stopped early" in repr(run)


def test_a_joint_limit_stops_unless_it_is_told_not_to() -> None:
    arm = qddot.load("puma560_akb")
    run = arm.simulate(np.zeros(6), None, 3.0, 1e-3, method="rk4")
    (stop,) = run.stops
    assert stop.reason == "it reached q2's upper limit"
    assert stop.q[1] == pytest.approx(np.pi / 4, abs=1e-9)
    assert arm.simulate(np.zeros(6), None, 3.0, 1e-3, method="rk4", limits=False).stops == ()
    with refusal(SimulationError, "arm-begins-beyond-a-limit", "q2", "side-upper"):
        arm.simulate([0, 1, 0, 0, 0, 0], None, 1.0, method="rk4")


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "midpoint"])
def test_a_state_that_blows_up_stops_its_own_arm(method: str) -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([[0.1, 0.2], [0.1, 0.2]], [[0.0, 0.0], [1e200, 1.0]], 1.0, 0.01, method)
    (stop,) = run.stops
    assert stop.arm == 1
    assert stop.reason == (
        "its state grew without bound" if method != "midpoint" else "the implicit step did not converge"
    )
    assert stop.qd[0] == pytest.approx(1e200)
    assert np.isfinite(run.q[0]).all()


def test_a_law_is_compiled_only_where_that_is_right() -> None:
    arm = qddot.load("spatial_2r")
    counter = iter(range(10**6))
    for law in (
        lambda t, q, qd: [next(counter) * 1e-6, 0.0],  # another one at each call
        lambda t, q, qd: [float(q[0]), 0.0],
        lambda t, q, qd: np.where(np.asarray(q, float) > 0, -1.0, 1.0),
        lambda t, q, qd: [q[0] % 2, 0.0],
        lambda t, q, qd: [q[0] ** 0.5, 0.0],
        lambda t, q, qd: [1.0 if q[0] == 0.1 else 0.0, 0.0],
        lambda t, q, qd: [max(q[0], 0.3), 0.0],
    ):
        run = arm.simulate([0.1, 0.2], None, 0.02, 0.01, method="rk4", torque=law)
        assert run.data.attrs["torque"] == "a law that is called from Python"
    K = np.array([[2.0, 0.5], [0.5, 1.0]])
    run = arm.simulate(
        [0.1, 0.2], None, 0.5, 0.01, method="rk4", torque=lambda t, q, qd: -K @ q - np.tanh(1.0) * qd + np.array([1, t])
    )
    assert run.data.attrs["torque"] == "a law, compiled"
    assert np.allclose(run.tau, -run.q @ K - np.tanh(1.0) * run.qd + np.stack([0 * run.time + 1, run.time], -1))
