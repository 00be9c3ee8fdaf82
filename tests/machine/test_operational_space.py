"""The dynamics of a body in operational space predict the motion that its forces make."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from physical import close, physical, states
from refusals import refusal

import qddot
from qddot import Robot
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import kernels
from qddot.machine.tracing.options import TASK


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
    with refusal(EvaluationError, "body-cannot-move", "6"):
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
        with refusal(EvaluationError, "no-such-task"):
            arm.operational_space(q, qd, "tool", task)
    stretched = qddot.load("two_link")
    with refusal(EvaluationError, "body-cannot-move-there", "2"):
        stretched.operational_space([0.3, 0.0], [0, 0], "tool", "x y")


def singular_tasks(arm: Robot, q: Any) -> dict[str, bool]:
    """Returns for tasks of one or two rows whether J has too small a rank, by its columns alone."""
    J = arm.jacobian(q, "tool")
    levers = np.linalg.norm(J[:3], axis=0).max()
    rows = dict(zip(TASK, J / np.repeat([levers, 1.0], 3)[:, None], strict=True))
    tasks = [*TASK, *(f"{a} {b}" for a, b in combinations(TASK, 2))]
    least = {task: np.linalg.svd(np.array([rows[row] for row in task.split()]))[1].min() for task in tasks}
    return {task: size < 1e-9 for task, size in least.items() if len(task.split()) <= arm.n}


@pytest.mark.parametrize(
    "name", ["slider", "one_link", "two_link", "planar_2r", "elbow_3r", "rp", "spatial_2r", "furuta_pendulum"]
)
def test_a_task_is_refused_just_where_the_hand_cannot_move_along_it(name: str) -> None:
    """At right angles sines and cosines that are 0 are computed as about 1e-16."""
    arm = physical(qddot.load(name))
    refused = 0
    for turns in product((0, 1, -2), repeat=arm.n):
        q = np.array(turns) * np.pi / 2
        for task, singular in singular_tasks(arm, q).items():
            try:
                inertia, mu, _ = arm.operational_space(q, np.zeros(arm.n), "tool", task)
            except EvaluationError as error:
                assert singular and "cannot move" in str(error), (turns, task)
                refused += 1
            else:
                assert not singular, (turns, task)
                assert not mu.any()
                assert np.abs(inertia).max() < 1e8
    assert refused


@pytest.mark.parametrize("name", ["elbow_3r", "puma560", "satellite_arm", "puma560_1986"])
def test_nothing_but_the_weight_acts_in_operational_space_at_rest(name: str) -> None:
    arm = physical(qddot.load(name))
    q = arm.integrate(np.tile(arm.neutral(), (20, 1)), states(arm, 20, 4)[0])
    _, mu, _ = arm.operational_space(q, np.zeros(arm.n), "tool", "x y z")
    assert not mu.any()


def test_the_mobility_is_judged_beside_what_the_joints_could_give_and_not_by_its_size() -> None:
    """The same arm in millimetres and grams is refused in the same states, and a small arm nowhere else."""
    arm = qddot.load("two_link")
    for scale in (1e-9, 1.0, 1e9):
        values = {
            name: scale if symbol.unit in ("m", "kg", "kg m^2") else 1.0 for name, symbol in arm.model.symbols.items()
        }
        same = arm.with_values(**values)
        inertia, _, _ = same.operational_space([0.3, 1.0], [0, 0], "tool", "x y")
        assert np.isfinite(inertia).all()
        with refusal(EvaluationError, "body-cannot-move-there"):
            same.operational_space([np.pi, 0.0], [0, 0], "tool", "x")
