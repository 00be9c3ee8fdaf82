"""A step of a series is held against the motion itself: where its last orders vanish, at kinks, pulses and roots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from pendulum import pendulum_angle

import qddot

CART = qddot.loads(
    'name = "cart"\nconvention = "tree"\ngravity = [0, 0, 0]\n[[link]]\nname = "a"\n'
    'joint = {type = "prismatic", axis = [1, 0, 0]}\nmass = 1\n'
)
HELD = qddot.loads(
    'name = "s"\nconvention = "tree"\ngravity = [0, 0, 0]\n[[link]]\nname = "a"\nmass = 0.01\n'
    'joint = {type = "prismatic", coulomb = 1, damping = 5}\n'
)


@pytest.mark.parametrize("several", [False, True])
def test_a_rod_that_falls_from_the_horizontal_moves_as_elliptic_functions_say(several: bool) -> None:
    """Its series has terms t², t⁶, t¹⁰ … alone: of the last four orders of q and of q̇, two vanish each."""
    arm = qddot.load("one_link")
    run = arm.simulate([[0.0], [-0.2], [0.0]] if several else [0.0], None, 5.0, 0.05, m=1.3, l=0.7)
    q = run.q[0] if several else run.q
    exact = [pendulum_angle(np.pi / 2, 9.81 / 0.7, t) - np.pi / 2 for t in run.time]
    assert not run.stops
    assert np.abs(q[:, 0] - exact).max() < 1e-12  # 150 steps, each off by some roundings of the angle


@pytest.mark.parametrize("name", ["two_link", "planar_2r", "elbow_3r", "spatial_2r", "spherical_pendulum"])
@pytest.mark.parametrize("angle", [0.0, np.pi / 2, np.pi])
def test_arms_at_right_angles_keep_their_energy_from_rest(name: str, angle: float) -> None:
    """K and P are computed from the samples: only a motion that obeys the equations keeps their sum."""
    arm = qddot.load(name)
    q0 = np.zeros(arm.n)
    q0[0] = angle or (np.pi / 2 if name == "spherical_pendulum" else 0.0)  # whose mass matrix is singular at zero
    run = arm.simulate(q0, None, 1.0, 0.01, "taylor", limits=False)
    assert not run.stops
    assert np.abs(run.energy.E - run.energy.E[0]).max() < 1e-10 * max(1.0, np.abs(run.energy.K).max())
    other = arm.simulate(q0, None, 1.0, 0.01, ("dop853", 1e-12), limits=False)
    assert np.abs(run.q - other.q).max() < 1e-8


def impulse(force: Callable[[Any], Any], begin: float, end: float) -> float:
    """The integral of a force over time, by Gauss's rule with 200 points."""
    points, weights = leggauss(200)
    return float(weights @ force(begin + (points + 1) * (end - begin) / 2) * (end - begin) / 2)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", ["step", "pulse"])
def test_a_smooth_force_that_begins_later_is_seen(kind: str, several: bool) -> None:
    """At t = 0 no term of its series is more than 1e-80, and the arm could move on for ever."""
    arm, m = qddot.load("slider"), 2.5
    law, force = {
        "step": (lambda t, q, qd: [1 + qddot.tanh(20 * (t - 5))], lambda t: 1 + np.tanh(20 * (t - 5))),
        "pulse": (lambda t, q, qd: [qddot.exp(-20 * (t - 5) ** 2)], lambda t: np.exp(-20 * (t - 5) ** 2)),
    }[kind]
    run = arm.simulate([[0.0], [1.0]] if several else [0.0], None, 10.0, 0.005, torque=law)
    v = impulse(force, 3.0, 5.0) / m + impulse(force, 5.0, 7.0) / m + (impulse(force, 7.0, 10.0) / m)
    assert np.abs(run.qd[..., -1, 0] - v).max() < 1e-12
    assert np.abs(run.energy.work[..., -1] - m * v * v / 2).max() < 1e-11


