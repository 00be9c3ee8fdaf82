"""Planar links that give only Izz, as most textbooks do, are the same in numbers as in symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

NUMBERS = {"m": 2, "L": 1, "r": 0.4, "J": 0.3}


def arm(alpha: str = "0", inertia: Any = None, **numbers: Any) -> qddot.Robot:
    """Two links in standard rows; the first one's twist makes the arm spatial or not."""
    rows = [{"theta": f"q{k}", "d": 0, "a": "L", "alpha": twist} for k, twist in enumerate((alpha, "0"), 1)]
    link = {"mass": "m", "com": ["r - L", 0, 0], "inertia": inertia or {"about": "com", "zz": "J"}}
    return qddot.from_dh(rows, [link] * 2, symbols=numbers or "m L r J", gravity=(0, "-g", 0))


def test_with_numbers_it_is_the_arm_with_symbols() -> None:
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 2))
    symbols, numbers = arm(), arm(**NUMBERS)
    expected = symbols.inverse_dynamics(q, qd, qdd, **NUMBERS)
    assert numbers.inverse_dynamics(q, qd, qdd) == pytest.approx(expected, rel=1e-14)
    note = "link 'link2': partial inertia accepted (only Izz is given, and no other entry affects the motion)"
    assert note in numbers.model.notes


def test_the_other_entries_change_nothing() -> None:
    q = [0.3, -0.7]
    whole = arm(inertia={"about": "com", "xx": 0.2, "yy": 0.3, "zz": "J", "xy": 0.05}, **NUMBERS)
    assert arm(**NUMBERS).mass_matrix(q) == pytest.approx(whole.mass_matrix(q), rel=1e-14)


def test_about_the_origin_it_is_enough_as_well() -> None:
    assert arm(inertia={"about": "origin", "zz": 1.5}, **NUMBERS).n == 2
    with refusal(QddotError, "impossible-inertia"):
        # less than the parallel axis term m (r - L)² = 0.72
        arm(inertia={"about": "origin", "zz": 0.5}, **NUMBERS)


def test_turned_frames_slides_and_values_given_later_are_as_good() -> None:
    assert arm(alpha="180deg", **NUMBERS).n == 2
    assert arm().with_values(**NUMBERS).n == 2
    tree = """convention = "tree"
        [[link]]
        name = "cart"
        joint = { type = "prismatic", axis = [1, 0, 0] }
        mass = 1
        [[link]]
        name = "pole"
        parent = "cart"
        joint = { type = "revolute", axis = [0, 1, 0] }
        frame = { rpy = ["90deg", 0, 0] }
        mass = 1
        inertia = { about = "com", zz = 0.1 }"""
    assert qddot.formats.toml.robot_file.loads(tree, "cart_pole").n == 2


def test_it_can_be_written_and_converted() -> None:
    model = arm(**NUMBERS)
    again = qddot.formats.toml.robot_file.loads(model.as_mdh().to_toml("mdh"), "again")
    assert qddot.Robot(again).mass_matrix([0.1, 0.2]) == pytest.approx(model.mass_matrix([0.1, 0.2]), rel=1e-14)


def test_in_a_spatial_arm_the_missing_entries_are_named() -> None:
    says = ("impossible-inertia",)
    with refusal(QddotError, *says):
        arm(alpha="90deg", **NUMBERS)


@pytest.mark.parametrize(
    "inertia", [{"xx": 0.1, "yy": 0.1, "zz": 0.5}, {"zz": -0.1}, {"xx": 0.3}, {"zz": 0.3, "xy": 0.1}]
)
def test_what_is_given_and_cannot_be_is_still_refused(inertia: dict[str, float]) -> None:
    with refusal(QddotError, "impossible-inertia"):
        arm(inertia={"about": "com", **inertia}, **NUMBERS)


def sliding(**inertia: Any) -> qddot.Robot:
    """One link on a slide along its x axis."""
    link: dict[str, Any] = {"mass": "m", "com": [0, 0, 0], "joint": {"type": "prismatic", "axis": [1, 0, 0]}}
    link["inertia"] = {"about": "com", **inertia}
    names = {"m": None, "J": None}
    return qddot.Robot(
        qddot.formats.toml.robot_file.from_mapping({"convention": "tree", "symbols": names, "link": [link]}, "sliding")
    )


@pytest.mark.parametrize("name", ["xx", "yy", "zz"])
@pytest.mark.parametrize("moment", [0.3, "J"])
def test_of_a_link_that_only_slides_any_moment_is_enough(name: str, moment: Any) -> None:
    arm = sliding(**{name: moment})
    assert arm.mass_matrix([0.7], m=2, J=0.1) == pytest.approx(np.array([[2.0]]), rel=1e-15)
    assert not isinstance(moment, float) or f"only I{name} is given, and no other entry" in arm.model.notes[0]


def test_a_slide_does_not_make_every_inertia_possible() -> None:
    impossible: list[dict[str, Any]] = [{"zz": -0.3}, {"zz": 0.3, "xx": 0.1}]
    for inertia in impossible:
        with refusal(QddotError, "impossible-inertia"):
            sliding(**inertia)


@pytest.mark.parametrize("moment", [0.3, "J"])
def test_a_lone_moment_about_another_axis_is_refused_in_numbers_and_in_symbols(moment: Any) -> None:
    rows = [{"theta": "q1", "d": 0, "a": "L", "alpha": "0"}]
    link = {"mass": "m", "com": [0, 0, 0], "inertia": {"about": "com", "yy": moment}}
    with pytest.raises(QddotError, match="no body has this inertia"):
        qddot.from_dh(rows, [link], symbols="m L J")
    partial = qddot.from_dh(rows, [{**link, "partial_inertia": True}], symbols="m L J")
    assert "J" not in str(partial.equations().M)
