"""Elastic joints have the equations of a spring between a link and its motor, and their motors drive as computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from physical import physical
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

N = 4


def by_name(array: Any) -> sp.Matrix:
    """An exact array for SymPy, whose symbols have names and nothing else."""
    matrix = sp.Matrix(array.sympy())
    return matrix.subs({symbol: sp.Symbol(str(symbol)) for symbol in matrix.free_symbols})


def test_two_links_with_elastic_joints_by_lagrange() -> None:
    """De Luca and Book's arm: M(q) of the links beside diag(B), K (q − θ) and its opposite, as Spong does."""
    m1, m2, I1, I2, d1, d2, l1, B1, B2, k1, k2, g = sp.symbols("m1 m2 I1 I2 d1 d2 l1 B1 B2 k1 k2 g")
    q = sp.symbols("q1 q2 theta1 theta2")
    u = sp.symbols("qd1 qd2 thetad1 thetad2")
    p1 = sp.Matrix([d1 * sp.cos(q[0]), d1 * sp.sin(q[0])])
    p2 = sp.Matrix([l1 * sp.cos(q[0]), l1 * sp.sin(q[0])]) + d2 * sp.Matrix([sp.cos(q[0] + q[1]), sp.sin(q[0] + q[1])])
    v1, v2 = p1.jacobian(q) * sp.Matrix(u), p2.jacobian(q) * sp.Matrix(u)
    K = (m1 * v1.dot(v1) + m2 * v2.dot(v2) + I1 * u[0] ** 2 + I2 * (u[0] + u[1]) ** 2) / 2
    K += (B1 * u[2] ** 2 + B2 * u[3] ** 2) / 2
    P = g * (m1 * p1[1] + m2 * p2[1]) + (k1 * (q[0] - q[2]) ** 2 + k2 * (q[1] - q[3]) ** 2) / 2
    eq = qddot.load("flexible_2r").equations()
    assert sp.simplify(by_name(eq.M) - sp.hessian(K, u)) == sp.zeros(N, N)
    static = by_name(eq.G) + by_name(eq.springs)
    assert sp.simplify(static - sp.Matrix([P.diff(x) for x in q])) == sp.zeros(N, 1)
    assert {each.verdict for each in qddot.load("flexible_2r").prove().identities} == {"proved"}


def test_a_cubic_spring_with_damping_by_hand() -> None:
    arm = qddot.load("one_link").with_elastic("q1", "k", "d", "c", "B", symbols=["k", "d", "c", "B"])
    delta, rate = sp.Symbol("q1") - sp.Symbol("theta1"), sp.Symbol("qd1") - sp.Symbol("thetad1")
    spring = sp.Symbol("k") * delta + sp.Symbol("c") * delta**3
    eq = arm.equations()
    assert sp.expand(by_name(eq.springs) - sp.Matrix([spring, -spring])) == sp.zeros(2, 1)
    damping = sp.Symbol("d") * rate
    assert sp.expand(by_name(eq.friction) - sp.Matrix([damping, -damping])) == sp.zeros(2, 1)
    assert {each.verdict for each in arm.prove().identities} == {"proved"}


def test_link_and_motor_swing_against_each_other() -> None:
    """Without gravity ω² = k (1/I + 1/B): both turn about the point of the spring that stands still."""
    arm = qddot.load("one_link").with_values(m=2, l=0.5, g=0).with_elastic("q1", 300, armature=0.2)
    I = float(arm.mass_matrix([0, 0])[0, 0])
    omega = np.sqrt(300 * (1 / I + 1 / 0.2))
    frequencies = np.abs(arm.linearize([0, 0]).eigenvalues.imag)
    assert frequencies.max() == pytest.approx(omega, rel=1e-9)
    run = arm.simulate([0.01 / I, -0.01 / 0.2], None, 2.0, 0.01)
    assert run.q[:, 0] == pytest.approx(0.01 / I * np.cos(omega * run.time), abs=1e-10)


