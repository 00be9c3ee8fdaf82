"""An angle of few digits is the same wherever a file uses it: in poses, and for what is given in their frames."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

import qddot
from qddot.formats import sdf, urdf
from qddot.formats.conversions import to_screws
from qddot.formats.toml import robot_file
from qddot.robot.model import Model

# as files round them, and with all digits of a double, or of C's M_PI, M_PI_2 and M_PI_4
SHORT = {"-pi": "-3.14159", "pi/2": "1.5708", "-pi/4": "-0.785398", "pi/6": "0.5236"}
LONG = {"-pi": repr(-math.pi), "pi/2": repr(math.pi / 2), "-pi/4": repr(-math.pi / 4), "pi/6": repr(math.pi / 6)}
OF_C = {**LONG, "-pi": "-3.14159265358979323846", "pi/2": "1.57079632679489661923", "-pi/4": "-0.785398163397448309616"}
BODY = '<mass value="2"/><inertia ixx="0.3" ixy="0.02" ixz="-0.01" iyy="0.4" iyz="0.03" izz="0.5"/>'
URDF = f"""<robot name="r"><link name="foot"/>
  <link name="a"><inertial><origin xyz="0.1 0.2 -0.1" rpy="{{pi/2}} 0.00159265 {{-pi}}"/>{BODY}</inertial></link>
  <link name="b"><inertial><origin xyz="0 0.2 0.1" rpy="{{-pi/4}} 0 {{pi/6}}"/>{BODY}</inertial></link>
  <joint name="j" type="continuous"><parent link="foot"/><child link="a"/>
    <origin xyz="0 0 0.72" rpy="{{-pi}} 0.00159265 -1.57478"/><axis xyz="0.1 1 0.2"/></joint>
  <joint name="k" type="continuous"><parent link="a"/><child link="b"/>
    <origin xyz="0.3 0 0" rpy="{{pi/2}} {{pi/6}} {{-pi/4}}"/><axis xyz="0 0.6 0.8"/></joint>
</robot>"""
MASS = "<mass>2</mass><inertia><ixx>0.3</ixx><ixy>0.02</ixy><iyy>0.4</iyy><izz>0.5</izz></inertia>"
SDF = f"""<sdf version="{{version}}"><model name="r">
  <link name="a"><pose>0 0 0.72 {{-pi}} 0.00159265 -1.57478</pose>
    <inertial><pose>0.1 0 0 {{pi/2}} {{-pi}} 0</pose>{MASS}</inertial></link>
  <link name="b"><pose>0.1 0 1 {{pi/2}} 0.3 {{-pi/4}}</pose><inertial>{MASS}</inertial></link>
  <joint name="j" type="revolute"><parent>world</parent><child>a</child><axis>
    <xyz{{inside}}>6.34134e-06 0.00159264 -0.999999</xyz>{{model}}</axis></joint>
  <joint name="k" type="revolute"><pose>0 0 0.1 0 {{pi/6}} {{-pi}}</pose><parent>a</parent><child>b</child><axis>
    <xyz{{inside}}>0.2 0.3 0.4</xyz>{{model}}</axis></joint>
</model></sdf>"""
WAYS = {
    "1.4": {"inside": "", "model": ""},
    "1.5": {"inside": "", "model": ""},
    "1.6": {"inside": "", "model": "<use_parent_model_frame>true</use_parent_model_frame>"},
    "1.7": {"inside": ' expressed_in="__model__"', "model": ""},
    "1.9": {"inside": ' expressed_in="a"', "model": ""},
    "1.11": {"inside": ' expressed_in="b"', "model": ""},
}


def filled(text: str, angles: dict[str, str], **others: str) -> str:
    for key, value in {**angles, **others}.items():
        text = text.replace(f"{{{key}}}", value)
    return text


def value(entry: Any) -> float:
    return float(entry) if isinstance(entry, int) else float(entry.value({}))


def floats(rows: Any) -> Any:
    return np.array([[value(entry) for entry in row] for row in rows])


def turn(roll: float, pitch: float, yaw: float) -> Any:
    (a, b), (c, d), (e, f) = ((math.cos(part), math.sin(part)) for part in (roll, pitch, yaw))
    X, Y = np.array([[1, 0, 0], [0, a, -b], [0, b, a]]), np.array([[c, 0, d], [0, 1, 0], [-d, 0, c]])
    return np.array([[e, -f, 0], [f, e, 0], [0, 0, 1]]) @ Y @ X


@pytest.mark.parametrize("digits", [LONG, OF_C], ids=["double", "C"])
def test_urdf_is_the_same_with_angles_of_few_and_of_all_digits(digits: dict[str, str]) -> None:
    short, long = (urdf.loads(filled(URDF, angles), "arm.urdf") for angles in (SHORT, digits))
    assert short.bodies == long.bodies


@pytest.mark.parametrize("digits", [LONG, OF_C], ids=["double", "C"])
@pytest.mark.parametrize("version", WAYS)
def test_sdf_is_the_same_with_angles_of_few_and_of_all_digits(version: str, digits: dict[str, str]) -> None:
    texts = (filled(SDF, angles, version=version, **WAYS[version]) for angles in (SHORT, digits))
    short, long = (sdf.loads(text, "arm.sdf") for text in texts)
    assert short.bodies == long.bodies


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.7"])
def test_an_axis_along_the_model_turns_back_by_the_angles_of_its_link(version: str) -> None:
    """R of the link times the axis in it is the file's own axis: to 2e-12, as the rotations are rational to 1e-12."""
    text = filled(SDF, SHORT, version=version, **WAYS[version])
    joint = sdf.loads(text, "arm.sdf").bodies[0].joint
    R, axis = floats(joint.placement.R), np.array([value(entry) for entry in joint.axis])
    given = np.array([6.34134e-06, 0.00159264, -0.999999])
    exact = turn(-math.pi, 0.00159265, -1.57478)
    assert np.abs(R - exact).max() < 3e-12
    assert np.abs(R @ axis - given / np.linalg.norm(given)).max() < 2e-12
    assert np.abs(axis - exact.T @ given / np.linalg.norm(given)).max() < 3e-12


