"""Quasi-velocities obey the laws of mechanics, and give the equations of Euler, a pendulum on a ball, a satellite.

ν of a ball is ω along the child's axes, of a free body (v, ω) along its own; positions are unit quaternions.
"""

from __future__ import annotations

from typing import Any

import pytest
from free_trees import TREES, UNITS, link, tree
from refusals import refusal

import qddot
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.numbers.polynomials.witness import witness
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.exact.equations.proofs import prove
from qddot.formats.toml import robot_file
from qddot.robot.joints.ball import Ball


@pytest.mark.parametrize("name", TREES)
def test_every_route_and_law_is_proved(name: str) -> None:
    certificate = TREES[name].prove()
    assert certificate, certificate
    assert certificate.routes == ("composite", "newton_euler", "energy")


def test_a_wrong_bracket_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Ball().brackets()
    wrong = {pair: tuple((k, -c) for k, c in terms) for pair, terms in right.items()}
    monkeypatch.setattr(Ball, "brackets", lambda kind: wrong)
    certificate = tree(link(1, "base", "spherical")).prove()
    false = {identity.name for identity in certificate.identities if identity.verdict == "false"}
    assert {"brackets of velocities", "newton_euler ≡ composite", "Newton–Euler ≡ Lagrange, symbolic q̈"} <= false


def test_a_free_body_has_eulers_equations() -> None:
    """f = m (v̇ + ω × v) and n = I ω̇ + ω × I ω along principal axes at the centre of mass."""
    data = {"name": "body", "joint": {"type": "free"}, "mass": "m"}
    tensor = {"about": "com", "xx": "A", "yy": "B", "zz": "C"}
    symbols: dict[str, Any] = {name: {} for name in "mABC"}
    arm = qddot.Robot(
        robot_file.from_mapping(
            {"convention": "tree", "symbols": symbols, "link": [{**data, "inertia": tensor}]}, "body"
        )
    )
    eq = arm.equations()
    m, g, A, B, C = _symbols(eq, *"mgABC")
    v, w = (Vec3(*(eq.quantities.ring.rate(f"{letter}_{axis}") for axis in "xyz")) for letter in ("v", "omega"))
    h = (*(w.cross(v) * m), *w.cross(Vec3(A * w.x, B * w.y, C * w.z)))
    assert all(not ours - theirs for ours, theirs in zip(eq.h.entries, h, strict=True))
    down = eq.quantities.dynamics.mechanism.links[0].X.R.T.apply(Vec3(0, 0, -g))
    assert all(not G + m * part for G, part in zip(eq.G.entries, (*down, 0, 0, 0), strict=True))


def _symbols(eq: Any, *names: str) -> tuple[Any, ...]:
    return tuple(eq.quantities.ring.symbol(name) for name in names)


def test_a_pendulum_on_a_ball_turns_as_eulers_equations_say() -> None:
    """I ω̇ + ω × I ω = r × m g along the body's axes, with I about the ball."""
    data = {"name": "bob", "joint": {"type": "spherical"}, "mass": "m", "com": [0, 0, "-l"]}
    tensor = {"about": "com", "xx": "J", "yy": "J", "zz": "K"}
    arm = qddot.Robot(
        robot_file.from_mapping(
            {"convention": "tree", "symbols": {name: {} for name in "mlJK"}, "link": [{**data, "inertia": tensor}]},
            "bob",
        )
    )
    eq = arm.equations()
    ring, link = eq.quantities.ring, eq.quantities.dynamics.mechanism.links[0]
    m, l, J, K, g = _symbols(eq, *"mlJKg")
    w = Vec3(*(ring.rate(f"omega_{axis}") for axis in "xyz"))
    I = Vec3(J + m * l * l, J + m * l * l, K)
    h = w.cross(Vec3(I.x * w.x, I.y * w.y, I.z * w.z))
    G = -Vec3(0, 0, -l).cross(link.X.R.T.apply(Vec3(0, 0, -g)) * m)
    assert all(not ours - theirs for ours, theirs in zip(eq.h.entries, h, strict=True))
    assert all(not ours - theirs for ours, theirs in zip(eq.G.entries, G, strict=True))


def test_a_satellite_keeps_its_momenta() -> None:
    """With p = M ν of the base, f = ṗ_v + ω × p_v and n = ṗ_ω + ω × p_ω + v × p_v: no torque of a joint is in them."""
    arm = TREES["a free body with two joints"]
    eq = qddot.Robot(robot_file.loads(arm.to_toml().replace('"-g"', "0"), "satellite")).equations()
    ring, mechanism = eq.quantities.ring, eq.quantities.dynamics.mechanism
    p = eq.quantities.dynamics.momentum()
    rates = [ring.time_derivative(entry) for entry in p]
    v, w = Vec3(*mechanism.qd[:3]), Vec3(*mechanism.qd[3:6])
    linear, angular = Vec3(*p[:3]), Vec3(*p[3:6])
    f = Vec3(*rates[:3]) + w.cross(linear)
    n = Vec3(*rates[3:6]) + w.cross(angular) + v.cross(linear)
    assert all(not ours - theirs for ours, theirs in zip(eq.tau.entries[:6], (*f, *n), strict=True))


