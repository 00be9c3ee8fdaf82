"""Free and spherical joints in robot files: what they may have, what they are called, and a base set free."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError, QddotError
from qddot.formats.conversions.merging import merged
from qddot.formats.toml import robot_file
from qddot.papers import overview


def read(joint: dict[str, Any], **top: Any) -> qddot.Robot:
    tensor = {"about": "com", "xx": 1, "yy": 2, "zz": 2.5}
    tip = {
        "name": "tip",
        "parent": "body",
        "joint": {"type": "revolute", "xyz": [0, 0, 1]},
        "mass": 1,
        "com": [1, 0, 0],
    }
    body = {"name": "body", "joint": joint, "mass": 3, "inertia": tensor}
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": [body, tip], **top}, "arm"))


FREE = read({"type": "free"})
Q = [1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0, 0.5]


def test_positions_and_velocities_have_names() -> None:
    assert FREE.model.positions == ("p_x", "p_y", "p_z", "e_w", "e_x", "e_y", "e_z", "q1")
    assert FREE.model.coordinates == ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z", "q1")
    assert FREE.n == 7
    ball = read({"type": "spherical", "coordinate": "hip"})
    assert ball.model.positions[:4] == ("e_hip_w", "e_hip_x", "e_hip_y", "e_hip_z")
    assert ball.model.coordinates[:3] == ("omega_hip_x", "omega_hip_y", "omega_hip_z")


def test_files_come_back_as_they_were() -> None:
    for joint in ({"type": "free", "damping": 0.5}, {"type": "spherical", "armature": 0.1, "xyz": [0, 0, "1/3"]}):
        arm = read(joint)
        assert qddot.loads(arm.to_toml()).model.hash == arm.model.hash


def test_a_base_is_set_free() -> None:
    arm = qddot.load("puma560").free(mass=10, inertia=(1, 0, 0, 1, 0, 1))
    assert arm.n == 12 and arm.model.bodies[0].name == "free_base"
    assert arm.model.coordinates[6:] == qddot.load("puma560").model.coordinates
    fixed = qddot.load("two_link")
    by_file = robot_file.from_mapping({**robot_file.to_mapping(FREE.model), "name": "again"}, "again")
    assert by_file.bodies[0].joint.type == "free" and fixed.n == 2


def test_a_link_that_stands_on_the_ground_becomes_the_base() -> None:
    arm = read({"type": "fixed"}, base="free")
    assert [body.joint.type for body in arm.model.bodies] == ["free", "revolute"]
    assert read({"type": "fixed"}).free().model.hash == arm.model.hash
    raised = read({"type": "fixed", "xyz": [0, 0, 2]}).free()
    assert [body.joint.type for body in raised.model.bodies] == ["free", "fixed", "revolute"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: qddot.load("two_link").free(), ("motion-without-energy", "omega_z, q1")),
        (lambda: FREE.free(mass=1), ("base-free-already",)),
        (lambda: read({"type": "spherical", "limits": [-1, 1]}), ("unknown-key", "'limits'")),
        (lambda: read({"type": "spherical", "axis": [0, 0, 1]}), ("unknown-key", "'axis'")),
        (lambda: read({"type": "free", "armature": 1}), ("unknown-key", "'armature'")),
        (
            lambda: qddot.load("puma560_1986").free(mass=1),
            ("not-possible-equations-given", "a-free-base"),
        ),
        (
            lambda: read({"type": "free"}, coordinates=["v_x", "q1", "v_y", "v_z", "omega_x", "omega_y", "omega_z"]),
            ("coordinates-velocities-apart",),
        ),
        (
            lambda: read({"type": "free"}, symbols={"omega_x": 1}),
            ("name-used-twice", "'omega_x'", "a-velocity-of-a-joint", "a-symbol"),
        ),
        (lambda: FREE.with_locked(v_x=0), ("no-coordinate-name", "'v_x'")),
    ],
)
def test_what_cannot_be_is_refused(make: Callable[[], Any], message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        make()


def test_a_quaternion_has_the_norm_one() -> None:
    eq = FREE.equations()
    right = eq.at(Q)["tau"]
    nearly = np.array(Q)
    nearly[3:7] *= 1 + 3e-7
    with pytest.warns(UserWarning, match="differs from 1 by 3.0e-07"):
        np.testing.assert_allclose(eq.at(nearly)["tau"], right, rtol=1e-14, atol=1e-13)
    with refusal(EvaluationError, "not-a-unit-quaternion", "1.1"):
        eq.at([*Q[:3], 0.66, 0, 0.88, 0, 0.5])
    with refusal(EvaluationError, "of-another-shape", "(7,)", "8"):
        eq.at([0.0] * 7)
    with refusal(EvaluationError, "of-another-shape", "(8,)", "7"):
        eq.at(Q, Q)


URDF = """<robot name="r">
<link name="world"/>
<link name="trunk"><inertial><origin xyz="0.1 0 0.2"/><mass value="4"/>
  <inertia ixx="1" ixy="0.1" ixz="0" iyy="1.2" iyz="0" izz="0.9"/></inertial></link>
