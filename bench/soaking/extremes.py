"""Proven bounds, and what is found near them, against SciPy's differential evolution over an independent recursion."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution

import qddot
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file
from soaking import random_robots
from soaking.case import judge_of
from soaking.recursion import Arm
from soaking.trial import Finding, Kind

MISSED = 0.01  # the part of a row's extreme by which what is found may be below what evolution finds
ROUNDED = 1e-9
CANCELLED = 1e-14  # of a value that is zero, in floats
ROWS = 4  # of one robot


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(f"extremes {seed}")
    mapping = random_robots.robot(seed, 3)
    arm, judge = qddot.Robot(robot_file.from_mapping(mapping, "random")), judge_of(mapping)
    region, box = drawn_region(arm, r)
    try:
        bounds = arm.bounds(region, seconds=r.choice([1.0, 3.0]))
    except QddotError:
        return
    rows = list(bounds)
    for row in r.sample(rows, min(ROWS, len(rows))):
        value = quantity(row.name, arm, judge, box)
        if value is not None:
            yield from judged(row, *value, seed, region)


def drawn_region(arm: Any, r: random.Random) -> tuple[dict[str, Any], dict[str, list[tuple[float, float]]]]:
    """Returns a region as `bounds` takes it, and as boxes of q, qd and qdd."""
    region: dict[str, Any] = {}
    box: dict[str, list[tuple[float, float]]] = {"q": [], "qd": [], "qdd": []}
    for name, turns in zip(arm.model.coordinates, arm.model.turning, strict=True):
        low = r.choice([-90, -180, 0, 15]) if turns else r.choice([-0.5, 0, 0.1])
        high = low + (r.choice([45, 90, 180, 360]) if turns else r.choice([0.3, 1]))
        region[name] = (f"{low}deg", f"{high}deg") if turns else (low, high)
        box["q"].append((float(np.radians(low)), float(np.radians(high))) if turns else (low, high))
    for key, letter in (("qd", "d"), ("qdd", "dd")):
        size = r.choice([0.5, 2, 5])
        region[key] = size
        box[key] = [(-size, size)] * arm.n
        if r.random() < 0.3:
            other = r.choice([0.1, 1, 10])
            place = r.randrange(arm.n)
            name = arm.model.coordinates[place]
            region[name[0] + letter + name[1:]] = other
            box[key][place] = (-other, other)
    return region, box


def quantity(
    name: str, arm: Any, judge: Arm, box: Any
) -> tuple[Callable[[Any], float], list[tuple[float, float]]] | None:
    """Returns a function of a state and its box, or None for a row without an independent value."""
    n, each = arm.n, box["q"]
    for k, joint in enumerate(arm.model.coordinates):
        if name in (f"tau_{joint}_max", f"tau_{joint}_min"):

            def torque(x: Any, k: int = k) -> float:
                q, qd, qdd = np.split(x, 3)
                return float(smooth(judge, q, qd, qdd, k))

            return torque, [*each, *box["qd"], *box["qdd"]]
    if name in ("lambda_max", "lambda_min"):
        place = -1 if name.endswith("max") else 0
        return (lambda q: float(np.linalg.eigvalsh(judge.mass_matrix(q))[place])), each
    if name == "G":
        return (lambda q: float(np.linalg.norm(judge.gravity_torques(q)))), each
    if name == "dG":
        light = judge

        def slope(q: Any) -> float:
            still = np.zeros(n)
            return float(np.linalg.norm(without_effects(light).derivatives(q, still, still)[0], 2))

        return slope, each
    return None


def smooth(judge: Arm, q: Any, qd: Any, qdd: Any, k: int) -> float:
    return float(judge.inverse_dynamics(q, qd, qdd)[k])


def without_effects(judge: Arm) -> Arm:
    links = [replace(link, armature=0.0, viscous=0.0, coulomb=0.0, stiffness=0.0) for link in judge.links]
    return replace(judge, links=links)


def judged(row: Any, value: Callable[[Any], float], box: Any, seed: int, region: Any) -> Iterator[Finding]:
    sign = 1 if row.least else -1
    best = differential_evolution(
        lambda x: sign * value(x), box, seed=seed, maxiter=60, popsize=12, tol=1e-10, polish=False, init="sobol"
    )
    corners = [np.array([edges[r % 2] for edges in box]) for r in range(2)]
    extreme = min([float(best.fun), *(sign * value(corner) for corner in corners)])
    proven, found = sign * row.proven, sign * row.found
    size = max(abs(extreme), abs(found), 1e-12)
    kind = "_".join(part for part in row.name.split("_") if not part.startswith("q"))
    text = f"{row.name}: proven {row.proven!r}, found {row.found!r}, evolution {sign * extreme!r} over {region}"
    if proven > extreme + ROUNDED * size + CANCELLED:
        yield Finding(f"{kind}: not a bound", text)
    if found > extreme + MISSED * size:
        yield Finding(f"{kind}: found too little", text)
    if found < proven - ROUNDED * size:
        yield Finding(f"{kind}: found beyond its bound", text)


KIND = Kind("extremes", trial, seconds=600)