def test_energy_is_kept_and_damping_accounted_for() -> None:
    arm = qddot.load("flexible_2r")
    run = arm.simulate([0.3, 0.2, 0.31, 0.18], None, 2.0, 0.1)
    energy = arm.kinetic_energy(run.q, run.qd) + arm.potential_energy(run.q)
    assert run.energy.check(1e-9)
    springs = 1000 * (run.q[:, 0] - run.q[:, 2]) ** 2 + 500 * (run.q[:, 1] - run.q[:, 3]) ** 2
    assert energy + springs == pytest.approx(np.full(len(energy), energy[0] + springs[0]), rel=1e-9)
    damped = physical(qddot.load("one_link")).with_elastic("q1", 300, damping=0.5, armature=0.2)
    run = damped.simulate([0.3, 0.1], None, 2.0, 0.1)
    assert run.energy.check(1e-9)
    assert (np.diff(run.energy.losses["internal"]) >= -1e-12).all()


def test_a_stiff_joint_moves_as_a_rigid_one() -> None:
    """As k grows, q and θ become one coordinate, whose inertia has the motor's armature."""
    arm = physical(qddot.load("one_link"))
    rigid = qddot.load("one_link").with_values(**arm.model.defaults())
    stiff = rigid.with_elastic("q1", 1e7, armature=0.4)
    M = rigid.mass_matrix([0.3])[0, 0] + 0.4
    tau = 3.0
    right = (tau - rigid.gravity([0.3])[0]) / M
    run = stiff.simulate([0.3, 0.3 + rigid.gravity([0.3])[0] / 1e7], None, 0.05, 0.05, torque=[0, tau])
    assert run.q[-1, 0] - 0.3 == pytest.approx(right * 0.05**2 / 2, rel=0.01)


def test_a_rotor_adds_the_torques_that_an_armature_neglects() -> None:
    """K = ½ J (n θ̇ + ω)² of a rotor on the first link; with J in a rotor or as n² J the rest is the same."""
    plain = qddot.load("two_link").with_values(m1=1, m2=2, l=1)
    arm = plain.with_elastic("q2", 200, armature=0).with_rotor("upper", {"theta2": 50}, 1e-3)
    M = arm.mass_matrix([0.2, 0.3, 0.1])
    links = plain.mass_matrix([0.2, 0.3])
    right = np.zeros((3, 3))
    right[:2, :2] = links
    right += 1e-3 * np.outer([1, 0, 50], [1, 0, 50])
    assert pytest.approx(right, abs=1e-12) == M
    assert {each.verdict for each in arm.prove().identities} == {"proved"}


def test_motors_move_and_drive_so_that_links_follow() -> None:
    arm = qddot.load("flexible_2r")
    size, rate = np.array([0.5, -0.4]), np.array([1.3, 1.9])

    def path(t: Any) -> list[Any]:
        phase = rate * np.asarray(t)[..., None]
        return [
            size * np.sin(phase),
            size * rate * np.cos(phase),
            -size * rate**2 * np.sin(phase),
            -size * rate**3 * np.cos(phase),
            size * rate**4 * np.sin(phase),
        ]

    h = 1e-4
    motion = arm.elastic_motion(*path(0.7 + h * np.arange(-2, 3)))
    weights = np.array([1, -8, 0, 8, -1]) / (12 * h)
    assert weights @ motion.q == pytest.approx(motion.qd[2], abs=1e-9)
    assert weights @ motion.qd == pytest.approx(motion.qdd[2], abs=1e-8)
    assert arm.inverse_dynamics(*motion[:3]) == pytest.approx(motion.tau, abs=1e-10)
    assert not motion.tau[:, :2].any()
    start = arm.elastic_motion(*path(0.0))
    run = arm.simulate(
        start.q, start.qd, 1.0, 0.001, method="rk4", torque=lambda t, q, qd: arm.elastic_motion(*path(t)).tau
    )
    assert run.q[:, :2] == pytest.approx(path(run.time)[0], abs=1e-6)


def test_files_conversions_and_comparisons_keep_motors() -> None:
    arm = qddot.load("flexible_2r")
    again = qddot.loads(arm.to_toml("dh"))
    assert again.model.bodies == arm.model.bodies
    assert (again.model.coordinates, again.model.driven) == (arm.model.coordinates, ("theta1", "theta2"))
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, N))
    right = arm.inverse_dynamics(q, qd, qdd)
    for other in (arm.as_mdh(), arm.as_dh()):
        assert other.inverse_dynamics(q, qd, qdd) == pytest.approx(right, abs=1e-12)
    assert qddot.diff(arm, again)
    softer = qddot.diff(arm, arm.with_values(k2=900))
    assert "A has elastic stiffness = 1000, q2; B has elastic stiffness = 900, q2" in str(softer)
    assert [(each.place, each.what) for each in softer.differences] == [("motor2", "rotor")]
    assert not softer and "motor2" in str(softer)
    assert not qddot.diff(arm, arm.with_values(B1=0.31))
    assert not qddot.diff(arm, arm.with_locked(theta1=0, theta2=0))
    with refusal(QddotError, "urdf-of-elastic", "q1"):
        arm.to_urdf()
    with refusal(QddotError, "rotors-in-certificate"):
        arm.certificate()


