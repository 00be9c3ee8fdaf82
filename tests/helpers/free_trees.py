"""Trees with free and spherical joints, of links with general inertias."""

from __future__ import annotations

from typing import Any

import qddot
from qddot.formats.toml import robot_file

UNITS = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"]


def link(k: int, parent: str, kind: str, **joint: Any) -> dict[str, Any]:
    """A link of general inertia, whose symbols have the index k."""
    m, x, y, z, *tensor = (f"{name}{k}" for name in UNITS)
    inertia = {"about": "origin", **dict(zip(("xx", "xy", "xz", "yy", "yz", "zz"), tensor, strict=True))}
    table = {"type": kind, "xyz": ["a", 0, "d"] if parent != "base" else [0, 0, 0], **joint}
    return {"name": f"l{k}", "parent": parent, "joint": table, "mass": m, "first_moment": [x, y, z], "inertia": inertia}


def tree(*links: dict[str, Any]) -> qddot.Robot:
    symbols: dict[str, Any] = {f"{name}{k}": {} for k in range(4) for name in UNITS} | {"a": {}, "d": {}}
    data = {"convention": "tree", "symbols": symbols, "link": list(links), "name": "free tree"}
    return qddot.Robot(robot_file.from_mapping(data, "free tree"))


TREES = {
    "a free body": tree(link(0, "base", "free")),
    "a free body with two joints": tree(
        link(0, "base", "free"), link(1, "l0", "revolute"), link(2, "l1", "prismatic", axis=[0, 1, 0])
    ),
    "two joints and a ball": tree(
        link(1, "base", "revolute"),
        link(2, "l1", "revolute", axis=[0, 1, 0]),
        link(3, "l2", "spherical", damping="a", armature="d"),
    ),
    "a joint on a ball on a ball": tree(
        link(1, "base", "spherical"), link(2, "l1", "spherical", rpy=["90deg", 0, 0]), link(3, "l2", "revolute")
    ),
    "a free body on a joint": tree(link(1, "base", "revolute"), link(2, "l1", "free")),
}
