"""Helpers make robots with possible bodies, the same chains in other libraries, damaged files, and comparisons."""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.formats.toml import robot_file
from qddot.physics.frames.regrouped import at_joints
from qddot.physics.mechanism import Mechanism


def physical(arm: qddot.Robot, seed: int = 0) -> qddot.Robot:
    """Every symbol without a default gets a plausible value: round, heavy bodies near their frames."""
    rng = np.random.default_rng(seed)
    known = arm.model.defaults()
    values = {}
    for name in arm.model.symbols:
        stem = name.rstrip("0123456789")
        if name in known:
            continue
        if stem in ("Ixx", "Iyy", "Izz", "A", "B"):
            values[name] = float(rng.uniform(1, 1.3))
        elif stem == "m":
            values[name] = float(rng.uniform(1, 2))
        else:
            values[name] = float(rng.uniform(-0.04, 0.04) if stem.startswith("I") else rng.uniform(-0.2, 0.2))
    return arm.with_values(**values)


def random_chain(pin: Any, joints: int, seed: int) -> tuple[qddot.Robot, Any]:
    """A chain or tree of revolute and prismatic joints with full inertias, here and in Pinocchio."""
    rng = np.random.default_rng(seed)
    other, links = pin.Model(), []
    other.gravity = pin.Motion(np.array([0, 0, -9.81, 0, 0, 0]))
    ids = {"base": 0}
    path = ["base"]  # Pinocchio wants each subtree built before the next
    for k in range(joints):
        del path[len(path) if rng.random() < 0.7 else int(rng.integers(1, len(path) + 1)) :]
        parent = path[-1]
        path.append(f"l{k}")
        xyz, rpy = np.round(rng.uniform(-0.5, 0.5, 3), 3), np.round(rng.uniform(-3, 3, 3), 3)
        mass, com = float(np.round(rng.uniform(1, 3), 3)), np.round(rng.uniform(-0.2, 0.2, 3), 3)
        A = np.round(rng.normal(size=(3, 3)) * 0.2, 3)
        tensor = A @ A.T + np.eye(3)
        turning = bool(rng.random() < 0.8)
        joint = {"type": "revolute" if turning else "prismatic", "xyz": xyz, "rpy": rpy, "axis": [0, 0, 1]}
        entries = {
            a + b: float(tensor["xyz".index(a), "xyz".index(b)]) for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")
        }
        link = {"name": f"l{k}", "parent": parent, "joint": joint, "mass": mass, "com": com}
        links.append({**link, "inertia": {"about": "com", **entries}})
        placement = pin.SE3(pin.rpy.rpyToMatrix(*rpy), xyz)
        kind = pin.JointModelRZ() if turning else pin.JointModelPZ()
        ids[f"l{k}"] = other.addJoint(ids[parent], kind, placement, f"q{k + 1}")
        other.appendBodyToJoint(ids[f"l{k}"], pin.Inertia(mass, com, tensor), pin.SE3.Identity())
    data = {"convention": "tree", "coordinates": list(other.names)[1:], "link": links}
    return qddot.Robot(robot_file.from_mapping(data, "chain")), other


def mujoco_xml(arm: qddot.Robot) -> str:
    """The same tree for MuJoCo, from the placements and inertias at home."""
    numbers = Floats(arm.model.defaults(), dict.fromkeys(arm.model.coordinates, 0.0))
    links = at_joints(Mechanism.of(arm.model, numbers)).links
    text = lambda values: " ".join(repr(float(value)) for value in values)  # noqa: E731

    def body(k: int) -> str:
        link = links[k]
        m, c = float(link.inertia.m), np.array([float(x) for x in link.inertia.h]) / float(link.inertia.m)
        I = np.array([[float(x) for x in row] for row in link.inertia.I.rows()])
        I = I - m * (c @ c * np.eye(3) - np.outer(c, c))
        full = text([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
        x, y = ([float(row[j]) for row in map(list, link.placement.R)] for j in (0, 1))
        joint = f'<joint type="{"hinge" if link.kind.is_revolute else "slide"}" axis="{text(link.axis)}"/>'
        inertial = f'<inertial pos="{text(c)}" mass="{m!r}" fullinertia="{full}"/>'
        inside = "".join(body(child.index) for child in links if child.parent == k)
        return f'<body pos="{text(link.placement.p)}" xyaxes="{text(x + y)}">{joint}{inertial}{inside}</body>'

    world = "".join(body(link.index) for link in links if link.parent is None)
    return f'<mujoco><compiler angle="radian"/><worldbody>{world}</worldbody></mujoco>'


def close(values: Any, expected: Any, scale: float = 1e-12) -> None:
    """Relative to the largest entry: about a thousand rounded operations on entries of one scale."""
    values, expected = np.asarray(values), np.asarray(expected)
    assert values.shape == expected.shape
    assert np.abs(values - expected).max(initial=0) <= scale * max(1.0, np.abs(expected).max(initial=0))


def states(arm: qddot.Robot, count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-3, 3, (3, count, arm.n))


def mutated(text: str, seed: int) -> str:
    """The file with bytes flipped, a line dropped or doubled, or two attributes' values exchanged."""
    rng = random.Random(seed)
    lines = text.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        kind, i, j = rng.randrange(5), rng.randrange(len(lines)), rng.randrange(len(lines))
        if kind == 0 and lines[i]:
            k = rng.randrange(len(lines[i]))
            lines[i] = lines[i][:k] + chr(ord(lines[i][k]) ^ (1 << rng.randrange(7))) + lines[i][k + 1 :]
        elif kind == 1:
            lines[i] = ""
        elif kind == 2:
            lines[i] += lines[j]
        elif kind == 3:
            lines[i], lines[j] = lines[j], lines[i]
        else:
            words = "".join(lines).split('"')
            a, b = (2 * rng.randrange(len(words) // 2) + 1 for _ in range(2))
            words[a], words[b] = words[b], words[a]
            lines = '"'.join(words).splitlines(keepends=True)
    return "".join(lines)


@contextmanager
def short_stack(frames: int = 120) -> Iterator[None]:
    """A stack for so many more calls: a recursion as deep as its data is long ends soon."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