<link name="leg"><inertial><mass value="1"/>
  <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.02"/></inertial></link>
<joint name="root" type="floating"><parent link="world"/><child link="trunk"/></joint>
<joint name="hip" type="revolute"><origin xyz="0 0.2 -0.3"/><parent link="trunk"/><child link="leg"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def test_a_floating_joint_of_urdf_is_a_free_base(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF)
    arm = qddot.load(tmp_path / "r.urdf")
    assert [body.joint.type for body in arm.model.bodies] == ["free", "revolute"]
    assert arm.model.coordinates == (*FREE.model.coordinates[:6], "q1")
    (tmp_path / "r.urdf").write_text(URDF.replace("floating", "fixed"))
    assert qddot.load(tmp_path / "r.urdf", base="free").prove()


def test_a_free_base_goes_to_urdf_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF)
    arm = qddot.load(tmp_path / "r.urdf")
    text = arm.to_urdf()
    assert text.count('type="floating"') == 1 and text.count("<axis") == 1
    (tmp_path / "again.urdf").write_text(text)
    again = qddot.load(tmp_path / "again.urdf")
    assert again.model.coordinates == arm.model.coordinates
    assert again.equations().M == arm.equations().M
    assert again.equations().G.subs(g=9.81) == arm.equations().G.subs(g=9.81)
    with refusal(QddotError, "spherical-in-urdf", "'body'", "floating"):
        read({"type": "spherical"}).to_urdf()


def test_a_linearization_on_the_manifold_is_exact_and_in_numbers_the_same() -> None:
    at = [1, 2, 3, "3/5", 0, "4/5", 0, 0.5]
    exact = FREE.equations().linearize(at)
    for ours, theirs in zip(exact.at(), FREE.linearize(Q), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-13)
    with refusal(EvaluationError, "quaternion-not-unit", "101/100"):
        FREE.equations().linearize([1, 2, 3, 0.6, 0.1, 0.8, 0, 0.5])
    reason = "a derivative with respect to e_x; expected a coordinate, a velocity or a symbol"
    with pytest.raises(QddotError, match=reason):
        exact.M.diff("e_x")


MJCF = """<mujoco><worldbody>
<body name="trunk" pos="1 2 3" quat="1 0 0 1"><freejoint name="root"/>
  <inertial pos=".1 .2 .3" mass="4" fullinertia="1 1.1 1.2 .1 .05 .02"/>
  <body name="leg" pos=".3 0 -.2" quat="3 0 4 0">
    <joint name="hip" type="ball" pos=".05 .02 .1" damping=".3" armature=".05"/>
    <inertial pos="0 .1 -.3" mass="2" diaginertia=".1 .2 .25"/>
    <body name="shin" pos="0 0 -.5"><joint name="knee" axis="0 1 0"/>
      <inertial pos="0 .1 -.3" mass="1.5" diaginertia=".1 .2 .25"/></body></body></body>
</worldbody></mujoco>"""


def test_free_and_ball_joints_of_mjcf_are_mujocos(tmp_path: Path) -> None:
    """Its free joint has v along the world's axes: ν_theirs = B ν, and τ = Bᵀ τ_theirs."""
    (tmp_path / "arm.xml").write_text(MJCF)
    arm = qddot.load(tmp_path / "arm.xml")
    assert [body.name for body in arm.model.bodies] == ["trunk", "leg_hip", "leg", "shin"]
    rng = np.random.default_rng(3)
    q = arm.integrate(arm.neutral(), rng.normal(size=arm.n))
    qd, qdd = rng.normal(size=(2, arm.n))
    model = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(model)
    R = arm.forward_kinematics(q, body=0)[:3, :3]
    B = np.eye(arm.n)
    B[:3, :3] = R
    turned = np.zeros(arm.n)
    turned[:3] = R @ np.cross(qd[3:6], qd[:3])
    data.qpos[:], data.qvel[:], data.qacc[:] = q, B @ qd, B @ qdd + turned
    mujoco.mj_inverse(model, data)
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd), B.T @ data.qfrc_inverse, rtol=1e-10, atol=1e-10)


