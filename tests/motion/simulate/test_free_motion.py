"""Bodies with quaternions move as Euler says, keep their momenta, and account for their energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import forces, laws
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file


def body(kind: str, gravity: Any = 0, **mass: Any) -> qddot.Robot:
    tensor = {"about": "com", "xx": 2, "yy": 2, "zz": 3}
    link = {"name": "body", "joint": {"type": kind}, "mass": 5, "inertia": tensor, **mass}
    return qddot.Robot(
        robot_file.from_mapping({"convention": "tree", "gravity": [0, 0, gravity], "link": [link]}, "body")
    )


TOP = body("spherical")
SATELLITE = qddot.load("two_link").free(mass=5, inertia=(0.8, 0, 0, 0.7, 0, 0.9)).with_values(g=0)
STILL = SATELLITE.neutral()


def momenta(arm: qddot.Robot, run: qddot.Run) -> tuple[Any, Any]:
    """Linear and angular momentum about the world's origin, along the world's axes, of an arm on a free base."""
    p = arm.momentum(run.q, run.qd)
    R = arm.forward_kinematics(run.q, body=0)[..., :3, :3]
    linear, angular = (np.einsum("tij,tj->ti", R, part) for part in (p[:, :3], p[:, 3:6]))
    return linear, angular + np.cross(run.q[:, :3], linear)


@pytest.mark.parametrize(
    ("method", "within"), [("rk4", 2e-9), ("taylor", 1e-13), (("dop853", 1e-12), 1e-10), (("radau", 1e-10), 1e-8)]
)
def test_a_free_symmetric_top_precesses(method: str, within: float) -> None:
    """ω turns about the axis at the rate (C − A) ω_z / A along the body's own axes. Source: Goldstein, §5.6."""
    run = TOP.simulate([1, 0, 0, 0], [0.3, 0, 1.2], duration=5, step=0.01, method=method)
    angle = (3 - 2) / 2 * 1.2 * run.time
    expected = np.stack([0.3 * np.cos(angle), 0.3 * np.sin(angle), np.full_like(angle, 1.2)], axis=1)
    np.testing.assert_allclose(run.qd, expected, atol=within)
    L = np.einsum("tij,tj->ti", TOP.forward_kinematics(run.q)[..., :3, :3], run.qd * [2, 2, 3])
    np.testing.assert_allclose(L, np.broadcast_to([0.6, 0, 3.6], L.shape), atol=3 * within)
    np.testing.assert_allclose(np.linalg.norm(run.q, axis=1), 1, rtol=0, atol=4e-16)


def motors(t: Any, q: Any, qd: Any) -> list[Any]:
    return [0, 0, 0, 0, 0, 0, qddot.sin(t), -0.1 * qd[7]]


def test_a_satellite_whose_motors_turn_keeps_its_momenta() -> None:
    run = SATELLITE.simulate(STILL, [0.1, 0, 0, 0.1, 0.2, 0.5, 0.5, -1], duration=5, step=0.05, torque=motors)
    assert run.arrays.attrs["method"] == "taylor" and run.q.shape == (101, 9) and run.tau.shape == (101, 8)
    for momentum in momenta(SATELLITE, run):
        np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-12)
    assert run.energy.check(1e-12)


def test_steps_of_rk4_have_the_order_four() -> None:
    start = TOP.integrate(TOP.neutral(), [0.2, 0.4, -0.1])
    true = TOP.simulate(start, [1, 0.5, 2], duration=1, step=0.1, method="taylor").q[-1]
    errors = []
    for step in (0.1, 0.05, 0.025):
        reached = TOP.simulate(start, [1, 0.5, 2], duration=1, step=step, method="rk4").q[-1]
        errors.append(float(np.linalg.norm(TOP.difference(true, reached))))
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.15)


def test_energy_is_accounted_for_on_a_ball_with_friction_and_a_spring_to_the_world() -> None:
    arm = body("spherical", -9.81, com=[0, 0, -0.7], joint={"type": "spherical", "damping": 0.3})
    spring = forces.SpringDamper("body", (1, 0, -1), stiffness=20.0, at=(0, 0, -1))
    start = arm.integrate(arm.neutral(), [0.5, -0.2, 0])
    run = arm.simulate(start, duration=2, step=0.02, method="taylor", forces=spring, damping=0.1)
    assert set(run.energy.losses) == {"viscous", "damping"}
    assert run.energy.check(1e-11)


def test_a_law_that_is_called_sees_positions_and_velocities() -> None:
    seen = []

    def law(t: float, q: Any, qd: Any) -> Any:
        seen.append((len(q), float(np.linalg.norm(np.array(q, dtype=float)[3:7]))))
        return [0, 0, 0, 0, 0, 0, -float(qd[6]), 0]

    run = SATELLITE.simulate(STILL, [0, 0, 0, 0, 0, 0.3, 1, 0], duration=0.1, step=0.01, torque=law)
    assert "called from Python" in run.notes[0]
    assert {size for size, _ in seen} == {9} and all(abs(norm - 1) < 1e-4 for _, norm in seen)


