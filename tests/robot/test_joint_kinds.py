"""Each kind of joint keeps the laws of the contract, and a new one is a file and a line: everything else asks it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Inertia, Pose, Rotation, SymmetricMatrix3, Twist, Vec3
from qddot.robot.bodies import Joint
from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kinds import KINDS

ROOT = Path(qddot.__file__).parent
AXIS = Vec3(0.6, 0.0, 0.8)
STEP = 1e-6
Array = NDArray[np.float64]
JOINTS = {
    "revolute": Joint("revolute", coordinate="q"),
    "continuous": Joint("continuous", coordinate="q"),
    "prismatic": Joint("prismatic", coordinate="q"),
    "spherical": Joint("spherical", coordinate="b"),
    "free": Joint("free", coordinate="b"),
    "fixed": Joint("fixed"),
    "turning follower": Joint("revolute", coordinate="q", ratio=Fraction(3, 2)),
    "turning follower by a whole ratio": Joint("revolute", coordinate="q", ratio=Fraction(3)),
    "sliding follower": Joint("prismatic", coordinate="q", ratio=Fraction(3, 2)),
}
MOVING = [name for name in JOINTS if name != "fixed"]


def at(joint: Joint, q: dict[str, float]) -> Any:
    """Returns what the laws of a joint need of its positions."""
    angles = [str(joint.coordinate)] if joint.kind.is_angle else []
    return joint.kind.at(Coordinates(Floats({}, q), angles), joint.coordinate, joint.ratio)


def matrix(joint: Joint, q: dict[str, float]) -> Array:
    return np.array(joint.kind.moved(Pose.identity(), AXIS, at(joint, q)).matrix(), float)


def state(joint: Joint, rng: np.random.Generator) -> dict[str, float]:
    """Returns values of a joint's positions, with a quaternion of norm 1."""
    q = dict(zip(joint.kind.positions(joint.coordinate), rng.uniform(-1, 1, 7), strict=False))
    if (freedoms := joint.freedoms) is not None:
        parts = np.array([q[name] for name in freedoms.quaternion])
        q |= dict(zip(freedoms.quaternion, parts / np.linalg.norm(parts), strict=True))
    return q


def rates(joint: Joint, a: int) -> Callable[[dict[str, float]], dict[str, float]]:
    """Returns the rates of the positions for a unit of velocity a, as a function of the positions."""
    freedoms, coordinate = joint.freedoms, str(joint.coordinate)
    if freedoms is None:
        return lambda q: {coordinate: 1.0}
    name = freedoms.velocities[a]
    return lambda q: freedoms.fields(q)[name]


def spatial(inertia: Inertia) -> Array:
    return np.array(inertia.spatial_matrix(), float)


def along(q: dict[str, float], rate: dict[str, float], step: float) -> dict[str, float]:
    return {name: value + step * rate.get(name, 0.0) for name, value in q.items()}


def bracket(twist: Twist) -> Array:
    """Returns the 4×4 matrix [S] with Ṫ = T [S]."""
    (x, y, z), v = twist.w, twist.v
    return np.array([[0, -z, y, v.x], [z, 0, -x, v.y], [-y, x, 0, v.z], [0, 0, 0, 0]], float)


@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_does_not_move_its_body_at_home(name: str) -> None:
    kind = JOINTS[name].kind
    assert np.array_equal(kind.moved(Pose.identity(), AXIS, kind.home).matrix(), np.eye(4))


@pytest.mark.parametrize("name", MOVING)
def test_screw_axes_are_the_derivatives_of_the_pose(name: str) -> None:
    """dT/dt = T [S_a] for a unit of velocity a, at any q: the screw axes are constant along the body's axes."""
    joint, rng = JOINTS[name], np.random.default_rng(1)
    ratio = 1.0 if joint.ratio is None else float(joint.ratio)
    for _ in range(5):
        q = state(joint, rng)
        for a, S in enumerate(joint.kind.columns(AXIS)):
            rate = rates(joint, a)(q)
            slope = (matrix(joint, along(q, rate, STEP)) - matrix(joint, along(q, rate, -STEP))) / (2 * STEP)
            assert slope == pytest.approx(matrix(joint, q) @ bracket(S) * ratio, abs=1e-9)


@pytest.mark.parametrize("name", MOVING)
def test_placements_and_exponentials_are_the_same_motion(name: str) -> None:
    """The exponential of a screw that is seen from another frame is T e^([S] q) T⁻¹ = e^([Ad_T S] q)."""
    joint, q = JOINTS[name], state(JOINTS[name], np.random.default_rng(2))
    kind, there = joint.kind, at(joint, q)
    T = Pose(Rotation.about(Vec3(0, 1, 0), 0.8, 0.6), Vec3(0.1, -0.2, 0.3))
    motion = kind.moved(Pose.identity(), AXIS, there)
    assert np.allclose(kind.moved(T, AXIS, there).matrix(), np.array(T.matrix()) @ motion.matrix())
    if len(kind.angular) == 1:
        (S,) = kind.columns(AXIS)
        for sign, moved in ((1, motion), (-1, motion.inverse())):
            seen = kind.exponential(T.adjoint(S), there, sign)
            assert np.allclose(seen.matrix(), (T @ moved @ T.inverse()).matrix())


