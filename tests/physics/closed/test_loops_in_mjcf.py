"""Equalities of MJCF are the constraints that MuJoCo computes: Lagrange multipliers by its rows give the same q̈."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from four_bars import mjcf, mjcf_body
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain

HEAD = '<mujoco><compiler angle="radian"/><worldbody>'
STEP = 1e-3  # of the differences for Ȧ, whose error is of fourth order


def opened(text: str, tmp_path: Path) -> ClosedChain:
    file = tmp_path / "chain.xml"
    file.write_text(text)
    return qddot.load_closed_chain(file)


def at(text: str, q: Any, qd: Any) -> tuple[Any, Any, Any]:
    """MuJoCo's M, bias with friction, and rows of its equalities."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, qd
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    rows = data.efc_J.reshape(-1, model.nv)[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    return M, data.qfrc_bias - data.qfrc_passive, rows.copy()


def theirs(text: str, q: Any, qd: Any, tau: Any) -> Any:
    """q̈ by Lagrange multipliers; all rows, redundant or not."""
    M, bias, A = at(text, q, qd)
    slope = sum(w * at(text, q + k * STEP * qd, qd)[2] for k, w in ((-2, 1), (-1, -8), (1, 8), (2, -1))) / (12 * STEP)
    left = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
    return np.linalg.lstsq(left, np.concatenate([tau - bias, -slope @ qd]), rcond=1e-11)[0][: len(q)]


def check(
    text: str, tmp_path: Path, joints: Sequence[tuple[int, float, float]] = (), reach: float = 0.2
) -> ClosedChain:
    """Holds q̈ against MuJoCo's in random states.

    joints: for each joint in MuJoCo its coordinate here, a ratio and an offset; by default the coordinates in order
    reach: how far the independent coordinates are from zero, where the loops are closed
    """
    chain, rng = opened(text, tmp_path), np.random.default_rng(5)
    ways = joints or [(k, 1.0, 0.0) for k in range(chain.n)]
    ratios = np.array([[ratio * (k == place) for k in range(chain.n)] for place, ratio, _ in ways])
    offsets = np.array([offset for *_, offset in ways])
    for _ in range(4):
        q = chain.assemble({name: rng.uniform(-reach, reach) for name in chain.independent}).q
        qd = chain.velocities(q, rng.normal(size=chain.m))
        tau = rng.normal(size=len(ways))
        qdd = ratios @ chain.forward_dynamics(q, qd, ratios.T @ tau)
        expected = theirs(text, ratios @ q + offsets, ratios @ qd, tau)
        assert np.abs(at(text, ratios @ q + offsets, ratios @ qd)[2] @ ratios @ qd).max() < 1e-9
        assert np.abs(qdd - expected).max() < 1e-9 * max(1.0, np.abs(expected).max())
    return chain


PIN = (
    '<body name="pin" pos="0.8 0 0.6" quat="0.8 0 0.6 0"><joint axis="0 1 0"/>'
    '<inertial pos="0.1 0 0" mass="0.2" diaginertia="0.01 0.01 0.01"/>{}</body>'
)


def with_pin(equality: str, site: str = "") -> str:
    """A four-bar whose coupler carries a pin, a link that may be welded to the rocker."""
    tree = mjcf_body("crank", mjcf_body("coupler", PIN.format(site))) + mjcf_body("rocker", SITE)
    return f"{HEAD}{tree}</worldbody><equality>{equality}</equality></mujoco>"


SITE = '<site name="at_rocker" pos="0 0 0.9" quat="0.8 0 0.6 0"/>'
EQUALITIES = {
    "bodies": mjcf(),
    "other way": mjcf('<connect body1="rocker" body2="coupler" anchor="0 0 0.9"/>'),
    "defaults": mjcf().replace("<worldbody>", '<default><equality solref="0.01 1"/></default><worldbody>'),
    "weld": with_pin('<weld body1="pin" body2="rocker"/>'),
    "weld at an anchor": with_pin('<weld body1="rocker" body2="pin" anchor="0.1 0 0.2"/>'),
    "weld with a pose": with_pin('<weld body1="rocker" body2="pin" relpose="0 0 0.9 0.8 0 0.6 0"/>'),
    "weld with a pose at an anchor": with_pin(
        '<weld body1="rocker" body2="pin" anchor="0 0 0.1" relpose="0.096 0 0.928 0.8 0 0.6 0"/>'
    ),
    "weld of sites": with_pin('<weld site1="at_rocker" site2="at_pin"/>', '<site name="at_pin"/>'),
}


@pytest.mark.parametrize("name", EQUALITIES)
def test_accelerations_agree_with_mujocos(name: str, tmp_path: Path) -> None:
    assert check(EQUALITIES[name], tmp_path).m == 1


def test_sites_may_be_connected(tmp_path: Path) -> None:
    tree = mjcf_body("crank", mjcf_body("coupler", '<site name="s" pos="0.8 0 0.6"/>')) + mjcf_body("rocker", SITE)
    text = f'{HEAD}{tree}</worldbody><equality><connect site1="s" site2="at_rocker"/></equality></mujoco>'
    assert check(text, tmp_path).m == 1


def test_the_second_body_of_a_connect_may_be_the_world(tmp_path: Path) -> None:
    third = '<body pos="0.8 0 0.6"><joint axis="0 1 0"/><inertial pos="0 0 -0.4" mass="1" diaginertia="1 1 1"/></body>'
    tree = mjcf_body("crank", mjcf_body("coupler", third.replace("<body", '<body name="third"')))
    text = f'{HEAD}{tree}</worldbody><equality><connect body1="third" anchor="0 0 -0.9"/></equality></mujoco>'
    chain = check(text, tmp_path)
    assert chain.m == 1
    assert len(chain.equations().phi) == 2


SKEW = (
    f'{HEAD}<body name="a" pos="0 0 0.1"><joint axis="0 0 1"/><inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/>'
    '<body name="b" pos="0.3 0.1 0"><joint axis="0.6 0 0.8"/><inertial pos="0 0.1 0" mass="1" diaginertia="1 2 2"/>'
    '<body name="c" pos="0 0.2 0.1"><joint axis="0 1 0"/><inertial pos="0 0 0.2" mass="1" diaginertia="2 1 2"/>'
    '<body name="d" pos="0.2 0 0"><joint axis="0.8 0.6 0"/><inertial pos="0 0 0.2" mass="1" diaginertia="2 2 1"/>'
    '<body name="e" pos="0.1 0.3 0"><joint axis="0 0 1"/><inertial pos="0 0.2 0" mass="1" diaginertia="1 1 2"/>'
    '<body name="f" pos="0 0.1 0.2"><joint axis="0.6 0.8 0"/><inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/>'
    "</body></body></body></body></body></body></worldbody><equality>{}</equality></mujoco>"
)


def test_two_connects_of_two_bodies_are_a_hinge(tmp_path: Path) -> None:
    text = SKEW.replace("{}", '<connect body1="f" anchor="0.1 0 0"/><connect body1="f" anchor="0.1 0 0.25"/>')
    chain = check(text, tmp_path, reach=0.01)
    assert chain.m == 1
    (loop,) = chain.model.loops
    assert loop.type == "revolute"
    text = SKEW.replace("{}", '<connect body1="f" anchor="0.1 0 0"/><connect body1="f" anchor="0.1 0 0"/>')
    with refusal(QddotError, "connects-equal", "connects", "'connect1'", "'connect2'"):
        opened(text, tmp_path)


WHEEL = (
    '<body name="wheel" pos="0 0 -1"><joint name="spin" axis="0 1 0" ref="0.5" armature="0.02" damping="0.3"/>'
    '<inertial pos="0 0.1 0.2" mass="1" diaginertia="0.1 0.1 0.1"/></body>'
)


def with_wheel(equality: str) -> str:
    return mjcf().replace("</worldbody>", f"{WHEEL}</worldbody>").replace("</equality>", f"{equality}</equality>")


def test_joints_share_a_coordinate(tmp_path: Path) -> None:
    text = with_wheel('<joint joint1="spin" joint2="crank_joint" polycoef="0.2 -1.5"/>')
    chain = check(text, tmp_path, [(0, 1, 0), (1, 1, 0), (2, 1, 0), (0, -1.5, 0.7)])
    assert (chain.n, chain.m) == (3, 1)
    assert "joint 'spin' moves by -3/2 times the coordinate of 'crank_joint'" in chain.model.tree.notes


def test_the_first_joint_of_an_equality_may_lead(tmp_path: Path) -> None:
    text = with_wheel('<joint joint1="spin" joint2="crank_joint"/><joint joint1="rocker_joint" joint2="spin"/>')
    with refusal(QddotError, "isolated-configuration"):
        opened(text, tmp_path)
    other = WHEEL.replace("wheel", "other").replace("spin", "swing").replace("0.5", "0")
    text = with_wheel('<joint joint1="spin" joint2="crank_joint"/><joint joint1="spin" joint2="swing" polycoef="0 2"/>')
    text = text.replace("</worldbody>", f"{other}</worldbody>")
    ways = [(0, 1, 0), (1, 1, 0), (2, 1, 0), (0, 1, 0.5), (0, 0.5, 0)]
    assert check(text, tmp_path, ways).n == 3


def test_a_joint_without_a_partner_stands_still(tmp_path: Path) -> None:
    text = with_wheel('<joint joint1="spin" polycoef="0.3 0 0 0 0"/>')
    chain = check(text, tmp_path, [(0, 1, 0), (1, 1, 0), (2, 1, 0), (0, 0, 0.8)])
    assert chain.n == 3
    assert any("joint 'spin' is fixed at 0.8" in note for note in chain.model.tree.notes)


def test_what_is_not_active_is_left_out(tmp_path: Path) -> None:
    off = '<default><default class="off"><equality active="false"/></default></default><worldbody>'
    text = with_wheel('<joint class="off" joint1="spin"/>').replace("<worldbody>", off)
    chain = opened(text, tmp_path)
    assert chain.n == 4
    assert any("<joint> is not active, and is left out" in note for note in chain.model.tree.notes)
    assert any("solref and solimp are not used" in note for note in chain.model.tree.notes)


FIXED = '<fixed name="{}"><joint joint="{}" coef="1"/></fixed>'
TENDONS = FIXED.format("t", "crank_joint") + FIXED.format("u", "rocker_joint")
CURVED = f'</equality><tendon>{TENDONS}</tendon><equality><tendon tendon1="t" tendon2="u" polycoef="0 1 2"/>'


@pytest.mark.parametrize(
    ("equalities", "says"),
    [
        ('<connect body1="couple" body2="rocker" anchor="0 0 0"/>', ("mujoco-refuses",)),
        ('<weld body1="rocker" body2="rocker"/>', ("mujoco-refuses",)),
        ('<weld body1="coupler" body2="rocker"/>', ("isolated-configuration",)),
        ('<joint joint1="crank_joint" joint2="rocker_joint" polycoef="0 1 2"/>', ("file-without-equalities",)),
        (
            f'{CURVED}<connect body1="coupler" body2="rocker" anchor="0.8 0 0.6"/>',
            ("not-modelled", "content-equalities"),
        ),
        ('<joint joint1="crank_joint" joint2="rocker_joint"/>', ("equalities-close-no-loop",)),
        ("", ("file-without-equalities",)),
        (
            '<joint joint1="crank_joint" joint2="rocker_joint"/><joint joint1="rocker_joint" joint2="crank_joint"/>'
            '<connect body1="coupler" body2="rocker" anchor="0.8 0 0.6"/>',
            ("equality-superfluous", "joint"),
        ),
        (
            '<connect name="a" body1="coupler" body2="rocker" anchor="0.8 0 0.6"/>'
            '<weld body1="rocker" body2="coupler"/>',
            ("loop-of-same-links", "loop 'a'", "'weld2'"),
        ),
    ],
)
def test_what_cannot_be_is_refused(equalities: str, says: tuple[str, ...], tmp_path: Path) -> None:
    with refusal(QddotError, *says) as caught:
        opened(mjcf(equalities), tmp_path).equations()
    assert "chain.xml" in str(caught.value) or "the conditions leave" in str(caught.value)


def test_a_body_that_a_program_moves_is_refused(tmp_path: Path) -> None:
    text = mjcf('<weld body1="hand" body2="rocker"/>')
    text = text.replace("</worldbody>", '<body name="hand" mocap="true" pos="0.8 0 0"/></worldbody>')
    with refusal(QddotError, "body-is-mocap", "<weld>", "'hand'"):
        opened(text, tmp_path)


def test_a_slide_may_follow_a_hinge_whichever_is_named_first(tmp_path: Path) -> None:
    inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    rack = f'<body><joint name="rack" type="slide" axis="1 0 0"/>{inertia}</body>'
    for equality, ratio, offset in (
        ('<joint joint1="rack" joint2="crank_joint" polycoef="0.1 0.5"/>', 0.5, 0.1),
        ('<joint joint1="crank_joint" joint2="rack" polycoef="0.1 2"/>', 0.5, -0.05),
    ):
        text = mjcf().replace("</worldbody>", f"{rack}</worldbody>").replace("</equality>", f"{equality}</equality>")
        assert check(text, tmp_path, [(0, 1, 0), (1, 1, 0), (2, 1, 0), (0, ratio, offset)]).n == 3


def test_load_refuses_a_loop_or_says_that_it_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "chain.xml"
    file.write_text(mjcf())
    with refusal(qddot.base.errors.ClosedChainError, "held-in-loops", "loop"):
        qddot.load(file)
    assert [part.name for part in qddot.load(file, without="loops").model.left_out] == ["loops"]


def test_a_chain_without_an_equality_of_tendons_says_so(tmp_path: Path) -> None:
    file = tmp_path / "chain.xml"
    file.write_text(mjcf().replace("</equality>", f"{CURVED}</equality>"))
    chain = qddot.load_closed_chain(file, without="equalities")
    assert [part.name for part in chain.model.tree.left_out] == ["equalities"]
    assert "left out: equalities" in str(chain.prove())


def test_a_chain_without_a_polynomial_equality_says_so(tmp_path: Path) -> None:
    file = tmp_path / "chain.xml"
    curved = '<joint joint1="crank_joint" joint2="rocker_joint" polycoef="0 1 2"/></equality>'
    file.write_text(mjcf().replace("</equality>", curved))
    with refusal(qddot.base.errors.NotModelledError, "not-modelled", "to-constraints"):
        qddot.load_closed_chain(file)
    chain = qddot.load_closed_chain(file, without="equalities")
    assert [part.name for part in chain.model.tree.left_out] == ["equalities"]
    file.write_text(mjcf())
    assert qddot.load_closed_chain(file).model.loops == chain.model.loops


def test_commands_open_the_closed_chain_or_refuse_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chain.xml"
    file.write_text(mjcf())
    assert main(["show", str(file)]) == 0
    assert "freedoms: 1; independent: q1" in capsys.readouterr().out
    assert main(["doctor", str(file)]) == 0
    assert "follow" in capsys.readouterr().out
    assert main(["derive", str(file), "--only", "M"]) == 0
    assert "M11" in capsys.readouterr().out
    assert main(["page", str(file)]) == 2
    said = capsys.readouterr().err
    assert "links are held together in loops, and a robot is a tree" in said
    assert "simulate, linearize, sweep, doctor" in said


INERTIA = '<inertial pos="0.05 0.02 0.1" mass="1" diaginertia="0.02 0.03 0.04"/>'


def body(name: str, joints: Sequence[str], inner: str = "", place: str = "") -> str:
    """A body with joints, given by what their elements say."""
    return f'<body name="{name}" {place}>{"".join(f"<joint {each}/>" for each in joints)}{INERTIA}{inner}</body>'


def held(bodies: str, equalities: str) -> str:
    return f"{HEAD}{bodies}</worldbody><equality>{equalities}</equality></mujoco>"


YAW, PITCH = 'axis="0 0 1"', 'axis="0 1 0"'
PINNED = body("pin", [PITCH], place='pos="0.5 0 0.1"')
CRANKS = "".join(
    (
        body("a", [PITCH], body("bar", [PITCH], place='pos="0.1 0 0.5"')),
        body("b", [PITCH], place='pos="1 0 0"'),
        body("c", [PITCH], place='pos="2.5 0 0"'),
    )
)
BAR = '<connect body1="bar" body2="b" anchor="1 0 0"/><connect body1="bar" body2="c" anchor="2.5 0 0"/>'
LEG = body("thigh", [f'name="yaw" {YAW}', f'name="hip" {PITCH}'], "{}", 'pos="0 0 0.1"')
SHIN = body("shin", [f'name="knee" {PITCH}'], body("foot", [PITCH], place='pos="0.3 0 0"'), 'pos="0.3 0 0"')
# each with its mobility
SEVERAL_JOINTS = {
    "a plate of two slides and a hinge": (
        held(
            body("plate", [f'type="slide" axis="{x}"' for x in ("1 0 0", "0 1 0")] + [YAW], place='pos="0.3 0.2 0"')
            + body("crank", [YAW]),
            '<connect body1="crank" body2="plate" anchor="0.3 0 0"/>',
        ),
        2,
    ),
    "a joint follows another, in a loop": (
        held(
            LEG.format(SHIN) + body("rod", [PITCH], place='pos="0 0 -0.3"'),
            '<joint joint1="knee" joint2="hip" polycoef="0 -1"/><connect body1="foot" body2="rod" anchor="0.3 0 0"/>',
        ),
        1,
    ),
    "a weld on a wrist": (
        held(
            body(
                "wrist",
                [YAW, 'axis="1 0 0"'],
                body("crank", [PITCH], body("coupler", [PITCH], PINNED, 'pos="0 0 0.3"'))
                + body("rocker", [PITCH], place='pos="0.5 0 0"'),
            ),
            '<weld body1="pin" body2="rocker"/>',
        ),
        3,
    ),
    "a bar on three parallel cranks": (held(CRANKS, BAR), 1),
    "a bar on three parallel cranks on a wrist": (held(body("wrist", [YAW, 'axis="1 0 0"'], CRANKS), BAR), 3),
}


@pytest.mark.parametrize("name", SEVERAL_JOINTS)
def test_bodies_of_several_joints_move_as_in_mujoco(name: str, tmp_path: Path) -> None:
    text, m = SEVERAL_JOINTS[name]
    follows = [(0, 1.0, 0.0), (1, 1.0, 0.0), (1, -1.0, 0.0), (2, 1.0, 0.0), (3, 1.0, 0.0)]
    chain = check(text, tmp_path, follows if "follows" in name else (), reach=0.05)
    zeros = np.zeros(len(follows) if "follows" in name else chain.n)
    assert chain.m == m == len(zeros) - np.linalg.matrix_rank(at(text, zeros, zeros)[2], tol=1e-9)


def test_free_bodies_on_cranks_have_mujocos_mobility(tmp_path: Path) -> None:
    plate = f'<body name="plate" pos="0.4 0 0.2"><freejoint/>{INERTIA}</body>'
    cranks = "".join(body(name, [PITCH], place=f'pos="{x} 0 0"') for name, x in (("one", 0), ("two", 0.8)))
    ends = "".join(f'<connect body1="{name}" body2="plate" anchor="0 0 0.2"/>' for name in ("one", "two"))
    free = held(f'<body name="base" euler="0.3 0.6 0.7"><freejoint/>{INERTIA}{CRANKS}</body>', BAR)
    for text, m in ((held(plate + cranks, ends), 2), (free, 7)):
        model = mujoco.MjModel.from_xml_string(text)
        assert model.nv - np.linalg.matrix_rank(at(text, model.qpos0, np.zeros(model.nv))[2], tol=1e-9) == m
        assert opened(text, tmp_path).m == m


def test_angles_of_three_digits_that_hold_everything_are_named(tmp_path: Path) -> None:
    """Hinges that are parallel only to 1e-3 hold a four-bar; in MuJoCo, too, all of its velocities are forbidden."""
    crank = body("crank", [YAW], body("coupler", [YAW], place='pos="0.3 0 0"'), 'quat="0.924 0.383 0 0"')
    rocker = body("rocker", ['axis="0 -0.7076 0.7066"'], place='pos="0.5 0 0"')
    text = held(crank + rocker, '<connect body1="coupler" body2="rocker" anchor="0.4 0.3 0"/>')
    assert np.linalg.matrix_rank(at(text, np.zeros(3), np.zeros(3))[2]) == 3
    with refusal(QddotError, "nearly-movable-configuration"):
        opened(text, tmp_path)


def test_global_coordinates_are_refused_as_mujoco_does(tmp_path: Path) -> None:
    with refusal(QddotError, "mujoco-refuses", "coordinates"):
        opened(held(CRANKS, BAR).replace("<compiler", '<compiler coordinate="global"'), tmp_path)


def test_the_same_cranks_in_urdf_plus_name_their_independent_coordinates(tmp_path: Path) -> None:
    inertial = '<inertial><origin xyz="0.05 0.02 0.1"/><mass value="1"/>'
    inertial += '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>'
    links, loops = "", ""
    for name, parent, xyz in (
        ("a", "w", "0 0 0"),
        ("bar", "a", "0.1 0 0.5"),
        ("b", "w", "1 0 0"),
        ("c", "w", "2.5 0 0"),
    ):
        links += f'<link name="{name}">{inertial}</link><joint name="q_{name}" type="continuous" '
        links += f'independent="{str(name == "c").lower()}"><parent link="{parent}"/><child link="{name}"/>'
        links += f'<origin xyz="{xyz}"/><axis xyz="0 1 0"/></joint>'
    for name, x in (("b", 1), ("c", 2.5)):
        loops += f'<loop name="to_{name}" type="revolute"><predecessor link="bar"><origin xyz="{x} 0 0"/></predecessor>'
        loops += f'<successor link="{name}"><origin xyz="0.1 0 0.5"/></successor><axis xyz="0 1 0"/></loop>'
    file = tmp_path / "cranks.urdf"
    file.write_text(f'<robot name="cranks"><link name="w"/>{links}{loops}</robot>')
    chain = qddot.load_closed_chain(file)
    assert chain.model.tree.coordinates.index(chain.independent[0]) == 3 and chain.m == 1
    q = np.array([0.4, -0.4, 0.4, 0.4])
    M, _, A = at(held(CRANKS, BAR), q, np.zeros(4))
    assert np.abs(A @ [1, -1, 1, 1]).max() < 1e-14
    assert chain.mass_matrix(q).item() == pytest.approx(np.array([1, -1, 1, 1]) @ M @ [1, -1, 1, 1], rel=1e-12)
