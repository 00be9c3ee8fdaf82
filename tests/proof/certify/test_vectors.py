"""Conformance vectors agree with an independent recursion to every digit, and with other libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import mujoco
import numpy as np
import pinocchio as pin
import pytest
from commands import run
from decimal_recursion import Recursion, column, mpf, rows, zeros
from screw_arm import SCREW
from shipped import robot

import qddot
from qddot.algebra.numbers.balls import ball, precise
from qddot.faces import aliases
from qddot.proof.certify.vectors.suite import UndecidedError, decimals

TREE = """
name = "tree"
convention = "tree"
gravity = [0.5, "-g/3", "-g"]

[[link]]
name = "trunk"
parent = "base"
joint = { type = "free", damping = 0.25 }
mass = 4
com = [0.1, 0.2, 0.3]
inertia = { about = "com", xx = 1, xy = 0.1, xz = 0.05, yy = 1.1, yz = 0.02, zz = 1.2 }

[[link]]
name = "leg"
parent = "trunk"
joint = { type = "spherical", xyz = [0.3, 0, -0.2], rpy = ["20deg", 0.3, "30deg"], armature = 0.01, damping = 0.2 }
mass = 2
com = [0, 0.1, -0.3]
inertia = { about = "com", xx = 0.1, yy = 0.2, zz = 0.25 }

[[link]]
name = "shin"
parent = "leg"
joint = { type = "revolute", axis = [0, "3/5", "4/5"], xyz = [0, 0, -0.5], armature = 0.1, coulomb = 0.3 }
frame = { xyz = [0.1, 0.2, 0], rpy = [0.4, 0, "90deg"] }
mass = 1.5
com = [0, 0.1, -0.3]
inertia = { about = "com", xx = 0.1, yy = 0.2, zz = 0.25 }

[[link]]
name = "foot"
parent = "shin"
joint = { type = "prismatic", axis = [1, 0, 0], spring = { stiffness = 3, rest = 0.2 } }
mass = 0.5
com = [0.05, 0, 0]
inertia = { about = "com", xx = 0.001, yy = 0.002, zz = 0.0025 }
"""
TREES = {"tree": TREE, "screw": SCREW}
CLOSE = mpf(10) ** -45  # the description has 50 digits


@cache
def arm(name: str) -> qddot.Robot:
    return qddot.loads(TREES[name]) if name in TREES else robot(name)


@cache
def vectors(name: str, states: int = 1) -> Mapping[str, Any]:
    return of_robot(arm(name), states)


def of_robot(robot: qddot.Robot, states: int) -> Mapping[str, Any]:
    (one,) = robot.vectors(states).robots
    return one


def agree(proved: Any, expected: Any) -> bool:
    """Whether each decimal is the number's nearest one; expected: a matrix of mpmath's."""
    table = proved if isinstance(proved[0], list) else [[entry] for entry in proved]
    entries = [(Decimal(text), expected[i, j]) for i, row in enumerate(table) for j, text in enumerate(row)]
    assert len(entries) == expected.rows * expected.cols
    largest = max([abs(number) for _, number in entries], default=0)
    return all(
        abs(mpf(str(text)) - number) <= mpf(10) ** int(text.as_tuple().exponent) / 2 + CLOSE * (1 + largest)
        for text, number in entries
    )


def states_of(one: Mapping[str, Any]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Each state's values in this project's convention, and q, ν and its rate by names."""
    for state in one["states"]:
        own = next(part for part in state if "qddot" in part["conventions"])
        names = one["positions"], one["velocities"], one["velocities"]
        yield (
            own,
            *(dict(zip(name, own[key], strict=True)) for name, key in zip(names, ("q", "qd", "qdd"), strict=True)),
        )


@pytest.mark.parametrize("name", ["spatial_2r", "rp", "puma560_akb", "satellite_arm", *TREES])
def test_every_digit_is_that_of_an_independent_recursion(name: str) -> None:
    one = vectors(name)
    recursion = Recursion(one)
    for own, q, qd, qdd in states_of(one):
        still, nothing = recursion.rest, zeros(3, 1)
        M = recursion.mass_matrix(q)
        h = recursion.torques(q, qd, still, nothing)
        G = recursion.torques(q, still, still, recursion.gravity)
        springs, friction = recursion.springs(q), recursion.friction(qd)
        tau = recursion.torques(q, qd, qdd, recursion.gravity) + springs + friction
        for key, expected in {"M": M, "h": h, "G": G, "springs": springs, "friction": friction, "tau": tau}.items():
            assert agree(own[key], expected), key
        frames = recursion.moved(q, still, still, nothing)
        for body, frame in own["frames"].items():
            R, p = frames[body][:2]
            assert agree([row[:3] for row in frame], R) and agree([row[3] for row in frame], p)
            assert agree(own["jacobians"][body], recursion.jacobian(q, body))


