"""Locked joints, other bases and other tools are the same physics in fewer or other coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physical import physical

import qddot
from qddot.base.errors import QddotError
from qddot.machine.compilers import kernels


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the physics is theirs, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.parametrize("name", ["elbow_3r", "puma560", "rp"])
def test_a_locked_joint_leaves_the_rows_of_the_others(name: str) -> None:
    """Inertias, bias and gravity are those of the whole arm with the joint at rest there."""
    arm = physical(qddot.load(name))
    held, rng = arm.model.coordinates[1], np.random.default_rng(0)
    locked = arm.with_locked(**{held: 0.3})
    left = [k for k in range(arm.n) if k != 1]
    q, qd = rng.uniform(-1, 1, (2, arm.n))
    q[1], qd[1] = 0.3, 0.0
    assert locked.model.coordinates == tuple(arm.model.coordinates[k] for k in left)
    assert np.allclose(locked.mass_matrix(q[left]), arm.mass_matrix(q)[np.ix_(left, left)], atol=1e-12)
    assert np.allclose(locked.bias(q[left], qd[left]), arm.bias(q, qd)[left], atol=1e-11)
    assert np.allclose(locked.gravity(q[left]), arm.gravity(q)[left], atol=1e-11)
    assert np.allclose(locked.forward_kinematics(q[left], "tool"), arm.forward_kinematics(q, "tool"), atol=1e-12)


def test_a_locked_arm_is_exact_and_proved() -> None:
    assert qddot.load("elbow_3r").with_locked(q2="90deg").prove()


def test_an_arm_on_the_ceiling_feels_gravity_from_the_other_side() -> None:
    arm = physical(qddot.load("elbow_3r"))
    hung = arm.with_base((0, 0, 2), ("180deg", 0, 0))
    q = np.random.default_rng(1).uniform(-1, 1, 3)
    assert np.allclose(hung.gravity(q), -arm.gravity(q), atol=1e-12)
    assert np.allclose(hung.mass_matrix(q), arm.mass_matrix(q), atol=1e-12)
    T, there = arm.forward_kinematics(q, "tool"), hung.forward_kinematics(q, "tool")
    turned = np.diag([1, -1, -1, 1.0])
    turned[2, 3] = 2
    assert np.allclose(there, turned @ T, atol=1e-12)


def test_a_tool_is_a_frame_in_its_link() -> None:
    arm = qddot.load("puma560")
    q = np.linspace(0.1, 0.6, 6)
    longer = arm.with_tool((0, 0, 0.2), ("90deg", 0, 0))
    tool = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0.2], [0, 0, 0, 1.0]])
    assert np.allclose(longer.forward_kinematics(q, "tool"), arm.forward_kinematics(q) @ tool, atol=1e-12)
    other = arm.model.bodies[1].name
    assert np.allclose(
        arm.with_tool(body=other).forward_kinematics(q, "tool"), arm.forward_kinematics(q, other), atol=1e-12
    )


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda arm: arm.with_locked(q9=1), "no coordinate 'q9'"),
        (lambda arm: arm.with_locked(q1=0, q2=0, q3=0), "every joint is locked"),
        (lambda arm: arm.with_locked(q1="up"), "up"),
        (lambda arm: arm.with_base((0, 0)), "three numbers"),
        (lambda arm: arm.with_tool(body="hand"), "no body 'hand'"),
    ],
)
def test_what_an_arm_does_not_have_is_refused(change: Any, error: str) -> None:
    with pytest.raises(QddotError, match=error):
        change(qddot.load("elbow_3r"))
