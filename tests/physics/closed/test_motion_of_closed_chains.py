"""Closed chains move with closed loops, keep their energy, and stop where their independent coordinates fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import GUESSES, TILTED, assembled, chain, driven, loop
from refusals import refusal

import qddot
from qddot.base.errors import SimulationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables

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
def test_loops_stay_closed_and_energy_is_kept(method: str) -> None:
    run = chain("tilted").simulate(*start("tilted"), duration=1.0, step=1e-3, method=method)
    assert not run.stops
    assert drift("tilted", run) < 1e-12
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
def test_a_chain_moves_on_where_its_independent_coordinates_do_not_determine_the_others(method: str) -> None:
    """The distal links are in line at 1.43 s; in the coordinates of one crank and its link nothing happens there."""
    of = driven("five_bar", "q1", "q3")
    q = of.assemble({"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q
    run = of.simulate(q, of.velocities(q, [1.0, 1.0]), duration=2.0, damping=0.01, method=method)
    assert not run.stops
    other = driven("five_bar", "q1", "q2")
    same = other.simulate(q, of.velocities(q, [1.0, 1.0]), duration=2.0, damping=0.01, method="taylor")
    apart = np.abs(run.q - same.q).max(axis=1)
    assert apart[1430] < 1e-7
    assert apart[-1] < 1e-5
    rows = [k for k, name in enumerate(of.conditions) if name not in of.redundant]
    determinant = np.linalg.det(of.closure(run.q)[1][:, rows][:, :, [1, 3]])
    assert determinant[0] * determinant[-1] < 0


def test_several_chains_move_at_once() -> None:
    of = chain("slider_crank")
    q = np.array([of.assemble({"q1": angle, "q2": -angle, "x": 0.2}).q for angle in (0.5, 1.0, 4.0)])
    qd = of.velocities(q, np.array([[2.0], [-3.0], [0.0]]))
    run = of.simulate(q, qd, duration=0.2, method="rk4", values={"m3": [0.5, 1.0, 2.0]})
    alone = of.simulate(q[1], qd[1], duration=0.2, method="rk4", m3=1.0)
    assert np.asarray(run.arrays["q"])[1] == pytest.approx(np.asarray(alone.arrays["q"]).reshape(-1, 3), abs=1e-12)


def rubbed(name: str, frictions: dict[str, float]) -> ClosedChain:
    """A chain that ships, with dry friction in some joints."""
    text = (Path(qddot.__file__).parent / "robot" / "zoo" / "closed" / f"{name}.toml").read_text()
    for joint, torque in frictions.items():
        text = text.replace(f'coordinate = "{joint}"', f'coordinate = "{joint}", coulomb = {torque}')
    return ClosedChain(loop_tables.loads(text, name))


def imbalance(run: Any) -> float:
    """The largest error of the energy in a run's ledger."""
    K, P, lost, work = (np.asarray(run.arrays[name]).reshape(-1) for name in ("K", "P", "coulomb", "work"))
    return float(np.abs(K + P + lost - work - (K + P)[0]).max())


def test_friction_brings_a_slider_crank_to_rest_and_holds_it() -> None:
    """It turns over dead centres, where the slider's friction changes its sign, and rests with all joints at once.

    All friction together, Σ |r_j| f_j, holds it until a torque on the crank, which grows after 0.5 s, exceeds this and
    gravity.
    """
    sizes = np.array([0.2, 0.1, 2.0])
    of = rubbed("slider_crank", dict(zip(("q1", "q2", "x"), sizes, strict=True)))
    q = of.assemble({"q1": 1.0, "q2": -1.2, "x": 0.2}).q
    start, push = (q, of.velocities(q, [20.0])), lambda t, *_: [8 * qddot.clip(t - 0.5, 0, 1), 0, 0]
    run = of.simulate(*start, 0.6, 0.001, "dop853", torque=push)
    fine = of.simulate(*start, 0.3, 1e-5, "rk4", torque=push, options=qddot.Options(record_every=100))
    assert np.abs(run.q[:301] - fine.q).max() < 1e-3
    rests = run.q[400]
    assert np.abs(run.qd[400]).max() < 1e-15
    needed = np.abs(of.velocities(rests, [1.0])) @ sizes + of.inverse_dynamics(rests, 0 * q, 0 * q)[0]
    released = run.time[400:][np.abs(run.q[400:] - rests).max(axis=1) > 1e-12][0]
    assert 0 <= released - 0.5 - needed / 8 < 2e-3
    assert imbalance(run) < 1e-9