@pytest.mark.parametrize("name", ["elbow_3r", *TREES])
def test_the_coriolis_matrix_is_the_one_with_a_skew_difference(name: str) -> None:
    one = vectors(name)
    recursion = Recursion(one)
    for own, q, qd, _ in states_of(one):
        C = rows(own["C"])
        errors = [
            *(C * column(own["qd"]) - column(own["h"])),
            *(C + C.T - recursion.mass_matrix_rate(q, qd)),
        ]
        assert max(map(abs, errors)) < mpf(10) ** -27 * (1 + max(map(abs, C)))  # C has 30 digits


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb", "screw"])
def test_columns_of_the_coriolis_matrix_are_half_the_derivatives_of_h(name: str) -> None:
    one = vectors(name)
    recursion = Recursion(one)
    for own, q, qd, _ in states_of(one):

        def h(rates: Mapping[str, Any], q: Any = q) -> Any:
            return recursion.torques(q, rates, recursion.rest, zeros(3, 1))

        for k, which in enumerate(recursion.velocities):
            more = {**qd, which: mpf(qd[which]) + 1}  # h is quadratic
            expected = (h(more) - h(qd) - h({**recursion.rest, which: 1})) / 2
            assert agree([row[k] for row in own["C"]], expected)


@pytest.mark.parametrize("program", ["pinocchio", "mujoco", "drake", "newton", "idyntree"])
@pytest.mark.parametrize("name", ["tree", "satellite_arm"])
def test_conventions_are_those_of_arrays(name: str, program: str) -> None:
    if (name, program) == ("tree", "idyntree"):  # which has no ball joints
        assert not any(program in part["conventions"] for state in vectors(name)["states"] for part in state)
        return
    both = (values(vectors(name, 3), each) for each in ("qddot", program))
    # the vectors keep the order of the arm's joints
    moving = arm(name).model.moving()
    order = [str(body.name if body.joint.freedoms else body.joint.coordinate) for body in moving]
    for ours, theirs in zip(*both, strict=True):
        given = {key: ours[key] for key in ("qd", "qdd", "M", "C", "tau")}
        for key, expected in aliases.in_convention(arm(name), program, ours["q"], **given, joints=order).items():
            np.testing.assert_allclose(theirs[key], expected, atol=1e-12 * np.abs(expected).max(), err_msg=key)
        for key in ("G", "springs", "friction"):
            expected = aliases.in_convention(arm(name), program, ours["q"], tau=ours[key], joints=order)["tau"]
            np.testing.assert_allclose(theirs[key], expected, atol=1e-11, err_msg=key)
        parts = [theirs[key] for key in ("h", "G", "springs", "friction")]
        np.testing.assert_allclose(theirs["M"] @ theirs["qdd"] + sum(parts), theirs["tau"], atol=1e-10)
        np.testing.assert_allclose(theirs["C"] @ theirs["qd"], theirs["h"], atol=1e-12 * np.abs(theirs["h"]).max())


@pytest.mark.parametrize("name", ["tree", "satellite_arm"])
def test_jacobians_give_the_same_velocities_in_every_convention(name: str) -> None:
    for state in vectors(name)["states"]:
        for body in state[0]["jacobians"]:
            first, *others = (rows(part["jacobians"][body]) * column(part["qd"]) for part in state)
            assert all(max(map(abs, other - first)) < mpf(10) ** -27 for other in others)


