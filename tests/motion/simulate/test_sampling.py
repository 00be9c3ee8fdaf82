"""Sampled controllers hold their torques between samples; laws that declare a state have it recorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import SimulationError

METHODS = ("rk4", "semi-implicit", "midpoint")
FREE = ("taylor", "dop853", "radau")
HOLDING = np.array([30.0, 5.0])


def pulled(t: Any, q: Any, qd: Any) -> Any:
    return 4 * qddot.sin(3 * t) - 20.0 * q - 3.0 * qd


def asked(t: Any, q: Any, qd: Any) -> Any:
    """The same, but it asks for a value."""
    return pulled(t, q, qd) if t >= 0 else q


def slider() -> qddot.Robot:
    """A mass of 2 kg on a horizontal rail."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="x")
    body = qddot.Body.of("cart", joint, mass=2, com=(0, 0, 0), about="com", inertia=(0, 0, 0, 0, 0, 0))
    return qddot.Robot(qddot.Model("cart", (body,), gravity=(0, 0, -9.81)))


@pytest.mark.parametrize("method", ["rk4", "midpoint", *FREE])
def test_a_sampled_oscillator_moves_as_its_exact_difference_equation(method: str) -> None:
    """Between samples the force on a mass is constant, so that its motion is a parabola, which all these give."""
    m, k, c, T = 2.0, 50.0, 4.0, 0.05
    law = laws.sampled(lambda t, q, qd: -k * q - c * qd, T)
    run = slider().simulate([0.3], [0.0], 2.0, 0.01, method, torque=law)
    x = np.array([0.3, 0.0])
    for at in range(0, 201, 5):
        assert np.allclose([run.q[at, 0], run.qd[at, 0]], x, rtol=0, atol=1e-12)
        force = -k * x[0] - c * x[1]
        assert np.allclose(run.tau[at : at + 5, 0], force, rtol=0, atol=1e-11)
        x = np.array([x[0] + T * x[1] + T * T / 2 * force / m, x[1] + T * force / m])


@pytest.mark.parametrize(
    ("method", "name", "law", "delay"),
    [
        ("rk4", "spatial_2r", pulled, 0.05),
        ("rk4", "spatial_2r", asked, 0.07),
        ("taylor", "one_link", pulled, 0.07),
        ("taylor", "one_link", asked, 0.05),
    ],
)
def test_a_delay_moves_every_torque_by_itself(method: str, name: str, law: Any, delay: float) -> None:
    """Each two of method, kind of law and delay occur together."""
    period, step = 0.05, 0.01
    arm = qddot.load(name)
    run = arm.simulate([0.3, 0.2][: arm.n], None, 1.0, step, method, torque=laws.sampled(law, period, delay))
    for k, t in enumerate(run.time):
        sampled = math.floor((t - delay) / period + 1e-6)
        at = round(sampled * period / step)
        right = pulled(run.time[at], run.q[at], run.qd[at]) if sampled >= 0 else np.zeros(arm.n)
        assert np.allclose(run.tau[k], right, rtol=1e-9, atol=1e-9), t
    assert run.energy.check(1e-4)


@pytest.mark.parametrize("method", ["rk4", "midpoint", *FREE])
def test_a_sampled_law_that_is_called_gives_what_a_compiled_one_gives(method: str) -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.array([[0.3, 0.2], [1.0, -0.4], [0.1, 0.2]])
    sampled = [laws.sampled(law, 0.03, delay=0.02, encoder=0.001, quantum=0.5) for law in (pulled, asked)]
    runs = [
        arm.simulate(q0, None, 0.6, 0.01, method, torque=law, options=qddot.Options(record_every=2)) for law in sampled
    ]
    assert [run.data.attrs["torque"].partition(", every")[0] for run in runs] == [
        "a law, compiled",
        "a law that is called from Python",
    ]
    assert "once a sample" in runs[1].notes[0]
    for name in ("q", "qd", "tau", "K", "P", "work"):
        assert np.allclose(runs[0].data[name], runs[1].data[name], rtol=1e-9, atol=1e-9), name
    assert np.allclose(runs[0].tau / 0.5, np.rint(runs[0].tau / 0.5))


