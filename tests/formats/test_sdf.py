"""SDF files give Drake's numbers and URDF's model of the same arm, in every version."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import close
from refusals import refusal
from sdf_texts import BODY, SDF, SWING, model, read

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import QddotError
from qddot.formats import urdf
from qddot.machine.compilers import kernels
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.model import Model

# M, G and τ from Drake 1.51 at this state; of a joint that mimics, along the coordinate that is left
DRAKE = json.loads((SDF / "drake.json").read_text(encoding="utf-8"))
STATE = np.array([[0.3, -0.7, 0.5], [1.0, 0.4, -0.6], [-0.2, 0.9, 0.1]])


def linked(pose: str = "", axis: str = "", attributes: str = "", version: str = "1.9") -> Model:
    """A link on a revolute joint, with a pose in its model and an axis' content."""
    link = f'<link name="a"><pose{attributes}>{pose}</pose>{BODY}</link>'
    content = axis or "<xyz>0 0 1</xyz>"
    return model(
        f'{link}<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis>{content}</axis></joint>',
        version,
    )


def value(entry: Any) -> float:
    return float(entry) if isinstance(entry, int) else float(entry.value({}))


@pytest.mark.parametrize("name", DRAKE)
def test_mass_matrix_gravity_and_torque_are_those_of_drake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a few rotations is made rational within 1e-12. No law hangs on a compiler: NumPy runs the programs."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)
    arm = qddot.load(SDF / name)
    q, qd, qdd = STATE[:, : arm.n]
    close(arm.mass_matrix(q), DRAKE[name]["M"], 1e-11)
    close(arm.gravity(q), DRAKE[name]["G"], 1e-11)
    close(arm.inverse_dynamics(q, qd, qdd), DRAKE[name]["torque"], 1e-11)


URDF = """<robot name="arm"><link name="foot"/>
  <link name="upper"><inertial><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><mass value="1.5"/>
    <inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.12" iyz="0" izz="0.05"/></inertial></link>
  <link name="fore"><inertial><origin xyz="0 0.1 0"/><mass value="0.4"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.02"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="foot"/><child link="upper"/>
    <origin xyz="0 0 0.4318" rpy="1.5708 0 0"/><axis xyz="0 3 4"/><limit lower="-1" upper="2"/>
    <dynamics damping="0.5" friction="0.25"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/>
    <origin xyz="0.2 0 0" rpy="0 0.25 0"/><axis xyz="0 1 0"/>
    <mimic joint="shoulder" multiplier="-2" offset="0.7"/><dynamics damping="0.25"/></joint></robot>"""
SAME = """<sdf version="1.11"><model name="arm">
  <link name="upper"><pose>0 0 0.4318 1.5708 0 0</pose><inertial><pose>0.1 0 0.2 0.3 0 0</pose><mass>1.5</mass>
    <inertia><ixx>0.1</ixx><ixy>0.01</ixy><iyy>0.12</iyy><izz>0.05</izz></inertia></inertial></link>
  <link name="fore"><pose relative_to="upper">0.2 0 0 0 0.25 0</pose><inertial><pose>0 0.1 0 0 0 0</pose>
    <mass>0.4</mass><inertia><ixx>0.02</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia></inertial></link>
  <joint name="shoulder" type="revolute"><parent>world</parent><child>upper</child><axis><xyz>0 3 4</xyz>
    <limit><lower>-1</lower><upper>2</upper></limit>
    <dynamics><damping>0.5</damping><friction>0.25</friction></dynamics></axis></joint>
  <joint name="elbow" type="revolute"><parent>upper</parent><child>fore</child><axis><xyz>0 1 0</xyz>
    <dynamics><damping>0.25</damping></dynamics>
    <mimic joint="shoulder"><multiplier>-2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic>
  </axis></joint></model></sdf>"""


def test_the_same_arm_in_urdf_and_sdf_is_the_same_model() -> None:
    assert read(SAME).bodies == urdf.loads(URDF, "arm.urdf").bodies


def test_decimals_and_angles_are_exact_and_what_was_changed_is_noted() -> None:
    arm = linked("0 0 0.4318 1.5708 0 0")
    placement = arm.bodies[0].joint.placement
    assert placement.p.z == Expression.constant(Fraction(2159, 5000))
    assert placement.R == Rotation(Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0, 1, 0))
    assert "<link 'a'>: 1.5708 rad read as 90deg" in arm.notes
    assert linked("0 0 0.4318 90 0 0", attributes=' degrees="true"').bodies[0].joint.placement == placement
    quaternion = "0 0 0.4318 0.7071068 0 0 0.7071068"
    assert linked(quaternion, attributes=' rotation_format="quat_xyzw"').bodies[0].joint.placement == placement
    odd = linked("0 0 0 20 0 0", attributes=' degrees="true"').bodies[0].joint.placement.R
    assert odd @ odd.T == Rotation.identity()
    close(value(odd.y.y), np.cos(np.pi / 9), 1e-12)
    assert linked("").bodies[0].joint.placement == Pose.identity()