@pytest.mark.parametrize("name", ["revolute", "spherical", "free"])
def test_brackets_are_those_of_the_vector_fields(name: str) -> None:
    """[X_a, X_b] = DX_b X_a − DX_a X_b = Σ c^l_ab X_l, with the derivatives by differences."""
    joint = JOINTS[name]
    q, count = state(joint, np.random.default_rng(3)), len(joint.kind.angular)
    names = joint.kind.positions(joint.coordinate)

    def field(a: int, q: dict[str, float]) -> Array:
        found = rates(joint, a)(q)
        return np.array([found.get(name, 0.0) for name in names])

    def slope(b: int, a: int) -> Array:
        rate = rates(joint, a)(q)
        return (field(b, along(q, rate, STEP)) - field(b, along(q, rate, -STEP))) / (2 * STEP)

    for a in range(count):
        for b in range(count):
            expected = sum((c * field(l, q) for l, c in joint.kind.brackets().get((a, b), ())), np.zeros(len(names)))
            assert slope(b, a) - slope(a, b) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", JOINTS)
@pytest.mark.parametrize("axis", [Vec3(0, 0, 1), Vec3(0, -1, 0), AXIS])
def test_the_parent_has_what_a_joint_does_not_feel(name: str, axis: Vec3) -> None:
    """An unfelt inertia is the same for the parent at any q, and the joint's velocities move none of it."""
    kind, rng = JOINTS[name].kind, np.random.default_rng(4)
    body = Inertia.about_com(2.0, Vec3(0.1, 0.2, -0.3), SymmetricMatrix3(1.0, 0.1, 0.2, 1.5, 0.3, 1.2))
    felt, rest = kind.split(axis, body)
    assert spatial(felt + rest) == pytest.approx(spatial(body))
    turned = Pose(Rotation.about(Vec3(1, 0, 0), 0.6, 0.8), Vec3(0.3, 0.2, 0.1))
    offset = Pose.identity() if JOINTS[name].freedoms else turned
    basis = kind.unfelt(axis, offset)
    for own, at_joint in basis:
        assert spatial(own.placed(offset)) == pytest.approx(spatial(at_joint))
    moved = kind.moved(Pose.identity(), axis, at(JOINTS[name], state(JOINTS[name], rng)))
    V = Twist(Vec3(*rng.uniform(-1, 1, 3)), Vec3(*rng.uniform(-1, 1, 3)))
    for each in (rest, *(at_joint for _, at_joint in basis)):
        assert spatial(each.placed(moved)) == pytest.approx(spatial(each))
        for S in kind.columns(axis):
            assert each.twice_kinetic_energy(V + S) == pytest.approx(each.twice_kinetic_energy(V))


def test_a_rotor_has_a_frame_that_stays_and_resists_about_its_axis_alone() -> None:
    rotor = Joint("revolute", "link", AXIS, coordinate="q", ratio=Fraction(50), part_of="rotor").kind
    body = Inertia.about_com(2.0, Vec3(0.1, 0.2, -0.3), SymmetricMatrix3(1.0, 0.1, 0.2, 1.5, 0.3, 1.2))
    V = Twist(Vec3(0.3, -0.2, 0.5), Vec3(1.0, 2.0, 3.0))
    about = sum(a * x for a, x in zip(AXIS, body.I.apply(AXIS), strict=True))
    spun: Any = AXIS.dot(V.w)
    assert rotor.own_inertia(AXIS, body).twice_kinetic_energy(V) == pytest.approx(about * spun**2)
    assert rotor.moved(Pose.identity(), AXIS, rotor.home).matrix() == pytest.approx(np.eye(4))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_names_units_and_velocities_belong_together(kind: Any) -> None:
    if kind.moves:
        assert len(kind.positions("x")) == len(kind.units)
        assert len(kind.velocities("x")) == len(kind.angular) == len(kind.columns(AXIS))
        assert [any(S.w) for S in kind.columns(AXIS)] == list(kind.angular)