@pytest.mark.parametrize("method", FREE)
def test_steps_of_their_own_end_at_samples(method: str) -> None:
    """Small steps of RK4 give the same motion, of one arm and of several."""
    arm = qddot.load("spatial_2r")
    q0 = np.array([[0.3, 0.2], [1.0, -0.4], [0.1, 0.2]])
    options: dict[str, Any] = {"torque": laws.sampled(pulled, 0.05, delay=0.03, quantum=0.5)}
    right = arm.simulate(q0, None, 0.5, 0.0005, options=qddot.Options(record_every=20), **options)
    run = arm.simulate(q0, None, 0.5, 0.01, (method, 1e-11), **options)
    for name in ("q", "qd", "tau", "work"):
        assert np.allclose(run.data[name], right.data[name], rtol=0, atol=1e-8), name
    if method != "taylor":  # whose single arms are those of the delays above
        assert np.allclose(arm.simulate(q0[1], None, 0.5, 0.01, (method, 1e-11), **options).q, run.q[1], atol=1e-9)


def test_the_fastest_samples_come_near_the_continuous_law() -> None:
    arm = qddot.load("spatial_2r")
    continuous = arm.simulate([0.3, 0.2], None, 1.0, 0.001, "rk4", torque=pulled).q
    apart = [
        np.abs(arm.simulate([0.3, 0.2], None, 1.0, 0.001, torque=laws.sampled(pulled, T)).q - continuous).max()
        for T in (0.002, 0.001)
    ]
    assert apart[1] < 2e-3
    # a hold is late by half a sample: the error is of first order
    assert apart[0] / apart[1] == pytest.approx(2, abs=0.1)


def test_encoders_give_the_law_multiples_of_their_step() -> None:
    seen: list[Any] = []

    def law(t: Any, q: Any, qd: Any) -> Any:
        seen.append(q)
        return -20 * q - 3 * qd

    logged = laws.sampled(laws.made(lambda: law), 0.02, encoder=0.01)
    run = qddot.load("spatial_2r").simulate([0.3, 0.2], None, 0.5, 0.01, torque=logged)
    assert len(run.notes) == 1
    assert np.allclose(np.array(seen) / 0.01, np.rint(np.array(seen) / 0.01), atol=1e-9)


def test_a_law_that_is_made_is_called_once_a_sample() -> None:
    times: list[float] = []

    def law(t: Any, q: Any, qd: Any) -> Any:
        times.append(t)
        return -20 * q - 3 * qd

    arm = qddot.load("spatial_2r")
    arm.simulate([0.3, 0.2], None, 0.5, 0.01, torque=laws.sampled(laws.made(lambda: law), 0.05))
    assert np.allclose(times, [0.0, *np.arange(11) * 0.05])  # once more before the run, to see its shape


def test_an_arm_that_stops_keeps_the_torque_it_had() -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.array([[3.0, 0.0], [0.2, 0.1]])
    for law in (pulled, asked):
        run = arm.simulate(q0, None, 1.0, 0.01, torque=laws.sampled(law, 0.1), event=lambda t, q, qd: q[0] - 3.05 - t)
        assert not run.stops
        run = arm.simulate(q0[:1], None, 1.0, 0.01, torque=laws.sampled(law, 0.1), event=lambda t, q, qd: 2.5 - q[0])
        (stop,) = run.stops
        assert stop.q[0] == pytest.approx(2.5, abs=1e-9)
        assert 0.1 < stop.time < 1.0


class Integral:
    """PI with the integral as a declared state."""

    z0 = (0.5, -0.5)

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        error = -q
        return 20 * error + 5 * z - 3 * qd, error


class Branching(Integral):
    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return super().__call__(t, q, qd, z) if t >= 0 else (q, q)


