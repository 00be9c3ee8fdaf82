"""Bounds of torques hold for all rates within the limits, and what is found is the largest torque that there is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import differential_evolution

import qddot
from qddot.machine.compilers import kernels
from qddot.proof.bounds.table import Bounds
from qddot.proof.bounds.torques import MOST_CORNERS, Torque
from qddot.proof.bounds.walk import Enclosure

SPRUNG = """
name = "sprung"
convention = "dh"
gravity = [0, "-g", 0]
[symbols]
l = 1.0
g = 9.81
[[link]]
name = "a"
dh = { theta = "q1", d = 0, a = "l", alpha = 0 }
mass = 2
[link.joint]
damping = 0.3
coulomb = 0.2
armature = 0.1
spring = { stiffness = 5, rest = 0.5 }
limits = ["-90deg", "90deg"]
[[link]]
name = "b"
dh = { theta = "q2", d = 0, a = "l", alpha = 0 }
mass = 1
joint = { damping = 0.1, armature = 0.05 }
"""
REGIONS: dict[str, Mapping[str, Any]] = {
    "two_link": {"q1": ("0deg", "90deg"), "q2": ("0deg", "120deg"), "qd": 2, "qdd": 5},
    "elbow_3r": {"q2": ("-90deg", "90deg"), "qd": 2, "qdd": 5},
    "sprung": {"qd": 3, "qd1": 1, "qdd": 2},
    "rp": {"d2": (0, "1/2"), "qd1": 4, "dd2": 1, "qdd": 1},
}


def arm_of(name: str) -> qddot.Robot:
    return qddot.loads(SPRUNG) if name == "sprung" else qddot.load(name)


def evolved(arm: qddot.Robot, bounds: Bounds, joint: int, sign: float) -> float:
    """The largest value of `sign` times a torque that differential evolution finds in all states of the region."""
    region, n = bounds.region, arm.n
    assert region.rates is not None and region.accelerations is not None
    low = np.concatenate([region.low, -region.rates, -region.accelerations])
    high = np.concatenate([region.high, region.rates, region.accelerations])

    def value(x: np.ndarray) -> np.ndarray:
        return -sign * arm.inverse_dynamics(x[:n].T, x[n : 2 * n].T, x[2 * n :].T)[:, joint]

    box = list(zip(low, high, strict=True))
    best = differential_evolution(value, box, rng=3, vectorized=True, updating="deferred", maxiter=300, tol=1e-9)
    return float(-best.fun)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGIONS)
def test_what_is_found_is_no_less_than_what_differential_evolution_finds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Centripetal terms are largest or least at rest, and within the limits of the rates."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)
    arm = arm_of(name)
    bounds = arm.bounds(REGIONS[name])
    for joint, coordinate in enumerate(arm.model.coordinates):
        for side, sign in (("max", 1.0), ("min", -1.0)):
            row = bounds[f"tau_{coordinate}_{side}"]
            value = evolved(arm, bounds, joint, sign)
            assert sign * row.found >= value - 1e-4 * abs(value)
            assert sign * row.proven >= value - 1e-9 * abs(value)
            assert row.gap <= 0.01 and not row.note, str(row)


def test_a_bound_that_is_attained_at_rest_is_found_and_proved() -> None:
    """At q = (90°, 1.0994), at rest and with q̈ = (−5, −5), τ2 is its least in the region."""
    arm = arm_of("two_link")
    row = arm.bounds(REGIONS["two_link"])["tau_q2_min"]
    attained = arm.inverse_dynamics([np.pi / 2, 1.0994305], [0, 0], [-5, -5])[1]
    assert row.found == pytest.approx(attained, rel=1e-6)
    assert row.gap <= 0.01 and not row.note


def enclosure(of: Torque, rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> Enclosure:
    """One box of rates at one pose."""
    n = of.n
    centre = np.concatenate([rows, low + (high - low) / 2])[:, None]
    slopes = np.zeros((len(centre), n, 1))
    slopes[len(rows) + np.arange(n), np.arange(n), 0] = (high - low) / 2
    ends = np.concatenate([rows, low])[:, None], np.concatenate([rows, high])[:, None]
    return Enclosure(centre, slopes, np.zeros_like(centre), *ends, rates=n)


@given(st.integers(0, 10**6), st.integers(1, MOST_CORNERS + 2), st.sampled_from([1.0, 1e-3]), st.sampled_from([-1, 1]))
@settings(max_examples=60, deadline=None)
def test_no_rates_in_a_box_exceed_its_bound(seed: int, n: int, width: float, sign: int) -> None:
    """At one pose, in exact arithmetic; what is found is within the limits and below the bound of their whole box.

    Viscous friction is that of the joint alone, or, as in a closed chain, of all rates.
    """
    random = np.random.default_rng(seed)
    pairs = [(j, k) for j in range(n) for k in range(j, n)]
    joint = int(random.integers(n))
    rates, accelerations = random.uniform(0.1, 3, (2, n))
    pushed = list(range(n)) if random.random() < 0.5 and n > 1 else [joint]
    of = Torque(joint, rates, accelerations, float(sign), pushed)
    M, gamma, rest = random.normal(size=n), random.normal(size=len(pairs)), random.normal()
    viscous, dry = random.uniform(0 if len(pushed) == 1 else -1, 1, len(pushed)), random.uniform(0, 1)
    rows = np.array([*M, *gamma, rest, *viscous, dry])
    corners = of.box[0], of.box[1]
    low = random.uniform(corners[0], corners[1] - width * (corners[1] - corners[0]))
    high = np.minimum(low + width * (corners[1] - corners[0]), corners[1])
    bound = of.above(enclosure(of, rows, low, high))[0][0]
    whole = of.above(enclosure(of, rows, *corners))[0][0]

    def torque(v: np.ndarray) -> Fraction:
        held = sum(abs(Fraction(m)) * Fraction(a) for m, a in zip(M, accelerations, strict=True))
        square = sum(
            (1 if j == k else 2) * Fraction(g) * Fraction(v[j]) * Fraction(v[k])
            for g, (j, k) in zip(gamma, pairs, strict=True)
        )
        friction = sum(Fraction(c) * Fraction(v[j]) for c, j in zip(viscous, pushed, strict=True)) + Fraction(dry)
        return held + sign * (square + Fraction(rest)) + friction

    for share in [*random.choice([0.0, 0.5, 1.0], size=(15, n)), random.random(n)]:
        v = np.clip(low + share * (high - low), low, high)
        assert torque(v) <= Fraction(bound) <= Fraction(whole) + Fraction(1, 10**9)
        value = of.at(np.concatenate([rows, v])[:, None])[0]
        assert float(torque(v)) - 1e-9 <= value <= whole


@given(st.integers(0, 10**6), st.sampled_from([-1, 1]))
@settings(max_examples=30, deadline=None)
def test_the_best_rates_of_a_pose_are_found(seed: int, sign: int) -> None:
    """Against all rates in a fine grid of three joints' rates."""
    random = np.random.default_rng(seed)
    n, joint = 3, int(random.integers(3))
    rates, accelerations = random.uniform(0.1, 3, (2, n))
    of = Torque(joint, rates, accelerations, float(sign))
    pairs = [(j, k) for j in range(n) for k in range(j, n)]
    rows = np.concatenate([random.normal(size=n + len(pairs) + 1), random.uniform(0, 1, 2)])
    grid = np.array([*product(*(np.linspace(a, b, 21) for a, b in zip(*of.box, strict=True)))])
    pushed = np.array([(1 if j == k else 2) * grid[:, j] * grid[:, k] for j, k in pairs])
    values = sign * (rows[n : n + len(pairs)] @ pushed + rows[-3]) + rows[-2] * grid[:, joint] + rows[-1]
    held = np.abs(rows[:n]) @ accelerations
    starts = np.concatenate([np.tile(rows[:, None], len(grid)), grid.T])
    assert of.at(starts).max() >= (held + values).max() - 1e-9
