"""The scenarios in one fixed order: arms, states, laws, durations and methods."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import qddot
from naturals.system import System
from qddot.algebra.expressions.parser import expression

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
from physical import physical  # type: ignore[import-not-found]

CLOSED = (
    *("four_bar", "slider_crank", "five_bar", "scara_parallelogram", "delta", "unicycle", "rolling_disc"),
    *("robotiq_2f85", "delta_parallelograms"),
)
POSES = ("zeros", "right", "half", "upright", "common")
MOVING = ("rest", "first", "last")  # all joints at rest, or one of them at 1 rad/s or m/s
LAWS = ("none", "constant", "tanh", "step", "bump", "limit", "peak")
METHODS = ("hands", "default", "dop853", "radau", "rk4", "midpoint", "semi-implicit")
SECONDS = (0.7, 5.0)
ANGLES = {"zeros": 0.0, "right": np.pi / 2, "half": np.pi, "upright": 0.0, "common": np.pi / 6}
SLIDE = 0.5  # [m] of prismatic joints, except at zero
SAMPLE = 0.05  # [s] between compared samples


@dataclass(frozen=True)
class Scenario:
    """A motion that every method is asked for."""

    arm: str
    pose: str
    moving: str
    law: str
    seconds: float

    @property
    def key(self) -> str:
        return f"{self.arm}:{self.pose}:{self.moving}:{self.law}:{self.seconds:g}"


def arms() -> list[str]:
    """Returns the names of all robots that ship: short ones first, closed chains after the trees of their size."""
    sizes = {name: qddot.load(name).n for name in qddot.zoo()}
    return [*sorted(sizes, key=lambda name: (sizes[name], name)), *CLOSED]


def scenarios(names: list[str], seconds: tuple[float, ...] = SECONDS) -> Iterator[Scenario]:
    for name in names:
        laws = LAWS[:5] if name in CLOSED else LAWS
        for pose, moving, law, duration in product(POSES, MOVING, laws, seconds):
            yield Scenario(name, pose, moving, law, duration)


@cache
def robot(name: str) -> Any:
    """Returns a robot with a value of each symbol."""
    return qddot.load_closed_chain(name) if name in CLOSED else physical(qddot.load(name))


def tree_of(model: Any) -> Any:
    return getattr(model, "tree", model)


def joints(model: Any) -> list[tuple[int, int, bool]]:
    """Returns for each joint with one freedom its places in q and in q̇, and whether it turns."""
    tree = tree_of(model)
    found = []
    for body in tree.bodies:
        joint = body.joint
        if joint.leads and joint.freedoms is None:
            name = joint.velocities[0]
            found.append((tree.positions.index(name), tree.coordinates.index(name), joint.kind.is_angle))
    return sorted(found, key=lambda each: each[1])


def still(_: float, q: Any, v: Any) -> Any:
    return np.zeros(len(v))


@cache
def start(name: str, pose: str, moving: str) -> tuple[Any, Any] | None:
    """Returns (q0, qd0), or None where a state does not exist or is that of another pose."""
    model = robot(name).model
    system = System(model, still)
    q = configuration(model, system, pose)
    if q is None:
        return None
    qd: Any = np.zeros(system.tree.n)
    places = joints(model)
    if moving != "rest":
        _, k, _ = places[0 if moving == "first" else -1]
        if moving == "last" and len(places) == 1:
            return None
        qd[k] = 1.0
        if system.closed is not None:
            qd = allowed_with(system, q, k)
            if qd is None:
                return None
    return q, qd


def configuration(model: Any, system: System, pose: str) -> Any | None:
    q: Any = np.zeros(system.tree.positions)
    for first, _, _ in system.tree.quaternions:
        q[first] = 1.0
    for place, _, turns in joints(model):
        q[place] = ANGLES[pose] if turns else SLIDE * (pose != "zeros")
    if pose == "upright":
        q = highest(model, system, q)
        if q is None:
            return None
    return q if system.closed is None else system.closed.closed(q)


def highest(model: Any, system: System, q: Any) -> Any | None:
    """Returns the pose of right angles with most potential energy, or None if turning a joint does not raise it."""
    tree = system.tree
    zero = np.zeros(tree.n)
    begun = q.copy()
    for _ in range(3):
        for place, _, turns in joints(model):
            if turns:
                choices = [np.concatenate([q[:place], [k * np.pi / 2], q[place + 1 :]]) for k in (0, 1, 2, -1)]
                heights = [tree.energy(each, zero) for each in choices]
                best = int(np.argmax(heights))
                if heights[best] > tree.energy(q, zero) + 1e-9:
                    q = choices[best]
    return None if np.array_equal(q, begun) else q


def allowed_with(system: System, q: Any, k: int) -> Any | None:
    """Returns velocities that the conditions allow and whose k-th is 1."""
    assert system.closed is not None
    wanted = np.zeros(system.tree.n)
    wanted[k] = 1.0
    v = system.closed.allowed(q, wanted)
    if abs(v[k]) < 1e-6:
        return None
    return system.closed.allowed(q, v / v[k])


@cache
def strengths(name: str, pose: str) -> Any:
    """Returns a torque for each joint: one that is natural there, 1 or less, of one digit; 0 on free bases."""
    q, _ = start(name, pose, "rest") or (None, None)
    model = robot(name).model
    tree = System(model, still).tree
    M, _ = tree.evaluated(q, np.zeros(tree.n))
    found = np.zeros(tree.n)
    for _, k, _ in joints(model):
        found[k] = min(1.0, float(f"{max(5 * M[k, k], 1e-3):.0e}"))
    return found


@cache
def holding(name: str, pose: str) -> Any:
    """Returns the torques of joints that hold the robot still."""
    q, _ = start(name, pose, "rest") or (None, None)
    model = robot(name).model
    tree = System(model, still).tree
    _, bias = tree.evaluated(q, np.zeros(tree.n))
    own = np.zeros(tree.n)
    for _, k, _ in joints(model):
        own[k] = bias[k]
    return own


def later(seconds: float) -> float:
    """Returns when a torque begins: well within the motion, and between its samples."""
    return 0.42 if seconds < 1 else 3.21


def law(scenario: Scenario) -> Callable[[Any, Any, Any, Any], list[Any]] | None:
    """Returns τ(t, q, q̇, functions) as a list, or None; functions has tanh, exp and sin."""
    size, hold = (list(map(float, each(scenario.arm, scenario.pose))) for each in (strengths, holding))
    moved = {k for _, k, _ in joints(robot(scenario.arm).model)}
    t0, each = later(scenario.seconds), range(len(size))
    if scenario.law == "tanh":
        return lambda t, q, qd, f: [-5 * f.tanh(100 * qd[k]) if k in moved else 0 * t for k in each]
    if scenario.law == "step":
        return lambda t, q, qd, f: [size[k] * (1 + f.tanh(20 * (t - t0))) if k in moved else 0 * t for k in each]
    if scenario.law == "bump":
        return lambda t, q, qd, f: [size[k] * f.exp(-20 * (t - t0) ** 2) if k in moved else 0 * t for k in each]
    if scenario.law == "peak":
        return lambda t, q, qd, f: [hold[k] + size[k] * f.sin(5 * t) if k in moved else 0 * t for k in each]
    return None


def constant(scenario: Scenario) -> Any | None:
    """Returns the torques of a law that is constant, or None."""
    size = strengths(scenario.arm, scenario.pose)
    if scenario.law == "none":
        return np.zeros(len(size))
    if scenario.law == "constant":
        return size
    return holding(scenario.arm, scenario.pose) + size if scenario.law == "limit" else None


def dry(scenario: Scenario) -> Any | None:
    """Returns the dry friction that a scenario adds to its robot's joints, or None."""
    return strengths(scenario.arm, scenario.pose) if scenario.law in ("limit", "peak") else None


@cache
def rubbing(name: str, pose: str) -> Any:
    """Returns the robot with dry friction in its joints."""
    arm, friction = robot(name), strengths(name, pose)
    model, bodies = arm.model, []
    for body in model.bodies:
        joint = body.joint
        if joint.leads and joint.freedoms is None:
            f = friction[model.coordinates.index(joint.velocities[0])]
            others = tuple(each for each in joint.effects if not isinstance(each, qddot.Coulomb))
            joint = replace(joint, effects=(*others, qddot.Coulomb(expression(float(f)))))
        bodies.append(replace(body, joint=joint))
    return qddot.Robot(replace(model, bodies=tuple(bodies)))
