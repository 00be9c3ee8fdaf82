"""Simple transmissions of URDF give their joints armature n² J, in the layouts of ROS, of the PR2 and of Drake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import NotModelledError, QddotError
from qddot.formats import urdf
from qddot.inspect.doctor.described import diagnose_file

LINK = '<link name="{}"><inertial><origin xyz="1 0 0"/><mass value="{}"/></inertial></link>'
JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="0 1 0"/>
  <origin xyz="{4} 0 0"/><limit lower="-1" upper="1" effort="80" velocity="2"/></joint>"""
ARM = f"""<robot name="arm"><link name="ground"/>{LINK.format("upper", 1)}{LINK.format("fore", 2)}<link name="plate"/>
{JOINT.format("shoulder", "revolute", "ground", "upper", 0)}{JOINT.format("elbow", "revolute", "upper", "fore", 1)}
<joint name="weld" type="fixed"><parent link="fore"/><child link="plate"/></joint>{{}}</robot>"""
STRETCHED = np.array([[1 + 2 * 2**2, 2 * 2], [2 * 2, 2]])  # M of points of 1 kg and 2 kg, 1 m and 2 m from the shoulder
OF_ROS = """<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
  <joint name="{joint}"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
  <actuator name="m"><mechanicalReduction>{n}</mechanicalReduction><motorInertia>{J}</motorInertia></actuator>
</transmission>"""
LAYOUTS = {
    "ROS, in the actuator": OF_ROS,
    "ROS, in the joint": """<transmission name="t"><type>SimpleTransmission</type>
        <joint name="{joint}"><mechanicalReduction>{n}</mechanicalReduction></joint>
        <actuator name="m"><motorInertia> {J} </motorInertia></actuator></transmission>""",
    "the PR2's": """<transmission type="pr2_mechanism_model/SimpleTransmission" name="t"><actuator name="m"/>
        <joint name="{joint}"/><mechanicalReduction>{n}</mechanicalReduction><motorInertia>{J}</motorInertia>
        </transmission>""",
    "Drake's": """<transmission xmlns:drake="http://drake.mit.edu"><type>SimpleTransmission</type>
        <joint name="{joint}"/><actuator name="m"><drake:gear_ratio value="{n}"/>
        <drake:rotor_inertia value="{J}"/></actuator></transmission>""",
}


def read(transmissions: str) -> qddot.Robot:
    return qddot.Robot(urdf.loads(ARM.format(transmissions), "arm.urdf"))


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
@pytest.mark.parametrize("n", ["50", "-50"])
def test_a_rotor_behind_a_gear_resists_n_squared_times(layout: str, n: str) -> None:
    arm = read(layout.format(joint="elbow", n=n, J="1e-4"))
    np.testing.assert_allclose(arm.mass_matrix([0, 0]), STRETCHED + np.diag([0, 0.25]), rtol=1e-15)
    assert [each for each in arm.model.notes if "joint 'elbow': the motor's inertia 0.0001" in each]


def test_a_motor_without_a_reduction_drives_directly() -> None:
    text = OF_ROS.format(joint="shoulder", n="", J="0.5").replace("<mechanicalReduction></mechanicalReduction>", "")
    np.testing.assert_array_equal(read(text).mass_matrix([0, 0]), STRETCHED + np.diag([0.5, 0]))


def test_two_motors_on_a_joint_add_up() -> None:
    second = (
        '<actuator name="n"><mechanicalReduction>10</mechanicalReduction><motorInertia>0.01</motorInertia></actuator>'
    )
    text = OF_ROS.format(joint="elbow", n="2", J="0.5").replace("</transmission>", f"{second}</transmission>")
    third = OF_ROS.format(joint="elbow", n="1", J="4")
    np.testing.assert_array_equal(read(text + third).mass_matrix([0, 0]), STRETCHED + np.diag([0, 2 + 1 + 4]))


def test_the_rotor_of_a_follower_resists_its_leader() -> None:
    """q of the elbow = 3 q: the rotor turns 3 · 2 times as fast, and M = (1, 3) M_all (1, 3)ᵀ."""
    text = ARM.replace('<child link="fore"/>', '<child link="fore"/><mimic joint="shoulder" multiplier="3"/>')
    arm = qddot.Robot(urdf.loads(text.format(OF_ROS.format(joint="elbow", n="2", J="0.5")), "arm.urdf"))
    E = np.array([1, 3])
    np.testing.assert_allclose(arm.mass_matrix([0]), [[E @ STRETCHED @ E + 6**2 * 0.5]])


def test_the_limit_of_effort_is_that_at_the_joint() -> None:
    joint = read(OF_ROS.format(joint="elbow", n="50", J="1e-4")).model.bodies[1].joint
    assert (joint.effort, joint.velocity) == (80, 2)


