"""Rotors have the dynamics of bodies that truly turn, of Newton and Euler's equations, and of K by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from decimal_recursion import Recursion, mpf
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from robots import AXES, chains

import qddot
from qddot.algebra.numbers.balls import precise
from qddot.base.errors import QddotError
from qddot.proof.certify.vectors import values as of_vectors
from qddot.robot.effects.armature import Armature

UNIT_AXES = [axis for axis in AXES if "sqrt(2)/2" not in axis]


def plain(part: Any) -> Any:
    """Balls of a description as decimals of mpmath."""
    if isinstance(part, dict):
        return {name: plain(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [plain(value) for value in part]
    return mpf(part.mid().str(60, radius=False)) if hasattr(part, "mid") else part


def recursion(arm: qddot.Robot) -> Recursion:
    """An own recursion in which the bodies of rotors turn by their ratios, in the base's axes with 90 digits."""
    with precise(300):
        described = plain(of_vectors.description(arm.model))
    return Recursion({"velocities": list(arm.model.coordinates), "description": described})


def by_name(array: Any) -> sp.Matrix:
    """An exact array for SymPy, whose symbols have names and nothing else."""
    matrix = sp.Matrix(array.sympy())
    return matrix.subs({symbol: sp.Symbol(str(symbol)) for symbol in matrix.free_symbols})


def driven(draw: Any, arm: qddot.Robot) -> qddot.Robot:
    """The arm with up to four rotors."""
    names = ["base", *(body.name for body in arm.model.bodies)]
    turning = [*arm.model.coordinates]
    for _ in range(draw(st.integers(1, 4))):
        led = draw(st.lists(st.sampled_from(turning), min_size=1, max_size=2, unique=True))
        ratios = {name: draw(st.sampled_from([100, -50, "1/3", "-121/2", "nr", "-nr*pi"])) for name in led}
        inertia, axis = draw(st.sampled_from(["1e-4", "Jr", 0.02])), draw(st.sampled_from(UNIT_AXES))
        new = {} if "nr" in arm.model.symbols else {"nr": 3.5, "Jr": 0.001}
        arm = arm.with_rotor(draw(st.sampled_from(names)), ratios, inertia, axis, symbols=new)
    return arm


@settings(max_examples=100)
@given(st.data())
def test_random_arms_have_the_torques_of_rotors_that_turn(data: st.DataObject) -> None:
    arm = driven(data.draw, data.draw(chains()))
    q, qd, qdd = np.random.default_rng(data.draw(st.integers(0, 99))).uniform(-2, 2, (3, arm.model.n))
    own = recursion(arm)
    states = [dict(zip(arm.model.coordinates, each.tolist(), strict=True)) for each in (q, qd, qdd)]
    tau = np.array([float(x) for x in own.torques(states[0], states[1], states[2], own.gravity)])
    scale = 1 + np.abs(tau).max()
    assert arm.inverse_dynamics(q, qd, qdd) == pytest.approx(tau, abs=1e-12 * scale)
    M = np.array(own.mass_matrix(states[0]).tolist(), dtype=float)
    assert arm.mass_matrix(q) == pytest.approx(M, abs=1e-12 * (1 + np.abs(M).max()))
    assert arm.regressor(q, qd, qdd) @ arm.dynamic_parameters() == pytest.approx(tau, abs=1e-11 * scale)
    assert arm.kinetic_energy(q, qd) == pytest.approx(qd @ M @ qd / 2, rel=1e-12)
    C = arm.coriolis_matrix(q, qd)
    rate = np.array(own.mass_matrix_rate(states[0], states[1]).tolist(), dtype=float)
    assert pytest.approx(rate, abs=1e-9 * (1 + np.abs(C).max())) == C + C.T
    assert arm.forward_dynamics(q, qd, tau) == pytest.approx(qdd, abs=1e-9 * (1 + np.abs(qdd).max()))