def test_a_locked_side_leaves_a_spring_at_the_other() -> None:
    arm = physical(qddot.load("one_link")).with_elastic("q1", 300, damping=0.5, armature=0.2)
    both = qddot.load("two_link").with_values(m1=1, m2=2, l=1).with_elastic("q1", 300, damping=0.5, armature=0.2)
    held = both.with_locked(theta1=0.5)
    q, qd = np.array([0.7, 0.1]), np.array([0.3, -0.2])
    right = both.inverse_dynamics([*q, 0.5], [*qd, 0], [0, 0, 0])[:2]
    assert held.inverse_dynamics(q, qd, [0, 0]) == pytest.approx(right, abs=1e-12)
    motor = arm.with_locked(q1=0.5)
    assert motor.model.coordinates == ("theta1",)
    assert motor.inverse_dynamics([0.7], [0.3], [2.0]) == pytest.approx([300 * 0.2 + 0.5 * 0.3 + 0.2 * 2.0])
    with refusal(QddotError, "cubic-spring-locked", "'theta2'"):
        both.with_elastic("q2", 10, cubic=3, armature=1).with_locked(theta2=0)


def test_the_regressor_has_a_column_for_damping_between_coordinates() -> None:
    """Y π with springs, which are no parameters, is τ; base parameters are as many as the rank of Y."""
    arm = qddot.load("two_link").with_values(m1=1, m2=2, l=1).with_elastic("q2", 100, damping=0.5, armature=0.2)
    arm = arm.with_friction(damping=0.1, coulomb=0.2)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 30, arm.n))
    Y, pi = arm.regressor(q, qd, qdd, armature=True, friction=True), arm.dynamic_parameters(True, True)
    springs = 100 * (q[:, 1] - q[:, 2])[:, None] * [0, 1, -1]
    assert Y @ pi + springs == pytest.approx(arm.inverse_dynamics(q, qd, qdd), abs=1e-11)
    base = arm.base_parameters(armature=True, friction=True)
    assert len(base) == np.linalg.matrix_rank(Y.reshape(-1, Y.shape[-1]), tol=1e-8)
    assert any("Fi_q2" in str(row) for row in str(base).splitlines())


def test_bounds_of_torques_hold_with_springs_between_coordinates() -> None:
    arm = qddot.load("flexible_2r").with_values(k1=20, k2=10)
    region = {"q1": (0, 0.5), "q2": (0, 0.5), "theta1": (0, 0.6), "theta2": (0, 0.4), "qd": 1, "qdd": 1}
    bounds = arm.bounds(region, seconds=2)
    rng = np.random.default_rng(7)
    q = rng.uniform([0, 0, 0, 0], [0.5, 0.5, 0.6, 0.4], (20000, N))
    tau = arm.inverse_dynamics(q, rng.choice([-1.0, 1.0], q.shape), rng.choice([-1.0, 1.0], q.shape))
    for k, name in enumerate(arm.model.coordinates):
        assert bounds[f"tau_{name}_max"].proven >= tau[:, k].max() >= 0.8 * bounds[f"tau_{name}_max"].found
        assert bounds[f"tau_{name}_min"].proven <= tau[:, k].min()


def test_a_joint_gives_its_armature_and_its_motors_limits_to_the_motor() -> None:
    text = (
        qddot.load("one_link").to_toml().replace('coordinate = "q1"', 'coordinate = "q1", armature = 0.3, effort = 5')
    )
    arm = qddot.loads(text).with_elastic("q1", 100)
    link, motor = arm.model.moving()
    assert (link.joint.effort, motor.joint.effort) == (None, 5.0)
    assert [effect.key for effect in link.joint.effects] == ["elastic"]
    assert [effect.key for effect in motor.joint.effects] == ["armature"]


