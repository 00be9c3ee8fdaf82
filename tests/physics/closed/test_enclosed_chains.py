"""Enclosed runs of closed chains hold every motion that begins with closed loops in their box, and keep its laws."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import GUESSES, HANGING, chain, driven, whipple
from flint import arb
from refusals import refusal
from test_over_constrained import CLOSE, CRANKS, model

import qddot
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.base.errors import SimulationError
from qddot.faces.closed_chain import ClosedChain
from qddot.motion.enclosing import loops
from qddot.physics.independent import of_loops

RADII = {"q": 1e-4, "qd": 1e-3}


def start(of: ClosedChain, rate: float = 0.7) -> tuple[Any, Any]:
    q = of.assemble(GUESSES[of.name]).q if of.name in GUESSES else of.neutral()
    return q, of.velocities(q, np.full(of.m, rate))


def over(of: ClosedChain, function: str, lower: Any, upper: Any) -> list[Any]:
    """The values of a function of the chain over boxes of (q, q̇), each a ball."""
    program = of.program(function)
    walk, results = Walk(program, column("ball"), arb), []
    for low, high in zip(lower, upper, strict=True):
        x = [arb(float(a)).union(arb(float(b))) for a, b in zip(low, high, strict=True)]
        n = len(of.model.tree.positions)
        values = walk([x[:n], x[n:]])
        results.append([arb(values[place]) for place in program.results])
    return results


def motions(of: ClosedChain, radii: Mapping[str, float], times: tuple[float, float], count: int) -> Any:
    """Runs from corners of the box, each with its own closed loops, in the layout of bounds, (count, time, …)."""
    (q, _), rng = start(of), np.random.default_rng(0)
    free = [of.model.tree.coordinates[k] for k in of_loops(of.model, of._choice).independent]
    runs = []
    for _ in range(count):
        near = {name: 0.999 * rng.choice([-1, 1]) * radius for name, radius in radii.items() if name not in RADII}
        changed = of.with_values(**{name: of.model.tree.defaults()[name] + step for name, step in near.items()})
        at = dict(zip(of.model.tree.positions, q, strict=True))
        at |= {name: at[name] + 0.999 * rng.choice([-1, 1]) * radii.get("q", 0) for name in free}
        closed = changed.assemble(at).q
        u = 0.7 + 0.999 * rng.choice([-1, 1], of.m) * radii.get("qd", 0)
        run = changed.simulate(closed, changed.velocities(closed, u), *times, ("taylor", 1e-14), limits=False)
        runs.append(np.concatenate([run.q, run.qd], axis=1))
    return np.array(runs)


CASES: list[Any] = [
    ("four_bar", RADII, (0.04, 0.02)),
    ("four_bar", {"a": 1e-4, "c": 1e-4, "m2": 1e-3}, (0.02, 0.01)),
    ("unicycle", RADII, (0.2, 0.1)),
    pytest.param("four_bar", RADII, (0.1, 0.05), marks=pytest.mark.thorough),
    pytest.param("delta", RADII, (0.05, 0.025), marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("name", "radii", "times"), CASES)
def test_bounds_hold_every_start_with_closed_loops_and_hardly_more(name: str, radii: Any, times: Any) -> None:
    """Corners of the free coordinates, rates, lengths and masses; the spread of the motions is most of the width."""
    of = chain(name)
    bounds = of.enclose(*start(of), *times, radius=radii)
    runs = motions(of, radii, times, 24 if radii is RADII else 8)
    assert not bounds.stops
    by = 1e-14  # the error of the runs
    assert (runs >= bounds.lower - by).all()
    assert (runs <= bounds.upper + by).all()
    assert (bounds.upper - bounds.lower <= 2 * np.ptp(runs, axis=0) + 1e-12).all()
    dependent = np.ptp(runs[:, 0], axis=0) > 0
    assert (bounds.upper - bounds.lower)[0][dependent] == pytest.approx(np.ptp(runs[:, 0], axis=0)[dependent], rel=0.5)


def test_the_loops_stay_closed_and_energy_is_conserved_within_the_bounds() -> None:
    of = chain("four_bar")
    run = of.enclose(*start(of), 0.06, 0.02, radius=1e-9)
    precise = of.simulate(*start(of), 0.06, 0.02, ("taylor", 1e-12))
    x = np.concatenate([precise.q, precise.qd], axis=1)
    assert ((run.lower <= x) & (x <= run.upper)).all()
    K, P = (over(of, name, run.lower, run.upper) for name in ("kinetic_energy", "potential_energy"))
    at = of.kinetic_energy(*start(of)) + of.potential_energy(start(of)[0])
    for k, p in zip(K, P, strict=True):
        assert (k[0] + p[0]).contains(arb(float(at)))
        assert (k[0] + p[0]).rad() < 1e-5
    rows = len(of.equations().phi)
    for values in over(of, "closure", run.lower, run.upper):
        assert all(entry.contains(0) and entry.rad() < 1e-6 for entry in values[:rows])


def test_a_start_without_a_radius_is_the_exact_configuration() -> None:
    of = chain("slider_crank")
    q, qd = start(of)
    run = of.enclose(q, qd, 0.02, 0.01)
    assert (run.upper - run.lower)[0].max() < 1e-15
    assert (run.upper - run.lower).max() < 1e-12
    precise = of.simulate(q, qd, 0.02, 0.01, ("taylor", 1e-14))
    assert np.abs(run.q - precise.q).max() < 1e-13


def test_a_unicycle_rolls_straight_within_its_bounds() -> None:
    """Without yaw the contact moves by r φ along the heading; all rates stay."""
    of = chain("unicycle")
    values = dict(zip(of.model.tree.positions, np.zeros(of.n), strict=True)) | {"theta": 0.4}
    q = np.array(list(values.values()))
    roll = np.array([2.0 * (name == "phi") for name in of.independent])
    qd = of.velocities(q, roll)
    run = of.enclose(q, qd, 0.25, 0.125)
    for k, t in enumerate(run.time):
        x = np.concatenate([q + qd * t, qd])
        assert (run.lower[k] <= x + 1e-15).all()
        assert (x - 1e-15 <= run.upper[k]).all()
    assert (run.upper - run.lower).max() < 1e-12


@pytest.mark.thorough
def test_a_bicycle_rolls_straight_within_its_bounds() -> None:
    """Upright and without steering, all rates stay: neither lean nor steer begin, and no wheel is driven or braked."""
    of = whipple()
    q = of.assemble({"lean": 0.0, "delta": 0.0}).q
    rates = np.array([3.0 * (name == "spin_r") for name in of.independent])
    qd = of.velocities(q, rates)
    run = of.enclose(q, qd, 0.01, 0.005)
    assert run.qd == pytest.approx(np.tile(qd, (3, 1)), abs=1e-9)
    precise = of.simulate(q, qd, 0.01, 0.005, ("taylor", 1e-14))
    x = np.concatenate([precise.q, precise.qd], axis=1)
    assert ((run.lower - 1e-13 <= x) & (x <= run.upper + 1e-13)).all()
    assert (run.upper - run.lower).max() < 1e-10


@pytest.mark.thorough
def test_bounds_hold_motions_of_balls_and_free_bodies_in_loops(tmp_path: Path) -> None:
    file = tmp_path / "hanging.xml"
    file.write_text(HANGING)
    of = qddot.load_closed_chain(str(file))
    q = of.neutral()
    qd = of.velocities(q, np.full(of.m, 0.5))
    run = of.enclose(q, qd, 0.01, 0.005, radius=1e-6)
    precise = of.simulate(q, qd, 0.01, 0.005, ("taylor", 1e-14))
    x = np.concatenate([precise.q, precise.qd], axis=1)
    assert ((run.lower <= x) & (x <= run.upper)).all()
    assert (run.upper - run.lower).max() < 1e-4


def test_laws_forces_damping_and_the_ledger_are_enclosed() -> None:
    of = chain("slider_crank")
    q, qd = start(of)
    law = lambda t, q, qd: [0.3 * qddot.sin(4 * t) - 0.1 * qd[0], 0, 0]  # noqa: E731
    push = qddot.forces.SpringDamper(of.model.tree.bodies[-1].name, (0.1, 0, 0), 5.0, 0.5)
    more: dict[str, Any] = {"torque": law, "forces": push, "damping": 0.02}
    run = of.enclose(q, qd, 0.04, 0.02, **more)
    precise = of.simulate(q, qd, 0.04, 0.02, ("taylor", 1e-14), limits=False, **more)
    assert np.abs(run.qd - precise.qd).max() < 1e-12
    assert run.energy.check()
    assert np.abs(run.energy.work - precise.energy.work).max() < 1e-12


def test_an_over_constrained_chain_has_bounds_and_no_uncertain_lengths() -> None:
    of = ClosedChain(model("bennett"), near=CLOSE["bennett"])
    q = of.assemble(CLOSE["bennett"]).q
    qd = of.velocities(q, [0.5])
    run = of.enclose(q, qd, 0.02, 0.01, radius=1e-7)
    precise = of.simulate(q, qd, 0.02, 0.01, ("taylor", 1e-14))
    x = np.concatenate([precise.q, precise.qd], axis=1)
    assert ((run.lower <= x) & (x <= run.upper)).all()
    symbols = CRANKS.replace("\n[[link]]", "\n[symbols]\nL = { value = 0.5 }\n\n[[link]]", 1)
    long = ClosedChain(model("cranks", symbols.replace("xyz = [0.5, 0, 0], rpy", 'xyz = ["L", 0, 0], rpy')))
    q = long.assemble(CLOSE["cranks"]).q
    with refusal(SimulationError, "radius-in-over-constrained-loops", "L"):
        long.enclose(q, 0 * q, 0.1, 0.1, radius={"L": 1e-6})


def test_what_has_no_enclosure_is_refused() -> None:
    of = chain("four_bar")
    q, qd = start(of)
    with refusal(SimulationError, "loops-not-proved-within-radius"):
        of.enclose(q, qd, 0.1, 0.1, radius=2.0)
    with refusal(SimulationError, "start-opens-the-loops"):
        of.enclose(q + 0.01, qd, 0.1, 0.1)
    along, crank = driven("slider_crank", "x"), chain("slider_crank")
    dead = crank.assemble({"q1": 0.0, "q2": 0.0, "x": 0.3}).q
    with refusal(SimulationError, "start-not-determined"):
        along.enclose(dead, 0 * dead, 0.1, 0.1)
    with refusal(SimulationError, "no-radius"):
        of.enclose(q, qd, 0.1, 0.1, radius={"length": 1.0})
    with refusal(SimulationError, "arms-in-an-enclosed-run"):
        of.enclose([q, q], [qd, qd], 0.1, 0.1)
    with refusal(SimulationError, "enclosed-run-not-smooth", "sign"):
        of.enclose(q, qd, 0.1, 0.1, torque=lambda t, q, qd: [qddot.sign(qd[0]), 0, 0])


@pytest.mark.parametrize("fault", ["dependent coordinates", "dependent rates"])
def test_starts_that_forget_what_follows_are_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = loops.Starts.set

    def planted(self: Any, *of: Any) -> Any:
        here, positions = whole(self, *of), 3
        first = 1 if fault == "dependent coordinates" else positions + 1
        for row in (first, first + 1):
            for k in range(len(here.r0)):
                here.C[row, k] = 0
        return here

    monkeypatch.setattr(loops.Starts, "set", planted)
    of = chain("four_bar")
    bounds, runs = of.enclose(*start(of), 0.02, 0.01, radius=RADII), motions(of, RADII, (0.02, 0.01), 4)
    assert not ((runs >= bounds.lower) & (runs <= bounds.upper)).all()
