"""Linear models near any state are the slopes of the motion, in rates and in time steps, along runs and in loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from scipy.integrate import solve_ivp
from scipy.signal import cont2discrete

import qddot
from qddot.base.errors import EvaluationError, ModelError, QddotError, SimulationError

LONG = partial(pytest.param, marks=pytest.mark.thorough)
CORNERS = {
    "slider_crank": [1.0, -1.2, 0.2],
    "four_bar": [1.0, -0.55, 1.3],
    "five_bar": [2.0, -1.2, 1.0, 1.2],
    "unicycle": [0.3, -0.2, 0.5, 0.1],
}


def slopes(rate: Callable[[Any], Any], size: int, step: float = 1e-5) -> Any:
    """The derivatives of a function at 0 by central differences, whose error is about 1e-10."""
    return np.array([(rate(step * e) - rate(-step * e)) / (2 * step) for e in np.eye(size)]).T


def of_arm(arm: qddot.Robot, q: Any, qd: Any, tau: Any) -> Any:
    """A, B and c by differences of motions from q along ν, and of the forward dynamics."""
    n, motors = arm.n, [arm.model.coordinates.index(name) for name in arm.driven]

    def rate(x: Any) -> Any:
        torques = np.array(tau, dtype=float)
        torques[motors] += x[2 * n :]
        there, nu, dt = arm.integrate(q, x[:n]), qd + x[n : 2 * n], 1e-4
        ahead, behind = (arm.difference(q, arm.integrate(there, nu, t)) for t in (dt, -dt))
        return np.concatenate([(ahead - behind) / (2 * dt), arm.forward_dynamics(there, nu, torques)])

    whole = slopes(rate, 2 * n + len(motors), 1e-4)
    return whole[:, : 2 * n], whole[:, 2 * n :], rate(np.zeros(2 * n + len(motors)))


def test_a_pendulum_has_the_slopes_that_anyone_can_write_down() -> None:
    """m l² q̈ = τ − m g l cos q at any q, so that A = (0, 1; g sin q / l, 0), B = 1/ml² and c = (q̇, q̈)."""
    arm = qddot.load("one_link").with_values(m=2, l=0.5, g=10)
    inertia, weight = 2 * 0.5**2, 2 * 10 * 0.5
    for q in (0.0, np.pi / 2, -0.7):
        linear = arm.linearize([q], [3.0], [1.0])
        np.testing.assert_allclose(linear.A, [[0, 1], [weight * np.sin(q) / inertia, 0]], atol=1e-13)
        np.testing.assert_allclose(linear.B, [[0], [1 / inertia]], rtol=1e-14)
        np.testing.assert_allclose(linear.c, [3.0, (1 - weight * np.cos(q)) / inertia], rtol=1e-13)
    assert np.abs(arm.linearize(["90deg"]).c).max() < 1e-15


@pytest.mark.parametrize("name", ["two_link", "cart_pole", LONG("satellite_arm")])
def test_arms_in_motion_have_the_slopes_of_their_motion(name: str) -> None:
    arm, rng = qddot.load(name), np.random.default_rng(5)
    q = arm.integrate(arm.neutral(), rng.normal(size=arm.n))
    qd, tau = rng.normal(size=(2, arm.n))
    linear = arm.linearize(q, qd, tau)
    for ours, theirs in zip((*linear, linear.c), of_arm(arm, q, qd, tau), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("name", ["slider_crank", *map(LONG, ("four_bar", "five_bar", "unicycle"))])
def test_closed_chains_in_motion_have_the_slopes_of_their_motion(name: str) -> None:
    """Loops are closed beside the state, and q̇ = R u there; a wheel leaves all coordinates free, but not all rates."""
    chain, rng = qddot.load_closed_chain(name), np.random.default_rng(6)
    q = np.array(chain.assemble(CORNERS[name]).q)
    own = list(map(chain.model.tree.coordinates.index, chain.independent))
    motors = [chain.model.tree.coordinates.index(each) for each in chain.driven]
    free = own if chain.model.integrable else list(range(chain.n))
    u, tau, p, m = rng.normal(size=chain.m), rng.normal(size=chain.n), len(free), chain.m

    def rate(x: Any) -> Any:
        there, torques = q.copy(), tau.copy()
        there[free] += x[:p]
        torques[motors] += x[p + m :]
        there = chain.assemble(there).q if chain.model.integrable else there
        qd = chain.velocities(there, u + x[p : p + m])
        return np.concatenate([qd[free], chain.forward_dynamics(there, qd, torques)[own]])

    linear = chain.linearize(q, chain.velocities(q, u), tau)
    whole = slopes(rate, p + m + len(motors))
    np.testing.assert_allclose(np.hstack([*linear]), whole, atol=1e-6)
    np.testing.assert_allclose(linear.c, rate(np.zeros(p + m + len(motors))), atol=1e-12)
    R = chain.velocity_derivatives(q, chain.velocities(q, u))[1]
    np.testing.assert_allclose(R @ u, chain.velocities(q, u), rtol=1e-12)


def test_a_time_step_is_that_of_the_linear_motion_with_held_torques() -> None:
    """A and B are SciPy's zero-order hold; all of it is the solution of ẋ = A x + B u + c at the step's end."""
    arm = qddot.load("cart_pole")
    state: tuple[Any, ...] = ([0.1, 2.0], [0.3, -1.0], [0.5, 0.0])
    rates, steps = arm.linearize(*state), arm.linearize(*state, discrete=0.1)
    A, B, *_ = cont2discrete((rates.A, rates.B, np.eye(4), np.zeros((4, 1))), 0.1)
    np.testing.assert_allclose(steps.A, A, rtol=1e-12)
    np.testing.assert_allclose(steps.B, B, rtol=1e-12)
    x, u = np.array([0.01, -0.02, 0.03, 0.04]), np.array([0.7])

    def rate(_: float, x: Any) -> Any:
        return rates.A @ x + rates.B @ u + rates.c

    end = solve_ivp(rate, (0, 0.1), x, rtol=1e-11, atol=1e-13).y[:, -1]
    np.testing.assert_allclose(steps.A @ x + steps.B @ u + steps.c, end, rtol=1e-9)
    assert rates.c[3] and steps.step == 0.1 and rates.step is None


@pytest.mark.parametrize("dt", [1e-6, 1e-3, 2.0, 1e3])
def test_a_time_step_of_a_mass_and_of_a_saddle_is_exact(dt: float) -> None:
    """A mass goes by v Δ + τ Δ²/2m, to all digits; an upright pendulum by cosh and sinh of λ Δ, λ² = g/l."""
    slider = qddot.load("slider").with_values(m=4)
    linear = slider.linearize([1.0], [3.0], [2.0], discrete=dt)
    np.testing.assert_allclose(linear.A, [[1, dt], [0, 1]], rtol=1e-15)
    np.testing.assert_allclose(linear.B, [[dt**2 / 8], [dt / 4]], rtol=1e-15)
    np.testing.assert_allclose(linear.c, [3 * dt + dt**2 / 4, dt / 2], rtol=1e-15)
    if dt < 10:
        rate = np.sqrt(10 / 0.5)
        steps = qddot.load("one_link").with_values(l=0.5, g=10, m=2).linearize(["90deg"], discrete=dt)
        c, s = np.cosh(rate * dt), np.sinh(rate * dt)
        np.testing.assert_allclose(steps.A, [[c, s / rate], [rate * s, c]], rtol=1e-13)
        np.testing.assert_allclose(
            steps.B, [[2 * np.sinh(rate * dt / 2) ** 2 / rate**2 * 2], [s / rate * 2]], rtol=1e-13
        )


def test_names_and_batches_are_in_the_dataset() -> None:
    arm = qddot.load("cart_pole")
    data = arm.linearize([[0, 0], [0, 1], [0, 2]], driven=["theta"], discrete=0.2).data
    assert list(data.state.values) == ["x", "theta", "xd", "thetad"] == list(data.from_state.values)
    assert list(data.input.values) == ["tau_theta"] and data.A.dims == ("batch0", "state", "from_state")
    assert float(data.A.sel(state="theta", from_state="theta")[2]) != 1 and data.c.shape == (3, 4)
    bus = qddot.load("one_link").free(mass=1, inertia=[1, 0, 0, 1, 0, 1])
    linear = bus.linearize(bus.neutral())
    assert linear.states[:4] == ("delta_v_x", "delta_v_y", "delta_v_z", "delta_omega_x")
    assert linear.states[6:11] == ("q1", "v_x", "v_y", "v_z", "omega_x") and "tau1" in linear.inputs
    assert len(linear) == 2 and linear[1] is linear.B


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["two_link", "satellite_arm", "four_bar"])
def test_deviations_from_a_run_grow_by_its_linear_model(name: str) -> None:
    """Φ, the solution of Φ̇ = A(t) Φ along the samples, takes a deviation at the start to that at the end."""
    chain = qddot.load_closed_chain(name) if name in CORNERS else None
    arm: Any = chain or qddot.load(name)
    q0 = arm.assemble(CORNERS[name]).q if chain else arm.integrate(arm.neutral(), np.full(arm.n, 0.3))
    own = list(map(chain.model.tree.coordinates.index, chain.independent)) if chain else list(range(arm.n))
    qd0, p = arm.velocities(q0, np.full(len(own), 0.5)) if chain else np.full(arm.n, 0.4), len(own)

    def end(x: Any) -> tuple[Any, Any]:
        if chain:
            q = q0.copy()
            q[own] += x[:p]
            q = arm.assemble(q).q
            qd = arm.velocities(q, qd0[own] + x[p:])
        else:
            q, qd = arm.integrate(q0, x[:p]), qd0 + x[p:]
        run = arm.simulate(q, qd, duration=0.2, step=0.002, damping=0.3, limits=False)
        return run, np.concatenate(
            [run.q[-1, own] if chain else arm.difference(whole.q[-1], run.q[-1]), run.qd[-1, own]]
        )

    whole = arm.simulate(q0, qd0, duration=0.2, step=0.002, damping=0.3, limits=False)
    A, grown, h = whole.linearize().A, np.random.default_rng(7).normal(size=2 * p), 0.004
    x = grown.copy()
    for k in range(0, len(A) - 2, 2):
        one = A[k] @ x
        two = A[k + 1] @ (x + h / 2 * one)
        three = A[k + 1] @ (x + h / 2 * two)
        x = x + h / 6 * (one + 2 * two + 2 * three + A[k + 2] @ (x + h * three))
    ahead, behind = (end(side * grown)[1] for side in (1e-6, -1e-6))
    np.testing.assert_allclose((ahead - behind) / 2e-6, x, rtol=1e-6, atol=1e-7)


def test_a_run_is_linearized_at_given_times_and_up_to_its_stop() -> None:
    arm = qddot.load("two_link")
    run = arm.simulate([0.5, 1.0], duration=0.3, step=0.01, method="rk4", torque=[1.0, 0.0])
    linear = run.linearize([0.1, 0.25], discrete=0.01)
    assert list(linear.data.time.values) == [0.1, 0.25] and linear.data.A.dims[0] == "time"
    there = arm.linearize(run.q[10], run.qd[10], run.tau[10], discrete=0.01)
    np.testing.assert_allclose(linear.A[0], there.A, rtol=1e-9)
    np.testing.assert_allclose(linear.c[0], there.c, rtol=1e-9)
    stopped = arm.simulate([0.5, 1.0], duration=0.6, step=0.01, method="rk4", event=lambda t, q, qd: t - 0.5)
    model = stopped.linearize()
    assert np.isfinite(model.A[:50]).all() and np.isnan(model.A[52:]).all() and np.isnan(model.c[52:]).all()


def test_what_has_no_linear_model_is_refused(tmp_path: Any) -> None:
    arm = qddot.load("two_link")
    run = arm.simulate([0.5, 1.0], duration=0.1, step=0.01, method="rk4")
    loaded = qddot.Run.load(run.save(tmp_path / "run.nc"))
    pushed = arm.simulate([0, 0], duration=0.1, step=0.01, method="rk4", forces=qddot.forces.Wrench("tool", [1, 0, 0]))
    for make, kind, key in (
        (lambda: arm.linearize([0, 0], discrete=0), EvaluationError, "number-not-allowed"),
        (lambda: arm.linearize([0, 0], discrete="fast"), EvaluationError, "number-not-allowed"),
        (lambda: arm.linearize([np.pi / 2, 0], discrete=1e6), EvaluationError, "discrete-model-overflows"),
        (lambda: arm.linearize([0, 0], [1]), EvaluationError, "last-axis-misshapen"),
        (lambda: arm.linearize([0, 0], None, [1]), EvaluationError, "argument-misshapen"),
        (lambda: arm.linearize([0, 0], driven="elbow"), ModelError, "driven-unknown"),
        (lambda: loaded.linearize(), SimulationError, "run-from-a-file"),
        (lambda: pushed.linearize(), SimulationError, "linearized-run-with-forces"),
        (lambda: run.resampled(0.05).linearize(), SimulationError, "linearized-run-in-parts"),
        (lambda: run.linearize([0.5]), SimulationError, "times-outside-the-run"),
        (lambda: run.linearize(arm=1), QddotError, ""),
    ):
        if key:
            with refusal(kind, key):
                make()
        else:
            with pytest.raises(kind):
                make()


def test_a_linear_model_has_no_program_and_says_which_functions_have_its_blocks(tmp_path: Any) -> None:
    arm = qddot.load("two_link")
    with refusal(QddotError, "function-put-together", "linearize"):
        arm.export("c", ["linearize"], tmp_path)
    assert arm.call("linearize", [0, 0])[0].shape == (4, 4)


@pytest.mark.thorough
def test_a_linear_model_of_a_chain_is_exported_by_its_parts(tmp_path: Any) -> None:
    chain = qddot.load_closed_chain("four_bar")
    parts = ["forward_dynamics_derivatives", "velocity_derivatives"]
    assert chain.export("python", parts, tmp_path)
    module = run_path(str(tmp_path / "four_bar.py"))
    q = np.array(chain.assemble(CORNERS["four_bar"]).q)
    qd, tau = chain.velocities(q, [0.7]), np.array([0.3, 0, 0])
    by_q, by_u, by_tau, regular = module["forward_dynamics_derivatives"](q, qd, tau)
    A, B = chain.linearize(q, qd, tau)
    assert regular > 0
    np.testing.assert_allclose([[*np.ravel(by_q), *np.ravel(by_u)]], A[1:], rtol=1e-12)
    np.testing.assert_allclose(np.ravel(by_tau)[0], B[1, 0], rtol=1e-12)
    np.testing.assert_allclose(np.ravel(module["velocity_derivatives"](q, qd)[1]) * 0.7, qd, rtol=1e-12)
