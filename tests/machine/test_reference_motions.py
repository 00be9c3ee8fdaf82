"""C(q, q̇) q̇_r, the torques of Slotine and Li and their regressor are those of the exact Coriolis matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from physical import physical

import qddot
from qddot.algebra.numbers.floats import Floats

ARMS = (
    "two_link",
    "rp",
    "planar_2r",
    "spatial_2r",
    "cart_pole",
    "franka_panda",
    "ur5",
    "spherical_pendulum",
    "quadrotor_arm",
    "satellite_arm",
    pytest.param("solo12", marks=pytest.mark.thorough),
)
Array = NDArray[np.float64]


def motion(arm: Any, seed: int, still: bool = False) -> tuple[Array, ...]:
    """q, q̇, q̇_r and q̈_r; q and q̇ are zero if `still`."""
    rng = np.random.default_rng(seed)
    rates = rng.normal(size=(3, arm.model.n))
    q = arm.integrate(arm.neutral(), 0 * rates[0] if still else rng.normal(size=arm.model.n))
    return (q, 0 * rates[0] if still else rates[0], *rates[1:])


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("name", ARMS)
def test_they_are_those_of_the_coriolis_matrix(name: str, still: bool) -> None:
    arm = physical(qddot.load(name))
    q, qd, qd_r, qdd_r = motion(arm, 1, still)
    M, C = arm.mass_matrix(q), arm.coriolis_matrix(q, qd)
    scale = 1 + np.abs(M).max() + np.abs(C).max()
    assert arm.coriolis_torque(q, qd, qd_r) == pytest.approx(C @ qd_r, abs=1e-12 * scale)
    torque = arm.slotine_torque(q, qd, qd_r, qdd_r)
    assert torque == pytest.approx(M @ qdd_r + C @ (qd_r - qd) + arm.bias(q, qd), abs=1e-11 * scale)
    springs = arm.inverse_dynamics(q, qd, qdd_r) - arm.regressor(q, qd, qdd_r, True, True) @ arm.dynamic_parameters(
        True, True
    )
    Y = arm.slotine_regressor(q, qd, qd_r, qdd_r, True, True)
    assert Y @ arm.dynamic_parameters(True, True) + springs == pytest.approx(torque, abs=1e-11 * scale)
    assert arm.slotine_regressor(q, qd, qd_r, qdd_r) == pytest.approx(Y[:, : 10 * len(arm.model.bodies)])


@pytest.mark.parametrize("name", ["two_link", "spatial_2r", "franka_panda", "ur5", "cart_pole"])
def test_rates_of_coordinates_polarise_the_velocity_torques(name: str) -> None:
    """C q̇_r = ½ (h(q̇ + q̇_r) − h(q̇) − h(q̇_r)), from inverse dynamics without friction alone."""
    arm = qddot.load(name)
    arm = physical(arm)
    q, qd, qd_r, _ = motion(arm, 2)
    still = 0 * qd

    def h(rates: Array) -> Array:
        Y = arm.regressor(q, rates, still) - arm.regressor(q, still, still)
        return np.asarray(Y @ arm.dynamic_parameters())

    right = (h(qd + qd_r) - h(qd) - h(qd_r)) / 2
    assert arm.coriolis_torque(q, qd, qd_r) == pytest.approx(right, abs=1e-12 * (1 + np.abs(h(qd)).max() * 10))


@pytest.mark.parametrize("name", ["two_link", "spatial_2r", "cart_pole", "elbow_3r"])
def test_the_matrix_of_reference_rates_is_the_exact_one(name: str) -> None:
    arm = physical(qddot.load(name))
    q, qd, *_ = motion(arm, 3)
    columns = [arm.coriolis_torque(q, qd, unit) for unit in np.eye(arm.model.n)]
    state = [dict(zip(arm.model.coordinates, values.tolist(), strict=True)) for values in (q, qd)]
    exact = arm.equations().C.values(Floats(arm.model.defaults(), *state))
    assert np.stack(columns, axis=1) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["franka_panda", "quadrotor_arm"])
def test_the_rate_of_the_mass_matrix_is_twice_the_symmetric_part(name: str) -> None:
    """sᵀ Ṁ s = 2 sᵀ C s, from positions a moment apart; for ν it holds as for rates of coordinates."""
    arm, step = qddot.load(name), 1e-6
    q, qd, s, _ = motion(arm, 4)
    ends = [s @ arm.mass_matrix(arm.integrate(q, sign * step * qd)) @ s for sign in (1, -1)]
    assert 2 * s @ arm.coriolis_torque(q, qd, s) == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6)


def test_batches_symbols_and_wide_shapes_are_those_of_other_functions() -> None:
    arm = qddot.load("two_link")
    rng = np.random.default_rng(5)
    q, qd, qd_r, qdd_r = rng.normal(size=(4, 3, 5, 2))
    values = {"m1": 1.0, "m2": rng.uniform(1, 2, size=(3, 5)), "l1": 0.4, "l2": 0.3}
    values = {name: values.get(name, 0.5) for name in arm.model.symbols}
    torque = arm.slotine_torque(q, qd, qd_r, qdd_r, **values)
    M, C = arm.mass_matrix(q, **values), arm.coriolis_matrix(q, qd, **values)
    right = np.einsum("...ij,...j", M, qdd_r) + np.einsum("...ij,...j", C, qd_r - qd) + arm.bias(q, qd, **values)
    assert torque.shape == (3, 5, 2)
    assert torque == pytest.approx(right, rel=1e-12)
