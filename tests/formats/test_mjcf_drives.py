"""Gears, tendons and linear equalities of MJCF: by hand, and as MuJoCo computes."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import NotModelledError
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous

LINK = '<body name="{0}" pos="{1} 0 0"><joint name="{0}" axis="0 1 0" {2}/><inertial pos="1 0 0" mass="{3}" {4}/>'
ARM = "<mujoco><worldbody>{}{}{}</body></body></body></worldbody>{{}}</mujoco>".format(
    *(
        LINK.format(name, min(k, 1), f"{{{name}}}", k + 1, 'diaginertia="1e-9 1e-9 1e-9"')
        for k, name in enumerate("abc")
    )
)


def arm_file(folder: Path, rest: str, **joints: str) -> str:
    path = folder / "arm.xml"
    path.write_text(ARM.format(rest, **{"a": "", "b": "", "c": "", **joints}), encoding="utf-8")
    return str(path)


def free_mass_matrix(folder: Path, q: list[float]) -> np.ndarray:
    """Returns MuJoCo's M of the three joints without equalities."""
    model = mujoco.MjModel.from_xml_path(arm_file(folder, ""))
    data, M = mujoco.MjData(model), np.zeros((3, 3))
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, M)
    return M


def effects(arm: qddot.Robot, k: int = 0) -> tuple[Effect, ...]:
    return arm.model.bodies[k].joint.effects


TENDON = '<tendon><fixed name="t" {}><joint joint="b" coef="{}"/></fixed></tendon>'


def test_a_tendon_of_one_joint_acts_by_the_square_of_its_coefficient(tmp_path: Path) -> None:
    given = 'stiffness="3" springlength="0.5" damping="2" frictionloss="0.7" armature="0.25"'
    arm = qddot.load(arm_file(tmp_path, TENDON.format(given, -2)))
    assert set(effects(arm, 1)) == {Armature(1), Viscous(8), Coulomb(expression("7/5")), Spring(12, expression("-1/4"))}
    assert arm.model.left_out == ()


def test_springs_of_a_joint_and_of_its_tendon_are_one(tmp_path: Path) -> None:
    """−4 (q − 0.5) − 12 (q + 0.25) = −16 (q + 1/16)."""
    tendon = TENDON.format('stiffness="3" springlength="0.5"', -2)
    path = arm_file(tmp_path, f'<compiler angle="radian"/>{tendon}', b='stiffness="4" springref="0.5"')
    assert effects(qddot.load(path), 1) == (Spring(16, expression("-1/16")),)
    opposite = TENDON.format('stiffness="1" springlength="0.5"', 2)
    path = arm_file(tmp_path, f'<compiler angle="radian"/>{opposite}', b='stiffness="-4" springref="0.5"')
    assert effects(qddot.load(path), 1) == (Spring(-4, expression("0.5")), Spring(4, expression("0.25")))


def test_drives_accelerate_as_in_mujoco(tmp_path: Path) -> None:
    rest = TENDON.format('stiffness="3" damping="2" armature="0.25"', -2)
    rest += '<actuator><motor joint="a" gear="5" armature="0.1" damping="0.3"/>'
    rest += '<motor tendon="t" gear="3" armature="0.2"/></actuator>'
    path = arm_file(tmp_path, rest, b='stiffness="4" springref="30" ref="10" armature="0.1"')
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = [0.3, 0.2, -0.4], [0.5, -0.4, 0.7]
    mujoco.mj_forward(model, data)
    arm = qddot.load(path)
    qdd = arm.forward_dynamics([0.3, 0.2, -0.4], [0.5, -0.4, 0.7], [0, 0, 0])
    np.testing.assert_allclose(qdd, data.qacc, rtol=1e-8)
    assert arm.driven == ("q1", "q2")


@pytest.mark.parametrize(
    ("actuators", "effort"),
    [
        ('<motor joint="a" gear="50" ctrlrange="-3 2"/>', 150),
        ('<motor joint="a" gear="-50" forcerange="-1 2"/>', 100),
        ('<motor joint="a" gear="50" ctrlrange="-3 3" forcerange="-1 2"/>', 100),
        ('<motor joint="a" ctrlrange="-3 3"/><motor joint="a" gear="2" ctrlrange="-1 1"/>', 5),
        ('<motor joint="a" ctrlrange="-3 3"/><motor joint="a"/>', None),
        ('<motor joint="a"/>', None),
        ('<general joint="a" gainprm="10" ctrlrange="-3 3"/>', 30),
        ('<position joint="a" kp="100" ctrlrange="-3 3"/>', None),  # the control is an angle
        ('<position joint="a" kp="100" gear="2" forcerange="-3 3"/>', 6),
        ('<motor joint="a" ctrlrange="-3 3" ctrllimited="false"/>', None),
        ("", None),
    ],
)
def test_the_effort_of_a_motor_is_that_behind_its_gear(actuators: str, effort: float | None, tmp_path: Path) -> None:
    arm = qddot.load(arm_file(tmp_path, f"<actuator>{actuators}</actuator>"))
    assert arm.model.bodies[0].joint.effort == effort


