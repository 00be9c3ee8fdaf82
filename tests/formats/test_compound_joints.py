"""Screws, universal, cylindrical and planar joints are chains of joints of one freedom, with the same motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from physical import close
from refusals import refusal

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.base.errors import EvaluationError, QddotError
from qddot.formats import sdf, urdf
from qddot.formats.toml import robot_file
from qddot.machine.compilers import kernels
from qddot.robot.effects.viscous import Viscous
from qddot.robot.model import Model

TENSOR = {"about": "com", "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.05}
SYMBOLS = {"p": 0.05, "a": 0.4}


def link(name: str, parent: str, kind: str, **joint: Any) -> dict[str, Any]:
    placed = {"type": kind, "xyz": ["a", 0, 0.2], "rpy": ["30deg", 0, "90deg"], **joint}
    frame = {"xyz": [0, 0.1, 0], "rpy": [0, "45deg", 0]}
    body = {"mass": 1.5, "com": [0.1, 0.2, -0.3], "inertia": TENSOR}
    return {"name": name, "parent": parent, "joint": placed, "frame": frame, **body}


def robot(*links: dict[str, Any], **more: Any) -> qddot.Robot:
    data = {"name": "r", "convention": "tree", "symbols": SYMBOLS, "link": list(links), **more}
    return qddot.Robot(robot_file.from_mapping(data, "r.toml"))


TREE = robot(
    link("nut", "base", "helical", axis=["3/5", 0, "4/5"], pitch="p", damping=0.2, limits=[-1, 1]),
    link("cup", "nut", "universal", axes=[[1, 0, 0], [0, "3/5", "4/5"]], armature=[0.1, 0.2], limits=[[], [-1, 1]]),
    link("rod", "cup", "cylindrical", axis=[0, 1, 0], coordinates=["turn", "slide"], spring=[{}, {"stiffness": 3}]),
    link("car", "cup", "planar", axis=["2/3", "-1/3", "2/3"], coulomb=[0, 0, 0.1]),
    link("bolt", "car", "helical", pitch=-0.03, coordinate="last"),
)


def separate(arm: qddot.Robot) -> tuple[qddot.Robot, np.ndarray]:
    """Returns the tree in which no slide follows its turn, and E with q_all = E q."""
    bodies = [replace(b, joint=replace(b.joint, coordinate=f"q_{b.name}", ratio=None)) for b in arm.model.bodies]
    tree = qddot.Robot(replace(arm.model, bodies=tuple(bodies), coordinates=()))
    E = np.zeros((tree.n, arm.n))
    for row, body in enumerate(arm.model.bodies):
        ratio = Expression.constant(1 if body.joint.ratio is None else 0) + (body.joint.ratio or 0)
        E[row, arm.model.coordinates.index(str(body.joint.coordinate))] = ratio.value(arm.model.defaults())
    return tree, E


def test_coordinates_come_in_the_order_of_the_joint_and_bodies_between_have_no_mass() -> None:
    assert TREE.model.coordinates == ("q1", "q2", "q3", "turn", "slide", "q6", "q7", "q8", "last")
    between = [body for body in TREE.model.bodies if not body.inertia.m]
    assert [body.name for body in between] == ["nut_turn", "cup_first", "rod_turn", "car_x", "car_y", "bolt_turn"]
    kinds = {body.name: (body.joint.type, body.joint.part_of) for body in TREE.model.bodies}
    assert kinds["car_y"] == ("prismatic", "planar") and kinds["nut_turn"] == ("revolute", "helical")
    assert TREE.model.body("nut_turn").joint.has(Viscous) and not TREE.model.body("nut").joint.effects
    assert TREE.model.body("cup").joint.limits is not None and TREE.model.body("cup_first").joint.limits is None
    assert "revolute, part of universal" in TREE._repr_html_()


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the laws are theirs, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.slow
def test_every_number_is_that_of_the_tree_whose_screws_turn_and_slide_apart() -> None:
    tree, E = separate(TREE)
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 4, TREE.n))
    all_q, all_qd, all_qdd = q @ E.T, qd @ E.T, qdd @ E.T
    close(TREE.mass_matrix(q), E.T @ tree.mass_matrix(all_q) @ E)
    close(TREE.gravity(q), tree.gravity(all_q) @ E)
    close(TREE.coriolis_matrix(q, qd), E.T @ tree.coriolis_matrix(all_q, all_qd) @ E)
    close(TREE.forward_kinematics(q, "bolt"), tree.forward_kinematics(all_q, "bolt"))
    close(TREE.jacobian(q, "bolt"), tree.jacobian(all_q, "bolt") @ E)
    tau = TREE.inverse_dynamics(q, qd, qdd)
    close(TREE.forward_dynamics(q, qd, tau), qdd, 1e-11)
    for own, full in zip(
        TREE.inverse_dynamics_derivatives(q, qd, qdd),
        tree.inverse_dynamics_derivatives(all_q, all_qd, all_qdd),
        strict=True,
    ):
        close(own, E.T @ full @ E)
    steps = 1e-6 * np.eye(TREE.n)
    slopes = np.stack(
        [(TREE.inverse_dynamics(q + s, qd, qdd) - TREE.inverse_dynamics(q - s, qd, qdd)) / 2e-6 for s in steps], -1
    )
    close(TREE.inverse_dynamics_derivatives(q, qd, qdd)[0], slopes, 1e-6)  # differences of functions near 100


def test_exact_equations_of_screws_and_universal_joints_are_proved_and_those_that_are_compiled() -> None:
    arm = robot(link("nut", "base", "helical", pitch="p"), link("cup", "nut", "universal", axes=[[1, 0, 0], [0, 1, 0]]))
    assert arm.prove()
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, arm.n))
    values = arm.equations().at(q, qd, qdd)
    close(arm.inverse_dynamics(q, qd, qdd), np.array(values["tau"], dtype=float))
    close(arm.mass_matrix(q), np.array(values["M"], dtype=float))
    assert arm.equations().textbook().M.exact == arm.equations().M


def test_a_nut_on_a_screw_falls_as_if_it_had_the_mass_that_its_turning_adds() -> None:
    """(J + m p²) q̈ = −m g p, whatever the angle."""
    nut = {"name": "nut", "joint": {"type": "helical", "pitch": "p"}, "mass": "m"}
    tensor = {"about": "com", "xx": "J", "yy": "J", "zz": "J"}
    data = {"convention": "tree", "symbols": {"p": 0.01, "m": 2.0, "J": 0.004}, "link": [{**nut, "inertia": tensor}]}
    arm = qddot.Robot(robot_file.from_mapping(data, "nut"))
    eq = arm.equations()
    assert (str(eq.M[0, 0]), str(eq.G[0])) == ("M11 = p**2*m + J", "G1 = p*m*g")
    run = arm.simulate([0.3], [0.0], duration=2.0, step=0.01)
    acceleration = -2.0 * 9.81 * 0.01 / (0.004 + 2.0 * 0.01**2)
    close(run.q[..., -1, 0], 0.3 + acceleration * 2.0**2 / 2, 1e-9)
    assert float(arm.forward_kinematics([7.0])[2, 3]) == pytest.approx(0.07, rel=1e-14)


def test_the_output_of_a_universal_joint_points_where_hookes_does() -> None:
    """z turned by Rx(α) Ry(β) is (sin β, −sin α cos β, cos α cos β)."""
    arm = qddot.Robot(
        robot_file.from_mapping(
            {
                "convention": "tree",
                "link": [{"joint": {"type": "universal", "axes": [[1, 0, 0], [0, 1, 0]]}, "mass": 1}],
            },
            "hooke",
        )
    )
    a, b = 0.7, -0.4
    expected = [np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)]
    close(arm.forward_kinematics([a, b])[:3, 2], expected)


def test_screws_universal_and_planar_joints_are_those_of_pinocchio() -> None:
    unit = np.array([0.6, 0.0, 0.8])
    cases = [
        (pin.JointModelHelicalUnaligned(unit, 0.05), {"type": "helical", "axis": ["3/5", 0, "4/5"], "pitch": 0.05}),
        (pin.JointModelHZ(-0.2), {"type": "helical", "pitch": -0.2}),
        (
            pin.JointModelUniversal(np.array([1.0, 0, 0]), np.array([0, 0.6, 0.8])),
            {"type": "universal", "axes": [[1, 0, 0], [0, "3/5", "4/5"]]},
        ),
    ]
    inertia = pin.Inertia(1.5, np.array([0.1, 0.2, -0.3]), np.array([[0.3, 0.05, 0], [0.05, 0.4, 0], [0, 0, 0.5]]))
    for theirs, ours in cases:
        model = pin.Model()
        joint = model.addJoint(0, theirs, pin.SE3.Identity(), "j")
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        body = {"joint": ours, "mass": 1.5, "com": [0.1, 0.2, -0.3], "inertia": TENSOR}
        arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": [body]}, "one"))
        q, qd, qdd = np.random.default_rng(1).uniform(-2, 2, (3, arm.n))
        close(arm.inverse_dynamics(q, qd, qdd), pin.rnea(model, model.createData(), q, qd, qdd), 1e-11)


@pytest.mark.parametrize("convention", ["toml", "urdf"])
def test_files_that_are_written_give_the_same_arm(convention: str) -> None:
    if convention == "toml":
        assert robot_file.loads(TREE.to_toml(), "again").hash == TREE.model.hash
        assert robot_file.loads(TREE.to_toml(), "again") == TREE.model
        return
    # URDF has its coordinates by place, and decimals for turned axes
    again = qddot.Robot(urdf.loads(TREE.to_urdf(), "again.urdf"))
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, TREE.n))
    close(again.inverse_dynamics(q, qd, qdd), TREE.inverse_dynamics(q, qd, qdd), 1e-10)


PLANE = """<robot name="r"><link name="base"/><link name="car"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="planar"><parent link="base"/><child link="car"/><axis xyz="{}"/></joint></robot>"""


@pytest.mark.parametrize("normal", ["0 0 1", "0 0 -1", "1 0 0", "0.6 0 0.8", "1 1 1"])
def test_a_planar_joint_of_urdf_stays_in_its_plane(normal: str) -> None:
    arm = qddot.Robot(urdf.loads(PLANE.format(normal), "car.urdf"))
    n = np.array([float(part) for part in normal.split()])
    n = n / np.linalg.norm(n)
    T = arm.forward_kinematics([0.3, -0.4, 0.9])
    assert abs(T[:3, 3] @ n) < 1e-11 and np.hypot(*arm.mass_matrix([0, 0, 0]).diagonal()[:2]) == pytest.approx(8**0.5)
    assert np.linalg.norm(T[:3, 3]) == pytest.approx(0.5)
    assert T[:3, :3] @ n == pytest.approx(n)
    assert arm.model.coordinates == ("q1", "q2", "q3")
    x, y = (arm.forward_kinematics(q)[:3, 3] for q in ([1, 0, 0], [0, 1, 0]))
    assert np.cross(x, y) == pytest.approx(n, abs=1e-11)


BODY = "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz></inertia></inertial>"


def of_sdf(kind: str, inside: str) -> Model:
    joint = f'<joint name="j" type="{kind}"><parent>world</parent><child>a</child>{inside}</joint>'
    return sdf.loads(f'<sdf version="1.10"><model name="m"><link name="a">{BODY}</link>{joint}</model></sdf>', "m.sdf")


AXIS = "<axis><xyz>0 0 1</xyz><dynamics><damping>0.1</damping></dynamics></axis>"


def test_a_screw_of_sdf_goes_forward_a_turn_by_its_pitch_and_the_older_one_is_left_handed() -> None:
    new = qddot.Robot(of_sdf("screw", f"<screw_thread_pitch>0.02</screw_thread_pitch>{AXIS}"))
    assert new.forward_kinematics([2 * np.pi])[2, 3] == pytest.approx(0.02, rel=1e-14)
    assert any("0.02 m per turn" in note for note in new.model.notes)
    old = qddot.Robot(of_sdf("screw", f"<thread_pitch>-50</thread_pitch>{AXIS}"))  # rad/m, negative: right-handed
    assert old.forward_kinematics([1.0])[2, 3] == pytest.approx(1 / 50, rel=1e-14)
    assert old.n == 1 and old.model.bodies[0].joint.has(Viscous)
    both = of_sdf("screw", f"<thread_pitch>1</thread_pitch><screw_thread_pitch>0.02</screw_thread_pitch>{AXIS}")
    assert both.hash == new.model.hash


@pytest.mark.parametrize("kind", ["universal", "revolute2"])
def test_a_joint_of_two_axes_in_sdf_turns_about_one_then_the_other(kind: str) -> None:
    second = "<axis2><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis2>"
    arm = qddot.Robot(of_sdf(kind, f"<axis><xyz>1 0 0</xyz></axis>{second}"))
    assert arm.model.coordinates == ("q1", "q2") and arm.model.body("a").joint.limits is not None
    a, b = 0.7, -0.4
    close(arm.forward_kinematics([a, b])[:3, 2], [np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)])


BAD = {
    "a pitch of zero": ({"type": "helical", "pitch": 0}, ("pitch-zero",)),
    "no pitch": ({"type": "helical"}, ("helical-without-pitch",)),
    "an unknown symbol": ({"type": "helical", "pitch": "zz"}, ("symbols-undeclared", "zz")),
    "parallel axes": (
        {"type": "universal", "axes": [[1, 0, 0], [-1, 0, 0]]},
        ("universal-axes-parallel", "link 'one'"),
    ),
    "one axis": (
        {"type": "universal", "axes": [[1, 0, 0]]},
        ("axes-not-two",),
    ),
    "an axis that is too long": ({"type": "cylindrical", "axis": [1, 1, 0]}, ("axis-not-unit-vector", "(1, 1, 0)")),
    "a normal that is too long": ({"type": "planar", "axis": [1, 1, 0]}, ("axis-not-unit-vector", "(1, 1, 0)")),
    "a normal with symbols": ({"type": "planar", "axis": ["cos(a)", "sin(a)", 0]}, ("plane-normal-symbolic",)),
    "damping for one coordinate": (
        {"type": "cylindrical", "damping": 0.1},
        ("list-of-wrong-length", "damping", "0.1", "2"),
    ),
    "two names for three": ({"type": "planar", "coordinates": ["x", "y"]}, ("list-of-wrong-length", "3")),
    "a name twice": ({"type": "cylindrical", "coordinates": ["x", "x"]}, ("coordinate-twice", "'x'")),
    "a pitch of a hinge": ({"type": "revolute", "pitch": 1}, ("unknown-key", "'pitch'", "joint")),
    "a slip of the pen": (
        {"type": "helicla", "pitch": 1},
        ("none-of-these", "type-of-joint", "'helicla'", "'helical'"),
    ),
    "a part of nothing": ({"type": "revolute", "part_of": "wheel"}, ("part-of-unknown", "'wheel'")),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_joints_are_refused_with_the_remedy(name: str) -> None:
    joint, says = BAD[name]
    with refusal(QddotError, *says):
        robot({"name": "one", "joint": joint, "mass": 1})


def test_a_joint_that_turns_as_another_slides_is_refused_and_so_is_a_symbol_as_its_ratio() -> None:
    slide = link("a", "base", "prismatic", coordinate="x")
    with refusal(QddotError, "turning-follows-sliding", "x"):
        robot(slide, link("b", "a", "revolute", coordinate="x", ratio=2))
    turn = link("a", "base", "revolute", coordinate="x")
    with refusal(QddotError, "turning-ratio-symbolic", "p"):
        robot(turn, link("b", "a", "revolute", coordinate="x", ratio="p"))


def test_screws_of_different_pitch_are_named_as_different() -> None:
    arm = robot(link("nut", "base", "helical", pitch="p"))
    assert "the descriptions agree" in str(qddot.diff(arm, arm.with_values(p="0.05")))
    assert "A has the joint nut, which B lacks" in str(qddot.diff(arm, arm.with_values(p="0.06")))


def test_a_screw_that_is_abbreviated_needs_a_region_and_one_that_is_locked_stays_where_it_is() -> None:
    arm = robot(
        link("one", "base", "revolute", axis=[1, 0, 0]),
        link("nut", "one", "helical", axis=[0, 1, 0], pitch="p"),
        link("end", "nut", "revolute", axis=[0, 0, 1]),
    )
    with refusal(EvaluationError, "joint-slides-no-limits", "'q2'"):
        arm.equations().abbreviate(0.01)
    assert "q2 in [0, 1]" in str(arm.equations().abbreviate(0.01, region={"q2": (0, 1)}))
    q, held = np.array([0.3, np.pi / 2, -0.8]), arm.with_locked(q2="90deg")
    close(held.mass_matrix(q[[0, 2]]), arm.mass_matrix(q)[np.ix_([0, 2], [0, 2])])
    assert not arm.doctor().findings
