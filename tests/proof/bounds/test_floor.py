"""A constant bound below the mass matrix holds in every pose, and is attained where the links allow it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import random_chain

import qddot
from qddot.proof.bounds.floor import least_eigenvalue

PROVED = ("elbow_3r", "spatial_2r", "ur5", "ur10", "kinova_6dof", "franka_panda", "xarm7", "baxter")
GRIPPER = """
name = "gripper"
convention = "tree"
gravity = [0, 0, -9.81]

[[link]]
name = "wrist"
parent = "base"
joint = { type = "revolute", axis = [0, 0, 1], xyz = [0, 0, 0.1] }
mass = 1
com = [0.1, 0, 0]
inertia = { about = "com", xx = 0.01, yy = 0.02, zz = 0.015 }

[[link]]
name = "plate"
parent = "wrist"
joint = { type = "fixed", xyz = [0.2, 0, 0.1], rpy = [0.3, 0, "40deg"] }
mass = 0.5
com = [0, 0.05, 0.02]
inertia = { about = "com", xx = 0.002, yy = 0.001, zz = 0.002 }

[[link]]
name = "slide"
parent = "plate"
joint = { type = "prismatic", axis = [0, "3/5", "4/5"], xyz = [0, 0.1, 0], rpy = [0.1, 0.2, 0], armature = 0.05 }
mass = 0.3
com = [0, 0, 0.1]
inertia = { about = "com", xx = 0.001, yy = 0.001, zz = 0.001 }

[[link]]
name = "finger"
parent = "slide"
joint = { type = "revolute", axis = [1, 0, 0], xyz = [0, 0.1, 0] }
frame = { xyz = [0.1, 0.2, 0], rpy = [0.4, 0, "90deg"] }
mass = 0.2
com = [0.02, 0, 0.1]
inertia = { about = "com", xx = 0.0005, yy = 0.0004, zz = 0.0003 }
"""


def least_seen(arm: qddot.Robot, count: int) -> float:
    """The least eigenvalue of M in random poses."""
    q = np.random.default_rng(1).uniform(-3.2, 3.2, (count, arm.model.n))
    return float(np.linalg.eigvalsh(arm.mass_matrix(q))[:, 0].min())


@pytest.mark.parametrize("name", PROVED)
def test_arms_with_whole_inertias_have_a_positive_bound_that_holds(name: str) -> None:
    arm = qddot.load(name)
    assert 0 < least_eigenvalue(arm.model) <= least_seen(arm, 20_000)


def test_fixed_bodies_slides_and_rotors_count() -> None:
    arm = qddot.loads(GRIPPER)
    bound, seen = least_eigenvalue(arm.model), least_seen(arm, 20_000)
    assert 0 < bound <= seen
    lighter = qddot.loads(GRIPPER.replace(", armature = 0.05", ""))
    assert least_eigenvalue(lighter.model) < bound


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5), st.integers(0, 10**6))
def test_the_bound_holds_for_random_robots(joints: int, seed: int) -> None:
    """Their bodies have whole inertias, without which nothing is proved."""
    arm, _ = random_chain(pin, joints, seed)
    assert 0 < least_eigenvalue(arm.model) <= least_seen(arm, 500) * (1 + 1e-12)


@given(st.fractions(min_value="1/100", max_value=100))
def test_the_bound_is_attained_by_a_body_that_turns_about_its_centre(inertia: Fraction) -> None:
    row = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}
    link = {"mass": 1, "com": [0, 0, 0], "inertia": {"about": "com", "xx": inertia, "yy": inertia, "zz": inertia}}
    bound = least_eigenvalue(qddot.from_dh([row], [link]).model)
    assert bound == pytest.approx(float(inertia), rel=1e-12)
    assert bound <= inertia


@pytest.mark.parametrize("name", ["two_link", "puma560_1986", "spherical_pendulum", "furuta_pendulum"])
def test_rods_points_and_partial_inertias_prove_nothing(name: str) -> None:
    assert least_eigenvalue(qddot.load(name).model) == 0


def test_the_mass_matrix_of_a_long_arm_is_proved_definite_at_once() -> None:
    bounds = qddot.load("franka_panda").bounds(seconds=0)
    assert bounds.definite and 0.001 < bounds["lambda_min"].proven <= bounds["lambda_min"].found
