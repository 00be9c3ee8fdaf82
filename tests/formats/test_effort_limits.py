"""The limits of a motor are read from every format, and kept by every format and convention that has limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from refusals import refusal
from sdf_texts import BODY, JOINT, model

import qddot
from qddot.apps.page import described
from qddot.base.errors import FormatError
from qddot.formats import urdf
from qddot.formats.toml import robot_file
from qddot.robot.model import Model

LINKS = "".join(f'<link name="{name}">{BODY}</link>' for name in "ab")
SWING = '<joint name="j" type="{}"><parent>world</parent><child>a</child>{}</joint>'
AXIS = "<{0}><xyz>{1}</xyz><limit><effort>{2}</effort><velocity>{3}</velocity></limit></{0}>"
URDF = """<robot name="r"><link name="ground"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="ground"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="87.5" velocity="2.5"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
<limit effort="12" velocity="3"/></joint>
<joint name="l" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
<limit lower="0" upper="1" effort="1e9" velocity="1e9"/></joint></robot>"""
LINK = {"mass": 2, "inertia": {"about": "com", "xx": 1, "yy": 1.5, "zz": 2}}


def swinging(kind: str, inside: str) -> Model:
    return model(LINKS + SWING.format(kind, inside) + JOINT.format("fixed"))


def efforts(arm: Model) -> list[float | None]:
    return [body.joint.effort for body in arm.bodies]


def rates(arm: Model) -> list[float | None]:
    return [body.joint.velocity for body in arm.bodies]


def robot(**joint: Any) -> qddot.Robot:
    data = {"name": "r", "convention": "tree", "link": [{"name": "a", **LINK, "joint": joint}]}
    return qddot.Robot(robot_file.from_mapping(data, "r.toml"))


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_sdf_limits_the_effort_of_every_moving_joint(kind: str) -> None:
    arm = swinging(kind, AXIS.format("axis", "0 0 1", 7.5, 2.5))
    assert (efforts(arm), rates(arm)) == ([7.5, None], [2.5, None])


@pytest.mark.parametrize("none", ["-1", "0", "inf", "1e16", "1e9", "", "much"])
def test_a_placeholder_is_no_effort_limit(none: str) -> None:
    arm = swinging("revolute", AXIS.format("axis", "0 0 1", none, none))
    assert efforts(arm) == rates(arm) == [None, None]
    arm = urdf.loads(URDF.replace("87.5", none).replace("2.5", none), "r.urdf")
    assert (efforts(arm), rates(arm)) == ([None, 12, None], [None, 3, None])


def test_sdf_limits_the_effort_of_a_screw_and_of_both_axes_of_a_joint() -> None:
    screw = "<screw_thread_pitch>0.1</screw_thread_pitch>" + AXIS.format("axis", "0 0 1", 3, 1)
    arm = swinging("screw", screw)
    assert (efforts(arm), rates(arm)) == ([3, None, None], [1, None, None])
    arm = swinging("universal", AXIS.format("axis", "1 0 0", 3, 1) + AXIS.format("axis2", "0 1 0", 4, 2))
    assert (efforts(arm), rates(arm)) == ([3, 4, None], [1, 2, None])


def test_mjcf_limits_the_sum_of_the_forces_of_a_joints_actuators(tmp_path: Path) -> None:
    body = "<body pos='0 0 .1'><joint axis='0 1 0' {}/><geom size='.1'/>{}</body>"
    joints = ("actuatorfrcrange='-5 40'", "actuatorfrcrange='-5 40' actuatorfrclimited='false'", "")
    inside = ""
    for joint in reversed(joints):
        inside = body.format(joint, inside)
    (tmp_path / "arm.xml").write_text(f"<mujoco><worldbody>{inside}</worldbody></mujoco>", encoding="utf-8")
    assert efforts(qddot.load(tmp_path / "arm.xml").model) == [40, None, None]


def test_a_joint_that_an_equality_holds_has_no_motor(tmp_path: Path) -> None:
    body = "<body pos='0 0 .1'><joint name='{}' axis='0 1 0' actuatorfrcrange='-5 40'/><geom size='.1'/>{}</body>"
    held = "<equality><joint joint1='b' polycoef='.25 0 0 0 0'/></equality>"
    text = f"<mujoco><worldbody>{body.format('a', body.format('b', ''))}</worldbody>{held}</mujoco>"
    (tmp_path / "arm.xml").write_text(text, encoding="utf-8")
    assert efforts(qddot.load(tmp_path / "arm.xml").model) == [40, None]


def test_a_robot_file_gives_the_effort_of_each_joint() -> None:
    assert efforts(robot(type="prismatic", effort="25/2").model) == [12.5]
    assert efforts(robot(type="helical", pitch=0.1, effort=3).model) == [3, None]
    assert efforts(robot(type="cylindrical", effort=[[], 4]).model) == [None, 4]
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": 0}], [{**LINK, "joint": {"effort": 5}}])
    assert efforts(arm.model) == [5]


@pytest.mark.parametrize("wrong", [0, "m"])
def test_a_largest_rate_is_a_number_above_zero(wrong: Any) -> None:
    with refusal(FormatError, "velocity-not-positive", str(wrong)):
        robot(type="revolute", velocity=wrong)


@pytest.mark.parametrize("wrong", [0, -1, "inf", "m"])
def test_an_effort_is_a_number_above_zero(wrong: Any) -> None:
    with pytest.raises(FormatError, match=rf"link 'a': effort is '?{wrong}'?; expected a number above 0, in N m or N"):
        robot(type="revolute", effort=wrong)


def test_a_fixed_joint_has_no_motor() -> None:
    with refusal(qddot.QddotError, "fixed-joint-moves"):
        robot(type="fixed", effort=1)
    fixed = URDF.replace('"revolute"', '"fixed"')
    assert efforts(urdf.loads(fixed, "r.urdf")) == [None, 12, None]


def test_every_format_and_convention_keeps_it() -> None:
    arm = qddot.Robot(urdf.loads(URDF, "r.urdf"))
    expected = [87.5, 12, None]
    for other in (arm.as_tree(), arm.as_dh(), arm.as_mdh(), arm.as_screws(), arm.with_values(g=9.8)):
        for kept in (other.model, qddot.loads(other.to_toml()).model):
            assert (efforts(kept), rates(kept)) == (expected, [2.5, 3, None])
    again = urdf.loads(arm.to_urdf(), "again.urdf")
    assert (efforts(again), rates(again)) == (expected, [2.5, 3, None])
    assert 'effort="87.5"' in arm.to_urdf() and 'lower="0" upper="1" effort="1e9"' in arm.to_urdf()


def test_robots_are_shown_with_it() -> None:
    shown = qddot.Robot(urdf.loads(URDF, "r.urdf"))._repr_html_()
    assert shown.index("|τ| ≤") < shown.index("|q̇| ≤") < shown.index("87.5 N m") < shown.index("2.5 rad/s")
    assert "|τ| ≤" not in qddot.load("two_link")._repr_html_()


def test_a_chain_is_written_with_the_effort_of_each_coordinate() -> None:
    arm = robot(type="planar", effort=[1, [], 3])
    assert efforts(qddot.loads(arm.to_toml()).model) == efforts(arm.model) == [1, None, 3]
    assert "effort = 0.1}" in robot(type="revolute", effort=0.1).to_toml()


def test_the_page_keeps_it() -> None:
    description = described.read(URDF, "r.urdf")[0]
    assert efforts(described.robot_of(description).model) == [87.5, 12, None]
    assert "effort = 87.5" in described.file_of(description, "as it is")[1]
