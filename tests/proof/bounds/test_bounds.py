"""Proven bounds hold: for random states, for random robots, and for exact values in 50 digits."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from robots import robots

import qddot
from qddot.algebra.numbers.balls import Balls, precise
from qddot.base.errors import EvaluationError
from qddot.exact.forms.abbreviate import Region as ShortRegion
from qddot.machine.compilers import kernels
from qddot.physics.of_model import dynamics_of
from qddot.proof.bounds import eigenvalues, forms
from qddot.proof.bounds.branch import largest
from qddot.proof.bounds.exact_programs import EquationNodes
from qddot.proof.bounds.fourier_walk import MOST_POINTS_OF_M, TrigonometricWalk, walked
from qddot.proof.bounds.quantities import Eigenvalue
from qddot.proof.bounds.region import region_of
from qddot.proof.bounds.table import Bounds
from qddot.proof.bounds.walk import ExactWalk

STATES = 20_000
MOTION = {"qd": 2, "qdd": 5}
LONG = ("puma560_akb", "franka_panda")  # their bounds take four seconds each
ARMS: dict[str, Mapping[str, Any]] = {
    "two_link": {},
    "spatial_2r": {"q2": ("-90deg", "45deg")},
    "elbow_3r": {},
    "rp": {"d2": (0, "1/2")},
    "cart_pole": {"x": (-1, 1)},
    "puma560_akb": {},
    "franka_panda": {},
}
ROUNDING = 1e-13  # of the floats to which the bounds are compared


@cache
def bounded(name: str) -> Bounds:
    gap, seconds = {"puma560_akb": (0.1, 5.0), "franka_panda": (0.02, 0.5)}.get(name, (0.02, 5.0))
    return qddot.load(name).bounds({**ARMS[name], **MOTION}, gap=gap, seconds=seconds)


def largest_seen(arm: qddot.Robot, bounds: Bounds, count: int) -> dict[str, float]:
    """The largest, or least, value of each quantity in random states of the region, and at the bound's own pose."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kernels, "compiler", kernels.blocks)  # the bounds are those of any code
        return _largest_seen(arm, bounds, count)


def _largest_seen(arm: qddot.Robot, bounds: Bounds, count: int) -> dict[str, float]:
    random, region = np.random.default_rng(7), bounds.region
    assert region.rates is not None and region.accelerations is not None
    poses = np.array([row.pose for row in bounds])
    q = np.concatenate([random.uniform(region.low, region.high, (count, arm.model.n)), poses])
    v, w = random.normal(size=(2, *q.shape))
    shares = random.choice([-1.0, 0.0, 1.0, 0.5], size=q.shape) * random.choice([1.0, 1.0, 0.7], size=q.shape)
    qd, qdd = shares * region.rates, np.sign(w) * region.accelerations
    rest = np.zeros_like(q)
    M = np.linalg.eigvalsh(arm.mass_matrix(q))
    G = arm.gravity(q)
    C = np.einsum("bij,bj->bi", arm.coriolis_matrix(q, v), w)
    tau = arm.inverse_dynamics(q, qd, qdd)
    some = slice(-3000, None)
    springs = arm.inverse_dynamics_derivatives(q[some], rest[some], rest[some])[0]
    springs = springs - _constant_stiffness(arm)
    seen = {
        "lambda_min": M[:, 0].min(),
        "lambda_max": M[:, -1].max(),
        "G": np.linalg.norm(G, axis=1).max(),
        "dG": np.linalg.norm(springs, 2, axis=(1, 2)).max(),
        "k_C": (np.linalg.norm(C, axis=1) / np.linalg.norm(v, axis=1) / np.linalg.norm(w, axis=1)).max(),
    }
    for k, name in enumerate(arm.model.coordinates):
        seen |= {f"tau_{name}_max": tau[:, k].max(), f"tau_{name}_min": tau[:, k].min()}
    return seen


def _constant_stiffness(arm: qddot.Robot) -> np.ndarray:
    """The springs' part of ∂τ/∂q."""
    effects = [(effect, k) for k, body in enumerate(arm.model.moving()) for effect in body.joint.effects]
    values = arm.model.defaults()
    stiffness = np.zeros((arm.model.n, arm.model.n))
    for effect, k in effects:
        if isinstance(effect, qddot.Spring):
            stiffness[k, k] += effect.stiffness.value(values)
    return stiffness


def broken(bounds: Bounds, seen: Mapping[str, float], share: float = 1.0) -> list[str]:
    """The names of the bounds that, multiplied by `share`, do not hold for what was seen."""
    names = []
    for row in bounds:
        is_least = row.name == "lambda_min" or row.name.endswith("_min")
        beyond = row.proven * share - seen[row.name] if is_least else seen[row.name] - row.proven * share
        if beyond > ROUNDING * max(1.0, abs(row.proven)):
            names.append(row.name)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in LONG)) for name in ARMS])
