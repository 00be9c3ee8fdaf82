"""Compiled functions agree with the same physics in floats, with the exact equations, and with other libraries."""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, mujoco_xml, physical, random_chain, states
from refusals import refusal
from robots import orthogonal_robots
from shipped import robot

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import EvaluationError, QddotError
from qddot.formats.shared.rotations import pose_from_matrix
from qddot.machine.compilers import kernels
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.sincos import MANY
from qddot.physics.algorithms import kinematics, newton_euler
from qddot.physics.mechanism import Mechanism

KINDS = ["slider", "cart_pole", "planar_2r", "spherical_pendulum", "furuta_pendulum", "elbow_3r", "puma560_akb"]


@pytest.fixture
def some_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few arms are compiled to machine code; NumPy runs the programs of the others."""
    if name not in ("spatial_2r", "rp", "cart_pole", "elbow_3r"):
        monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.usefixtures("some_in_blocks")
@pytest.mark.parametrize("name", KINDS)
def test_every_function_agrees_with_the_exact_equations(name: str) -> None:
    arm, eq = physical(robot(name)), robot(name).equations()
    q, qd, qdd = states(arm, 3)
    tau = arm.inverse_dynamics(q, qd, qdd)
    for k in range(3):
        at = eq.at(q[k], qd[k], qdd[k], **arm.model.defaults())
        close(tau[k], at["tau"])
        close(arm.mass_matrix(q[k]), at["M"])
        close(arm.gravity(q)[k], at["G"])
        close(arm.bias(q, qd)[k], at["tau"] - at["M"] @ qdd[k])
        close(arm.kinetic_energy(q, qd)[k], at["K"])
        close(arm.potential_energy(q)[k], at["P"])
        close(arm.momentum(q, qd)[k], at["M"] @ qd[k])
    # the solution of M q̈ = τ − bias loses what M's condition takes
    close(arm.forward_dynamics(q, qd, tau), qdd, 1e-12 * np.linalg.cond(arm.mass_matrix(q)).max())
    close(arm.state_derivative(q, qd, tau)[:, : arm.n], qd)


@given(orthogonal_robots(), st.integers(0, 1000))
@settings(max_examples=8)
def test_compiled_trees_agree_with_the_float_kind(arm: qddot.Robot, seed: int) -> None:
    arm = physical(arm, seed)
    q, qd, qdd = states(arm, 1, seed)[:, 0]
    named = [dict(zip(arm.model.coordinates, x, strict=True)) for x in (q, qd, qdd)]
    floats = Mechanism.of(arm.model, Floats(arm.model.defaults(), *named))
    close(arm.inverse_dynamics(q, qd, qdd), np.array(newton_euler.inverse_dynamics(floats).tau, dtype=float))
    poses = list(kinematics.poses(floats))
    body = seed % len(poses)
    close(arm.forward_kinematics(q, body), np.array(poses[body].matrix(), dtype=float))
    reactions = arm.reactions(q, qd, qdd)
    close(reactions, [[*w.f, *w.n] for w in newton_euler.inverse_dynamics(floats).reaction])


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the laws are theirs, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.usefixtures("in_blocks")
def test_a_jacobian_carries_wrenches_to_torques() -> None:
    """τ loses Jᵀ F when a wrench F acts on a body; J in body axes, force then moment."""
    arm = physical(qddot.load("puma560"))
    q, qd, qdd = states(arm, 4)
    wrenches = np.zeros((4, 6, 6))
    wrenches[:, 3] = np.random.default_rng(0).normal(size=(4, 6))
    loaded = arm.inverse_dynamics(q, qd, qdd, wrenches)
    J = arm.jacobian(q, body="link4", frame="body")
    close(arm.inverse_dynamics(q, qd, qdd) - loaded, np.einsum("bij,bi->bj", J, wrenches[:, 3]), 1e-11)
    close(arm.forward_dynamics(q, qd, loaded, wrenches), qdd, 1e-9)
    R = arm.forward_kinematics(q, body=3)[:, :3, :3]
    world = arm.jacobian(q, body=3)
    close(np.concatenate([R @ J[:, :3], R @ J[:, 3:]], axis=1), world)


def test_symbols_are_numbers_or_one_a_state() -> None:
    arm = robot("spatial_2r")
    q, qd, qdd = states(arm, 5)
    masses = np.linspace(5, 15, 5)
    together = arm.inverse_dynamics(q, qd, qdd, m2=masses, L=1.5)
    for k in range(5):
        close(together[k], arm.with_values(m2=float(masses[k]), L=1.5).inverse_dynamics(q[k], qd[k], qdd[k]))
    with refusal(EvaluationError, "no-argument-no-symbol", "'m22'", "'m2'"):
        arm.inverse_dynamics(q, qd, qdd, m22=1.0)
    with refusal(EvaluationError, "value-missing", "m2", "12"):
        robot("puma560").gravity(np.zeros(6))


def sincos_program(angles: int = 1) -> Any:
    from qddot.algebra.program.graph import Graph

    graph = Graph()
    x = graph.input("x", (angles,) if angles > 1 else ())
    return graph.program("sincos", {name: [angle.apply(name) for angle in x] for name in ("sin", "cos")})


def exponential(element: str = "float64") -> Any:
    from qddot.algebra.program.graph import Graph

    graph = Graph()
    (x,) = graph.input("x")
    return compiled(graph.program("exponential", {"y": x.apply("exp")}), element)


def test_the_exponential_is_within_two_ulp() -> None:
    """Against 200-bit arithmetic, down to the least normal number, below which it is 0."""
    from flint import arb, ctx

    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-span, span, 3000) for span in (1e-3, 1, 20, 700, 708.39)])
    before, ctx.prec = ctx.prec, 200
    try:
        for argument, value in zip(x, exponential()(x), strict=True):
            error = abs(arb(float(value)) - arb(float(argument)).exp())
            assert float(error) <= 2 * np.spacing(float(value))
    finally:
        ctx.prec = before


@pytest.mark.parametrize(("element", "largest", "least"), [("float64", 710, -708.4), ("float32", 89, -87.34)])
def test_the_exponential_is_zero_or_infinite_beyond_its_range(element: str, largest: float, least: float) -> None:
    x = np.array([0, -0.0, largest, least, np.inf, -np.inf, np.nan, 1e30, -1e30], element)
    right = [1, 1, np.inf, 0, np.inf, 0, np.nan, np.inf, 0]
    np.testing.assert_array_equal(exponential(element)(x), right)


def test_sine_and_cosine_are_within_two_ulp() -> None:
    """Against 200-bit arithmetic: ordinary angles, near multiples of π/2, up to 1e9 and beyond."""
    from flint import arb, ctx

    rng = np.random.default_rng(0)
    near = np.rint(rng.uniform(-6e8, 6e8, 3000)) * (np.pi / 2)
    x = np.concatenate(
        [rng.uniform(-7, 7, 3000), rng.uniform(-1e9, 1e9, 3000), near, [0.0, -0.0, 46066.74387591393, 1e9, -1e9]]
    )
    x = np.concatenate([x, 10.0 ** rng.uniform(9, 300, 200)])
    s, c = compiled(sincos_program())(x)
    before, ctx.prec = ctx.prec, 1200
    try:
        exact = [(arb(float(v)).sin(), arb(float(v)).cos()) for v in x]
        for values, column in ((s, 0), (c, 1)):
            for value, pair in zip(values.ravel(), exact, strict=True):
                error = abs(arb(float(value)) - pair[column])
                assert float(error) <= 2 * np.spacing(abs(float(pair[column])))
    finally:
        ctx.prec = before


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sines_and_cosines_of_many_angles_are_those_of_one(dtype: str) -> None:
    """Angles beyond the reduction, NaN and ∞ change no other lane and no other angle."""
    x = np.random.default_rng(0).uniform(-7, 7, (29, 2 * MANY)).astype(dtype)
    x[4, 2], x[4, 3], x[7, 1], x[11, 0], x[28, -1] = 1e12, -1e30, np.nan, np.inf, -0.0
    together = compiled(sincos_program(2 * MANY), dtype)(x)
    for k, angles in enumerate(x.T):
        for many, one in zip(together, compiled(sincos_program(), dtype)(angles), strict=True):
            np.testing.assert_array_equal(many[:, k], one.ravel())


def test_pinocchio_agrees_on_random_chains() -> None:
    for seed in range(3):
        arm, other = random_chain(pin, joints=4 + 3 * seed, seed=seed)
        data = other.createData()
        q, qd, qdd = states(arm, 3, seed)
        tau = arm.inverse_dynamics(q, qd, qdd)
        for k in range(3):
            close(tau[k], pin.rnea(other, data, q[k], qd[k], qdd[k]))
            M = np.triu(pin.crba(other, data, q[k]))
            close(arm.mass_matrix(q[k]), M + np.triu(M, 1).T)
            close(arm.forward_dynamics(q[k], qd[k], tau[k]), qdd[k], 1e-12 * np.linalg.cond(arm.mass_matrix(q[k])))


def test_mujoco_agrees_on_random_trees() -> None:
    for seed in range(3):
        arm, _ = random_chain(pin, joints=4 + 3 * seed, seed=seed)
        other = mujoco.MjModel.from_xml_string(mujoco_xml(arm))
        data = mujoco.MjData(other)
        q, qd, qdd = states(arm, 1, seed)[:, 0]
        data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
        mujoco.mj_inverse(other, data)
        close(arm.inverse_dynamics(q, qd, qdd), data.qfrc_inverse, 1e-11)
        M = np.zeros((arm.n, arm.n))
        mujoco.mj_fullM(other, data, M)
        close(arm.mass_matrix(q), M, 1e-11)


def central_difference(function: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """∂function/∂x, columns by the entries of x; good to about 1e-9 of the scale."""
    units = np.eye(len(x)) * step
    return np.stack([(function(x + u) - function(x - u)) / (2 * step) for u in units], axis=-1)


@pytest.mark.usefixtures("some_in_blocks")
@pytest.mark.parametrize("name", ["spatial_2r", "rp", "elbow_3r", "puma560_akb", "puma560_1986"])
def test_derivatives_are_differences_and_m_inverse_is_one(name: str) -> None:
    arm = physical(robot(name))
    q, qd, qdd = states(arm, 1, 4)[:, 0]
    tau = arm.inverse_dynamics(q, qd, qdd)
    by_q, by_qd, M = arm.inverse_dynamics_derivatives(q, qd, qdd)
    close(by_q, central_difference(lambda x: arm.inverse_dynamics(x, qd, qdd), q), 1e-8)
    close(by_qd, central_difference(lambda x: arm.inverse_dynamics(q, x, qdd), qd), 1e-8)
    close(M, arm.mass_matrix(q))
    fd_q, fd_qd, inverse = arm.forward_dynamics_derivatives(q, qd, tau)
    close(fd_q, -inverse @ by_q, 1e-9)
    close(fd_qd, -inverse @ by_qd, 1e-9)
    close(inverse @ M, np.eye(arm.n), 1e-10)
    close(fd_q, central_difference(lambda x: arm.forward_dynamics(x, qd, tau), q), 1e-7)


@pytest.mark.usefixtures("some_in_blocks")
@pytest.mark.parametrize("name", KINDS)
def test_the_coriolis_matrix_is_the_one_of_christoffel(name: str) -> None:
    arm = physical(robot(name))
    q, qd, _ = states(arm, 1, 2)[:, 0]
    close(arm.coriolis_matrix(q, qd), robot(name).equations().at(q, qd, **arm.model.defaults())["C"])


@pytest.mark.usefixtures("in_blocks")
def test_the_rate_of_the_jacobian() -> None:
    arm = physical(robot("panda"))
    q, qd, _ = states(arm, 1, 3)[:, 0]
    for frame in ("world", "body"):
        rate = central_difference(lambda t: arm.jacobian(q + t[0] * qd, 4, frame) @ qd, np.zeros(1))[:, 0]  # noqa: B023
        close(arm.jacobian_drift(q, qd, 4, frame), rate, 1e-8)


@pytest.mark.usefixtures("in_blocks")
def test_torques_are_the_regressor_times_the_parameters() -> None:
    arm = physical(robot("puma560"))
    q, qd, qdd = states(arm, 5)
    known = arm.model.defaults()
    names = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
    parameters = np.array([known[f"{name}{k}"] for k in range(1, 7) for name in names])
    close(arm.regressor(q, qd, qdd) @ parameters, arm.inverse_dynamics(q, qd, qdd))


def test_linearize_is_the_motion_near_rest() -> None:
    arm = robot("two_link")
    q0 = np.array([0.4, -0.7])
    A, B = arm.linearize(q0)
    held = arm.bias(q0, np.zeros(2))
    x0 = np.concatenate([q0, np.zeros(2)])
    motion = lambda x, tau: arm.state_derivative(x[:2], x[2:], tau)  # noqa: E731
    assert np.abs(motion(x0, held)).max() < 1e-12
    close(A, central_difference(lambda x: motion(x, held), x0), 1e-8)
    close(B, central_difference(lambda tau: motion(x0, tau), held), 1e-8)


def test_a_payload_is_a_body_at_the_tool() -> None:
    arm = robot("one_link")
    heavier = arm.with_payload(2.5)
    q, qd, qdd = np.array([0.3]), np.array([0.1]), np.array([0.7])
    close(heavier.inverse_dynamics(q, qd, qdd), arm.with_values(m=3.5).inverse_dynamics(q, qd, qdd))
    assert heavier.prove()


@pytest.mark.usefixtures("in_blocks")
def test_payloads_leave_the_kinematics_and_may_have_symbols() -> None:
    arm = robot("ur5")
    q = np.full(6, 0.3)
    loaded = arm.with_payload(1.5, (0, 0, 0.1)).with_payload("mp", symbols="mp")
    assert [body.name for body in loaded.model.bodies[-2:]] == ["payload", "payload2"]
    close(loaded.forward_kinematics(q), arm.forward_kinematics(q))
    close(loaded.jacobian(q), arm.jacobian(q))
    held = loaded.gravity(q, mp=2.0) - loaded.gravity(q, mp=0.0)
    J = arm.jacobian(q, "tool")
    close(held, 2.0 * 9.81 * J[2])
    baxter = robot("baxter")
    for body in ("left_wrist", [b.name for b in baxter.model.bodies].index("left_wrist")):
        assert baxter.with_payload(2, body=body, name="box").model.bodies[-1].joint.parent == "left_wrist"
    assert baxter.with_payload(2, name="box").model.bodies[-1].name == "box"
    with refusal(QddotError, "symbol-declared-already", "'mp'"):
        loaded.with_payload("mp", symbols={"mp": 3})


def _on(arm: qddot.Robot, name: str) -> list[Any]:
    """The bodies after the first, attached to its new name."""
    _, second, *rest = arm.model.bodies
    return [replace(second, joint=replace(second.joint, parent=name)), *rest]


@pytest.mark.usefixtures("in_blocks")
def test_the_tool_is_a_body() -> None:
    arm = physical(robot("puma560_akb"))
    tool, _ = pose_from_matrix([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1]])
    arm = qddot.Robot(replace(arm.model, tool=tool))
    q, qd, _ = states(arm, 1, 7)[:, 0]
    T = arm.forward_kinematics(q, "tool")
    speed = central_difference(lambda t: arm.forward_kinematics(q + t[0] * qd, "tool")[:3, 3], np.zeros(1))[:, 0]
    J = arm.jacobian(q, "tool")
    close((J @ qd)[:3], speed, 1e-8)
    turned = np.kron(np.eye(2), T[:3, :3].T)
    close(arm.jacobian(q, "tool", "body"), turned @ J)
    named = qddot.Robot(replace(arm.model, bodies=(replace(arm.model.bodies[0], name="tool"), *_on(arm, "tool"))))
    close(named.forward_kinematics(q, "tool"), T)
    with refusal(EvaluationError, "no-body", "'q4'", "'link4'"):
        arm.jacobian(q, "q4")


@pytest.mark.usefixtures("in_blocks")
def test_only_values_that_enter_are_asked_for() -> None:
    arm = robot("panda")
    q = np.zeros((3, 7))
    assert arm.regressor(*q).shape == (7, 70)
    with refusal(EvaluationError, "value-missing", "Ixx2"):
        arm.mass_matrix(q[0])


@pytest.mark.usefixtures("in_blocks")
def test_the_regressor_of_bodies_rotors_and_friction() -> None:
    arm = robot("puma560_akb")
    q, qd, qdd = states(arm, 3)
    Y = arm.regressor(q, qd, qdd, armature=True, friction=True)
    right = arm.inverse_dynamics(q, qd, qdd)
    close(Y @ arm.dynamic_parameters(armature=True, friction=True), right)
    base = arm.base_parameters(armature=True, friction=True)
    close(Y[..., base.columns] @ base.values(), right)


def test_exact_linearization_in_numbers_is_the_numeric_one() -> None:
    arm = robot("two_link")
    values = {"g": 9.81, "l": 1.2, "m1": 2.0, "m2": 3.0}
    linear = arm.equations().linearize(["q1", 0])
    close(linear.at({"q1": 0.4}, **values)[0], linear.at({"q1": 0.4}, l=1.2, m1=2.0, m2=3.0)[0])
    assert "(A / det)" in str(linear)
    close(linear.at(q1=0.4, **values)[0], linear.at({"q1": 0.4}, **values)[0])
    for wrong, says in (
        ({"q7": 1}, ("no-symbol-or-coordinate", "'q7'")),
        ({"m1": "x"}, ("number-not-allowed", "m1", "'x'", "a-number")),
        ({"l": 0}, ("mass-matrix-singular",)),
    ):
        with refusal(EvaluationError, *says):
            linear.at(**{"q1": 0.4, **values, **wrong})
    exact = linear.at({"q1": 0.4}, **values)
    for matrix, right in zip(exact, arm.linearize([0.4, 0], **values), strict=True):
        close(matrix, right)


def test_a_massless_last_link_is_named() -> None:
    row = {"theta": "q1", "d": 0, "a": 1, "alpha": 0}
    arm = qddot.from_dh([row, {**row, "theta": "q2"}], [{"mass": 1}, {"mass": 0}])
    with refusal(EvaluationError, "joint-without-inertia", "'q2'"):
        arm.forward_dynamics([0, 0], [0, 0], [0, 0])


def test_linearize_takes_batches() -> None:
    arm = robot("spatial_2r")
    q = np.array([[0.1, 0.2], [0.3, -0.4], [1.0, 2.0]])
    A, B = arm.linearize(q, m2=[10.0, 11.0, 12.0])
    assert A.shape == (3, 4, 4)
    for k in range(3):
        one = arm.linearize(q[k], m2=10.0 + k)
        close(A[k], one[0])
        close(B[k], one[1])


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="these processors are x86")
@pytest.mark.parametrize(
    ("name", "features", "lanes"),
    [("haswell", "+avx2,+fma", 4), ("nehalem", "+sse4.2", 2), ("x86-64", "", 1)],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_narrower_registers_compute_the_same(
    name: str, features: str, lanes: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = physical(robot("elbow_3r"))
    q, qd, qdd = states(arm, 21)
    q[4, 2] = 1e12  # beyond the vector reduction: the library's sine
    right = arm.inverse_dynamics(q, qd, qdd, dtype=dtype)
    M = arm.mass_matrix(q, dtype=dtype)
    monkeypatch.setattr(engine, "processor", lambda: engine.Processor(name, features, lanes))
    again = qddot.Robot(arm.model)
    close(again.inverse_dynamics(q, qd, qdd, dtype=dtype), right, 1e-12 if dtype == "float64" else 1e-6)
    close(again.mass_matrix(q, dtype=dtype), M, 1e-12 if dtype == "float64" else 1e-6)


def test_the_exact_puma_without_rotors_takes_fewer_operations_than_the_abbreviated_one_of_1986() -> None:
    """305 operations: Armstrong, Khatib & Burdick 1986. Link 6 is round, so that q6 does not matter."""
    arm = robot("puma560_akb").with_values(**{f"Jm{k}": 0 for k in range(1, 7)})
    program = arm.program("inverse_dynamics")
    assert program.total_operations <= 300
    assert program.operations["sincos"] == 4


def test_the_kinetic_energy_of_links_is_halved_once() -> None:
    """A division for each link would cost Baxter's two arms 35 operations more."""
    assert qddot.load("baxter").program("kinetic_energy").total_operations <= 588