@pytest.mark.parametrize("method", [*METHODS, "dop853", "radau"])
def test_a_declared_state_is_integrated_and_recorded(method: str) -> None:
    arm = qddot.load("spatial_2r")
    fine = method not in ("semi-implicit",)
    kinds = {Integral: "a law, compiled", Branching: "a law that is called from Python"}
    if method == "radau":  # which takes no law that is called
        del kinds[Branching]
    runs = [arm.simulate([0.3, 0.2], None, 0.5, 0.005, method, torque=law()) for law in kinds]
    assert [run.data.attrs["torque"] for run in runs] == list(kinds.values())
    for run in runs:
        assert run.z.shape == run.q.shape
        assert np.array_equal(run.z[0], Integral.z0)
        added = Integral.z0 - np.cumsum((run.q[1:] + run.q[:-1]) / 2, axis=0) * 0.005
        assert np.allclose(run.z[1:], added, atol=1e-4 if fine else 2e-3)
        assert np.allclose(run.tau, -20 * run.q + 5 * run.z - 3 * run.qd, atol=1e-9)
    assert np.allclose(runs[0].z, runs[-1].z, rtol=1e-9, atol=1e-9)
    assert np.allclose(runs[0].q, runs[-1].q, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("law", [Integral, Branching])
def test_a_sampled_law_adds_its_state_up(law: Any) -> None:
    run = qddot.load("spatial_2r").simulate([0.3, 0.2], None, 0.5, 0.01, torque=laws.sampled(law(), 0.05))
    z = np.array(Integral.z0)
    for at in range(0, 51, 5):
        assert np.allclose(run.tau[at], -20 * run.q[at] + 5 * z - 3 * run.qd[at], atol=1e-9)
        z = z - 0.05 * run.q[at]
        assert np.allclose(run.z[at : at + 5], z, atol=1e-9)


class Counter:
    """It returns its next state: how often it was called."""

    discrete = True

    def z0(self, q0: Any, qd0: Any) -> Any:
        return [100 * q0[0]]

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return 0 * q, z + 1


def test_a_discrete_law_returns_its_next_state() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([[0.3, 0.2], [0.5, 0.0]], None, 0.5, 0.01, torque=laws.sampled(Counter(), 0.1))
    assert np.allclose(run.z[:, -1, 0], [36, 56])
    with refusal(SimulationError, "next-state-without-sampling"):
        arm.simulate([0.3, 0.2], None, 0.5, 0.01, torque=Counter())
    with refusal(SimulationError, "run-without-state"):
        _ = arm.simulate([0.3, 0.2], None, 0.1, 0.01).z


def test_states_are_saved_with_the_run(tmp_path: Any) -> None:
    run = qddot.load("spatial_2r").simulate([0.3, 0.2], None, 0.1, 0.01, "rk4", torque=Integral())
    assert np.array_equal(qddot.Run.load(run.save(tmp_path / "a.nc")).z, run.z)
    assert {"z_0", "z_1"} <= set(run.table().columns)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"every": 0.015}, ("sampling-between-steps", "every", "0.015", "0.01")),
        ({"every": 0.004}, ("sampling-between-steps", "every", "0.004")),
        ({"every": -1}, ("number-not-allowed", "every", "-1")),
        ({"every": 0.02, "delay": 0.005}, ("sampling-between-steps", "delay", "0.005")),
        ({"every": 0.02, "quantum": -1}, ("number-not-allowed", "quantum", "-1")),
        ({"every": 0.02, "encoder": "fine"}, ("number-not-allowed", "encoder")),
        ({"every": [0.02]}, ("number-not-allowed", "every")),
        ({"law": [1, 2], "every": 0.02}, ("sampling-of-no-law", "'[1, 2]'")),
    ],
)
def test_what_cannot_be_sampled_is_refused(options: Any, error: tuple[str, ...]) -> None:
    with refusal(SimulationError, *error):
        qddot.load("spatial_2r").simulate(
            [0.3, 0.2], None, 1.0, 0.01, torque=laws.sampled(**{"law": pulled, **options})
        )
