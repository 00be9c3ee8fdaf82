"""Runs pass singular configurations of loops on the branch along their velocity, or stop there and say so."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError, SimulationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.motion.simulate.stepping.crossing import Crossing
from qddot.physics.algorithms.loop_forces import Held, LoopForces

METHODS = ("rk4", "dop853", "taylor", "radau")
ROD = f"mass = 1\ncom = [0.5, 0, 0]\ninertia = {{ about = 'com', xx = 0, yy = {1 / 12}, zz = {1 / 12} }}\n"


@cache
def bars(count: int) -> ClosedChain:
    """Windows of rods of 1 m and 1 kg side by side, upright on the ground: all are in line twice in each turn.

    Source: González, Dopico, Luaces, Cuadrado, "A benchmarking system for MBS simulation software", Multibody System
    Dynamics 16, 2006.
    """
    text = 'name = "bars"\nconvention = "tree"\ngravity = [0, -9.81, 0]\n'
    for k in range(count + 1):
        joint = f'{{ type = "revolute", axis = [0, 0, 1], xyz = [{k}, 0, 0], coordinate = "a{k}" }}'
        text += f'[[link]]\nname = "upright{k}"\njoint = {joint}\n{ROD}'
    for k in range(count):
        joint = f'{{ type = "revolute", axis = [0, 0, 1], xyz = [1, 0, 0], coordinate = "b{k}" }}'
        text += f'[[link]]\nname = "bar{k}"\nparent = "upright{k}"\njoint = {joint}\n{ROD}'
        ends = (
            f'first = {{ link = "bar{k}", xyz = [1, 0, 0] }}\nsecond = {{ link = "upright{k + 1}", xyz = [1, 0, 0] }}'
        )
        text += f'[[loop]]\ntype = "revolute"\n{ends}\n'
    return ClosedChain(loop_tables.loads(text, "bars"))


def test_large_mechanisms_pass_as_small_ones_do() -> None:
    for size in (1e-3, 1e3):
        text = f'name = "large"\nconvention = "tree"\ngravity = [0, {-9.81 * size}, 0]\n'
        for name, parent, x in (("a", "base", 0.0), ("b", "base", size), ("c", "a", size)):
            joint = f'{{ type = "revolute", axis = [0, 0, 1], xyz = [{x}, 0, 0], coordinate = "{name}" }}'
            inertia = f'{{ about = "com", xx = 0, yy = {size**2 / 12}, zz = {size**2 / 12} }}'
            body = f"mass = 1\ncom = [{size / 2}, 0, 0]\ninertia = {inertia}\n"
            text += f'[[link]]\nname = "{name}"\nparent = "{parent}"\njoint = {joint}\n{body}'
        ends = f'first = {{ link = "c", xyz = [{size}, 0, 0] }}\nsecond = {{ link = "b", xyz = [{size}, 0, 0] }}'
        of = ClosedChain(loop_tables.loads(f'{text}[[loop]]\ntype = "revolute"\n{ends}\n', "large"))
        q = np.array([np.pi / 2, np.pi / 2, -np.pi / 2])
        run = of.simulate(q, of.velocities(q, [-1.0]), 1.0, 1e-2, method="taylor")
        same = bars(1).simulate(q, of.velocities(q, [-1.0]), 1.0, 1e-2, method="taylor")
        assert not run.stops
        assert run.q == pytest.approx(same.q[:, [0, 1, 2]], abs=1e-8)


def start(count: int, rate: float = -1.0) -> tuple[Any, Any]:
    q = np.array([np.pi / 2] * (count + 1) + [-np.pi / 2] * count)
    return q, bars(count).velocities(q, [rate])


def imbalance(run: Any) -> float:
    energy = np.asarray(run.arrays["K"] + run.arrays["P"])
    return float(np.abs(energy - energy[..., :1]).max())


@pytest.mark.parametrize("method", ["taylor", "rk4"])
def test_a_run_says_that_branches_met(method: str) -> None:
    run = bars(1).simulate(*start(1), duration=1.0, step=2e-3, method=method)
    (note,) = run.notes
    when = float(note.split("near t = ")[1].split()[0])
    assert "arm 0 are nearly singular, where branches may meet: the run goes on along its velocity" in note
    assert when == pytest.approx(run.time[np.argmax(run.q[:, 0] < 0)], abs=0.015)
    assert not bars(1).simulate(*start(1), duration=0.5, step=2e-3, method=method).notes


def test_samples_and_several_arms_pass_too() -> None:
    begun = [start(1, rate) for rate in (-1.0, -2.0)]
    q, qd = (np.array(part) for part in zip(*begun, strict=True))
    both = bars(1).simulate(q, qd, duration=1.0, step=2e-5, method="taylor")  # some samples lie within the passage
    for k in range(2):
        alone = bars(1).simulate(q[k], qd[k], duration=1.0, step=1e-2, method="taylor")
        assert np.asarray(both.arrays["q"])[k, ::500] == pytest.approx(alone.q, abs=1e-9)
    assert imbalance(both) < 1e-8
    assert not both.stops


def test_a_run_stops_where_the_motion_beyond_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crossing, "passage", lambda *_: None)
    run = bars(1).simulate(*start(1), duration=1.0, step=1e-2, method="taylor")
    (stop,) = run.stops
    assert stop.kind == "loops"
    assert "its loops are singular there" in str(stop)
    assert np.abs(np.sin(stop.q)).max() < 3e-3


def test_a_run_does_not_begin_in_a_singular_configuration() -> None:
    chain, q = bars(1), np.zeros(3)
    qd = np.array([1.0, 1.0, -1.0])
    with refusal(SimulationError, "arm-begins-singular", "0"):
        chain.simulate(q, qd)
    with refusal(EvaluationError, "undetermined-at-all"):
        chain.forward_dynamics(q, qd, 0 * q)


def test_a_run_that_begins_beside_a_singular_configuration_passes_it_later() -> None:
    """It comes back to where it began, and further."""
    q = np.array([1e-4, 1e-4, -1e-4])
    runs = [bars(1).simulate(q, [1, 1, -1], 0.5, 1e-3, method=method) for method in ("taylor", "rk4")]
    assert not any(run.stops for run in runs)
    assert runs[0].q[-1, 0] < -0.9
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-5)
    with refusal(SimulationError, "arm-begins-singular"):
        bars(1).simulate(q / 100, [1, 1, -1], 0.5, 1e-3)


def test_open_loops_are_told() -> None:
    """A step of a quarter of a second is too long for a delta: the sample after it is far from closed."""
    delta = qddot.load_closed_chain("delta")
    q = delta.some_assembly().q
    run = delta.simulate(q, delta.velocities(q, [2.0, 2, 2]), 2.0, 0.25, method="rk4", limits=False)
    assert any("the loops of arm 0 are open: take a shorter step" in note for note in run.notes)


def test_links_without_mass_need_none() -> None:
    """A rod without mass between two cranks: the tree's mass matrix is singular, and the motion is determined."""
    text = 'name = "light"\nconvention = "tree"\ngravity = [0, -9.81, 0]\n'
    for name, parent, x, own in (("crank", "", 0.0, ROD), ("rod", "crank", 0.4, ""), ("rocker", "", 1.0, ROD)):
        above = f'parent = "{parent}"\n' if parent else ""
        joint = f'{{ type = "revolute", axis = [0, 0, 1], xyz = [{x}, 0, 0], coordinate = "{name}" }}'
        text += f'[[link]]\nname = "{name}_link"\n{above.replace("crank", "crank_link")}joint = {joint}\n{own}'
    ends = 'first = { link = "rod_link", xyz = [0.9, 0, 0] }\nsecond = { link = "rocker_link", xyz = [0.8, 0, 0] }'
    light = ClosedChain(loop_tables.loads(f'{text}[[loop]]\ntype = "revolute"\n{ends}\n', "light"))
    q = light.assemble({"crank": 1.2, "rod": -0.5, "rocker": 1.4}).q
    runs = [light.simulate(q, 0 * q, duration=2.0, step=1e-3, method=method) for method in ("taylor", "rk4")]
    for run in runs:
        assert not run.stops and imbalance(run) < 1e-8
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-8)


