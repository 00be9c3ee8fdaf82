"""Arms of a large collection of URDF files have the same dynamics here and in Pinocchio.

Of files that differ only in joint limits, in collisions, in left and right or in their links' numbers, one is here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from urdf_of_peers import FOLDER, with_all_digits

import qddot
from qddot.machine.compilers import kernels

ARMS = [
    "asr_twodof_description/urdf/TwoDofs.urdf",
    "double_pendulum_description/urdf/double_pendulum.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "kinova_description/robots/kinova.urdf",
    "so_arm_description/urdf/so101.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "z1_description/urdf/z1.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "tiago_description/robots/tiago_no_hand.urdf",
    # trees that walk, held by their trunk
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
]
OF_EACH_KIND = [ARMS[0], ARMS[3], ARMS[8]]  # a chain, joints without limits, and a tree with a joint that slides
COMPILED = OF_EACH_KIND[:2]  # to machine code; NumPy runs the programs of the others
FOLLOWING = [
    "baxter_description/urdf/baxter.urdf",
    "panda_description/urdf/panda.urdf",
]
pytestmark = pytest.mark.slow
STATES = 100
CLOSE = 1e-10  # rotations in decimals are rational ones here, each within 1e-12


class Peer:
    """The same file in Pinocchio, its joints in the order of q."""

    def __init__(self, text: str, names: list[str]) -> None:
        self.model = pin.buildModelFromXML(with_all_digits(text))
        self.data = self.model.createData()
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in names]
        self.places = [joint.idx_v for joint in self.joints]

    def q(self, values: Any) -> Any:
        """Pinocchio has (cos, sin) of a continuous joint."""
        q = pin.neutral(self.model)
        for joint, value in zip(self.joints, values, strict=True):
            pair = (value,) if joint.nq == 1 else (np.cos(value), np.sin(value))
            q[joint.idx_q : joint.idx_q + joint.nq] = pair
        return q

    def rates(self, values: Any) -> Any:
        v = np.zeros(self.model.nv)
        v[self.places] = values
        return v

    def mass_matrix(self, q: Any) -> Any:
        M = pin.crba(self.model, self.data, q)
        return (np.triu(M) + np.triu(M, 1).T)[np.ix_(self.places, self.places)]

    def friction(self, qd: Any) -> Any:
        """What Pinocchio's algorithms leave to the user."""
        damping, dry = self.model.damping[self.places], self.model.friction[self.places]
        return damping * qd + dry * np.sign(qd)


@pytest.fixture(autouse=True)
def most_arms_in_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code of thousands of outputs takes up to half a minute to compile, and no law hangs on it."""
    if request.node.callspec.params.get("path") not in COMPILED:
        monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@cache
def pair(path: str) -> tuple[qddot.Robot, Peer]:
    arm = qddot.load(FOLDER / path)
    names = [body.joint.name for body in arm.model.moving()]
    return arm, Peer((FOLDER / path).read_text(encoding="utf-8"), names)


def near(values: Any, expected: Any) -> None:
    """Each state relative to its own largest entry."""
    values, expected = (np.asarray(x).reshape(STATES, -1) for x in (values, expected))
    assert (np.abs(values - expected).max(1) <= CLOSE * np.maximum(np.abs(expected).max(1), 1e-3)).all()


@pytest.mark.parametrize("path", ARMS)
def test_dynamics_agree(path: str) -> None:
    arm, peer = pair(path)
    q, qd, qdd = np.random.default_rng(0).uniform(-3, 3, (3, STATES, arm.n))
    theirs = [(peer.q(a), peer.rates(b), peer.rates(c)) for a, b, c in zip(q, qd, qdd, strict=True)]
    model, data, at, friction = peer.model, peer.data, peer.places, peer.friction
    M = np.array([peer.mass_matrix(a) for a, _, _ in theirs])
    weights = np.array([pin.computeGeneralizedGravity(model, data, a).copy()[at] for a, _, _ in theirs])
    near(arm.mass_matrix(q), M)
    near(arm.gravity(q), weights)
    rubbing = np.array([friction(v) for v in qd])
    bias = np.array([pin.nonLinearEffects(model, data, a, b).copy()[at] for a, b, _ in theirs])
    near(arm.bias(q, qd), bias + rubbing)
    near((arm.coriolis_matrix(q, qd) @ qd[..., None])[..., 0], bias - weights)
    tau = np.array([pin.rnea(model, data, a, b, c).copy()[at] for a, b, c in theirs]) + rubbing
    near(arm.inverse_dynamics(q, qd, qdd), tau)
    # q̈ itself would lose what M's condition takes: put into Pinocchio's equations, it gives τ back
    accelerations = arm.forward_dynamics(q, qd, tau)
    near((M @ accelerations[..., None])[..., 0] + bias + rubbing, tau)


@pytest.mark.parametrize("path", ARMS)
def test_poses_of_all_links_agree(path: str) -> None:
    arm, peer = pair(path)
    q = np.random.default_rng(1).uniform(-3, 3, (STATES, arm.n))
    wanted: dict[str, list[Any]] = {body.name: [] for body in arm.model.bodies}
    frames = {name: peer.model.getFrameId(name, pin.BODY) for name in wanted if peer.model.existFrame(name, pin.BODY)}
    assert frames
    for values in q:
        pin.framesForwardKinematics(peer.model, peer.data, peer.q(values))
        for name, frame in frames.items():
            wanted[name].append(peer.data.oMf[frame].homogeneous)
    for name in {*list(frames)[:: max(1, len(frames) // 2)], max(frames, key=lambda name: frames[name])}:
        near(arm.forward_kinematics(q, name), wanted[name])


@pytest.mark.parametrize("path", OF_EACH_KIND)
def test_coriolis_matrices_and_derivatives_agree(path: str) -> None:
    """C is the one of Christoffel symbols in both; Pinocchio's derivatives leave the friction out."""
    arm, peer = pair(path)
    model, data, at = peer.model, peer.data, np.ix_(peer.places, peer.places)
    q, qd, qdd = np.random.default_rng(4).uniform(-2, 2, (3, STATES, arm.n))
    theirs = [(peer.q(a), peer.rates(b), peer.rates(c)) for a, b, c in zip(q, qd, qdd, strict=True)]
    near(arm.coriolis_matrix(q, qd), [pin.computeCoriolisMatrix(model, data, a, b).copy()[at] for a, b, _ in theirs])
    by_q, by_qd, _ = arm.inverse_dynamics_derivatives(q, qd, qdd)
    slopes = []
    for state in theirs:
        derivatives = pin.computeRNEADerivatives(model, data, *state)
        slopes.append([part.copy()[at] for part in derivatives[:2]])
    damping = np.diag(model.damping[peer.places])
    near(by_q, [a for a, _ in slopes])
    near(by_qd, [b + damping for _, b in slopes])


