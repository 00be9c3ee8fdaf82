"""MJCF, SDF, URDF+ and the robot file describe the same closed chain; what none of them can describe is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run
from four_bars import LOOP_IN_URDF, TIP_IN_SDF, mjcf, sdf, sdf_joint, toml, urdf
from refusals import refusal

import qddot
from qddot.base.errors import ClosedChainError, QddotError
from qddot.faces.closed_chain import ClosedChain

NAMESPACE = "http://ros.org/wiki/xacro"
FORMATS = {"toml": toml, "xml": mjcf, "sdf": sdf, "urdf": urdf}


def opened(text: str, suffix: str, tmp_path: Path, **options: Any) -> ClosedChain:
    file = tmp_path / f"chain.{suffix}"
    file.write_text(text)
    return qddot.load_closed_chain(file, **options)


def same(one: ClosedChain, other: ClosedChain) -> bool:
    """Whether M̄ and q̈ agree to rounding in random states."""
    rng = np.random.default_rng(4)
    for _ in range(4):
        q = one.assemble({name: rng.uniform(-0.3, 0.3) for name in one.independent}).q
        qd, tau = one.velocities(q, rng.normal(size=one.m)), rng.normal(size=one.n)
        a, b = (np.append(of.mass_matrix(q), of.forward_dynamics(q, qd, tau)) for of in (one, other))
        if np.abs(a - b).max() > 1e-12 * np.abs(a).max():
            return False
    return True


@pytest.mark.parametrize("suffix", FORMATS)
def test_all_formats_describe_the_same_chain(suffix: str, tmp_path: Path) -> None:
    chain = opened(FORMATS[suffix](), suffix, tmp_path)
    assert (chain.n, chain.m) == (3, 1)
    assert np.abs(chain.closure(np.zeros(3))[0]).max() < 1e-15
    assert same(opened(toml(), "toml", tmp_path), chain)
    assert chain.prove()


def test_another_mass_is_another_chain(tmp_path: Path) -> None:
    heavier = opened(urdf().replace('mass value="2"', 'mass value="2.0001"'), "urdf", tmp_path)
    assert not same(opened(toml(), "toml", tmp_path), heavier)


def test_the_command_line_opens_files_with_loops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chain.sdf"
    file.write_text(sdf())
    code, out, _ = run(capsys, "closed", str(file), "--independent", "q3", "--assemble", "--at", "q3=0.1")
    assert code == 0
    assert out.splitlines()[2] == "q3 = 0.1"
    file.write_text(sdf(""))
    code, _, err = run(capsys, "closed", str(file))
    assert code == 2
    assert "the file has no loops" in err


def test_a_chain_of_a_xacro_file_takes_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = f'<robot xmlns:xacro="{NAMESPACE}"><xacro:arg name="m" default="1"/>'
    text = re.sub(r"<robot[^>]*>", declared, urdf().replace('mass value="2"', 'mass value="$(arg m)"'), count=1)
    heavy = opened(text, "xacro", tmp_path, arguments={"m": 2})
    assert same(heavy, opened(urdf(), "urdf", tmp_path))
    file = str(tmp_path / "chain.xacro")
    printed = [run(capsys, "closed", file, *given, "--at", "q1=0")[1] for given in ((), ("m:=1",), ("m:=2",))]
    assert printed[0] == printed[1] != printed[2]
    assert run(capsys, "derive", file, "m:=2")[0] == 0
    for command in ("closed", "derive"):
        code, _, err = run(capsys, command, file, "mass:=2")
        assert code == 2 and "mass" in err
        assert run(capsys, command, "four_bar", "m:=2")[0] == 2
    with refusal(QddotError, "arguments-without-macros", "m"):
        qddot.load_closed_chain("four_bar", arguments={"m": 1})


@pytest.mark.parametrize("suffix", ["sdf", "urdf"])
def test_load_refuses_loops_and_says_what_opens_them(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"chain.{suffix}"
    file.write_text(FORMATS[suffix]())
    with refusal(QddotError, "held-in-loops", "load_"):
        qddot.load(file)
    file.write_text(FORMATS[suffix](""))
    assert qddot.load(file).n == 3
    with pytest.raises(QddotError, match=r"the file has no loops.*qddot\.load opens it"):
        qddot.load_closed_chain(file)


# SDF


def test_a_note_says_which_joint_closes_the_loop(tmp_path: Path) -> None:
    notes = opened(sdf(), "sdf", tmp_path).model.tree.notes
    assert "joint 'tip' closes a loop, since another joint carries link 'rocker'" in notes


def test_frames_may_stand_askew(tmp_path: Path) -> None:
    """Poses of the model and of the coupler's frame change neither the plane of the loop nor its motion."""
    text = sdf().replace('"four_bar">', '"four_bar"><pose>0.1 0.2 0.3 0.3 0.2 0.1</pose>')
    text = text.replace('relative_to="crank">0 0 0.3 0 0 0', 'relative_to="crank">0 0 0.3 0.7 0.4 -0.3')
    text = text.replace("<xyz>0 1 0</xyz>", '<xyz expressed_in="__model__">0 1 0</xyz>')
    chain, other = opened(text, "sdf", tmp_path), opened(sdf(), "sdf", tmp_path)
    assert len(chain.equations().phi) == 2
    assert chain.assemble({"q1": 0.2}).q == pytest.approx(other.assemble({"q1": 0.2}).q, abs=1e-11)


