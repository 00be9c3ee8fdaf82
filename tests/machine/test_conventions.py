"""Arrays in the conventions of other programs are those programs' own, and keep power, energy and skewness."""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError
from qddot.faces import aliases
from qddot.formats.toml import robot_file
from qddot.machine.numeric.conventions import CONVENTIONS

MJCF = """<mujoco><option timestep="0.001"/><compiler autolimits="true"/><worldbody>
<body name="trunk" pos="0 0 0"><freejoint name="root"/>
  <inertial pos=".1 .2 .3" mass="4" fullinertia="1 1.1 1.2 .1 .05 .02"/>
  <body name="leg" pos=".3 0 -.2"><joint name="hip" type="ball"/>
    <inertial pos="0 .1 -.3" mass="2" diaginertia=".1 .2 .25"/>
    <body name="shin" pos="0 0 -.5"><joint name="knee" axis="0 1 0"/>
      <inertial pos="0 .1 -.3" mass="1.5" diaginertia=".1 .2 .25"/></body></body></body>
</worldbody></mujoco>"""
STEP = 1e-6  # of central differences, whose error is about 1e-9


OF_BODY: dict[str, tuple[float, list[float], list[list[float]]]] = {
    "trunk": (4, [0.1, 0.2, 0.3], [[1, 0.1, 0.05], [0.1, 1.1, 0.02], [0.05, 0.02, 1.2]]),
    "leg": (2, [0, 0.1, -0.3], [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.25]]),
    "shin": (1.5, [0, 0.1, -0.3], [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.25]]),
}
JOINTS: dict[str, dict[str, Any]] = {
    "trunk": {"type": "free"},
    "leg": {"type": "spherical", "xyz": [0.3, 0, -0.2]},
    "shin": {"type": "revolute", "axis": [0, 1, 0], "xyz": [0, 0, -0.5]},
}


@cache
def arm() -> qddot.Robot:
    links, parent = [], "base"
    for name, joint in JOINTS.items():
        mass, com, tensor = OF_BODY[name]
        links.append({"name": name, "parent": parent, "joint": joint, "mass": mass, "com": com, "inertia": tensor})
        parent = name
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "walker"))