def test_what_a_file_leaves_out_is_what_sdf_takes_for_it() -> None:
    bare = model(f'<link name="a"/>{SWING}')
    assert (bare.bodies[0].inertia.m, bare.bodies[0].inertia.I.xx, bare.bodies[0].inertia.I.xy) == (1, 1, 0)
    assert any("<link 'a'>: no <inertial>; SDF's defaults are used, a mass of 1 kg" in note for note in bare.notes)
    assert linked(axis="<dynamics/>").bodies[0].joint.axis == Vec3(0, 0, 1)
    assert (bare.bodies[0].joint.limits, bare.bodies[0].joint.effects) == (None, ())


def test_damping_friction_springs_and_limits() -> None:
    dynamics = "<damping>0.7</damping><friction>0.25</friction><spring_stiffness>3</spring_stiffness>"
    arm = linked(axis=f"<dynamics>{dynamics}<spring_reference>-0.5</spring_reference></dynamics>")
    half = Fraction(1, 2)
    effects = (Viscous(Fraction(7, 10)), Coulomb(Fraction(1, 4)), Spring(3, -half))
    assert arm.bodies[0].joint.effects == effects

    def limits(lower: str, upper: str) -> tuple[Any, tuple[str, ...]]:
        arm = linked(axis=f"<limit><lower>{lower}</lower><upper>{upper}</upper></limit>")
        return arm.bodies[0].joint.limits, arm.notes

    assert limits("-1.5", "2") == ((Fraction(-3, 2), 2), ())
    assert limits("-1e16", "1e16") == limits("-inf", "inf") == limits("-1e+17", "+Inf") == (None, ())
    assert limits("2", "-1.5") == (
        (Fraction(-3, 2), 2),
        ("<joint 'j'>: the lower limit is above the upper limit; they are exchanged",),
    )
    assert limits("-1", "1e16") == (None, ("<joint 'j'>: a limit on only one side is not read",))


@pytest.mark.parametrize(
    ("version", "xyz", "inside", "axis"),
    [
        ("1.4", "<xyz>0 0 1</xyz>", "", (0, 1, 0)),
        ("1.5", "<xyz>0 0 1</xyz>", "", (0, 0, 1)),
        ("1.6", "<xyz>0 0 1</xyz>", "<use_parent_model_frame>true</use_parent_model_frame>", (0, 1, 0)),
        ("1.7", "<xyz>0 0 1</xyz>", "", (0, 0, 1)),
        ("1.12", '<xyz expressed_in="__model__">0 0 1</xyz>', "", (0, 1, 0)),
        ("1.8", '<xyz expressed_in="j">0 0 1</xyz>', "", (0, 0, 1)),
    ],
)
def test_an_axis_is_along_the_joint_or_the_model_as_its_version_has_it(
    version: str, xyz: str, inside: str, axis: tuple[int, int, int]
) -> None:
    """The link is turned by 90° about x, so that its y axis is the model's z axis."""
    assert linked("0 0 0 1.5708 0 0", xyz + inside, version=version).bodies[0].joint.axis == Vec3(*axis)


def test_before_1_7_poses_name_their_frame_and_a_joint_may_be_called_as_its_link() -> None:
    links = f'<link name="a">{BODY}</link><link name="b"><pose frame="a">0 0 1 0 0 0</pose>{BODY}</link>'
    joint = '<joint name="b" type="prismatic"><parent>a</parent><child>b</child><axis/></joint>'
    arm = model(joint + links, "1.6")
    assert (arm.bodies[1].joint.name, arm.bodies[1].joint.placement.p) == ("b", Vec3(0, 0, 1))
    with refusal(QddotError, "attribute-of-other-version", "frame", "1.7", "relative_to"):
        model(joint.replace('"b" type', '"k" type') + links, "1.7")
    with refusal(QddotError, "name-taken", "'b'"):
        model(joint + links.replace("frame=", "relative_to="), "1.7")


def world(inside: str, gravity: str = "") -> Model:
    return read(f'<sdf version="1.9"><world name="w">{gravity}{inside}</world></sdf>')


ARM = f'<model name="arm"><link name="a">{BODY}</link>{SWING}</model>'
STILL = '<model name="floor"><static>true</static><link name="a"/></model>'


def test_gravity_is_the_worlds_or_that_of_every_arm() -> None:
    assert model(f'<link name="a">{BODY}</link>{SWING}').defaults() == {"g": 9.81}
    assert world(ARM).defaults() == {"g": 9.8}
    along = world(ARM, "<gravity>0 1.62 0</gravity>")
    assert (along.gravity, along.defaults()) == (Vec3(0, Expression.of("g"), 0), {"g": 1.62})
    assert world(ARM, "<gravity>1 0 -9</gravity>").gravity == Vec3(1, 0, -9)
    assert world(ARM, "<gravity>0 0 0</gravity>").gravity == Vec3(0, 0, 0)


