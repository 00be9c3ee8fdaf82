"""`qddot diff --against` runs the peer on the file and names the entries that differ, and the confusion behind them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import commands
import numpy as np
import pytest

import qddot
from qddot.inspect.against.against import Against, diff_against, peer
from qddot.robot.bodies import Body
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous

PEERS = ("mujoco", "pinocchio")
Change = Callable[[qddot.Robot], qddot.Robot]
CALM = """<mujoco model="calm"><compiler angle="radian"/><option gravity="0 1 -9"/><worldbody>
<body name="upper" pos="0 0 1"><inertial pos="0.1 0 0.2" mass="2" diaginertia="0.02 0.03 0.04"/>
<joint name="shoulder" axis="0 1 0" ref="0.3" armature="0.7" damping="0.5" stiffness="2" springref="0.1"/>
<body name="fore" pos="0.4 0 0" quat="0.8 0.6 0 0"><inertial pos="0 0.1 0" mass="1" diaginertia="0.02 0.03 0.04"/>
<joint name="slider" type="slide" axis="0 0 1" armature="0.1"/></body></body></worldbody></mujoco>"""


def with_effects(*effects: Effect) -> Change:
    def changed(arm: qddot.Robot) -> qddot.Robot:
        bodies = (replace(body, joint=replace(body.joint, effects=effects)) for body in arm.model.bodies)
        return qddot.Robot(replace(arm.model, bodies=tuple(bodies)))

    return changed


def with_bodies(change: Callable[[Body], Body]) -> Change:
    return lambda arm: qddot.Robot(replace(arm.model, bodies=tuple(map(change, arm.model.bodies))))


def about_the_origin(body: Body) -> Body:
    """The tensor about the centre of mass, taken as one about the origin, as by somebody who copies Link.I."""
    inertia = body.inertia
    return replace(body, inertia=replace(inertia, I=inertia.central_tensor(body.com)), partial_inertia=True)


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    path = tmp_path / "ur5.urdf"
    path.write_text(qddot.load("ur5").to_urdf(), encoding="utf-8")
    return path


def names(result: Against) -> set[str]:
    """The quantities of the entries that differ."""
    return {entry.name[0] for entry in result.entries}


def causes(result: Against) -> list[str]:
    assert result.comparison is not None
    return [finding.cause for finding in result.comparison.findings]


@pytest.mark.parametrize("program", PEERS)
@pytest.mark.parametrize("name", ["ur5", "ur10", "xarm7", "kinova_6dof", "franka_panda"])
def test_an_arm_agrees_with_what_a_peer_makes_of_its_urdf(program: str, name: str, tmp_path: Path) -> None:
    arm = qddot.load(name)
    (tmp_path / "arm.urdf").write_text(arm.to_urdf(), encoding="utf-8")
    result = diff_against(arm, program, tmp_path / "arm.urdf")
    assert result, result
    assert result.entries == ()
    assert result.comparison is None


def test_mujoco_counts_reference_positions_armature_damping_and_springs(tmp_path: Path) -> None:
    path = tmp_path / "calm.xml"
    path.write_text(CALM, encoding="utf-8")
    result = diff_against(qddot.load(path), "mujoco", path)
    assert result, result
    assert set(result.worst) == {"M", "h", "G", "F"}


KNOWN: list[tuple[str, Change, set[str], str]] = [
    # the vector of a toolbox whose gravity is the base's acceleration
    (
        "gravity",
        lambda arm: qddot.Robot(replace(arm.model, gravity=arm.model.gravity.map(lambda part: -part))),
        {"G"},
        "gravity sign",
    ),
    ("armature", with_effects(Armature("0.5")), {"M"}, "missing armature"),
    ("inertia", with_bodies(about_the_origin), {"M", "h"}, "inertia about the centre of mass"),
]


@pytest.mark.parametrize("program", PEERS)
@pytest.mark.parametrize(("change", "differing", "cause"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_a_known_difference_is_named(program: str, change: Change, differing: set[str], cause: str, urdf: Path) -> None:
    result = diff_against(change(qddot.load("ur5")), program, urdf)
    assert not result
    assert names(result) == differing
    assert causes(result) == [cause]
    assert result.comparison is not None
    assert result.comparison.explanation is not None


def test_a_rotor_before_the_gears_is_a_scaled_armature(tmp_path: Path) -> None:
    """The toolbox's Jm is before the gears, armature here is Jm G²."""
    path = tmp_path / "calm.xml"
    path.write_text(CALM.replace('armature="0.1"', 'armature="0.7"'), encoding="utf-8")
    arm = qddot.load(path)
    before = [
        replace(
            body,
            joint=replace(
                body.joint,
                effects=tuple(Armature("0.00007") if isinstance(e, Armature) else e for e in body.joint.effects),
            ),
        )
        for body in arm.model.bodies
    ]
    result = diff_against(qddot.Robot(replace(arm.model, bodies=tuple(before))), "mujoco", path)
    assert names(result) == {"M"}
    assert causes(result) == ["scaled armature"]


