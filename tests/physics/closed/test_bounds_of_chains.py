"""Proven bounds of closed chains hold in sampled configurations of the branch, and end where the branch does."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from chains import HEAD, chain, driven, link, loop, whipple
from commands import run
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.proof.bounds import forms
from qddot.proof.bounds.constants import bounds as bounds_of
from qddot.proof.bounds.exact_programs import EquationNodes
from qddot.proof.bounds.table import Bounds
from qddot.proof.bounds.tubes import OPERATIONS
from qddot.proof.bounds.walk import FormProgram

GAP = 0.02
SAMPLES = 300
ROUNDING = 1e-9  # of floats, and of configurations that Newton's method closes
MOTION = {"qd": 2, "qdd": 5}
REGIONS: dict[str, Mapping[str, Any]] = {
    "four_bar": {},
    "slider_crank": {},
    "five_bar": {"q1": (-0.85, -0.75), "q2": (-0.45, -0.35)},
    "delta": {"q1": (0.2, 0.6), "q2": (0.3, 0.7), "q3": (0.2, 0.7)},
    "unicycle": {},
    "rolling_disc": {"phi": (0, 0.5), "theta": (-0.8, 0.9)},
    "whipple": {"yaw": (0, 0), "lean": (-0.2, 0.3), "delta": (-0.3, 0.2)},
}
QUICK = ("four_bar", "slider_crank", "unicycle")
NAMES = [pytest.param(name, marks=[pytest.mark.thorough] * (name not in QUICK)) for name in REGIONS]


def named(name: str) -> ClosedChain:
    if name == "five_bar":
        return driven(name, "q1", "q2")  # one motor, and one joint that follows
    return whipple() if name == "whipple" else chain(name)


@cache
def bounded(name: str) -> Bounds:
    motion = {} if name == "whipple" else MOTION  # its torques take half a minute
    return named(name).bounds({**REGIONS[name], **motion}, GAP, 10.0 if name in QUICK else 25.0)


def followed(mechanism: ClosedChain, free: list[int], points: np.ndarray, steps: int = 200) -> np.ndarray:
    """Configurations with these free coordinates, by small steps of Newton's method from that of the chain."""
    start = mechanism._assembled(None).q
    q = np.tile(start, (len(points), 1))
    others = [k for k in range(q.shape[1]) if k not in free]
    for share in np.linspace(0, 1, steps + 1):
        q[:, free] = start[free] + share * (points - start[free])
        for _ in range(4):
            phi, A = mechanism.closure(q)
            if phi.shape[1]:
                moved = A[:, : phi.shape[1], others]
                q[:, others] -= (np.linalg.pinv(moved) @ phi[:, :, None])[:, :, 0]
    phi = mechanism.closure(q)[0]
    assert not phi.size or np.abs(phi).max() < 1e-10
    return q


def largest_seen(mechanism: ClosedChain, bounds: Bounds, count: int) -> dict[str, float]:
    """The largest, or least, value of each quantity in random states, by compiled functions."""
    random, region = np.random.default_rng(3), bounds.region
    free = [mechanism.tree.model.coordinates.index(name) for name in region.names]
    points = np.concatenate([random.uniform(region.low, region.high, (count, len(free))), [row.pose for row in bounds]])
    q = followed(mechanism, free, points)
    m = mechanism.m
    v, w = random.normal(size=(2, len(q), m))
    C = mechanism.coriolis_matrix(q, mechanism.velocities(q, v))
    sizes = np.linalg.norm(w, axis=1)
    M, G, rest = np.linalg.eigvalsh(mechanism.mass_matrix(q)), mechanism.gravity(q), np.zeros_like(q)
    seen = {
        "lambda_min": M[:, 0].min(),
        "lambda_max": M[:, -1].max(),
        "G": np.linalg.norm(G, axis=1).max(),
        "k_C": max(np.linalg.norm((C @ w[:, :, None])[:, :, 0], axis=1) / np.linalg.norm(v, axis=1) / sizes),
    }
    if mechanism.model.integrable:
        slopes = mechanism.inverse_dynamics_derivatives(q, rest, rest)[0]
        seen["dG"] = np.linalg.norm(slopes, 2, axis=(1, 2)).max()
    if region.rates is None or region.accelerations is None:
        return seen
    u = random.choice([-1.0, 0.0, 1.0, 0.5], size=(len(q), m)) * region.rates
    ud = np.sign(w) * region.accelerations
    qd = mechanism.velocities(q, u)
    tau = mechanism.inverse_dynamics(q, qd, mechanism.accelerations(q, qd, ud))
    for k, name in enumerate(mechanism.independent):
        seen |= {f"tau_{name}_max": tau[:, k].max(), f"tau_{name}_min": tau[:, k].min()}
    return seen


