"""Friction that grows with the torque of a joint: the closed forms of a lift, other routes to its torques, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qddot
from qddot.base.errors import ModelError

LIFT = """
name = "lift"
convention = "tree"
gravity = [0, 0, -10]
[[link]]
name = "cage"
mass = 2
com = [0, 0, 0]
inertia = {about = "com"}
joint = {type = "prismatic", axis = [0, 0, 1], coordinate = "x", load = 0.25}
"""
SHARES = np.array([0.2, 0.3])


def geared() -> tuple[Any, Any]:
    """Returns an arm with friction of all kinds, and the same arm without any."""
    smooth = qddot.load("two_link").with_values(m1=1, m2=1, l=1, g=9.81)
    return smooth.with_friction(coulomb=[0.1, 0.2], damping=0.05, load=[0.2, 0.3]), smooth


def test_the_gear_of_a_lift_takes_its_share_in_both_directions() -> None:
    lift = qddot.loads(LIFT)
    assert lift.forward_dynamics([0], [1], [30])[0] == pytest.approx(30 / 1.25 / 2 - 10, abs=1e-14)
    assert lift.forward_dynamics([0], [-1], [30])[0] == pytest.approx(30 / 0.75 / 2 - 10, abs=1e-14)
    assert lift.inverse_dynamics([0], [1], [2])[0] == pytest.approx(1.25 * 24, abs=1e-13)


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau"])
@pytest.mark.parametrize("force", [0.0, 14.9, 15.1, 24.9, 25.1, 30.0])
def test_a_lift_stops_and_is_held_or_sinks_as_the_closed_form_says(method: str, force: float) -> None:
    """The cage weighs 20 N, so that its gear holds it from 15 N to 25 N."""
    run = qddot.loads(LIFT).simulate([0], [1.0], 1.0, torque=np.array([force]), method=method)
    up, down = force / 1.25 / 2 - 10, force / 0.75 / 2 - 10
    stops = -1 / up if up < -1 else 1.0
    x, v = (stops + up * stops**2 / 2, 0.0) if stops < 1 else (1 + up / 2, 1 + up)
    if stops < 1 and down < 0:
        x, v = x + down * (1 - stops) ** 2 / 2, down * (1 - stops)
    assert run.q[-1, 0] == pytest.approx(x, abs=1e-12)
    assert run.qd[-1, 0] == pytest.approx(v, abs=1e-12)
    assert np.abs(run.energy.balance).max() < 1e-11  # of up to 81 J


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau"])
def test_a_gear_without_load_begins_to_move_with_the_torque(method: str) -> None:
    """Without gravity x = t⁵/(20 · 1.25 · 2) for the torque t³; at the start neither friction nor torque act."""
    free = qddot.loads(LIFT.replace("-10", "0"))
    run = free.simulate([0], [0], 2.0, torque=lambda t, q, qd: [t**3], method=method)
    assert run.q[-1, 0] == pytest.approx(32 / 50, abs=1e-11)


def test_a_gear_alone_lets_an_arm_without_torque_fall_as_without_it() -> None:
    """A torque of zero loads no gear, whatever its share; all arguments but the start are left out."""
    _, smooth = geared()
    runs = [arm.simulate([0, 0], duration=1) for arm in (smooth, smooth.with_friction(load=0.25))]
    np.testing.assert_allclose(runs[0].q[-1], runs[1].q[-1], atol=1e-11)
    assert np.abs(runs[1].energy.losses["load"]).max() == 0


def test_torques_accelerations_and_derivatives_agree_with_those_of_the_smooth_arm() -> None:
    arm, smooth = geared()
    for q, qd, qdd in np.random.default_rng(0).normal(size=(9, 3, 2)):
        L = smooth.inverse_dynamics(q, qd, qdd)
        tau = L + SHARES * np.abs(L) * np.sign(qd) + [0.1, 0.2] * np.sign(qd) + 0.05 * qd
        np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd), tau, atol=1e-12)
        np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau), qdd, atol=1e-11)
        Y = arm.regressor(q, qd, qdd, armature=True, friction=True)
        np.testing.assert_allclose(Y @ arm.dynamic_parameters(armature=True, friction=True), tau, atol=1e-12)
        for k, slopes in enumerate(arm.forward_dynamics_derivatives(q, qd, tau)):
            for j, step in enumerate(1e-6 * np.eye(2)):
                ends = ([x + sign * step * (i == k) for i, x in enumerate((q, qd, tau))] for sign in (1, -1))
                ahead, back = (arm.forward_dynamics(*each) for each in ends)
                np.testing.assert_allclose(slopes[:, j], (ahead - back) / 2e-6, rtol=1e-6, atol=1e-6)


def test_equations_with_load_friction_are_proved_and_have_its_values() -> None:
    arm = qddot.load("two_link").with_friction(coulomb=0.1, load=["mu", 0.3], symbols={"mu": 0.2})
    assert arm.prove()
    equations = arm.equations()
    assert "mu*abs(load_q1)*sgn(qd1)" in str(equations.friction)
    state = [0.1, 0.2], [1.0, -1.0], [0.3, 0.4]
    np.testing.assert_allclose(equations.at(*state)["tau"], arm.inverse_dynamics(*state), rtol=1e-13)


@pytest.mark.parametrize(
    ("friction", "code"),
    [
        ({"load": 1}, "effect-locks"),
        ({"load": -0.1}, "effect-negative"),
        ({"load": 0.1, "coulomb": 0.2, "bristles": {"stiffness": 100, "damping": 1}}, "bristles-with-load"),
    ],
)
def test_what_has_no_acceleration_is_refused(friction: Any, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        qddot.load("two_link").with_friction(**friction)
    assert caught.value.code == code


def test_closed_chains_and_values_that_lock_are_refused() -> None:
    with pytest.raises(ModelError, match="loops"):
        qddot.load_closed_chain("four_bar").with_friction(load=0.1)
    arm = qddot.load("two_link").with_friction(load="mu", symbols={"mu": 0.2})
    with pytest.raises(ModelError, match="locks itself"):
        arm.with_values(mu=1)