def test_the_last_of_two_joints_closes_the_loop(tmp_path: Path) -> None:
    text = sdf("").replace("<joint", f"{sdf_joint('tip', 'coupler', 'rocker', pose=TIP_IN_SDF)}<joint", 1)
    chain = opened(text, "sdf", tmp_path, independent="q2")
    assert "joint 'rocker_joint' closes a loop, since another joint carries link 'rocker'" in chain.model.tree.notes
    q = chain.assemble({"q2": 0.2}).q  # the coordinates are those of tip, crank, coupler
    other = opened(sdf(), "sdf", tmp_path)
    assert q[1:] == pytest.approx(other.assemble({"q1": 0.2}).q[:2], abs=1e-14)


def test_three_links_in_a_ring_are_a_loop(tmp_path: Path) -> None:
    file = tmp_path / "chain.sdf"
    text = sdf(sdf_joint("tip", "coupler", "rocker", pose=TIP_IN_SDF))
    text = text.replace("<parent>world</parent><child>crank", "<parent>rocker</parent><child>crank")
    file.write_text(text.replace(sdf_joint("rocker_joint", "world", "rocker"), ""))
    with refusal(QddotError, "held-in-loops", "links"):
        qddot.load(file)
    with refusal(QddotError, "isolated-configuration"):
        qddot.load_closed_chain(file)


