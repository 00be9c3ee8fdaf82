"""A link's pose is the product of the transforms, or of the exponentials, along its chain."""

from __future__ import annotations

import pytest

import qddot

ARMS = ("spatial_2r", "rp", "elbow_3r", "puma560_akb", "ur5")


@pytest.mark.parametrize("name", ARMS)
def test_poses_are_products_of_transforms(name: str) -> None:
    eq = qddot.load(name).equations()
    T = eq.A[0]
    assert T == eq.T[0]
    for k in range(1, eq.n):
        T = T @ eq.A[k]
        assert T == eq.T[k]


@pytest.mark.parametrize("name", ARMS)
def test_poses_are_products_of_exponentials_and_home_poses(name: str) -> None:
    eq = qddot.load(name).equations("screw")
    moved = None
    for k in range(eq.n):
        one = eq.steps["exponential"][k]
        moved = one if moved is None else moved @ one
        assert moved @ eq.steps["M_home"][k] == eq.T[k]
