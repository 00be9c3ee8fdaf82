"""The centre of mass, the momentum about it, contacts' Jacobians and second derivatives, held against other ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from free_trees import TREES, UNITS
from physical import close, random_chain, states
from refusals import refusal
from urdf_of_peers import FOLDER

import qddot
from qddot import aliases
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import kernels

NUMBERS = [3, 0.1, 0.2, 0.3, 2, 0.1, 0.2, 2.5, 0.1, 2.2]
VALUES = {f"{name}{k}": value for k in range(4) for name, value in zip(UNITS, NUMBERS, strict=True)}
STEP = 1e-6  # of central differences, whose error is about 1e-9


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws are those of the programs, which NumPy runs without compiling them."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


def free_arm() -> tuple[qddot.Robot, Any, Any, Any]:
    """A free body with two joints, and a state."""
    arm = TREES["a free body with two joints"].with_values(**VALUES, a=0.4, d=0.7)
    rng = np.random.default_rng(3)
    return arm, arm.integrate(arm.neutral(), rng.uniform(-1, 1, arm.n)), *rng.uniform(-1, 1, (2, arm.n))


def rate(function: Any, arm: Any, q: Any, qd: Any) -> Any:
    """The rate of a function of q along q̇, by central differences."""
    return (function(arm.integrate(q, qd, STEP)) - function(arm.integrate(q, qd, -STEP))) / (2 * STEP)


@pytest.mark.usefixtures("in_blocks")
@pytest.mark.parametrize(("theta", "omega"), [(0.0, 0.0), (np.pi / 2, 2.0), (np.pi, 1.0), (0.3, -0.7)])
def test_a_cart_and_a_pole_have_the_momentum_of_two_points(theta: float, omega: float) -> None:
    """A cart of 1 kg and a bob of 0.2 kg at 0.5 m: by hand, with the reduced mass about the centre of mass."""
    arm, x = qddot.load("cart_pole"), 0.4
    share, reduced, l, s, c = 0.2 / 1.2, 0.2 / 1.2, 0.5, np.sin(theta), np.cos(theta)
    q, qd = [x, theta], [0.9, omega]
    close(arm.centre_of_mass(q), [x + share * l * s, 0, -share * l * c])
    close(arm.com_jacobian(q), [[1, share * l * c], [0, 0], [0, share * l * s]])
    close(arm.com_jacobian_drift(q, qd), share * l * omega**2 * np.array([-s, 0, c]))
    linear = [[1.2, 0.2 * l * c], [0, 0], [0, 0.2 * l * s]]
    close(arm.centroidal_momentum_matrix(q), [*linear, [0, 0], [0, -reduced * l**2], [0, 0]])
    close(arm.centroidal_momentum_drift(q, qd), [*(0.2 * l * omega**2 * np.array([-s, 0, c])), 0, 0, 0])


@pytest.mark.usefixtures("in_blocks")
def test_the_momentum_is_the_sum_of_the_bodies() -> None:
    arm, q, qd, _ = free_arm()
    parts = arm.dynamic_parameters().reshape(-1, 10)
    bodies = []
    for k, (m, *h, xx, xy, xz, yy, yz, zz) in enumerate(parts):
        R, o = (T := arm.forward_kinematics(q, k))[:3, :3], T[:3, 3]
        v, w = np.split(arm.jacobian(q, k) @ qd, 2)
        moment, tensor = R @ h, R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        p = m * v + np.cross(w, moment)
        bodies.append((m, m * o + moment, p, tensor @ w + np.cross(moment, v) + np.cross(o, p)))
    mass, moment, p, about_origin = (sum(part) for part in zip(*bodies, strict=True))
    c = moment / mass
    close(arm.centre_of_mass(q), c)
    close(arm.centroidal_momentum_matrix(q) @ qd, [*p, *(about_origin - np.cross(c, p))])
    close(arm.com_jacobian(q) @ qd, p / mass)


@pytest.mark.usefixtures("in_blocks")
def test_gravity_alone_changes_the_momentum_of_a_free_robot() -> None:
    """Whatever its motors do: A_G q̈ + Ȧ_G q̇ = (m g, 0)."""
    arm, q, qd, tau = free_arm()
    tau[:6] = 0
    qdd = arm.forward_dynamics(q, qd, tau)
    mass = arm.dynamic_parameters().reshape(-1, 10)[:, 0].sum()
    of_motion = arm.centroidal_momentum_matrix(q) @ qdd + arm.centroidal_momentum_drift(q, qd)
    close(of_motion, [0, 0, -9.81 * mass, 0, 0, 0], 1e-11)


@pytest.mark.usefixtures("in_blocks")
def test_drifts_are_rates_along_the_motion() -> None:
    arm, q, qd, _ = free_arm()
    bodies = ["tool", 0, -1]
    for drift, J in (
        (arm.com_jacobian_drift(q, qd), arm.com_jacobian),
        (arm.centroidal_momentum_drift(q, qd), arm.centroidal_momentum_matrix),
        (arm.contact_jacobian_drift(q, qd, bodies), lambda at: arm.contact_jacobian(at, bodies)),
    ):
        np.testing.assert_allclose(drift, rate(lambda at, J=J: J(at) @ qd, arm, q, qd), atol=1e-7)


@pytest.mark.usefixtures("in_blocks")
def test_trees_have_pinocchios_momentum() -> None:
    arm, other = random_chain(pin, joints=4, seed=5)
    data = other.createData()
    for q, v, _ in zip(*states(arm, 2), strict=True):
        close(aliases.computeCentroidalMap(arm, q), pin.computeCentroidalMap(other, data, q))
        close(aliases.jacobianCenterOfMass(arm, q), pin.jacobianCenterOfMass(other, data, q))
        close(aliases.centerOfMass(arm, q), pin.centerOfMass(other, data, q, v, 0 * v))
        close(arm.com_jacobian_drift(q, v), data.acom[0])
        pin.dccrba(other, data, q, v)
        close(arm.centroidal_momentum_drift(q, v), data.dAg @ v)


@pytest.mark.thorough
def test_a_quadruped_has_pinocchios_momentum_and_contacts() -> None:
    file = FOLDER / "solo_description" / "robots" / "solo12.urdf"
    arm, feet = qddot.load(file, base="free"), ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    other = pin.buildModelFromUrdf(str(file), pin.JointModelFreeFlyer())
    data, rng = other.createData(), np.random.default_rng(0)
    q, v = arm.integrate(arm.neutral(), rng.uniform(-1, 1, arm.n)), rng.uniform(-1, 1, arm.n)
    there = aliases.in_convention(arm, "pinocchio", q, v)
    at, qd = (np.ascontiguousarray(there[name]) for name in ("q", "qd"))
    close(arm.centroidal_momentum_matrix(q), pin.computeCentroidalMap(other, data, at))
    pin.dccrba(other, data, at, qd)
    close(arm.centroidal_momentum_drift(q, v), data.dAg @ qd)
    pin.forwardKinematics(other, data, at, qd, 0 * qd)
    pin.computeJointJacobians(other, data, at)
    pin.updateFramePlacements(other, data)
    frames, axes = [other.getFrameId(foot) for foot in feet], pin.LOCAL_WORLD_ALIGNED
    J = [pin.getFrameJacobian(other, data, frame, axes)[:3] for frame in frames]
    drift = [pin.getFrameClassicalAcceleration(other, data, frame, axes).linear for frame in frames]
    close(arm.contact_jacobian(q, feet), np.vstack(J))
    close(arm.contact_jacobian_drift(q, v, feet), np.concatenate(drift))


def test_contacts_are_named_in_any_order_and_as_often_as_one_likes() -> None:
    arm, q = qddot.load("elbow_3r"), np.array([[0.1, 0.2, 0.3], [0, np.pi / 2, 0]])
    rows = {body: arm.jacobian(q, body)[:, :3] for body in ("tool", "fore", 0)}
    for _ in range(2):
        for bodies in (["tool", "fore"], ("fore", 0, "tool"), ["fore"], ["tool", "fore"]):
            right = np.concatenate([rows[body] for body in bodies], axis=1)
            assert np.array_equal(arm.contact_jacobian(q, bodies), right)
            assert np.array_equal(arm.contact_jacobian(q, bodies=list(bodies)), right)
        assert np.array_equal(arm.contact_jacobian(q, "tool"), rows["tool"])
        assert np.array_equal(arm.contact_jacobian(q), arm.jacobian(q)[:, :3])
    changed = ["tool", "fore"]
    arm.contact_jacobian(q, changed)
    changed[:] = ["fore", "tool"]
    assert np.array_equal(arm.contact_jacobian(q, changed)[:, :3], rows["fore"])


@pytest.mark.parametrize("bodies", [[], [None], ["tool", 1.5], 1.5, [["tool"]], np.array([0])])
def test_what_names_no_bodies_is_refused(bodies: Any) -> None:
    arm = qddot.load("elbow_3r")
    for _ in range(2):
        with refusal(EvaluationError, "body-no-name"):
            arm.contact_jacobian([0, 0, 0], bodies)


def test_an_unknown_body_is_refused() -> None:
    with refusal(EvaluationError, "no-body", "'foot'"):
        qddot.load("elbow_3r").contact_jacobian([0, 0, 0], ["tool", "foot"])


def test_what_has_no_mass_or_no_links_has_no_centre() -> None:
    joint = 'joint = { type = "revolute", axis = [0, 0, 1], coordinate = "q1", armature = 1 }'
    text = f'name = "bare"\nconvention = "tree"\n[[link]]\nname = "a"\n{joint}\n'
    with refusal(EvaluationError, "robot-without-mass", "bare"):
        qddot.loads(text).centre_of_mass([0])
    with refusal(EvaluationError, "needs-link-inertias"):
        qddot.load("puma560_1986").centroidal_momentum_matrix([0] * 6)


@pytest.mark.usefixtures("in_blocks")
def test_a_closed_chain_has_the_momentum_of_its_tree() -> None:
    chain = qddot.load_closed_chain("four_bar")
    q, u = chain.some_assembly().q, np.array([0.7])
    qd = chain.velocities(q, u)
    for name in ("com_jacobian", "centroidal_momentum_matrix"):
        J = getattr(chain, name)
        close(J(q) @ u, getattr(chain.tree, name)(q) @ qd)
        drift = getattr(chain, name.removesuffix("_matrix") + "_drift")(q, qd)
        np.testing.assert_allclose(drift, rate(lambda at, J=J: J(at) @ u, chain, q, qd), atol=1e-6)


@pytest.mark.thorough
@pytest.mark.usefixtures("in_blocks")
def test_second_derivatives_are_those_of_the_exact_equations() -> None:
    """SymPy differentiates the printed equations twice."""
    arm = qddot.load("spatial_2r")
    exact = arm.equations().tau.sympy()
    own = {symbol.name: symbol for symbol in exact.free_symbols}
    names = [[f"{name}{k}" for k in (1, 2)] for name in ("q", "qd", "qdd")]
    twice = [
        [
            exact[i].diff(own.get(a, a)).diff(own.get(b, b))
            for i in range(2)
            for a in names[first]
            for b in names[second]
        ]
        for first, second in ((0, 0), (1, 1), (0, 1), (2, 0))
    ]
    assert any(any(each) for each in twice)
    for state in (
        [(0, 0), (0, 0), (0, 0)],
        [(np.pi / 2, 0), (0.3, -0.8), (0, 0)],
        [(0.4, -1.2), (1.1, 0.6), (-2.0, 0.7)],
    ):
        values = {**arm.model.defaults(), **dict(zip(np.ravel(names), np.ravel(state), strict=True))}
        known = {symbol: values[name] for name, symbol in own.items()}
        for result, entries in zip(arm.inverse_dynamics_second_derivatives(*state), twice, strict=True):
            close(np.ravel(result), [float(entry.subs(known)) for entry in entries])


@pytest.mark.usefixtures("in_blocks")
def test_second_derivatives_are_along_the_vector_fields() -> None:
    """Of a free body with two joints, whose derivatives along two velocities do not commute."""
    arm, q, qd, qdd = free_arm()
    results = arm.inverse_dynamics_second_derivatives(q, qd, qdd)
    for k, way in enumerate(np.eye(arm.n)):
        by_q, _, by_M = (
            rate(lambda at, part=part: arm.inverse_dynamics_derivatives(at, qd, qdd)[part], arm, q, way)
            for part in range(3)
        )
        ends = [arm.inverse_dynamics_derivatives(q, qd + sign * STEP * way, qdd) for sign in (1, -1)]
        mixed, by_rates = ((above - below) / (2 * STEP) for above, below in list(zip(*ends, strict=True))[:2])
        for result, right in zip(results, (by_q, by_rates, mixed, by_M), strict=True):
            np.testing.assert_allclose(result[:, :, k], right, atol=1e-6)
    assert not np.allclose(results[0], results[0].swapaxes(1, 2))


@pytest.mark.usefixtures("in_blocks")
def test_second_derivatives_of_a_chain_are_along_its_motion() -> None:
    """By u and u̇, with q̇ and q̈ that follow."""
    chain = qddot.load_closed_chain("four_bar")
    q, u, ud = chain.some_assembly().q, np.array([0.7]), np.array([0.3])

    def first(at: Any, rates: Any) -> Any:
        qd = chain.velocities(at, rates)
        return chain.inverse_dynamics_derivatives(at, qd, chain.accelerations(at, qd, ud))

    qd = chain.velocities(q, u)
    results = chain.inverse_dynamics_second_derivatives(q, qd, chain.accelerations(q, qd, ud))
    way = chain.velocities(q, np.ones(1))
    places = [first(chain.integrate(q, way, step), u) for step in (STEP, -STEP)]
    rates = [first(q, u + step) for step in (STEP, -STEP)]
    for result, (above, below), part in zip(results, (places, rates, rates, places), (0, 1, 0, 2), strict=True):
        np.testing.assert_allclose(result[..., 0], (above[part] - below[part]) / (2 * STEP), atol=1e-6)