def test_where_a_free_base_is_enters_by_gravity_alone() -> None:
    eq = TREES["a free body with two joints"].equations()
    assert not {name for array in (eq.M, eq.h, eq.K) for name in array.free_symbols} & set(_positions(eq)[:7])
    assert set(_positions(eq)[3:7]) <= eq.G.free_symbols


def _positions(eq: Any) -> tuple[str, ...]:
    return tuple(eq.model.positions)


def test_christoffel_symbols_are_those_of_rates_where_no_joint_turns_a_ball() -> None:
    """B has Γ_ijk + Γ_ikj, and h is B's and C2's, though Γ is not symmetric in its last indices."""
    eq = TREES["two joints and a ball"].equations()
    christoffel, B, C2, n = eq.christoffel, eq.B, eq.C2, eq.n
    assert any(christoffel[i, j, k] != christoffel[i, k, j] for i in range(n) for j in range(n) for k in range(j))
    rates = eq.quantities.dynamics.mechanism.qd
    pairs = [(j, k) for j in range(n) for k in range(j + 1, n)]
    for i in range(n):
        total: Any = 0
        for column, (j, k) in enumerate(pairs):
            total = total + B.entries[i * len(pairs) + column] * (rates[j] * rates[k])
        for j in range(n):
            total = total + C2.entries[i * n + j] * (rates[j] * rates[j])
        assert not eq.h.entries[i] - total


def test_a_route_that_needs_coordinates_says_so() -> None:
    arm = TREES["a free body"]
    for route in ("dh4x4", "com_jacobian", "screw"):
        with refusal(QddotError, "route-for-rates-only", route):
            _ = arm.equations(route).M
    with refusal(QddotError, "route-without-quasi-velocities", "dh4x4"):
        prove.prove(arm.equations().quantities, ["dh4x4"])


def test_routes_of_an_arm_that_is_too_long_for_their_proof_are_verified_modulo_primes() -> None:
    links = [{"name": "l0", "joint": {"type": "free"}, "mass": 1}]
    for k in range(1, 11):
        joint = {"type": "revolute", "axis": [k % 2, 1 - k % 2, 0]}
        links.append({"name": f"l{k}", "parent": f"l{k - 1}", "joint": joint, "mass": 1, "com": [0, 0, 1]})
    arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "long"))
    certificate = arm.prove(["newton_euler", "energy"])
    assert certificate and certificate.primes, certificate
    assert {"brackets of velocities", "energy ≡ composite"} <= {each.name for each in certificate.identities}


def test_base_parameters_of_a_free_tree() -> None:
    """All ten parameters of a free body count; a body on a ball joint adds its mass to its parent, at the centre."""
    assert TREES["a free body"].base_parameters().identifiable == [f"{name}1" for name in UNITS]
    ball = TREES["two joints and a ball"].base_parameters().formulas
    assert len(ball) == 17 and ball["mx2"] == "mx2 + a*m3" and ball["mz2"] == "mz2 + d*m3"
    assert {f"{name}3" for name in UNITS[1:]} <= set(ball)


def test_the_textbook_form_of_a_free_tree_is_exact_and_names_masses_and_moments() -> None:
    eq = TREES["a free body with two joints"].equations()
    short = eq.textbook()
    assert (str(short.M[0, 0]), str(short.constants["k1"].poly)) == ("M11 = k1", "m0 + m1 + m2")
    assert str(short.M[0, 4]) == "M15 = k2"  # a moment of masses
    for name in ("M", "h", "G", "christoffel"):
        assert short.array(name).exact == eq.quantities.array(name)


def test_a_witness_has_a_unit_quaternion() -> None:
    ring = TREES["a free body"].equations().quantities.ring
    x = ring.coordinate("e_x")
    assert isinstance(x, Polynomial)
    pair = witness(x * x - 2)
    assert pair is not None
    known = pair[0].values
    assert sum(known[name] ** 2 for name in ("e_w", "e_x", "e_y", "e_z")) == 1


def test_the_mass_of_all_that_is_carried_is_felt_at_a_ball_and_at_its_carrier() -> None:
    """Of a joint's own velocities each pair counts once: a free body's M is its inertia."""
    eq = TREES["a free body"].equations()
    body = eq.quantities.dynamics.mechanism.composite_inertias[0]
    rows = body.spatial_matrix()  # in the order (ω, v)
    order = [3, 4, 5, 0, 1, 2]
    M = eq.M
    assert all(
        not eq.quantities.ring.convert(rows[a][b]) - M[i, j].entries[0]
        for i, a in enumerate(order)
        for j, b in enumerate(order)
    )


def test_velocities_are_written_without_dots() -> None:
    eq = TREES["two joints and a ball"].equations()
    assert r"\omega_{x}" in eq.h.latex_equation()
    assert r"\dot{\omega}_{x}" in eq.tau.latex_equation()
    assert r"\dot{q}_{1}" in eq.h.latex_equation()
    assert "omega_x*omega_y" in eq.h.text()
    assert eq.h.diff("omega_x") and eq.tau.diff("omega_xd") == eq.M[:, 2]


def test_saved_equations_come_back(tmp_path: Any) -> None:
    eq = TREES["two joints and a ball"].equations()
    eq.save(tmp_path / "ball.json")
    again = qddot.EquationsOfMotion.load(tmp_path / "ball.json")
    assert again.tau == eq.tau and again.christoffel == eq.christoffel