def test_one_model_of_a_world_moves_and_its_names_are_its_own() -> None:
    arm = world(STILL + ARM + "<light name='sun'/><state world_name='w'/>")
    assert (arm.name, [body.name for body in arm.bodies], arm.bodies[0].joint.name) == ("arm", ["a"], "j")
    assert "static models are part of the ground: 'floor'" in arm.notes
    assert "<state> of the world is not read" in arm.notes
    with refusal(QddotError, "several-models-move", "'arm', 'hand'"):
        world(ARM + ARM.replace('"arm"', '"hand"'))
    with refusal(QddotError, "nothing-moves"):
        world(STILL)


def test_joints_of_the_world_join_models() -> None:
    hand = f'<model name="hand"><pose>0 0 1 0 0 0</pose><link name="a">{BODY}</link></model>'
    bolt = '<joint name="bolt" type="fixed"><parent>arm::a</parent><child>hand::a</child></joint>'
    joined = world(ARM + hand + STILL + bolt)
    assert [(body.name, body.joint.parent) for body in joined.bodies] == [("arm::a", "base"), ("hand::a", "arm::a")]
    on_floor = ARM.replace("<parent>world</parent>", "<parent>a</parent>").replace("child>a", "child>b")
    stands = '<joint name="bolt" type="fixed"><parent>floor::a</parent><child>arm::a</child></joint>'
    assert world(STILL + on_floor.replace("<joint", f'<link name="b">{BODY}</link><joint') + stands).n == 1


def test_a_model_that_would_float_is_fixed_to_the_world_where_it_stands() -> None:
    inside = f'<link name="foot">{BODY}</link><link name="a">{BODY}</link>{SWING}'.replace(">world<", ">foot<")
    arm = model(f"<pose>0 0 2 0 0 0</pose>{inside}")
    assert (arm.bodies[0].joint.type, arm.bodies[0].joint.placement.p) == ("fixed", Vec3(0, 0, 2))
    assert "link 'foot' is fixed to the ground, although it floats in SDF" in arm.notes


def test_a_long_chain_of_turned_frames_keeps_short_numbers() -> None:
    """Eighty turns of three angles each: 1e-12 for each product, and numbers of no more than a few hundred bits."""
    turn = [0.1, 0.2, 0.3]
    frames = "".join(
        f'<frame name="f{k}"><pose relative_to="{f"f{k - 1}" if k else "__model__"}">0.1 0 0 0.1 0.2 0.3</pose></frame>'
        for k in range(80)
    )
    arm = model(f'{frames}<link name="a"><pose relative_to="f79"/>{BODY}</link>{SWING}')
    (cr, cp, cy), (sr, sp, sy) = np.cos(turn), np.sin(turn)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ Ry @ Rx, (0.1, 0, 0)
    placement = arm.bodies[0].joint.placement
    assert placement.R @ placement.R.T == Rotation.identity()
    close([[value(entry) for entry in row] for row in placement.matrix()], np.linalg.matrix_power(T, 80), 1e-9)
    assert any("nearest rotation of short fractions" in note for note in arm.notes)


def test_loading_goes_by_the_root_element_and_the_commands_take_sdf(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from qddot.apps.cli import main

    for name in ("arm.sdf", "arm.world", "arm.xml", "ARM.SDF", "arm.txt"):
        (tmp_path / name).write_text(SAME, encoding="utf-8")
        assert qddot.load(tmp_path / name).model == read(SAME)
    assert main(["show", str(SDF / "nested.sdf")]) == 0
    assert "arm::wrist::hand" in capsys.readouterr().out
    assert main(["doctor", str(SDF / "frames.sdf")]) in (0, 1)
    assert main(["convert", str(tmp_path / "arm.sdf"), "--to", "tree", "-o", str(tmp_path / "arm.toml")]) == 0
    again = qddot.load(tmp_path / "arm.toml")
    close(again.mass_matrix([0.3]), qddot.load(tmp_path / "arm.sdf").mass_matrix([0.3]))


def test_a_ball_is_a_spherical_joint_and_a_body_beside_its_centre_is_fixed_to_it() -> None:
    pose = '<pose relative_to="a">1 0 2 0 0 0</pose>'
    balls = "".join(
        f'<link name="{child}">{pose if child == "b" else ""}{BODY}</link>'
        f'<joint name="{child}_joint" type="ball">{place}<parent>a</parent><child>{child}</child>'
        "<axis><dynamics><damping>0.5</damping></dynamics></axis></joint>"
        for child, place in (("b", '<pose relative_to="b">0 0 -2 0 0 0</pose>'), ("c", ""))
    )
    arm = model(f'<link name="a">{BODY}</link>{SWING}{balls}')
    kinds = [(body.name, body.joint.type, body.joint.parent) for body in arm.bodies]
    assert kinds[1:] == [("b_ball", "spherical", "a"), ("b", "fixed", "b_ball"), ("c", "spherical", "a")]
    assert arm.coordinates == ("q1", *(f"omega_{k}" for k in "xyz"), *(f"omega_2_{k}" for k in "xyz"))
    assert tuple(map(value, arm.bodies[1].joint.placement.p)) == (1, 0, 0)
    assert tuple(map(value, arm.bodies[2].joint.placement.p)) == (0, 0, 2)
    assert [value(effect.coefficient) for effect in arm.bodies[1].joint.effects if isinstance(effect, Viscous)] == [0.5]
