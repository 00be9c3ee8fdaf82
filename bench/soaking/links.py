"""A robot file's mapping as numbers, by the conventions of docs/reference/robot-file.md read anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from soaking.arithmetic import value

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass
class Link:
    """One body in numbers: parent's index (−1 is the base), placement, motion, offset, inertia about its origin."""

    parent: int
    R: Any
    p: Any
    axis: Any
    turns: bool
    coordinate: str | None
    ratio: float = 1.0
    offset_R: Any = field(default_factory=lambda: np.eye(3))
    offset_p: Any = field(default_factory=lambda: np.zeros(3))
    m: float = 0.0
    h: Any = field(default_factory=lambda: np.zeros(3))
    I: Any = field(default_factory=lambda: np.zeros((3, 3)))
    armature: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0


def about(axis: Any, angle: Any) -> Any:
    """Rodrigues' formula, for complex angles, too."""
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def links_of(mapping: Mapping[str, Any], known: Mapping[str, float]) -> list[Link]:
    """Returns the links of a mapping in its convention, with the symbols' values."""
    names = [link["name"] for link in mapping["link"]]
    number = partial(value, known=known)
    standing = {"tree": _tree, "dh": _dh, "mdh": _mdh, "screws": _screw}[mapping["convention"]]
    homes = {"base": (np.eye(3), np.zeros(3))}
    found: list[Link] = []
    leading = 0
    for k, table in enumerate(mapping["link"]):
        joint = table.get("joint", {})
        default = "base" if mapping["convention"] == "tree" or not k else names[k - 1]
        parent = table.get("parent", default)
        link = standing(table, joint, number, known, homes, parent)
        link.parent = -1 if parent == "base" else names.index(parent)
        if link.coordinate is not None and "ratio" not in joint:
            leading += 1
            link.coordinate = link.coordinate or f"q{leading}"
        if not k and "base" in mapping:
            R, p = pose(mapping["base"], number)
            link.R, link.p = R @ link.R, p + R @ link.p
        found.append(_with_mass(_with_effects(link, joint, number), table, number))
    return found


def pose(table: Mapping[str, Any], number: Any) -> tuple[Any, Any]:
    """Rotation and position of {xyz, rpy} or {xyz, rotation}."""
    p = np.array([number(x) for x in table.get("xyz", (0, 0, 0))])
    if "rotation" in table:
        return np.array([[number(x) for x in row] for row in table["rotation"]]), p
    roll, pitch, yaw = (number(x) for x in table.get("rpy", (0, 0, 0)))
    return about(AXES["z"], yaw) @ about(AXES["y"], pitch) @ about(AXES["x"], roll), p


def _tree(table: Any, joint: Any, number: Any, known: Any, homes: Any, parent: str) -> Link:
    R, p = pose(joint, number)
    axis = np.array([number(x) for x in joint.get("axis", (0, 0, 1))])
    moves = joint["type"] != "fixed"
    coordinate = joint.get("coordinate", "") if moves else None
    turns = moves and joint["type"] != "prismatic"
    offset = pose(table.get("frame", {}), number)
    return Link(-1, R, p, axis, turns, coordinate, number(joint.get("ratio", 1)), *offset)


def _split(text: Any, number: Any, known: Any) -> tuple[str | None, float, float]:
    """The coordinate in a row's entry, its sign and the constant beside it."""
    name = next((part for part in str(text).replace("-", " ").replace("+", " ").split() if part[:1] == "q"), None)
    if name is None:
        return None, 1.0, number(text)
    at = [value(text, {**known, name: x}) for x in (0.0, 1.0)]
    return name, at[1] - at[0], at[0]


def _dh(table: Any, joint: Any, number: Any, known: Any, homes: Any, parent: str) -> Link:
    row = table["dh"]
    turn, slide = _split(row["theta"], number, known), _split(row["d"], number, known)
    coordinate, sign, _ = turn if turn[0] else slide
    offset = about(AXES["x"], number(row["alpha"])), np.array([number(row["a"]), 0, 0])
    z = np.array([0.0, 0.0, sign])
    placed = about(AXES["z"], turn[2]), np.array([0, 0, slide[2]])
    return Link(-1, *placed, z, turn[0] is not None, coordinate, 1.0, *offset)


def _mdh(table: Any, joint: Any, number: Any, known: Any, homes: Any, parent: str) -> Link:
    row = table["mdh"]
    turn, slide = _split(row["theta"], number, known), _split(row["d"], number, known)
    coordinate, sign, _ = turn if turn[0] else slide
    R = about(AXES["x"], number(row["alpha"]))
    p = np.array([number(row["a"]), 0, 0]) + R @ np.array([0, 0, slide[2]])
    z = np.array([0.0, 0.0, sign])
    return Link(-1, R @ about(AXES["z"], turn[2]), p, z, turn[0] is not None, coordinate)


def _screw(table: Any, joint: Any, number: Any, known: Any, homes: Any, parent: str) -> Link:
    """A frame along the space frame's axes stands on the screw's axis at home."""
    w, v = np.split(np.array([number(x) for x in table["screw"]]), 2)
    H, hp = pose(table["home"], number)
    homes[table["name"]] = (H, hp)
    P, pp = homes[parent]
    turns = bool(w @ w > 0.5)
    on_axis = np.cross(w, v) if turns else np.zeros(3)
    offset = H, hp - on_axis
    axis = w if turns else v
    return Link(-1, P.T, P.T @ (on_axis - pp), axis, turns, joint.get("coordinate", ""), 1.0, *offset)


def _with_effects(link: Link, joint: Any, number: Any) -> Link:
    spring = joint.get("spring", {})
    return replace(
        link,
        armature=number(joint.get("armature", 0)),
        viscous=number(joint.get("damping", 0)),
        coulomb=number(joint.get("coulomb", 0)),
        stiffness=number(spring.get("stiffness", 0)),
        rest=number(spring.get("rest", 0)),
    )


def _with_mass(link: Link, table: Any, number: Any) -> Link:
    """Mass, first moment and inertia about the origin; without an inertia a point mass."""
    m = number(table.get("mass", 0))
    com = np.array([number(x) for x in table.get("com", (0, 0, 0))])
    h = np.array([number(x) for x in table["first_moment"]]) if "first_moment" in table else m * com
    tensor = table.get("inertia", {"about": "origin" if "first_moment" in table else "com"})
    entry = {key: number(tensor.get(key, 0)) for key in ("xx", "xy", "xz", "yy", "yz", "zz")}
    if tensor.get("products") == "positive":
        entry.update({key: -entry[key] for key in ("xy", "xz", "yz")})
    I = np.array([[entry["".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
    if tensor["about"] == "com":
        I = I + m * (com @ com * np.eye(3) - np.outer(com, com))
    elif tensor["about"] == "pseudo":
        I = np.trace(I) * np.eye(3) - I
    return replace(link, m=m, h=h, I=I)
