"""Joints of SDF whose child carries their parent: equations in the joints' own coordinates, by poses alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import close
from sdf_texts import model, read

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.base.errors import QddotError
from qddot.formats.shared.carrying import Carrier, carriers
from qddot.machine.compilers import kernels
from qddot.robot.effects.spring import Spring

pytestmark = pytest.mark.usefixtures("numpy_runs_programs")
MASS, COM, MOMENTS = 2.0, np.array([0.1, -0.2, 0.3]), np.diag([0.3, 0.5, 0.4])
LINK = (
    '<link name="{}"><pose>{}</pose><inertial><pose>0.1 -0.2 0.3 0 0 0</pose><mass>2</mass>'
    "<inertia><ixx>0.3</ixx><iyy>0.5</iyy><izz>0.4</izz></inertia></inertial></link>"
)
POSES = {"a": (0.1, 0.2, 0.5), "b": (0.4, -0.1, 0.9)}  # of the links at q = 0, with the axes of the world
JOINT_AT = np.array([0.05, 0.02, -0.1])  # in the child
TYPES = {  # the coordinates of the second joint
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "universal": 2,
}
AXES = {"axis": np.array([0.6, 0, 0.8]), "axis2": np.array([0, 1.0, 0])}


@pytest.fixture
def numpy_runs_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No law hangs on a compiler."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


def arm(kind: str, parent: str, child: str) -> qddot.Robot:
    """Link a turns about the world's y axis; a second joint connects links a and b."""
    axes = "".join(
        f"<{tag}><xyz>{' '.join(map(str, AXES[tag]))}</xyz></{tag}>" for tag in list(AXES)[: 1 + (kind == "universal")]
    )
    pitch = "<screw_thread_pitch>0.5</screw_thread_pitch>" if kind == "screw" else ""
    links = "".join(LINK.format(name, " ".join(map(str, (*at, 0, 0, 0)))) for name, at in POSES.items())
    return qddot.Robot(
        model(
            f'{links}<joint name="j1" type="revolute"><parent>world</parent><child>a</child>'
            '<axis><xyz>0 1 0</xyz></axis></joint><joint name="j2" type="{}"><pose>{} 0 0 0</pose>'
            "<parent>{}</parent><child>{}</child>{}{}</joint>".format(
                kind, " ".join(map(str, JOINT_AT)), parent, child, axes, pitch
            )
        )
    )


def turn(axis: Any, q: Any) -> Any:
    """Rodrigues' rotation, as a transform."""
    x, y, z = axis
    hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    T = np.eye(4, dtype=complex)
    T[:3, :3] += np.sin(q) * hat + (1 - np.cos(q)) * hat @ hat
    return T


def shift(p: Any) -> Any:
    T = np.eye(4, dtype=complex)
    T[:3, 3] = p
    return T


def moved(kind: str, q: Any) -> Any:
    """The pose of the joint's frame in the child seen from that in the parent."""
    a, b = AXES.values()
    if kind == "prismatic":
        return shift(a * q[0])
    if kind == "screw":
        return shift(a * q[0] * 0.5 / (2 * np.pi)) @ turn(a, q[0])
    return turn(a, q[0]) @ turn(b, q[1]) if kind == "universal" else turn(a, q[0])


def poses(kind: str, parent: str, child: str, q: Any) -> tuple[Any, Any]:
    """The poses of a and b in the world."""
    at = {name: np.array(p) for name, p in POSES.items()}
    T_a = shift(at["a"]) @ turn([0, 1, 0], q[0])
    T_joint = shift(JOINT_AT)  # in the child
    T_parent_child = shift(at[child] + JOINT_AT - at[parent]) @ moved(kind, q[1:]) @ np.linalg.inv(T_joint)
    T_ab = T_parent_child if (parent, child) == ("a", "b") else np.linalg.inv(T_parent_child)
    return T_a, T_a @ T_ab


def equations(kind: str, parent: str, child: str, q: Any) -> tuple[Any, Any]:
    """M and G from the derivatives of the poses, by complex steps."""
    n, h = len(q), 1e-30
    M, G = np.zeros((n, n)), np.zeros(n)
    steps = [poses(kind, parent, child, q + 1j * h * np.eye(n)[k]) for k in range(n)]
    for link, T in enumerate(poses(kind, parent, child, q + 0j)):
        R = T[:3, :3].real
        rates = [step[link].imag / h for step in steps]
        v = np.array([rate[:3, :3] @ COM + rate[:3, 3] for rate in rates])
        spin = [rate[:3, :3] @ R.T for rate in rates]
        w = np.array([(S[2, 1], S[0, 2], S[1, 0]) for S in spin])
        M += MASS * v @ v.T + w @ R @ MOMENTS @ R.T @ w.T
        G += MASS * 9.81 * v[:, 2]
    return M, G


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("q", [(0, 0, 0), (0.4, -0.7, 1.1)])
def test_equations_are_in_the_coordinate_of_the_child_relative_to_the_parent(
    kind: str, q: tuple[float, float, float]
) -> None:
    state = np.array(q[: 1 + TYPES[kind]], float)
    for ends in (("a", "b"), ("b", "a")):
        robot = arm(kind, *ends)
        M, G = equations(kind, *ends, state)
        close(robot.mass_matrix(state), M, 1e-11)
        close(robot.gravity(state), G, 1e-11)
        exchanged = [note for note in robot.model.notes if "carries the parent" in note]
        assert len(exchanged) == (ends == ("b", "a"))


STATIC = Path(__file__).parents[1] / "formats" / "sdf" / "static_child.sdf"