def test_the_joint_may_limit_its_motors_further(tmp_path: Path) -> None:
    for most, effort in ((100, 100), (200, 150)):
        path = arm_file(
            tmp_path,
            '<actuator><motor joint="a" gear="50" ctrlrange="-3 3"/></actuator>',
            a=f'actuatorfrcrange="-{most} {most}"',
        )
        assert qddot.load(path).model.bodies[0].joint.effort == effort


LENGTHS = '<tendon><fixed name="t">{}</fixed><fixed name="u"><joint joint="c" coef="2"/></fixed></tendon>'


def lengths(**coefficients: float) -> str:
    return LENGTHS.format("".join(f'<joint joint="{name}" coef="{c}"/>' for name, c in coefficients.items()))


def test_a_motor_on_several_joints_drives_them_and_its_limit_is_noted(tmp_path: Path) -> None:
    motor = '<actuator><motor name="m" tendon="t" ctrlrange="-1 1"/><motor joint="a" ctrlrange="-2 2"/></actuator>'
    arm = qddot.load(arm_file(tmp_path, lengths(a=1, b=-1) + motor))
    assert arm.driven == ("q1", "q2")
    assert [body.joint.effort for body in arm.model.bodies] == [None] * 3
    assert "the limit of actuator 'm', which acts on several joints, is not read" in arm.model.notes


TWO = '<equality><tendon tendon1="t" tendon2="u" polycoef="{} {} 0 0 0"/></equality>'
ONE = '<equality><tendon tendon1="t" polycoef="{}"/></equality>'


def same_as_reduced(arm: qddot.Robot, folder: Path, E: list[list[float]], shift: list[float], q: list[float]) -> None:
    """M = Eᵀ M_all E at the positions E q + shift of the three joints."""
    E_of = np.array(E)
    M = free_mass_matrix(folder, list(E_of @ q + shift))
    assert arm.n == len(q)
    np.testing.assert_allclose(arm.mass_matrix(q), E_of.T @ M @ E_of, rtol=1e-9)


def test_two_tendons_of_one_joint_each_couple_two_joints(tmp_path: Path) -> None:
    """3 b = 0.3 + 2 · 2 c, so that c = 0.75 b − 0.075."""
    arm = qddot.load(arm_file(tmp_path, lengths(b=3) + TWO.format(0.3, 2)))
    same_as_reduced(arm, tmp_path, [[1, 0], [0, 1], [0, 0.75]], [0, 0, -0.075], [0.2, 0.3])


def test_a_tendon_of_two_joints_holds_their_sum(tmp_path: Path) -> None:
    """The parallel wrist of a desk lamp: a + b = −0.4, so that b turns back as far as a turns."""
    arm = qddot.load(arm_file(tmp_path, lengths(a=1, b=1) + ONE.format(-0.4)))
    same_as_reduced(arm, tmp_path, [[1, 0], [-1, 0], [0, 1]], [0, -0.4, 0], [0.2, 0.3])


def test_values_in_the_initial_configuration_count(tmp_path: Path) -> None:
    """MuJoCo's own constraint vanishes where the joint is that we compute: b − 20° = −(a − 10°) + 0.1."""
    path = arm_file(tmp_path, lengths(a=1, b=1) + ONE.format(0.1), a='ref="10"', b='ref="20"')
    arm, model = qddot.load(path), mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    data.qpos[:] = [0.3, np.radians(30) + 0.1 - 0.3, 0.2]
    mujoco.mj_forward(model, data)
    assert abs(data.efc_pos[0]) < 1e-15
    tip = data.xmat[-1].reshape(3, 3)
    np.testing.assert_allclose(arm.forward_kinematics([0.3, 0.2])[:3, :3], tip, atol=1e-12)


