"""MJCF files give MuJoCo's own mass matrix, bias and inverse dynamics; what is no arm is refused by name."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import mutated
from refusals import refusal

import qddot
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous

CHAIN = """
<mujoco model="chain">
  <option gravity="0 0 -9.80665"/>
  <default>
    <joint damping="0.3" armature="0.05"/>
    <default class="stiff"><joint stiffness="4" springref="30" frictionloss="0.2"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="upper" pos="0 0.1 0.4" euler="90 0 30">
      <joint name="shoulder" axis="0 1 1" pos="0.1 0 0.2" range="-90 120" ref="30"/>
      <inertial pos="0.1 0 0" mass="2" fullinertia="0.3 0.2 0.3 0.01 0 0.02"/>
      <body name="mount" pos="0 0 0.3" quat="0.5 0.5 -0.5 0.5">
        <geom type="box" size="0.05 0.04 0.03" pos="0.02 0 0"/>
        <body name="fore" pos="0.3 0 0.1" axisangle="1 2 3 40">
          <joint class="stiff" name="elbow" axis="1 0 0"/>
          <joint name="slide" type="slide" axis="0 0 1" ref="0.1" pos="0.2 0 0"/>
          <joint name="wrist" axis="0 1 0" pos="0 0.1 0"/>
          <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0.1 0.3" density="700"/>
        </body>
      </body>
      <body pos="0 0.4 0"><joint axis="1 1 1"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="elbow"/></actuator>
</mujoco>
"""
PENDULUM = """
<mujoco><compiler angle="radian" inertiafromgeom="true"/><option gravity="1 2 -9"/><worldbody>
  <body><joint range="-1.5708 1.5708" limited="true" axis="0 1 0"/>
  <inertial pos="0 0 0" mass="9" diaginertia="1 1 1"/><geom size="0.1 0.2" type="cylinder" pos="0 0 -0.5"/></body>
</worldbody></mujoco>
"""
LIMP = '<mujoco><worldbody><body name="b"><joint {}/><geom size="0.1"/></body></worldbody></mujoco>'


def written(text: str, folder: Path) -> Path:
    (folder / "arm.xml").write_text(text, encoding="utf-8")
    return folder / "arm.xml"


def test_mujocos_own_dynamics_agree(tmp_path: Path) -> None:
    """Rotations are rational within 1e-12, MuJoCo's inertias are diagonal ones to rounding."""
    for text in (CHAIN, PENDULUM):
        path = written(text, tmp_path)
        arm = qddot.load(path)
        model = mujoco.MjModel.from_xml_path(str(path))
        data = mujoco.MjData(model)
        assert arm.n == model.nv
        for q, qd, qdd in np.random.default_rng(0).uniform(-2, 2, (20, 3, arm.n)):
            data.qpos, data.qvel, data.qacc = q, qd, qdd
            mujoco.mj_forward(model, data)
            M = np.zeros((arm.n, arm.n))
            mujoco.mj_fullM(model, data, M)
            near(arm.mass_matrix(q), M)
            rubbing = model.dof_frictionloss * np.sign(qd)
            near(arm.bias(q, qd), data.qfrc_bias - data.qfrc_passive + rubbing)
            near(arm.inverse_dynamics(q, qd, qdd), M @ qdd + data.qfrc_bias - data.qfrc_passive + rubbing)
            for body in ("fore", "upper") if "fore" in text else ():
                near(arm.forward_kinematics(q, body)[:3, 3], data.body(body).xpos)
                near(arm.forward_kinematics(q, body)[:3, :3], data.body(body).xmat.reshape(3, 3))


def near(values: np.ndarray, expected: np.ndarray) -> None:
    assert np.abs(values - expected).max() <= 1e-10 * max(1, np.abs(expected).max())


