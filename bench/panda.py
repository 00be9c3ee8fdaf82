"""Makes the arm of the benchmarks, a Panda with dense inertias, also for Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import qddot


def panda() -> qddot.Robot:
    """Returns the Panda that ships with dense, possible inertias."""
    rng = np.random.default_rng(0)
    arm = qddot.load("panda")
    values: dict[str, Any] = {}
    for k in range(1, arm.n + 1):
        A = rng.normal(size=(3, 3)) * 0.2
        m, c, I = rng.uniform(1, 4), rng.uniform(-0.1, 0.1, 3), A @ A.T + np.eye(3) * 0.3
        I = I + m * (c @ c * np.eye(3) - np.outer(c, c))
        values |= {f"m{k}": m, **{f"m{a}{k}": m * x for a, x in zip("xyz", c, strict=True)}}
        values |= {f"I{a}{b}{k}": I[i, j] for i, a in enumerate("xyz") for j, b in enumerate("xyz") if i <= j}
    return arm.with_values(**{name: float(value) for name, value in values.items()})


def panda_frames(v: dict[str, float]) -> list[tuple[float, Any]]:
    """For each link the turn about x and the step from the last frame, as modified DH rows have them."""
    rows = [(0, 0, "d1"), (-90, 0, 0), (90, 0, "d3"), (90, "a4", 0), (-90, "-a4", "d5"), (90, 0, 0), (90, "a7", 0)]

    def number(x: Any) -> float:
        if isinstance(x, str):
            return -v[x[1:]] if x[0] == "-" else v[x]
        return float(x)

    frames = []
    for degrees, a, d in rows:
        alpha = np.radians(degrees)
        frames.append((alpha, np.array([number(a), -np.sin(alpha) * number(d), np.cos(alpha) * number(d)])))
    return frames


def pinocchio_functions(model: Any, pin: Any) -> dict[str, Callable[..., Any]]:
    """Pinocchio's functions of q, q̇ and the accelerations or torques, under the names of ours."""
    data = model.createData()
    return {
        "inverse_dynamics": partial(pin.rnea, model, data),
        "mass_matrix": lambda q, *_: pin.crba(model, data, q),
        "forward_dynamics": partial(pin.aba, model, data),
        "inverse_dynamics_derivatives": partial(pin.computeRNEADerivatives, model, data),
        "forward_dynamics_derivatives": partial(pin.computeABADerivatives, model, data),
    }


def pinocchio_model(arm: qddot.Robot, pin: Any) -> Any:
    v = arm.model.defaults()
    model, parent = pin.Model(), 0
    for k, (alpha, p) in enumerate(panda_frames(v), 1):
        place = pin.SE3(pin.rpy.rpyToMatrix(alpha, 0, 0), p)
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"q{k}")
        m, c = v[f"m{k}"], np.array([v[f"m{x}{k}"] for x in "xyz"]) / v[f"m{k}"]
        I = np.array([[v[f"I{min(x, y)}{max(x, y)}{k}"] for y in "xyz"] for x in "xyz"])
        I = I - m * (c @ c * np.eye(3) - np.outer(c, c))
        model.appendBodyToJoint(parent, pin.Inertia(m, c, I), pin.SE3.Identity())
    return model
