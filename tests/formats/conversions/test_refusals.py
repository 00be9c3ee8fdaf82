"""A conversion notes what it cannot keep, and refuses what it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.formats.conversions.verify import checked
from qddot.formats.rows.dh_table import table_of
from qddot.formats.toml import robot_file

TWO_LINK = robot("two_link").model
TURN = {"type": "revolute"}


def tree(*joints: dict[str, object], **symbols: object) -> qddot.Robot:
    """A chain of links of mass m on these joints."""
    links = [
        {"name": f"k{n}", "parent": f"k{n - 1}" if n else "base", "joint": joint, "mass": "m", "com": [0.1, 0.2, "l"]}
        for n, joint in enumerate(joints)
    ]
    data = {"convention": "tree", "symbols": {"l": 0.3, "m": None, **symbols}, "link": links}
    return qddot.Robot(robot_file.from_mapping(data, "arm"))


def branching() -> qddot.Robot:
    hung = {"a": "base", "b": "a", "c": "a"}
    links = [{"name": name, "parent": parent, "joint": TURN, "mass": 1} for name, parent in hung.items()]
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "fork"))


def test_rounded_tables_and_general_symbols_are_noted() -> None:
    oblique = {"type": "revolute", "xyz": ["l", 0, "l"], "axis": ["2/3", "-1/3", "2/3"]}
    arm = tree(TURN, oblique)
    notes = arm.as_dh().model.notes
    assert any("rounded to 20 digits" in note for note in notes)
    assert any("general values of l" in note for note in notes)
    table = table_of(arm.as_dh().model, "dh")
    assert table is not None
    assert "l" in str(table[1][0].a)
    assert not any("rounded" in note for note in robot("panda").as_dh().model.notes)


def test_symbols_under_a_root_give_way_to_their_values() -> None:
    """The distance of two parallel axes is √(x² + y²)."""
    arm = tree(TURN, {"type": "revolute", "xyz": ["x", "y", 0]}, x=3, y=4)
    made = arm.as_dh()
    table = table_of(made.model, "dh")
    assert table is not None
    assert table[1][0].a == 5
    assert any("x = 3, y = 4" in note for note in made.model.notes)
    assert set(made.model.symbols) == {"l", "m", "g"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: branching().as_dh(), ("arm-branches", "'a'", "'b'")),
        (lambda: branching().as_mdh(), ("arm-branches", "mdh")),
        (
            lambda: tree(TURN, TURN | {"xyz": ["x", "y", 0]}, x=None, y=1).as_dh(),
            ("table-not-polynomial", "x"),
        ),
        (
            lambda: tree(TURN, TURN | {"xyz": ["l", 0.1, 0], "rpy": ["0.00001", 0, 0]}).as_dh(),
            ("axes-nearly-parallel",),
        ),
        (lambda: robot("rp").as_screws(frame="tool"), ("twist-in-no-frame", "'tool'")),
        (lambda: robot_file.dumps(robot("puma560").model, "mdh"), ("frames-not-of-convention", "mdh")),
        (lambda: robot_file.dumps(robot("rp").with_payload(1).model, "screws"), ("fixed-joint-no-screw", "'payload'")),
        (
            lambda: checked(TWO_LINK, replace(TWO_LINK, gravity=(0, 0, "-g"))),
            ("conversion-wrong", "the-torques"),
        ),
        (
            lambda: robot_file.from_mapping({"convention": "tree", "base": {}, "link": [{"joint": TURN}]}, "x"),
            ("base-without-rows",),
        ),
        (
            lambda: robot_file.from_mapping({"convention": "body_screws", "link": [{"screw": [0] * 6}]}, "x"),
            ("link-without-home",),
        ),
    ],
)
def test_what_cannot_be_said_is_refused(wrong: Callable[[], object], says: tuple[str, ...]) -> None:
    with refusal(qddot.QddotError, *says) as caught:
        wrong()
    assert "\n" not in str(caught.value)
