"""Joints are paired by their names, kinds and places, not by their order in a file."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.formats.toml import robot_file

Table = dict[str, Any]
JOINTS = ("shoulder_pan", "shoulder_lift", "elbow", "wrist", "gripper", "jaw")


def chain(names: tuple[str, ...] = JOINTS) -> list[Table]:
    """Six joints, each link with a body of its own."""
    axes = [[0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    links = []
    for k, (name, axis) in enumerate(zip(names, axes, strict=True)):
        joint = {"type": "revolute", "axis": axis, "xyz": [0.1 * (k > 0), 0, 0.05 * k], "name": name}
        body: dict[str, Any] = {
            "mass": 1 + 0.3 * k,
            "com": [0.05, 0.01 * k, 0.02],
            "inertia": {"about": "com", "xx": 0.01, "yy": 0.02},
        }
        body["inertia"]["zz"] = 0.025
        parent = "base" if not k else f"{names[k - 1]}_link"
        links.append({"name": f"{name}_link", "parent": parent, "joint": joint, **body})
    return links


def arm(links: list[Table]) -> qddot.Robot:
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "arm"))


def renamed(links: list[Table], change: Any) -> list[Table]:
    """Other names of links, and of joints where the change gives them."""
    names = {link["name"]: change(link["name"]) for link in links}
    made = copy.deepcopy(links)
    for link in made:
        link["name"] = names[link["name"]]
        link["parent"] = names.get(link["parent"], "base")
    return made


def test_links_renamed_and_joints_listed_in_another_order() -> None:
    """Joint names decide; q1 of one file is q3 of the other."""
    order = [2, 5, 0, 1, 4, 3]
    other = [renamed(chain(), lambda name: f"part{len(name)}{name[0]}")[k] for k in order]
    comparison = qddot.diff(arm(chain()), arm(other))
    assert comparison, str(comparison)
    assert comparison.notes == ()


def test_the_jaw_is_not_paired_with_the_shoulder() -> None:
    other = chain()[::-1]
    other[0]["mass"] = 9.0
    comparison = qddot.diff(arm(chain()), arm(other))
    assert [(each.place, each.what) for each in comparison.differences] == [("6 jaw_link", "mass")]


@pytest.mark.parametrize("prefix", ["so100_", "Robot0/", "arm "])
def test_prefixes_and_capitals_are_set_aside_and_said(prefix: str) -> None:
    other = renamed(chain(), lambda name: "x" + name)
    for link in other:
        link["joint"]["name"] = prefix + link["joint"]["name"].upper() + "_joint"
    comparison = qddot.diff(arm(chain()), arm(other[::-1]))
    assert comparison, str(comparison)
    assert "without the words" in comparison.notes[0]


def test_names_that_say_nothing_leave_the_structure() -> None:
    other = renamed(chain(), lambda name: f"n{sum(map(ord, name))}")
    for k, link in enumerate(other):
        link["joint"]["name"] = "abcdef"[k]
    comparison = qddot.diff(arm(chain()), arm([other[k] for k in (3, 1, 5, 0, 2, 4)]))
    assert comparison, str(comparison)
    assert "place in the tree" in comparison.notes[0]


@pytest.mark.parametrize("names", [True, False])
def test_a_gripper_is_named_and_set_aside(names: bool) -> None:
    other = chain()
    finger = {"type": "prismatic", "axis": [0, 1, 0], "xyz": [0.1, 0, 0], "name": "finger_joint"}
    other.insert(2, {"name": "finger", "parent": "jaw_link", "joint": finger})
    if not names:
        other = renamed(other, lambda name: f"n{sum(map(ord, name))}")
        for k, link in enumerate(other):
            link["joint"]["name"] = "finger_joint" if link["joint"]["type"] == "prismatic" else f"t{9 - k}"
    comparison = qddot.diff(arm(chain()), arm(other))
    (finding,) = comparison.findings
    assert finding.text == "B has the joint finger_joint, which A lacks; held at zero"
    assert comparison.equations_agree
    assert not comparison


def test_a_finger_with_mass_is_named_beside_its_joint() -> None:
    other = chain()
    finger = {"type": "prismatic", "axis": [0, 1, 0], "xyz": [0.1, 0, 0], "name": "finger_joint"}
    other.append({"name": "finger", "parent": "jaw_link", "joint": finger, "mass": 0.2, "com": [0, 0, 0.03]})
    comparison = qddot.diff(arm(chain()), arm(other))
    assert [each.cause for each in comparison.findings] == ["extra joints", "fixed links dropped"]
    assert comparison.explanation is not None
    assert comparison.explanation.text == "A lacks the inertia of finger, which is fixed to a link of B"


def test_a_base_that_moves_in_one_of_them() -> None:
    """The first joint is set aside, and those after it are paired."""
    other = copy.deepcopy(chain())
    for k, link in enumerate(other):
        link["joint"]["name"] = f"axis{k + 2}"
    other[0]["parent"] = "carriage"
    track = {"type": "prismatic", "axis": [1, 0, 0], "name": "axis1"}
    comparison = qddot.diff(arm(chain()), arm([{"name": "carriage", "joint": track, "mass": 3}, *other]))
    assert comparison.equations_agree, str(comparison)
    assert [each.cause for each in comparison.findings] == ["extra joints"]


def test_coordinates_follow_a() -> None:
    other = chain()[::-1]
    comparison = qddot.diff(arm(chain()), arm(other), at=np.arange(6) * 0.1)
    assert comparison.at is not None
    assert max(comparison.at.values()) < 1e-12  # rounding