def test_friction_is_counted_by_mujoco_and_left_out_by_pinocchio(urdf: Path) -> None:
    damped = with_effects(Viscous("0.5"))(qddot.load("ur5"))
    ours = diff_against(damped, "pinocchio", urdf)
    assert ours
    assert "leaves out friction and springs" in str(ours)
    other = diff_against(damped, "mujoco", urdf)
    assert names(other) == {"F"}
    assert causes(other) == ["missing damping"]
    dry = diff_against(with_effects(Coulomb("0.5"))(qddot.load("ur5")), "mujoco", urdf)
    assert dry
    assert "leaves out dry friction" in str(dry)
    sprung = diff_against(with_effects(Spring("2", "0.1"))(qddot.load("ur5")), "mujoco", urdf)
    assert names(sprung) == {"F"}


def test_the_entries_are_the_peers_own_numbers(urdf: Path) -> None:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(urdf))
    q, qd = np.random.default_rng(1).uniform(-3, 3, (2, 6))
    numbers = peer("pinocchio", urdf).numbers(q, qd)
    arm = qddot.load("ur5")
    np.testing.assert_allclose(numbers.M, arm.mass_matrix(q), rtol=0, atol=1e-12)
    np.testing.assert_allclose(numbers.h + numbers.G, pin.nle(model, model.createData(), q, qd), rtol=0, atol=1e-12)
    np.testing.assert_allclose(numbers.G, arm.gravity(q), rtol=0, atol=1e-11)


FOLLOWS = '<mimic joint="elbow" multiplier="0.5"/>'
LINK = (
    '<link name="{0}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
    '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin xyz="0.3 0 0"/>'
    '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{3}</joint>'
)


def test_a_joint_that_is_free_in_the_peer_moves_with_its_leader(tmp_path: Path) -> None:
    path = tmp_path / "gripper.urdf"
    parts = [LINK.format("base"), LINK.format("upper"), LINK.format("finger")]
    parts += [JOINT.format("elbow", "base", "upper", ""), JOINT.format("tip", "upper", "finger", FOLLOWS)]
    path.write_text(f'<robot name="gripper">{"".join(parts)}</robot>', encoding="utf-8")
    result = diff_against(qddot.load(path), "pinocchio", path)
    assert qddot.load(path).n == 1
    assert result, result
    assert "moved with their leaders" in str(result)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return commands.run(capsys, "diff", *arguments)