SCREW = '''
"""Defines the joint that turns about its axis and slides along it, two metres per radian."""

from __future__ import annotations

from typing import Any

from qddot.algebra.spatial import Number, Pose, Rotation, Twist, Vec3
from qddot.robot.joints.coordinates import Coordinates
from qddot.robot.joints.kind import Kind


class Screw(Kind):
    types = ("screw",)
    letter = "H"
    is_angle = is_plain = True
    angular = (True,)
    units = ("rad",)
    home = (1, 0, 0)

    def at(self, q: Coordinates, coordinate: str | None, ratio: Any) -> tuple[Number, Number, Number]:
        return (*q.cos_sin(str(coordinate)), q(str(coordinate)))

    def moved(self, placement: Pose, axis: Vec3, at: tuple[Number, Number, Number]) -> Pose:
        c, s, angle = at
        return Pose(placement.R @ Rotation.about(axis, c, s), placement.p + placement.R.apply(axis) * (angle * 2))

    def exponential(self, screw: Twist, at: tuple[Number, Number, Number], sign: int = 1) -> Pose:
        c, s, angle = at
        return Pose.exp(screw, c, s * sign, angle * sign)

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        return (Twist(axis, axis * 2),)
'''
SEEN = """
import numpy as np, qddot
text = '''
convention = "tree"
gravity = [0, "-g/2", "-g"]
[symbols]
m = {value = 2}
l = {value = 0.5}
I = {value = 0.1}
g = {value = 9.81}
[[link]]
name = "first"
joint = {type = "revolute", axis = [0, 1, 0]}
mass = "m"
com = ["l", 0, 0]
inertia = {about = "com", xx = "I", yy = "2*I", zz = "2*I"}
[[link]]
name = "nut"
parent = "first"
joint = {NUT, axis = [0, 0, 1], xyz = ["l", 0, 0], rpy = ["30deg", 0, 0], damping = 0.3}
frame = {xyz = [0, 0, "l"], rpy = [0, "90deg", 0]}
mass = "m"
com = ["l", "l", 0]
inertia = {about = "com", xx = "I", yy = "3*I", zz = "3*I"}
[[link]]
name = "last"
parent = "nut"
joint = {type = "revolute", axis = [1, 0, 0], xyz = [0, "l", 0]}
mass = "m"
com = [0, 0, "l"]
inertia = {about = "com", xx = "I", yy = "3*I", zz = "3*I"}
'''
screw = qddot.loads(text.replace("NUT", 'type = "screw"'))
chain = qddot.loads(text.replace("NUT", 'type = "helical", pitch = 2'))
a, b = screw.equations(), chain.equations()
assert [str(a.M), str(a.h), str(a.G)] == [str(b.M), str(b.h), str(b.G)]
certificate = screw.prove()
assert len(certificate.routes) == 6 and {each.verdict for each in certificate.identities} == {"proved"}, certificate
rng = np.random.default_rng(1)
q, qd, qdd = rng.uniform(-1, 1, (3, 7, 3))
for name, state in {
    "inverse_dynamics": (q, qd, qdd), "forward_dynamics": (q, qd, qdd), "mass_matrix": (q,), "gravity": (q,),
    "coriolis_matrix": (q, qd), "inverse_dynamics_derivatives": (q, qd, qdd), "jacobian": (q,),
}.items():
    ours, theirs = getattr(screw, name)(*state), getattr(chain, name)(*state)
    assert all(map(np.allclose, ours, theirs)), name
Y, pi = screw.regressor(q, qd, qdd, friction=True), screw.dynamic_parameters(friction=True)
assert np.allclose(Y @ pi, screw.inverse_dynamics(q, qd, qdd))
assert screw.simulate([0.3, 0.4, 0.1], [1, -2, 0], 1, 0.1).energy.check(1e-8)
assert qddot.loads(screw.to_toml()).model.bodies == screw.model.bodies
assert len(screw.base_parameters()) <= len(chain.base_parameters())
from qddot.apps.cli import main
open("arm.toml", "w").write(screw.to_toml())
assert main(["show", "arm.toml"]) == main(["derive", "arm.toml"]) == main(["doctor", "arm.toml"]) == 0
try:
    screw.certificate()
    raise AssertionError("a certificate without words for the joint")
except qddot.base.errors.QddotError as error:
    assert error.code == "joint-kind-unknown-there", error
print("seen")
"""


@pytest.mark.thorough
def test_a_new_kind_is_a_file_and_a_line(tmp_path: Path) -> None:
    """A screw as one joint moves as the chain of a revolute joint and a prismatic follower does."""
    copy = tmp_path / "qddot"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "robot" / "joints" / "screw.py").write_text(SCREW.lstrip(), encoding="utf-8")
    kinds = copy / "robot" / "joints" / "kinds.py"
    text = kinds.read_text(encoding="utf-8").replace("(Revolute(), ", "(Screw(), Revolute(), ")
    text = text.replace("\n\nROTOR", "\nfrom qddot.robot.joints.screw import Screw\n\nROTOR")
    kinds.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "QDDOT_CACHE": str(tmp_path / "cache")}
    run = subprocess.run(
        [sys.executable, "-c", SEEN], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("seen\n")
