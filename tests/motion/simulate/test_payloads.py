"""Payloads count while they are carried: from a time or an event to another, with their energy in the ledger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import forces, laws
from qddot.base.errors import QddotError


def slider() -> qddot.Robot:
    """A mass of 2 kg on a horizontal rail along x."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="x")
    body = qddot.Body.of("cart", joint, mass=2, com=(0, 0, 0), about="com", inertia=(0, 0, 0, 0, 0, 0))
    return qddot.Robot(qddot.Model("cart", (body,), gravity=(0, 0, -9.81)))


@pytest.mark.parametrize("body", ["tool", 0])
def test_what_is_carried_all_the_time_is_a_body_of_the_arm(body: Any) -> None:
    arm = qddot.load("elbow_3r")
    parts: Any = {"mass": 2.0, "com": (0.1, 0.05, 0.0), "inertia": (0.02, 0, 0, 0.03, 0, 0.04)}
    whole = arm.with_payload(**parts, body=None if body == "tool" else body)
    start: tuple[Any, Any, float, float] = ([0.1, 0.2, 0.3], [0.5, 0.1, -0.2], 0.5, 0.002)
    run = arm.simulate(*start, "rk4", forces=forces.Payload(**parts, body=body), limits=False)
    right = whole.simulate(*start, "rk4", limits=False)
    for name in ("q", "qd", "K", "P"):
        assert np.allclose(run.data[name], right.data[name], rtol=0, atol=1e-11), name
    assert run.arm().model.hash == arm.model.hash


METHODS = ("midpoint", "taylor", "radau")