def test_pinocchio_has_the_same_dynamics_where_the_angles_have_all_digits() -> None:
    arm = qddot.Robot(urdf.loads(filled(URDF, SHORT), "arm.urdf"))
    model = pin.buildModelFromXML(filled(URDF, LONG))
    data = model.createData()
    for q, qd, qdd in np.random.default_rng(0).uniform(-2, 2, (5, 3, 2)):
        theirs = np.ravel([(math.cos(angle), math.sin(angle)) for angle in q])
        tau = pin.rnea(model, data, theirs, qd, qdd)
        assert np.abs(arm.inverse_dynamics(q, qd, qdd) - tau).max() < 1e-10 * np.abs(tau).max()


def rows(angles: dict[str, str], convention: str) -> Model:
    theta, alpha = f"q1 + {angles['pi/6']}", angles["-pi/4"]
    table = [
        {"theta": theta, "d": 0, "a": 1, "alpha": angles["pi/2"]},
        {"theta": angles["-pi"], "d": "q2", "a": 0.5, "alpha": alpha},
    ]
    links = [{"name": f"l{k}", convention: row, "mass": 1, "com": [0.1, 0, 0]} for k, row in enumerate(table)]
    pose = {"xyz": [0, 0, 1], "rpy": [angles["pi/2"], angles["-pi/4"], angles["-pi"]]}
    data = {"convention": convention, "link": links, "base": pose, "tool": pose}
    return robot_file.from_mapping(data, "arm")


def tree(angles: dict[str, str]) -> Model:
    pose = {"xyz": [0, 0, 1], "rpy": [angles["pi/2"], angles["-pi/4"], angles["-pi"]]}
    link = {"name": "a", "joint": {"type": "revolute", **pose}, "frame": pose, "mass": 1, "com": [0.1, 0, 0]}
    return robot_file.from_mapping({"convention": "tree", "link": [link], "tool": pose}, "arm")


@pytest.mark.parametrize("digits", [LONG, OF_C], ids=["double", "C"])
def test_robot_files_are_the_same_with_angles_of_few_and_of_all_digits(digits: dict[str, str]) -> None:
    for short, long in zip(
        (tree(SHORT), rows(SHORT, "dh"), rows(SHORT, "mdh")),
        (tree(digits), rows(digits, "dh"), rows(digits, "mdh")),
        strict=True,
    ):
        assert (short.bodies, short.tool) == (long.bodies, long.tool)
        assert to_screws.space(short).bodies == to_screws.space(long).bodies


MJCF = """<mujoco><compiler angle="{unit}"/><worldbody>
  <body euler="{pi/2} 0 {-pi}" pos="0 0 0.4"><joint axis="1 0 0" ref="{pi/2}" springref="{pi/6}" stiffness="3"/>
    <inertial pos="0.1 0.2 0" euler="{-pi/4} {pi/6} 0" mass="2" diaginertia="0.3 0.4 0.5"/>
    <body euler="0 {-pi/4} 0" pos="0.3 0 0"><joint axis="0 1 0" ref="{-pi/4}"/><geom size="0.1" pos="0.2 0.1 0"/>
    </body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("angles", [SHORT, LONG], ids=["few", "all"])
def test_mjcf_has_the_angles_that_mujoco_computes_with(angles: dict[str, str], tmp_path: Path) -> None:
    """Body, joint and inertia turn by the same numbers, so that turns that cancel in MuJoCo cancel here."""
    path = tmp_path / "arm.xml"
    path.write_text(filled(MJCF, angles, unit="radian"))
    arm, model = qddot.load(path), mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for q, qd, qdd in np.random.default_rng(0).uniform(-2, 2, (5, 3, 2)):
        data.qpos, data.qvel, data.qacc = q, qd, qdd
        mujoco.mj_forward(model, data)
        M = np.zeros((2, 2))
        mujoco.mj_fullM(model, data, M)
        tau = M @ qdd + data.qfrc_bias - data.qfrc_passive
        assert np.abs(arm.inverse_dynamics(q, qd, qdd) - tau).max() < 1e-10 * np.abs(tau).max()
        assert np.abs(arm.mass_matrix(q) - M).max() < 1e-10 * np.abs(M).max()


def test_degrees_in_mjcf_are_exact(tmp_path: Path) -> None:
    degrees = {"-pi": "-180", "pi/2": "90", "-pi/4": "-45", "pi/6": "30"}
    path = tmp_path / "arm.xml"
    path.write_text(filled(MJCF, degrees, unit="degree").replace('ref="90"', 'ref="90" range="-90 30" limited="true"'))
    joint = qddot.load(path).model.bodies[0].joint
    assert [str(limit) for limit in joint.limits or ()] == ["-pi/2", "pi/6"]
    assert "pi/6" in str(joint.effects)
    assert (
        np.abs(
            floats(joint.placement.R) - turn(math.pi / 2, 0, 0) @ turn(0, 0, -math.pi) @ turn(-math.pi / 2, 0, 0)
        ).max()
        < 1e-12
    )
