"""Adaptive methods look into their steps, so that nothing that lasts as long as a sample passes unseen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qddot
from qddot import forces, laws
from qddot.algebra.program.rates import allowed_defect
from qddot.motion.simulate import setup
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import machine
from qddot.motion.simulate.stepping.runge_kutta import RungeKuttaSolver

METHODS = ("dop853", "radau")
SLIDER = qddot.load("slider")  # 2.5 kg, free along x
CART = qddot.loads(
    'name = "cart"\nconvention = "tree"\ngravity = [0, 0, 0]\n[[link]]\nname = "a"\n'
    'joint = {type = "prismatic", axis = [1, 0, 0]}\nmass = 1\n'
)
POSTS = (0.15, 0.23, 0.51, 0.7, 0.82)
NEAR = 0.012  # of a post [m], so that the slider is near for 24 ms


def idle(t: float, q: Any, qd: Any) -> Any:
    """A law that has to be called, for SciPy's solver: no torque."""
    return 0 * q if t >= 0 else q


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize(("method", "torque"), [("dop853", None), ("radau", None), ("dop853", idle)])
def test_a_short_event_is_found_where_it_begins(method: str, torque: Any, post: float) -> None:
    """The slider passes at 1 m/s, in one step of the method, and is near the post for two samples."""
    near = lambda t, q, qd: NEAR**2 - (q[0] - post) * (q[0] - post)  # noqa: E731
    (stop,) = SLIDER.simulate([0.0], [1.0], 1.0, 0.01, method, torque=torque, event=near).stops
    assert stop.time == pytest.approx(post - NEAR, abs=1e-13)
    assert stop.q[0] == pytest.approx(post - NEAR, abs=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_each_arm_of_a_batch_finds_its_own_short_event(method: str) -> None:
    near = lambda t, q, qd: NEAR**2 - (q[0] - 0.5) * (q[0] - 0.5)  # noqa: E731
    starts = np.linspace(-0.3, 0.45, 11)
    run = SLIDER.simulate(starts[:, None], np.ones((11, 1)), 1.0, 0.01, method, event=near)
    times = [stop.time for stop in sorted(run.stops, key=lambda stop: stop.arm)]
    assert times == pytest.approx(0.5 - NEAR - starts, abs=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_that_is_passed_and_left_within_a_step_stops(method: str) -> None:
    """Thrown at 1 m/s against 1 m/s², a block rises to 0.5 m, and passes 0.4999 m for 28 ms."""
    joint = qddot.Joint("prismatic", axis=(0, 0, 1), coordinate="q1", limits=(-1, 0.4999))
    body = qddot.Body.of("block", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    arm = qddot.Robot(qddot.Model("block", (body,), gravity=(0, 0, -1)))
    (stop,) = arm.simulate([0.0], [1.0], 1.8, 0.01, method).stops
    assert stop.time == pytest.approx(1 - np.sqrt(2e-4), abs=1e-12)


@pytest.mark.parametrize("method", ["dop853", "radau", "rk4"])
def test_an_event_that_touches_zero_does_not_stop_an_arm_and_a_triple_zero_does(method: str) -> None:
    touched = SLIDER.simulate([0], [1], 1.0, 0.01, method, event=lambda t, q, qd: -(t - 0.5) * (t - 0.5))
    assert touched.stops == ()
    (stop,) = SLIDER.simulate([0], [1], 1.0, 0.01, method, event=lambda t, q, qd: (t - 0.5) ** 3).stops
    assert stop.time == pytest.approx(0.5, abs=1e-13)


def pulse(t: Any, q: Any, qd: Any) -> Any:
    return [qddot.exp(-20 * (t - 5) * (t - 5))]


def called_pulse(t: float, q: Any, qd: Any) -> Any:
    return [float(np.exp(-20 * (t - 5) ** 2))]


@pytest.mark.parametrize(("method", "torque"), [("dop853", pulse), ("radau", pulse), ("dop853", called_pulse)])
@pytest.mark.parametrize("step", [0.005, 0.05])
def test_the_impulse_of_a_pulse_from_rest_is_the_momentum(method: str, torque: Any, step: float) -> None:
    run = SLIDER.simulate([0.0], None, 10.0, step, method, torque=torque)
    assert 2.5 * run.qd[-1, 0] == pytest.approx(np.sqrt(np.pi / 20), rel=1e-8)


@pytest.mark.parametrize(("method", "step"), [("dop853", 0.0005), ("radau", 0.0005)])
def test_a_pulse_of_a_few_samples_is_not_passed_over(method: str, step: float) -> None:
    """It lasts 2 ms in 2 s, and is far from all stages of the steps of an arm that moves evenly."""
    narrow = lambda t, q, qd: [100 * qddot.exp(-1e6 * (t - 1.2345) * (t - 1.2345))]  # noqa: E731
    run = SLIDER.simulate([0.0], [1.0], 2.0, step, method, torque=narrow)
    assert 2.5 * (run.qd[-1, 0] - 1) == pytest.approx(100 * np.sqrt(np.pi / 1e6), rel=1e-7)


@pytest.mark.parametrize(("method", "called"), [("dop853", False), ("radau", False), ("dop853", True)])
def test_a_hill_that_is_too_high_throws_a_cart_back_as_fast_as_it_came(method: str, called: bool) -> None:
    """The force of the hill depends on the position alone, and has kinks where the hill begins and ends."""
    largest, root = (max, np.sqrt) if called else (qddot.maximum, qddot.sqrt)

    def hill(t: Any, q: Any, qd: Any) -> Any:
        return [-200 * largest(0.0, 0.1 - root((q[0] - 0.5) * (q[0] - 0.5) + 0.0025))]

    run = CART.simulate([0.0], [1.0], 1.0, 0.01, (method, 1e-9), torque=hill)
    assert run.qd[-1, 0] == pytest.approx(-1, abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_a_payload_is_taken_where_its_function_rises_for_a_moment(method: str) -> None:
    """1 N moves a cart of 1 kg, and 2 kg from the place where the cart comes near a post; momentum does not jump."""
    near = lambda t, q, qd: 0.1 - qddot.sqrt((q[0] - 0.5) * (q[0] - 0.5) + 0.0025)  # noqa: E731
    place = 0.5 - np.sqrt(0.0075)
    load = forces.Payload(1.0, taken=near)
    run = CART.simulate([0.0], [1.0], 1.0, 0.01, method, forces=load, torque=[1.0])
    taken = np.sqrt(1 + 2 * place) - 1
    assert run.qd[-1, 0] == pytest.approx(1 + taken + (1 - taken) / 2, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_push_on_an_arm_that_rests_is_felt(method: str) -> None:
    arm = qddot.load("two_link")
    push = forces.Wrench("tool", force=lambda t, q, qd: (0, -10 * qddot.exp(-50 * (t - 5) * (t - 5)), 0))
    held = {"torque": laws.computed_torque(arm, [0, 0], 100, 20), "forces": push}
    run, right = (arm.simulate([0, 0], None, 10.0, 0.005, m, **held) for m in (method, "rk4"))
    assert np.abs(right.q).max() > 0.3
    assert np.abs(run.q - right.q).max() < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_a_law_that_jumps_does_not_hold_an_arm_up(method: str) -> None:
    """A torque that begins at once between two samples: v = F (1 − 0.3333) / m."""
    late = lambda t, q, qd: [qddot.sign(t - 0.3333) + 1]  # noqa: E731
    run = SLIDER.simulate([0.0], None, 1.0, 0.01, method, torque=late)
    assert run.qd[-1, 0] == pytest.approx(2 * (1 - 0.3333) / 2.5, rel=1e-8)


def asked(torque: Any = None, push: Any = None, tolerance: float = 1e-9) -> setup.Setup:
    arm = qddot.load("two_link")
    motion = qddot.Motion([1.0, 0.5], None, 2.0, 0.01, ("dop853", tolerance), torque=torque, forces=push, limits=False)
    return setup.checked(arm.model, setup.RunRequest(motion))


def test_only_what_may_be_a_pulse_is_looked_at() -> None:
    arm = qddot.load("two_link")
    gentle = (
        None,
        [1.0, 2.0],
        laws.pd_gravity(arm, [0, 0], 50, 10),
        laws.computed_torque(arm, [0, 0], 50, 10),
        laws.sampled(lambda t, q, qd: [qddot.tanh(100 * t), 0], 0.01),
    )
    for torque in gentle:
        assert not asked(torque).plant.watched
    for law in (
        lambda t, q, qd: [t, 0],
        lambda t, q, qd: -qddot.tanh(100 * qd),
        lambda t, q, qd: 1 / (1 + q * q),
        lambda t, q, qd: [float(t), 0.0],
    ):
        assert asked(law).plant.watched
    assert not asked(push=forces.Wrench("tool", (1, 0, 0))).plant.watched
    assert asked(push=forces.Wrench("tool", lambda t, q, qd: (qddot.sin(t), 0, 0))).plant.watched


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_look_changes_no_step_of_a_smooth_torque(tolerance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The torque depends on t, but hardly within a step: the defect stays within what a step may have."""
    waves = lambda t, q, qd: [qddot.sin(3 * t), qddot.cos(5 * t)]  # noqa: E731
    steps = []
    made = asked(waves, tolerance=tolerance)
    for allowed in (allowed_defect, lambda relative: np.inf):
        monkeypatch.setattr("qddot.motion.simulate.stepping.runge_kutta.allowed_defect", allowed)
        run = RungeKuttaSolver(made, machine(made.plant, made.method), LawCalls(made), 1)
        run.until(made.records - 1)
        steps.append(run.log[0, 1])
    assert steps[0] == steps[1]