def test_some_joints_of_a_five_bar_rest_while_others_move() -> None:
    """Two freedoms and four joints with friction: the methods agree on which joints rest, and when."""
    of = rubbed("five_bar", {"q1": 0.4, "q2": 0.2, "q3": 0.3, "q4": 0.25}).with_independent("q1", "q3")
    q = of.assemble({"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q
    held = of.inverse_dynamics(q, 0 * q, 0 * q)

    def torque(t: Any, angles: Any, rates: Any) -> list[Any]:
        back = [held[k] - 4 * (angles[2 * k] - q[2 * k]) for k in (0, 1)]
        return [back[0] + 0.8 * qddot.sin(9 * t), 0, back[1] - 0.8 * qddot.sin(13 * t), 0]

    taylor, dop853 = (of.simulate(q, 0 * q, 1.0, 0.01, method, torque=torque) for method in ("taylor", "dop853"))
    fine = of.simulate(q, 0 * q, 1.0, 2e-5, "rk4", torque=torque, options=qddot.Options(record_every=500))
    assert np.abs(taylor.q - dop853.q).max() < 1e-12
    assert np.abs(taylor.q - fine.q).max() < 1e-4
    still = np.abs(taylor.qd) < 1e-14
    assert still.all(axis=1).sum() > 10
    assert (still.any(axis=1) & ~still.all(axis=1)).sum() > 10
    assert imbalance(taylor) < 1e-12


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau"])
def test_friction_that_holds_a_loop_leaves_that_of_other_joints(method: str) -> None:
    """The vertical slide of a SCARA with a parallelogram falls on its own, whatever its hinges do."""
    of = rubbed("scara_parallelogram", {"q3": 0.2, "q4": 0.2, "d5": 5.0})
    q = of.assemble(GUESSES["scara_parallelogram"]).q
    run = of.simulate(q, of.velocities(q, [1.5, 1.5, 1.5]), 1.0, 1e-3, method, limits=False)
    alone = rubbed("scara_parallelogram", {"d5": 5.0})
    same = alone.simulate(q, alone.velocities(q, [1.5, 1.5, 1.5]), 1.0, 1e-3, method, limits=False)
    assert run.q[-1, 4] == pytest.approx(same.q[-1, 4], abs=1e-8)
    mass = of.inverse_dynamics(q, 0 * q, [0, 0, 0, 0, 1.0])[2] - of.inverse_dynamics(q, 0 * q, 0 * q)[2]
    up = 1.5 / (9.81 + 5 / mass)  # it rises against friction and gravity, and falls against friction
    height = q[4] + 1.5 * up / 2 - (9.81 - 5 / mass) * (1 - up) ** 2 / 2
    assert run.q[-1, 4] == pytest.approx(height, abs=1e-8)


def test_chains_that_differ_in_a_rod_alone_move_with_their_own_rods() -> None:
    tree = TILTED[: TILTED.index("[[loop]]")]
    for length in (0.3, 0.35):
        rod = loop("rod", "coupler", [0.5, 0, 0], "rocker", [0.4, 0, 0]) + f"length = {length}\n"
        of = ClosedChain(loop_tables.loads(tree + rod, "file"))
        q = of.assemble([1.0, -0.5, 1.0]).q
        run = of.simulate(q, 0 * q, duration=0.1, method="rk4")
        assert np.abs(of.closure(run.q)[0]).max() < 1e-12


def test_open_loops_and_other_methods_are_refused() -> None:
    of, (q, qd) = chain("four_bar"), start("four_bar")
    with refusal(SimulationError, "start-opens-the-loops", "q1"):
        of.simulate(q + np.array([0, 0.1, 0]), qd)
    with refusal(SimulationError, "rates-open-the-loops"):
        of.simulate(q, qd + np.array([0, 0.1, 0]))
    with refusal(SimulationError, "chain-with-method", "dop853", "rk4"):
        of.simulate(q, qd, method="dop853", torque=lambda t, q, qd: [float(q[0]) * 0, 0, 0])
    for method in ("midpoint", "semi-implicit"):
        with refusal(SimulationError, "method-does-not-take", "a-closed-chain", "rk4, dop853, radau, taylor"):
            of.simulate(q, qd, method=method)