def test_k_of_two_links_with_rotors_by_hand() -> None:
    """K = ½ J1 (n1 q̇1)² + ½ J2 (n2 q̇2 + q̇1)²: the second motor sits on link 1, whose ω is q̇1 about z."""
    n1, n2, J1, J2 = sp.symbols("n1 n2 J1 J2")
    arm = qddot.load("two_link")
    first, second = (body.name for body in arm.model.bodies)
    geared = arm.with_rotor("base", {"q1": "n1"}, "J1", symbols=["n1", "J1"])
    geared = geared.with_rotor(first, {"q2": "n2"}, "J2", symbols=["n2", "J2"])
    change = by_name(geared.equations().M) - by_name(arm.equations().M)
    assert sp.simplify(change - sp.Matrix([[J1 * n1**2 + J2, n2 * J2], [n2 * J2, J2 * n2**2]])) == sp.zeros(2)
    assert geared.equations().G == arm.equations().G
    assert geared.model.tool_body == second
    assert geared.prove()


def test_a_gyroscopic_torque_by_hand() -> None:
    """A rotor with its axis along x of a link that turns about z: L = J n q̇2 x turns with the link.

    Its rate J n q̇1 q̇2 y is no torque about either joint; about a joint along y of the carrier it is.
    """
    toml = """
    convention = "tree"
    symbols = { J = {}, n = {}, I = {} }
    [[link]]
    name = "a"
    parent = "base"
    joint = { type = "revolute", axis = [0, 0, 1] }
    [[link]]
    name = "b"
    parent = "a"
    joint = { type = "revolute", axis = [0, 1, 0] }
    inertia = { about = "com", xx = "I", yy = "I", zz = "I" }
    [[link]]
    name = "c"
    parent = "b"
    joint = { type = "revolute", axis = [1, 0, 0] }
    inertia = { about = "com", xx = "I", yy = "I", zz = "I" }
    [[rotor]]
    carrier = "b"
    ratios = { q3 = "n" }
    inertia = "J"
    axis = [1, 0, 0]
    """
    arm = qddot.loads(toml)
    without = qddot.loads(toml[: toml.index("[[rotor]]")])
    change = by_name(arm.equations().C) * sp.Matrix(sp.symbols("qd1:4"))
    change -= by_name(without.equations().C) * sp.Matrix(sp.symbols("qd1:4"))
    q2, w1, w2, w3, J, n = sp.symbols("q2 qd1 qd2 qd3 J n")
    # K = ½ J (n q̇3 − sin q2 q̇1)², by Lagrange
    spin = n * w3 - sp.sin(q2) * w1
    right = sp.Matrix(
        [
            J * (spin * -sp.cos(q2) * w2 + sp.sin(q2) * sp.cos(q2) * w2 * w1),
            J * spin * sp.cos(q2) * w1,
            -J * n * sp.cos(q2) * w2 * w1,
        ]
    )
    assert sp.simplify(change - right) == sp.zeros(3, 1)


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, "3/5", "4/5")])
def test_every_identity_is_proved_with_symbolic_gears(axis: tuple[Any, ...]) -> None:
    arm = qddot.load("elbow_3r").with_rotor("column", {"q2": "n2", "q3": "-n3"}, "J", axis, symbols=["n2", "n3", "J"])
    certificate = arm.prove()
    assert {each.verdict for each in certificate.identities} == {"proved"}
    assert len(certificate.identities) == len(qddot.load("elbow_3r").prove().identities)


def test_a_follower_that_turns_is_the_same() -> None:
    """A body of the same inertia that follows by a plain ratio turns by 50 q; its equations are the rotor's."""
    arm = qddot.load("planar_2r")
    rotor = arm.with_rotor("base", {"q1": 50}, "J", (0, 0, 1), symbols=["J"])
    text = arm.to_toml().replace('coordinates = ["q1", "q2"]', 'coordinates = ["q1", "q2"]\n', 1)
    follower = """
[[link]]
name = "wheel"
parent = "base"
joint = {type = "revolute", axis = [0, 0, 1], coordinate = "q1", ratio = 50}
inertia = {about = "com", zz = "J"}
partial_inertia = true
"""
    text = text.replace("[tool]", f"{follower}\n[tool]").replace("[symbols]", "[symbols]\nJ = {}", 1)
    assert qddot.loads(text).equations().M == rotor.equations().M


def test_files_keep_rotors() -> None:
    for convention in ("tree", "mdh"):
        arm = qddot.load("puma560").as_mdh() if convention == "mdh" else qddot.load("elbow_3r")
        carrier, names = arm.model.bodies[0].name, arm.model.coordinates
        geared = arm.with_rotor(
            carrier,
            {names[1]: "-n", names[2]: Fraction(7, 2)},
            "J",
            (0, "3/5", "4/5"),
            "motor",
            (0, 0, "1/4"),
            symbols=["n", "J"],
        )
        again = qddot.loads(geared.to_toml(convention))
        assert again.model.bodies == geared.model.bodies
        assert again.model.tool_body == geared.model.tool_body == arm.model.tool_body
        assert "[[rotor]]" in geared.to_toml(convention)


