"""Signs, minima and maxima end a step of a Taylor series where they change; friction holds joints and lets them go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qddot

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
    """A block on a spring: half an oscillation about ±f/k after the other, until the spring is weaker than friction."""
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


def test_a_block_at_rest_moves_off_at_the_sample_that_pulls_harder() -> None:
    """The force is held at 1 N, and at 3 N from t = 0.5 s on; then x'' = 3 − 2 − 10 x."""
    arm = qddot.loads(BLOCK)
    run = arm.simulate([0.0], None, 1.0, 0.125, "taylor", torque=lambda t, q, qd: [1 + 4 * t], sample=0.5)
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


def test_an_arm_with_friction_moves_as_with_small_steps() -> None:
    arm = rubbed_arm()
    run = arm.simulate([1.0, 0.5], None, 20.0, 0.5, "taylor", limits=False, damping=0.05)
    right = arm.simulate([1.0, 0.5], None, 20.0, 1e-3, "rk4", limits=False, damping=0.05, record_every=500)
    # rk4 steps over the reversals, each time off by about a step
    assert np.abs(run.q - right.q).max() < 2e-2
    assert run.energy.check(1e-12)
    assert (run.qd == 0).any()


def test_arms_of_a_batch_stick_each_at_its_own_time() -> None:
    arm, rng = rubbed_arm(), np.random.default_rng(0)
    q0, masses = rng.uniform(-2, 2, (20, 2)), rng.uniform(0.5, 2, 20)
    run = arm.simulate(q0, None, 5.0, 0.5, "taylor", limits=False, m1=masses)
    assert not run.stops
    assert run.energy.check(1e-11)
    # of the twenty, one that magnifies a start that is 1e-13 off to 6e-13 and not to 1e-8: rounding stays rounding
    alone = arm.simulate(q0[0], None, 5.0, 0.5, "taylor", limits=False, m1=float(masses[0]))
    assert np.abs(run.q[0] - alone.q).max() < 1e-13


def clipped(t: Any, q: Any, qd: Any) -> list[Any]:
    return [qddot.clip(-20 * q[0] - 2 * qd[0], -3, 3), abs(q[1]) * 0.3 - qddot.maximum(q[0], 0)]


def relay(t: Any, q: Any, qd: Any) -> list[Any]:
    return [qddot.sign(qddot.sin(3 * t + 0.1)), 0]


@pytest.mark.parametrize("law", [clipped, relay])
def test_laws_with_kinks_are_followed_piece_by_piece(law: Any) -> None:
    arm = qddot.load("two_link")
    run = arm.simulate([1.0, 0.5], None, 3.0, 0.5, "taylor", limits=False, torque=law)
    right = arm.simulate([1.0, 0.5], None, 3.0, 0.5, "dop853", limits=False, torque=law, tolerance=1e-12)
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
    assert not arm.simulate([0.0, 1.0], [1e3, 2e3], 0.1, 0.1, method).stops
