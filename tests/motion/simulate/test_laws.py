"""The laws that come with the library do what their theory says, are compiled, and can be pickled."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal
from scipy.linalg import eigvals

import qddot
from qddot import forces, laws
from qddot.base.errors import QddotError, SimulationError


def slider() -> qddot.Robot:
    """A mass of 2 kg on a horizontal rail along x."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="x")
    body = qddot.Body.of("cart", joint, mass=2, com=(0, 0, 0), about="com", inertia=(0, 0, 0, 0, 0, 0))
    return qddot.Robot(qddot.Model("cart", (body,), gravity=(0, 0, -9.81)))


POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, -1.0], [2.0, 0.5]])


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
def test_waypoints_are_met_with_the_derivatives_of_one_motion(kind: str) -> None:
    times = np.array([0.0, 1.0, 1.5, 3.0])
    motion = laws.waypoints(POINTS, times, kind)
    for t, point in zip(times, POINTS, strict=True):
        assert np.allclose(motion(t)[0], point, atol=1e-12)
    for t, point in ((-1.0, POINTS[0]), (5.0, POINTS[-1])):
        q, qd, qdd = motion(t)
        assert np.allclose(q, point) and np.allclose(qd, 0, atol=1e-12) and np.allclose(qdd, 0, atol=1e-9)
    for t in np.linspace(0.031, 2.97, 23):
        (before, v_before, _), (_, rate, acceleration), (after, v_after, _) = (motion(t + d) for d in (-1e-6, 0, 1e-6))
        assert np.allclose((after - before) / 2e-6, rate, atol=1e-5)
        assert np.allclose((v_after - v_before) / 2e-6, acceleration, atol=1e-3)
    inside = np.linspace(0, 3, 3001)
    rates, accelerations = motion.extremes()
    assert np.allclose(np.max([np.abs(motion(t)[1]) for t in inside], axis=0), rates, rtol=1e-3)
    assert np.allclose(np.max([np.abs(motion(t)[2]) for t in inside], axis=0), accelerations, rtol=1e-2)


def test_a_quintic_between_two_points_reaches_the_extremes_that_it_tells() -> None:
    motion = laws.quintic([0.0, 1.0], [1.0, -2.0], 2.5)
    moments = [motion(t) for t in np.linspace(0, 2.5, 2001)]
    for order, extreme in enumerate(motion.extremes(), 1):
        assert np.allclose(np.max([np.abs(moment[order]) for moment in moments], axis=0), extreme, rtol=1e-5)


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
def test_waypoints_without_times_are_as_fast_as_their_limits(kind: str) -> None:
    limits = {"rate": [1.0, 1.5], "acceleration": 4.0}
    motion = laws.waypoints(POINTS, kind=kind, **limits)
    rates, accelerations = motion.extremes()
    shares = [*(rates / limits["rate"]), *(accelerations / limits["acceleration"])]
    assert max(shares) == pytest.approx(1)


def test_waypoints_that_break_limits_are_refused_with_the_remedy() -> None:
    with refusal(SimulationError, "waypoints-exceed-limits") as caught:
        laws.waypoints(POINTS, [0, 1, 1.5, 3], rate=1.0)
    slower = float(str(caught.value.remedy).split()[7].rstrip(","))
    laws.waypoints(POINTS, np.array([0, 1, 1.5, 3]) * slower * 1.001, rate=1.0)


def test_an_integral_removes_what_gravity_leaves() -> None:
    arm = qddot.load("spatial_2r")
    target = np.array([0.4, 0.3])
    run = arm.simulate(
        [0.3, 0.2], None, 20.0, 0.005, method="rk4", torque=laws.pid(target, 900.0, 700.0, 300.0), limits=False
    )
    assert run.data.attrs["torque"] == "a law, compiled"
    assert np.abs(run.q[-1] - target).max() < 1e-4
    # at rest the integral alone carries the weight
    assert np.allclose(700.0 * run.z[-1], arm.gravity(run.q[-1]), atol=0.5)


def sway(t: Any) -> tuple[Any, Any, Any]:
    """A motion of two joints that never rests, so that a load can be learned."""
    s, c = qddot.sin(t), qddot.cos(t)
    return np.array([0.8 * s, 0.5 * c]), np.array([0.8 * c, -0.5 * s]), np.array([-0.8 * s, -0.5 * c])


