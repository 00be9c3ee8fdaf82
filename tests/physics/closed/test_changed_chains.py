"""Payloads, locked joints, other bases, tools and motors are the same physics on other links; the loops stay."""

from __future__ import annotations

import numpy as np
import pytest
from chains import assembled, chain, whipple
from refusals import refusal

from qddot.base.errors import ModelError, QddotError


def test_a_payload_on_the_platform_adds_its_energy() -> None:
    """K grows by ½ m |ṗ|², and P by m g z: M̄ by m Jᵀ J, Ḡ by m g ∂z/∂u, where x, y, z are coordinates."""
    delta, q = chain("delta"), assembled("delta").q
    loaded = delta.with_payload(2.0, body="platform")
    assert loaded.model.loops == delta.model.loops and loaded.independent == delta.independent
    J = np.array([delta.velocities(q, u)[3:] for u in np.eye(3)]).T
    np.testing.assert_allclose(loaded.mass_matrix(q) - delta.mass_matrix(q), 2 * J.T @ J, atol=1e-12)
    np.testing.assert_allclose(loaded.gravity(q) - delta.gravity(q), 2 * 9.81 * J[2], atol=1e-11)


@pytest.mark.parametrize("held", ["q1", "q3"])
def test_a_held_motor_leaves_the_rows_of_the_others(held: str) -> None:
    delta, q = chain("delta"), assembled("delta").q
    k = delta.independent.index(held)
    locked = delta.with_locked(**{held: repr(float(q[k]))})
    left, rest = [i for i in range(3) if i != k], np.delete(q, k)
    assert locked.m == 2 and locked.independent == tuple(np.delete(delta.independent, k))
    assert np.abs(locked.closure(rest)[0]).max() < 1e-12
    u = np.random.default_rng(1).normal(size=3) * (np.arange(3) != k)
    qd = delta.velocities(q, u)
    np.testing.assert_allclose(locked.velocities(rest, u[left]), np.delete(qd, k), atol=1e-12)
    np.testing.assert_allclose(locked.mass_matrix(rest), delta.mass_matrix(q)[np.ix_(left, left)], atol=1e-12)
    np.testing.assert_allclose(locked.bias(rest, np.delete(qd, k)), delta.bias(q, qd)[left], atol=1e-11)


def test_a_held_dependent_joint_lets_others_be_chosen() -> None:
    delta, q = chain("delta"), assembled("delta").q
    locked = delta.with_locked(x=repr(float(q[3])))
    assert (locked.m, locked.n) == (2, 5)
    rest = np.delete(q, 3)
    qd = np.insert(locked.velocities(rest, [0.3, -0.2]), 3, 0.0)
    assert np.abs(delta.closure(q)[1] @ qd).max() < 1e-12


def test_a_bicycle_whose_fork_is_held_rides_a_circle() -> None:
    bicycle = whipple()
    straight = bicycle.with_locked(delta=0)
    assert straight.m == 2 and set(straight.model.tree.coordinates) == set(bicycle.model.tree.coordinates) - {"delta"}
    q = bicycle.assemble({"lean": 0.1}).q
    k = list(bicycle.model.tree.coordinates).index("delta")
    places = [list(bicycle.independent).index(name) for name in straight.independent]
    M = bicycle.mass_matrix(q)[np.ix_(places, places)]
    np.testing.assert_allclose(straight.mass_matrix(np.delete(q, k)), M, atol=1e-11)


@pytest.mark.parametrize("held", [{"q1": 1.0}, {"q2": -0.4}, {"q1": 1, "q3": 1}])
def test_a_structure_does_not_move(held: dict[str, float]) -> None:
    names = ", ".join(held)
    with refusal(ModelError, "held-coordinates", "four_bar", names):
        chain("four_bar").with_locked(**held)


def test_a_linkage_on_the_ceiling_feels_gravity_from_the_other_side() -> None:
    bars, q = chain("four_bar"), assembled("four_bar").q
    hung = bars.with_base((0, 0, 2), ("180deg", 0, 0))
    np.testing.assert_allclose(hung.gravity(q), -bars.gravity(q), atol=1e-12)
    np.testing.assert_allclose(hung.mass_matrix(q), bars.mass_matrix(q), atol=1e-12)
    np.testing.assert_allclose(hung.closure(q)[0], 0, atol=1e-12)


def test_a_bicycle_on_a_slope_is_pulled_along_it() -> None:
    """The ground turns about y with the bicycle, whose weight then does work as it rolls ahead."""
    bicycle = whipple()
    uphill, q = bicycle.with_base(rpy=(0, "10deg", 0)), bicycle.assemble({}).q
    np.testing.assert_allclose(uphill.mass_matrix(q), bicycle.mass_matrix(q), atol=1e-11)
    spin, x = bicycle.independent.index("spin_r"), bicycle.model.tree.coordinates.index("x")
    ahead = bicycle.velocities(q, np.eye(3)[spin])[x]
    weight = (2 + 85 + 4 + 3) * 9.81
    assert bicycle.gravity(q)[spin] == pytest.approx(0, abs=1e-11)
    assert uphill.gravity(q)[spin] == pytest.approx(weight * np.sin(np.radians(10)) * ahead, rel=1e-9)


def test_a_tool_and_motors_are_placed_as_on_arms() -> None:
    delta, q = chain("delta"), assembled("delta").q
    tooled = delta.with_tool((0, 0, -0.1), body="platform")
    np.testing.assert_allclose(tooled.forward_kinematics(q, "tool")[:3, 3], q[3:] - [0, 0, 0.1], atol=1e-12)
    assert delta.with_driven("q2").model.tree.driven == ("q2",)
    with refusal(QddotError, "driven-unknown"):
        delta.with_driven("q9")


def test_a_linkage_on_a_free_base_has_six_freedoms_more() -> None:
    bars = chain("four_bar").free(mass=3, inertia=(1, 0, 0, 1, 0, 1))
    assert bars.m == 7
    q = np.concatenate(([0.1, 0.2, 0.3], [1.0, 0, 0, 0], assembled("four_bar").q))
    assert np.abs(bars.closure(q)[0]).max() < 1e-12
    masses = [bars.model.tree.defaults()[name] for name in ("m1", "m2", "m3")]
    np.testing.assert_allclose(np.diag(bars.mass_matrix(q))[:3], 3 + sum(masses))


def test_a_changed_chain_has_the_values_and_the_file_of_any_other() -> None:
    loaded = chain("four_bar").with_payload("mp", symbols={"mp": 0.3}, body="coupler")
    assert loaded.with_values(mp=0.5).model.tree.defaults()["mp"] == 0.5
    from qddot.formats.toml import loop_tables

    assert loop_tables.loads(loaded.to_toml(), "loaded") == loaded.model