@pytest.mark.parametrize("kind", ["sdf", "urdf"])
def test_a_tree_without_its_loops_says_so(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"chain.{kind}"
    file.write_text({"sdf": sdf, "urdf": urdf}[kind]())
    place = {"sdf": "<joint 'tip'>: link 'rocker' is the child of two joints", "urdf": "<loop 'tip'>"}[kind]
    with pytest.raises(ClosedChainError, match=rf"held together in loops.*\(line \d+ {place}\); .*--without loops"):
        qddot.load(file)
    tree = qddot.load(file, without="loops")
    assert ([part.name for part in tree.model.left_out], tree.n) == (["loops"], 3)
    code, out, _ = run(capsys, "derive", str(file), "--without", "loops")
    assert (code, "left out: connections that close loops (line" in out) == (0, True)


def test_a_link_without_mass_may_be_fixed_to_another(tmp_path: Path) -> None:
    pin = (
        '<link name="pin"><pose relative_to="rocker">0 0 0.9 0 0 0</pose><inertial><mass>0</mass><inertia><ixx>0</ixx>'
        "<iyy>0</iyy><izz>0</izz></inertia></inertial></link>"
    )
    closing = pin + sdf_joint("hinge", "coupler", "pin") + sdf_joint("weld", "rocker", "pin", kind="fixed")
    chain = opened(sdf(closing), "sdf", tmp_path)
    assert chain.model.loops[0].type == "fixed"
    assert (chain.n, chain.m) == (4, 1)
    q, other = chain.assemble({"q1": 0.2}).q, opened(sdf(), "sdf", tmp_path)
    assert q[:3] == pytest.approx(other.assemble({"q1": 0.2}).q, abs=1e-14)
    tau = np.array([1.0, -2, 3])
    qdd = chain.forward_dynamics(q, 0 * q, np.append(tau, 0))
    assert qdd[:3] == pytest.approx(other.forward_dynamics(q[:3], 0 * q[:3], tau), rel=1e-12)


AXES = ("0 0 1", "0.6 0 0.8", "0 1 0", "0.8 0.6 0", "1 0 0", "0.6 0.8 0")
PLACES = ("0 0 0.1", "0.3 0.1 0", "0 0.2 0.1", "0.2 0 0", "0.1 0.3 0", "0 0.1 0.2")


def skew(kind: str, axes: str, pose: str = "0.1 0.2 0.3 0 0 0") -> str:
    """Six links in a row, whose last one is joined to the world."""
    text = ""
    for k, (axis, place) in enumerate(zip(AXES, PLACES, strict=True)):
        parent = f"l{k - 1}" if k else "world"
        relative = f' relative_to="{parent}"' if k else ""
        text += f'<link name="l{k}"><pose{relative}>{place} 0 0 0</pose></link><joint name="j{k}" type="revolute">'
        text += f"<parent>{parent}</parent><child>l{k}</child><axis><xyz>{axis}</xyz></axis></joint>"
    ends = f"<parent>world</parent><child>l5</child><pose>{pose}</pose>"
    text += f'<joint name="closing" type="{kind}">{ends}{axes}</joint>'
    return f'<sdf version="1.9"><model name="skew">{text}</model></sdf>'


ONE_AXIS = "<axis><xyz>0 0.6 0.8</xyz></axis>"
TWO_AXES = "<axis><xyz>0 0.6 0.8</xyz></axis><axis2><xyz>0 0.8 -0.6</xyz></axis2>"


@pytest.mark.parametrize(
    ("kind", "axes", "freedoms"),
    [
        ("revolute", ONE_AXIS, 1),
        ("continuous", ONE_AXIS, 1),
        ("prismatic", ONE_AXIS, 1),
        ("ball", "", 3),
        ("ball", ONE_AXIS, 3),  # which has no meaning there
        ("universal", TWO_AXES, 2),
        ("revolute2", TWO_AXES, 2),
    ],
)
def test_every_type_of_joint_leaves_its_freedoms(kind: str, axes: str, freedoms: int, tmp_path: Path) -> None:
    chain = opened(skew(kind, axes), "sdf", tmp_path)
    assert chain.m == freedoms
    phi, A = chain.closure(np.zeros(6))
    assert np.abs(phi).max() < 1e-15
    J = chain.tree.jacobian(np.zeros(6), "l5")
    arm = np.array([0.1, 0.2, 0.3])  # the joint's frame from the link's origin
    velocities = np.linalg.svd(A)[2][np.linalg.matrix_rank(A) :]
    omega = velocities @ J[3:].T
    v = velocities @ J[:3].T + np.cross(omega, arm)
    one, other = np.array([0, 0.6, 0.8]), np.array([0, 0.8, -0.6])
    if kind == "prismatic":
        assert np.abs(omega).max() < 1e-14
        assert np.abs(np.cross(v, one)).max() < 1e-14
        return
    assert np.abs(v).max() < 1e-14
    if freedoms == 1:
        assert np.abs(np.cross(omega, one)).max() < 1e-14
    if freedoms == 2:
        assert np.abs(omega @ np.cross(one, other)).max() < 1e-14


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (skew("fixed", ""), ("isolated-configuration",)),
        (
            skew("screw", ONE_AXIS + "<screw_thread_pitch>1</screw_thread_pitch>"),
            ("closing-joint-type", "joint", "screw"),
        ),
        (skew("universal", TWO_AXES.replace("0.8 -0.6", "1 0")), ("loop-axes-not-perpendicular",)),
        (
            sdf(sdf_joint("tip", "coupler", "rocker", "0.2", pose=TIP_IN_SDF)),
            ("effects-in-closing-joint", "joint"),
        ),
        (
            sdf().replace(
                "0 1 0</xyz></axis></joint></model>", '0 1 0</xyz><mimic joint="crank_joint"/></axis></joint></model>'
            ),
            ("mimic-in-closing-joint", "joint"),
        ),
        (sdf(sdf_joint("tip", "couple", "rocker")), ("no-frame", "'couple'", "'coupler'")),
        (sdf(sdf_joint("tip", "rocker", "rocker")), ("child-of-itself", "joint")),
        (
            sdf(sdf_joint("tip", "coupler", "rocker", pose=TIP_IN_SDF) + sdf_joint("again", "coupler", "rocker")),
            ("loop-of-same-links", "loop 'again'", "'tip'"),
        ),
    ],
)
def test_loops_of_sdf_that_cannot_be_are_refused(text: str, says: tuple[str, ...], tmp_path: Path) -> None:
    with refusal(QddotError, *says):
        opened(text, "sdf", tmp_path)


# URDF+