def test_the_command_says_which_entries_differ_and_why(
    urdf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(KNOWN[0][1](qddot.load("ur5")).to_toml(), encoding="utf-8")
    code, out, _ = run(capsys, str(mine), "--against", "mujoco", str(urdf))
    assert code == 1
    assert "in B gravity points the other way" in out
    assert " G2 " in out
    code, out, _ = run(capsys, str(mine), "--against", "pinocchio", str(urdf), "--json")
    content = json.loads(out)
    assert (code, content["agree"], content["entries"][0]["name"]) == (1, False, "G2")
    assert run(capsys, "ur5", "--against", "pinocchio", str(urdf))[0] == 0


BALL = '<mujoco><worldbody><body><joint type="ball"/><geom size="1"/></body></worldbody></mujoco>'
BAD = [
    ("no.urdf", "", "the file does not exist"),
    ("robot.toml", 'convention = "dh"\n', "no peer reads"),
    ("macros.xacro", '<robot name="m"/>', "no peer reads"),
    ("broken.urdf", "<robot name='m'><link", "invalid XML"),
    ("other.xml", "<sdf version='1.6'/>", "a file of <sdf>"),
    ("ball.xml", BALL, "ball"),
    ("refused.urdf", '<robot name="m"><joint name="j" type="odd"/></robot>', "refuses the file"),
]


@pytest.mark.parametrize("program", PEERS)
@pytest.mark.parametrize(("file", "text", "says"), BAD, ids=[row[0] for row in BAD])
def test_a_file_that_a_peer_refuses_is_a_row_with_the_reason(
    program: str, file: str, text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / file
    if text:
        path.write_text(text, encoding="utf-8")
    code, out, err = run(capsys, "ur5", "--against", program, str(path), "--json")
    row = json.loads(out)
    assert (code, err.count("\n"), row["agree"], row["file"]) == (2, 1, None, str(path))
    assert says in row["reason"]
    assert says in err


@pytest.mark.parametrize("program", PEERS)
def test_a_peer_that_is_not_installed_is_a_row_with_the_reason(
    program: str, urdf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, program, None)
    code, out, err = run(capsys, "ur5", "--against", program, str(urdf), "--json")
    assert code == 2
    assert "is not installed" in json.loads(out)["reason"]
    assert "pip install" in err


def test_a_state_is_not_asked_for(urdf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "ur5", "--against", "mujoco", str(urdf), "--at", "0,0,0,0,0,0")
    assert code == 2
    assert "--against with --at" in err


FOLLOWING = """<mujoco><worldbody>
<body name="a"><joint name="ja" axis="0 1 0"/><geom size=".1" mass="2" pos=".3 0 .1"/>
<body name="b" pos=".5 0 0"><joint name="jb" axis="0 1 0" type="{kind}"/><geom size=".1" mass="1" pos=".2 .05 0"/>
<body name="c" pos=".4 0 0" euler="10 20 30"><joint name="jc" axis="0 1 0" ref="20"/>
<geom size=".1" mass="1" pos=".2 .05 .1"/></body></body></body></worldbody>
<tendon><fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="2"/><joint joint="jc" coef="-1"/></fixed>
</tendon>
<equality>{relation}</equality></mujoco>"""


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        ("hinge", '<joint joint1="jb" joint2="ja" polycoef="0 -2 0 0 0"/>'),
        ("hinge", '<joint joint1="jb" joint2="ja" polycoef="0.3 2 0 0 0"/>'),
        ("hinge", '<joint joint1="jc" joint2="ja" polycoef="0.3 -2 0 0 0"/>'),
        ("slide", '<joint joint1="jb" joint2="ja" polycoef="0.3 -2 0 0 0"/>'),
        ("hinge", '<tendon tendon1="t"/>'),
    ],
)
def test_joints_that_follow_backwards_from_elsewhere_or_several_agree(kind: str, relation: str, tmp_path: Path) -> None:
    """The reader turns axes over and moves zeros; MuJoCo has free coordinates, which move by the relation."""
    path = tmp_path / "arm.xml"
    path.write_text(FOLLOWING.format(kind=kind, relation=relation))
    result = diff_against(qddot.load(path), "mujoco", path)
    assert result
    assert max(result.worst.values()) < 1e-11
