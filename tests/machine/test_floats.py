"""The same algorithms give the same numbers over floats and over exact polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import robots
from shipped import LINKS, robot

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Vec3
from qddot.physics.algorithms import composite, energies, kinematics, newton_euler
from qddot.physics.mechanism import Mechanism


def random_state(arm: qddot.Robot, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[str, float]]:
    rng = np.random.default_rng(seed)
    symbols = {name: float(rng.uniform(0.3, 2)) for name in arm.model.symbols}
    q, qd, qdd = rng.uniform(-3, 3, (3, arm.n))
    return q, qd, qdd, symbols


def mechanism(arm: qddot.Robot, q: Any, qd: Any, qdd: Any, symbols: dict[str, float], **ufuncs: Any) -> Mechanism:
    named = [dict(zip(arm.model.coordinates, values, strict=True)) for values in (q, qd, qdd)]
    return Mechanism.of(arm.model, Floats(symbols, *named, **ufuncs))


def assert_exact_equals_floats(arm: qddot.Robot, seed: int) -> None:
    *state, symbols = random_state(arm, seed)
    at = arm.equations().at(*state, **symbols)
    q, qd, qdd = state
    floats = mechanism(arm, q, qd, qdd, symbols)
    armature = np.diag(at["M"] - np.array(composite.mass_matrix(floats), dtype=float))
    tau = np.array(newton_euler.inverse_dynamics(floats).tau, dtype=float) + armature * state[2]
    outside = at["springs"] + at["friction"]
    # about a thousand operations on entries of one scale
    assert np.allclose(tau + outside, at["tau"], rtol=1e-11, atol=1e-11 * max(1, np.abs(tau).max()))
    assert np.allclose(at["G"], np.array(composite.gravity_torques(floats), dtype=float), atol=1e-11)
    K = float(energies.kinetic_energy(floats)) + armature @ state[1] ** 2 / 2
    assert at["K"] == pytest.approx(K, rel=1e-11)
    assert at["P"] == pytest.approx(float(energies.potential_energy(floats)), rel=1e-11, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("zoo_arm", [name for name in LINKS if name not in ("panda", "puma560")], indirect=True)
def test_on_the_zoo(zoo_arm: qddot.Robot) -> None:
    assert_exact_equals_floats(zoo_arm, seed=7)


@given(robots(), st.integers(0, 10**6))
@settings(max_examples=40)
def test_on_random_trees(arm: qddot.Robot, seed: int) -> None:
    assert_exact_equals_floats(arm, seed)


def test_a_batch_is_a_scalar_of_arrays() -> None:
    """The physics takes arrays of states as its numbers."""
    arm = robot("spatial_2r")
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-3, 3, (3, 2, 50))
    symbols = arm.model.defaults()
    batch = newton_euler.inverse_dynamics(mechanism(arm, q, qd, qdd, symbols, cos=np.cos, sin=np.sin)).tau
    for k in range(50):
        one = arm.equations().at(q[:, k], qd[:, k], qdd[:, k])["tau"]
        assert np.allclose([np.asarray(entry)[k] for entry in batch], one, rtol=1e-12)


def test_the_velocity_of_a_point_is_the_derivative_of_its_position() -> None:
    arm = robot("panda")
    q, qd, qdd, symbols = random_state(arm, 11)
    point, step = Vec3(0.1, -0.2, 0.3), 1e-6

    def position(at: np.ndarray) -> np.ndarray:
        return np.array(list(kinematics.poses(mechanism(arm, at, qd, qdd, symbols))[6].apply(point)), dtype=float)

    slope = (position(q + step * qd) - position(q - step * qd)) / (2 * step)
    moving = mechanism(arm, q, qd, qdd, symbols)
    V = moving.twists[6]
    velocity = kinematics.poses(moving)[6].R.apply(V.v + V.w.cross(point))
    assert np.allclose(slope, np.array(list(velocity), dtype=float), atol=1e-8)


def test_reactions_carry_the_weight_of_a_still_arm() -> None:
    arm = robot("elbow_3r")
    symbols = arm.model.defaults()
    still = mechanism(arm, [0.3, -0.8, 0.5], [0] * 3, [0] * 3, symbols)
    recursion = newton_euler.inverse_dynamics(still)
    T = kinematics.poses(still)
    for link, reaction in enumerate(recursion.reaction):
        weight = sum(symbols[f"m{k}"] for k in range(link + 1, 4)) * symbols["g"]
        force = np.array(list(T[link].R.apply(reaction.f)), dtype=float)
        assert np.allclose(force, [0, 0, weight], atol=1e-12)


def test_the_tool_and_the_centres_of_mass_move_as_their_jacobians_say() -> None:
    arm = robot("planar_2r")
    q, qd, qdd, symbols = random_state(arm, 4)
    l1, l2 = symbols["l1"], symbols["l2"]
    a = mechanism(arm, q, qd, qdd, symbols)
    angles = np.cumsum(q)
    elbow = l1 * np.array([np.cos(angles[0]), 0, np.sin(angles[0])])
    fore = np.array([np.cos(angles[1]), 0, np.sin(angles[1])])
    assert np.allclose(list(kinematics.tool_pose(a).p), elbow + l2 * fore, atol=1e-14)
    centres = [[float(x) for x in point] for point in kinematics.centres_of_mass(a)]
    assert np.allclose(centres, [elbow / 2, elbow + l2 / 2 * fore], atol=1e-14)
    step = 1e-6
    ends = [list(kinematics.tool_pose(mechanism(arm, q + s * qd, qd, qdd, symbols)).p) for s in (step, -step)]
    slope = (np.array(ends[0], dtype=float) - np.array(ends[1], dtype=float)) / (2 * step)
    columns = np.array([list(column.v) for column in kinematics.tool_jacobian(a) if column], dtype=float)
    assert np.allclose(columns.T @ qd, slope, atol=1e-8)
