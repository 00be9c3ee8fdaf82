"""Helpers make random robots with R, P and fixed joints, trees, odd angles and every effect."""

from __future__ import annotations

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

import qddot
from qddot.formats.toml import robot_file

AXES = [
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (0, -1, 0),
    ("3/5", "4/5", 0),
    ("2/3", "-1/3", "2/3"),
    (0, "sqrt(2)/2", "sqrt(2)/2"),
]
ANGLES = [
    "0",
    "90deg",
    "-90deg",
    "180deg",
    "30deg",
    "45deg",
    "-75deg",
    "20deg",
    "40deg",
    "0.3",
    "phi",
    "-phi",
    "2*phi + 90deg",
]
SYMBOLS = {"phi": 0.7, "a": 0.4, "b": -0.25, "g": 9.81}
LENGTHS = ["0", "a", "b", "0.1", "a - b/2"]


@st.composite
def joints(draw: st.DrawFn, number: int) -> dict[str, Any]:
    kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "revolute", "fixed"]))
    table: dict[str, Any] = {
        "type": kind,
        "axis": list(draw(st.sampled_from(AXES))),
        "xyz": [draw(st.sampled_from(LENGTHS)) for _ in range(3)],
        "rpy": [draw(st.sampled_from(ANGLES)), "0", draw(st.sampled_from(ANGLES[:6]))],
    }
    if kind == "fixed":
        return table
    if draw(st.booleans()):
        table.update({"damping": "0.2", "armature": "0.05"})
    if draw(st.integers(0, 3)) == 0:
        table.update({"coulomb": "0.1", "spring": {"stiffness": 3, "rest": "a"}})
    return table


@st.composite
def links(draw: st.DrawFn, number: int) -> dict[str, Any]:
    parents = ["base", *(f"link{k}" for k in range(number))]
    tensor = {"xx": f"Ixx{number}", "xy": "0.01", "yy": "0.4", "zz": f"Izz{number}"}
    table: dict[str, Any] = {
        "name": f"link{number}",
        "parent": parents[-1] if draw(st.integers(0, 2)) else draw(st.sampled_from(parents)),
        "joint": draw(joints(number)),
        "mass": draw(st.sampled_from([f"m{number}", f"m{number}", "1/2", "sqrt(2)", f"m{number}*sin(phi)", 0])),
        "inertia": {"about": "origin", **tensor},
    }
    if table["mass"] == 0:
        del table["inertia"]
    elif draw(st.booleans()):
        table["first_moment"] = [f"mx{number}", "0.3", 1]
    else:
        table["com"] = ["a", f"y{number}", 0]
        table["inertia"]["about"] = "com"
    if draw(st.integers(0, 2)) == 0:
        table["frame"] = {"xyz": ["b", 0, "a"], "rpy": [draw(st.sampled_from(ANGLES)), 0, 0]}
    return table


@st.composite
def robots(draw: st.DrawFn, largest: int = 3) -> qddot.Robot:
    """A random tree of one to `largest` links, masses and some inertias symbolic.

    Odd angles and axes make the polynomials grow fast: for more links take `orthogonal_robots`.
    """
    count = draw(st.integers(1, largest))
    made = [draw(links(number)) for number in range(count)]
    moving = [f"q{k + 1}" for k in range(sum(link["joint"]["type"] != "fixed" for link in made))]
    assume(moving)
    symbols: dict[str, Any] = dict(SYMBOLS)
    for k in range(count):
        symbols.update({f"m{k}": 1.5, f"mx{k}": 0.2, f"y{k}": 0.1, f"Ixx{k}": 0.7, f"Izz{k}": 0.9})
    data = {
        "name": "random",
        "convention": "tree",
        "gravity": draw(st.sampled_from([[0, 0, "-g"], ["g", 0, 0], ["g/2", "-g*cos(20deg)", "g*sqrt(3)/2"]])),
        "symbols": symbols,
        "coordinates": draw(st.permutations(moving)),
        "link": [{**link, "partial_inertia": True} for link in made],
    }
    return qddot.Robot(robot_file.from_mapping(data, "random"))