def test_friction_that_saturates_is_followed() -> None:
    """m v' = −tanh(k v) has the solution sinh(k v) = sinh(k v₀) exp(−k t / m)."""
    m, k = 2.5, 100.0
    run = qddot.load("slider").simulate([0.0], [1.0], 3.0, 0.01, torque=lambda t, q, qd: -qddot.tanh(k * qd))
    exact = np.arcsinh(np.sinh(k) * np.exp(-k * run.time / m)) / k
    assert np.abs(run.qd[:, 0] - exact).max() < 1e-12
    assert np.abs(run.energy.balance).max() < 1e-12


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("kinked", "smooth"),
    [
        (lambda t, q, qd: -10 * qddot.maximum(q - 0.3, 0.0), lambda t, q, qd: 0 * q),
        (lambda t, q, qd: 10 * qddot.maximum(0.3 - q, 0.0), lambda t, q, qd: 10 * (0.3 - q)),
        (lambda t, q, qd: -10 * abs(q - 0.3), lambda t, q, qd: 10 * (q - 0.3)),
        (lambda t, q, qd: -qd * qddot.sqrt(qd @ qd), lambda t, q, qd: qd * qd),
        (lambda t, q, qd: -qd * abs(qd), lambda t, q, qd: qd * qd),
    ],
)
def test_a_rod_that_falls_from_a_kink_takes_its_side(kinked: Any, smooth: Any, several: bool) -> None:
    """The argument of the kink, or of the root, is zero at the start with a rate of zero."""
    arm = qddot.load("one_link")
    start = [[0.3], [0.3]] if several else [0.3]
    run, other = (arm.simulate(start, None, 0.5, 0.01, "taylor", torque=law) for law in (kinked, smooth))
    assert not run.stops
    assert np.abs(run.q - other.q).max() < 1e-12


def test_a_force_that_begins_as_a_root_is_followed() -> None:
    """√t has no series at 0: v = ⅔ √t³ / m."""
    run = qddot.load("slider").simulate([0.0], None, 1.0, 0.01, "taylor", torque=lambda t, q, qd: [qddot.sqrt(t)])
    assert not run.stops
    assert np.abs(run.qd[:, 0] - 2 / 3 * run.time**1.5 / 2.5).max() < 1e-12


def test_a_drag_whose_root_turns_its_sign_stays_a_drag() -> None:
    """√(q̇ · q̇) of one joint is |q̇|: where the rod turns back, the series of the root has the other sign."""
    arm = qddot.load("one_link")
    run, other = (
        arm.simulate([-np.pi / 2], [1.0], 1.5, 0.01, method, torque=law)
        for method, law in (
            ("taylor", lambda t, q, qd: -qd * qddot.sqrt(qd @ qd)),
            (("dop853", 1e-12), lambda t, q, qd: -qd * abs(qd)),
        )
    )
    assert np.abs(run.q - other.q).max() < 1e-9


@pytest.mark.parametrize("several", [False, True])
def test_friction_holds_a_torque_whose_peak_is_as_large(several: bool) -> None:
    start = [[0.0], [1.0]] if several else [0.0]
    run = HELD.simulate(start, None, 2.0, 0.01, torque=lambda t, q, qd: [qddot.sin(np.pi * t)])
    assert not run.stops
    assert (run.q == run.q[..., :1, :]).all()


