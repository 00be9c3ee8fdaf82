"""Taylor series keep to closed solutions, to integrations with more digits, and to the other methods."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from pendulum import pendulum_angle
from physical import physical
from refusals import refusal

import qddot
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError


@pytest.mark.parametrize("start", [0.1, 1.5, 3.0])
def test_a_pendulum_moves_as_elliptic_functions_say(start: float) -> None:
    arm = qddot.load("one_link")  # q is 90 degrees behind the angle from the downward vertical
    run = arm.simulate([start - np.pi / 2], None, 10.0, 0.5, "taylor", m=1.3, l=0.7)
    exact = [pendulum_angle(run.q[0, 0] + np.pi / 2, 9.81 / 0.7, t) - np.pi / 2 for t in run.time]
    assert np.abs(run.q[:, 0] - exact).max() < 1e-12  # 300 steps, each off by some roundings of the angle


def test_a_spherical_pendulum_moves_as_elliptic_functions_say() -> None:
    """Its height obeys ż² = 2 (E − g z)(1 − z²) − h², a cubic, so that z = z₁ + (z₂ − z₁) sn²."""
    arm = qddot.load("spherical_pendulum")
    theta, rate, g = 1.2, 2.0, 9.81
    swivel = arm.model.coordinates.index("phi")
    q0, qd0 = np.full(2, theta), np.zeros(2)
    q0[swivel], qd0[swivel] = 0.0, rate
    run = arm.simulate(q0, qd0, 5.0, 0.25, "taylor", limits=False)
    with mpmath.workdps(20):
        height, spin = -mpmath.cos(theta), rate * mpmath.sin(theta) ** 2
        E = spin**2 / (2 * mpmath.sin(theta) ** 2) + g * height
        cubic = [2 * g, -2 * E, -2 * g, 2 * E - spin**2]
        z1, z2, z3 = sorted(mpmath.re(x) for x in mpmath.polyroots(cubic, maxsteps=200, extraprec=200))
        m, omega = (z2 - z1) / (z3 - z1), mpmath.sqrt(g * (z3 - z1) / 2)
        begun = 0 if abs(height - z1) < abs(height - z2) else mpmath.ellipk(m)
        heights = [float(z1 + (z2 - z1) * mpmath.ellipfun("sn", omega * t + begun, m=m) ** 2) for t in run.time]
    z = -np.cos(run.q[:, 1 - swivel])
    assert np.abs(z - heights).max() < 1e-12


def with_digits(program: Program, digits: int) -> Any:
    """A program over numbers with many digits: a function of the elements of its inputs."""
    functions = {name: getattr(mpmath, name) for name in ("sin", "cos", "tanh", "exp", "sqrt")}
    walk = Walk(program, {**column("value"), **functions}, mpmath.mpf)

    def results(inputs: list[list[Any]]) -> list[Any]:
        values = walk(inputs)
        return [values[place] for place in program.results]

    return results


@pytest.mark.parametrize("name", ["spatial_2r", "rp"])
def test_an_arm_moves_as_with_twenty_digits(name: str) -> None:
    arm = physical(qddot.load(name))
    q0, qd0, tau = np.full(arm.n, 0.4), np.full(arm.n, -0.3), np.full(arm.n, 0.7)
    accelerations = with_digits(arm.program("forward_dynamics"), 20)
    with mpmath.workdps(20):
        drive = [mpmath.mpf(float(x)) for x in tau]

        def slope(_: Any, x: list[Any]) -> list[Any]:
            return [*x[arm.n :], *accelerations([x[: arm.n], x[arm.n :], drive])]

        exact = mpmath.odefun(slope, 0, [mpmath.mpf(float(x)) for x in (*q0, *qd0)], tol=mpmath.mpf(10) ** -18)(0.25)
    run = arm.simulate(q0, qd0, 0.25, 0.25, "taylor", torque=tau, limits=False)
    assert np.abs(np.array([float(x) for x in exact]) - [*run.q[-1], *run.qd[-1]]).max() < 2e-15


@pytest.mark.parametrize("name", ["slider", "elbow_3r", "puma560"])
def test_arms_move_as_with_dop853(name: str) -> None:
    arm = physical(qddot.load(name))
    start = (np.full(arm.n, 0.3), np.full(arm.n, -0.2), 1.0, 0.1)
    right = arm.simulate(*start, ("dop853", 3e-14), damping=0.2, limits=False)
    others = ((1e-9, 1e-7), (1e-5, 1e-3)) if name == "elbow_3r" else ()  # other orders of the same series
    for tolerance, within in ((None, 1e-11), *others):
        run = arm.simulate(*start, ("taylor", tolerance), damping=0.2, limits=False)
        assert np.abs(run.q - right.q).max() < within
        assert np.abs(run.energy.losses["damping"] - right.energy.losses["damping"]).max() < 100 * within


TORQUES: dict[str, Any] = {
    "constant": [1.0, -2.0],
    "samples": (np.linspace(0, 2, 6), np.sin(np.arange(12.0)).reshape(6, 2)),
    "law": lambda t, q, qd: [
        qddot.sin(2 * t) * q[1] / (2 + qddot.cos(q[0])),
        qddot.exp(-q[0] * q[0]) - 3 * qddot.tanh(qd[1]) + qddot.sqrt(1 + t * t) / (3 + qddot.sin(t)),
    ],
}


@pytest.mark.parametrize("kind", TORQUES)
def test_torques_act_as_with_dop853(kind: str) -> None:
    arm = qddot.load("spatial_2r")
    start = ([2.0, 0.3], [0.1, 0.1], 2.0, 0.1)
    run = arm.simulate(*start, "taylor", torque=TORQUES[kind])
    right = arm.simulate(*start, ("dop853", 3e-14), torque=TORQUES[kind])
    # dop853 meets the kinks between samples with its own steps
    assert np.abs(run.q - right.q).max() < 1e-11
    assert np.abs(run.tau - right.tau).max() < 1e-10
    assert run.energy.check(1e-11), run.energy


def test_an_arm_of_a_batch_is_the_arm_alone() -> None:
    """A single arm and the lanes of a batch add their products in different orders: the last bits differ."""
    arm = qddot.load("spatial_2r")
    rng = np.random.default_rng(3)
    q0, masses, damping = rng.uniform(-2, 2, (11, 2)), rng.uniform(5, 15, 11), rng.uniform(0, 2, (11, 2))
    compared = [0, 4, 10]
    masses[compared] = arm.model.defaults()["m2"]
    run = arm.simulate(q0, None, 1.0, 0.1, "taylor", m2=masses, damping=damping)
    for k in compared:
        alone = arm.simulate(q0[k], None, 1.0, 0.1, "taylor", damping=damping[k])
        assert np.abs(run.q[k] - alone.q).max() < 1e-14
        assert np.abs(run.energy.E[k] - alone.energy.E).max() < 1e-12


def test_no_lane_depends_on_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = qddot.load("one_link")
    rng = np.random.default_rng(4)
    q0, lengths = rng.uniform(-2, 2, (37, 1)), rng.uniform(0.5, 2, 37)
    whole = arm.simulate(q0, None, 2.0, 0.25, "taylor", l=lengths, limits=False)
    some = arm.simulate(q0[5:8], None, 2.0, 0.25, "taylor", l=lengths[5:8], limits=False)
    assert np.array_equal(whole.q[5:8], some.q)
    shared = arm.simulate(q0, None, 2.0, 0.25, "taylor", l=lengths, limits=False, options=qddot.Options(threads=3))
    assert np.array_equal(whole.q, shared.q)
    monkeypatch.setattr("qddot.motion.simulate.stepping.integration.FIRST", 3)  # steps before a pause
    broken = arm.simulate(q0, None, 2.0, 0.25, "taylor", l=lengths, limits=False)
    assert np.array_equal(whole.q, broken.q)


def test_samples_do_not_change_the_steps() -> None:
    arm = qddot.load("two_link")
    many, few = (arm.simulate([1.0, 0.5], None, 2.0, step, "taylor", limits=False) for step in (0.001, 1.0))
    assert np.array_equal(many.q[::1000], few.q)


def test_a_long_run_keeps_its_energy_and_its_time() -> None:
    """Rounding wanders: over 20,000 steps by some hundred units of the last place."""
    arm = qddot.load("one_link")
    run = arm.simulate([1.0], None, 2000.0, 100.0, "taylor", limits=False)
    E = run.energy.E
    assert np.ptp(E) < 1e-12 * max(1.0, np.abs(run.energy.K).max(), np.abs(run.energy.P).max())


def test_limits_and_events_end_a_run_where_they_are() -> None:
    def fall(method: str, **options: Any) -> Any:
        (stop,) = qddot.load("one_link").simulate([1.0], None, 3.0, 0.5, method, **options).stops
        return stop

    def event(t: Any, q: Any, qd: Any) -> Any:
        return qd[0] * qd[0] - 4.0 * qddot.cos(t)

    for options in ({"event": event, "limits": False}, {"event": lambda t, q, qd: t - 1.234567890123}):
        ours, theirs = (fall(method, **options) for method in ("taylor", "dop853"))
        assert ours.reason == theirs.reason
        assert ours.time == pytest.approx(theirs.time, abs=1e-9)
        assert np.abs(ours.q - theirs.q).max() < 1e-8
    stop = fall("taylor", event=event, limits=False)
    assert abs(event(stop.time, stop.q, stop.qd)) < 1e-13


def test_an_event_that_hardly_happens_is_not_missed() -> None:
    """cos t − 1 + 1e−12 is above zero for 3 µs; t² − 10⁻¹⁰ is so from 10 µs on, in the first step."""
    arm = qddot.load("one_link")
    (stop,) = arm.simulate(
        [1.0], None, 8.0, 1.0, "taylor", limits=False, event=lambda t, q, qd: qddot.cos(t + 1) - 1 + 1e-12
    ).stops
    assert stop.time == pytest.approx(2 * np.pi - 1, abs=2e-6)
    (stop,) = arm.simulate([1.0], None, 1.0, 1.0, "taylor", event=lambda t, q, qd: t * t - 1e-10).stops
    assert stop.time == pytest.approx(1e-5, abs=1e-12)


def test_trust_compares_with_another_method() -> None:
    """Rounding alone makes two runs of a chaotic arm diverge, but for two seconds they agree to nine decimals."""
    arm = qddot.load("two_link")
    trust = arm.simulate([2.0, 2.5], None, 2.0, 0.1, "taylor", limits=False).trust(1e-6)
    assert trust.horizon == 2.0
    assert 0 < np.max(trust.distance) < 1e-9


def test_a_state_that_grows_without_bound_stops_its_arm() -> None:
    arm = qddot.load("one_link")
    run = arm.simulate([1.0], [1.0], 20.0, 0.1, "taylor", limits=False, torque=lambda t, q, qd: [qd[0] ** 3])
    (stop,) = run.stops
    assert 0 < stop.time < 20
    assert np.isfinite(run.q[run.time <= stop.time]).all()
    assert np.isnan(run.q[run.time > stop.time]).all()


def test_a_singular_mass_matrix_is_named() -> None:
    run = qddot.load("spherical_pendulum").simulate([0.0, 0.0], [0.1, 0.1], 1.0, 0.1, "taylor", limits=False)
    assert "mass matrix is singular" in run.stops[0].reason
    assert run.stops[0].time == 0


def test_bad_tolerances_and_laws_are_refused() -> None:
    arm = qddot.load("two_link")
    for tolerance in (0, -1e-9, "small", True, 1e-17, 1.0, (1e-9, 0), (1e-9, 1e-9, 1e-9), float("nan")):
        with pytest.raises(SimulationError, match="tolerance"):
            arm.simulate([1.0, 0.5], method=("taylor", tolerance))
    with refusal(SimulationError, "tolerance-of-fixed-steps"):
        arm.simulate([1.0, 0.5], method=("rk4", 1e-9))
    with refusal(SimulationError, "tolerance-out-of-range", "dop853"):
        arm.simulate([1.0, 0.5], method=("dop853", 1e-15))
    with refusal(SimulationError, "series-of-a-called-law"):
        arm.simulate([1.0, 0.5], method="taylor", torque=lambda t, q, qd: [1.0 if q[0] > 0 else 0.0, 0.0])
