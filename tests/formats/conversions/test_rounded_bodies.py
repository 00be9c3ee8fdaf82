"""A conversion that rounds leaves possible bodies, and entries that are short enough to read."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

import pytest
from refusals import refusal
from test_conversions import TARGETS, assert_same_equations, assert_same_motion, read_back

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import point_tensor
from qddot.base.errors import ModelError
from qddot.formats.conversions.geometry import MOST_WRITTEN
from qddot.formats.toml import robot_file
from qddot.robot import validity
from qddot.robot.bodies import Body, Joint
from qddot.robot.model import Model

ODD_TURN = {"type": "revolute", "axis": ["3/5", "4/5", 0], "rpy": ["17deg", 0, "0.3"], "xyz": [0.1, 0.2, 0]}
ODDER_TURN = {
    "type": "revolute",
    "axis": ["2/3", "-1/3", "2/3"],
    "rpy": ["0.1", 0, "17deg"],
    "xyz": [0.4, 0.123456789, "0.1"],
}


def robot(*links: dict[str, Any], **symbols: float) -> qddot.Robot:
    """A chain of links."""
    names = ["base", *(f"k{n}" for n in range(len(links)))]
    chain = [
        {"name": name, "parent": parent, **link} for name, parent, link in zip(names[1:], names, links, strict=False)
    ]
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "symbols": symbols, "link": chain}, "arm"))


def point_masses() -> qddot.Robot:
    return robot(
        {"joint": ODD_TURN, "mass": 1, "com": [0.1, 0.2, 0.3]},
        {"joint": ODDER_TURN, "mass": 1.7, "com": [0.4, -0.2, 0.1]},
    )


def longest(model: Model) -> int:
    """Terms of the longest entry of the inertias and placements."""
    parts = ((*b.inertia.I, *b.inertia.h, *(e for row in b.joint.placement.R for e in row)) for b in model.bodies)
    return max(len(entry.terms) for part in parts for entry in part if isinstance(entry, Expression))


@pytest.mark.parametrize("to", TARGETS)
def test_point_masses_on_odd_axes_have_every_convention(to: str) -> None:
    arm = point_masses()
    made = TARGETS[to](arm).model
    assert_same_motion(arm.model, made)
    assert_same_motion(arm.model, read_back(made, to))


@pytest.mark.parametrize("to", ["dh", "mdh"])
def test_a_point_mass_that_is_rounded_remains_one(to: str) -> None:
    for body in TARGETS[to](point_masses()).model.bodies:
        assert body.com is not None
        m: Any = body.inertia.m
        central = body.inertia.I - point_tensor(body.com).map(partial(operator.mul, m))
        assert not any(central)


def test_a_turned_point_mass_with_symbols_is_a_body_of_a_tree() -> None:
    """Sines and cosines of one angle cancel up to rounding only."""
    frame = {"xyz": ["a", 0.1, "-2*a"], "rpy": ["phi", "17deg", "psi"]}
    arm = robot(
        {"joint": ODD_TURN, "frame": frame, "mass": "m", "com": ["a", "a", 0.1]}, a=0.4, m=1.7, phi=0.7, psi=-0.35
    )
    assert_same_equations(arm.model, arm.as_tree().model)


def test_fixed_links_at_odd_angles_are_merged_into_short_entries() -> None:
    tensor = {"about": "com", "xx": "A", "xy": "D", "yy": "B + 3/5", "zz": "A + B"}
    heavy = {"mass": "m", "com": [0.1, "-a/2", "a"], "inertia": tensor}
    first = {"type": "fixed", "xyz": ["-2*l", 0.1, "l"], "rpy": ["phi - 2*psi", 0, "-phi"]}
    second = {"type": "fixed", "xyz": ["l", "a", "sqrt(3)*a"], "rpy": ["45deg", "phi + psi", "17deg"]}
    third = {"type": "fixed", "xyz": ["a", "l", "a*l"], "rpy": ["1.2345", "2*phi", "0.3"]}
    arm = robot(
        {"joint": ODD_TURN, **heavy},
        *({"joint": joint, **heavy} for joint in (first, second, third)),
        {"joint": ODDER_TURN, **heavy},
        phi=0.7, psi=-0.35, a=0.4, l=1.3, m=1.7, A=0.7, B=0.2, D=0.011,
    )  # fmt: skip
    for to in ("dh", "screws"):
        made = TARGETS[to](arm).model
        assert longest(made) <= MOST_WRITTEN
        assert any("phi = 7/10" in note for note in made.notes)
        assert {"m", "A", "l"} <= set(made.symbols)
        assert_same_motion(arm.model, made)


@pytest.mark.parametrize("far", [1, 1000])
def test_points_and_rods_about_a_far_origin_are_bodies(far: int) -> None:
    """The tensor about the centre of mass is what remains of numbers up to a million times larger."""
    third = Expression.constant(1) / 3
    h = (third * far, -third * far / 7, third * far / 11)
    x, y, z = (entry * 3 for entry in h)
    tensor = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
    scaled = tuple(entry / 3 for entry in tensor)
    Model("arm", (Body.of("k", Joint(), mass=third, first_moment=h, about="origin", inertia=scaled),))


def test_what_cannot_be_is_refused_wherever_its_centre_is() -> None:
    for com in ((0, 0, 0), (1, 2, 3)):
        body = Body.of("k", Joint(), mass=1, com=com, inertia=("1e-6", 0, 0, "1e-6", 0, "3e-6"))
        with refusal(ModelError, "impossible-inertia"):
            Model("arm", (body,))


def test_a_symbol_without_a_value_hinders_a_judgement_only_where_it_counts() -> None:

    def model(*tensor: Any) -> Model:
        return Model(
            "arm",
            (Body.of("k", Joint(), mass="m", com=("m", 0, 0), inertia=tensor),),
            symbols={"m": None, "A": None},  # type: ignore[dict-item]
        )

    with refusal(ModelError, "impossible-inertia"):
        model(1, 0, 0, 1, 0, 3)
    assert "A" in model("A", 0, 0, "A", 0, "3*A").symbols


def test_directions_are_looked_for_only_where_an_entry_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are products of all the rotations of an arm, and long at odd angles."""
    monkeypatch.setattr(validity, "turning_axes", lambda bodies: pytest.fail("looked for directions"))
    tensor = {"about": "com", "xx": 0.1, "yy": 0.1, "zz": 0.5}
    arm = robot({"joint": ODD_TURN, "mass": 1, "inertia": tensor, "partial_inertia": True})
    assert any("partial inertia accepted" in note for note in arm.model.notes)
