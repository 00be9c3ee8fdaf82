"""Robots of any number of joints, all inertias and lengths symbols."""

from __future__ import annotations

import qddot
from qddot.faces.robot import Robot

TENSOR = ("xx", "xy", "xz", "yy", "yz", "zz")


def pendulum(n: int) -> Robot:
    """Returns a chain of n links in a vertical plane."""
    rows = [{"theta": f"q{k}", "d": 0, "a": f"a{k}", "alpha": 0} for k in range(1, n + 1)]
    links = [
        {
            "mass": f"m{k}",
            "first_moment": [f"mx{k}", f"my{k}", 0],
            "inertia": {"about": "origin", "zz": f"Izz{k}"},
            "partial_inertia": True,
        }
        for k in range(1, n + 1)
    ]
    symbols = [f"{name}{k}" for name in ("m", "mx", "my", "Izz", "a") for k in range(1, n + 1)]
    return qddot.from_dh(rows, links, symbols=[*symbols, "g"], gravity=[0, "-g", 0])


def chain(n: int) -> Robot:
    """Returns a chain of n joints at right angles, with offsets and lengths in turn."""
    rows = [
        {
            "theta": f"q{k}",
            "d": f"d{k}" if k % 2 else 0,
            "a": 0 if k % 2 else f"a{k}",
            "alpha": "90deg" if k % 2 else "-90deg",
        }
        for k in range(1, n + 1)
    ]
    links = [
        {
            "mass": f"m{k}",
            "first_moment": [f"mx{k}", f"my{k}", f"mz{k}"],
            "inertia": {"about": "origin", **{entry: f"I{entry}{k}" for entry in TENSOR}},
        }
        for k in range(1, n + 1)
    ]
    names = ("m", "mx", "my", "mz", *(f"I{entry}" for entry in TENSOR), "a", "d")
    return qddot.from_dh(rows, links, symbols=[*(f"{name}{k}" for name in names for k in range(1, n + 1)), "g"])
