"""External forces move an arm as mechanics says, and their work is in the ledger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal

import qddot
from qddot import forces
from qddot.base.errors import QddotError

METHODS = ("rk4", "semi-implicit", "midpoint", "dop853", "radau")
PLACES: dict[str, list[tuple[Any, str]]] = {
    "two_link": [("tool", "world"), ("tool", "body"), (0, "world"), (-1, "world")],
    "rp": [("tool", "body"), (0, "world")],
    "puma560_akb": [("tool", "world"), (-1, "world")],
    "ur5": [("tool", "body")],
}


def slider() -> qddot.Robot:
    """A mass of 2 kg on a horizontal rail along x."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="x")
    body = qddot.Body.of("cart", joint, mass=2, com=(0, 0, 0), about="com", inertia=(0, 0, 0, 0, 0, 0))
    return qddot.Robot(qddot.Model("cart", (body,), gravity=(0, 0, -9.81)))


@pytest.mark.parametrize(("name", "body", "frame"), [(name, *place) for name in PLACES for place in PLACES[name]])
def test_a_wrench_accelerates_as_the_torques_of_its_jacobian(name: str, body: Any, frame: str) -> None:
    """q̈ of one small step against M⁻¹ (Jᵀ F − bias), with J at the point from the functions of the arm."""
    arm = physical(qddot.load(name))
    rng = np.random.default_rng(0)
    q, qd = rng.uniform(-1, 1, (2, arm.n))
    force, moment, at = rng.uniform(-3, 3, (3, 3))
    J, T = arm.jacobian(q, body), arm.forward_kinematics(q, body)
    world = (T[:3, :3] @ force, T[:3, :3] @ moment) if frame == "body" else (force, moment)
    r = T[:3, :3] @ at
    Q = J.T @ np.concatenate([world[0], world[1] + np.cross(r, world[0])])
    wanted = arm.forward_dynamics(q, qd, Q)
    h = 1e-5
    run = arm.simulate(q, qd, h, h, method="rk4", forces=forces.Wrench(body, force, moment, at, frame), limits=False)
    # a difference quotient: its error is of the size of h
    assert np.allclose((run.qd[1] - run.qd[0]) / h, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())
    power = Q @ qd
    assert run.energy.external[1] / h == pytest.approx(power, rel=1e-3, abs=1e-3 * np.abs(Q).max())


@pytest.mark.parametrize("method", METHODS)
def test_the_work_of_external_forces_balances(method: str) -> None:
    arm = qddot.load("spatial_2r")
    times = np.linspace(0, 1, 11)
    acting = [
        forces.Wrench("tool", (3.0, -20.0, 1.0), moment=lambda t, q, qd: [0, 2 * qddot.sin(3 * t), -qd[1]]),
        forces.Wrench("upper", (times, np.outer(np.sin(times), [5.0, 1.0, 0.0])), frame="body", at=(0.1, 0, 0)),
        forces.SpringDamper("tool", (1.0, 1.0, 0.5), 40.0, 3.0),
        forces.SpringDamper("fore", (0.5, -1.0, 0.5), 40.0, 3.0, rest=0.5, at=(0, 0.1, 0)),
    ]
    run = arm.simulate([0.4, 0.3], [0.2, 0.1], 1.0, 1e-3, method, forces=acting)
    assert run.energy.check({"semi-implicit": 0.3, "midpoint": 1e-3}.get(method, 1e-6))
    assert np.abs(run.energy.external).max() > 1
    plain = arm.simulate([0.4, 0.3], [0.2, 0.1], 1.0, 1e-3, "rk4")
    assert np.abs(run.q - plain.q).max() > 0.05
    assert "work of external forces" in {row[0] for row in run.energy.rows(0, -1)}
    if method == "rk4":
        run.plot_energy(lang="zh")


def test_methods_agree_on_forced_motion() -> None:
    arm = qddot.load("elbow_3r")
    acting = [
        forces.SpringDamper("tool", (0.5, 1.0, 0.5), 60.0, 5.0),
        forces.Wrench(1, (0, 5.0, 3.0), at=(0.1, 0.2, 0)),
    ]
    runs = [
        arm.simulate([0.1, 0.2, 0.3], None, 0.5, 5e-4, method, forces=acting, limits=False).q[-1]
        for method in ("rk4", "midpoint", "dop853", "radau")
    ]
    assert np.allclose(runs[0], runs[2], atol=1e-9)
    assert np.allclose(runs[3], runs[2], atol=1e-8)
    assert np.allclose(runs[1], runs[2], atol=1e-5)


def test_a_mass_on_a_spring_and_a_damper_moves_as_textbooks_say() -> None:
    """x = a e^(−δt)(cos ωt + δ/ω sin ωt) about the anchor; a spring with a rest length pulls to that distance."""
    m, k, c = 2.0, 50.0, 4.0
    arm = slider()
    delta = c / (2 * m)
    omega = np.sqrt(k / m - delta**2)
    for rest in (0.0, 1.0):
        spring = forces.SpringDamper("cart", (2.0, 0, 0), k, c, rest=rest)
        run = arm.simulate([0.3], None, 2.0, 1e-3, method="rk4", forces=spring)
        a, t = 0.3 - (2.0 - rest), run.time
        right = (2.0 - rest) + a * np.exp(-delta * t) * (np.cos(omega * t) + delta / omega * np.sin(omega * t))
        assert np.allclose(run.q[:, 0], right, atol=1e-10)
        # the ledger is integrated beside the motion: its error is that of RK4 at this step
        assert run.energy.K[-1] == pytest.approx(run.energy.external[-1], abs=1e-8)