def test_joints_their_names_limits_and_effects_are_read(tmp_path: Path) -> None:
    model = qddot.load(written(CHAIN, tmp_path)).model
    joints = [body.joint for body in model.bodies]
    assert [body.name for body in model.bodies] == [
        "upper",
        "mount",
        "fore_elbow",
        "fore_slide",
        "fore",
        "body4",
    ]
    assert [joint.name for joint in joints] == ["shoulder", "", "elbow", "slide", "wrist", ""]
    assert [str(limit) for limit in joints[0].limits or ()] == ["-pi/2", "2*pi/3"]
    kinds = [type(effect) for effect in joints[2].effects]
    assert kinds == [Armature, Viscous, Coulomb, Spring]
    assert "pi/6" in str(joints[2].effects[3])
    assert model.defaults()["g"] == 9.80665
    assert model.name == "chain"


def test_includes_are_read_and_meshes_without_weight_are_not_needed(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "options.xml").write_text('<mujoco><option gravity="0 -3 0"/></mujoco>')
    text = (
        '<mujoco><include file="parts/options.xml"/><asset><mesh name="m" file="nowhere.stl"/></asset><worldbody><body>'
        '<joint/><geom type="mesh" mesh="m"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>'
        "</mujoco>"
    )
    model = qddot.load(written(text, tmp_path)).model
    assert str(model.gravity.y) == "-g"
    assert model.defaults() == {"g": 3.0}


GEARED = """
<mujoco model="geared"><compiler angle="radian"/><worldbody><body name="a">
  <joint name="one" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass="2"/>
  <body name="b" pos=".5 0 0">
    <joint name="two" axis="0 1 0" armature="0.02"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
    <body pos=".4 0 0"><joint name="three" type="slide" axis="1 0 0" ref="0.1"/><geom size=".05" mass=".5"/></body>
  </body></body></worldbody><equality>{}</equality></mujoco>
"""