def test_a_joint_to_a_static_child_is_read() -> None:
    """The pivot turns by q1 relative to the spinner, which turns by −q1; the spring pulls q1 to its rest."""
    robot = qddot.load(STATIC)
    assert (robot.n, robot.model.bodies[0].joint.parent) == (1, "base")
    close(
        robot.forward_kinematics([0.3])[..., :2, :2], [[np.cos(0.3), np.sin(0.3)], [-np.sin(0.3), np.cos(0.3)]], 1e-15
    )
    (spring,) = (each for each in robot.model.bodies[0].joint.effects if isinstance(each, Spring))
    assert spring.rest == Expression.constant(1)
    close(robot.inverse_dynamics([1.5], [0], [0]), [0.5 * 3], 1e-15)


HUNG = (
    '<sdf version="1.10"><world name="w"><model name="m"><pose>0.3 0 1 0.2 0 0</pose>{}</model>'
    '<joint name="j" type="{}"><pose relative_to="m::a">0.1 0 0.2 0 0.1 0</pose><parent>{}</parent><child>{}</child>'
    "<axis><xyz>{}</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>{}</joint></world></sdf>"
)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "screw"])
def test_a_joint_whose_child_is_the_world_moves_as_one_with_exchanged_ends_and_opposite_axis(kind: str) -> None:
    """The world seen from the link turns by q about the axis: the link turns by q about the opposite axis."""
    link = LINK.format("a", "0.1 0.2 0 0 0.3 0")
    pitch = "<screw_thread_pitch>0.5</screw_thread_pitch>" if kind == "screw" else ""
    hung, by_hand = (
        qddot.Robot(read(HUNG.format(link, kind, *ends, axis, pitch)))
        for ends, axis in ((("m::a", "world"), "0.6 0 0.8"), (("world", "m::a"), "-0.6 0 -0.8"))
    )
    for name in ("M", "G"):
        assert getattr(hung.equations(), name) == getattr(by_hand.equations(), name), name
    ends = [[body.joint.limits for body in robot.model.bodies] for robot in (hung, by_hand)]
    assert ends[0] == ends[1]
    assert any("carries the parent" in note for note in hung.model.notes)


def test_trees_are_turned_round_up_to_their_roots() -> None:
    """The ground carries c; d hangs on e, whose joint has its parent in d's tree: d, e and f hang on c from f."""
    joints = {"1": ("ground", "c"), "2": ("d", "e"), "3": ("e", "f"), "4": ("f", "c")}
    carried, loops = carriers("cdef", joints, "ground")
    assert loops == []
    assert carried == {
        "c": Carrier("1", "ground"),
        "f": Carrier("4", "c", exchanged=True),
        "e": Carrier("3", "f", exchanged=True),
        "d": Carrier("2", "e", exchanged=True),
    }


def test_what_hangs_together_without_exchange_is_left_and_loops_stay_loops() -> None:
    joints = {"1": ("ground", "a"), "2": ("a", "b"), "3": ("b", "ground"), "4": ("b", "a"), "5": ("ground", "b")}
    assert carriers("ab", joints, "ground") == ({"a": Carrier("1", "ground"), "b": Carrier("2", "a")}, ["3", "4", "5"])
    free = {"1": ("a", "c"), "2": ("b", "c")}
    assert carriers("abc", free, "ground")[0] == {"c": Carrier("1", "a"), "b": Carrier("2", "c", exchanged=True)}
    later = {"1": ("b", "c"), "2": ("a", "c")}  # the tree of the first link keeps its root
    assert carriers("abc", later, "ground")[0] == {"b": Carrier("1", "c", exchanged=True), "c": Carrier("2", "a")}


def test_a_loop_may_be_closed_by_a_joint_with_either_end_on_the_ground(tmp_path: Path) -> None:
    """A parallelogram, whose last joint has the static link as its child or as its parent."""
    chains = []
    for parent, child in (("rocker", "ground::pin"), ("ground::pin", "rocker")):
        links = "".join(
            LINK.format(name, f"{x} 0 {z} 0 0 0")
            for name, x, z in (("crank", 0, 0), ("coupler", 0, 1), ("rocker", 2, 0))
        )
        joint = (
            '<joint name="{}" type="revolute"><pose relative_to="{}">{} 0 {} 0 0 0</pose><parent>{}</parent>'
            "<child>{}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
        joints = (
            joint.format("j1", "crank", 0, 0, "world", "crank")
            + joint.format("j2", "coupler", 0, 0, "crank", "coupler")
            + joint.format("j3", "rocker", 0, 1, "coupler", "rocker")
            + joint.format("j4", "rocker", 0, 0, parent, child)
        )
        path = tmp_path / "parallelogram.sdf"
        ground = '<model name="ground"><static>true</static><link name="pin"/></model>'
        path.write_text(f'<sdf version="1.11"><model name="m">{links}{ground}{joints}</model></sdf>')
        chains.append(qddot.load_closed_chain(path, "q1"))
    masses = [chain.mass_matrix(chain.assemble({"q1": 0.4, "q2": -0.4, "q3": 0.4}).q) for chain in chains]
    # the coupler only moves: each point of it at 1 m from its pivot, and cranks turn about their origins
    expected = 2 * (0.5 + 2 * (0.1**2 + 0.3**2)) + 2
    close(masses[0], [[expected]], 1e-12)
    close(masses[1], [[expected]], 1e-12)


def test_links_that_no_joint_connects_are_still_named() -> None:
    links = "".join(LINK.format(name, "0 0 0 0 0 0") for name in "abc")
    joint = '<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>'
    with pytest.raises(QddotError, match="'a', 'c'"):
        model(links + joint)
