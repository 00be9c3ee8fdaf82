"""The references of motions from natural states keep the laws of physics, agree, and judge runs by them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from flint import arb
from motion_of_many_digits import Motion
from tools import uses

import qddot

ROOT = Path(__file__).parents[2]
if os.name != "posix" or not (ROOT / "bench").is_dir():
    pytest.skip("the references are compiled, and are not shipped", allow_module_level=True)
sys.path.append(str(ROOT / "bench"))

from naturals import dry, verdict  # noqa: E402
from naturals.grid import SAMPLE, Scenario, still  # noqa: E402
from naturals.reference import referred  # noqa: E402
from naturals.system import System  # noqa: E402
from naturals.tree import tree_of  # noqa: E402

pytestmark = uses("gcc")
FALL = Scenario("two_link", "common", "rest", "none", 0.7)


@pytest.mark.parametrize("name", ["elbow_3r", "rp", "spherical_pendulum", "cart_pole"])
def test_both_hands_have_the_same_torques(name: str) -> None:
    model = qddot.load(name).model
    q, v, a = np.random.default_rng(1).uniform(-2, 2, (3, model.n))
    M, bias = tree_of(model).evaluated(q, v)
    exact = Motion(model).residual(*([arb(x) for x in part] for part in ([0.0], q, v, a)))
    assert np.abs(M @ a + bias - [float(x) for x in exact]).max() < 1e-12


@pytest.mark.parametrize("name", ["four_bar", "delta"])
def test_a_closed_reference_keeps_its_energy_and_its_loops(name: str) -> None:
    chain = qddot.load_closed_chain(name)
    system = System(chain.model, still)
    begun = system.settled(np.concatenate([chain.some_assembly().q, np.full(chain.n, 0.3)]))
    motion = referred(system, begun, np.linspace(0, 0.3, 7))
    assert motion is not None
    energies = [system.tree.energy(q, v) for q, v in zip(motion.q, motion.v, strict=True)]
    assert np.ptp(energies) < 1e-10
    assert np.abs(chain.closure(motion.q)[0]).max() < 1e-12


def test_a_rolling_reference_keeps_its_energy_and_does_not_slip() -> None:
    chain = qddot.load_closed_chain("rolling_disc")
    system = System(chain.model, still)
    begun = system.settled(np.array([0, 0, 0, 0.3, 0, 0, 0, 1.0, 0.2, 5.0]))
    motion = referred(system, begun, np.linspace(0, 0.3, 7))
    assert motion is not None
    energies = [system.tree.energy(q, v) for q, v in zip(motion.q, motion.v, strict=True)]
    assert np.ptp(energies) < 1e-10
    _, A = chain.closure(motion.q)
    assert np.abs(np.einsum("tij,tj->ti", A, motion.v)).max() < 1e-12


def test_dry_friction_brings_a_slider_to_rest_and_holds_it() -> None:
    model = qddot.load("slider").model  # 2.5 kg
    system = System(model, lambda t, q, v: np.array([0.5]))
    times = np.linspace(0, 10, 51)
    rows = dry.sampled(system, np.array([1.0]), np.array([0.0, 1.0]), times, 1e-12)
    rest = 2.5 / 0.5
    right = np.where(times < rest, times - times**2 / (2 * rest), rest / 2)
    assert np.abs(rows[:, 0] - right).max() < 1e-10


def test_a_run_of_a_slightly_other_arm_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict.judged(FALL, "dop853").outcome == "right"
    arm = qddot.load("two_link")
    q0, _ = verdict.grid.start("two_link", "common", "rest") or (None, None)

    def heavier(scenario: Scenario, method: str, step: float) -> object:
        return arm.with_values(m2=1.0001).simulate(q0, None, 0.7, SAMPLE, method, limits=False)

    monkeypatch.setattr(verdict, "simulated", heavier)
    judged = verdict.judged(FALL, "dop853")
    assert judged.outcome == "wrong" and judged.ratio > 10