@pytest.mark.parametrize(
    ("equalities", "ways", "offset"),
    [
        ('<joint joint1="two" joint2="one" polycoef="0.25 -1.5"/>', [[1, 0], [-1.5, 0], [0, 1]], [0, 0.25, 0]),
        ('<joint joint1="three" joint2="two" polycoef="0 0.5"/>', [[1, 0], [0, 1], [0, 0.5]], [0, 0, 0.1]),
        ('<joint joint1="two" polycoef="0.7"/>', [[1, 0], [0, 0], [0, 1]], [0, 0.7, 0]),
        (
            '<joint joint1="one" joint2="two"/><joint joint1="three" joint2="one" polycoef="-0.2 2"/>',
            [[1], [1], [2]],
            [0, 0, -0.1],
        ),
    ],
)
def test_joints_that_follow_others_have_mujocos_equations_along_the_coupling(
    equalities: str, ways: list[list[float]], offset: list[float], tmp_path: Path
) -> None:
    path = written(GEARED.format(equalities), tmp_path)
    arm, model = qddot.load(path), mujoco.MjModel.from_xml_path(str(path))
    R, data, rng = np.array(ways), mujoco.MjData(model), np.random.default_rng(7)
    assert arm.n == R.shape[1]
    for q, qd in rng.uniform(-2, 2, (5, 2, arm.n)):
        data.qpos[:], data.qvel[:] = R @ q + offset, R @ qd
        mujoco.mj_forward(model, data)
        M = np.zeros((3, 3))
        mujoco.mj_fullM(model, data, M)
        np.testing.assert_allclose(arm.mass_matrix(q), R.T @ M @ R, rtol=1e-11, atol=1e-12)
        bias = R.T @ (data.qfrc_bias - data.qfrc_passive)
        np.testing.assert_allclose(arm.inverse_dynamics(q, qd, 0 * q), bias, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(
    ("equalities", "kinds"),
    [
        ('<joint joint1="two" joint2="one" polycoef="0 0 1"/>', ["equalities"]),
        ('<joint joint1="two" joint2="one"/><connect body1="b" anchor="0 0 0"/>', ["loops", "equalities"]),
        ('<joint joint1="two" joint2="one" active="false"/>', []),
    ],
)
def test_equalities_that_no_tree_has_are_left_out_if_asked(equalities: str, kinds: list[str], tmp_path: Path) -> None:
    model = qddot.load(written(GEARED.format(equalities), tmp_path), without="loops, equalities").model
    assert model.coordinates == ("q1", "q2", "q3")
    assert [part.name for part in model.left_out] == kinds


def test_a_follower_with_a_spring_keeps_its_coordinate(tmp_path: Path) -> None:
    text = CHAIN.replace("<actuator>", '<equality><joint joint1="elbow" joint2="wrist"/></equality><actuator>')
    model = qddot.load(written(text, tmp_path), without=["equalities"]).model
    assert ["a spring in a joint" in part.where for part in model.left_out] == [True]
    assert len(model.coordinates) == len(qddot.load(written(CHAIN, tmp_path)).model.coordinates)


def test_gravity_may_be_off_or_askew(tmp_path: Path) -> None:
    off = LIMP.format("").replace("<mujoco>", '<mujoco><option><flag gravity="disable"/></option>')
    assert qddot.load(written(off, tmp_path)).model.gravity == Vec3.zero()
    askew = qddot.load(written(PENDULUM, tmp_path)).model
    assert [value.rational for value in askew.gravity if not isinstance(value, int)] == [2, -9]
    assert askew.symbols == {}


@given(st.integers(0, 10**9))
@settings(max_examples=120)
def test_a_damaged_file_is_a_model_or_our_error(seed: int) -> None:
    with TemporaryDirectory() as folder:
        try:
            qddot.load(written(mutated(CHAIN.strip(), seed), Path(folder)))
        except QddotError as error:
            assert "\n" not in str(error)


BROKEN = {
    "no XML": ("<mujoco>", ("invalid-xml", "arm.xml:1")),
    "another element": ("<mujoco><robot/></mujoco>", ("mujoco-refuses",)),
    "nan": (LIMP.format('axis="0 0 nan"'), ("numbers-not-finite", "arm.xml:1 <joint>", "axis", "'0 0 nan'")),
    "no axis": (LIMP.format('axis="0 0 0"'), ("mujoco-refuses",)),
    "many copies": ("<mujoco><replicate count='9'/></mujoco>", ("body-not-written-out", "replicate")),
    "an absent include": ('<mujoco><include file="x.xml"/></mujoco>', ("file-missing", "x.xml")),
    "an include above": ('<mujoco><include file="../x.xml"/></mujoco>', ("file-outside-folder", "<include>")),
    "an include elsewhere": ('<mujoco><include file="/etc/hosts"/></mujoco>', ("file-outside-folder",)),
    "an include by a link": ('<mujoco><include file="link.xml"/></mujoco>', ("file-outside-folder",)),
    "a mesh elsewhere": (
        '<mujoco><asset><mesh name="m" file="/etc/m.stl"/></asset><worldbody><body><joint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        ("file-outside-folder",),
    ),
    "an entity": ("<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco/>", ("document-type-or-entity",)),
    "nothing that moves": ("<mujoco/>", ("robot-no-link",)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_arm_is_refused(name: str, tmp_path: Path) -> None:
    text, says = BROKEN[name]
    (tmp_path / "outside.xml").write_text("<mujoco/>")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.xml").symlink_to(tmp_path / "outside.xml")
    with refusal(QddotError, *says) as caught:
        qddot.load(written(text, tmp_path / "in"))
    assert "\n" not in str(caught.value)


def test_without_mujoco_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with refusal(QddotError, "mjcf-needs-mujoco", '".[mjcf]"'):
        qddot.load(written(PENDULUM, tmp_path))


def test_a_quaternion_whose_norm_overflows_is_told(tmp_path: Path) -> None:
    path = written(CHAIN.replace('quat="0.5 0.5 -0.5 0.5"', 'quat="3 0 1e308 0"'), tmp_path)
    with refusal(QddotError, "quaternion-wrong", "body 'mount'"):
        qddot.load(path)