def broken(bounds: Bounds, seen: Mapping[str, float], share: float = 1.0) -> set[str]:
    """The names of the bounds that, multiplied by `share`, do not hold for what was seen."""
    signs = {row.name: -1.0 if row.least else 1.0 for row in bounds}
    return {
        row.name
        for row in bounds
        if signs[row.name] * (seen[row.name] - row.proven * share) > ROUNDING * max(1.0, abs(row.proven))
    }


@pytest.mark.parametrize("name", NAMES)
def test_no_state_on_the_branch_is_beyond_a_bound(name: str) -> None:
    """What was found is attained: its poses are among the states."""
    bounds = bounded(name)
    seen = largest_seen(named(name), bounds, SAMPLES)
    assert broken(bounds, seen) == set()
    attained = [row for row in bounds if row.name in ("lambda_min", "lambda_max", "G", "dG")]
    assert all(row.found == pytest.approx(seen[row.name], rel=1e-6, abs=ROUNDING) for row in attained)


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "unicycle", "rolling_disc"])
def test_the_symbols_whose_size_is_bounded_are_those_of_the_coriolis_matrix(name: str) -> None:
    """C̄_ij = Σ_k Γ̄_ijk u_k; with rolling wheels Γ̄ is not symmetric in j and k."""
    mechanism = chain(name)
    equations, q = EquationNodes(mechanism.system), mechanism._assembled(None).q + 0.0
    if not mechanism.model.loops:
        q = np.linspace(0.3, 0.9, len(q))
    program = FormProgram(equations.program({"C": equations.christoffel}), OPERATIONS)
    gamma = program.at(q[None, program.coordinates]).reshape((mechanism.m,) * 3)
    for k, u in enumerate(np.eye(mechanism.m)):
        C = mechanism.coriolis_matrix(q, mechanism.velocities(q, u))
        np.testing.assert_allclose(gamma[:, :, k], C, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_gaps_are_reached(name: str) -> None:
    bounds = bounded(name)
    assert bounds.definite
    reached = [row for row in bounds if row.name != "k_C" and (name in QUICK or not row.name.startswith("tau"))]
    assert all(row.gap <= GAP for row in reached), str(bounds)
    assert bounds["k_C"].gap < 1


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_bounds_made_smaller_are_broken(name: str) -> None:
    bounds = bounded(name)
    seen = largest_seen(named(name), bounds, SAMPLES)
    assert broken(bounds, seen, 0.96) >= {"lambda_max", "G", "dG", "k_C"}
    assert "lambda_min" in broken(bounds, seen, 1.04)


def of_four_bar(q1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M̄ and the height of the centres of mass, weighted, of the four-bar that ships, by trigonometry alone."""
    a, b, c, d, masses, inertias = 0.2, 0.5, 0.4, 0.45, (1.0, 2.0, 1.5), (0.004, 0.042, 0.02)

    def angles(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pin = a * np.exp(1j * q)
        across = d - pin
        turned = np.angle(across) - np.arccos((b**2 + abs(across) ** 2 - c**2) / (2 * b * abs(across)))
        return turned, np.angle(pin + b * np.exp(1j * turned) - d)

    def centres(q: np.ndarray) -> list[np.ndarray]:
        coupler, rocker = angles(q)
        return [
            a / 2 * np.exp(1j * q),
            a * np.exp(1j * q) + b / 2 * np.exp(1j * coupler),
            d + c / 2 * np.exp(1j * rocker),
        ]

    h = 1e-5
    turns = [
        np.ones_like(q1),
        *(np.angle(np.exp(1j * (y - x))) / (2 * h) for x, y in zip(angles(q1 - h), angles(q1 + h), strict=True)),
    ]
    moves = [abs(y - x) / (2 * h) for x, y in zip(centres(q1 - h), centres(q1 + h), strict=True)]
    M = sum(m * v**2 + I * w**2 for m, v, I, w in zip(masses, moves, inertias, turns, strict=True))
    return np.asarray(M), np.asarray(sum(m * p.imag for m, p in zip(masses, centres(q1), strict=True)))


def test_bounds_of_a_four_bar_are_those_of_its_closed_form() -> None:
    """Its branch has the coupler below the line from the crank to the rocker's foot."""
    bounds, q1 = bounded("four_bar"), np.linspace(-math.pi, math.pi, 20001)
    M, height = of_four_bar(q1)
    G = 9.81 * np.gradient(height, q1)[1:-1]
    for name, value in {"lambda_min": M.min(), "lambda_max": M.max(), "G": np.abs(G).max()}.items():
        assert bounds[name].found == pytest.approx(value, rel=1e-4)
        assert bounds[name].proven == pytest.approx(value, rel=GAP)


PARALLELOGRAM = "".join(
    (
        HEAD.format("parallelogram", '"q1", "q2", "q3"'),
        link("crank", "base", 'type = "revolute", coordinate = "q1"', 1.0, [0.1, 0, 0]),
        link("coupler", "crank", 'type = "revolute", xyz = [0.3, 0, 0], coordinate = "q2"', 2.0, [0.2, 0.05, 0]),
        link("rocker", "base", 'type = "revolute", xyz = [0.5, 0, 0], coordinate = "q3"', 1.5, [0.2, 0, 0]),
        loop("revolute", "coupler", [0.5, 0, 0], "rocker", [0.3, 0, 0]),
    )
)


def test_the_inertia_of_a_parallelogram_is_the_same_everywhere() -> None:
    """Its coupler only translates: M̄ = I₁ + m₁ c₁² + m₂ a² + I₃ + m₃ c₃²."""
    mechanism = ClosedChain(loop_tables.loads(PARALLELOGRAM, "parallelogram"), near={"q1": 1, "q2": -1, "q3": 1})
    near, region = mechanism.assemble({"q1": 1, "q2": -1, "q3": 1}), {"q1": (0.2, 2.9)}
    names = ("lambda_min", "lambda_max", "G")
    bounds = bounds_of(mechanism.system, region, 1e-4, 10.0, names, near)
    inertia = 0.04 + 1.0 * 0.1**2 + 2.0 * 0.3**2 + 0.04 + 1.5 * 0.2**2
    for name in ("lambda_min", "lambda_max"):
        assert bounds[name].proven == pytest.approx(inertia, rel=1e-4)
    q1, lever = np.linspace(0.2, 2.9, 10001), 1.0 * 0.1 + 2.0 * 0.3 + 1.5 * 0.2
    G = lever * np.abs(0.3 * np.sin(q1) + 9 * np.cos(q1)).max()
    assert bounds["G"].proven == pytest.approx(G, rel=1e-3)


def test_the_other_branch_has_bounds_of_its_own() -> None:
    own = followed(chain("four_bar"), [0], np.array([[1.0]]))[0]
    mode = max(chain("four_bar").assembly_modes({"q1": 1.0}), key=lambda each: np.abs(each.q - own).max())
    other = ClosedChain(chain("four_bar").model, near=mode.q)
    bounds = other.bounds(None, GAP)
    assert broken(bounds, largest_seen(other, bounds, 100)) == set()
    assert bounds["k_C"].proven == pytest.approx(bounded("four_bar")["k_C"].proven, rel=0.05)  # a mirror image


def dead_points() -> tuple[float, float]:
    """The rocker's angles at which crank and coupler are in line: triangles with the sides b ± a, c and d."""
    a, b, c, d = 0.2, 0.5, 0.4, 0.45
    first, second = (math.pi - math.acos((c**2 + d**2 - (b + s * a) ** 2) / (2 * c * d)) for s in (-1, 1))
    return first, second


def test_a_region_beyond_a_dead_point_is_refused_with_its_place() -> None:
    """If the rocker drives a four-bar, the crank does not follow where it is in line with the coupler."""
    mechanism = driven("four_bar", "q3")
    start = mechanism._assembled(None).q[2]
    sides = [np.sign(start) * each for each in sorted(dead_points())]
    low, high = min(sides), max(sides)
    assert low < start < high
    for region, end in (((low - 0.1, start), low), ((high + 0.1, high + 0.2), high)):  # in it, or on the way to it
        with refusal(EvaluationError, "branch-not-proved") as refused:
            mechanism.bounds({"q3": region})
        named_place = re.search(r"not proved to lead on at q3 = (\S+),", str(refused.value))
        assert named_place and float(named_place[1]) == pytest.approx(end, abs=1e-3)
    bounds = mechanism.bounds({"q3": (low + 0.05, high - 0.05)}, GAP)
    assert broken(bounds, largest_seen(mechanism, bounds, 100)) == set()
    assert all(row.gap <= GAP for row in bounds)


@pytest.mark.thorough
def test_torques_with_friction_in_joints_that_follow_are_within_their_bounds() -> None:
    """All joints of a five-bar have friction, so that each torque depends on the rates of both."""
    model = named("five_bar").model
    bodies = model.tree.bodies
    effects = (qddot.Viscous(0.3), qddot.Coulomb(0.2))
    rubbing = tuple(replace(each, joint=replace(each.joint, effects=effects)) for each in bodies if each.joint.moves)
    others = tuple(each for each in bodies if not each.joint.moves)
    model = replace(model, tree=replace(model.tree, bodies=(*others, *rubbing)))
    mechanism = ClosedChain(model, independent=("q1", "q2"))
    region = {"q1": (-0.9, -0.7), "q2": (-0.5, -0.3), "qd": 4, "qdd": 1}
    names = ("lambda_min", "lambda_max", *(f"tau_{name}_{side}" for name in ("q1", "q2") for side in ("min", "max")))
    bounds = bounds_of(mechanism.system, region, GAP, 10.0, names, mechanism._assembled(None))
    seen = largest_seen(mechanism, bounds, SAMPLES)
    assert broken(bounds, seen) == set()
    largest = max(abs(row.found) for row in bounds)
    assert all(abs(seen[row.name] - row.found) < 0.1 * largest for row in bounds)  # where random states come


def test_the_command_prints_bounds_of_a_chain(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "bounds", "slider_crank", "--region", "q1=0:90deg", "--gap", "0.05", "--json")
    assert code == 0 and not err
    data = json.loads(out)
    assert data["positive_definite"] and list(data["region"]) == ["q1"]
    code, out, err = run(capsys, "bounds", "slider_crank", "--region", "x=0:1")
    assert code == 2 and "the region has 'x'" in err


def test_a_bound_that_was_not_found_in_time_is_no_number_in_json() -> None:
    bounds = bounded("slider_crank")
    late = replace(bounds, rows=(replace(bounds.rows[0], proven=-math.inf),))
    row = json.loads(json.dumps(late.data(), allow_nan=False))["bounds"][0]
    assert row["proven"] is None and row["gap"] is None and "-inf" in str(late)


def test_a_quotient_of_forms_encloses_that_of_their_numbers() -> None:
    """Also where the divisor is negative; where it may be zero, it has no bounds."""
    random = np.random.default_rng(5)
    low = random.uniform(-3, 3, (400, 2))
    high = low + random.choice([1e-9, 0.1, 1.0], (400, 2))
    x, y = (forms.coordinate(k, low, high) for k in range(2))
    with np.errstate(all="ignore"):
        z = forms.divided(x, y)
    zero = (low[:, 1] <= 0) & (high[:, 1] >= 0)
    assert not np.isfinite(z.radius[zero]).any() and np.isfinite(z.radius[~zero]).all()
    for share in random.random((50, 2)):
        point = low + share * (high - low)
        value, line = point[:, 0] / point[:, 1], z.centre + z.slopes.T @ (2 * share - 1)
        assert (np.abs(value - line) <= z.radius + 1e-12)[~zero].all()
        assert ((z.low - 1e-12 <= value) & (value <= z.high + 1e-12))[~zero].all()


def test_bounds_tell_their_branch_and_take_another(capsys: pytest.CaptureFixture[str]) -> None:
    """The five-bar linkage has two assemblies at q1 = 2, q3 = 1, whose largest M differ by more than the bounds do."""
    mechanism, region = chain("five_bar"), {"q1": (1.99, 2.01), "q3": (0.99, 1.01)}
    modes = mechanism.assembly_modes({"q1": 2.0, "q3": 1.0})
    for mode in modes:
        bounds = mechanism.bounds(region, near=mode.q)
        assert bounds.branch == pytest.approx({"q2": mode.q[1], "q4": mode.q[3]}, abs=1e-9)
        largest = np.linalg.eigvalsh(mechanism.mass_matrix(mode.q)).max()
        assert largest <= bounds["lambda_max"].proven <= 1.1 * largest
    options = ("bounds", "five_bar", "--region", "q1=1.99:2.01,q3=0.99:1.01", "--seconds", "2")
    told = json.loads(run(capsys, *options, "--near", "q1=2,q3=1", "--json")[1])
    assert told["branch"] == pytest.approx({"q2": -1.106866302857398, "q4": 1.1727022637708673})  # of `closed --at`
    out = run(capsys, *options)[1]
    first = f"q2 = {modes[0].q[1]:.6g}, q4 = {modes[0].q[3] - math.tau:.6g}"  # a turn before that of the search
    assert f"on the branch of configurations with {first} in the middle" in out
    code, _, err = run(capsys, "bounds", "two_link", "--near", "q1=1")
    assert (code, "--near with two_link, which has no loops; expected a closed chain" in err) == (2, True)
    assert run(capsys, *options, "--near", "q7=1")[0] == 2
