"""A comparison names one or two confusions at once, on one link or on all, and says what the rest changes."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

import numpy as np
import pytest
from planting import PLANTS, changes, given, named, planted

import qddot
from qddot.base.words.language import speaking
from qddot.formats.toml import robot_file
from qddot.inspect.comparison.comparison import Comparison
from qddot.inspect.comparison.differences import texts_of
from qddot.inspect.comparison.findings import rounded_digits

ARMS = ("elbow_3r", "puma560_akb", "ur5")
HARD = {  # arms that have what the arms above lack
    "sign of products": "panda",
    "base moved": "ur5",
    "missing centre of mass": "ur5",
    "scaled centre of mass": "ur5",
    "rounding": "kinova_6dof",
}
PAIRS = [("base turned", "zero shifted"), ("axis reversed", "scaled mass"), ("scaled inertia", "sign of products")]
PAIRS += [("gravity sign", "scaled lengths"), ("inertia about the origin", "scaled mass"), ("rounding", "base moved")]
PAIRS += [
    ("extra joints", "zero shifted"),
    ("fixed links dropped", "permuted inertia axes"),
    ("tool moved", "axis reversed"),
]


def of_cause(cause: str) -> Any:
    return next(plant for plant in PLANTS if plant.cause == cause)


IN_FORMULAS = ("sqrt", "sin", "cos", "deg", "q_A", "q_B")


def english_in(comparison: Comparison, names: set[str]) -> set[str]:
    """The English words in what a comparison says in Chinese, which has names and units."""
    with speaking("zh"):
        said = "\n".join([*comparison.summary(), *("  ".join(each.row()) for each in comparison.left)])
    return set(
        re.findall("[A-Za-z_]{3,}", re.sub("|".join(sorted(map(re.escape, names - {""}), key=len)[::-1]), "", said))
    )


@pytest.mark.parametrize("k", range(len(PLANTS)), ids=[f"{k}-{plant.cause}" for k, plant in enumerate(PLANTS)])
def test_a_planted_confusion_is_named_and_undone(k: int) -> None:
    arms = [HARD[PLANTS[k].cause]] if PLANTS[k].cause in HARD else Random(k).sample(ARMS, 3)
    for name in arms:
        a, b, truth = planted(name, (PLANTS[k],), seed=3)
        comparison = qddot.diff(qddot.Robot(a), qddot.Robot(b))
        if changes(comparison):
            assert named(comparison, truth), str(comparison)
            names = {name for arm in (a, b) for body in arm.bodies for name in (body.name, body.joint.name)}
            assert english_in(comparison, {name, *names, *IN_FORMULAS}) == set()
            return
    raise AssertionError("it changes none of the arms")


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_two_confusions_at_once_are_named(pair: tuple[str, str]) -> None:
    a, b, truth = planted("kinova_6dof", (of_cause(pair[0]), of_cause(pair[1])), seed=1)
    comparison = qddot.diff(qddot.Robot(a), qddot.Robot(b))
    assert named(comparison, truth), str(comparison)
    assert len(comparison.findings) == 2


def tree() -> dict[str, Any]:
    return robot_file_table("kinova_6dof")


def robot_file_table(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(robot_file.dumps(given(name), "tree"))


def robot(table: dict[str, Any]) -> qddot.Robot:
    return qddot.Robot(robot_file.from_mapping({**table, "name": "arm"}, "arm"))


def test_each_link_has_its_own_cause() -> None:
    right = tree()
    wrong = copy.deepcopy(right)
    tensor = wrong["link"][3]["inertia"]
    for entry in ("xx", "xy", "xz", "yy", "yz", "zz"):
        if entry in tensor:
            tensor[entry] = float(tensor[entry]) * 1000
    wrong["link"][4]["mass"] = float(wrong["link"][4]["mass"]) * 1000
    for link in wrong["link"]:
        link["partial_inertia"] = True
    assert right["link"][3]["inertia"]["about"] == "com"
    comparison = qddot.diff(robot(right), robot(wrong))
    assert {(each.cause, each.where) for each in comparison.findings} >= {
        ("scaled inertia", (f"4 {right['link'][3]['name']}",)),
        ("scaled mass", (f"5 {right['link'][4]['name']}",)),
    }
    assert comparison.explanation is not None


def test_what_no_cause_explains_says_which_entries_it_changes() -> None:
    right = tree()
    wrong = copy.deepcopy(right)
    wrong["link"][4]["mass"] = float(wrong["link"][4]["mass"]) * 1.25
    comparison = qddot.diff(robot(right), robot(wrong))
    assert comparison.findings == ()
    assert comparison.explanation is None
    masses = [each for each in comparison.remaining if each.what == "mass"]
    assert [each.place for each in masses] == [f"5 {right['link'][4]['name']}"]
    share = {each.entry: each.share for each in masses[0].entries}
    assert any(entry.startswith("M") for entry in share) and any(entry.startswith("G") for entry in share)
    M, other = (robot(table).mass_matrix(np.zeros(6)) for table in (right, wrong))
    assert M.shape == other.shape  # shares come from random states
    assert json.loads(comparison.to_json())["remaining"][0]["entries"][0]["share"] > 0


def test_the_share_of_an_entry_is_the_change_over_its_size() -> None:
    """A pendulum: 1.3 times the mass changes by 30 % M11 and G1."""
    arms = []
    for mass in (1.0, 1.3):
        body = {"name": "bob", "joint": {"type": "revolute", "axis": [0, 1, 0]}, "mass": mass, "com": [0, 0, 0.5]}
        arms.append(qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": [body]}, "pendulum")))
    comparison = qddot.diff(*arms)
    assert [(each.place, each.what) for each in comparison.remaining] == [("1 bob", "mass")]
    assert {each.entry: each.share for each in comparison.remaining[0].entries} == pytest.approx(
        {"M11": 0.3, "G1": 0.3}
    )


def test_a_shifted_zero_says_by_how_much() -> None:
    right = tree()
    wrong = copy.deepcopy(right)
    wrong["link"][2]["joint"].pop("limits", None)
    right["link"][2]["joint"].pop("limits", None)
    model = robot(wrong).model
    from planting import joints, shifted  # the same shift as in the benchmark

    _, turned, _ = joints(shifted, one=True)(model, model, Random(4))
    comparison = qddot.diff(robot(right), qddot.Robot(turned))
    (finding,) = comparison.findings
    assert finding.cause == "zero shifted"
    assert "q_B = q_A" in finding.text


def test_no_row_has_the_same_digits_on_both_sides() -> None:
    assert texts_of((1.0,), (1.0 + 1e-8,)) == ("1", "1.00000001")
    assert texts_of((0.123456789,), (0.123456788,)) == ("0.123456789", "0.123456788")
    a, b = texts_of((1.0, 2.0), (1.0, 2.0 + 3e-9))
    assert a != b
    assert texts_of((-1e-17, 1.0), (0.0, 2.0)) == ("0, 1", "0, 2")


def test_rounding_is_one_number_being_the_other_with_fewer_digits() -> None:
    assert rounded_digits([0.39225, 0.1], [0.392, 0.1]) == 2
    assert rounded_digits([1.2345678], [1.2345]) is None  # cut off, not rounded
    assert rounded_digits([1.2345678], [1.2346]) == 4
    assert rounded_digits([1.2], [1.3]) is None
    assert rounded_digits([2.0, 0.01], [2.0, 0.02]) is None
    assert rounded_digits([1.0], [1.0]) is None


def test_comparing_twice_says_the_same() -> None:
    a, b, _ = planted("ur5", (of_cause("base turned"), of_cause("sign of products")), seed=2)
    texts = {str(qddot.diff(qddot.Robot(a), qddot.Robot(b))) for _ in range(2)}
    assert len(texts) == 1