def test_a_locked_joint_stops_its_rotor() -> None:
    arm = qddot.load("elbow_3r").with_rotor("column", {"q3": "n"}, "J", (0, 0, 1), symbols=["n", "J"])
    locked = arm.with_locked(q3=0.4)
    J = sp.Symbol("J")
    assert sp.Symbol("n") not in by_name(locked.equations().M).free_symbols
    unlocked = by_name(qddot.load("elbow_3r").with_locked(q3=0.4).equations().M)
    change = sp.simplify(by_name(locked.equations().M) - unlocked)
    assert change[1, 1] == change[0, 1] == 0
    assert change[0, 0] == J


def test_a_rotor_of_two_joints_keeps_to_the_one_that_moves() -> None:
    """A locked coordinate leaves M's entries as they were, and no body that the rotor no longer needs."""
    belts = qddot.load("belt_2r")
    locked = belts.with_locked(q2=0.3)
    assert [body.name for body in locked.model.bodies if body.joint.kind.is_rotor] == ["motor1", "motor2"]
    assert locked.mass_matrix([0.1]) == pytest.approx(belts.mass_matrix([0.1, 0.3])[:1, :1], rel=1e-14)
    wrist = qddot.load("geared_wrist")
    held = wrist.with_locked(roll=0.3)
    assert [body.name for body in held.model.bodies] == ["forearm", "cradle", "hand", "left", "right"]
    assert held.mass_matrix([0.2, 0.1]) == pytest.approx(wrist.mass_matrix([0.2, 0.1, 0.3])[:2, :2], abs=1e-14)


def test_conversions_turn_rotors_with_their_links() -> None:
    """Also where a base is turned, and where a locked link is merged with its carrier."""
    wrist, rng = qddot.load("geared_wrist"), np.random.default_rng(0)
    for arm in (wrist.with_base(rpy=(0.1, 0.2, 0.3)), wrist.with_locked(lift=0.3)):
        q, qd, qdd = rng.normal(size=(3, arm.model.n))
        right = arm.inverse_dynamics(q, qd, qdd)
        assert arm.as_dh().inverse_dynamics(q, qd, qdd) == pytest.approx(right, abs=1e-12)
        assert arm.as_mdh().inverse_dynamics(q, qd, qdd) == pytest.approx(right, abs=1e-12)


def test_base_parameters_hold_axial_moments_alone() -> None:
    """On the ground n² J lumps with the link's moment; on a link that turns J is a parameter of its own."""
    arm = qddot.load("elbow_3r").with_rotor("base", {"q1": 80}, 1e-3).with_rotor("column", {"q2": 50}, 1e-3, (1, 0, 0))
    base = arm.base_parameters()
    texts = [str(row) for row in str(base).splitlines()]
    assert any("6400*Izz4" in row for row in texts)
    assert not any(f"mx{k}" in row for row in texts[1:-1] for k in (4, 5))
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 40, 3))
    Y = arm.regressor(q, qd, qdd).reshape(-1, 50)
    assert np.linalg.matrix_rank(Y, tol=1e-8) == len(base)