def test_an_adaptive_law_learns_a_load() -> None:
    """V = ½ sᵀ M s + ½ z̃ᵀ Γ⁻¹ z̃ has the rate −sᵀ Kd s with M of the loaded arm: Lyapunov's proof, in numbers."""
    arm = physical(qddot.load("spatial_2r"))
    arm, loaded = (arm.with_payload(mass=mass, com=(0.1, 0.0, 0.05)) for mass in (0.1, 1.5))
    slope, kd, adaptation = 5.0, 8.0, 0.5
    q0, qd0, _ = sway(0.0)
    runs = [
        loaded.simulate(q0, qd0, 20.0, 0.01, torque=laws.adaptive(arm, sway, slope, kd, gain))
        for gain in (adaptation, 0.0)
    ]
    run = runs[0]
    assert run.data.attrs["torque"] == "a law, compiled", run.notes
    way, rate, _ = (np.array(part).T for part in sway(run.time))
    errors = [np.abs(way - each.q)[-200:].max() for each in runs]
    assert errors[1] > 0.1
    assert errors[0] < errors[1] / 10
    s = run.qd - rate - slope * (way - run.q)
    missing = run.z + arm.dynamic_parameters() - loaded.dynamic_parameters()
    V = np.einsum("ti,tij,tj->t", s, loaded.mass_matrix(run.q), s) / 2
    V = V + (missing**2).sum(axis=1) / (2 * adaptation)
    lost = np.concatenate([[0.0], np.cumsum((kd * s**2).sum(axis=1)[1:] + (kd * s**2).sum(axis=1)[:-1]) * 0.005])
    assert V[0] - V == pytest.approx(lost, abs=1e-3 * V[0])


def test_an_adaptive_law_that_learns_nothing_is_passive_feedback() -> None:
    """Without a load M ṡ + C s + Kd s = 0, and with Γ = 0 for all parameters nothing changes."""
    arm = physical(qddot.load("elbow_3r"))
    law: Any = laws.adaptive(arm, [0.2, 0.4, -0.3], 4.0, 10.0, np.zeros(10 * len(arm.model.bodies)))
    run = arm.simulate([0.0, 0.0, 0.0], None, 3.0, 0.01, torque=law)
    assert not run.z.any()
    assert run.q[-1] == pytest.approx([0.2, 0.4, -0.3], abs=1e-3)
    wide = laws.adaptive(arm, [0.2, 0.4, -0.3], 4.0, 10.0, 0.1, armature=True, friction=True)
    assert arm.simulate([0.0, 0.0, 0.0], None, 0.1, 0.05, torque=wide).z.shape == (3, 10 * len(arm.model.bodies) + 9)


def test_an_impedance_holds_the_tool_as_a_spring_does() -> None:
    """At rest J maps the pull on the tool to the force of the spring: K (x_d − x) = −F."""
    arm = physical(qddot.load("elbow_3r"))
    q0 = np.array([0.2, 0.5, -0.8])
    place = arm.forward_kinematics(q0, "tool")[:3, 3]
    law = laws.impedance(arm, place, 2000.0, 400.0)
    force = np.array([5.0, -3.0, 4.0])
    run = arm.simulate(
        q0, None, 15.0, 0.002, method="rk4", torque=law, damping=2.0, forces=forces.Wrench("tool", force), limits=False
    )
    assert run.data.attrs["torque"] == "a law, compiled"
    moved = arm.forward_kinematics(run.q[-1], "tool")[:3, 3] - place
    assert np.allclose(2000.0 * moved, force, atol=1e-2)


