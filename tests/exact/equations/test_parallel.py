"""Runs of parallel joints: equations in absolute angles equal those in the joints' own, and read as books do."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from robots_by_size import pendulum
from shipped import robot

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations.quantities import Quantities
from qddot.exact.printing.reading import readable
from qddot.exact.printing.text import Text
from qddot.physics.frames.parallel_joints import absolute_angles, parallel_joints
from qddot.physics.mechanism import Mechanism

WITH_RUNS = ("elbow_3r", "kinova_6dof", "puma560", "puma560_akb", "ur5")


def all_terms(array: qddot.ExactArray) -> int:
    return sum(map(len, array.entries))


def test_runs_of_parallel_joints_are_found() -> None:
    def runs(name: str) -> list[list[str]]:
        model = robot(name).model
        return [list(run) for run in absolute_angles(model, Mechanism.of(model, Ring.of(model)))]

    assert runs("two_link") == [["q1", "q12"]]
    assert runs("ur5") == [["q2", "q23", "q234"]]
    assert runs("kinova_6dof") == [["q2", "q2 - q3"]]
    assert runs("panda") == runs("spatial_2r") == []
    branching = robot("baxter").model
    assert parallel_joints(Mechanism.of(branching, Ring.of(branching))) == {}


def test_what_is_shorter_is_chosen() -> None:
    assert list(robot("two_link").equations().quantities.ring.turning) == ["q1", "q2"]
    assert list(robot("puma560").equations().quantities.ring.turning) == ["q1", "q2", "q23", "q4", "q5", "q6"]
    assert all_terms(robot("ur5").equations().christoffel) == 521
    assert all_terms(robot("puma560").equations().christoffel) == 10_399


@pytest.mark.parametrize("name", WITH_RUNS)
def test_both_kinds_of_angles_give_the_same_equations(name: str) -> None:
    eq = robot(name).equations()
    own = Quantities(eq.model, ring=Ring.of(eq.model))
    assert eq.quantities.ring is not own.ring
    for quantity in ("M", "christoffel", "G", "K", "P", "C", "h"):
        assert eq.array(quantity) == own.array(quantity), quantity
    assert eq.in_joint_angles.M.entries == tuple(eq.in_joint_angles.quantities.ring.convert(e) for e in own.M.entries)
    for ours, theirs in zip(eq.M.entries, own.M.entries, strict=True):
        assert len(readable(ours)) <= len(theirs)
        if len(readable(ours)) == len(theirs):
            assert Text().write(eq.M.written(ours)) == Text().write(own.M.written(theirs))


def test_equations_read_as_books_print_them() -> None:
    eq = robot("elbow_3r").equations()
    assert str(eq.M[2, 1]) == "M32 = m3*r2**2 + Ix3 + m3*l1*r2*c3"
    assert str(eq.G[1]) == "G2 = -m2*g*r1*c2 - m3*g*l1*c2 - m3*g*r2*c23"
    assert eq.G[2].latex() == "-m_{3} g r_{2} c_{23}"
    assert eq.G.angle_sums() == {"q23": "q2 + q3"} and eq.M[2].angle_sums() == {}
    apart = robot("kinova_6dof").equations().G[2].rounded(2)
    assert "sin(q2 - q3)" in str(apart)
    assert r"\sin(q_{2} - q_{3})" in apart.latex()


def test_names_are_those_of_joints() -> None:
    M = robot("elbow_3r").equations().M
    own = Quantities(robot("elbow_3r").model, ring=Ring.of(robot("elbow_3r").model)).M
    assert M.free_symbols == own.free_symbols >= {"q2", "q3"}
    for change in ({"q3": 0}, {"q2": "-q3 + 30deg"}, {"q3": "2*q1 - q2", "m2": 3}, {"q2": "q3", "q3": "q2"}):
        assert M.subs(change) == own.subs(change), change
    assert M.diff("q2") == own.diff("q2") != M.diff("q3")
    assert M.sympy().equals(own.sympy())


@pytest.mark.parametrize("flipped", [(), (2,), (1, 4, 5, 6)])
@pytest.mark.parametrize("n", [3, 7])
def test_long_runs_are_derived_in_absolute_rates(n: int, flipped: tuple[int, ...]) -> None:
    arm = pendulum(n, flipped)
    eq = arm.equations()
    assert (len(eq.quantities.ring.turning) > 6) == (n == 7)
    other = Quantities(arm.model, "newton_euler", eq.quantities.ring)
    assert (eq.M, eq.christoffel, eq.G) == (other.M, other.christoffel, other.G)
    planes = range(n)
    distinct = {id(eq.christoffel[i, j, k].entries[0]) for i, j, k in product(planes, repeat=3)}
    assert n == 3 or len(distinct) <= (2 if flipped else 1) * n * n
    random = np.random.default_rng(n)
    values = {name: float(value) for name, value in zip(arm.model.symbols, random.uniform(1, 2, 99), strict=False)}
    q = random.uniform(-3, 3, n)
    assert np.allclose(eq.at(q, **values)["M"], arm.mass_matrix(q, **values), rtol=1e-12)


def test_a_short_run_may_stand_beside_a_long_one() -> None:
    """Six joints in absolute angles and rates, then three across them in absolute angles alone."""
    body = {"mass": "m", "com": [0.1, 0, 0], "inertia": {"about": "com", "xx": 0.1, "yy": 0.1, "zz": 0.1}}
    rows = [{"theta": f"q{k}", "d": 0, "a": "a", "alpha": "90deg" if k == 6 else 0} for k in range(1, 10)]
    arm = qddot.from_dh(rows, [body] * 9, symbols={"m": 1.5, "a": 0.3})
    eq = arm.equations()
    assert {"q123456", "q789"} <= set(eq.quantities.ring.turning)
    q, qd = np.random.default_rng(1).uniform(-2, 2, (2, 9))
    at = eq.at(q)
    assert np.allclose(at["christoffel"] @ qd, arm.coriolis_matrix(q, qd), rtol=1e-10)  # 1e5 terms
    assert np.allclose(at["G"], arm.gravity(q), rtol=1e-10)


def test_a_long_pendulum_is_proved() -> None:
    assert pendulum(7, (3, 4)).prove()


def test_equations_in_absolute_angles_are_saved(tmp_path: Path) -> None:
    eq = robot("ur5").equations()
    eq.save(tmp_path / "ur5.json")
    assert qddot.EquationsOfMotion.load(tmp_path / "ur5.json").christoffel == eq.christoffel