def test_forces_may_depend_on_the_state_and_are_the_same_in_every_arm_of_a_batch() -> None:
    arm = qddot.load("spatial_2r")
    drag = forces.Wrench("tool", lambda t, q, qd: [-2 * qd[0], -2 * qd[1], 0 * t])
    q0 = np.random.default_rng(0).uniform(-1, 1, (5, 2))
    many = arm.simulate(q0, None, 0.3, 0.01, method="rk4", forces=[drag], m2=np.linspace(5, 15, 5))
    for k in (0, 3):
        one = arm.simulate(q0[k], None, 0.3, 0.01, method="rk4", forces=drag, m2=np.linspace(5, 15, 5)[k])
        assert np.allclose(one.q, many.q[k], atol=1e-12)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: forces.Wrench("hand", (1, 0, 0)), ("no-body", "'hand'")),
        (lambda: forces.Wrench(7, (1, 0, 0)), ("no-body", "7")),
        (lambda: forces.Wrench("tool", (1, 0)), ("force-samples-misshapen", "force")),
        (lambda: forces.Wrench("tool", (1, 0, np.nan)), ("number-not-allowed", "force", "nan")),
        (lambda: forces.Wrench("tool", (1, 0, 0), frame="tool"), ("no-such-frame", "'tool'")),
        (lambda: forces.Wrench("tool", lambda t, q, qd: [1, 2]), ("function-misshapen", "2")),
        (lambda: forces.Wrench("tool", lambda t, q, qd: [1, 2, 3] if t > 0 else q), ("function-not-compiled",)),
        (
            lambda: forces.Wrench("tool", ([0, 0.5], [[1, 2, 3], [1, 2, 3]])),
            ("force-times-do-not-cover", "force", "0", "0.5"),
        ),
        (lambda: forces.Wrench("tool", ([0, 0.5], [[1, 2], [1, 2]])), ("force-samples-misshapen",)),
        (lambda: forces.SpringDamper("tool", (1, 0, 0), -1.0), ("number-not-allowed", "stiffness")),
        (lambda: forces.SpringDamper("tool", (1, 0), 1.0), ("not-three-numbers", "anchor")),
        (lambda: "wind", ("not-forces", "'wind'")),
    ],
)
def test_what_is_no_force_is_refused_before_anything_runs(make: Any, error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        qddot.load("spatial_2r").simulate([0.1, 0.2], None, 1.0, 0.01, method="rk4", forces=make())


@pytest.mark.parametrize("method", ["rk4", "taylor"])
def test_a_law_and_a_force_are_apart_in_the_ledger(method: str) -> None:
    arm = qddot.load("spatial_2r")
    law = qddot.laws.pd_gravity(arm, [0.5, 0.5], 100.0, 20.0)
    push = forces.Wrench("tool", (0, 10.0, 0))
    run = arm.simulate([0.5, 0.5], None, 1.0, 1e-3, method, torque=qddot.laws.sampled(law, 2e-3), forces=push)
    assert run.energy.check(1e-3 if method == "rk4" else 1e-12)
    assert run.energy.work[-1] * run.energy.external[-1] != 0


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau"])
def test_samples_over_time_are_straight_between_their_times(method: str) -> None:
    """A force by samples acts as a function with the same straight lines, at whose corners steps of RK4 end."""
    arm, times, values = qddot.load("spatial_2r"), [0.0, 0.3, 0.7, 1.0], [[0, 0, 0], [30, 0, 9], [-20, 9, 0], [0, 0, 0]]
    push, law = forces.Wrench("tool", (times, values)), qddot.laws.pd([0.5, 0.5], 100.0, 20.0)
    right = arm.simulate(
        [0.5, 0.5], None, 1.0, 1e-3, method="rk4", torque=law, forces=push, options=qddot.Options(record_every=50)
    )
    run = arm.simulate([0.5, 0.5], None, 1.0, 0.05, (method, 1e-11), torque=law, forces=push)
    for name in ("q", "qd", "tau", "external"):
        assert np.allclose(run.data[name], right.data[name], rtol=0, atol=1e-8), name


@pytest.mark.parametrize("pushed", [True, False])
def test_the_last_row_of_the_ledger_is_the_sum_that_it_says(pushed: bool) -> None:
    """A reader adds up the accounts that the label names, with its signs, and finds the number beside it."""
    acting = forces.Wrench("tool", (0.0, -20.0, 0.0)) if pushed else None
    run = qddot.load("two_link").simulate([0.1, 0.2], None, 2, 0.01, "rk4", torque=[1.0, 0.0], damping=1, forces=acting)
    *accounts, (label, _, balance) = run.energy.rows(0, -1)
    change = {name: float(end) - float(start) for name, start, end in accounts}
    signs = {"ΔE": 1, "work of the motors": -1, "work of external forces": -1, "losses": 1}
    parts = [part.removeprefix("+ ") for part in label.replace("− ", "+ ").split(" + ")]
    assert set(parts) == {name for name in signs if pushed or "external" not in name}
    change |= {"ΔE": change["total E"], "losses": sum(change[name] for name in change if name.startswith("loss: "))}
    assert not pushed or abs(change["work of external forces"]) > 1
    assert sum(signs[part] * change[part] for part in parts) == pytest.approx(float(balance), abs=1e-5)
    assert label in str(run.energy.check(1.0)) and label in repr(run.energy)
