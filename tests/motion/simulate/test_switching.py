"""Signs, minima and maxima end a step of a Taylor series where they change; friction holds joints and lets them go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qddot
from qddot.algebra.program.status import STEPS
from qddot.motion.simulate import setup
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import machine
from qddot.motion.simulate.stepping.runge_kutta import RungeKuttaSolver

BLOCK = """
name = "block"
convention = "tree"
gravity = [0, 0, "-g"]
coordinates = ["x"]

[symbols]
g = { value = 9.81 }
f = { value = 2.0 }

[[link]]
name = "block"
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x", coulomb = "f", spring = { stiffness = 10, rest = 0 } }
mass = 1
com = [0, 0, 0]
inertia = { about = "com" }
"""


def rubbed_arm() -> qddot.Robot:
    """The two-link arm with dry friction in both joints."""
    text = qddot.load("two_link").to_toml()
    for joint, torque in (("q1", 0.6), ("q2", 0.3)):
        text = text.replace(f'coordinate = "{joint}"', f'coulomb = {torque}, coordinate = "{joint}"')
    return qddot.loads(text)


def block_at(t: float, start: float) -> float:
    """A block's place: half oscillations about f/k and −f/k in turn, until the spring is weaker than friction."""
    rest, half, turn = 0.2, np.pi / np.sqrt(10), start
    while abs(turn) > rest:
        middle = rest * np.sign(turn)
        if t <= half:
            return float(middle + (turn - middle) * np.cos(np.sqrt(10) * t))
        turn, t = 2 * middle - turn, t - half
    return float(turn)


def test_a_block_swings_and_sticks_as_by_hand() -> None:
    run = qddot.loads(BLOCK).simulate([1.1], None, 8.0, 0.25, "taylor")
    assert np.abs(run.q[:, 0] - [block_at(t, 1.1) for t in run.time]).max() < 1e-14
    assert run.qd[-1, 0] == 0
    assert run.energy.losses["coulomb"][-1] == pytest.approx(2.0 * (1.8 + 1.0 + 0.2), abs=1e-13)
    assert not run.stops


STARTS = np.linspace(1.5, 3.0, 12)  # from which a block swings over two kinks in 2.5 s, and is not held yet


def farthest(run: qddot.Run, starts: Any) -> float:
    """The largest distance of a run's blocks from their places as computed by hand."""
    right = [[block_at(t, start) for t in run.time] for start in starts]
    return float(np.abs(run.q[:, :, 0] - right).max())


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_steps_go_over_kinks_within_the_tolerance(method: str, tolerance: float) -> None:
    """Rates after a kink show nothing of it: errors estimated with those alone would let far too long steps pass."""
    arm = qddot.loads(BLOCK)
    many, some = (
        arm.simulate(starts[:, None], None, 2.5, 0.25, (method, tolerance)) for starts in (STARTS, STARTS[4:7])
    )
    assert farthest(many, STARTS) < 10 * tolerance
    assert many.energy.check(200 * tolerance)  # of some 45 J
    assert np.array_equal(some.q, many.q[4:7])
    for start in STARTS[:4]:
        one = arm.simulate([start], None, 2.5, 0.25, (method, tolerance))
        assert np.abs(one.q[:, 0] - [block_at(t, start) for t in one.time]).max() < 10 * tolerance


@pytest.mark.parametrize("method", ["dop853", "radau", "taylor"])
def test_an_event_behind_a_kink_is_at_its_time(method: str) -> None:
    """After the kink x = −0.2 − (x₀ − 0.6) cos ω t, whose rate rises above 2 m/s at sin ω t = 2/(ω (x₀ − 0.6))."""
    w, event = np.sqrt(10), lambda t, q, qd: qd[0] - 2.0
    run = qddot.loads(BLOCK).simulate(STARTS[:, None], None, 2.5, 0.25, method, event=event)
    assert len(run.stops) == len(STARTS)
    for stop in run.stops:
        angle = np.arcsin(2.0 / (w * (STARTS[stop.arm] - 0.6)))
        assert stop.time == pytest.approx((np.pi + angle) / w, abs=1e-9)
        assert stop.q[0] == pytest.approx(-0.2 - (STARTS[stop.arm] - 0.6) * np.cos(angle), abs=1e-9)
        assert stop.qd[0] == pytest.approx(2.0, abs=1e-13)