def test_what_armature_neglects_is_bounded() -> None:
    """The bound is above random differences of both arms, and near the largest."""
    plain = qddot.load("elbow_3r")
    arm = plain.with_rotor("column", {"q2": 100}, 1e-4, (-1, 0, 0)).with_rotor("base", {"q1": 80}, 1e-4)
    arm = arm.with_rotor("upper", {"q3": -60}, 1e-4, (0, "3/5", "4/5"))
    reflected = [Armature("0.64"), Armature(1), Armature("0.36")]
    joints = [replace(b.joint, effects=(each,)) for b, each in zip(plain.model.bodies, reflected, strict=True)]
    bodies = tuple(replace(b, joint=joint) for b, joint in zip(plain.model.bodies, joints, strict=True))
    armed = qddot.Robot(replace(plain.model, bodies=bodies))
    errors = arm.armature_error({"qd": 2, "qdd": 5})
    rng = np.random.default_rng(0)
    q = rng.uniform(-np.pi, np.pi, (100_000, 3))
    qd, qdd = rng.choice([-2.0, 2.0], (100_000, 3)), rng.choice([-5.0, 5.0], (100_000, 3))
    found = np.abs(arm.inverse_dynamics(q, qd, qdd) - armed.inverse_dynamics(q, qd, qdd)).max(axis=0)
    for bound, largest in zip(errors.values(), found, strict=True):
        assert largest - 1e-12 <= bound <= 1.05 * largest + 1e-12
    chain = qddot.load_closed_chain("four_bar")
    turned = chain.with_rotor(chain.model.tree.bodies[0].name, {"q2": 30}, 1e-4)
    assert turned.armature_error({"qd": 1, "qdd": 1}) == turned.tree.armature_error({"qd": 1, "qdd": 1})
    with refusal(QddotError, "no-rotors", "elbow_3r"):
        plain.armature_error({"qd": 1, "qdd": 1})
    with refusal(QddotError, "region-without-motion"):
        arm.armature_error({"qd": 1})