def test_errors_in_operational_space_obey_their_equation() -> None:
    """ë + Kd ė + Kp e = 0: with Kp = 25, Kd = 10 it is e = e0 (1 + 5 t) e^(−5t)."""
    arm = physical(qddot.load("elbow_3r"))
    q0 = np.array([0.2, 0.5, -0.8])
    start = arm.forward_kinematics(q0, "tool")[:3, 3]
    goal = start + np.array([0.05, -0.04, 0.06])
    run = arm.simulate(
        q0, None, 1.0, 1e-3, method="rk4", torque=laws.operational_space(arm, goal, 25.0, 10.0), limits=False
    )
    assert run.data.attrs["torque"] == "a law, compiled", run.notes
    x, t = arm.forward_kinematics(run.q, "tool")[:, :3, 3], run.time[:, None]
    assert np.allclose(goal - x, (goal - start) * (1 + 5 * t) * np.exp(-5 * t), atol=1e-8)
    planar = physical(qddot.load("two_link"))
    along = laws.operational_space(planar, [0.5, 0.5, 0.0], 25.0, 10.0, axes="x y")
    moved = planar.simulate([0.5, 1.0], None, 0.1, 1e-3, method="rk4", torque=along)
    assert moved.data.attrs["torque"] == "a law, compiled", moved.notes


def test_lqr_is_optimal_and_stable() -> None:
    """AᵀP + PA − PBR⁻¹BᵀP + Q = 0 with K = R⁻¹BᵀP; the cost from x0 is x0ᵀ P x0 for small x0."""
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    q0 = np.array([np.pi / 2, 0.0])
    law: Any = laws.lqr(arm, q0, [10.0, 10.0, 1.0, 1.0], 0.1)
    A, B = arm.linearize(q0)
    poles = eigvals(A - B @ law.K)
    assert poles.real.max() < -0.1
    x0 = np.array([1e-3, -2e-3, 0.0, 1e-3])
    run = arm.simulate(q0 + x0[:2], x0[2:], 20.0, 0.005, method="rk4", torque=law)
    x = np.concatenate([run.q - q0, run.qd], axis=1)
    u = -x @ law.K.T
    cost = np.trapezoid((x**2) @ [10, 10, 1, 1] + 0.1 * (u**2).sum(1), dx=0.005)
    P = np.linalg.solve(
        np.kron(np.eye(4), (A - B @ law.K).T) + np.kron((A - B @ law.K).T, np.eye(4)),
        -(np.diag([10.0, 10, 1, 1]) + 0.1 * law.K.T @ law.K).ravel(),
    ).reshape(4, 4)
    assert cost == pytest.approx(x0 @ P @ x0, rel=1e-2)


def test_an_observer_follows_a_force_from_outside_with_its_lag() -> None:
    """ṙ = K (F − r): r = F (1 − e^(−Kt)) for a force that has always been there."""
    arm = slider()
    law = laws.momentum_observer(arm, laws.pd([0.3], 50.0, 5.0), 20.0)
    run = arm.simulate([0.0], [0.2], 0.5, 1e-3, method="rk4", torque=law, forces=forces.Wrench("cart", (7.0, 0, 0)))
    assert run.data.attrs["torque"] == "a law, compiled"
    assert np.allclose(law.residual(run)[:, 0], 7.0 * (1 - np.exp(-20 * run.time)), atol=1e-8)
    elbow = physical(qddot.load("elbow_3r"))
    q0 = np.array([0.2, 0.5, -0.8])
    watched = laws.momentum_observer(elbow, laws.pd_gravity(elbow, q0, 100.0, 20.0), 200.0)
    pushed = elbow.simulate(
        q0, None, 0.2, 1e-3, method="rk4", torque=watched, forces=forces.Wrench("tool", (1.0, 5.0, 2.0)), limits=False
    )
    J = elbow.jacobian(pushed.q[-1], "tool")
    # the lag is 5 ms, in which the arm hardly moves
    assert np.allclose(watched.residual(pushed)[-1], J[:3].T @ [1.0, 5.0, 2.0], atol=0.05)


def test_a_filter_lags_as_a_first_order_drive() -> None:
    run = slider().simulate(
        [0.0], None, 0.5, 1e-3, method="rk4", torque=laws.filtered(lambda t, q, qd: 0 * q + 3.0, 0.1)
    )
    assert np.allclose(run.tau[:, 0], 3.0 * (1 - np.exp(-run.time / 0.1)), atol=1e-9)


