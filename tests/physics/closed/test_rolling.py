"""Wheels roll without slipping: reduced equations are proved, and have the formulas and motions of the literature."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from chains import chain

from qddot.exact.equations.closed import laws
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.printing.text import polynomial
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.closed_equations import ClosedEquations
from qddot.formats.toml import loop_tables

POSES = {
    "unicycle": [0.3, -0.2, 0.7, 0.4],
    "rolling_disc": [0.3, -0.2, 0.7, 0.25, 0.4],
    "cart": [0.1, 0.2, 0.5, 0.3, 0.9],
    "skate": [0.1, 0.2, 0.5],
}
PLANE = """
name = "{}"
convention = "tree"
gravity = [0.5, 0.2, -9.8]
[symbols]
b = 0.4
[[link]]
name = "along"
joint = {{ type = "prismatic", axis = [1, 0, 0], coordinate = "x" }}
[[link]]
name = "across"
parent = "along"
joint = {{ type = "prismatic", axis = [0, 1, 0], coordinate = "y" }}
[[link]]
name = "body"
parent = "across"
joint = {{ type = "revolute", axis = [0, 0, 1], coordinate = "theta" }}
mass = 3.0
com = [0.1, 0.02, 0.2]
inertia = {{ about = "com", xx = 0.05, yy = 0.06, zz = 0.07 }}
"""
WHEEL = """
[[link]]
name = "{name}"
parent = "body"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = [0, {side}, 0.1], coordinate = "{name}" }}
mass = 0.5
com = [0, 0, 0]
inertia = {{ about = "com", xx = 0.001, yy = 0.002, zz = 0.001 }}
[[rolling]]
wheel = "{name}"
contact = {{ link = "body", xyz = [0, {side}, 0] }}
"""
TEXTS = {
    "cart": PLANE.format("cart") + WHEEL.format(name="left", side='"b/2"') + WHEEL.format(name="right", side='"-b/2"'),
    "skate": PLANE.format("skate") + '[[rolling]]\nwheel = "body"\ncontact = { link = "body" }\ndirections = "y"\n',
}


@cache
def rolling(name: str) -> ClosedChain:
    return ClosedChain(loop_tables.loads(TEXTS[name], name)) if name in TEXTS else chain(name)


def lines(of: ClosedChain, name: str) -> list[str]:
    return [polynomial(entry) for entry in of.equations().array(name).entries]


@pytest.mark.parametrize("name", POSES)
def test_all_laws_are_proved(name: str) -> None:
    certificate = rolling(name).prove()
    assert certificate
    assert {identity.verdict for identity in certificate.identities} == {"proved"}


def test_the_unicycle_has_the_equations_of_textbooks() -> None:
    """With the centre of mass at a distance c ahead of the axle, c m r couples turning and driving."""
    of = rolling("unicycle")
    assert of.independent == ("theta", "phi")
    assert lines(of, "M") == ["c**2*m + I + Id", "0", "0", "r**2*m + r**2*mw + Iw"]
    assert lines(of, "h") == ["r*c*m*thetad*phid", "-r*c*m*thetad**2"]
    assert lines(of, "G") == ["0", "0"]


def test_two_wheels_of_a_cart_keep_three_of_four_conditions() -> None:
    of = rolling("cart")
    assert of.independent == ("left", "right")
    assert len(of.closure(POSES["cart"])[1]) == 4
    qd = of.velocities(POSES["cart"], [1.0, 2.0])
    forward, turning = 0.1 * (1 + 2) / 2, 0.1 * (2 - 1) / 0.4
    assert qd == pytest.approx([forward * np.cos(0.5), forward * np.sin(0.5), turning, 1, 2], abs=1e-15)


@pytest.mark.parametrize("name", POSES)
def test_accelerations_agree_with_lagrange_multipliers(name: str) -> None:
    of, rng, q, step = rolling(name), np.random.default_rng(2), np.array(POSES[name]), 1e-6
    for _ in range(5):
        u, tau = rng.normal(size=of.m), rng.normal(size=of.n)
        qd = of.velocities(q, u)
        A = of.closure(q)[1]
        assert np.abs(A @ qd).max() < 1e-14
        slope = (of.closure(q + step * qd)[1] - of.closure(q - step * qd)[1]) / (2 * step)
        left = np.block([[of.tree.mass_matrix(q), -A.T], [A, np.zeros((len(A), len(A)))]])
        right = np.concatenate([tau - of.tree.bias(q, qd), -slope @ qd])
        qdd = np.linalg.lstsq(left, right, rcond=1e-12)[0][: of.n]
        assert of.forward_dynamics(q, qd, tau) == pytest.approx(qdd, abs=1e-7)
        assert of.inverse_dynamics(q, qd, qdd) == pytest.approx(of.velocities(q, np.eye(of.m)) @ tau, abs=1e-7)


@pytest.mark.parametrize("name", POSES)
def test_derivatives_agree_with_differences(name: str) -> None:
    of, rng, q, step = rolling(name), np.random.default_rng(4), np.array(POSES[name]), 1e-6
    u, tau = rng.normal(size=of.m), rng.normal(size=of.n)
    own = [of.model.tree.coordinates.index(each) for each in of.independent]

    def u_rates(q: Any, u: Any) -> Any:
        return of.forward_dynamics(q, of.velocities(q, u), tau)[own]

    by_q, by_u, _ = of.forward_dynamics_derivatives(q, of.velocities(q, u), tau)
    for k, moved in enumerate(step * np.eye(of.n)):
        slope = (u_rates(q + moved, u) - u_rates(q - moved, u)) / (2 * step)
        assert slope == pytest.approx(by_q[:, k], abs=1e-6)
    for l, moved in enumerate(step * np.eye(of.m)):
        slope = (u_rates(q, u + moved) - u_rates(q, u - moved)) / (2 * step)
        assert slope == pytest.approx(by_u[:, l], abs=1e-6)


@pytest.mark.parametrize("name", POSES)
def test_derivatives_of_torques_agree_with_differences(name: str) -> None:
    of, rng, q, step = rolling(name), np.random.default_rng(8), np.array(POSES[name]), 1e-6
    u, ud = rng.normal(size=of.m), rng.normal(size=of.m)

    def torques(q: Any, u: Any) -> Any:
        qd = of.velocities(q, u)
        return of.inverse_dynamics(q, qd, of.accelerations(q, qd, ud))

    qd = of.velocities(q, u)
    by_q, by_u, M = of.inverse_dynamics_derivatives(q, qd, of.accelerations(q, qd, ud))
    for k, moved in enumerate(step * np.eye(of.n)):
        slope = (torques(q + moved, u) - torques(q - moved, u)) / (2 * step)
        assert slope == pytest.approx(by_q[:, k], abs=1e-6)
    for l, moved in enumerate(step * np.eye(of.m)):
        slope = (torques(q, u + moved) - torques(q, u - moved)) / (2 * step)
        assert slope == pytest.approx(by_u[:, l], abs=1e-6)
    assert pytest.approx(of.mass_matrix(q), abs=1e-14) == M


@pytest.mark.parametrize("method", ["rk4", "dop853", "taylor", "radau"])
def test_a_disc_rolls_without_slip_and_keeps_its_energy(method: str) -> None:
    of, q = rolling("rolling_disc"), POSES["rolling_disc"]
    run = of.simulate(q, of.velocities(q, [0.3, 0.1, 9.0]), 1.0, 1e-3, method=method)
    assert not run.stops
    at, qd = np.asarray(run.q), np.asarray(run.qd)
    assert np.abs(np.einsum("...ij,...j->...i", of.closure(at)[1], qd)).max() < 1e-12
    energy = np.asarray(run.arrays["K"]) + np.asarray(run.arrays["P"])
    assert np.ptp(energy) < 1e-7 * np.abs(energy).max()


@pytest.mark.parametrize(("part", "grows"), [(0.9, True), (1.1, False)])
def test_a_disc_is_stable_above_the_speed_of_the_literature(part: float, grows: bool) -> None:
    """Straight rolling is stable for ψ̇² > g/(3r). Source: Neĭmark, Fufaev, 1972, ch. 4, for a homogeneous disc."""
    of = rolling("rolling_disc")
    r, g = (of.model.tree.defaults()[name] for name in "rg")
    spin = np.sqrt(part * g / (3 * r))
    q = np.array([0, 0, 0, 1e-7, 0])
    lean = np.asarray(of.simulate(q, of.velocities(q, [0, 0, spin]), 12.0, 0.01).q).reshape(-1, 5)[:, 3]
    assert (np.abs(lean).max() > 1e-5) == grows


def test_a_disc_that_leans_rolls_in_a_circle() -> None:
    """A steady circle balances gravity: 6 ψ̇ φ̇ cos θ + 5 φ̇² sin θ cos θ + 4 (g/r) sin θ = 0, from M̄, h and Ḡ above."""
    of, theta, turn = rolling("rolling_disc"), 0.3, 1.5
    r, g = (of.model.tree.defaults()[name] for name in "rg")
    spin = -(5 * turn**2 * np.sin(theta) * np.cos(theta) + 4 * g / r * np.sin(theta)) / (6 * turn * np.cos(theta))
    q = np.array([0, 0, 0, theta, 0])
    run = of.simulate(q, of.velocities(q, [turn, 0, spin]), 2 * np.pi / turn, 2 * np.pi / turn / 500)
    at = np.asarray(run.q).reshape(-1, 5)
    assert np.abs(at[:, 3] - theta).max() < 1e-10
    centre = np.array([0, r * spin / turn])
    assert np.abs(np.linalg.norm(at[:, :2] - centre, axis=1) - abs(centre[1])).max() < 1e-9


def test_a_wrong_condition_of_a_wheel_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    eq = ReducedEquations(rolling("rolling_disc").model)
    proved = {each.name: each.verdict for each in ClosedEquations(eq).prove().identities}
    original = laws.closure.jacobian

    def wrong(*arguments: Any) -> list[list[Any]]:
        rows = original(*arguments)
        return [[*rows[0][:-1], -rows[0][-1]], *rows[1:]]

    monkeypatch.setattr(laws.closure, "jacobian", wrong)
    assert {each.name for each in ClosedEquations(eq).prove().identities if each.verdict != proved[each.name]} == {
        "A q̇ = 0"
    }


def test_every_place_in_the_plane_can_be_a_start() -> None:
    of = rolling("unicycle")
    assert of.assemble({"x": 0.3, "theta": 0.5}).q == pytest.approx([0.3, 0, 0.5, 0])
    assert of.assemble({"x": 0.3}).radius == 0
