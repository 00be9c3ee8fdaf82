"""Numbers can have the types that programs use: doubles, NumPy's arrays and scalars, matrices, roots."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import Body, Inertia, Joint, Model, Robot
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import SymmetricMatrix3, Vec3
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file
from qddot.robot.axes import unit

W = np.array([1, 2, 3.0]) / np.sqrt(14)
POINT = np.array([0.1, -0.2, 0.3])
LINK = {"mass": 1, "com": [0, 0.3, 0.1]}
ROW = {"theta": "q1", "d": 0, "a": 1, "alpha": 0}
TENSOR = np.array([[0.3, 0.01, 0], [0.01, 0.4, 0.02], [0, 0.02, 0.5]])


def test_a_screw_in_doubles_is_the_turn_about_its_axis() -> None:
    screw = np.concatenate([W, -np.cross(W, POINT)])
    arm = qddot.from_screws([np.eye(4)], [screw], [LINK])
    axis: Any = arm.model.bodies[0].joint.axis
    assert axis.dot(axis) == 1
    assert any("is scaled to length 1" in note for note in arm.model.notes)
    # the inertia of a point about the axis: 1e-12 is what a rational axis may be off
    arm_of_force = np.cross(W, np.array(LINK["com"]) - POINT)
    assert arm.mass_matrix([0.4])[0, 0] == pytest.approx(arm_of_force @ arm_of_force, rel=1e-11)


def test_a_slide_in_doubles_has_what_rounding_left_of_its_turn_dropped() -> None:
    arm = qddot.from_screws([np.eye(4)], [[6e-17, 0, 0, *W]], [LINK])
    assert arm.model.bodies[0].joint.type == "prismatic"
    assert arm.mass_matrix([0.4]) == 1


@pytest.mark.parametrize(
    "axis", [W, W.tolist(), [0.7071067811865476, 0.7071067811865476, 0], [0.57735, 0.57735, 0.577351]]
)
def test_an_axis_in_decimals_is_made_of_length_1_in_every_way_in(axis: Any) -> None:
    tree = {"convention": "tree", "link": [{**LINK, "joint": {"type": "revolute", "axis": axis}}]}
    model = robot_file.from_mapping(tree, "arm")
    joint = Joint(axis=axis)
    length: Any = joint.axis.dot(joint.axis)
    assert length == 1
    assert model.bodies[0].joint.axis == joint.axis
    assert any("is scaled to length 1" in note for note in model.notes)


def test_an_axis_of_another_length_is_still_refused() -> None:
    with refusal(QddotError, "axis-not-unit-vector"):
        Joint(axis=Vec3(1, 1, 0))


@pytest.mark.parametrize(
    "inertia",
    [
        TENSOR,
        TENSOR.tolist(),
        {"about": "com", "matrix": TENSOR},
        {"about": "com", "products": "positive", "matrix": TENSOR * (2 * np.eye(3) - 1)},
        TENSOR + 1e-17 * np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]]),
    ],
)
def test_a_matrix_is_the_six_entries(inertia: Any) -> None:
    six = {"about": "com", "xx": 0.3, "xy": 0.01, "yy": 0.4, "yz": 0.02, "zz": 0.5}
    assert qddot.from_dh([ROW], [{**LINK, "inertia": inertia}]).model == (
        qddot.from_dh([ROW], [{**LINK, "inertia": six}]).model
    )


def test_a_matrix_may_be_about_the_origin_or_a_body_s() -> None:
    origin = qddot.from_dh([ROW], [{"mass": 1, "inertia": {"about": "origin", "matrix": TENSOR}}])
    body = Body.of("link1", origin.model.bodies[0].joint, mass=1, inertia=TENSOR)
    assert body.inertia == origin.model.bodies[0].inertia


@pytest.mark.parametrize(
    ("inertia", "says"),
    [
        ([[1, 2, 0], [3, 1, 0], [0, 0, 1]], ("inertia-not-symmetric", "xy", "2", "yx", "3")),
        (
            {"about": "com", "matrix": [["a", "b", 0], ["c", "a", 0], [0, 0, "a"]]},
            ("inertia-not-symmetric", "xy", "b", "yx", "c"),
        ),
        (np.eye(2), ("inertia-not-three-rows",)),
        ({"about": "com", "matrix": TENSOR, "xx": 1}, ("inertia-given-twice", "xx")),
        ({"matrix": TENSOR}, ("inertia-about-missing",)),
    ],
)
def test_a_matrix_that_is_no_tensor_is_refused(inertia: Any, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        qddot.from_dh([ROW], [{**LINK, "inertia": inertia}], symbols="a b c")


def test_numpy_scalars_and_arrays_count_as_numbers_everywhere() -> None:
    row = {"theta": "q1", "d": np.float64(0), "a": np.array(1), "alpha": np.pi / 2}
    joint = {"limits": np.array([-1, 1]), "damping": np.float32(0.5), "armature": np.int64(2)}
    link = {"mass": np.float64(2), "com": np.array([0.1, 0, 0]), "inertia": TENSOR, "joint": joint}
    plain_joint = {"limits": [-1, 1], "damping": 0.5, "armature": 2}
    plain = {"mass": 2, "com": [0.1, 0, 0], "inertia": TENSOR.tolist(), "joint": plain_joint}
    mine = qddot.from_dh([row], [link]).model
    same = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": "90deg"}], [plain]).model
    assert mine.bodies == same.bodies


def test_parts_made_of_floats_make_a_robot() -> None:
    inertia = Inertia(np.float64(2), Vec3(0, 0, 0), SymmetricMatrix3.diagonal(0.1, 0.1, np.float64(0.15)))
    arm = Robot(Model("arm", (Body("a", Joint(), inertia),)))
    assert arm.model.bodies[0].inertia.I.zz == Fraction(3, 20)
    assert arm.mass_matrix([0.0])[0, 0] == 0.15


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("1/sqrt(2)", "sqrt(2)/2"),
        ("3/sqrt(6)", "sqrt(6)/2"),
        ("1/cos(15deg)", "sqrt(6) - sqrt(2)"),
        ("1/(1 + sqrt(2) + sqrt(3))*(1 + sqrt(2) + sqrt(3))", "1"),
        ("1/(2 + sqrt(6))", "sqrt(6)/2 - 1"),
    ],
)
def test_roots_below_the_line_are_taken_out_exactly(text: str, same: str) -> None:
    assert expression(text) == expression(same)


@pytest.mark.parametrize(
    ("text", "value"), [("1/cos(20deg)", 1 / math.cos(math.pi / 9)), ("1/pi", 1 / math.pi), ("sqrt(5)", math.sqrt(5))]
)
def test_what_is_not_exact_is_refused_with_its_decimals(text: str, value: float) -> None:
    with pytest.raises(QddotError, match=rf"write its decimals: {value:.16g}"):
        expression(text)


@pytest.mark.parametrize("size", [Fraction(1, 10**99), Fraction(10**99)])
def test_an_axis_may_have_any_length(size: Fraction) -> None:
    axis: Any = unit([size, 2 * size, Fraction(0)])[0]
    assert axis.dot(axis) == 1
    assert float(axis.y.value({})) == pytest.approx(2 / 5**0.5, rel=1e-11)
    roundabout: Any = unit([size, 2 * size, 3 * size / 7])[0]
    assert roundabout.dot(roundabout) == 1


@pytest.mark.parametrize("size", ["1e-99", "1e99"])
def test_inertias_of_any_size_are_judged(size: str) -> None:
    tensor = {"xx": size, "yy": size, "zz": f"3*{size}"}
    link = {"joint": {"type": "revolute"}, "mass": 1, "com": [0, 0, 0], "inertia": {"about": "com", **tensor}}
    with pytest.raises(QddotError, match=f"no body has this inertia.* = {size.replace('1e99', '1e.99')}"):
        robot_file.from_mapping({"convention": "tree", "link": [link]}, "large")
    sound = {**link, "inertia": {**tensor, "about": "com", "zz": size}}
    assert not robot_file.from_mapping({"convention": "tree", "link": [sound]}, "large").notes