def test_a_sliding_joint_and_a_chain_may_be_elastic() -> None:
    cart = qddot.load("cart_pole").with_elastic("x", "k", armature="B", symbols=["k", "B"])
    assert cart.model.coordinates == ("x", "theta", "theta_x")
    assert {each.verdict for each in cart.prove().identities} == {"proved"}
    chain = qddot.load_closed_chain("four_bar").with_elastic("q1", 100, armature=0.1)
    assert {each.verdict for each in chain.prove().identities} == {"proved"}
    rigid = qddot.load_closed_chain("four_bar")
    q = chain.assemble({"q1": 0.3, "theta1": 0.25}).q
    M = chain.mass_matrix(q)
    assert M[0, 0] == pytest.approx(rigid.mass_matrix(rigid.assemble({"q1": 0.3}).q)[0, 0])
    assert M[1, 1] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("q1", 0), ("elastic-without-stiffness",)),
        (("q1", -1), ("effect-negative",)),
        (("q9", 1), ("no-coordinate-name", "'q9'")),
        (("q1", "k"), ("symbols-undeclared",)),
    ],
)
def test_what_is_no_elastic_joint_is_refused(given: tuple[Any, ...], error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        qddot.load("two_link").with_elastic(*given)


def test_a_joint_is_made_elastic_once() -> None:
    arm = qddot.load("flexible_2r")
    for name in ("q1", "theta1"):
        with refusal(QddotError, "joint-not-made-elastic", repr(name)):
            arm.with_elastic(name, 5)
    with refusal(QddotError, "joint-not-made-elastic"):
        qddot.load("quadrotor_arm").with_elastic("omega_x", 5)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('elastic = { stiffness = "k1", motor = "theta1" }', "elastic = { stiffness = 3 }", ("effect-without-second",)),
        (
            'elastic = { stiffness = "k1", motor = "theta1" }',
            'elastic = { motor = "theta1" }',
            ("elastic-without-stiffness",),
        ),
        ('stiffness = "k1"', "stiffness = 0", ("elastic-without-stiffness",)),
        ('motor = "theta1" }', 'motor = "theta9" }', ("second-unknown", "'theta9'")),
        ('motor = "theta1" }', 'motor = "q1" }', ("second-unknown",)),
        ('coordinate = "theta1"  ', 'type = "prismatic"\ncoordinate = "theta1"  ', ("second-of-another-kind",)),
        ('coordinate = "theta1"  ', "", ("motor-without-coordinate",)),
        ('carrier = "upper"', 'carrier = "motor1"', ("link-on-rotor",)),
    ],
)
def test_tables_that_are_no_elastic_joints_are_refused(old: str, new: str, error: tuple[str, ...]) -> None:
    from qddot.robot.own_texts import ZOO

    text = (ZOO / "flexible_2r.toml").read_text(encoding="utf-8")
    assert old in text
    with refusal(QddotError, *error):
        qddot.loads(text.replace(old, new, 1))


def coupled() -> qddot.Robot:
    """The rotor of motor 2 stands on a link that another motor moves by a spring."""
    arm = qddot.load("two_link").with_values(m1=1, m2=1, l=1).with_elastic("q1", 9, armature=1)
    return arm.with_elastic("q2", 9, armature=0).with_rotor("upper", {"theta2": 50}, 1e-3)


@pytest.mark.parametrize(
    ("arm", "error"),
    [
        (lambda: qddot.load("two_link"), "no-elastic-joints"),
        (lambda: physical(qddot.load("one_link")).with_elastic("q1", 9, 1, 0, 1), "elastic-motion-unsolved"),
        (lambda: physical(qddot.load("one_link")).with_elastic("q1", 9, 0, 2, 1), "elastic-motion-unsolved"),
        (coupled, "elastic-motion-coupled"),
    ],
)
def test_motions_that_no_formula_gives_are_refused(arm: Any, error: str) -> None:
    with refusal(QddotError, error):
        one = arm()
        one.elastic_motion(*np.zeros((5, 1 if one.name == "one_link" else 2)))


def test_another_number_of_entries_and_loops_are_refused() -> None:
    with refusal(QddotError, "elastic-motion-of-loops", "four_bar"):
        qddot.load_closed_chain("four_bar").with_elastic("q1", 9, armature=1).elastic_motion(*np.zeros((5, 3)))
    with refusal(QddotError, "elastic-motion-misshapen", "2"):
        qddot.load("flexible_2r").elastic_motion(*np.zeros((5, 3)))