@pytest.mark.parametrize("path", OF_EACH_KIND)
def test_jacobians_and_regressors_agree(path: str) -> None:
    arm, peer = pair(path)
    model, data, at = peer.model, peer.data, peer.places
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, STATES, arm.n))
    theirs = [(peer.q(a), peer.rates(b), peer.rates(c)) for a, b, c in zip(q, qd, qdd, strict=True)]
    moved = [body for body in arm.model.bodies if body.joint.moves]
    last = moved[-1]
    joint = model.getJointId(last.joint.name)
    for frame, axes in (("world", pin.LOCAL_WORLD_ALIGNED), ("body", pin.LOCAL)):
        expected = []
        for a, _, _ in theirs:
            pin.computeJointJacobians(model, data, a)
            expected.append(pin.getJointJacobian(model, data, joint, axes).copy()[:, at])
        near(arm.jacobian(q, last.name, frame=frame), expected)
    Y = arm.regressor(q, qd, qdd)
    places = [arm.model.bodies.index(body) for body in moved]
    ours = Y.reshape(STATES, arm.n, -1, 10)[:, :, places]
    order = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]  # Pinocchio has Ixx, Ixy, Iyy, Ixz, Iyz, Izz
    bodies = [model.getJointId(body.joint.name) - 1 for body in moved]
    expected = [pin.computeJointTorqueRegressor(model, data, *state).copy()[at] for state in theirs]
    near(ours, np.array(expected).reshape(STATES, arm.n, -1, 10)[:, :, bodies][..., order])


@pytest.mark.parametrize("path", FOLLOWING)
def test_joints_that_follow_agree_with_the_tree_along_them(path: str) -> None:
    """Pinocchio's tree has every joint free: M = Eᵀ M_all E and τ = Eᵀ τ_all."""
    arm = qddot.load(FOLDER / path)
    joints = [body.joint for body in arm.model.bodies if body.joint.moves]
    peer = Peer((FOLDER / path).read_text(encoding="utf-8"), [joint.name for joint in joints])
    text = (FOLDER / path).read_text(encoding="utf-8")
    E = np.zeros((len(joints), arm.n))
    for row, joint in enumerate(joints):
        match = re.search(rf'<joint name="{joint.name}".*?</joint>', text, re.DOTALL)
        sign = -1 if joint.ratio and match and re.search(r'multiplier="-', match[0]) else 1
        E[row, arm.model.coordinates.index(str(joint.coordinate))] = sign * float(joint.ratio or 1)
    assert len(joints) > arm.n
    q, qd, qdd = np.random.default_rng(2).uniform(-2, 2, (3, STATES, arm.n))
    theirs = [(peer.q(E @ a), peer.rates(E @ b), peer.rates(E @ c)) for a, b, c in zip(q, qd, qdd, strict=True)]
    tau = np.array([pin.rnea(peer.model, peer.data, a, b, c).copy()[peer.places] for a, b, c in theirs])
    near(arm.mass_matrix(q), [E.T @ peer.mass_matrix(a) @ E for a, _, _ in theirs])
    near(arm.inverse_dynamics(q, qd, qdd), (tau + [peer.friction(E @ v) for v in qd]) @ E)


# the files that the zoo has these arms from
MAKERS = {
    "franka_panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "ur10": "ur_description/urdf/ur10_robot.urdf",
    "kinova_6dof": "kinova_description/robots/kinova.urdf",
    "xarm7": "xarm_description/urdf/xarm7.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
}


def test_the_real_arms_of_the_zoo_are_their_makers(real_arm: qddot.Robot) -> None:
    """Fixed links are merged there, and other joints are locked at zero."""
    text = (FOLDER / MAKERS[real_arm.name]).read_text(encoding="utf-8")
    peer = Peer(text, [body.joint.name for body in real_arm.model.moving()])
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, STATES, real_arm.n))
    theirs = [(peer.q(a), peer.rates(b), peer.rates(c)) for a, b, c in zip(q, qd, qdd, strict=True)]
    tau = [pin.rnea(peer.model, peer.data, *state).copy()[peer.places] for state in theirs]
    near(real_arm.mass_matrix(q), [peer.mass_matrix(a) for a, _, _ in theirs])
    near(real_arm.inverse_dynamics(q, qd, qdd), tau + np.array([peer.friction(v) for v in qd]))
    assert real_arm.doctor().worst in ("", "hint")
    assert "BSD" in real_arm.model.source or "Apache" in real_arm.model.source