def test_random_states_are_within_every_bound(name: str) -> None:
    arm, bounds = qddot.load(name), bounded(name)
    assert broken(bounds, largest_seen(arm, bounds, STATES)) == []


@pytest.mark.parametrize("name", ["two_link", "elbow_3r"])
def test_bounds_made_smaller_are_broken(name: str) -> None:
    """States reach the bounds but for a gap of 2 %, so that bounds made smaller by 4 % do not hold."""
    arm, bounds = qddot.load(name), bounded(name)
    smaller = broken(bounds, largest_seen(arm, bounds, 1000), 0.96)
    assert set(smaller) >= {"lambda_max", "G", "dG"}
    assert "lambda_min" in broken(bounds, largest_seen(arm, bounds, 1000), 1.04)


@pytest.mark.parametrize("name", ["two_link", "elbow_3r", "spatial_2r", "rp"])
def test_gaps_are_reached_and_the_mass_matrix_is_proved_definite(name: str) -> None:
    bounds = bounded(name)
    assert bounds.definite
    assert all(row.gap <= 0.02 for row in bounds if row.name != "k_C"), str(bounds)
    assert bounds["k_C"].gap < 0.3


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(robots(largest=3))
def test_bounds_of_random_robots_hold(arm: qddot.Robot) -> None:
    box = dict.fromkeys(arm.model.coordinates, (-0.7, 2))
    bounds = arm.bounds({**box, **MOTION}, gap=0.1, seconds=0.5)
    assert broken(bounds, largest_seen(arm, bounds, 2000)) == []


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb", "rp"])
def test_enclosures_contain_exact_values(name: str) -> None:
    """M, G at a point inside boxes of all sizes, computed by another recursion over balls of 256 bits."""
    model = qddot.load(name).model
    n, random = model.n, np.random.default_rng(3)
    equations = EquationNodes(model)
    pairs = [(i, j) for i in range(n) for j in range(i + 1)]
    program = equations.program({"M": [equations.M[i][j] for i, j in pairs], "G": equations.gravity})
    walks = [ExactWalk(program), walked(program, MOST_POINTS_OF_M)]
    last = np.arange(n) >= n // 2
    for size in (1e-9, 1e-3, 0.1, 1.0, np.where(last, 6.0, 0.1), np.where(last, 6.0, 0.8)):
        q = random.uniform(-2, 2, n)
        with precise():
            symbols = {key: symbol.value.evaluate(Balls()) for key, symbol in model.symbols.items() if symbol.value}
            values = dict(zip(model.coordinates, map(Fraction, q.tolist()), strict=True))
            dynamics = dynamics_of(model, Balls(symbols, values, dict.fromkeys(values, 0), dict.fromkeys(values, 0)))
            M, G = dynamics.mass_matrix(), dynamics.gravity_torques()
        exact = [*(M[i][j] for i, j in pairs), *G]
        share = random.uniform(0, 1, n)
        for walk in walks:
            chosen = walk.coordinates
            low = (q - share * size)[chosen]
            high = np.maximum(q + (1 - share) * size, q)[chosen]
            entries = walk(low[None], high[None])
            middle, half = forms.halves(low, high)
            epsilon = (q[chosen] - middle) / half
            centre = entries.centre[:, 0] + entries.slopes[:, :, 0] @ epsilon
            reach = entries.radius[:, 0] + 1e-15 * (1 + np.abs(centre))  # of this test's own floats
            for k, value in enumerate(exact):
                number = float(value)
                assert abs(number - centre[k]) <= reach[k]
                assert entries.low[k, 0] <= number + 1e-15 * abs(number) and number <= entries.high[k, 0] + 1e-15


def test_a_trigonometric_sum_is_used_where_it_is_short() -> None:
    equations = EquationNodes(qddot.load("puma560_akb").model)
    assert isinstance(walked(equations.program({"G": equations.gravity})), TrigonometricWalk)
    sliding = EquationNodes(qddot.load("rp").model)
    assert isinstance(walked(sliding.program({"G": sliding.gravity})), ExactWalk)


