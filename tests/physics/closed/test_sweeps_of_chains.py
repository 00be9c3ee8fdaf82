"""Sweeps of closed chains: each run begins with closed loops, and is the run that a simulation computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_over_constrained import CLOSE, TEXTS, model

import qddot
from qddot.base.errors import EvaluationError, SweepError
from qddot.faces.closed_chain import ClosedChain

SPREAD = 0.1


def start(chain: ClosedChain) -> Any:
    return chain.assemble(CLOSE["bennett"]).q if chain.name == "bennett" else chain.some_assembly().q


def swept(chain: ClosedChain, runs: int = 24, reduce: Any = ("final", "energy"), **symbols: Any) -> Any:
    """A sweep over the independent coordinates and their rates, about some closed configuration."""
    q, own = start(chain).tolist(), list(chain.system.choice.independent)
    qd: list[Any] = [0.0] * chain.n
    positions = [chain.model.tree.positions.index(name) for name in chain.independent]
    for k, place in zip(own, positions, strict=True):
        q[place] = qddot.uniform(q[place] - SPREAD, q[place] + SPREAD)
        qd[k] = qddot.uniform(-0.5, 0.5)
    motion = qddot.Motion(q, qd, duration=0.2, step=1e-3, method="rk4", limits=False)
    return qddot.sweep(chain, motion, runs, list(reduce), **symbols)


def simulated(chain: ClosedChain, data: Any, run: int) -> Any:
    """The same run by itself, from the configuration that `assemble` proves."""
    drawn = {name.removeprefix("value_"): float(data[name][run]) for name in data if name.startswith("value_")}
    symbols = {name: value for name, value in drawn.items() if name in chain.model.tree.symbols}
    own = chain.with_values(**symbols) if symbols else chain
    guess = start(chain)
    for name in chain.independent:
        guess[chain.model.tree.positions.index(name)] = drawn[f"q0_{name}"]
    q = own.assemble(guess).q
    qd = own.velocities(q, [drawn[f"qd0_{name}"] for name in chain.independent])
    return own.simulate(q, qd, 0.2, 1e-3, "rk4", limits=False)


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("four_bar", {"c": qddot.uniform(0.38, 0.42), "m2": qddot.uniform(1, 3)}),
        ("delta", {}),
        ("unicycle", {}),
        ("slider_crank", {}),
    ],
)
def test_a_run_of_a_sweep_is_that_of_a_simulation(name: str, symbols: dict[str, Any]) -> None:
    chain = qddot.load_closed_chain(name)
    data = swept(chain, **symbols)
    assert (data.status == 0).all()
    for run in (0, 7, 23):
        alone = simulated(chain, data, run)
        own = chain.with_values(**{symbol: float(data[f"value_{symbol}"][run]) for symbol in symbols})
        assert data.q_final[run].values == pytest.approx(alone.q[-1], abs=1e-11)
        assert data.qd_final[run].values == pytest.approx(alone.qd[-1], abs=1e-10)
        assert float(data.K[run]) == pytest.approx(own.kinetic_energy(alone.q[-1], alone.qd[-1]), abs=1e-10)


def test_loops_stay_closed_in_all_runs() -> None:
    chain = qddot.load_closed_chain("robotiq_2f85")
    data = swept(chain, reduce=["whole"])
    phi, A = chain.closure(data.q.values)
    assert np.abs(phi).max() < 1e-11
    assert np.abs(np.einsum("...ij,...j", A, data.qd.values)).max() < 1e-11


def test_runs_whose_loops_stay_open_say_so() -> None:
    chain = qddot.load_closed_chain("four_bar")
    data = swept(chain, 64, c=qddot.uniform(0.02, 0.4))
    names, status = data.status.attrs["flag_meanings"].split(), data.status.values
    assert names == ["complete", "not_finite", "open_loops", "reached_singular_loops"]
    is_open = status == names.index("open_loops")
    assert 0 < is_open.sum() < 64
    assert np.isnan(data.q_final.values[is_open]).all()
    assert np.isfinite(data.q_final.values[status == 0]).all()
    for run in np.flatnonzero(is_open)[:3]:
        with pytest.raises(EvaluationError, match=r"cannot be closed near the guess|singular"):
            simulated(chain, data, int(run))


def test_a_chain_that_was_opened_near_a_configuration_is_swept() -> None:
    """Bennett's linkage moves only because its lengths are special, so that conditions are mixed along the motion."""
    chain = ClosedChain(model("bennett", TEXTS["bennett"]), near=CLOSE["bennett"])
    assert chain.system.choice.near
    data = swept(chain, 8)
    assert (data.status == 0).all()
    for run in range(3):
        assert data.q_final[run].values == pytest.approx(simulated(chain, data, run).q[-1], abs=1e-9)


def test_what_is_no_system_is_refused() -> None:
    with pytest.raises(SweepError, match=r"a sweep of 3; expected an arm, .* or a closed chain"):
        qddot.sweep(3, qddot.Motion([0.0]))