def state(seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    q = arm().integrate(arm().neutral(), rng.normal(size=arm().n))
    qd, qdd = rng.normal(size=(2, arm().n))
    return q, qd, qdd


def of(program: str, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
    """Our arrays, and the program's."""
    own = {
        "qd": qd,
        "qdd": qdd,
        "M": arm().mass_matrix(q),
        "C": arm().coriolis_matrix(q, qd),
        "tau": arm().inverse_dynamics(q, qd, qdd),
    }
    return {"q": q, **own}, aliases.in_convention(arm(), program, q, **own)


def test_numbers_are_mujocos() -> None:
    model = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(model)
    _, theirs = of("mujoco", *state())
    data.qpos[:], data.qvel[:], data.qacc[:] = theirs["q"], theirs["qd"], theirs["qdd"]
    mujoco.mj_inverse(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    np.testing.assert_allclose(theirs["tau"], data.qfrc_inverse, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(theirs["M"], M, atol=1e-12)


def test_numbers_are_pinocchios() -> None:
    kinds = {"free": pin.JointModelFreeFlyer, "spherical": pin.JointModelSpherical, "revolute": pin.JointModelRY}
    model, parent = pin.Model(), 0
    for name, joint in JOINTS.items():
        place = pin.SE3(np.eye(3), np.array(joint.get("xyz", [0, 0, 0]), dtype=float))
        parent = model.addJoint(parent, kinds[joint["type"]](), place, name)
        mass, com, tensor = OF_BODY[name]
        model.appendBodyToJoint(parent, pin.Inertia(mass, np.array(com), np.array(tensor)), pin.SE3.Identity())
    data = model.createData()
    _, theirs = of("pinocchio", *state())
    motion = theirs["q"], theirs["qd"]
    np.testing.assert_allclose(theirs["tau"], pin.rnea(model, data, *motion, theirs["qdd"]), atol=1e-11)
    M = np.triu(pin.crba(model, data, theirs["q"]))
    np.testing.assert_allclose(theirs["M"], M + np.triu(M, 1).T, atol=1e-12)
    np.testing.assert_allclose(theirs["C"], pin.computeCoriolisMatrix(model, data, *motion), atol=1e-11)


@pytest.mark.parametrize("program", [name for name, rule in CONVENTIONS.items() if rule.ball])
def test_energy_power_and_torques_stay_and_all_comes_back(program: str) -> None:
    own, theirs = of(program, *state())
    assert theirs["qd"] @ theirs["M"] @ theirs["qd"] == pytest.approx(own["qd"] @ own["M"] @ own["qd"])
    assert theirs["tau"] @ theirs["qd"] == pytest.approx(own["tau"] @ own["qd"])
    G = aliases.in_convention(arm(), program, own["q"], tau=arm().gravity(own["q"]))["tau"]
    tau = theirs["M"] @ theirs["qdd"] + theirs["C"] @ theirs["qd"] + G
    np.testing.assert_allclose(tau, theirs["tau"], atol=1e-10)
    back = aliases.from_convention(arm(), program, **theirs)
    for name, array in own.items():
        ours = back[name]
        if name == "q":  # a quaternion and its opposite are one rotation
            ours = ours * np.array(
                [*[1.0] * 3, *[np.sign(ours[3] * array[3])] * 4, *[np.sign(ours[7] * array[7])] * 4, 1]
            )
        np.testing.assert_allclose(ours, array, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("program", [name for name, rule in CONVENTIONS.items() if rule.ball])
def test_velocities_are_those_of_points_and_axes(program: str) -> None:
    """v is ṗ of its point and ω the axial vector of Ṙ Rᵀ, along the axes that the convention names; Ṁ − 2C is skew."""
    q, qd, qdd = state()
    _, theirs = of(program, q, qd, qdd)
    rule, v_place, w_place = CONVENTIONS[program], slice(0, 3), slice(3, 6)
    if rule.turned_first:
        v_place, w_place = w_place, v_place
    points = [arm().integrate(q, qd, step) for step in (STEP, -STEP)]
    after, before = (arm().forward_kinematics(at, body="trunk") for at in points)
    com = np.array([0.1, 0.2, 0.3]) if rule.of_com else np.zeros(3)
    R = arm().forward_kinematics(q, body="trunk")[:3, :3]
    v = (after - before)[:3] @ np.array([*com, 1]) / (2 * STEP)
    W = (after - before)[:3, :3] / (2 * STEP) @ R.T
    w = np.array([W[2, 1], W[0, 2], W[1, 0]])
    for place, axes, value in ((v_place, rule.v, v), (w_place, rule.w, w)):
        expected = value if "parent" in axes else R.T @ value
        np.testing.assert_allclose(theirs["qd"][place], expected, atol=1e-8)
    M = [aliases.in_convention(arm(), program, at, M=arm().mass_matrix(at))["M"] for at in points]
    skew = (M[0] - M[1]) / (2 * STEP) - 2 * theirs["C"]
    np.testing.assert_allclose(skew, -skew.T, atol=1e-7)


def test_the_mixed_representation_is_along_the_worlds_axes() -> None:
    satellite = arm().with_locked(q1=0)
    with refusal(EvaluationError, "joint-unknown-to-program", "spherical", "'leg'", "idyntree"):
        aliases.in_convention(satellite, "idyntree", satellite.neutral())


def test_what_cannot_be_converted_is_refused() -> None:
    q, qd, _ = state()
    for program, arrays, message in (
        ("bullet", {}, ("none-of-these", "no-convention", "'bullet'", "pinocchio, mujoco, drake, idyntree, newton")),
        ("mujoco", {"qdd": qd}, ("qdd-c-without-qd",)),
        ("mujoco", {"M": qd}, ("of-another-shape", "M", "(10,)", "(…, 10, 10)")),
        ("mujoco", {"qd": q}, ("of-another-shape", "qd", "(12,)", "(…, 10)")),
    ):
        with refusal(EvaluationError, *message):
            aliases.in_convention(arm(), program, q, **arrays)