@given(st.integers(0, 10**6), st.integers(1, 7), st.integers(0, 4))
def test_largest_eigenvalues_are_bounded(seed: int, n: int, coordinates: int) -> None:
    random = np.random.default_rng(seed)
    A, R = random.normal(size=(2, 1, n, n)) * 10.0 ** random.integers(-6, 6)
    slopes = random.normal(size=(1, coordinates, n, n)) * random.choice([0, 1e-8, 0.1, 1])
    A, R, slopes = A + A.transpose(0, 2, 1), np.abs(R + R.transpose(0, 2, 1)), slopes + slopes.transpose(0, 1, 3, 2)
    R = R * random.choice([0, 1e-9, 0.1])
    above, _ = eigenvalues.largest(A, slopes, R)
    for _ in range(5):
        signs = np.triu(random.choice([-1, 0.3, 1], size=(n, n)))
        signs = signs + np.triu(signs, 1).T
        inside = [
            mpmath.mpf(float(A[0, i, j])) + mpmath.mpf(float(signs[i, j])) * mpmath.mpf(float(R[0, i, j]))
            for i in range(n)
            for j in range(n)
        ]
        epsilon = [mpmath.mpf(float(x)) for x in random.choice([-1, 0.25, 1], size=coordinates)]
        with mpmath.workdps(50):
            matrix = mpmath.matrix(n, n)
            for i in range(n):
                for j in range(n):
                    turned = (x * mpmath.mpf(float(slopes[0, k, i, j])) for k, x in enumerate(epsilon))
                    matrix[i, j] = inside[n * i + j] + sum(turned)
            values = mpmath.eigsy(matrix, eigvals_only=True)
            assert max(values) <= mpmath.mpf(float(above[0]))


@given(st.integers(0, 10**6))
def test_eigenvalues_of_floats_are_bounded_closely(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 8))
    A = random.normal(size=(1, n, n))
    A = A + A.transpose(0, 2, 1)
    with mpmath.workdps(50):
        exact = max(mpmath.eigsy(mpmath.matrix(A[0].tolist()), eigvals_only=True))
        above = mpmath.mpf(float(eigenvalues.of_floats(A)[0]))
        assert exact <= above <= exact + 1e-11


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 4))
def test_lengths_are_bounded(seed: int, n: int, coordinates: int) -> None:
    random = np.random.default_rng(seed)
    a, r = random.normal(size=(2, 1, n))
    a = a * random.choice([0, 1, 1e5])
    slopes = random.normal(size=(1, coordinates, n)) * random.choice([0, 1e-7, 1])
    above = eigenvalues.length(a, slopes, np.abs(r))[0]
    for _ in range(20):
        epsilon, sign = random.choice([-1, 0.3, 1], size=coordinates), random.choice([-1, 0.5, 1], size=n)
        exact = [
            Fraction(a[0, i])
            + sum(Fraction(e) * Fraction(slopes[0, k, i]) for k, e in enumerate(epsilon))
            + Fraction(sign[i]) * abs(Fraction(r[0, i]))
            for i in range(n)
        ]
        assert sum(x * x for x in exact) <= Fraction(above) ** 2


def test_a_singular_pose_is_named() -> None:
    bounds = qddot.load("spherical_pendulum").bounds(seconds=1)
    assert not bounds.definite
    assert bounds.singular_at is not None and abs(np.sin(bounds.singular_at[0])) < 1e-5
    assert "M is singular, to the precision of floats, at q = (" in str(bounds)


def test_a_region_without_the_singular_pose_is_definite() -> None:
    bounds = qddot.load("spherical_pendulum").bounds({"theta": (0.5, 2.5)}, seconds=5)
    assert bounds.definite and bounds["lambda_min"].proven <= np.sin(0.5) ** 2


@pytest.mark.parametrize(
    ("name", "sign", "gap"), [("puma560_akb", 1, 0.02), ("puma560_akb", -1, 0.02), ("franka_panda", 1, 0.8)]
)
def test_few_boxes_bound_the_eigenvalues_of_arms_with_wrists(name: str, sign: float, gap: float) -> None:
    """Angles of the wrist hardly change M: few boxes are divided along them."""
    equations = EquationNodes(qddot.load(name).model)
    n = equations.model.n
    walk = walked(
        equations.program({"M": [equations.M[i][j] for i in range(n) for j in range(i + 1)]}), MOST_POINTS_OF_M
    )
    region = region_of(equations.model, None)
    low, high = region.low[walk.coordinates], region.high[walk.coordinates]
    best = largest(walk, Eigenvalue(n, sign), low, high, gap, math.inf)
    assert best.complete and best.boxes < 3000


def test_rates_beside_accelerations_have_their_limits_or_one() -> None:
    links = ('"revolute", velocity = 2.5, limits = [-1, "pi/4"]', '"continuous"')
    model = qddot.loads(
        'convention = "tree"\n' + "".join(f"[[link]]\njoint = {{ type = {each} }}\n" for each in links)
    ).model
    region, short = region_of(model, {"qdd": 1}), ShortRegion.of(model, None)
    assert region.rates is not None and region_of(model, None).rates is None
    assert region.rates.tolist() == pytest.approx([2.5, 1], rel=1e-15)
    assert [pair[1] for pair in short.qd.values()] == [2.5, 1]
    box = zip(region.low, region.high, strict=True)
    assert [*short.q.values()] == [pytest.approx(pair) for pair in box] == [(-1, math.pi / 4), (-math.pi, math.pi)]