def test_a_joint_beyond_a_free_base_stops_at_its_limit() -> None:
    model = SATELLITE.to_toml().replace('coordinate = "q2"', 'coordinate = "q2", limits = [-1, 0.5]')
    arm = qddot.loads(model)
    run = arm.simulate(STILL, [0, 0, 0, 0, 0, 0, 0, 1], duration=2, step=0.01)
    assert (run.stops[0].cause.joint, run.stops[0].cause.side) == ("q2", "upper")
    assert run.stops[0].q[8] == pytest.approx(0.5, abs=1e-12)


def test_a_stepper_takes_the_steps_of_rk4() -> None:
    step = SATELLITE.stepper(0.1)
    rates = np.array([0, 0, 0, 0.1, 0.2, 0.3, 1, -1])
    run = SATELLITE.simulate(STILL, rates, duration=0.3, step=0.1, method="rk4")
    q, qd = STILL, rates
    for _ in range(3):
        q, qd = step(q, qd, np.zeros(8))
    np.testing.assert_allclose(q, run.q[-1], atol=1e-14)
    np.testing.assert_allclose(qd, run.qd[-1], atol=1e-14)
    with refusal(QddotError, "not-a-unit-quaternion", "2"):
        step(STILL * 2, rates, np.zeros(8))


def controlled(t: float, q: Any, qd: Any) -> Any:
    return [0, 0, 0, 0, 0, 0, -qd[6], -q[8]]


@pytest.mark.parametrize("law", [controlled, lambda t, q, qd: [float(tau) for tau in controlled(t, q, qd)]])
def test_a_sampled_law_sees_positions_and_velocities(law: Any) -> None:
    """Compiled, and called from Python, by a fixed step and by steps of a method's own."""
    rates = np.array([0, 0, 0, 0.1, 0.2, 0.3, 1, -1])
    runs = [
        SATELLITE.simulate(STILL, rates, duration=0.5, step=0.05, torque=laws.sampled(law, every=0.1), method=method)
        for method in ("rk4", ("dop853", 1e-12))
    ]
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-6)
    np.testing.assert_array_equal(runs[1].tau[2, 6:], [-runs[1].qd[2, 6], -runs[1].q[2, 8]])
    assert runs[1].energy.check(1e-9)


def test_a_payload_is_taken_on_a_free_base() -> None:
    """It already moves with the hand: velocities stay, and the arm goes on as one with the payload."""
    rates, load = np.array([0, 0, 0, 0.1, 0.2, 0.3, 1, -1]), (2.0, (0.1, 0, 0))
    run = SATELLITE.simulate(
        STILL, rates, duration=0.4, step=0.1, forces=forces.Payload(*load, taken=0.2), method="taylor"
    )
    with_load = SATELLITE.with_payload(*load)
    after = with_load.simulate(run.q[2], run.qd[2], duration=0.2, step=0.1, method="taylor")
    np.testing.assert_allclose(run.q[4], after.q[2], atol=1e-13)
    np.testing.assert_allclose(run.qd[4], after.qd[2], atol=1e-13)
    assert run.energy.check(1e-12)


def test_many_satellites_are_each_their_own() -> None:
    starts = np.repeat(STILL[None], 3, axis=0)
    rates = np.zeros((3, 8))
    rates[:, 5] = [0.1, 0.2, 0.3]
    run = SATELLITE.simulate(starts, rates, duration=1, step=0.1, torque=motors)
    assert run.q.shape == (3, 11, 9)
    alone = SATELLITE.simulate(STILL, rates[1], duration=1, step=0.1, torque=motors)
    np.testing.assert_allclose(run.q[1], alone.q, atol=1e-14)


REFUSED: dict[str, Callable[[], Any]] = {
    "the method midpoint": lambda: SATELLITE.simulate(STILL, duration=0.1, method="midpoint"),
    "the method semi-implicit": lambda: SATELLITE.simulate(STILL, duration=0.1, method="semi-implicit"),
    "an encoder": lambda: SATELLITE.simulate(
        STILL, duration=0.1, step=0.01, torque=laws.sampled(lambda t, q, qd: [0] * 8, every=0.01, encoder=1e-3)
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_quaternions_says_so(what: str) -> None:
    with refusal(QddotError, "joint-has-quasi-velocities", what):
        REFUSED[what]()


def test_a_start_that_is_no_position_is_refused() -> None:
    with refusal(QddotError, "state-misshapen", "q0", "(8,)", "9"):
        SATELLITE.simulate(np.zeros(8), duration=0.1)
    with refusal(QddotError, "not-a-unit-quaternion", "0"):
        SATELLITE.simulate(np.zeros(9), duration=0.1)
    run = TOP.simulate(TOP.neutral(), duration=0.1, step=0.01)
    with refusal(QddotError, "quaternions-in-a-run"):
        run.resampled(0.02)