@pytest.mark.parametrize("method", ["dop853", "radau", "taylor"])
def test_a_limit_is_reached_at_its_time(method: str) -> None:
    """x = 0.2 + (x₀ − 0.2) cos ω t comes to −1 m."""
    arm = qddot.loads(BLOCK.replace('coordinate = "x"', 'coordinate = "x", limits = [-1, 4]'))
    run = arm.simulate(STARTS[:, None], None, 2.5, 0.25, method)
    assert len(run.stops) == len(STARTS)
    for stop in run.stops:
        due = np.arccos(-1.2 / (STARTS[stop.arm] - 0.2)) / np.sqrt(10)
        assert stop.reason == "it reached x's lower limit"
        assert stop.time == pytest.approx(due, abs=1e-9)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_friction_holds_a_block_at_rest_within_the_tolerance(method: str) -> None:
    """It swings six times, less each time, and rests where the spring is weaker than friction."""
    starts = np.array([1.1, 2.1, -1.3])
    run = qddot.loads(BLOCK).simulate(starts[:, None], None, 8.0, 0.25, (method, 1e-8))
    assert run.stops == ()
    assert farthest(run, starts) < 1e-7
    assert np.array_equal(run.qd[:, -1], np.zeros((3, 1)))


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_block_is_released_when_a_torque_that_moves_nothing_has_grown(method: str) -> None:
    """No error shows how the force on a block at rest changes: a step that it allows would pass the time."""
    run = qddot.loads(BLOCK).simulate([0.0], None, 1.0, 0.125, (method, 1e-8), torque=lambda t, q, qd: [4 * t])
    w, late = np.sqrt(10), np.maximum(run.time - 0.5, 0)
    assert np.abs(run.q[:, 0] - 0.4 * (late - np.sin(w * late) / w)).max() < 1e-7


def test_a_block_stays_at_rest_while_its_torque_swings_within_friction() -> None:
    law = lambda t, q, qd: [1.9 * qddot.sin(t)]  # noqa: E731
    run = qddot.loads(BLOCK).simulate([0.0], None, 50.0, 0.5, ("dop853", 1e-8), torque=law)
    assert not run.q.any()


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_joints_that_friction_holds_do_not_shorten_steps(method: str) -> None:
    """Two joints swing, stick one after the other and rest: chattering about rest took a hundred times as many."""
    arm = rubbed_arm()
    motion = qddot.Motion([1.0, 0.5], None, 20.0, 0.5, (method, 1e-6), limits=False, damping=0.05)
    given = setup.checked(arm.model, setup.RunRequest(motion))
    run = RungeKuttaSolver(given, machine(given.plant, given.method), LawCalls(given))
    run.until(given.records - 1)
    right = arm.simulate([1.0, 0.5], None, 20.0, 0.5, "taylor", limits=False, damping=0.05)
    assert run.stops == []
    assert np.abs(run.state[0, :2] - right.q[-1]).max() < 1e-4
    assert run.log[0, STEPS] < 2_000


def test_scipys_solver_goes_over_kinks_within_the_tolerance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.machine.compilers.integrators.are_there", lambda: False)
    run = qddot.loads(BLOCK).simulate(STARTS[:4, None], None, 2.5, 0.5, ("dop853", 1e-8))
    assert farthest(run, STARTS[:4]) < 1e-7


def test_a_block_at_rest_moves_off_at_the_sample_that_pulls_harder() -> None:
    """The force is held at 1 N, and at 3 N from t = 0.5 s on; then x'' = 3 − 2 − 10 x."""
    arm = qddot.loads(BLOCK)
    law = qddot.laws.sampled(lambda t, q, qd: [1 + 4 * t], 0.5)
    run = arm.simulate([0.0], None, 1.0, 0.125, "taylor", torque=law)
    after = run.time - 0.5
    assert np.allclose(run.q[:, 0], np.where(after > 0, 0.1 * (1 - np.cos(np.sqrt(10) * after)), 0), rtol=0, atol=1e-15)
    assert run.energy.check(1e-13)


def test_a_block_at_rest_stays_until_the_torque_is_more_than_friction() -> None:
    """A force 4 t moves it off at t = 0.5 s; then x'' = 4 (t − ½) − 10 x."""
    run = qddot.loads(BLOCK).simulate([0.0], None, 1.0, 0.125, "taylor", torque=lambda t, q, qd: [4 * t])
    w, late = np.sqrt(10), np.maximum(run.time - 0.5, 0)
    assert np.abs(run.q[:, 0] - 0.4 * (late - np.sin(w * late) / w)).max() < 1e-14
    samples = (np.array([0.0, 0.3, 1.0]), np.array([[0.0], [1.2], [4.0]]))
    again = qddot.loads(BLOCK).simulate([0.0], None, 1.0, 0.125, "taylor", torque=samples)
    assert np.abs(again.q - run.q).max() < 1e-14


@pytest.fixture(scope="module")
def pulled() -> qddot.Run:
    """Blocks under a force of 2 sin 3t: with a little less friction than its peaks, with as much, and with more."""
    return qddot.loads(BLOCK).simulate(
        [[0.0]] * 3, None, 4.0, 0.25, "taylor", torque=lambda t, q, qd: [2 * qddot.sin(3 * t)], f=[1.999999, 2.0, 2.1]
    )


def test_a_torque_whose_peaks_are_the_friction_itself_moves_nothing(pulled: qddot.Run) -> None:
    assert not pulled.stops
    assert np.abs(pulled.q[1:]).max() < 1e-15
    assert not pulled.qd[1:].any()


def test_a_torque_whose_peaks_are_a_little_more_moves_a_block_a_little(pulled: qddot.Run) -> None:
    """Around its peak a force 2 cos w t is more than a friction of 2 (1 − e) by 2 e − w² t²: for 2 √(2 e) / w s."""
    # x'' = 2 e − w² u², u from the peak: from −a to 2 a, until the velocity is zero again; a = √(2 e) / w
    e, w = 5e-7, 3.0
    assert pulled.q[0, 4, 0] == pytest.approx(2.25 * (2 * e) ** 2 / w**2, rel=1e-5)