def test_rows_that_stop_early_say_so() -> None:
    bounds = bounded("franka_panda")
    assert "time is up" in bounds["lambda_max"].note
    assert bounds["lambda_max"].proven > bounds["lambda_max"].found


@pytest.mark.parametrize(
    ("arm", "region", "message"),
    [
        ("rp", {}, "the joint of 'd2' slides and has no limits"),
        ("two_link", {"q9": (0, 1)}, "'q9'"),
        ("two_link", {"q1": (1, 0)}, "lower limit first"),
        ("two_link", {"q1": 1}, "a lower and an upper limit"),
        ("two_link", {"q1": (0, float("nan"))}, "nan"),
        ("two_link", {"q1": ("0", "k")}, "'k'"),
        ("two_link", {"qdd1": 2}, "no limit of qdd2"),
        ("two_link", {"qd": "fast"}, "fast"),
        ("two_link", [1], "a mapping"),
        ("quadrotor_arm", {}, "quasi-velocities"),
        ("puma560", {}, "no value for"),
    ],
)
def test_impossible_regions_are_refused(arm: str, region: Any, message: str) -> None:
    with pytest.raises(qddot.QddotError, match=message.replace("(", r"\(")):
        qddot.load(arm).bounds(region)


@pytest.mark.parametrize("chosen", [{"gap": 0}, {"gap": "small"}, {"seconds": -1}])
def test_impossible_gaps_and_times_are_refused(chosen: dict[str, Any]) -> None:
    with refusal(qddot.QddotError, "number-not-allowed", next(iter(chosen))):
        qddot.load("two_link").bounds(**chosen)


def test_limits_of_joints_are_the_region_rounded_outward() -> None:
    region = region_of(qddot.load("puma560_akb").model, None)
    with mpmath.workdps(50):
        assert mpmath.mpf(float(region.high[0])) >= 8 * mpmath.pi / 9
        assert mpmath.mpf(float(region.low[0])) <= -8 * mpmath.pi / 9
    assert region.high[0] == pytest.approx(np.deg2rad(160), rel=1e-15)


def test_the_command_prints_a_table_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "bounds", "two_link", "--region", "q2=-90deg:90deg", "--region", "qd=2", "--json")
    content = json.loads(out)
    assert code == 0
    assert content["positive_definite"] is True
    assert content["rates"] is not None and content["accelerations"] is None
    assert [row["name"] for row in content["bounds"]] == ["lambda_min", "lambda_max", "G", "dG", "k_C"]
    code, out, _ = run(capsys, "bounds", "two_link")
    assert code == 0
    assert "proved: M is positive definite in the whole region" in out and "λmax(M)" in out


@pytest.mark.parametrize("text", ["q1", "q1=", "=1:2", "q1=1:", "q1=2:1"])
def test_the_command_refuses_other_regions(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "bounds", "two_link", "--region", text)
    assert code == 2
    assert "region" in err


def test_gains_of_pd_with_desired_gravity_are_proved() -> None:
    """From far away, the arm comes to rest at the target; gains at the bound of ‖∂G/∂q‖ or below are refused."""
    arm = qddot.load("elbow_3r")
    slope = arm.bounds(gap=0.01)["dG"].proven
    law = qddot.laws.pd_desired_gravity(arm, [0.3, 0.5, -0.8], slope * 1.02, 12.0)
    run = arm.simulate([2.5, -3.0, 2.0], [3.0, -2.0, 4.0], duration=30, step=0.01, torque=law)
    assert np.abs(np.asarray(run.q)[-1] - [0.3, 0.5, -0.8]).max() < 1e-3
    for gains in ((slope * 0.98, 12.0), ([100, 100, slope * 0.9], 12.0), (slope * 1.1, 0.0), (100.0, [1, 0, 1])):
        with pytest.raises(qddot.QddotError, match="in a law that must reach the target from every state"):
            qddot.laws.pd_desired_gravity(arm, [0, 0, 0], *gains)


def test_no_gains_are_proved_for_an_arm_that_slides() -> None:
    with refusal(qddot.QddotError, "no-gains-proved", "'d2'", "joint-slides"):
        qddot.laws.pd_desired_gravity(qddot.load("rp"), [0, 0], 100.0, 10.0)


def test_a_size_below_zero_limits_nothing() -> None:
    """Of two numbers the larger size counts, so that (−2, 2) stays what a range of rates means."""
    arm = qddot.load("two_link")
    for name in ("qd", "qdd1"):
        with refusal(EvaluationError, "size-below-zero", "-2"):
            arm.bounds({name: -2})
    assert arm.bounds({"qd": (-2, 2)}, seconds=1).region.rates == pytest.approx([2, 2])