URDF = """<robot name="legged"><link name="trunk"><inertial><origin xyz="0.1 0.2 0.3"/><mass value="4"/>
<inertia ixx="1" ixy="0.1" ixz="0.05" iyy="1.1" iyz="0.02" izz="1.2"/></inertial></link>
<link name="leg"><inertial><origin xyz="0 0.1 -0.3"/><mass value="2"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial></link>
<joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/><origin xyz="0.3 0 -0.2" rpy="0.5 0.25 0"/>
<axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>"""
MJCF = """<mujoco><compiler autolimits="true"/><worldbody><body name="trunk"><freejoint/>
<inertial pos="0.1 0.2 0.3" mass="4" fullinertia="1 1.1 1.2 0.1 0.05 0.02"/>
<body name="leg" pos="0.3 0 -0.2"><joint type="ball" damping="0.2" armature="0.01"/>
<inertial pos="0 0.1 -0.3" mass="2" diaginertia="0.1 0.2 0.25"/>
<body name="shin" pos="0 0 -0.5"><joint name="knee" axis="0 1 0" damping="0.1"/>
<inertial pos="0 0.1 -0.3" mass="1.5" diaginertia="0.1 0.2 0.25"/></body></body></body></worldbody></mujoco>"""


def floats(part: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of a state in one convention."""
    return {
        key: np.array(part[key], dtype=float)
        for key in ("q", "qd", "qdd", "M", "C", "h", "G", "springs", "friction", "tau")
    } | {
        key: {body: np.array(rows, dtype=float) for body, rows in part[key].items()} for key in ("frames", "jacobians")
    }


def values(one: Mapping[str, Any], program: str) -> Iterator[dict[str, Any]]:
    for state in one["states"]:
        yield floats(next(part for part in state if program in part["conventions"]))


def test_pinocchio_computes_the_same(tmp_path: Path) -> None:
    path = tmp_path / "legged.urdf"
    path.write_text(URDF, encoding="utf-8")
    for base, root in (("fixed", ()), ("free", (pin.JointModelFreeFlyer(),))):
        theirs = pin.buildModelFromUrdf(str(path), *root)
        data = theirs.createData()
        for own in values(of_robot(qddot.load(path, base=base), 3), "pinocchio"):
            q, qd, qdd = own["q"], own["qd"], own["qdd"]
            np.testing.assert_allclose(np.triu(pin.crba(theirs, data, q)), np.triu(own["M"]), atol=1e-12)
            np.testing.assert_allclose(pin.rnea(theirs, data, q, qd, qdd), own["tau"], atol=1e-11)
            np.testing.assert_allclose(pin.computeGeneralizedGravity(theirs, data, q), own["G"], atol=1e-11)
            np.testing.assert_allclose(pin.computeCoriolisMatrix(theirs, data, q, qd) @ qd, own["h"], atol=1e-11)
            pin.computeJointJacobians(theirs, data, q)
            pin.updateFramePlacements(theirs, data)
            place = theirs.getFrameId("leg")
            J = pin.getFrameJacobian(theirs, data, place, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            np.testing.assert_allclose(J.reshape(6, -1), own["jacobians"]["leg"], atol=1e-13)
            np.testing.assert_allclose(data.oMf[place].homogeneous[:3], own["frames"]["leg"], atol=1e-13)


def test_mujoco_computes_the_same(tmp_path: Path) -> None:
    path = tmp_path / "walker.xml"
    path.write_text(MJCF, encoding="utf-8")
    theirs = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(theirs)
    for own in values(of_robot(qddot.load(path), 3), "mujoco"):
        data.qpos, data.qvel, data.qacc = own["q"], own["qd"], own["qdd"]
        mujoco.mj_inverse(theirs, data)
        np.testing.assert_allclose(data.qfrc_inverse, own["tau"], atol=1e-11)
        M = np.zeros((theirs.nv, theirs.nv))
        mujoco.mj_fullM(theirs, data, M)
        np.testing.assert_allclose(M, own["M"], atol=1e-12)
        J = np.zeros((6, theirs.nv))
        mujoco.mj_jacBody(theirs, data, J[:3], J[3:], theirs.body("shin").id)
        np.testing.assert_allclose(J, own["jacobians"]["shin"], atol=1e-13)
        np.testing.assert_allclose(data.body("shin").xpos, own["frames"]["shin"][:, 3], atol=1e-13)


READER = Path(qddot.__file__).parent / "proof" / "certify" / "vectors" / "compare.py"


def compared(folder: Path, theirs: Any, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "theirs.json").write_text(json.dumps(theirs), encoding="utf-8")
    command = [sys.executable, "-I", "compare.py", "vectors.json", "theirs.json", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_reader_accepts_all_digits_and_finds_one_that_is_changed(tmp_path: Path) -> None:
    arm("two_link").vectors(1).export(tmp_path)
    one = vectors("two_link")
    own = {key: value for key, value in one["states"][0][0].items() if key != "conventions"}
    assert compared(tmp_path, {one["name"]: [own]}, "--tolerance", "0").returncode == 0
    for key, value in {"tau": own["tau"], "M": own["M"][1]}.items():
        right = value[1]
        wrong = right[:-1] + str((int(right[-1]) + 1) % 10)
        changed = json.loads(json.dumps(own).replace(json.dumps(right), json.dumps(wrong)))
        result = compared(tmp_path, {one["name"]: [changed]}, "--tolerance", "0")
        assert result.returncode == 1 and f"{key} " in result.stderr and f"{wrong} instead of {right}" in result.stderr


def test_the_reader_compares_doubles_with_a_tolerance(tmp_path: Path) -> None:
    tree = arm("tree")
    tree.vectors(2).export(tmp_path)
    theirs = []
    for own in values(vectors("tree", 2), "qddot"):
        theirs.append(
            {
                "M": tree.mass_matrix(own["q"]).tolist(),
                "tau": tree.inverse_dynamics(own["q"], own["qd"], own["qdd"]).tolist(),
            }
        )
    assert compared(tmp_path, {"tree/free": theirs}).returncode == 0
    theirs[1]["tau"][3] *= 1 + 1e-9
    result = compared(tmp_path, {"tree/free": theirs})
    assert result.returncode == 1 and result.stderr.startswith("tree/free state 1: tau 3: ")
    assert "free state 0: tau" in compared(tmp_path, {"tree/free": theirs[:1]}, "--convention", "mujoco").stderr


def test_a_missing_entry_is_no_agreement(tmp_path: Path) -> None:
    arm("two_link").vectors(1).export(tmp_path)
    result = compared(tmp_path, {"two_link/fixed": [{"tau": vectors("two_link")["states"][0][0]["tau"][:1]}]})
    assert result.returncode == 1


def test_files_follow_the_schema_and_come_for_fixed_and_free_bases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "legged.urdf").write_text(URDF, encoding="utf-8")
    (tmp_path / "LICENSE").write_text("the licence of the legs", encoding="utf-8")
    folder = tmp_path / "out"
    code, out, err = run(
        capsys,
        "vectors",
        str(tmp_path / "legged.urdf"),
        "satellite_arm",
        "--base",
        "fixed",
        "--states",
        "1",
        "--folder",
        str(folder),
    )
    assert (code, err) == (0, "") and out.split() == [
        str(folder / name) for name in ("vectors.json", "vectors.schema.json", "compare.py")
    ]
    suite, schema = (json.loads((folder / name).read_text("utf-8")) for name in ("vectors.json", "vectors.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(suite, schema)
    assert [each["name"] for each in suite["robots"]] == ["legged/fixed", "satellite_arm/free"]
    assert [each["licence"] for each in suite["robots"]] == ["the licence of the legs", "MIT, as qddot"]
    del suite["robots"][0]["states"][0][0]["tau"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(suite, schema)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["panda"], "panda: no value for Ixx1"),
        (["five_bar", "--base", "free"], "--base free of the closed chain five_bar; expected --base fixed"),
        (["empty.urdf"], "no links"),
        (["puma560_1986"], "puma560_1986: the equations are given entry by entry"),
        (["ur5", "ur5"], "2 robots named ur5/fixed; expected different names; leave one out"),
        (["ur5", "--states", "0"], "states = 0; expected a whole number from 1 to 10000"),
        (["two_link", "--states", "9" * 100], "expected a whole number from 1 to 10000"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.urdf").write_text('<robot name="x"></robot>', encoding="utf-8")
    code, _, err = run(capsys, "vectors", *arguments)
    assert code == 2 and message in err and err.count("\n") == 1
    assert not Path("vectors.json").exists()


def test_a_digit_is_written_only_if_the_ball_decides_it() -> None:
    with precise(256):
        third = ball(1) / 3
        assert decimals(third, 5) == "0.33333" and decimals(-third / 10**7, 5) == "-3.3333E-8"
        assert decimals([0, third - third], 5) == ["0E-60", "0E-60"]
        assert (
            decimals(ball(1) / 2, 5) == "0.50000" and decimals(ball(1) / 32, 3) == "0.0312"
        )  # halves go to even digits
        assert decimals(third * 3 / 32, 3) == "0.03125"  # 0.0312 and 0.0313 are as near: more digits
    with precise(30), pytest.raises(UndecidedError):
        decimals(ball(1) / 3, 20)
