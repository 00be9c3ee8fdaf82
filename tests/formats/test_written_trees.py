"""Every tree that can be read is written as a robot file that reads as the same model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots import ANGLES, AXES

import qddot
from qddot.formats.shared.compound_joints import COORDINATES
from qddot.formats.toml import robot_file
from qddot.robot.bodies import COMPOUNDS, JOINT_TYPES
from qddot.robot.model import Model

LEADERS = ("revolute", "continuous", "prismatic")
NAMES = (
    "arm",
    "2",
    "-3",
    "0.50",
    "007",
    "1e3",
    "true",
    "[1]",
    "手",
)  # texts that other readers take for something else
LENGTHS = ("a", "0", "-1/3", "0.125", "sqrt(2)/2", "a*sin(phi) - 0.1")
EFFECTS = {"damping": "0.2*c", "coulomb": "1/3", "armature": "c", "limits": ["-90deg", "a"]}


@st.composite
def trees(draw: st.DrawFn) -> Model:
    """One to five links on joints of any kind, in any order, some of which follow others."""
    kinds = draw(st.lists(st.sampled_from([*JOINT_TYPES, *COMPOUNDS, "follower"]), min_size=1, max_size=5))
    names = draw(st.permutations([*NAMES, *(f"link {k}" for k in range(3))]))
    links: list[dict[str, Any]] = []
    leaders: list[str] = []
    for k, (kind, name) in enumerate(zip(["revolute", *kinds], names, strict=False)):
        joint: dict[str, Any] = {"type": kind, "xyz": [draw(st.sampled_from(LENGTHS)) for _ in range(3)]}
        joint |= {"rpy": [draw(st.sampled_from(ANGLES)) for _ in range(3)], "name": draw(st.sampled_from(("", *NAMES)))}
        axis = list(draw(st.sampled_from(AXES)))
        if kind in LEADERS:
            joint |= {"axis": axis, "coordinate": f"x{k}", **draw(st.sampled_from([{}, EFFECTS]))}
            joint |= draw(st.sampled_from([{}, {"spring": {"stiffness": "c", "rest": "0.25"}}]))
            leaders += [f"x{k}"] if kind != "prismatic" else []
        elif kind == "follower":
            ratio = draw(st.sampled_from([("revolute", 2), ("revolute", "1/3"), ("prismatic", "c")]))
            joint |= {"type": ratio[0], "axis": axis, "ratio": ratio[1], "coordinate": draw(st.sampled_from(leaders))}
        elif kind == "universal":
            joint |= {"axes": [[0, 1, 0], [0, 0, 1]], "coordinates": [f"x{k}", f"y{k}"], "damping": [0, "c"]}
        elif kind in ("spherical", "free"):
            joint |= draw(st.sampled_from([{}, {"damping": "c"}, {"coordinate": f"{k}"}, {"coordinate": f"hand{k}"}]))
        elif kind == "helical":
            joint |= {"axis": axis, "coordinate": f"x{k}", "pitch": draw(st.sampled_from(["c", "0.01"]))}
        elif kind in COORDINATES:
            joint |= {"axis": axis, "coordinates": [f"{letter}{k}" for letter in "xyz"[: len(COORDINATES[kind])]]}
        parent = draw(st.sampled_from(["base", *(link["name"] for link in links)]))
        link = {"name": name, "parent": parent, "joint": joint, "mass": draw(st.sampled_from(["m", "1/3", 2, "1.50"]))}
        link |= draw(
            st.sampled_from([{"com": ["a", 0, "0.1"]}, {"first_moment": ["a", 0, "0.1"], "partial_inertia": True}])
        )
        if kind not in ("spherical", "free") and kind not in COMPOUNDS and draw(st.booleans()):
            link["frame"] = {"xyz": ["a", "0.1", 0], "rpy": [draw(st.sampled_from(ANGLES)), 0, "20deg"]}
        links.append(
            {**link, "inertia": {"about": "origin" if "first_moment" in link else "com", "xx": 1, "yy": 1, "zz": 1}}
        )
    texts = draw(st.permutations(NAMES))
    symbol = {"value": "0.30", "tolerance": "1/7", "unit": texts[3], "meaning": texts[4], "formula": "-b*(x + 2)**2"}
    data = {"name": texts[0], "title": texts[1], "source": texts[2], "convention": "tree", "link": links}
    symbols = {"a": symbol, "c": "1/3", "m": None, "phi": "0.1"}
    tool = {"body": draw(st.sampled_from(names[: len(links)])), "xyz": ["a", 0, 0], "rpy": ["30deg", 0, 0]}
    model = robot_file.from_mapping({**data, "symbols": symbols, "tool": tool, "gravity": ["g", 0, "-1/3"]}, "drawn")
    groups = [body.joint.velocities for body in model.moving()]
    order = [name for group in draw(st.permutations(groups)) for name in group]
    return replace(model, coordinates=tuple(order))


@given(trees())
def test_a_tree_is_read_as_it_was_written(model: Model) -> None:
    again = robot_file.loads(robot_file.dumps(model), "again")
    # notes are written as comments
    assert replace(again, notes=()) == replace(model, notes=())
    assert again.hash == model.hash
    assert robot_file.dumps(replace(again, notes=())) == robot_file.dumps(replace(model, notes=()))


@pytest.mark.parametrize("kinds", [("free", "spherical"), ("spherical", "spherical"), ("spherical", "free", "free")])
def test_labels_that_look_like_numbers_are_written_as_texts(kinds: tuple[str, ...]) -> None:
    tensor = {"about": "com", "xx": 1, "yy": 1, "zz": 1}
    links = [
        {"name": f"l{k}", "parent": "base", "mass": 1, "com": [0, 0, 0], "inertia": tensor, "joint": {"type": kind}}
        for k, kind in enumerate(kinds)
    ]
    arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "labels"))
    assert qddot.loads(arm.to_toml()).model == arm.model
