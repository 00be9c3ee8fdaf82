"""Other programs have an arm's joints in orders of their own: every axis that counts joints is put in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

import qddot
from qddot.base.errors import EvaluationError
from qddot.faces import aliases

# the file has turn, tail, bend, nod; Pinocchio goes by the names of joints, also of fixed ones: aloft, tail, turn
URDF = """<robot name="branched">
<link name="body"><inertial><origin xyz="0.1 0 0.2"/><mass value="3"/>
  <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="mast"/>
<link name="upper"><inertial><origin xyz="0.2 0.1 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial></link>
<link name="fore"><inertial><origin xyz="0.3 0 0.1"/><mass value="1"/>
  <inertia ixx="0.05" iyy="0.06" izz="0.07" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="head"><inertial><origin xyz="0 0.1 0.2"/><mass value="1.5"/>
  <inertia ixx="0.04" iyy="0.03" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="end"><inertial><origin xyz="-0.4 0 0"/><mass value="0.5"/>
  <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="body"/><child link="upper"/><origin xyz="0 0.3 0.5"/>
  <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
<joint name="tail" type="prismatic"><parent link="body"/><child link="end"/><origin xyz="-0.5 0 0"/>
  <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="bend" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/>
  <axis xyz="0 1 0"/></joint>
<joint name="aloft" type="fixed"><parent link="body"/><child link="mast"/><origin xyz="0 0 0.6"/></joint>
<joint name="nod" type="continuous"><parent link="mast"/><child link="head"/><origin xyz="0.1 0 0"/>
  <axis xyz="0 1 0"/></joint>
