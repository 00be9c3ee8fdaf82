"""Sweeps of arms with quaternions: their runs are those of simulations, and each number has its own name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from short_sweeps import sweep

import qddot
from qddot import reductions

SATELLITE = qddot.load("two_link").free(mass=5, inertia=(0.8, 0, 0, 0.7, 0, 0.9)).with_values(g=0, m1=1, l=1)
ATTITUDE = [qddot.normal(0, 1)] * 4  # every attitude is equally likely
START = [0, 0, 0, *ATTITUDE, 0.3, qddot.uniform(-1, 1)]
RATES = [0, 0, 0, 0.2, qddot.normal(0, 0.3), 0.1, 1, -1]
SHORT: dict[str, Any] = {"duration": 0.5, "step": 0.01, "draws": 60, "chunk": 16, "m2": qddot.uniform(1, 3)}
EVERY = qddot.Options(record_every=1)
OWN = {"least_w": reductions.smallest(lambda t, q, qd: q[3]), "spun": reductions.mean(lambda t, q, qd: qd[4])}
ALL = ["final", "extremes", "energy", "whole", "end_point", *OWN.items()]
CLOSE: Any = {"rtol": 1e-9, "atol": 1e-11}  # the same steps, in another order of operations


@pytest.fixture(scope="module")
def both() -> tuple[Any, qddot.Run]:
    """A sweep, and the simulation of the same arms."""
    swept = sweep(SATELLITE, START, RATES, reduce=ALL, damping=0.1, options=EVERY, **SHORT)
    attitude = np.stack([swept[f"value_q0_e_{axis}"] for axis in "wxyz"], axis=1)
    attitude /= np.sqrt(np.square(attitude).sum(1, keepdims=True))
    q0 = np.concatenate([np.zeros((60, 3)), attitude, np.full((60, 1), 0.3), swept.value_q0_q2.values[:, None]], axis=1)
    qd0 = np.tile(np.array([0, 0, 0, 0.2, 0, 0.1, 1, -1]), (60, 1))
    qd0[:, 4] = swept.value_qd0_omega_y
    run = SATELLITE.simulate(q0, qd0, 0.5, 0.01, "rk4", damping=0.1, m2=swept.value_m2.values)
    return swept, run


def test_drawn_attitudes_have_norm_one(both: tuple[Any, qddot.Run]) -> None:
    swept, _ = both
    drawn = np.stack([swept[f"value_q0_e_{axis}"] for axis in "wxyz"], axis=1)
    unit = drawn / np.sqrt(np.square(drawn).sum(1, keepdims=True))
    np.testing.assert_allclose(swept.q[:, 0, 3:7], unit, rtol=1e-15)
    assert np.std(drawn) > 0.5


def test_runs_are_those_of_the_simulation(both: tuple[Any, qddot.Run]) -> None:
    swept, run = both
    for name, values in (("q", run.q), ("qd", run.qd)):
        np.testing.assert_array_equal(swept[name], values)
        np.testing.assert_allclose(swept[f"{name}_final"], values[:, -1], **CLOSE)
        np.testing.assert_allclose(swept[f"{name}_min"], values.min(1), **CLOSE)
        np.testing.assert_allclose(swept[f"{name}_max"], values.max(1), **CLOSE)
    np.testing.assert_allclose(swept.E_start, run.energy.E[:, 0], **CLOSE)
    np.testing.assert_allclose(swept.K, run.energy.K[:, -1], **CLOSE)
    np.testing.assert_allclose(swept.damping, run.energy.losses["damping"][:, -1], **CLOSE)
    np.testing.assert_allclose(swept.least_w, run.q[:, :, 3].min(1), **CLOSE)
    np.testing.assert_allclose(swept.spun, np.trapezoid(run.qd[:, :, 4], run.time, axis=1) / 0.5, **CLOSE)
    poses = SATELLITE.forward_kinematics(run.q[:, -1], body="tool", m2=1.0)
    np.testing.assert_allclose(swept.end_point, poses[:, :3, 3], **CLOSE)


def test_a_fixed_attitude_is_no_unit_one_by_mistake() -> None:
    fixed = [0, 0, 0, 1, 0, 0, 0, 0, qddot.uniform(-1, 1)]
    sheared = [*fixed[:4], 0.5, *fixed[5:]]
    with pytest.raises(qddot.QddotError, match=r"\(e_w, e_x, e_y, e_z\) in q0 has the norm 1.118"):
        sweep(SATELLITE, sheared, **SHORT)
    nearly = [*fixed[:4], 1e-4, *fixed[5:]]
    with pytest.warns(UserWarning, match="the quaternion is divided by its norm"):
        swept = sweep(SATELLITE, nearly, reduce="whole", **SHORT)
    np.testing.assert_allclose(np.square(swept.q[:, 0, 3:7]).sum("position"), 1, rtol=1e-15)


def test_a_quaternion_of_zeros_ends_its_run_alone() -> None:
    start = [0, 0, 0, qddot.choice([0, 1]), 0, 0, 0, 0, 0]
    swept = sweep(SATELLITE, start, **SHORT)
    assert (swept.status.values == (swept.value_q0_e_w.values == 0)).all() and 0 < swept.status.sum() < 60
    assert "no longer finite" in swept.notes[0]


@pytest.mark.parametrize(
    ("start", "changed", "says"),
    [
        (START[:8], {}, "a list of 9 numbers or distributions, one for each of p_x, p_y"),
        (START, {"qd0": [0.0] * 9}, "a list of 8 numbers or distributions, one for each of v_x, v_y"),
        (START, {"torque": [0.0] * 8 + [qddot.uniform(0, 1)]}, "one for each of v_x"),
        (START, {"method": "midpoint"}, "quasi-velocities"),
    ],
)
def test_numbers_for_other_names_are_refused(start: Any, changed: Any, says: str) -> None:
    with pytest.raises(qddot.QddotError, match=says):
        sweep(SATELLITE, start, **SHORT, **changed)


def test_stores_and_quantiles_name_positions(tmp_path: Path) -> None:
    options = qddot.Options(store=tmp_path / "free", record_every=10)
    many = SHORT | {"draws": 3000, "chunk": 500}
    swept = sweep(SATELLITE, START, RATES, reduce=["whole", "quantiles"], options=options, **many)
    kept = qddot.load_sweep(tmp_path / "free")
    np.testing.assert_array_equal(kept.q, swept.q)
    assert list(kept.position.values) == ["p_x", "p_y", "p_z", "e_w", "e_x", "e_y", "e_z", "q1", "q2"]
    exact, counted = kept.sweep.quantiles("q"), kept.drop_vars(["q", "qd"]).sweep.quantiles("q")
    assert exact.dims == counted.dims == ("quantile", "time", "position")
    assert np.abs(exact - counted).max() <= counted.attrs["within"]
    titles = [ax.get_title(loc="left") for ax in kept.sweep.plot_tube("q").axes]
    assert titles == list(kept.position.values)
    assert [ax.get_title(loc="left") for ax in kept.sweep.plot_tube("qd").axes] == list(kept.joint.values)
