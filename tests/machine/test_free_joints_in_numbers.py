"""Compiled functions of free and spherical joints are the exact equations, and Pinocchio's on its free flyer."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from free_trees import TREES, UNITS
from refusals import refusal
from urdf_of_peers import FOLDER, with_all_digits

import qddot
from qddot.base.errors import EvaluationError, QddotError
from qddot.machine.compilers import kernels

NUMBERS = [3, 0.1, 0.2, 0.3, 2, 0.1, 0.2, 2.5, 0.1, 2.2]
VALUES = {f"{name}{k}": value for k in range(4) for name, value in zip(UNITS, NUMBERS, strict=True)}
BALL = "two joints and a ball"
STEP = 1e-6  # of central differences, whose error is about 1e-9


@pytest.fixture(autouse=True)
def other_trees_in_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One tree is compiled to machine code; the laws are those of the programs, which NumPy runs for the others."""
    if "callspec" in dir(request.node) and request.node.callspec.params.get("name", BALL) != BALL:
        monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@cache
def arm_of(name: str) -> qddot.Robot:
    return TREES[name].with_values(**VALUES, a=0.4, d=0.7)


def state(arm: qddot.Robot, count: int = 1, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    q, qd, qdd = (rng.uniform(-1, 1, (count, n)) for n in (len(arm.model.positions), arm.n, arm.n))
    for freedoms in arm.model.freedoms:
        place = arm.model.positions.index(freedoms.quaternion[0])
        q[:, place : place + 4] /= np.linalg.norm(q[:, place : place + 4], axis=1, keepdims=True)
    return q, qd, qdd


def slopes(arm: qddot.Robot, q: Any, function: Any) -> Any:
    """Central differences along the motion of each unit velocity, which the last axis counts."""
    ways = np.eye(arm.n)
    pairs = ((function(arm.integrate(q, way, STEP)), function(arm.integrate(q, way, -STEP))) for way in ways)
    return np.stack([(after - before) / (2 * STEP) for after, before in pairs], axis=-1)


@pytest.mark.parametrize(
    "name", [BALL, *(pytest.param(name, marks=pytest.mark.slow) for name in TREES if name != BALL)]
)
def test_functions_are_the_exact_equations(name: str) -> None:
    arm = arm_of(name)
    (q,), (qd,), (qdd,) = state(arm)
    exact = arm.equations().at(q, qd, qdd)
    tau = arm.inverse_dynamics(q, qd, qdd)
    for numbers, quantity in (
        (tau, "tau"),
        (arm.mass_matrix(q), "M"),
        (arm.gravity(q), "G"),
        (arm.coriolis_matrix(q, qd), "C"),
        (arm.kinetic_energy(q, qd), "K"),
        (arm.potential_energy(q), "P"),
    ):
        np.testing.assert_allclose(numbers, exact[quantity], rtol=1e-13, atol=1e-12)
    np.testing.assert_allclose(arm.jacobian(q), exact["J"][-1], atol=1e-14)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau), qdd, atol=1e-12)
    Y, pi = arm.regressor(q, qd, qdd, armature=True, friction=True), arm.dynamic_parameters(True, True)
    np.testing.assert_allclose(Y @ pi, tau, atol=1e-12)
    base, Y = arm.base_parameters(friction=True), arm.regressor(q, qd, qdd, friction=True)
    np.testing.assert_allclose(Y[:, base.columns] @ base.values(), Y @ arm.dynamic_parameters(False, True), atol=1e-12)
    with refusal(QddotError, "joint-has-quasi-velocities", "a-minimal-set-with-armature", "armature=False"):
        arm.base_parameters(armature=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_derivatives_are_along_the_vector_fields(name: str) -> None:
    arm = arm_of(name)
    (q,), (qd,), (qdd,) = state(arm)
    by_q, by_rates, M = arm.inverse_dynamics_derivatives(q, qd, qdd)
    np.testing.assert_allclose(by_q, slopes(arm, q, lambda at: arm.inverse_dynamics(at, qd, qdd)), atol=1e-7)
    ways = np.eye(arm.n) * STEP
    rates = [
        (arm.inverse_dynamics(q, qd + way, qdd) - arm.inverse_dynamics(q, qd - way, qdd)) / (2 * STEP) for way in ways
    ]
    np.testing.assert_allclose(by_rates, np.stack(rates, axis=-1), atol=1e-7)
    tau = arm.inverse_dynamics(q, qd, qdd)
    accelerations, _, inverse = arm.forward_dynamics_derivatives(q, qd, tau)
    np.testing.assert_allclose(inverse @ M, np.eye(arm.n), atol=1e-11)
    np.testing.assert_allclose(accelerations, -inverse @ by_q, atol=1e-10)


def test_twists_and_rates_follow_from_velocities() -> None:
    """Ṫ = T [V] and d/dt (J ν) − J ν̇ = J̇ ν, along the motion that `integrate` gives."""
    arm = arm_of("a free body with two joints")
    (q,), (qd,), _ = state(arm)
    after, before = (arm.integrate(q, qd, step) for step in (STEP, -STEP))
    rates = arm.state_derivative(q, qd, np.zeros(arm.n))[: len(q)]
    np.testing.assert_allclose(rates, (after - before) / (2 * STEP), atol=1e-9)
    drift = (arm.jacobian(after) - arm.jacobian(before)) @ qd / (2 * STEP)
    np.testing.assert_allclose(arm.jacobian_drift(q, qd), drift, atol=1e-8)
    moved = (arm.forward_kinematics(after) - arm.forward_kinematics(before))[:3, 3] / (2 * STEP)
    np.testing.assert_allclose(arm.jacobian(q)[:3] @ qd, moved, atol=1e-9)


@pytest.mark.parametrize("size", [1e-9, 0.3, 3.0])
def test_a_difference_leads_from_one_position_to_the_other(size: float) -> None:
    arm = arm_of("a free body on a joint")
    q, qd, _ = state(arm, 50)
    way = qd * (size / np.linalg.norm(qd[:, 4:], axis=1, keepdims=True))
    reached = arm.integrate(q, way)
    np.testing.assert_allclose(arm.difference(q, reached), way, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(arm.integrate(q, arm.difference(q, reached)), reached, atol=1e-14)
    halves = arm.integrate(arm.integrate(q, way, 0.5), way, 0.5)
    np.testing.assert_allclose(halves, reached, atol=1e-14)  # a screw motion has constant velocities
    np.testing.assert_allclose(arm.integrate(arm.neutral(), np.zeros(arm.n)), arm.neutral())


def test_positions_and_velocities_are_told_apart() -> None:
    arm = arm_of(BALL)
    (q,), (qd,), _ = state(arm)
    for call, message in (
        (lambda: arm.bias(qd, qd), r"q has the shape \(5,\); expected \(…, 6\)"),
        (lambda: arm.bias(q, q), r"qd has the shape \(6,\); expected \(…, 5\)"),
        (lambda: arm.gravity(q * 1.1), r"\(e_w, e_x, e_y, e_z\) in q has the norm 1\.1; expected a unit quaternion"),
        (lambda: arm.integrate(q, q), r"qd has the shape \(6,\); expected \(…, 5\)"),
        (lambda: arm.difference(q, qd), r"q2 has the shape \(5,\); expected \(…, 6\)"),
    ):
        with pytest.raises(EvaluationError, match=message):
            call()
    nearly = q.copy()
    nearly[2:] *= 1 + 1e-7
    with pytest.warns(UserWarning, match="differs from 1 by 1.0e-07"):
        np.testing.assert_allclose(arm.gravity(nearly), arm.gravity(q), atol=1e-13)


@pytest.mark.parametrize("path", ["double_pendulum_description/urdf/double_pendulum_simple.urdf"])
def test_a_floating_base_is_pinocchios_free_flyer(path: str) -> None:
    arm = qddot.load(FOLDER / path, base="free")
    model = pin.buildModelFromXML(with_all_digits((FOLDER / path).read_text()), pin.JointModelFreeFlyer())
    data, names = model.createData(), {body.joint.coordinate: body.joint.name for body in arm.model.bodies}
    joints = [model.joints[model.getJointId(names[name])] for name in arm.model.coordinates[6:]]
    rows = [*range(6), *(joint.idx_v for joint in joints)]
    places = [0, 1, 2, 6, 3, 4, 5, *(joint.idx_q for joint in joints)]  # (x, y, z, w) there
    for q, qd, qdd in zip(*state(arm, 5), strict=True):
        theirs = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        theirs[0][places], theirs[1][rows], theirs[2][rows] = q, qd, qdd
        without_friction = (
            arm.inverse_dynamics(q, qd, qdd) - arm.bias(q, qd) + arm.coriolis_matrix(q, qd) @ qd + arm.gravity(q)
        )
        np.testing.assert_allclose(without_friction, pin.rnea(model, data, *theirs)[rows], rtol=1e-10, atol=1e-10)
        M = pin.crba(model, data, theirs[0])
        M = np.triu(M) + np.triu(M, 1).T
        np.testing.assert_allclose(arm.mass_matrix(q), M[np.ix_(rows, rows)], atol=1e-11)
        C = pin.computeCoriolisMatrix(model, data, *theirs[:2])
        np.testing.assert_allclose(arm.coriolis_matrix(q, qd), C[np.ix_(rows, rows)], atol=1e-10)
        there = pin.integrate(model, theirs[0], theirs[1])
        np.testing.assert_allclose(arm.integrate(q, qd), _canonical(there[places], q), atol=1e-14)


def _canonical(q: Any, like: Any) -> Any:
    """The same position, with the one of its two quaternions that is nearer to that of another position."""
    return np.array([*q[:3], *(q[3:7] * np.sign(q[3:7] @ like[3:7])), *q[7:]])


def test_fast_calls_look_at_quaternions_as_others_do() -> None:
    """After a first call, too, with a state as an array, a list or a tuple, and with options."""
    arm = arm_of(BALL)
    (q,), (qd,), _ = state(arm)
    place = arm.model.quaternions[0][1]
    right, there = arm.bias(q, qd, check=True), arm.forward_kinematics(q, check=True)
    long, near, lost = q.copy(), q.copy(), q.copy()
    long[place : place + 4] *= 1.01
    near[place : place + 4] *= 1 + 1e-8
    lost[place] = np.nan
    for _ in range(2):
        for kind in (np.array, list, tuple):
            assert np.array_equal(arm.bias(kind(q), qd), right)
            with refusal(EvaluationError, "not-a-unit-quaternion"):
                arm.bias(kind(long), qd)
            with pytest.warns(UserWarning, match="norm"):
                np.testing.assert_allclose(arm.bias(kind(near), qd), right, rtol=1e-12)
            assert np.isnan(arm.bias(kind(lost), qd)).any()
        assert np.array_equal(arm.forward_kinematics(q, -1), there)
        with refusal(EvaluationError, "not-a-unit-quaternion"):
            arm.forward_kinematics(long, -1)
        with refusal(EvaluationError, "not-a-unit-quaternion"):
            arm.bias(np.stack([q, long]), qd)
        with refusal(EvaluationError, "argument-misshapen"):
            arm.bias(q[:-1], qd)


def test_a_law_that_calls_an_arm_with_quaternions_is_compiled_after_other_calls() -> None:
    arm = arm_of(BALL)
    (q,), (qd,), _ = state(arm)
    arm.bias(q, qd)
    arm.jacobian(q, "tool")
    run = arm.simulate(
        q, qd, duration=0.02, step=0.01, torque=lambda t, q, qd: arm.bias(q, qd) - arm.jacobian(q, "tool").T[:, 0]
    )
    assert not [note for note in run.notes if "called from Python" in str(note)]