def test_urdf_that_is_written_keeps_the_rotor_once() -> None:
    arm = read(OF_ROS.format(joint="elbow", n="50", J="1e-4"))
    text = arm.to_urdf()
    np.testing.assert_array_equal(urdf_again(text).mass_matrix([0, 0]), arm.mass_matrix([0, 0]))
    both = urdf_again(text.replace("</robot>", OF_ROS.format(joint="elbow", n="50", J="1e-4") + "</robot>"))
    np.testing.assert_array_equal(both.mass_matrix([0, 0]), arm.mass_matrix([0, 0]))
    assert any("the armature in the comment counts" in each for each in both.model.notes)


def urdf_again(text: str) -> qddot.Robot:
    return qddot.Robot(urdf.loads(text, "again.urdf"))


def test_macros_may_compute_the_inertia(tmp_path: Path) -> None:
    path = tmp_path / "arm.xacro"
    text = ARM.format(OF_ROS.format(joint="elbow", n="${5*10}", J="${2e-4/2}"))
    path.write_text(text.replace("<robot ", '<robot xmlns:xacro="http://ros.org/wiki/xacro" '), encoding="utf-8")
    np.testing.assert_allclose(qddot.load(path).mass_matrix([0, 0]), STRETCHED + np.diag([0, 0.25]), rtol=1e-15)


ODD = {
    "an unknown joint": ({"joint": "elbo"}, ("no-such-joint", "arm.urdf:6", "<joint 'elbo'>", "'elbow'")),
    "a joint that does not move": ({"joint": "weld"}, ("transmission-joint-type", "'weld'", "'fixed'")),
    "a reduction of zero": ({"n": "0"}, ("reduction-zero", "arm.urdf:7", "<mechanicalReduction>")),
    "a reduction that is no number": ({"n": "1:50"}, ("decimal-wrong", "mechanicalReduction", "'1:50'")),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=list(ODD))
def test_a_rotor_that_cannot_be_placed_is_refused(odd: tuple[dict[str, str], tuple[str, ...]]) -> None:
    with refusal(QddotError, *odd[1]):
        read(OF_ROS.format(**{"joint": "elbow", "n": "50", "J": "1e-4", **odd[0]}))


@pytest.mark.parametrize(
    ("J", "message"),
    [("-1e-4", ("value-negative", "<motorInertia>")), ("1,5", ("decimal-wrong", "motorInertia", "'1,5'"))],
)
def test_an_impossible_inertia_is_refused(J: str, message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        read(OF_ROS.format(joint="elbow", n="50", J=J))


def test_a_rotor_of_no_joint_is_refused() -> None:
    with refusal(QddotError, "transmission-without-joint", "arm.urdf:5", "<transmission 't'>"):
        read('<transmission name="t"><actuator><motorInertia>1</motorInertia></actuator></transmission>')


@pytest.mark.parametrize("odd", ODD.values(), ids=list(ODD))
def test_the_doctor_finds_what_is_wrong_without_an_inertia(
    odd: tuple[dict[str, str], tuple[str, ...]], tmp_path: Path
) -> None:
    path = tmp_path / "arm.urdf"
    text = OF_ROS.format(**{"joint": "elbow", "n": "50", "J": "0", **odd[0]})
    path.write_text(ARM.format(text), encoding="utf-8")
    np.testing.assert_array_equal(qddot.load(path).mass_matrix([0, 0]), STRETCHED)
    findings = [each for each in diagnose_file(path) if each.check == "unread_content"]
    assert [each.place for each in findings] == ["line 5 <transmission 't'>"]


def test_a_transmission_that_names_no_joint_is_found(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.format('<transmission name="t"><actuator name="m"/></transmission>'), encoding="utf-8")
    (finding,) = [each for each in diagnose_file(path) if each.check == "unread_content"]
    assert "names no joint" in str(finding)
    assert "name the joint that the motor turns" in str(finding)


@pytest.mark.parametrize("kind", ["DifferentialTransmission", "FourBarLinkageTransmission"])
def test_transmissions_of_several_joints_are_noted_and_their_rotors_refused(kind: str) -> None:
    text = OF_ROS.replace("SimpleTransmission", kind)
    (note,) = read(text.format(joint="elbow", n="50", J="0")).model.notes
    assert note.startswith("line 5 <transmission 't'>: not read: a transmission of several joints")
    assert [each.name for each in urdf.loads(ARM.format(text.format(joint="elbow", n="50", J="1")), "a").left_out] == [
        "rotors"
    ]


def test_two_joints_are_no_simple_transmission(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    text = OF_ROS.format(joint="elbow", n="50", J="1").replace("<actuator", '<joint name="shoulder"/><actuator')
    path.write_text(ARM.format(text), encoding="utf-8")
    with pytest.raises(NotModelledError, match="--without rotors"):
        qddot.load(path)