PENDULUM = """
convention = "tree"
gravity = [0, "-g", 0]
[symbols]
g = 9.81
[[link]]
joint = {{ type = "revolute", axis = [0, 0, 1], coordinate = "q1"{} }}
mass = 1
com = [0.5, 0, 0]
inertia = {{ about = "com", zz = 0.1 }}
"""
ELASTIC = PENDULUM.format(', elastic = { stiffness = 100, motor = "theta1" }')
MOTOR = '[[motor]]\ncoordinate = "theta1"\narmature = 0.3\n'


def test_a_file_without_driven_has_motors_where_with_elastic_has_them() -> None:
    arm = qddot.loads(PENDULUM.format("")).with_elastic("q1", 100, armature=0.3)
    read = qddot.loads(ELASTIC + MOTOR)
    assert read.driven == arm.driven == ("theta1",)
    assert read.inverse_dynamics([0.1, 0.2], [1, 2], [3, 4]) == pytest.approx(
        arm.inverse_dynamics([0.1, 0.2], [1, 2], [3, 4])
    )
    for kind in ("free", "spherical"):
        with refusal(QddotError, "joint-type-follows"):
            qddot.loads(f'{ELASTIC}{MOTOR}type = "{kind}"')


def test_a_spring_may_join_two_links() -> None:
    other = """
[[link]]
parent = "link1"
joint = { type = "revolute", axis = [0, 0, 1], xyz = [1, 0, 0], coordinate = "q2" }
mass = 1
com = [0.5, 0, 0]
"""
    arm = qddot.loads(PENDULUM.format(', elastic = { stiffness = 100, motor = "q2" }') + other)
    assert {each.verdict for each in arm.prove().identities} == {"proved"}
    q = np.array([0.4, 0.1])
    assert arm.inverse_dynamics(q, [0, 0], [0, 0]) - arm.gravity(q) == pytest.approx([30, -30])


def test_springs_of_a_locked_joint_add_up() -> None:
    """5 (q − 0.1) + 10 (q − 0.2) = 15 (q − 1/6)."""
    arm = qddot.loads(PENDULUM.format(", spring = { stiffness = 5, rest = 0.1 }"))
    held = arm.with_elastic("q1", 10, armature=1).with_locked(theta1=0.2)
    assert held.inverse_dynamics([0.7], [0], [0]) - held.gravity([0.7]) == pytest.approx([5 * 0.6 + 10 * 0.5])
    assert qddot.loads(held.to_toml()).model.bodies == held.model.bodies


def test_no_armature_of_a_motor_is_lost() -> None:
    """Only a rotor has torques that an armature neglects."""
    with refusal(QddotError, "no-rotors"):
        qddot.load("flexible_2r").armature_error({"qd": 2, "qdd": 5})
    plain = qddot.load("two_link").with_values(m1=1, m2=1, l=1)
    errors = [
        plain.with_elastic("q2", 100, armature=B).with_rotor("upper", {"theta2": 100}, 1e-4).armature_error(
            {"qd": 2, "qdd": 5}
        )["theta2"]
        for B in (0, 0.5)
    ]  # fmt: skip
    assert errors[0] == pytest.approx(1e-4 * 100 * 5, rel=0.01) == errors[1]


def test_motors_without_torques_and_symbols_without_values_are_refused() -> None:
    motion = np.zeros((5, 2))
    arm = qddot.load("flexible_2r")
    with refusal(QddotError, "elastic-motion-undriven", "theta2"):
        arm.with_driven("theta1").elastic_motion(*motion)
    with refusal(QddotError, "elastic-without-stiffness"):
        arm.with_values(k1=0).elastic_motion(*motion)
    with refusal(QddotError, "shapes-do-not-fit"):
        arm.elastic_motion(np.zeros((3, 2)), np.zeros((4, 2)), *motion[:3])
    soft = qddot.loads(PENDULUM.format("")).with_elastic("q1", "k", armature=1, symbols=["k"])
    with refusal(QddotError, "value-missing", "k"):
        soft.elastic_motion(*np.zeros((5, 1)))
    with refusal(QddotError, "friction-keys", "'q1'"):
        soft.with_friction({"q1": {"internal_damping": 3}})
