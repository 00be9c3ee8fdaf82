"""Trajectories agree with the literature's figures, SciPy, MuJoCo, the methods' own orders, and one another."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from physical import mujoco_xml, physical

import qddot
from qddot.algebra.program.status import BLOWN_UP, STATUS
from qddot.machine.compilers.fixed_steps import FixedSteps
from qddot.motion.simulate import setup
from qddot.motion.simulate.stepping.methods import METHODS, fixed, fixed_scheme

START = ([np.pi, 0.0], [0.1, 0.1])
TIMES = (0, 5, 10, 15, 20, 50)
# ME 739 homework 3, the arm with Ia in kg m² and with the source's m·Ia; E [J] at TIMES, fourth-order Runge-Kutta
LITERATURE = [
    (5.0, None, (393.025, 393.025010, 393.024995, 393.025066, 393.025076)),
    (5.0, 1.0, (393.025, 300.037476, 193.779622, 120.067416, 94.682618)),
    (5.0, 5.0, (393.025, 35.460724, -127.067380, -200.857953, -245.298308, -354.757251)),
    (50.0, None, (393.7, 393.7, 393.7, 393.700001, 393.7)),
    (50.0, 1.0, (393.7, 379.314774, 327.045258, 293.633423, 257.513462)),
    (50.0, 5.0, (393.7, 327.815026, 196.159671, 56.845204, -98.447618, -326.566788)),
]


@pytest.mark.parametrize(("inertia", "damping", "energies"), LITERATURE)
def test_the_homeworks_energies(inertia: float, damping: float | None, energies: tuple[float, ...]) -> None:
    duration = TIMES[len(energies) - 1]
    run = qddot.load("spatial_2r").simulate(*START, duration, 0.01, "rk4", damping=damping, Ia=inertia)
    assert run.time[-1] == pytest.approx(duration, abs=1e-12)
    assert len(run.time) == round(duration / 0.01) + 1
    for t, E in zip(TIMES, energies, strict=False):
        assert run.energy.E[round(t / 0.01)] == pytest.approx(E, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rp", "elbow_3r"])
def test_every_method_comes_to_the_same(name: str) -> None:
    arm = physical(qddot.load(name))
    q0, qd0 = np.full(arm.n, 0.4), np.full(arm.n, -0.3)
    right = arm.simulate(q0, qd0, 1.0, 0.1, "dop853", damping=0.2)
    for method, step, within in (
        ("rk4", 1e-3, 1e-9),
        ("midpoint", 1e-3, 1e-4),
        ("semi-implicit", 1e-4, 1e-2),
        ("radau", 0.1, 1e-7),
        ("taylor", 0.1, 1e-9),
    ):
        run = arm.simulate(q0, qd0, 1.0, step, method, damping=0.2)
        every = round(0.1 / step)
        assert np.abs(run.q[::every] - right.q).max() < within, method
        assert np.abs(run.qd[::every] - right.qd).max() < 20 * within, method
        assert np.abs(run.energy.losses["damping"][::every] - right.energy.losses["damping"]).max() < 20 * within


@pytest.mark.parametrize("method", fixed())
def test_the_order_of_a_method(method: str) -> None:
    """Half the step, 2^order times less off."""
    arm = qddot.load("spatial_2r")

    def off(step: float) -> float:
        return float(np.abs(arm.simulate([1.0, 0.5], [0.2, -0.4], 1.0, step, method).q[-1] - right).max())

    right = arm.simulate([1.0, 0.5], [0.2, -0.4], 1.0, 1.0, "dop853").q[-1]
    rate = np.log2(off(0.02) / off(0.01))
    assert rate == pytest.approx(METHODS[method].order, abs=0.25)


@pytest.mark.parametrize("name", ["puma560", "panda", "elbow_3r"])
def test_mujocos_trajectories(name: str) -> None:
    arm = physical(qddot.load(name))
    other = mujoco.MjModel.from_xml_string(mujoco_xml(arm))
    other.opt.integrator, other.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-3
    other.opt.gravity[:] = [x.value(arm.model.defaults()) if hasattr(x, "value") else x for x in arm.model.gravity]
    data = mujoco.MjData(other)
    data.qpos[:], data.qvel[:] = 0.3, -0.2
    run = arm.simulate(np.full(arm.n, 0.3), np.full(arm.n, -0.2), 1.0, 1e-3, method="rk4", limits=False)
    for k in range(1000):
        mujoco.mj_step(other, data)
        assert np.abs(data.qpos - run.q[k + 1]).max() < 1e-6


def test_symplectic_methods_keep_the_mean_of_the_energy() -> None:
    arm = qddot.load("spatial_2r")
    for method in ("midpoint", "semi-implicit"):
        E = arm.simulate(*START, 200.0, 0.01, method).energy.E
        tenth = len(E) // 10
        assert abs(E[-tenth:].mean() - E[:tenth].mean()) < 0.1 * np.ptp(E), method


@pytest.mark.slow
def test_a_batch_is_its_arms() -> None:
    arm = qddot.load("spatial_2r")
    rng = np.random.default_rng(3)
    q0, masses, damping = rng.uniform(-2, 2, (21, 2)), rng.uniform(5, 15, 21), rng.uniform(0, 2, (21, 2))
    tau, compared = rng.uniform(-5, 5, (21, 2)), [0, 7, 20]
    masses[compared] = arm.model.defaults()["m2"]
    for method in ("rk4", "midpoint", "dop853"):
        run = arm.simulate(q0, None, 0.5, 0.01, method, m2=masses, damping=damping, torque=tau)
        assert run.q.shape == (21, 51, 2)
        for k in compared:
            alone = arm.simulate(q0[k], None, 0.5, 0.01, method, damping=damping[k], torque=tau[k])
            assert np.abs(run.q[k] - alone.q).max() < 1e-9
            assert np.abs(run.energy.E[k] - alone.energy.E).max() < 1e-7


def test_threads_and_sparse_samples_change_nothing() -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.random.default_rng(4).uniform(-2, 2, (300, 2))
    all_of_it = arm.simulate(q0, None, 1.0, 0.01, method="rk4")
    for threads, every in ((2, 1), (None, 20), (None, 100), (3, 50)):
        run = arm.simulate(
            q0, None, 1.0, 0.01, method="rk4", options=qddot.Options(record_every=every, threads=threads)
        )
        assert np.array_equal(run.q, all_of_it.q[:, ::every])
        assert np.array_equal(run.time, all_of_it.time[::every])


@pytest.mark.parametrize("method", ["rk4", "midpoint", "semi-implicit"])
def test_python_steps_as_the_machine_does(method: str) -> None:
    """The same recurrence is stepped from Python where llvmlite is missing, and where a law is called."""
    arm = qddot.load("spatial_2r")
    q0 = np.random.default_rng(5).uniform(-2, 2, (5, 2))
    motion = qddot.Motion(q0, None, 0.2, 0.01, method, damping=1.0, event=lambda t, q, qd: q[0] - 1.9)
    asked = setup.checked(arm.model, setup.RunRequest(motion))
    scheme = fixed_scheme(method)
    recurrence = scheme.recurrence(asked.plant)
    rows = scheme.rows(asked.plant, np.arange(20) * 0.01, 0.01)
    runs = []
    for hook in (None, lambda *_: None):
        stepper = FixedSteps(recurrence)
        state, log = np.zeros((5, asked.plant.state_size)), np.zeros((5, 3))
        state[:, :2], record = q0, np.zeros((5, 20, asked.plant.state_size))
        state[4, 3] = 1e300  # blows up at once
        stepper.advance(state, asked.parameters, rows, record, log, 1, before=hook)
        runs.append((state, record, log))
    for a, b in zip(*runs, strict=True):
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12)
    assert runs[0][2][4, STATUS] == BLOWN_UP


def test_a_step_that_does_not_converge_is_reported() -> None:
    run = qddot.load("spatial_2r").simulate([0.5, 0.5], [6.0, -8.0], 2.0, 0.5, "midpoint")
    assert any("did not converge" in note for note in run.notes)


def test_nothing_to_do_is_a_run_of_one_sample() -> None:
    for method in METHODS:
        run = qddot.load("spatial_2r").simulate([0.1, 0.2], duration=0, method=method)
        assert run.q.tolist() == [[0.1, 0.2]]
        assert run.energy.check(0)


def test_trust_says_how_far_to_believe() -> None:
    arm = qddot.load("spatial_2r")
    chaotic = arm.simulate(*START, 20.0, 0.01, "rk4")
    trust = chaotic.trust()
    assert chaotic.energy.check(1e-4)
    assert trust.distance[-1] > 5
    assert 10 < trust.horizon < 13
    assert "even if the energy is in balance" in str(trust)
    calm = arm.simulate(*START, 20.0, 0.01, "rk4", damping=5.0).trust()
    assert calm.horizon == 20
    assert "reliable to the end" in str(calm)
    many = arm.simulate(
        np.array([START[0], [0.1, 0.1]]), None, 5.0, 0.01, method="rk4", options=qddot.Options(record_every=5)
    ).trust()
    assert many.horizon.shape == (2,)  # type: ignore[union-attr]
    assert many.distance.shape == (2, 101)
    exact: Any = arm.simulate(*START, 1.0, 0.1, "dop853").trust(1e-6)
    assert exact.horizon == 1