</robot>"""
IN_FILE, IN_PINOCCHIO = ("turn", "tail", "bend", "nod"), ("nod", "tail", "turn", "bend")

# at nod = 0.3, tail = -0.2, turn = 0.5, bend = 0.9 rad or m, rates 1, -2, 0.5, 0.7, accelerations 0.4, 0.1, -0.6, 0.8,
# as Pinocchio 4.1.0 prints it: rnea, crba, computeCoriolisMatrix, and getFrameJacobian of "fore" (LOCAL_WORLD_ALIGNED)
QD, QDD = [1, -2, 0.5, 0.7], [0.4, 0.1, -0.6, 0.8]
TAU = [-0.833715968204, 0.05, -0.694951491072, -2.434360089361]
M = np.diag([0.09, 0.5, 0.992671005636, 0.16])
C = np.zeros((4, 4))
C[2:, 2:] = [[-0.0993488876907, -0.07096349120765], [0.07096349120765, 0]]
J = np.zeros((6, 4))
J[:2, 2], J[3:5, 3], J[5, 2] = [-0.239712769302, 0.438791280945], [-0.479425538604, 0.87758256189], 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "branched.urdf"
    path.write_text(URDF, encoding="utf-8")
    return path


def arrays(arm: qddot.Robot, q: Any, qd: Any, qdd: Any) -> dict[str, Any]:
    return {
        "qd": qd,
        "qdd": qdd,
        "M": arm.mass_matrix(q),
        "C": arm.coriolis_matrix(q, qd),
        "J": arm.jacobian(q, "fore"),
        "tau": arm.inverse_dynamics(q, qd, qdd),
    }


def test_numbers_are_those_that_pinocchio_prints(path: Path) -> None:
    arm = qddot.load(path)
    place = [IN_PINOCCHIO.index(body.joint.name) for body in arm.model.moving()]
    q, qd, qdd = (np.array(row)[place] for row in ([0.3, -0.2, 0.5, 0.9], QD, QDD))
    theirs = aliases.in_convention(arm, "pinocchio", q, **arrays(arm, q, qd, qdd))
    circle = [np.cos(0.3), np.sin(0.3), -0.2, 0.5, np.cos(0.9), np.sin(0.9)]
    right: dict[str, Any] = {"q": circle, "qd": QD, "qdd": QDD, "tau": TAU, "M": M, "C": C, "J": J}
    for name, expected in right.items():
        np.testing.assert_allclose(theirs[name], expected, atol=1e-11, err_msg=name)
    ours = aliases.from_convention(arm, "pinocchio", circle, QD, QDD, M=M, C=C, J=J, tau=TAU)
    for name, expected in ({"q": q} | arrays(arm, q, qd, qdd)).items():
        np.testing.assert_allclose(ours[name], expected, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("batch", [(), (3,)])
def test_a_free_arm_has_pinocchios_numbers(path: Path, batch: tuple[int, ...]) -> None:
    arm = qddot.load(path, base="free")
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    data, rng = model.createData(), np.random.default_rng(1)
    q = arm.integrate(np.broadcast_to(arm.neutral(), (*batch, 11)), rng.uniform(-1, 1, (*batch, arm.n)))
    qd, qdd = rng.normal(size=(2, *batch, arm.n))
    theirs = aliases.in_convention(arm, "pinocchio", q, **arrays(arm, q, qd, qdd))
    assert theirs["q"].shape == (*batch, model.nq)
    for at in np.ndindex(batch):
        state = [np.ascontiguousarray(theirs[name][at]) for name in ("q", "qd")]
        mass = np.triu(pin.crba(model, data, state[0]))
        pin.computeJointJacobians(model, data, state[0])
        pin.updateFramePlacements(model, data)
        frame = model.getFrameId("fore")
        for name, expected in {
            "tau": pin.rnea(model, data, *state, np.ascontiguousarray(theirs["qdd"][at])),
            "M": mass + np.triu(mass, 1).T,
            "C": pin.computeCoriolisMatrix(model, data, *state),
            "J": pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED),
        }.items():
            np.testing.assert_allclose(theirs[name][at], expected, atol=1e-11, err_msg=name)
    ours = aliases.from_convention(arm, "pinocchio", **theirs)
    for name, expected in arrays(arm, q, qd, qdd).items():
        np.testing.assert_allclose(ours[name], expected, atol=1e-11, err_msg=name)


def test_mujoco_goes_to_the_end_of_a_branch_in_the_order_of_the_file(path: Path) -> None:
    arm, rng = qddot.load(path), np.random.default_rng(2)
    model = mujoco.MjModel.from_xml_string(
        URDF.replace('name="branched">', 'name="b"><mujoco><compiler fusestatic="false"/></mujoco>')
    )
    data = mujoco.MjData(model)
    q, qd, qdd = rng.normal(size=(3, arm.n))
    theirs = aliases.in_convention(arm, "mujoco", q, **arrays(arm, q, qd, qdd))
    assert [model.joint(k).name for k in range(model.njnt)] == ["turn", "bend", "tail", "nod"]
    data.qpos[:], data.qvel[:], data.qacc[:] = theirs["q"], theirs["qd"], theirs["qdd"]
    mujoco.mj_inverse(model, data)
    np.testing.assert_allclose(theirs["tau"], data.qfrc_inverse, atol=1e-10)


def test_a_user_names_the_joints_of_another_order(path: Path) -> None:
    arm, rng = qddot.load(path, base="free"), np.random.default_rng(3)
    q = arm.integrate(arm.neutral(), rng.uniform(-1, 1, arm.n))
    qd, qdd = rng.normal(size=(2, arm.n))
    own, sorted_ones = arrays(arm, q, qd, qdd), aliases.in_convention(arm, "pinocchio", q, qd)
    named = aliases.in_convention(arm, "pinocchio", q, qd, joints=IN_PINOCCHIO)
    for name, expected in sorted_ones.items():
        np.testing.assert_array_equal(named[name], expected)
    as_in_file = aliases.in_convention(arm, "drake", q, **own, joints=IN_FILE)
    other_way = aliases.in_convention(arm, "drake", q, **own, joints=IN_FILE[::-1])
    flipped = [0, 1, 2, 3, 4, 5, 9, 8, 7, 6]
    np.testing.assert_array_equal(other_way["M"], as_in_file["M"][np.ix_(flipped, flipped)])
    np.testing.assert_array_equal(other_way["J"], as_in_file["J"][:, flipped])
    back = aliases.from_convention(arm, "drake", **other_way, joints=IN_FILE[::-1])
    for name, expected in own.items():
        np.testing.assert_allclose(back[name], expected, atol=1e-11, err_msg=name)


def test_an_order_that_is_not_known_is_asked_for(path: Path) -> None:
    arm = qddot.load(path)
    again = qddot.loads(arm.to_toml())  # Pinocchio may have read URDF or MJCF
    q = np.zeros(4)
    for model, program, joints, message in (
        (arm, "drake", None, "the order of the joints in drake is not known: several begin at body; give the names"),
        (again, "pinocchio", None, r"not known: several begin at body; .* by joints=, in Pinocchio model\.names\[1:\]"),
        (arm, "pinocchio", "turn", "joints are 'turn'; expected a list of names"),
        (arm, "pinocchio", ["turn", "tail", "bend"], "expected each of turn, tail, bend, nod once"),
        (arm, "pinocchio", ["turn", "tail", "bend", "bend"], "expected each of turn, tail, bend, nod once"),
        (arm, "pinocchio", ["turn", "tail", "bend", "aloft"], "no joint 'aloft' with a coordinate"),
    ):
        with pytest.raises(EvaluationError, match=message):
            aliases.in_convention(model, program, q, joints=joints)
        with pytest.raises(EvaluationError, match=message):
            aliases.from_convention(model, program, q, joints=joints)
    theirs = aliases.in_convention(again, "pinocchio", [1, 2, 3, 4], joints=["nod", "tail", "turn", "bend"])
    np.testing.assert_array_equal(theirs["q"], [4, 2, 1, 3])
    in_both = qddot.load("solo12")  # its joints' names are sorted as in the file
    np.testing.assert_array_equal(
        aliases.in_convention(in_both, "pinocchio", in_both.neutral())["q"][7:], in_both.neutral()[7:]
    )


def test_a_chain_has_one_order_whatever_that_of_its_coordinates() -> None:
    """Outward along the chain: φ about the vertical, then θ, while q is (θ, φ)."""
    arm = qddot.load("spherical_pendulum")
    for program in ("pinocchio", "mujoco", "drake", "idyntree", "newton"):
        np.testing.assert_array_equal(aliases.in_convention(arm, program, [0.1, 0.2])["q"], [0.2, 0.1])