def test_a_single_body_flies_on_a_free_base(tmp_path: Path) -> None:
    """A file with one link and no joint, such as a drone's frame, is refused on the ground alone."""
    inertia = '<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>'
    inertial = f'<inertial><origin xyz="0 0 .1"/><mass value="3"/>{inertia}</inertial>'
    place = tmp_path / "drone.urdf"
    place.write_text(f'<robot name="drone"><link name="base">{inertial}</link></robot>')
    drone = qddot.load(place, base="free")
    np.testing.assert_allclose(drone.inverse_dynamics(drone.neutral(), [0] * 6, [0] * 6), [0, 0, 3 * 9.81, 0, 0, 0])
    assert drone.equations().prove()
    with refusal(QddotError, "no-joint-moves", "drone.urdf drone"):
        qddot.load(place)
    place.write_text(place.read_text().replace(inertia, ""))
    with refusal(QddotError, "motion-without-energy"):
        qddot.load(place, base="free")


def test_fixed_links_are_merged_into_a_free_body() -> None:
    tip = {"name": "tip", "parent": "body", "joint": {"type": "fixed", "xyz": [0, 0, 1]}, "mass": 1, "com": [1, 0, 0]}
    body = {
        "name": "body",
        "joint": {"type": "free"},
        "mass": 3,
        "inertia": {"about": "com", "xx": 1, "yy": 2, "zz": 2},
    }
    arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": [body, tip]}, "arm"))
    whole = merged(arm.model).bodies
    assert [body.name for body in whole] == ["body"] and str(whole[0].inertia.m) == "4"


def test_a_joint_without_inertia_stays_as_it_is_on_a_free_base() -> None:
    """Its M is singular on a fixed base, too, so that the base is not at fault."""
    links = [
        {"name": "arm", "joint": {"type": "revolute"}, "mass": 1, "com": [1, 0, 0]},
        {"name": "tip", "parent": "arm", "joint": {"type": "revolute", "xyz": [1, 0, 0]}},
    ]
    arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "arm"))
    freed = arm.free(mass=3, inertia=(1, 0, 0, 1, 0, 1))
    assert freed.n == 8
    assert not freed.mass_matrix(freed.neutral())[7].any()
    with refusal(QddotError, "motion-without-energy"):
        arm.free(mass=0)


REFUSING: dict[str, Callable[[qddot.Robot], Any]] = {
    "a table of rows": lambda arm: arm.as_dh(),
    "a table of screws": lambda arm: arm.as_screws(),
    "a table of links": lambda arm: arm.as_tree(),
    "an abbreviated model": lambda arm: arm.equations().abbreviate(),
    "the function skeleton": lambda arm: arm.program("skeleton"),
    "a comparison at a given q": lambda arm: qddot.diff(arm, arm, at=[0] * 7),
    "the convention dh": lambda arm: arm.to_toml("dh"),
}


@pytest.mark.parametrize("what", REFUSING)
def test_a_room_that_has_no_quasi_velocities_says_so(what: str) -> None:
    with refusal(QddotError, "joint-has-quasi-velocities", "'body'", what):
        REFUSING[what](FREE)


def test_a_table_and_a_head_tell_positions_from_velocities(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = overview.head(FREE.model)
    assert "positions: p_x, p_y, p_z, e_w, e_x, e_y, e_z" in lines[-2]
    assert lines[-1].startswith("velocities: v_x, v_y, v_z, omega_x")
    (tmp_path / "free.toml").write_text(FREE.to_toml(), encoding="utf-8")
    assert main(["derive", str(tmp_path / "free.toml"), "--only", "M"]) == 0
    assert "omega_x a velocity, omega_xd its rate" in " ".join(capsys.readouterr().out.split())


def test_exact_arrays_take_unit_quaternions_alone() -> None:
    G, turned = FREE.equations().G, dict(zip(("e_w", "e_x", "e_y", "e_z"), ("3/5", 0, "4/5", 0), strict=True))
    assert G.subs(turned)
    for wrong in ({**turned, "e_w": "4/5"}, {"e_w": "3/5"}, {**turned, "e_w": 0.6 + 1e-8}):
        with refusal(QddotError, "quaternion-not-unit"):
            G.subs(wrong)