def test_one_joint_may_follow_two(tmp_path: Path) -> None:
    """c = (a + 2 b − 0.4) / 4, by 1 a + 2 b = 0.4 + 2 · 2 c."""
    arm = qddot.load(arm_file(tmp_path, lengths(a=1, b=2) + TWO.format(0.4, 2)))
    for q in ([0, 0], [0.2, -0.3]):
        same_as_reduced(arm, tmp_path, [[1, 0], [0, 1], [0.25, 0.5]], [0, 0, -0.1], q)
    assert "joint 'c' moves with the coordinates of 'a', 'b'" in arm.model.notes
    assert arm.prove()
    again = qddot.loads(arm.to_toml())
    np.testing.assert_allclose(again.mass_matrix([0.2, -0.3]), arm.mass_matrix([0.2, -0.3]), rtol=1e-12)


def test_a_motor_of_a_joint_that_follows_two_drives_both(tmp_path: Path) -> None:
    text = lengths(a=1, b=2) + TWO.format(0, 2) + '<actuator><motor joint="c"/></actuator>'
    assert qddot.load(arm_file(tmp_path, text)).driven == ("q1", "q2")


def test_the_joint_without_friction_follows(tmp_path: Path) -> None:
    text = lengths(a=1, b=2) + TWO.format(0, 2)
    arm = qddot.load(arm_file(tmp_path, text, c='damping="1"', a='damping="2"'))
    assert [body.joint.effects for body in arm.model.bodies if body.joint.leads] == [(Viscous(2),), (Viscous(1),)]
    path = arm_file(tmp_path, text, a='damping="2"', b='damping="2"', c='damping="1"')
    with pytest.raises(NotModelledError, match="which follows several joints"):
        qddot.load(path)


def test_two_equalities_of_three_joints_leave_one_coordinate(tmp_path: Path) -> None:
    """a + b = 2 c and a = b, so that all three are equal."""
    equalities = (
        '<equality><tendon tendon1="t" tendon2="u"/><joint joint1="b" joint2="a" polycoef="0 1 0 0 0"/></equality>'
    )
    arm = qddot.load(arm_file(tmp_path, lengths(a=1, b=1) + equalities))
    same_as_reduced(arm, tmp_path, [[1], [1], [1]], [0, 0, 0], [0.3])


def test_equalities_may_hold_all_their_joints_still(tmp_path: Path) -> None:
    """a + b = 0.4 and a − b = 0.2, so that a = 0.3 and b = 0.1."""
    equalities = '<equality><tendon tendon1="t" polycoef="0.4"/><tendon tendon1="v" polycoef="0.2"/></equality>'
    more = '<fixed name="v"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>'
    arm = qddot.load(arm_file(tmp_path, lengths(a=1, b=1).replace("</tendon>", more) + equalities))
    for fixed in ("joint 'a' is fixed at 0.3", "joint 'b' is fixed at 0.1"):
        assert any(each.startswith(fixed) for each in arm.model.notes)
    same_as_reduced(arm, tmp_path, [[0], [0], [1]], [0.3, 0.1, 0], [0.5])


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        (lengths(a=1, b=1) + TWO.format(0, 1).replace("1 0 0 0", "1 2 0 0"), "not linear"),
        (lengths(a=1) + ONE.format(0) + '<equality><joint joint1="a"/></equality>', "already determine"),
        (lengths(a=1) + ONE.format(0) + '<equality><joint joint1="a" polycoef="1"/></equality>', "already determine"),
        (lengths(c=2) + TWO.format(0, 1), "already determine"),
    ],
    ids=["a polynomial", "the same twice", "a contradiction", "nothing"],
)
def test_equalities_that_determine_nothing_are_refused_with_the_reason(rest: str, why: str, tmp_path: Path) -> None:
    path = arm_file(tmp_path, rest)
    with pytest.raises(NotModelledError, match=f"{why}.*--without equalities"):
        qddot.load(path)
    assert qddot.load(path, without="equalities").n == 3


def test_tendons_over_sites_and_with_slack_are_not_modelled(tmp_path: Path) -> None:
    over = '<tendon><spatial name="t"><site site="s"/><site site="r"/></spatial></tendon>'
    path = Path(arm_file(tmp_path, over + ONE.format(0)))
    sites = '<worldbody><site name="s"/>'
    text = (
        path.read_text(encoding="utf-8").replace("<worldbody>", sites).replace("</body>", '<site name="r"/></body>', 1)
    )
    path.write_text(text, encoding="utf-8")
    with refusal(NotModelledError, "not-modelled", "content-equalities"):
        qddot.load(path)
    slack = arm_file(tmp_path, TENDON.format('stiffness="3" springlength="0.1 0.5"', 1))
    assert [each.name for each in qddot.load(slack, without="tendons").model.left_out] == ["tendons"]