def test_forces_and_accelerations_solve_both_equations() -> None:
    """The last row follows from those before; one coordinate has no inertia of its own."""
    rng = np.random.default_rng(1)
    half = rng.normal(size=(6, 6))
    M = half @ half.T
    M[0], M[:, 0] = 0.0, 0.0
    A = rng.normal(size=(4, 6))
    A[3] = 2 * A[0] - A[1]
    f, b = rng.normal(size=6), A @ rng.normal(size=6)
    x, forces = (np.array(part) for part in LoopForces(M.tolist(), A.tolist()).accelerations(f.tolist(), b.tolist()))
    assert A @ x == pytest.approx(b, abs=1e-10)
    assert M @ x == pytest.approx(f + A.T @ forces, abs=1e-9)


def test_the_least_step_is_found_with_redundant_rows() -> None:
    rng = np.random.default_rng(2)
    A = rng.normal(size=(3, 5))
    A = np.vstack([A, A[0] + A[2], np.zeros(5)])
    b = A @ rng.normal(size=5)
    held = Held(A.tolist())
    assert np.array(held.forces(held.multipliers(b.tolist()))) == pytest.approx(np.linalg.pinv(A) @ b, abs=1e-13)


def test_delta_through_where_its_arms_do_not_determine_the_platform() -> None:
    """Its motors' angles as independent coordinates are singular there, and the loops are not."""
    delta = qddot.load_closed_chain("delta")
    q = delta.some_assembly().q
    for method in METHODS:
        run = delta.simulate(q, 0 * q, duration=0.6, step=1e-3, method=method, limits=False)
        assert not run.stops
        assert imbalance(run) < 1e-6