@pytest.mark.parametrize(
    ("method", "name"), [("midpoint", "spatial_2r"), ("taylor", "one_link"), ("radau", "spatial_2r")]
)
def test_a_motion_with_a_payload_in_between_is_three_motions_one_after_the_other(method: str, name: str) -> None:
    arm = qddot.load(name)
    q0 = [0.3, 0.2][: arm.n]
    heavier = arm.with_payload(3.0, (0.1, 0.0, 0.0))
    law = laws.pd([1.0, 0.5][: arm.n], 40.0, 10.0)
    load = forces.Payload(3.0, (0.1, 0.0, 0.0), taken=0.3, left=0.7)
    run = arm.simulate(q0, None, 1.0, 0.01, method, torque=law, forces=load)
    first = arm.simulate(q0, None, 0.3, 0.01, method, torque=law)
    second = heavier.simulate(first.q[-1], first.qd[-1], 0.4, 0.01, method, torque=law)
    third = arm.simulate(second.q[-1], second.qd[-1], 0.3, 0.01, method, torque=law)
    right = np.concatenate([first.q, second.q[1:], third.q[1:]])
    # separate runs choose their own first steps
    assert np.allclose(run.q, right, rtol=0, atol={"dop853": 1e-9, "radau": 1e-9}.get(method, 1e-11))
    assert run.energy.check({"semi-implicit": 0.2, "midpoint": 1e-2}.get(method, 1e-4))
    jumps = np.diff(run.energy.external)
    assert np.flatnonzero(np.abs(jumps) > 1e-12).tolist() == [29, 69]
    assert jumps[29] == pytest.approx(second.energy.E[0] - first.energy.E[-1], rel=1e-7)
    assert jumps[69] == pytest.approx(third.energy.E[0] - second.energy.E[-1], rel=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_events_take_and_leave_each_arm_s_own_payload_once(method: str) -> None:
    """A cart swings on a spring: it takes the mass where x rises above 0, and leaves it where x rises above 0.2."""
    arm = slider()
    load = forces.Payload(6.0, body="cart", taken=lambda t, q, qd: q[0], left=lambda t, q, qd: q[0] - 0.2)
    spring = forces.SpringDamper("cart", (0, 0, 0), 50.0)
    q0 = [[-1.0], [-0.5], [-0.09]]
    run = arm.simulate(q0, None, 3.0, 1e-3, method, forces=[spring, load])
    # the energy is 25 J; the ledger of semi-implicit is of first order, also without a payload
    assert run.energy.check({"semi-implicit": 1.0, "midpoint": 1e-11}.get(method, 1e-4))
    mass = np.divide(
        2 * run.energy.K, run.qd[..., 0] ** 2, where=run.qd[..., 0] != 0, out=np.full(run.energy.K.shape, 2.0)
    )
    for k in range(3):
        taken = int((run.q[k, :, 0] > 0).argmax())
        assert np.allclose(mass[k, 1:taken], 2.0)
        left = int((run.q[k, :, 0] > 0.2).argmax()) if (run.q[k, :, 0] > 0.2).any() else len(run.time)
        assert np.allclose(mass[k, taken : left - 1], 8.0, rtol=1e-6)
        assert np.allclose(mass[k, left:], 2.0, rtol=1e-6)
    # four times the mass: the cart from −0.09 comes to rest at +0.18, where it does not leave the payload
    assert run.q[2].max() == pytest.approx(0.18, abs=1e-3)


@pytest.mark.parametrize("taken", [np.float32(0.25), np.float64(0.25), "1/4"])
def test_a_time_is_any_number(taken: Any) -> None:
    arm = slider()
    kicked, named = (
        arm.simulate([0.0], [1.0], 1.0, 0.25, "midpoint", forces=forces.Payload(2.0, taken=t)) for t in (taken, 0.25)
    )
    assert np.array_equal(kicked.arrays["external"], named.arrays["external"]) and kicked.arrays["external"].any()


def test_payloads_and_sampled_laws_go_together() -> None:
    arm = qddot.load("spatial_2r")
    load = forces.Payload(3.0, taken=0.1)
    law = laws.pid([0.5, 0.5], 100.0, 50.0, 20.0)
    runs = [
        arm.simulate([0.3, 0.2], None, 0.5, 0.01, method="rk4", torque=laws.sampled(each, 0.02), forces=load)
        for each in (law, Asked(law))
    ]
    assert runs[1].notes and not runs[0].notes
    assert np.allclose(runs[0].q, runs[1].q, rtol=1e-10, atol=1e-10)
    assert np.allclose(runs[0].z, runs[1].z, rtol=1e-10, atol=1e-10)
    assert not np.allclose(
        runs[0].q, arm.simulate([0.3, 0.2], None, 0.5, 0.01, method="rk4", torque=laws.sampled(law, 0.02)).q
    )


class Asked:
    """The same law, but it asks for a value, so that it is called."""

    def __init__(self, law: Any) -> None:
        self.law, self.z0 = law, law.z0

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return self.law(t, q, qd, z) if t >= 0 else None


@pytest.mark.parametrize(
    ("make", "method", "error"),
    [
        (lambda: forces.Payload(1.0, taken=0.015), "rk4", ("payload-time-between-steps", "taken", "0.015")),
        (lambda: forces.Payload(1.0, left=-1), "rk4", ("payload-at-no-time", "left", "-1")),
        (lambda: forces.Payload(1.0, (0, 0)), "rk4", ("payload-misshapen", "com")),
        (lambda: forces.Payload(-1.0), "rk4", ("mass-negative",)),
        (lambda: forces.Payload(1.0, body="hand"), "rk4", ("no-body", "'hand'")),
        (lambda: forces.Payload(1.0, taken=lambda t, q, qd: q), "rk4", ("function-misshapen", "2")),
        (lambda: forces.Payload(1.0, taken=lambda t, q, qd: t > 0.1), "rk4", ("function-not-compiled",)),
    ],
)
def test_what_cannot_be_carried_is_refused(make: Any, method: str, error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        qddot.load("spatial_2r").simulate([0.1, 0.2], None, 1.0, 0.01, method, forces=make())


def test_a_law_that_is_called_at_every_stage_carries_nothing_under_dop853() -> None:
    def law(t: Any, q: Any, qd: Any) -> Any:
        return -q if t >= 0 else q

    arm, load = qddot.load("spatial_2r"), forces.Payload(1.0, taken=0.5)
    with refusal(QddotError, "discrete-with-method", "some-payloads", "dop853"):
        arm.simulate([0.1, 0.2], None, 1.0, 0.01, "dop853", torque=law, forces=load)
    assert arm.simulate([0.1, 0.2], None, 1.0, 0.01, "dop853", torque=laws.sampled(law, 0.1), forces=load).energy.check(
        1e-6
    )
