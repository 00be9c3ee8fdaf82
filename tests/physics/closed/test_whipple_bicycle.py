"""Whipple's bicycle that ships has the linearized equations of the published benchmark, and stays up at 5 m/s.

M q̈ + v C1 q̇ + (g K0 + v² K2) q = f with q = (lean, steer); table 2 has the eigenvalues. Source: Meijaard, Papadopoulos,
Ruina, Schwab, Linearized dynamics equations for the balance and steer of a bicycle, Proc. R. Soc. A 463, 2007.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from physical import close

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.machine.compilers import kernels

M = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]
C1 = [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]
K0 = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]
K2 = [[0, 76.59734589573222], [0, 2.65431523794604]]
TABLE = {  # by the speed: castering, capsize, and the weave pair, whose imaginary part is 0 at rest
    0: (-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
    1: (-7.11008014637441, -3.13423125066578, 3.52696170990070, 0.80774027519930),
    2: (-8.67387984831734, -3.07158645641514, 2.68234517512745, 1.68066296590675),
    3: (-10.35101467245920, -2.63366137253665, 1.70675605663975, 2.31582447384325),
    4: (-12.15861426576447, -1.42944427361326, 0.41325331521125, 3.07910818603206),
    5: (-14.07838969279822, -0.32286642900409, -0.77534188219585, 4.46486771378823),
    6: (-16.08537123098026, -0.00406690076970, -1.52644486584142, 5.87673060598709),
    7: (-18.15788466125262, 0.10268170574766, -2.13875644258362, 7.19525913329805),
    8: (-20.27940894394569, 0.14327879765713, -2.69348683581097, 8.46037971396931),
    9: (-22.43788559040858, 0.15790184030917, -3.21675402252485, 9.69377351531791),
    10: (-24.62459635017404, 0.16105338653172, -3.72016840437287, 10.90681139476287),
}
UPRIGHT = np.zeros(10)
RADIUS = 0.3  # of the rear wheel
LEAN, STEER = 3, 5  # among the coordinates that the loop leaves: x, y, yaw, lean, spin_r, steer, spin_f


@pytest.fixture(scope="module")
def bicycle() -> Iterator[ClosedChain]:
    """The chain, whose long programs NumPy runs, since no law hangs on a compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiler", kernels.blocks)
        yield qddot.load_closed_chain("whipple_bicycle")


def derivatives(bicycle: ClosedChain, v: float) -> tuple[Any, Any]:
    """∂q̈/∂q and ∂q̈/∂q̇ of q = (lean, steer), straight ahead at a speed, without torques."""
    qd = bicycle.velocities(UPRIGHT, [0, 0, -v / RADIUS])
    by_q, by_u, _ = bicycle.forward_dynamics_derivatives(UPRIGHT, qd, np.zeros(10))
    return by_q[:2][:, [LEAN, STEER]], by_u[:2, :2]


def test_the_linearized_equations_are_those_of_the_benchmark(bicycle: ClosedChain) -> None:
    mass = bicycle.mass_matrix(UPRIGHT)
    assert mass[:2, :2] == pytest.approx(np.array(M), rel=1e-13)
    assert mass[:2, 2] == pytest.approx(0, abs=1e-13)  # forward motion and balance are independent
    (still, _), (by_q, by_qd) = derivatives(bicycle, 0), derivatives(bicycle, 1)
    # fourteen digits of numbers below 100, after some hundred operations
    close(-mass[:2, :2] @ still / 9.81, K0, 1e-13)
    close(-mass[:2, :2] @ (by_q - still), K2, 1e-13)
    close(-mass[:2, :2] @ by_qd, C1, 1e-13)


def eigenvalues(by_q: Any, by_qd: Any) -> Any:
    return np.sort_complex(np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [by_q, by_qd]])))


@pytest.mark.parametrize("v", TABLE)
def test_eigenvalues_are_those_of_the_table(bicycle: ClosedChain, v: int) -> None:
    castering, capsize, real, imaginary = TABLE[v]
    weave = [complex(real, imaginary), complex(real, -imaginary)] if v else [real, imaginary]
    published = np.sort_complex(np.array([castering, capsize, *weave]))
    close(eigenvalues(*derivatives(bicycle, v)), published, 1e-12)


def test_it_is_self_stable_between_the_weave_and_the_capsize_speed(bicycle: ClosedChain) -> None:
    for v, stays in ((4.2923, False), (4.2925, True), (6.0241, True), (6.0244, False)):
        assert (eigenvalues(*derivatives(bicycle, v)).real.max() < 0) == stays


@pytest.mark.thorough
def test_at_5_m_per_s_it_recovers_from_a_push_and_keeps_its_energy() -> None:
    """It leans with 0.5 rad/s at first, and after 5 s by less than 0.01 rad, a little faster than before."""
    compiled = qddot.load_closed_chain("whipple_bicycle")
    run = compiled.simulate(UPRIGHT, compiled.velocities(UPRIGHT, [0.5, 0, -5 / RADIUS]), duration=5, step=0.05)
    lean, steer, rate = run.q[:, 3], run.q[:, 6], run.qd[:, 4]
    assert 0.05 < np.abs(lean).max() < 0.2
    assert np.abs([lean[-5:], steer[-5:]]).max() < 0.01
    assert 5.01 < -RADIUS * rate[-1] < 5.03
    assert np.abs(run.energy.balance).max() < 1e-9
