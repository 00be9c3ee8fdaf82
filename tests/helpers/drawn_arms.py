"""Helpers have the small arms on which derivations are planted and rewritten, as robot files and as equations."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import qddot
from qddot.exact.equations.quantities import Quantities
from qddot.formats.toml import robot_file, toml_tables

CLASSICS = ("one_link", "two_link", "planar_2r", "spatial_2r", "rp", "slider", "spherical_pendulum", "elbow_3r")
ARMS = (*CLASSICS, "driven_2r", "elbow_products", "origin_2r")
ZOO = Path(qddot.__file__).parent / "robot" / "zoo"


def table(arm: str) -> dict[str, Any]:
    """The robot file of an arm; three have effects, products or inertias about origins, which the small ones lack."""
    base = {"driven_2r": "planar_2r", "origin_2r": "planar_2r", "elbow_products": "elbow_3r"}.get(arm, arm)
    data = toml_tables.read((ZOO / f"{base}.toml").read_text(encoding="utf-8"), base)
    data["name"] = arm
    if arm == "driven_2r":
        for k, link in enumerate(data["link"], 1):
            effects = {"armature": f"J{k}", "damping": f"b{k}", "coulomb": f"f{k}"}
            link["joint"] = {**effects, "spring": {"stiffness": f"k{k}", "rest": "30deg"}}
            data["symbols"] |= {f"{name}{k}": {} for name in "Jbfk"}
    if arm == "origin_2r":
        for link in data["link"]:
            link["inertia"]["about"] = "origin"
            link["partial_inertia"] = True
    if arm == "elbow_products":
        for k, link in enumerate(data["link"], 1):
            link["joint"] = {"armature": f"J{k}"}
            link["inertia"] |= {"xy": f"Ixy{k}", "xz": f"Ixz{k}", "yz": f"Iyz{k}"}
            data["symbols"] |= {f"{name}{k}": {} for name in ("J", "Ixy", "Ixz", "Iyz")}
    return data


@cache
def right(arm: str) -> Quantities:
    return qddot.Robot(robot_file.from_mapping(table(arm), arm)).equations().quantities
