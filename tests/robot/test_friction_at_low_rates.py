"""Friction that is no polynomial in the rate, as of Stribeck, stands in all that friction stands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal
from scipy.integrate import solve_ivp

import qddot
from qddot.base.errors import QddotError

STRIBECK = {"excess": 0.5, "velocity": 0.2}
BLOCK = """
name = "block"
convention = "tree"
gravity = [0, 0, 0]
[[link]]
name = "block"
mass = 2
com = [0, 0, 0]
inertia = {about = "com"}
joint = {type = "prismatic", axis = [1, 0, 0], coordinate = "x", coulomb = 1, stribeck = {excess = 0.5, velocity = 0.1}}
"""


def stribeck(qd: Any, excess: float = 0.5, velocity: float = 0.2) -> Any:
    return excess * np.exp(-((qd / velocity) ** 2)) * np.sign(qd)


def test_stribeck_friction_by_hand() -> None:
    arm = physical(qddot.load("elbow_3r")).with_friction(coulomb=0.3)
    rough = arm.with_friction(stribeck=[STRIBECK, 0, {"excess": -0.2, "velocity": 2}])
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 50, 3))
    right = np.stack([stribeck(qd[:, 0]), 0 * qd[:, 1], stribeck(qd[:, 2], -0.2, 2)], axis=1)
    change = rough.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd)
    assert change == pytest.approx(right, abs=1e-12)
    assert rough.inverse_dynamics(q, 0 * qd, qdd) == pytest.approx(arm.inverse_dynamics(q, 0 * qd, qdd), abs=1e-12)
    assert rough.forward_dynamics(q, qd, rough.inverse_dynamics(q, qd, qdd)) == pytest.approx(qdd, abs=1e-9)
    assert rough.with_friction(stribeck=0).model == arm.model


def test_the_derivative_of_stribeck_friction_is_its_difference_quotient() -> None:
    arm = physical(qddot.load("elbow_3r")).with_friction(stribeck=STRIBECK)
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 3))
    steps = 1e-6 * np.eye(3)
    differences = arm.inverse_dynamics(q, qd + steps, qdd) - arm.inverse_dynamics(q, qd - steps, qdd)
    by_qd = arm.inverse_dynamics_derivatives(q, qd, qdd)[1]
    assert by_qd == pytest.approx(differences.T / 2e-6, abs=1e-7)


def test_equations_with_stribeck_friction_are_proved_and_written() -> None:
    arm = qddot.load("two_link").with_friction(
        {"q1": {"stribeck": {"excess": "s", "velocity": "v"}}}, coulomb="f", symbols=["s", "v", "f"]
    )
    assert {each.verdict for each in arm.prove().identities} == {"proved"}
    friction = arm.equations().friction
    assert str(friction).splitlines()[0] == "friction1 = f*sgn(qd1) + s*exp(-qd1**2/(v**2))*sgn(qd1)"
    assert r"s \exp(-\frac{\dot{q}_{1}^{2}}{v^{2}}) \operatorname{sgn}\dot{q}_{1}" in friction.latex()
    slope = str(friction.diff("qd1"))
    assert "-2*s*exp(-qd1**2/(v**2))*sgn(qd1)*qd1/(v**2)" in slope
    assert {"s", "v", "qd1"} <= friction.free_symbols


def test_parameters_of_friction_give_the_torques() -> None:
    arm = physical(qddot.load("elbow_3r")).with_friction(
        damping=0.1, coulomb=0.3, stribeck=[STRIBECK, 0, 0], drag=[0, 0.4, 0], offset=[0, 0, 0.2]
    )
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 20, 3))
    tau = arm.inverse_dynamics(q, qd, qdd)
    Y, pi = arm.regressor(q, qd, qdd, friction=True), arm.dynamic_parameters(friction=True)
    assert Y @ pi == pytest.approx(tau, abs=1e-10)
    base = arm.base_parameters(friction=True)
    assert Y[..., list(base.columns)] @ base.values() == pytest.approx(tau, abs=1e-10)


def test_files_keep_stribeck_friction(tmp_path: Path) -> None:
    arm = physical(qddot.load("elbow_3r")).with_friction(coulomb=0.3, stribeck=STRIBECK)
    again = qddot.loads(arm.to_toml())
    assert again.model.bodies == arm.model.bodies
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 3))
    (tmp_path / "arm.urdf").write_text(arm.to_urdf())
    other = qddot.load(tmp_path / "arm.urdf")
    assert other.inverse_dynamics(q, qd, qdd) == pytest.approx(arm.inverse_dynamics(q, qd, qdd), abs=1e-9)


def test_comparisons_see_the_stribeck_velocity() -> None:
    arm = physical(qddot.load("two_link")).with_friction(coulomb=0.3, stribeck=STRIBECK)
    other = arm.with_friction(stribeck={"excess": 0.5, "velocity": 0.3})
    assert [each.what for each in qddot.diff(arm, other).differences] == ["stribeck velocity"] * 2


def test_a_block_breaks_away_at_the_excess_and_slides_as_a_program_of_its_own_says() -> None:
    block = qddot.loads(BLOCK)
    held = block.simulate([0], [0], 1, 0.1, torque=[1.499])
    assert (held.q == 0).all()
    run = block.simulate([0], [0], 1, 0.1, torque=[1.501])
    assert run.q[-1, 0] > 0

    def sliding(_: float, y: Any) -> Any:
        return [y[1], (2 - 1 - stribeck(y[1], 0.5, 0.1)) / 2]

    run = block.simulate([0], [0.01], 1, 0.1, torque=[2])
    right = solve_ivp(sliding, (0, 1), [0, 0.01], t_eval=run.time, rtol=1e-12, atol=1e-13, method="DOP853").y
    assert run.q[:, 0] == pytest.approx(right[0], abs=1e-10)
    assert run.energy.check(1e-9)
    assert run.energy.losses["stribeck"][-1] > 0


@pytest.mark.parametrize(
    ("friction", "code"),
    [
        ({"stribeck": {"excess": -0.1, "velocity": 1}}, "friction-pushes"),
        ({"coulomb": 0.2, "stribeck": {"excess": -0.3, "velocity": 1}}, "friction-pushes"),
        ({"stribeck": {"excess": 0.1, "velocity": 0}}, "effect-not-positive"),
        ({"stribeck": {"excess": 0.1, "velocity": -1}}, "effect-not-positive"),
        ({"square_root": -0.1}, "effect-negative"),
        ({"stribeck": 0.1}, "friction-not-table"),
        ({"stribeck": {"excess": 0.1}}, "friction-not-table"),
    ],
)
def test_impossible_friction_is_refused(friction: dict[str, Any], code: str) -> None:
    with refusal(QddotError, code):
        qddot.load("two_link").with_friction(**friction)


def test_values_of_symbols_with_which_friction_creates_energy_are_refused() -> None:
    numbers = {"excess": "s", "velocity": "v"}
    arm = physical(qddot.load("two_link")).with_friction(coulomb=0.2, stribeck=numbers, symbols={"s": 0.1, "v": 0.3})
    for values, code in (({"s": -0.21}, "friction-pushes"), ({"v": 0}, "effect-not-positive")):
        with refusal(QddotError, code):
            arm.with_values(**values)
        with refusal(QddotError, code):
            arm.inverse_dynamics([0, 0], [1, 1], [0, 0], **values)
    assert np.isfinite(arm.inverse_dynamics([0, 0], [1, 1], [0, 0], s=-0.2)).all()


def test_two_stribeck_effects_in_a_joint_are_refused() -> None:
    with refusal(QddotError, "effect-twice", "stribeck"):
        qddot.Joint(effects=(qddot.Coulomb(1), qddot.Stribeck(0.1, 0.01), qddot.Stribeck(0.1, 0.1)))


def test_what_cannot_take_stribeck_friction_says_so() -> None:
    arm = physical(qddot.load("two_link")).with_friction(coulomb=0.2, stribeck=STRIBECK)
    with refusal(QddotError, "effect-without-bound", "stribeck"):
        arm.bounds({"qd": 1, "qdd": 1}, seconds=1)
    with refusal(QddotError, "effect-in-certificate", "stribeck"):
        arm.certificate()
    with refusal(QddotError, "coulomb-friction-there"):
        arm.equations().linearize([0, 0])


def test_a_follower_with_stribeck_friction_is_refused(tmp_path: Path) -> None:
    text = physical(qddot.load("elbow_3r")).with_friction({"q3": {"stribeck": STRIBECK}}).to_urdf()
    before, after = text.rsplit("<!-- qddot: stribeck", 1)
    leader = text.split('<joint name="')[2].split('"')[0]
    (tmp_path / "arm.urdf").write_text(f'{before}<mimic joint="{leader}" multiplier="2"/><!-- qddot: stribeck{after}')
    with refusal(QddotError, "effect-in-follower", "stribeck"):
        qddot.load(tmp_path / "arm.urdf")


# square root friction


def test_square_root_friction_by_hand() -> None:
    arm = physical(qddot.load("elbow_3r"))
    rough = arm.with_friction(square_root=[0.3, 0, 0.1])
    q, qd, qdd = np.random.default_rng(4).normal(size=(3, 50, 3))
    right = np.array([0.3, 0, 0.1]) * np.sqrt(np.abs(qd)) * np.sign(qd)
    change = rough.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd)
    assert change == pytest.approx(right, abs=1e-12)
    assert rough.inverse_dynamics(q, 0 * qd, qdd) == pytest.approx(arm.inverse_dynamics(q, 0 * qd, qdd), abs=1e-12)
    Y, pi = rough.regressor(q, qd, qdd, friction=True), rough.dynamic_parameters(friction=True)
    assert Y @ pi == pytest.approx(rough.inverse_dynamics(q, qd, qdd), abs=1e-10)
    steps = 1e-6 * np.eye(3)
    differences = rough.inverse_dynamics(q[0], qd[0] + steps, qdd[0]) - rough.inverse_dynamics(
        q[0], qd[0] - steps, qdd[0]
    )
    by_qd = rough.inverse_dynamics_derivatives(q[0], qd[0], qdd[0])[1]
    assert by_qd == pytest.approx(differences.T / 2e-6, abs=1e-7)


def test_equations_with_square_root_friction_are_proved() -> None:
    arm = qddot.load("two_link").with_friction(square_root=["c", 0], symbols=["c"])
    assert {each.verdict for each in arm.prove().identities} == {"proved"}
    assert qddot.loads(arm.to_toml()).model.bodies == arm.model.bodies
    with refusal(QddotError, "coulomb-friction-there"):
        arm.equations().linearize([0, 0])


def test_a_block_with_square_root_friction_comes_to_rest_as_the_closed_form_says() -> None:
    """m v̇ = −c √v has the solution √v = √v0 − c t/(2m), in which the way is ∫ v dt."""
    block = qddot.loads(BLOCK.replace("coulomb = 1, stribeck = {excess = 0.5, velocity = 0.1}", "square_root = 2"))
    run = block.simulate([0], [1], 1.5, 0.01)
    root = 1 - run.time / 2
    assert run.qd[:, 0] == pytest.approx(root**2, abs=1e-8)
    assert run.q[:, 0] == pytest.approx((1 - root**3) * 2 / 3, abs=1e-8)
    assert run.energy.check(1e-6)
    long = block.simulate([0], [1], 4, 0.01)
    assert long.q[-1, 0] == pytest.approx(2 / 3, abs=1e-4)
    quick = block.simulate([0], [1], 1.5, 0.01, method="dop853")
    assert quick.qd[:, 0] == pytest.approx(root**2, abs=1e-8)
    for method in ("taylor", "radau"):
        with refusal(QddotError, "steep-friction-with-method", "x"):
            block.simulate([0], [1], 1, 0.01, method=method)


def test_what_keeps_no_state_of_bristles_is_refused() -> None:
    arm = qddot.load("one_link").with_values(m=1, l=0.5).with_friction(
        {"q1": {"damping": 0.3, "coulomb": 2, "bristles": {"stiffness": 1000, "damping": 5}}}
    )  # fmt: skip
    with refusal(QddotError, "stepper-without-bristles"):
        arm.stepper(1e-3)
    first = arm.simulate([0.1], [0], 0.2, 1e-3)
    with refusal(QddotError, "run-does-not-continue"):
        first.followed_by(arm.simulate(first.q[-1], first.qd[-1], 0.2, 1e-3))
    with refusal(QddotError, "enclosed-run-with-kinks"):
        arm.enclose([0.1], [0], 0.01, 1e-3)


def test_a_slope_that_is_infinite_has_no_linear_model() -> None:
    arm = qddot.load("one_link").with_values(m=1, l=0.5).with_friction(square_root=0.3)
    with refusal(QddotError, "steep-friction-at-rest", "q1"):
        arm.linearize([0])
    assert np.isfinite(arm.linearize([0], [0.5]).A).all()