def test_simulations_keep_energy_with_rotors() -> None:
    arm = qddot.load("acrobot").with_rotor("base", {"q1": 20}, 1e-3)
    arm = arm.with_rotor(arm.model.bodies[0].name, {"q2": -20}, 1e-3)
    run = arm.simulate([1.0, 0.4], None, 2.0, 0.1)
    energies = arm.kinetic_energy(run.q, run.qd) + arm.potential_energy(run.q)
    assert energies == pytest.approx(np.full(len(energies), energies[0]), abs=1e-6)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("column", {}, 1), ("rotor-without-ratio", "rotor1")),
        (("column", {"q2": 0}, 1), ("rotor-ratio-zero", "'q2'")),
        (("column", {"q9": 2}, 1), ("leader-unknown", "'q9'")),
        (("column", {"q2": 2}, -1), ("rotor-inertia-negative", "-1")),
        (("column", {"q2": 2}, 1, (1, 1, 0)), ("axis-not-unit-vector",)),
        (("nowhere", {"q2": 2}, 1), ("no-body-name", "'nowhere'")),
        (("column", {"q2": "k"}, 1), ("symbols-undeclared",)),
        (("column", {"q2": 2}, 1, (0, 0, 1), "upper"), ("link-name-twice",)),
    ],
)
def test_what_is_no_rotor_is_refused(given: tuple[Any, ...], error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        qddot.load("elbow_3r").with_rotor(*given)


@pytest.mark.parametrize(
    ("rotor", "error"),
    [
        ("ratios = { q1 = 2 }\ninertia = 1", ("rotor-without", "carrier")),
        ('carrier = "pole"\ninertia = 1', ("rotor-without", "ratios")),
        ('carrier = "pole"\nratios = { x = 2 }', ("rotor-without", "inertia")),
        ('carrier = "pole"\nratios = 3\ninertia = 1', ("not-table",)),
        ('carrier = "nothing"\nratios = { x = 2 }\ninertia = 1', ("parent-not-exist",)),
        ('carrier = "pole"\nratio = 3\nratios = { x = 2 }\ninertia = 1', ("unknown-key",)),
    ],
)
def test_tables_that_are_no_rotor_are_refused(rotor: str, error: tuple[str, ...]) -> None:
    text = qddot.load("cart_pole").to_toml()
    with refusal(QddotError, *error):
        qddot.loads(f"{text}\n[[rotor]]\n{rotor}\n")


def test_nothing_stands_on_a_rotor() -> None:
    arm = qddot.load("cart_pole").with_rotor("base", {"x": 10}, 0.1)
    text = arm.to_toml() + '\n[[link]]\nname = "disc"\nparent = "rotor1"\njoint = { type = "fixed" }\n'
    with refusal(QddotError, "link-on-rotor", "'rotor1'"):
        qddot.loads(text)


def test_no_rotor_and_no_tool_stands_on_a_rotor() -> None:
    arm = qddot.load("cart_pole").with_rotor("base", {"x": 10}, 0.1)
    with refusal(QddotError, "link-on-rotor", "'rotor1'"):
        arm.with_rotor("rotor1", {"theta": 10}, 0.1)
    with refusal(QddotError, "link-on-rotor", "tool", "'rotor1'"):
        arm.with_tool(body="rotor1")
    with refusal(QddotError, "ratios-not-mapping"):
        arm.with_rotor("base", [10], 0.1)


def test_differences_of_rotors_are_told() -> None:
    """A rotor follows its joint, and is not held: M22 has n² J more."""
    plain = qddot.load("two_link")
    first = plain.model.bodies[0].name
    arm = plain.with_rotor("base", {"q1": 10}, 1e-2).with_rotor(first, {"q2": 50}, 1e-3)
    told = str(qddot.diff(plain, arm))
    for part in ("M22: B − A = 5/2", "M12: B − A = 1/20", "rotor1 (J = 0.01 kg m², 10 q1), rotor2 ("):
        assert part in told
    assert qddot.diff(arm, arm)
    other = plain.with_rotor("base", {"q1": 10}, 1e-2).with_rotor(first, {"q2": 50}, 2e-3)
    told = str(qddot.diff(arm, other))
    assert "A has J = 0.001 kg m², 50 q2; B has J = 0.002 kg m², 50 q2" in told and "rotor1" not in told
    heavier = qddot.diff(arm, arm.with_values(m2=3))
    assert not heavier and "rotor" not in str(heavier)


def test_answers_without_the_rotors_coupling_are_judged() -> None:
    arm = qddot.loads(qddot.load("two_link").to_toml("dh"))
    geared = arm.with_rotor(arm.model.bodies[0].name, {"q2": "n2"}, "J2", symbols=["n2", "J2"])
    assert geared.check(str(geared.equations().M))
    forgotten = geared.check(str(arm.equations().M))
    assert not forgotten
    assert "M12" in str(forgotten) and "M22" in str(forgotten)


def test_sums_of_angles_are_written_beside_rotors() -> None:
    arm = qddot.load("two_link").with_rotor("base", {"q1": 10}, 1e-2)
    assert "c12" in str(arm.equations().textbook().G)


def test_torques_of_motors_and_joints_have_equal_power() -> None:
    """The belt of motor 2 turns link 2 by q1 + q2, so that its torque acts on both joints."""
    arm = qddot.load("belt_2r")
    n1, n2 = (arm.model.defaults()[name] for name in ("n1", "n2"))
    assert arm.gear_ratios() == pytest.approx(np.array([[n1, 0], [n2, n2]]))
    tau, qd = np.array([3.0, -2.0]), np.array([0.4, 0.3])
    motors = arm.motor_torques(tau)
    assert motors == pytest.approx([(3 + 2) / n1, -2 / n2])
    assert arm.joint_torques(motors) == pytest.approx(tau)
    assert motors @ (arm.gear_ratios() @ qd) == pytest.approx(tau @ qd)
    worn = arm.motor_torques(tau, qd, 0.8)
    assert worn == pytest.approx([motors[0] / 0.8, motors[1] * 0.8])
    assert arm.joint_torques(worn, qd, 0.8) == pytest.approx(tau)
    many = np.random.default_rng(5).normal(size=(20, 2))
    assert arm.joint_torques(arm.motor_torques(many, -many, [0.5, 0.9]), -many, [0.5, 0.9]) == pytest.approx(many)
    elastic = qddot.load("flexible_2r").with_rotor("base", {"theta1": 50}, 0).with_rotor("base", {"theta2": 20}, 0)
    assert elastic.motor_torques([0, 0, 5, 4]) == pytest.approx([0.1, 0.2])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda arm: qddot.load("two_link").gear_ratios(), ("coupling-not-regular", "0")),
        (lambda arm: arm.with_rotor("base", {"q1": 2}, 1).gear_ratios(), ("coupling-not-regular", "3")),
        (lambda arm: arm.with_values(n1=0).gear_ratios(), ("coupling-not-regular", "1")),
        (lambda arm: arm.motor_torques([1, 2], efficiency=0.5), ("efficiency-without-rates",)),
        (lambda arm: arm.motor_torques([1, 2], [0, 0], 1.5), ("efficiency-wrong",)),
        (lambda arm: arm.motor_torques([1, 2, 3]), ("motors-of-another-size", "2")),
        (lambda arm: arm.joint_torques([1]), ("motors-of-another-size", "2")),
    ],
)
def test_motors_that_do_not_determine_the_joints_are_refused(call: Any, error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        call(qddot.load("belt_2r"))
