"""A stepper makes one tick of a loop that a user writes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from physical import physical

import qddot
from qddot.base.errors import EvaluationError, QddotError, SimulationError


@pytest.mark.parametrize("name", ["two_link", "rp", "puma560_akb"])
def test_ticks_are_the_steps_of_a_run_with_the_same_torque(name: str) -> None:
    arm = physical(qddot.load(name))
    q, qd, tau = np.random.default_rng(0).uniform(-1, 1, (3, arm.n))
    run = arm.simulate(q, qd, 0.05, 1e-3, "rk4", torque=tau, damping=0.3, limits=False)
    stepper = arm.stepper(1e-3, damping=0.3)
    for k in range(50):
        q, qd = stepper(q, qd, tau)
        # the same operations in another order
        assert np.allclose(q, run.q[k + 1], rtol=1e-13, atol=1e-13)
        assert np.allclose(qd, run.qd[k + 1], rtol=1e-13, atol=1e-13)


def test_batches_lists_and_arrays_to_fill_give_the_same_ticks() -> None:
    arm = qddot.load("spatial_2r")
    stepper = arm.stepper(0.01)
    q, qd, tau = np.random.default_rng(1).uniform(-1, 1, (3, 4, 2))
    many = stepper(q, qd, tau)
    for k in range(4):
        for one in (stepper(q[k], qd[k], tau[k]), stepper(list(q[k]), list(qd[k]), tuple(tau[k]))):
            assert np.allclose(one, [many[0][k], many[1][k]], rtol=0, atol=1e-15)
    arrays: Any = np.empty((4, 2)), np.empty((4, 2))
    one, other = arrays
    filled = stepper(q, qd, tau, out=(one, other))
    assert filled[0] is one and filled[1] is other
    assert np.array_equal(filled, many)
    stepper(q, qd, tau, out=(q, qd))
    assert np.array_equal([q, qd], many)
    q, qd = np.array([0.3, 0.2]), np.array([np.inf, 0.0])
    with pytest.raises(SimulationError, match="not finite"):
        stepper(q, qd, [0.0, 0.0], out=(q, qd))
    assert (q.tolist(), qd.tolist()) == ([0.3, 0.2], [np.inf, 0.0])
    q.flags.writeable = False
    with pytest.raises(qddot.QddotError, match="read-only"):
        stepper(q, np.zeros(2), [0.0, 0.0], out=(q, np.zeros(2)))


def test_symbols_are_folded_in_and_a_stepper_can_be_sent() -> None:
    arm = qddot.load("spatial_2r")
    state = [0.3, 0.2], [0.1, 0.0], [0.0, 0.0]
    heavier = arm.stepper(0.01, m2=20.0)
    assert np.array_equal(heavier(*state), arm.with_values(m2=20.0).stepper(0.01)(*state))
    assert not np.array_equal(heavier(*state), arm.stepper(0.01)(*state))
    sent = pickle.loads(pickle.dumps(heavier))
    assert np.array_equal(sent(*state), heavier(*state))
    assert repr(sent) == "<stepper of spatial_2r: rk4, 0.01 s>"


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda arm: arm.stepper(0), "step = 0"),
        (lambda arm: arm.stepper("fast"), "step = 'fast'"),
        (lambda arm: arm.stepper(0.01, damping=-1), "damping has the entry"),
        (lambda arm: arm.stepper(0.01, damping=[[1, 2], [3, 4]]), "damping of 2 arms"),
        (lambda arm: arm.stepper(0.01, m3=1), "no symbol 'm3'"),
    ],
)
def test_what_cannot_be_stepped_is_refused(make: Any, error: str) -> None:
    with pytest.raises(QddotError, match=error):
        make(qddot.load("spatial_2r"))


def test_wrong_states_and_states_without_bound_are_errors() -> None:
    stepper = qddot.load("spatial_2r").stepper(0.01)
    with pytest.raises(EvaluationError, match="qd has the shape"):
        stepper([0, 0], [0, 0, 0], [0, 0])
    with pytest.raises(EvaluationError, match="out is not a pair"):
        stepper([0, 0], [0, 0], [0, 0], out=[np.empty(2)])
    for bad in (np.nan, np.inf, 1e308):
        with pytest.raises(SimulationError, match="is not finite"):
            stepper([0, 0], [0, bad], [0, 0])
    with pytest.raises(SimulationError, match="is not finite"):
        stepper([[0, 0], [0, 0]], [[0, 0], [0, np.nan]], [0, 0])