POSTS = [
    (lambda q: 0.2 - qddot.sqrt((q - 0.5) * (q - 0.5) + 0.1**2), 0.5 - np.sqrt(0.03)),
    (lambda q: 0.002 - qddot.sqrt((q - 0.5) * (q - 0.5) + 0.001**2), 0.5 - np.sqrt(3e-6)),
    (lambda q: 1 / (1 + ((q - 0.5) / 0.1) * ((q - 0.5) / 0.1)) - 0.5, 0.4),
    (lambda q: qddot.exp(-((q - 0.5) / 0.1) * ((q - 0.5) / 0.1)) - 0.5, 0.5 - 0.1 * np.sqrt(np.log(2))),
    (lambda q: qddot.tanh((q - 0.5) / 0.02), 0.5),
    (lambda q: (q - 0.5) * (q - 0.5) * (q - 0.5), 0.5),
    (lambda q: 0.04 - qddot.sqrt((q - 0.5) * (q - 0.5) + 0.05**2), None),
    (lambda q: 1 / (1 + ((q - 0.5) / 0.1) * ((q - 0.5) / 0.1)) - 1.01, None),
    (lambda q: -(q - 0.5) * (q - 0.5), None),
]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(("above", "time"), POSTS)
def test_an_event_is_where_its_own_function_rises(above: Any, time: float | None, several: bool) -> None:
    """The motion is uniform, so that no error of its own shortens a step; one that touches zero does not rise."""
    q0, qd0 = ([[0.0], [0.0]], [[1.0], [1.0]]) if several else ([0.0], [1.0])
    run = CART.simulate(q0, qd0, 1.0, 0.01, "taylor", event=lambda t, q, qd: above(q[0]))
    expected = [] if time is None else [time] * (1 + several)
    # a triple root is known to the third root of rounding
    assert [stop.time for stop in run.stops] == pytest.approx(expected, abs=1e-5 if time == 0.5 else 1e-11)


@pytest.mark.parametrize("start", [0.39673154362416113, 0.4446442953020135])
def test_an_event_in_a_step_that_is_tried_again_is_where_the_arm_is(start: float) -> None:
    """A torque that rises beyond the event makes the first step too long, although hardly."""
    run = qddot.load("one_link").simulate(
        [start],
        [3.0],
        1.0,
        0.5,
        "taylor",
        torque=lambda t, q, qd: [1e-9 * qddot.tanh(400 * (q[0] - 0.5))],
        event=lambda t, q, qd: q[0] - 0.45,
    )
    (stop,) = run.stops
    assert stop.q[0] == pytest.approx(0.45, abs=1e-14)


def test_a_payload_is_picked_up_where_the_distance_to_it_says() -> None:
    near = 0.5 - np.sqrt(0.1**2 - 0.05**2)
    taken = qddot.forces.Payload(1.0, taken=lambda t, q, qd: 0.1 - qddot.sqrt((q[0] - 0.5) * (q[0] - 0.5) + 0.05**2))
    run = CART.simulate([0.0], [1.0], 1.0, 0.01, "taylor", torque=[1.0], forces=taken)
    t = np.sqrt(1 + 2 * near) - 1  # of the pick-up: t + t²/2 is the way to it
    assert run.qd[-1, 0] == pytest.approx(1 + t + (1 - t) / 2, abs=1e-11)


def test_a_soft_post_that_is_narrower_than_a_step_pushes_back() -> None:
    """A spring of 200 N/m along the distance to a point returns the cart with the rate that it came with."""
    law = lambda t, q, qd: [  # noqa: E731
        -200 * qddot.maximum(0, 0.1 - qddot.sqrt((q[0] - 0.5) * (q[0] - 0.5) + 0.05**2))
    ]
    run = CART.simulate([0.0], [1.0], 1.0, 0.01, "taylor", torque=law)
    other = CART.simulate([0.0], [1.0], 1.0, 1e-4, "rk4", torque=law)
    assert np.abs(run.q[-1] - other.q[-1]).max() < 1e-7


def test_a_step_of_fixed_order_is_as_precise_at_its_samples_as_at_its_end() -> None:
    """A force of t⁴ that begins behind a kink: v = t⁵ / 5 and x = t⁶ / 30, which no sample may miss."""
    law = lambda t, q, qd: [t * t * t * t * qddot.sign(1 + abs(q[0]))]  # noqa: E731
    run = CART.simulate([0.0], None, 1.0, 0.01, "taylor", torque=law)
    assert np.abs(run.q[:, 0] - run.time**6 / 30).max() < 1e-14
    assert np.abs(run.qd[:, 0] - run.time**5 / 5).max() < 1e-14
