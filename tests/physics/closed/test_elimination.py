"""Sparse systems are solved by elimination without pivots, and have the determinant of the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import chain, driven

from qddot.algebra.numbers.floats import Floats
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.ports import STATE
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.algorithms.cramer import is_zero
from qddot.physics.algorithms.elimination import Elimination
from qddot.robot.symbol_values import all_values


def rods(rng: Any, count: int) -> Any:
    """Pairs of unknowns, each in three equations of its own, and `count` other unknowns that are in all equations."""
    A = np.zeros((3 * count, 3 * count))
    for k in range(count):
        A[3 * k : 3 * k + 3, 2 * k : 2 * k + 2] = rng.normal(size=(3, 2))
        A[3 * k : 3 * k + 3, 2 * count :] = rng.normal(size=(3, count))
    return A


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_system_of_rods_is_solved(count: int) -> None:
    rng = np.random.default_rng(count)
    A, b = rods(rng, count), rng.normal(size=3 * count)
    elimination = Elimination(A.tolist())
    assert A @ np.array(elimination.solved(b.tolist())) == pytest.approx(b, abs=1e-10)
    *_, (square, _) = elimination.regularities([1.0] * 3 * count)
    assert square == pytest.approx(np.linalg.det(A) ** 2)


def test_a_minor_may_vanish() -> None:
    """Elimination by pivots would divide by the first entry."""
    A = np.array([[0.0, 1, 0, 0], [0.0, 2, 1, 0], [3.0, 0, 1, 1], [1.0, 0, 0, 2]])
    solved = Elimination(A.tolist()).solved([1.0, 2.0, 3.0, 4.0])
    assert A @ np.array(solved) == pytest.approx([1, 2, 3, 4], abs=1e-14)


def test_a_singular_system_is_refused() -> None:
    with pytest.raises(ValueError, match="not square"):
        Elimination([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])


def test_the_rows_of_turned_legs_are_as_sparse_as_those_of_the_first() -> None:
    of = driven("delta_parallelograms", "x", "y", "z")
    arm = TracedArm.with_ports(of.system, STATE[:1], all_values(of.model))
    A = TracedChain(arm, of.system).A
    entries = [
        [not is_zero(row[k]) for row in A[6 * leg : 6 * leg + 6] for k in (leg, *range(3, 15))] for leg in range(3)
    ]
    assert [sum(each) for each in entries] == [14] * 3


def test_a_delta_with_parallelograms_moves_as_by_lagrange_multipliers() -> None:
    of = driven("delta_parallelograms", "x", "y", "z")
    names, rng, step = of.model.tree.coordinates, np.random.default_rng(1), 1e-6
    guess = {name: {"q": 0.3, "u": 1.9}.get(name[0], 0.0) for name in names}
    q = of.assemble({**guess, "x": 0.05, "y": -0.03, "z": -0.5}).q
    qd, tau = of.velocities(q, rng.normal(size=3)), rng.normal(size=of.n)
    A = of.closure(q)[1]
    slope = (of.closure(q + step * qd)[1] - of.closure(q - step * qd)[1]) / (2 * step)
    left = np.block([[of.tree.mass_matrix(q), -A.T], [A, np.zeros((18, 18))]])
    both = np.linalg.solve(left, np.concatenate([tau - of.tree.bias(q, qd), -slope @ qd]))
    qdd = of.forward_dynamics(q, qd, tau)
    assert np.abs(qdd - both[:21]).max() < 1e-7 * np.abs(qdd).max()
    assert of.multipliers(q, qd, qdd, tau) == pytest.approx(both[21:], rel=1e-6, abs=1e-6)


@pytest.mark.thorough
def test_coefficients_of_18_coordinates_are_defined_by_the_equations_that_they_solve() -> None:
    of = driven("delta_parallelograms", "x", "y", "z")
    certificate = of.prove()
    assert certificate and [identity.name for identity in certificate.identities][2] == "dM̄/dt − 2C̄ is skew"
    assert len(certificate.identities) == 5  # those that define the coefficients are not counted
    names, rng = of.model.tree.coordinates, np.random.default_rng(1)
    guess = {name: {"q": 0.3, "u": 1.9}.get(name[0], 0.0) for name in names}
    q = of.assemble({**guess, "x": 0.05, "y": -0.03, "z": -0.5}).q
    u = rng.normal(size=3)
    R = of.velocities(np.array([q] * 3), np.eye(3)).T
    qd = of.velocities(q, u)
    coefficients = of.equations().reduced.coefficients
    values: dict[str, Any] = dict(all_values(of.model))
    values |= {coefficients.names[k, j]: R[k, j] for k in coefficients.dependent for j in range(3)}
    # slopes by differences along the motions with one rate alone
    step = 1e-6
    for l in range(3):
        ends = [of.assemble(q + way * step * R[:, l]).q for way in (1, -1)]
        ahead, behind = (of.velocities(np.array([end] * 3), np.eye(3)).T for end in ends)
        slope = (ahead - behind) / (2 * step)
        values |= {coefficients.slopes[k, j, l]: slope[k, j] for k in coefficients.dependent for j in range(l + 1)}
    at = Floats(values, *(dict(zip(names, part, strict=True)) for part in (q, qd, 0 * q)))
    for slopes, error in ((False, 1e-12), (True, 1e-7)):  # the second by differences
        zeros = [each.evaluate(at) for each in coefficients.implied(slopes)]
        assert len(zeros) == 18 * (6 if slopes else 3) and np.abs(zeros).max() < error
    M = np.array([entry.evaluate(at) for entry in of.equations().M.entries]).reshape(3, 3)
    assert pytest.approx(of.mass_matrix(q), rel=1e-12) == M
    drift = of.accelerations(q, qd, 0 * u)
    holding = np.array([entry.evaluate(at) for name in ("h", "G") for entry in of.equations().array(name).entries])
    assert holding.reshape(2, 3).sum(0) == pytest.approx(of.inverse_dynamics(q, qd, drift), rel=1e-6)
    assert of.equations().text(["M"]).startswith("0 = ")


def test_a_delta_is_drawn_with_its_platform_level_and_below_its_motors() -> None:
    q = driven("delta_parallelograms", "x", "y", "z").some_assembly().q
    assert q[:3] == pytest.approx(q[0])
    assert q[3:15] == pytest.approx([*q[3:5]] * 6) and q[4] == pytest.approx(0, abs=1e-9)
    assert q[15:17] == pytest.approx(0, abs=1e-9) and q[17] < -0.5 and q[18:] == pytest.approx(0, abs=1e-9)


@pytest.mark.thorough
def test_the_platform_of_parallelograms_does_not_turn() -> None:
    of = driven("delta_parallelograms", "x", "y", "z")
    names = of.model.tree.coordinates
    q = of.assemble({**{name: {"q": 0.3, "u": 1.9}.get(name[0], 0.0) for name in names}, "x": 0.05, "z": -0.5}).q
    run = of.simulate(q, of.velocities(q, [0.4, 0.2, 0.1]), 0.5, 1e-3, method="rk4")
    at = np.asarray(run.q).reshape(-1, 21)  # at 0.268 s an arm hangs in line with its rods, and moves on
    assert not run.stops
    assert np.abs(at[:, 18:]).max() < 1e-11
    assert np.abs(of.closure(at)[0]).max() < 1e-12


def test_a_spatial_linkage_is_solved_as_before() -> None:
    of = chain("spatial")
    assert of.forward_dynamics([0.3, 0.8, 0.1, 0.2], [0.0] * 4, [1.0, 0, 0, 0]).shape == (4,)