@st.composite
def orthogonal_robots(draw: st.DrawFn) -> qddot.Robot:
    """Random trees of three to five moving joints, R and P, axes and turns along the frames' axes."""
    count = draw(st.integers(3, 5))
    made: list[dict[str, Any]] = []
    for k in range(count):
        joint = {
            "type": draw(st.sampled_from(["revolute", "revolute", "prismatic"])),
            "axis": list(draw(st.sampled_from([(1, 0, 0), (0, 0, 1), (0, -1, 0)]))),
            "xyz": draw(st.permutations([0, 0, f"l{k}"])),
            "rpy": [draw(st.sampled_from(["0", "90deg", "-90deg"])), 0, 0],
        }
        parents = ["base", *(link["name"] for link in made)]
        parent = parents[-1] if draw(st.integers(0, 3)) else draw(st.sampled_from(parents))
        inertia = {"about": "com", "xx": f"A{k}", "yy": f"B{k}", "zz": f"B{k}"}
        com = draw(st.permutations([0, 0, f"r{k}"]))
        link = {"name": f"link{k}", "parent": parent, "joint": joint, "mass": f"m{k}", "com": com}
        made.append({**link, "inertia": inertia})
    names = [f"{stem}{k}" for stem in ("m", "A", "B", "r", "l") for k in range(count)]
    data = {"convention": "tree", "symbols": dict.fromkeys(names), "link": made}
    return qddot.Robot(robot_file.from_mapping(data, "orthogonal"))


CHAIN_AXES = [(0, 0, 1), (0, 0, 1), (1, 0, 0), (0, -1, 0), (0, 0, -1), ("3/5", "4/5", 0), ("2/3", "-1/3", "2/3")]
TURNS = [
    [0, 0, 0],
    [0, 0, 0],
    ["90deg", 0, 0],
    [0, "-90deg", 0],
    ["30deg", 0, "45deg"],
    ["20deg", 0, 0],
    ["0.4", "1.1", "-0.7"],
]
PLACES = [[0, 0, 0], ["a", 0, 0], [0, "a", "b"], [0, 0, "0.4"], ["0.3", "-0.2", "0.1"]]


@st.composite
def chains(draw: st.DrawFn) -> qddot.Robot:
    """Chains of two to five joints: neighbours parallel, meeting, coincident, skew, in general position.

    All symbols have defaults.
    """
    links: list[dict[str, Any]] = []
    for k in range(draw(st.integers(2, 5))):
        joint = {
            "type": draw(st.sampled_from(["revolute", "revolute", "prismatic"])),
            "axis": list(draw(st.sampled_from(CHAIN_AXES))),
            "xyz": draw(st.sampled_from(PLACES)),
            "rpy": draw(st.sampled_from(TURNS)),
        }
        inertia = {"about": "com", "xx": 0.3, "xy": 0.01, "yy": 0.4, "zz": 0.5}
        parent = links[-1]["name"] if links else "base"
        frame = {"xyz": draw(st.sampled_from(PLACES)), "rpy": draw(st.sampled_from(TURNS))}
        link = {"name": f"k{k}", "parent": parent, "joint": joint, "frame": frame}
        links.append({**link, "mass": draw(st.sampled_from([f"m{k}", 1.5])), "com": [0.1, "b", 0], "inertia": inertia})
    symbols = {"a": 0.4, "b": -0.25, **{f"m{k}": 1 + k / 3 for k in range(5)}}
    tool = {"xyz": draw(st.sampled_from(PLACES)), "rpy": draw(st.sampled_from(TURNS))}
    data = {"name": "chain", "convention": "tree", "symbols": symbols, "link": links, "tool": tool}
    return qddot.Robot(robot_file.from_mapping(data, "chain"))
