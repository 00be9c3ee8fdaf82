"""Closed chains move with closed loops, keep their energy, and stop where their independent coordinates fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import TILTED, assembled, chain

import qddot
from qddot.describe import loop_tables
from qddot.errors import SimulationError
from qddot.faces.closed_chain import ClosedChain

METHODS = ("rk4", "dop853", "taylor", "radau")


def start(name: str, rate: float = 1.0) -> tuple[Any, Any]:
    q = assembled(name).q
    return q, chain(name).velocities(q, np.full(chain(name).m, rate))


def drift(name: str, run: Any) -> float:
    """The largest |φ| and |A q̇| of all samples."""
    q, qd = np.asarray(run.arrays["q"]), np.asarray(run.arrays["qd"])
    phi, A = chain(name).closure(q)
    return float(max(np.abs(phi).max(), np.abs(np.einsum("...ij,...j->...i", A, qd)).max()))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["four_bar", "tilted"])
def test_loops_stay_closed_and_energy_is_kept(name: str, method: str) -> None:
    run = chain(name).simulate(*start(name), duration=1.0, step=1e-3, method=method)
    assert not run.stops
    assert drift(name, run) < 1e-12
    energy = np.asarray(run.arrays["K"]) + np.asarray(run.arrays["P"])
    assert np.ptp(energy) < 1e-7 * np.abs(energy).max()


def test_methods_agree() -> None:
    of, begun = chain("slider_crank"), start("slider_crank")
    q = {m: np.asarray(of.simulate(*begun, 0.5, 5e-4, method=m).arrays["q"]) for m in METHODS}
    for method in METHODS:
        assert np.abs(q[method] - q["taylor"]).max() < 1e-8, method


def test_the_ledger_accounts_for_motors_and_damping() -> None:
    of, (q, qd) = chain("four_bar"), start("four_bar")
    run = of.simulate(q, qd, duration=1.0, torque=[0.5, 0, 0], damping=0.02, method="dop853")
    arrays = {name: np.asarray(run.arrays[name]) for name in ("K", "P", "work", "damping")}
    energy = arrays["K"] + arrays["P"]
    balance = energy - energy.reshape(-1)[0] - arrays["work"] + arrays["damping"]
    assert arrays["damping"].max() > 1e-3
    assert np.abs(balance).max() < 1e-8


def test_accelerations_of_the_motion_are_those_of_forward_dynamics() -> None:
    of, (q, qd) = chain("five_bar"), start("five_bar", 0.3)
    tau = [1.0, 0, 0.5, 0]
    run = of.simulate(q, qd, duration=0.01, step=1e-4, torque=tau, method="taylor")
    rates = np.asarray(run.arrays["qd"]).reshape(-1, of.n)
    slope = (-rates[4] + 8 * rates[3] - 8 * rates[1] + rates[0]) / (12 * 1e-4)
    middle = np.asarray(run.arrays["q"]).reshape(-1, of.n)[2]
    assert slope == pytest.approx(of.forward_dynamics(middle, rates[2], np.array(tau)), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_chain_stops_at_a_turning_point_and_names_the_coordinates(method: str) -> None:
    of = qddot.load_closed_chain("five_bar").with_independent("q1", "q3")
    q = of.assemble({"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q
    run = of.simulate(q, of.velocities(q, [1.0, 1.0]), duration=2.0, damping=0.01, method=method)
    (stop,) = run.stops
    assert (stop.kind, stop.joint) == ("turning", "q2, q4")
    assert stop.time == pytest.approx(1.43013, abs=2e-4)
    assert "do not determine q2, q4 there" in str(stop)


def test_several_chains_move_at_once() -> None:
    of = chain("slider_crank")
    q = np.array([of.assemble({"q1": angle, "q2": -angle, "x": 0.2}).q for angle in (0.5, 1.0, 4.0)])
    qd = of.velocities(q, np.array([[2.0], [-3.0], [0.0]]))
    run = of.simulate(q, qd, duration=0.2, method="rk4", values={"m3": [0.5, 1.0, 2.0]})
    alone = of.simulate(q[1], qd[1], duration=0.2, method="rk4", m3=1.0)
    assert np.asarray(run.arrays["q"])[1] == pytest.approx(np.asarray(alone.arrays["q"]).reshape(-1, 3), abs=1e-12)


def test_dry_friction_acts_with_fixed_steps_alone() -> None:
    text = TILTED.replace('type = "revolute", coordinate = "q1"', 'type = "revolute", coordinate = "q1", coulomb = 0.4')
    of = ClosedChain(loop_tables.loads(text, "file"))
    q, qd = start("tilted")
    run = of.simulate(q, qd, duration=0.2)
    assert run.arrays.attrs["method"] == "rk4"
    K, P, lost = (np.asarray(run.arrays[name]).reshape(-1) for name in ("K", "P", "coulomb"))
    assert lost[-1] > 1e-3
    assert np.abs(K + P + lost - (K + P)[0]).max() < 1e-6
    with pytest.raises(SimulationError, match="dry friction in a closed chain with the method taylor; expected rk4"):
        of.simulate(q, qd, method="taylor")


def test_open_loops_and_other_methods_are_refused() -> None:
    of, (q, qd) = chain("four_bar"), start("four_bar")
    with pytest.raises(SimulationError, match=r"q0 does not close the loops: q2 .* is off by .*take chain\.assemble"):
        of.simulate(q + np.array([0, 0.1, 0]), qd)
    with pytest.raises(SimulationError, match=r"qd0 does not keep the loops closed: .*take chain\.velocities"):
        of.simulate(q, qd + np.array([0, 0.1, 0]))
    for method in ("midpoint", "semi-implicit"):
        with pytest.raises(SimulationError, match="for a closed chain; expected rk4, dop853, radau, taylor"):
            of.simulate(q, qd, method=method)
