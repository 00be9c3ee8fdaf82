"""Robots with numbers that bodies can have, and the same chains in Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np

import qddot
from qddot.formats import robot_file


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