def test_an_arm_with_friction_moves_as_with_small_steps() -> None:
    arm = rubbed_arm()
    run = arm.simulate([1.0, 0.5], None, 20.0, 0.5, "taylor", limits=False, damping=0.05)
    right = arm.simulate(
        [1.0, 0.5], None, 20.0, 1e-3, "rk4", limits=False, damping=0.05, options=qddot.Options(record_every=500)
    )
    # rk4 steps over the reversals, each time off by about a step
    assert np.abs(run.q - right.q).max() < 2e-2
    assert run.energy.check(1e-12)
    assert (run.qd == 0).any()


def test_arms_of_a_batch_stick_each_at_its_own_time() -> None:
    arm, rng = rubbed_arm(), np.random.default_rng(0)
    q0, masses = rng.uniform(-2, 2, (20, 2)), rng.uniform(0.5, 2, 20)
    masses[0] = arm.model.defaults()["m1"]
    run = arm.simulate(q0, None, 5.0, 0.5, "taylor", limits=False, damping=0.05, m1=masses)
    assert not run.stops
    assert run.energy.check(1e-11)
    # an arm that magnifies an error of 1e-13 at the start only to 6e-13, while others make 1e-8 of it
    alone = arm.simulate(q0[0], None, 5.0, 0.5, "taylor", limits=False, damping=0.05)
    assert np.abs(run.q[0] - alone.q).max() < 1e-13


def kinked(t: Any, q: Any, qd: Any) -> list[Any]:
    """A joint whose torque is clipped, and one with a relay beside magnitudes."""
    relay = qddot.sign(qddot.sin(3 * t + 0.1))
    return [qddot.clip(-20 * q[0] - 2 * qd[0], -3, 3), relay + abs(q[1]) * 0.3 - qddot.maximum(q[0], 0)]


def test_laws_with_kinks_are_followed_piece_by_piece() -> None:
    arm, law = qddot.load("two_link"), kinked
    run = arm.simulate([1.0, 0.5], None, 3.0, 0.5, "taylor", limits=False, torque=law)
    right = arm.simulate([1.0, 0.5], None, 3.0, 0.5, ("dop853", 1e-12), limits=False, torque=law)
    assert np.abs(run.q - right.q).max() < 1e-8  # dop853 steps over the kinks
    assert run.energy.check(1e-11)


def test_a_law_that_chatters_is_told() -> None:
    arm = qddot.load("two_link")
    run = arm.simulate(
        [1.0, 0.5], None, 5.0, 0.5, "taylor", limits=False, torque=lambda t, q, qd: [-20 * qddot.sign(q[0] + qd[0]), 0]
    )
    assert "back and forth" in run.stops[0].reason
    assert run.stops[0].time == pytest.approx(0.0275, abs=1e-3)


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau"])
def test_an_arm_that_turns_too_fast_to_follow_is_stopped_and_others_go_on(method: str) -> None:
    """Both links turn at 10⁹ rad/s, so that a second takes some 10⁹ steps."""
    arm = qddot.load("two_link")
    start = np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1e9, 2e9], [0.0, 1.0]])
    run = arm.simulate(*start, 1.0, 0.5, method)
    (stop,) = run.stops
    assert stop.arm == 0
    assert stop.time < 1e-3
    assert "too short" in stop.reason
    assert np.isfinite(run.q[1]).all()
    assert not arm.simulate(start[0], start[1] * [[1e-6], [1.0]], 0.1, 0.1, method).stops


@pytest.mark.parametrize("times", [[0, 1.0, 2.0], [0, 0.7, 1.8]])
def test_trapezoids_in_a_row_are_followed(times: list[float]) -> None:
    """A switch that turns at the time nearest to its zero may lie on its old side there: it does not turn back."""
    arm = qddot.load("two_link")
    way = qddot.laws.waypoints([[0.4, 0.8], [0.5, 0.9], [0.3, 0.7]], times, kind="trapezoidal")
    law = qddot.laws.computed_torque(arm, way, 100, 20)
    run = arm.simulate([0.4, 0.8], duration=2.5, step=0.05, method="taylor", torque=law)
    assert not run.stops
    assert np.allclose(run.q, [way(time)[0] for time in run.time], atol=1e-9)


def test_a_trapezoid_that_begins_at_a_kink_is_followed() -> None:
    """The time is clipped within other clips: where they begin depends on which side of the first one t = 0 is."""
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    way = qddot.laws.trapezoidal([0.4, 0.8], [0.5, 0.9], 1.0)
    law = qddot.laws.computed_torque(arm, way, 100, 20)
    run = arm.simulate([0.4, 0.8], duration=1.5, step=0.05, method="taylor", torque=law)
    assert run.stops == ()
    assert max(np.abs(q - way(t)[0]).max() for t, q in zip(run.time, run.q, strict=True)) < 1e-10
