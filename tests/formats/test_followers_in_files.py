"""Joints follow joints that follow others: the ratios multiply, the offsets add, and friction goes to the first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import FormatError, ModelError
from qddot.robot.effects.viscous import Viscous

WHEELS = {"a": 2, "b": 3, "c": 5}  # moments of inertia about z [kg m²], all wheels on the ground
RATIOS = {"b": ("a", 2, 0.2), "c": ("b", -3, 0.1)}  # by follower: leader, ratio and offset
IN_URDF = """<link name="{0}"><inertial><mass value="1"/>
  <inertia ixx="4" iyy="4" izz="{1}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j{0}" type="continuous"><parent link="ground"/><child link="{0}"/><axis xyz="0 0 1"/>
  <dynamics damping="1"/>{2}</joint>"""
IN_SDF = """<link name="{0}"><inertial><mass>1</mass>
  <inertia><ixx>4</ixx><iyy>4</iyy><izz>{1}</izz></inertia></inertial></link>
<joint name="j{0}" type="continuous"><parent>world</parent><child>{0}</child>
  <axis><xyz>0 0 1</xyz><dynamics><damping>1</damping></dynamics>{2}</axis></joint>"""
IN_MJCF = (
    """<body name="{0}"><joint name="j{0}" damping="1"/><inertial pos="0 0 0" mass="1" diaginertia="4 4 {1}"/></body>"""
)


def as_urdf(ratios: dict[str, tuple[str, float, float]]) -> str:
    mimic = '<mimic joint="j{}" multiplier="{}" offset="{}"/>'
    links = (
        IN_URDF.format(name, I, mimic.format(*ratios[name]) if name in ratios else "") for name, I in WHEELS.items()
    )
    return f'<robot name="gears"><link name="ground"/>{"".join(links)}</robot>'


def as_sdf(ratios: dict[str, tuple[str, float, float]]) -> str:
    mimic = "<mimic joint='j{}'><multiplier>{}</multiplier><offset>{}</offset></mimic>"
    links = (
        IN_SDF.format(name, I, mimic.format(*ratios[name]) if name in ratios else "") for name, I in WHEELS.items()
    )
    return f'<sdf version="1.11"><model name="gears">{"".join(links)}</model></sdf>'


def as_mjcf(ratios: dict[str, tuple[str, float, float]]) -> str:
    joint = '<joint joint1="j{}" joint2="j{}" polycoef="{} {} 0 0 0"/>'
    rows = "".join(joint.format(name, leader, offset, ratio) for name, (leader, ratio, offset) in ratios.items())
    bodies = "".join(IN_MJCF.format(name, I) for name, I in WHEELS.items())
    return f"<mujoco><worldbody>{bodies}</worldbody><equality>{rows}</equality></mujoco>"


FORMATS = {"gears.urdf": as_urdf, "gears.sdf": as_sdf, "gears.xml": as_mjcf}


def loaded(folder: Path, name: str, ratios: dict[str, tuple[str, float, float]]) -> qddot.Robot:
    path = folder / name
    path.write_text(FORMATS[name](ratios), encoding="utf-8")
    return qddot.load(path)


@pytest.mark.parametrize("name", FORMATS)
def test_the_ratios_of_a_train_of_gears_multiply(name: str, tmp_path: Path) -> None:
    """q_b = 2 q + 0.2 and q_c = −3 q_b + 0.1 = −6 q − 0.5, so that M = 2 + 2² · 3 + 6² · 5 = 194."""
    arm = loaded(tmp_path, name, RATIOS)
    assert arm.model.coordinates == ("q1",)
    assert arm.mass_matrix([0])[0, 0] == 194
    assert [effect for body in arm.model.bodies for effect in body.joint.effects] == [Viscous(1 + 4 + 36)]
    for q in (0, 0.7):
        T = arm.forward_kinematics([q])  # of the last wheel
        np.testing.assert_allclose(np.exp(1j * np.arctan2(T[1, 0], T[0, 0])), np.exp(1j * (-6 * q - 0.5)), rtol=1e-12)
    assert qddot.loads(arm.to_toml()).model.bodies == arm.model.bodies


@pytest.mark.parametrize("name", ["gears.urdf", "gears.sdf"])
def test_joints_that_follow_one_another_in_a_circle_are_named(name: str, tmp_path: Path) -> None:
    circle = {**RATIOS, "b": ("c", 2, 0)}
    with refusal(FormatError, "followers-in-circle", "<mimic>", "'jb' → 'jc' → 'jb'"):
        loaded(tmp_path, name, circle)
    with refusal(FormatError, "followers-in-circle", "'jb' → 'jb'"):
        loaded(tmp_path, name, {"b": ("b", 1, 0)})


def test_a_joint_beside_a_circle_is_told_of_it(tmp_path: Path) -> None:
    with refusal(FormatError, "followers-in-circle", "'ja' → 'jb' → 'jc' → 'jb'"):
        loaded(tmp_path, "gears.urdf", {"a": ("b", 1, 0), **RATIOS, "b": ("c", 2, 0)})


def test_a_follower_may_slide_between_two_joints_that_turn(tmp_path: Path) -> None:
    """A rack between two pinions: x = 0.1 q and q_c = 20 x = 2 q, so that M = 2 + 0.1² · 1 + 2² · 5."""
    text = as_urdf({"b": ("a", 0.1, 0), "c": ("b", 20, 0)})
    head, tail = text.split('<joint name="jb" type="continuous">')
    path = tmp_path / "rack.urdf"
    path.write_text(f'{head}<joint name="jb" type="prismatic">{tail}', encoding="utf-8")
    assert qddot.load(path).mass_matrix([0])[0, 0] == pytest.approx(22.01, rel=1e-15)


IN_TOML = """convention = "tree"
[[link]]
name = "a"
joint = {{ type = "revolute", axis = [0, 0, 1], coordinate = "q1" }}
inertia = {{ about = "com", zz = 2, xx = 1, yy = 1 }}
[[link]]
name = "b"
parent = "base"
joint = {{ type = "revolute", axis = [0, 0, 1], coordinate = "{}", ratio = 6 }}
inertia = {{ about = "com", zz = 5, xx = 5, yy = 5 }}
"""


def test_a_robot_file_names_the_coordinate_that_leads() -> None:
    assert qddot.loads(IN_TOML.format("q1")).mass_matrix([0])[0, 0] == 2 + 6**2 * 5
    with refusal(ModelError, "leader-unknown", "link 'b'", "'q2'", "q1"):
        qddot.loads(IN_TOML.format("q2"))
