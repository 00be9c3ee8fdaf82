"""This page is what a user writes in an editor: a type checker knows every name and every result here."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import qddot


def page(folder: Path) -> float:
    """A robot from its file to its equations, its numbers, its motion and its code; the most its energy drifts [J]."""
    arm = qddot.load("two_link")
    equations = arm.equations()
    print(equations.M)
    pendulum = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}], [{"mass": "m"}], symbols={"m": 2}, gravity=[0, -9.81, 0]
    )
    print(pendulum.equations().G)
    print(arm.prove())

    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 100, arm.n))
    tau = np.empty((100, arm.n))
    arm.inverse_dynamics(q, qd, qdd, out=tau, threads=2)
    heavier = arm.inverse_dynamics(q, qd, qdd, m2=np.linspace(1, 2, 100), check=True)
    print(float(np.abs(heavier - tau).max()))
    single = arm.mass_matrix([0.1, 0.2], dtype="float32")
    print(single.shape, arm.jacobian([0.1, 0.2], body="tool", frame="body").T @ np.ones(6))
    by_q, _, M = arm.inverse_dynamics_derivatives(q[0], qd[0], qdd[0])
    A, _ = arm.linearize(q[0], tau0=tau[0])
    print(by_q.shape, np.linalg.eigvalsh(M).min(), np.linalg.eigvals(A))

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return -2.0 * qd - 0.1 * t * q

    run = arm.simulate([0.1, 0.2], duration=0.1, step=0.001, torque=law, damping=0.1)
    print(run.q.shape, run.notes, float(run.time[-1]), run.trust().horizon)
    run.plot().savefig(folder / "motion.png")
    for path in arm.export("python", ["inverse_dynamics", "gravity"], folder, free=["m2"]):
        print(path.name)
    free_fall = arm.simulate([0.1, 0.2], duration=0.1)
    return float(np.ptp(free_fall.energy.E))
