"""Arms move from the states that people try first as many digits, or closed solutions, say (all: bench/natural.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import pi
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pytest
from motion_of_many_digits import Motion

import qddot

METHODS = {None: 1e-11, "dop853": 1e-8, "radau": 1e-8, "rk4": 1e-7}  # errors of the motions below, which do not spread
IN_LAWS = SimpleNamespace(tanh=qddot.tanh, exp=qddot.exp, sin=qddot.sin)
SHORT, STEP = 1.0, 1e-3


@dataclass(frozen=True)
class Start:
    """A natural state of an arm, and a torque: numbers, or a law of (t, q, q̇, functions)."""

    arm: str
    q0: tuple[float, ...]
    qd0: tuple[float, ...] = ()
    torque: tuple[float, ...] = ()
    law: Any = None

    @property
    def rates(self) -> tuple[float, ...]:
        return self.qd0 or (0.0,) * len(self.q0)


def friction(t: Any, q: Any, qd: Any, f: Any) -> list[Any]:
    return [-f.tanh(100 * rate) for rate in qd]


def bump(t: Any, q: Any, qd: Any, f: Any) -> list[Any]:
    return [f.exp(-20 * (t - 0.7) * (t - 0.7)) for _ in qd]


STARTS = {
    "horizontal": Start("one_link", (0.0,)),
    "horizontal and straight": Start("two_link", (0.0, 0.0)),
    "horizontal with rods": Start("planar_2r", (0.0, 0.0)),
    "horizontal in space": Start("elbow_3r", (0.0, 0.0, 0.0)),
    "horizontal the other way": Start("two_link", (pi, 0.0)),
    "folded": Start("two_link", (0.0, pi)),
    "at a right angle": Start("spherical_pendulum", (pi / 2, 0.0)),
    "at right angles": Start("two_link", (pi / 2, pi / 2)),
    "at a right angle in space": Start("spatial_2r", (0.0, pi / 2)),
    "at 30 degrees": Start("furuta_pendulum", (pi / 6, pi / 6)),
    "upright, with a push": Start("cart_pole", (0.5, pi), (0.0, 1.0)),
    "under constant torques": Start("two_link", (0.0, 0.0), torque=(1.0, 1.0)),
    "hanging, with friction": Start("one_link", (-pi / 2,), (1.0,), law=friction),
    "coupled, with friction": Start("two_link", (-pi / 2, 0.0), (1.0, 0.0), law=friction),
    "under a torque that begins later": Start("one_link", (-pi / 2,), law=bump),
}


@cache
def exact(name: str) -> Any:
    """(q, q̇) after a second."""
    start = STARTS[name]
    law = start.law or ((lambda t, q, qd, f: start.torque) if start.torque else None)
    return np.array(Motion(qddot.load(start.arm).model, law, 18).sampled(start.q0, start.rates, [0, SHORT])[-1])


def torque_of(start: Start) -> Any:
    law = start.law
    return (lambda t, q, qd: law(t, q, qd, IN_LAWS)) if law else start.torque or None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", STARTS)
def test_an_arm_moves_as_with_many_digits(name: str, method: str | None) -> None:
    start = STARTS[name]
    arm, drive = qddot.load(start.arm), torque_of(start)
    run = arm.simulate(start.q0, start.rates, SHORT, STEP, method, torque=drive, limits=False)
    assert not run.stops
    off = np.abs(np.concatenate([run.q[-1], run.qd[-1]]) - exact(name)) / (1 + np.abs(exact(name)).max())
    assert off.max() < METHODS[method]


def later_velocity(law: Any, mass: float, t: float) -> float:
    """m v = ∫ τ dt."""
    with mpmath.workdps(20):
        return float(mpmath.quad(law, [0, t / 3, t / 2, 2 * t / 3, t]) / mass)


LATER = {
    "a step": (lambda t: 1 + mpmath.tanh(20 * (t - 5)), lambda t: 1 + qddot.tanh(20 * (t - 5))),
    "a bump": (lambda t: mpmath.exp(-20 * (t - 5) ** 2), lambda t: qddot.exp(-20 * (t - 5) ** 2)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", LATER)
def test_a_smooth_force_that_begins_later_moves_a_resting_slider(shape: str, method: str | None) -> None:
    right, law = LATER[shape]
    run = qddot.load("slider").simulate([0], None, 10.0, 0.01, method, torque=lambda t, q, qd: [law(t)])
    assert abs(run.qd[-1, 0] - later_velocity(right, 2.5, 10.0)) < 1e-7


def with_dry_friction(arm: qddot.Robot, f: float) -> qddot.Robot:
    bodies = [replace(body, joint=replace(body.joint, effects=(qddot.Coulomb(f),))) for body in arm.model.bodies]
    return qddot.Robot(replace(arm.model, bodies=bodies))


@pytest.mark.parametrize("method", [None, "dop853", "radau"])
def test_a_force_whose_peaks_are_the_dry_friction_moves_nothing(method: str | None) -> None:
    slider = with_dry_friction(qddot.load("slider"), 1.0)
    run = slider.simulate([0], None, 3.0, 0.01, method, torque=lambda t, q, qd: [qddot.sin(5 * t)], limits=False)
    assert not run.stops
    assert np.abs(run.q).max() < 1e-12


@pytest.mark.parametrize("method", [None, "dop853", "radau"])
@pytest.mark.parametrize("force", [1.0, -1.0])
def test_a_force_as_large_as_the_dry_friction_lets_a_slider_go_on_or_doubles_its_friction(
    force: float, method: str | None
) -> None:
    slider = with_dry_friction(qddot.load("slider"), 1.0)
    run = slider.simulate([0], [1.0], 2.0, 0.01, method, torque=[force], limits=False)
    rest = 2.5 / 2  # [s] m v over the force and the friction together
    moved = run.time if force > 0 else np.where(run.time < rest, run.time - run.time**2 / 2.5, rest / 2)
    assert not run.stops
    assert np.abs(run.q[:, 0] - moved).max() < 1e-10
