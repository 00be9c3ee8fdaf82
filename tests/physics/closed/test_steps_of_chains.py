"""The intermediate results of a closed chain's equations are what the compiled functions of its links give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import chain, whipple
from refusals import refusal

from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain

CHAINS = ["four_bar", "delta", "unicycle", pytest.param("bicycle", marks=pytest.mark.thorough)]
NEAR = {"rel": 1e-9, "abs": 1e-9}


def named(name: str) -> ClosedChain:
    return whipple() if name == "bicycle" else chain(name)


def motion(of: ClosedChain) -> tuple[Any, Any, Any]:
    """Returns q with closed loops, q̇, and Ṙ u, the accelerations without those of the independent coordinates."""
    q = of._assembled(None).q
    qd = of.velocities(q, np.linspace(0.3, 0.9, of.m))
    return q, qd, of.accelerations(q, qd, np.zeros(of.m))


@pytest.mark.parametrize("name", CHAINS)
def test_steps_are_those_of_the_links_along_the_motion(name: str) -> None:
    of = named(name)
    q, qd, rest = motion(of)
    at, tree, u = of.equations().at(q, qd), of.tree, np.linspace(0.3, 0.9, of.m)
    R = np.stack([of.velocities(q, column) for column in np.eye(of.m)], axis=-1)
    places = [list(of.model.tree.coordinates).index(each) for each in of.independent]
    others = [list(of.model.tree.coordinates).index(each) for each in of.dependent]
    assert at["A_d"] @ R[others] == pytest.approx(-at["A_i"], **NEAR)
    assert at["A"][:, places] == pytest.approx(at["A_i"])
    assert at["R_rate"] @ u == pytest.approx(rest, **NEAR)
    assert at["M_t"] == pytest.approx(tree.mass_matrix(q), **NEAR)
    assert at["M_R"] == pytest.approx(tree.mass_matrix(q) @ R, **NEAR)
    velocity_torques = tree.coriolis_matrix(q, qd) @ qd
    assert at["C_t"] @ qd == pytest.approx(velocity_torques, **NEAR)
    assert at["C_R"] @ u == pytest.approx(velocity_torques + tree.mass_matrix(q) @ rest, **NEAR)
    assert at["G_t"] == pytest.approx(tree.gravity(q), **NEAR)


@pytest.mark.parametrize("name", CHAINS)
def test_products_of_steps_are_the_quantities_of_the_chain(name: str) -> None:
    of = named(name)
    q, qd, _ = motion(of)
    at = of.equations().at(q, qd)
    for step, quantity in (("M_R", "M"), ("C_R", "C"), ("G_t", "G")):
        assert at["R"].T @ at[step] == pytest.approx(at[quantity], **NEAR)


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "delta", "unicycle"])
def test_cofactors_times_columns_are_the_determinant_identically(name: str) -> None:
    steps = chain(name).equations().steps
    product = steps["adj"] @ steps["A_d"]
    for i, determinant in enumerate(steps["det"].entries):
        for k in range(product.shape[1]):
            assert product[i, k].entries[0] == (determinant if i == k else 0)


def test_a_chain_with_long_coefficients_has_no_cofactors() -> None:
    eq = chain("delta_parallelograms").equations()
    assert eq.reduced.coefficients.implied_rows and not {"adj", "det"} & set(eq.steps)
    with refusal(QddotError, "none-of-these", "no-quantity", "'adj'"):
        eq.array("adj")


def test_steps_are_printed_by_their_names() -> None:
    eq = chain("four_bar").equations()
    assert "A_d = [" in eq.text(only=["A_d"]) and "\\dot{R} =" in eq.latex(only=["R_rate"])
    assert eq.array("M_R") is eq.steps["M_R"]
    assert eq.steps._repr_markdown_().startswith("| step | shape | terms |")