def test_independent_joints_of_urdf_plus_are_taken(tmp_path: Path) -> None:
    text = urdf().replace('<joint name="crank_joint"', '<joint independent="False" name="crank_joint"')
    text = text.replace('<joint name="coupler_joint"', '<joint independent="false" name="coupler_joint"')
    assert opened(text, "urdf", tmp_path).independent == ("q3",)
    assert opened(text, "urdf", tmp_path, independent="q2").independent == ("q2",)
    with refusal(QddotError, "independent-wrong", "independent", "'fasle'"):
        opened(text.replace('"False"', '"fasle"'), "urdf", tmp_path)


COUPLED = (
    '<link name="wheel"><inertial><mass value="1"/><origin xyz="0.1 0 0"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" '
    'iyz="0" izz="1"/></inertial></link><joint name="spin" type="continuous"><parent link="ground"/>'
    '<child link="wheel"/><axis xyz="0 1 0"/></joint>'
)
COUPLING = '<coupling name="belt"><predecessor link="crank"/><successor link="wheel"/><ratio value="-2.5"/></coupling>'


def test_couplings_are_followers(tmp_path: Path) -> None:
    mimic = '<mimic joint="crank_joint" multiplier="-2.5"/>'
    file = tmp_path / "chain.urdf"
    trees = []
    for closing in (COUPLED + COUPLING, COUPLED.replace("</joint>", f"{mimic}</joint>")):
        file.write_text(urdf(closing))
        trees.append(qddot.load(file).model)
    assert [tree.hash for tree in trees] == [trees[0].hash] * 2
    assert opened(urdf(LOOP_IN_URDF + COUPLED + COUPLING), "urdf", tmp_path).n == 3


@pytest.mark.parametrize(
    ("closing", "says"),
    [
        (LOOP_IN_URDF.replace('"coupler"', '"couple"'), ("no-such-link", "'couple'", "'coupler'")),
        (LOOP_IN_URDF.replace("revolute", "screw"), ("none-of-these", "loop-type", "'screw'")),
        (LOOP_IN_URDF.replace('"coupler"', '"rocker"'), ("loop-within-one-link",)),
        (LOOP_IN_URDF.replace("revolute", "fixed"), ("isolated-configuration",)),
        (LOOP_IN_URDF.replace("0 1 0", "0 0 0"), ("axis-no-direction",)),
        (LOOP_IN_URDF + LOOP_IN_URDF.replace('"tip"', '"again"'), ("loop-of-same-links", "'again'", "'tip'")),
        (LOOP_IN_URDF.replace("predecessor", "parent"), ("end-missing", "loop", "predecessor")),
        (LOOP_IN_URDF.replace("loop", "loop_joint"), ("loop-of-other-dialect", "<loop_joint", "loop_joint", "loop")),
        (
            LOOP_IN_URDF + COUPLED + COUPLING.replace('"crank"', '"coupler"'),
            ("coupling-over-several", "'coupler_joint', 'crank_joint'"),
        ),
        (LOOP_IN_URDF + COUPLED + COUPLING.replace('"crank"', '"wheel"'), ("coupling-over-several", "no-moving-joint")),
        (LOOP_IN_URDF + COUPLED + COUPLING.replace("-2.5", "0"), ("ratio-zero",)),
        (LOOP_IN_URDF + COUPLED + COUPLING * 2, ("follower-twice", "'spin'")),
    ],
)
def test_loops_of_urdf_that_cannot_be_are_refused(closing: str, says: tuple[str, ...], tmp_path: Path) -> None:
    with refusal(QddotError, *says):
        opened(urdf(closing), "urdf", tmp_path)


# the gripper


def test_the_gripper_stands_by_its_motors_torque_and_then_closes() -> None:
    chain = qddot.load_closed_chain("robotiq_2f85")
    assert (chain.n, chain.independent) == (7, ("q1", "q2", "q3"))
    q = chain.assemble({"q1": 0.3, "q2": 0.25, "q3": 0.25}).q
    tau = np.append(chain.inverse_dynamics(q, 0 * q, 0 * q), np.zeros(4))
    still = chain.simulate(q, 0 * q, duration=0.1, torque=tau)
    assert np.abs(still.q - q).max() < 1e-14
    run = chain.simulate(q, 0 * q, duration=0.2, torque=tau + np.array([0.2, -5e-4, -5e-4, 0, 0, 0, 0]))
    assert not run.stops
    moved = np.asarray(run.q).reshape(-1, 7)[-1]
    assert moved[0] > 0.4
    assert moved[[1, 3, 4]] == pytest.approx(moved[[2, 5, 6]], abs=1e-12)  # both fingers move alike
    assert np.abs(chain.closure(run.q)[0]).max() < 1e-12