def test_all_laws_can_be_pickled() -> None:
    arm = physical(qddot.load("elbow_3r"))
    q, qd, z = np.array([0.2, 0.5, -0.8]), np.array([0.1, 0.0, 0.2]), np.zeros(3)
    motion = laws.waypoints([[0, 0, 0], [1, 1, 0], [0, 1, 1]], rate=1.0)
    plain = [
        laws.pd(laws.quintic(q, 0 * q, 1.0), 1.0, 2.0),
        laws.pd_gravity(arm, q, 1.0, 2.0),
        laws.computed_torque(arm, motion, 1.0, 2.0),
        laws.limited(laws.pd(laws.trapezoidal(q, 0 * q, 1.0), 1.0, 2.0), 0.1),
        laws.impedance(arm, q, 1.0, 2.0),
        laws.operational_space(arm, q, 1.0, 2.0),
        laws.lqr(arm, q, 1.0, 1.0),
    ]
    for law in plain:
        sent = pickle.loads(pickle.dumps(law))
        assert np.array_equal(sent(0.3, q, qd), law(0.3, q, qd))
    remembering: tuple[Any, ...] = (
        laws.pid(q, 1.0, 2.0, 3.0),
        laws.filtered(plain[0], 0.1),
        laws.momentum_observer(arm, plain[0], 5.0),
        laws.adaptive(arm, q, 4.0, 2.0, 0.1),
    )
    for law in remembering:
        sent = pickle.loads(pickle.dumps(laws.limited(law, 90.0)))
        z = law.z0(q, qd) + 0.1
        for one, other in zip(sent(0.3, q, qd, z), law(0.3, q, qd, z), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(sent.z0(q, qd), law.z0(q, qd))


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
@pytest.mark.parametrize(
    ("points", "given", "error"),
    [
        ([[0], [1e300]], {"rate": 1}, ("coordinates-too-large", "points", "1e+300", "1e+15")),
        ([[0], [-1e300]], {"times": [0, 1]}, ("coordinates-too-large", "points", "1e+300")),
        ([[-1e308], [1e308]], {"acceleration": 1}, ("coordinates-too-large", "points", "1e+308")),
        ([[0], [1]], {"times": [0, 1e-300]}, ("waypoint-times-apart", "1e-300", "1e-15")),
        ([[0], [1], [2]], {"times": [0, 1, 1e300]}, ("waypoint-times-apart", "1e+300")),
        ([[0], [1], [2]], {"times": [0, 1, 1]}, ("times-do-not-begin-at-zero", "3")),
        ([[0], [1]], {"rate": 1e-300}, ("waypoint-times-by-limits",)),
        ([[0], [1e15]], {"rate": 1e-300}, ("waypoint-times-by-limits", "inf")),
        ([[0], [1]], {"acceleration": 1e300}, ("waypoint-times-by-limits",)),
    ],
)
def test_waypoints_too_large_or_small_for_floats_are_refused(
    points: Any, given: Any, error: tuple[str, ...], kind: str
) -> None:
    with refusal(SimulationError, *error):
        laws.waypoints(points, kind=kind, **given)


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
@pytest.mark.parametrize("times", [[0, 1e-15, 2e-15], [0, 1e-15, 1e15], [0, 1e15, 2e15], [0, 1, 1 + 1e-15]])
def test_waypoints_at_the_ends_of_what_is_allowed_give_finite_motions(times: list[float], kind: str) -> None:
    motion = laws.waypoints([[0, 1e15], [1e15, -1e15], [0, 0]], times, kind)
    for t in (0.0, 0.3 * times[1], times[1], 0.7 * times[2], 2 * times[2]):
        assert all(np.isfinite(values).all() for values in motion(t))
    assert all(np.isfinite(values).all() for values in motion.extremes())


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda arm: laws.waypoints([[0, 0]], rate=1), ("points-misshapen",)),
        (lambda arm: laws.waypoints(POINTS, [0, 1, 1, 2]), ("times-do-not-begin-at-zero",)),
        (lambda arm: laws.waypoints(POINTS, [0, 1]), ("times-do-not-begin-at-zero",)),
        (lambda arm: laws.waypoints(POINTS), ("waypoints-without-times",)),
        (lambda arm: laws.waypoints(POINTS, kind="linear", rate=1), ("none-of-these", "kind", "'linear'")),
        (lambda arm: laws.waypoints(POINTS, rate=-1), ("limit-not-above-zero", "rate", "-1")),
        (lambda arm: laws.waypoints(POINTS * np.nan, rate=1), ("entries-not-finite", "points")),
        (lambda arm: laws.waypoints(POINTS, [0, 1, np.nan, 2]), ("entries-not-finite", "times")),
        (
            lambda arm: laws.waypoints(POINTS, [0, 2e-9, 6e10, 1e13], kind="quintic"),
            ("spline-nearly-singular", "2e-09"),
        ),
        # its equations have a solution in rounded numbers, which misses a point by 4 cm
        (lambda arm: laws.waypoints(POINTS, [0, 1e-8, 1, 2], kind="quintic"), ("spline-nearly-singular",)),
        (lambda arm: laws.quintic([0], [1e300], 1), ("coordinates-too-large", "end", "1e+300")),
        (lambda arm: laws.trapezoidal([-1e308], [1e308], 1), ("coordinates-too-large", "start", "1e+308")),
        (lambda arm: laws.quintic([0], [1], 1e-300), ("number-not-allowed", "duration", "1e-300")),
        (lambda arm: laws.quintic([0], [1], 1e160), ("number-not-allowed", "duration", "1e+160")),
        (lambda arm: laws.trapezoidal([0], [1], 1, blend=1e-300), ("number-not-allowed", "blend", "1e-300")),
        (lambda arm: laws.operational_space(arm, [0, 0, 0], 1, 1, axes="x w"), ("axes-not-xyz", "'x w'")),
        (lambda arm: laws.lqr(arm, [0, 0], [1, 2], 1), ("weight-misshapen", "Q")),
        (lambda arm: laws.lqr(arm, [0, 0], 1, 0), ("weight-not-positive", "R", "0")),
        (lambda arm: laws.filtered(laws.pid([0, 0], 1, 1, 1), 0.1), ("law-with-a-state",)),
        (lambda arm: laws.filtered(laws.pd([0, 0], 1, 1), 0), ("number-not-allowed", "time", "0")),
        (lambda arm: laws.pd([], 1, 1), ("target-misshapen",)),
        (lambda arm: laws.adaptive(arm, [0, 0], 1, 1, [1, 2]), ("adaptation-of-another-size", "2", "20")),
        (lambda arm: laws.adaptive(arm, [0, 0], 1, 1, -1), ("negative-numbers", "adaptation")),
        (lambda arm: laws.adaptive(arm, [0, 0], 1, 0, 1), ("kd-is-zero",)),
        (lambda arm: laws.impedance("arm", [0, 0, 0], 1, 1), ("law-without-arm", "'arm'")),
    ],
)
def test_what_no_law_can_be_made_of_is_refused(make: Any, error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        make(qddot.load("spatial_2r"))


@pytest.mark.parametrize(
    ("make", "name", "size"),
    [
        (lambda arm: laws.pd([1, 1], [1, 2, 3], 1), "kp", 2),
        (lambda arm: laws.pd_gravity(arm, [1, 1], 1, [1, 2, 3]), "kd", 2),
        (lambda arm: laws.pid([1, 1], 1, [1, 2, 3], 1), "ki", 2),
        (lambda arm: laws.computed_torque(arm, [1, 1], [1, 2, 3], 1), "kp", 2),
        (lambda arm: laws.adaptive(arm, [1, 1], [1, 2, 3], 1, 1), "slope", 2),
        (lambda arm: laws.adaptive(arm, [1, 1], 1, [1, 2, 3], 1), "kd", 2),
        (lambda arm: laws.impedance(arm, [1, 1, 0], [1, 2], 1), "stiffness", 3),
        (lambda arm: laws.operational_space(arm, [1, 1, 0], [1, 2, 3], 1, axes="x y"), "kp", 2),
    ],
)
def test_gains_of_another_number_of_joints_are_named(make: Any, name: str, size: int) -> None:
    arm = qddot.load("two_link")
    with pytest.raises(SimulationError, match=rf"the gain {name} has \d entries; expected one number, or {size}, one"):
        arm.simulate([0.1, 0.2], duration=0.1, torque=make(arm))
