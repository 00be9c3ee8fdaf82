"""What is reduced on the way is what simulations of the same runs give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refusal
from short_sweeps import SHORT, VALUES, sweep

import qddot
from qddot import reductions

EVERY = {
    "low": reductions.smallest(lambda t, q, qd: q[0] * qd[1]),
    "high": reductions.largest(lambda t, q, qd: (q[0], q[1])),
    "average": reductions.mean(lambda t, q, qd: qddot.sin(q[1])),
    "last": reductions.final(lambda t, q, qd: q[0] + t),
    "turned": reductions.first_time(lambda t, q, qd: 0.5 - q[1]),
}
ALL = ["final", "end_point", "extremes", "energy", "whole", *EVERY.items()]


@pytest.fixture(scope="module", params=["rk4", "midpoint"])
def both(request: pytest.FixtureRequest, two_link: qddot.Robot) -> tuple[Any, Any]:
    """A sweep, and the simulation of the same arms."""
    swept = sweep(
        two_link, method=request.param, reduce=ALL, damping=[0.2, 0.3], options=qddot.Options(record_every=1), **SHORT
    )
    q0 = np.stack([swept.value_q0_q1, np.full(200, np.pi / 2)], axis=1)
    run = two_link.simulate(q0, None, 0.5, 0.01, request.param, damping=[0.2, 0.3], m2=swept.value_m2.values, **VALUES)
    return swept, run


CLOSE = {"rtol": 1e-9, "atol": 1e-11}  # the same steps, in another order of operations


def test_the_end_and_the_whole_are_those_of_the_simulation(both: tuple[Any, Any]) -> None:
    swept, run = both
    assert np.allclose(swept.q, run.q, **CLOSE) and np.allclose(swept.qd, run.qd, **CLOSE)
    assert np.allclose(swept.q_final, run.q[:, -1], **CLOSE) and np.allclose(swept.qd_final, run.qd[:, -1], **CLOSE)
    assert (swept.status == 0).all() and np.isnan(swept.stop_time).all()


def test_extremes_are_those_over_all_samples(both: tuple[Any, Any]) -> None:
    swept, run = both
    assert np.allclose(swept.q_min, run.q.min(1), **CLOSE) and np.allclose(swept.q_max, run.q.max(1), **CLOSE)
    assert np.allclose(swept.qd_min, run.qd.min(1), **CLOSE) and np.allclose(swept.qd_max, run.qd.max(1), **CLOSE)


def test_energies_and_the_ledger_are_those_of_the_simulation(both: tuple[Any, Any]) -> None:
    swept, run = both
    assert np.allclose(swept.E_start, run.energy.E[:, 0], **CLOSE)
    assert np.allclose(swept.K, run.energy.K[:, -1], **CLOSE) and np.allclose(swept.P, run.energy.P[:, -1], **CLOSE)
    assert np.allclose(swept.damping, run.energy.losses["damping"][:, -1], **CLOSE)


def test_functions_of_the_user_are_reduced(both: tuple[Any, Any]) -> None:
    swept, run = both
    q, qd = run.q, run.qd
    assert np.allclose(swept.low, (q[:, :, 0] * qd[:, :, 1]).min(1), **CLOSE)
    assert np.allclose(swept.high, q.max(1), **CLOSE)
    assert np.allclose(swept.average, np.trapezoid(np.sin(q[:, :, 1]), run.time, axis=1) / 0.5, **CLOSE)
    assert np.allclose(swept["last"], q[:, -1, 0] + 0.5, **CLOSE)


def test_the_time_of_an_event_is_linear_within_the_step(both: tuple[Any, Any]) -> None:
    swept, run = both
    above = 0.5 - run.q[:, :, 1]
    assert 20 < np.isfinite(swept.turned).sum() < 200  # some runs turn so far, others do not
    for k, time in enumerate(swept.turned.values):
        rises = np.flatnonzero(above[k] > 0)
        if not len(rises):
            assert np.isnan(time)
            continue
        j = int(rises[0])
        assert time == pytest.approx(np.interp(0, above[k, j - 1 : j + 1], run.time[j - 1 : j + 1]), abs=1e-9)


def test_the_end_point_is_where_the_arm_says(both: tuple[Any, Any], two_link: qddot.Robot) -> None:
    swept, run = both
    poses = two_link.forward_kinematics(run.q[:, -1], body="tool", **VALUES, m2=10.0)
    assert np.allclose(swept.end_point, poses[:, :3, 3], **CLOSE)


def test_a_value_above_zero_at_the_start_is_an_event_at_once(two_link: qddot.Robot) -> None:
    at_once = reductions.first_time(lambda t, q, qd: q[1] + 1)
    assert (sweep(two_link, **SHORT, reduce={"at_once": at_once}).at_once == 0).all()


def test_quantiles_from_counts_enclose_the_exact_ones(two_link: qddot.Robot) -> None:
    swept = sweep(two_link, **SHORT | {"draws": 3000, "chunk": 500}, reduce=["quantiles", "whole"])
    exact = swept.sweep.quantiles("q", (0.05, 0.5, 0.95))
    counted = swept.drop_vars(["q", "qd"]).sweep.quantiles("q", (0.05, 0.5, 0.95))
    assert swept.q_counts.sum() == 3000 * swept.sizes["time"] * 2
    assert 0 < counted.attrs["within"] < 0.1
    assert np.abs(exact - counted).max() <= counted.attrs["within"]
    assert counted.dims == ("quantile", "time", "joint")


@pytest.mark.parametrize(
    ("reduce", "says"),
    [
        ("fianl", ("none-of-these", "'final'")),
        ([], ("reduce-no-names",)),
        (["final", "final"], ("reduce-no-names",)),
        ({"x": lambda t, q, qd: q[0]}, ("no-such-reduction",)),
        ({"not a name": reductions.final(lambda t, q, qd: q[0])}, ("no-such-reduction",)),
        ({"x": reductions.largest(lambda t, q, qd: q[0] if q[0] > 0 else 0)}, ("function-not-traced", "'x'")),
        ({"x": reductions.largest(lambda t, q, qd: q[7])}, ("function-not-traced", "'x'")),
        ({"status": reductions.final(lambda t, q, qd: q[0])}, ("reduction-of-own-name",)),
        ({"value_m2": reductions.final(lambda t, q, qd: q[0])}, ("reduction-of-own-name",)),
        (3, ("reduce-no-names",)),
    ],
)
def test_what_is_no_reduction_is_refused(reduce: Any, says: tuple[str, ...], two_link: qddot.Robot) -> None:
    with refusal(qddot.QddotError, *says):
        sweep(two_link, **SHORT, reduce=reduce)
