"""The dynamics of a body in operational space predict the motion that its forces make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qddot
from physical import close, physical, states
from qddot.compilers import kernels
from qddot.errors import EvaluationError


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the physics is theirs, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


def test_operational_space_forces_make_the_motion() -> None:
    """Jᵀ (Λ v̇ + μ + p) is a torque that gives the body the acceleration v̇."""
    arm = physical(qddot.load("puma560"))
    q, qd, _ = states(arm, 1, 9)[:, 0]
    inertia, mu, p = arm.operational_space(q, qd)
    wanted = np.arange(6.0)
    J = arm.jacobian(q)
    qdd = arm.forward_dynamics(q, qd, J.T @ (inertia @ wanted + mu + p))
    close(J @ qdd + arm.jacobian_drift(q, qd), wanted, 1e-12 * np.linalg.cond(inertia))  # Λ is an inverse
    with pytest.raises(EvaluationError, match="all 6 directions"):
        qddot.load("two_link").operational_space([0.1, 0.2], [0, 0])


def test_operational_space_of_some_coordinates_makes_their_motion() -> None:
    arm = physical(qddot.load("elbow_3r"))
    q, qd, _ = states(arm, 5, 3)[:, 0]
    for task, rows in (("x y z", [0, 1, 2]), ("z", [2]), ("ry x", [4, 0])):
        inertia, mu, p = arm.operational_space(q, qd, "tool", task)
        wanted = np.arange(1.0, 1 + len(rows))
        J = arm.jacobian(q, "tool")[rows]
        qdd = arm.forward_dynamics(q, qd, J.T @ (inertia @ wanted + mu + p))
        drift = arm.jacobian_drift(q, qd, "tool")[rows]
        close(J @ qdd + drift, wanted, 1e-12 * np.linalg.cond(inertia))
    many = arm.operational_space(np.tile(q, (5, 1)), qd, "tool", "x y")
    assert [part.shape for part in many] == [(5, 2, 2), (5, 2), (5, 2)]
    tasks: tuple[Any, ...] = ("x x", "", "up", 3)
    for task in tasks:
        with pytest.raises(EvaluationError, match="each once"):
            arm.operational_space(q, qd, "tool", task)
    stretched = qddot.load("two_link")
    with pytest.raises(EvaluationError, match="all 2 directions"):
        stretched.operational_space([0.3, 0.0], [0, 0], "tool", "x y")
