"""Helpers make robots of any number of joints, for the tests and the measurements."""

from __future__ import annotations

from typing import Any

import qddot
from qddot.formats.toml import robot_file

TENSOR = ("xx", "xy", "xz", "yy", "yz", "zz")


def pendulum(n: int, flipped: tuple[int, ...] = ()) -> qddot.Robot:
    """A chain of n links in a vertical plane, all symbols; flipped: joints whose axes point the other way."""
    each = range(1, n + 1)
    turned = {k: (k in flipped) != (k - 1 in flipped) for k in (*each, n + 1)}
    rows = [{"theta": f"q{k}", "d": 0, "a": f"a{k}", "alpha": "180deg" if turned[k + 1] else 0} for k in each]
    links = [
        {
            "mass": f"m{k}",
            "first_moment": [f"mx{k}", f"my{k}", 0],
            "inertia": {"about": "origin", "zz": f"Izz{k}"},
            "partial_inertia": True,
        }
        for k in each
    ]
    symbols = [f"{name}{k}" for name in ("m", "mx", "my", "Izz", "a") for k in each]
    return qddot.from_dh(rows, links, symbols=[*symbols, "g"], gravity=[0, "-g", 0])


def right_angled_chain(n: int) -> qddot.Robot:
    """A chain of n joints at right angles, with offsets and lengths in turn, all symbols."""
    each = range(1, n + 1)
    rows = [
        {
            "theta": f"q{k}",
            "d": f"d{k}" if k % 2 else 0,
            "a": 0 if k % 2 else f"a{k}",
            "alpha": "90deg" if k % 2 else "-90deg",
        }
        for k in each
    ]
    links = [
        {
            "mass": f"m{k}",
            "first_moment": [f"mx{k}", f"my{k}", f"mz{k}"],
            "inertia": {"about": "origin", **{entry: f"I{entry}{k}" for entry in TENSOR}},
        }
        for k in each
    ]
    names = ("m", "mx", "my", "mz", *(f"I{entry}" for entry in TENSOR), "a", "d")
    return qddot.from_dh(rows, links, symbols=[*(f"{name}{k}" for name in names for k in each), "g"])


def chain_of_equals(n: int, alpha: str = "90deg", across: int = 0) -> qddot.Robot:
    """A chain of n equal links, each turned by alpha from the one before, then some at right angles; few symbols."""
    body = {"mass": "m", "first_moment": ["x", "y", "z"], "inertia": {"about": "origin", "xx": "a", "yy": "b", "zz": 3}}
    turns = [alpha] * (n - 1) + ["90deg"] * (across + 1)
    rows = [{"theta": f"q{k}", "d": 0.1, "a": "l", "alpha": turn} for k, turn in enumerate(turns, 1)]
    return qddot.from_dh(rows, [body] * len(rows), symbols="m x y z a b l", gravity=[0, 0, -9.81])


def chain_in_numbers(n: int) -> qddot.Robot:
    """A chain of n revolute joints with full inertias in general position, no symbols."""
    import numpy as np  # here, since measurements of exact work count the memory of their process

    rng = np.random.default_rng(n)
    links: list[dict[str, Any]] = []
    for k in range(n):
        A = rng.normal(size=(3, 3)) * 0.2
        tensor = A @ A.T + np.eye(3)
        entries = {entry: tensor["xyz".index(entry[0]), "xyz".index(entry[1])] for entry in TENSOR}
        joint = {"type": "revolute", "axis": [0, 0, 1], "xyz": rng.uniform(-0.3, 0.3, 3), "rpy": rng.uniform(-3, 3, 3)}
        link = {"name": f"l{k}", "parent": links[-1]["name"] if links else "base", "joint": joint, "mass": 1.5}
        links.append({**link, "com": rng.uniform(-0.1, 0.1, 3), "inertia": {"about": "com", **entries}})
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "chain"))
