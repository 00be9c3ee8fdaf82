"""Coefficients with long determinants are defined by linear equations, and all laws are proved for them, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import whipple

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.exact.equations.closed import coefficients
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.closed_equations import ClosedEquations
from qddot.physics.algorithms.cramer import Minors, determinant
from qddot.robot.symbol_values import all_values


@pytest.fixture(scope="module")
def bicycle() -> ClosedChain:
    """Whipple's bicycle, of which seven coordinates are found together; their determinant has some 10,000 terms."""
    return whipple()


def test_the_laws_of_a_bicycle_are_proved(bicycle: ClosedChain) -> None:
    certificate = bicycle.prove()
    assert certificate and len(bicycle.equations().reduced.coefficients.implied_rows) == 7
    names = [
        "A_d is regular",
        "A q̇ = 0",
        "dM̄/dt − 2C̄ is skew",
        "energy rate = power",
        "Newton–Euler ≡ reduced equations",
    ]
    assert [identity.name for identity in certificate.identities] == names
    assert {identity.verdict for identity in certificate.identities} == {"proved"}


@pytest.mark.parametrize(("quantity", "law"), [("M", "dM̄/dt"), ("C", "Newton"), ("G", "energy")])
def test_a_wrong_entry_of_a_bicycle_is_found(bicycle: ClosedChain, quantity: str, law: str) -> None:
    eq = ReducedEquations(bicycle.model, bicycle._choice)
    array = eq.array(quantity)
    place = next(k for k, entry in enumerate(array.entries) if entry)
    eq._arrays[quantity] = array._like([entry * (1 + (k == place)) for k, entry in enumerate(array.entries)])
    failed = [identity.name for identity in ClosedEquations(eq).prove().identities if identity.verdict == "false"]
    assert any(name.startswith(law) for name in failed)


def test_exact_masses_of_a_bicycle_are_those_of_the_compiled_function(bicycle: ClosedChain) -> None:
    q = bicycle.assemble({"lean": 0.2, "delta": 0.4, "yaw": 0.5}).q
    of = bicycle.equations().reduced.coefficients
    R = bicycle.velocities(np.array([q] * 3), np.eye(3)).T
    values: dict[str, Any] = dict(all_values(bicycle.model))
    values |= {of.names[k, j]: R[k, j] for k in of.dependent for j in range(3)}
    at = Floats(values, *(dict(zip(bicycle.model.tree.coordinates, part, strict=True)) for part in (q, 0 * q, 0 * q)))
    zeros = [each.evaluate(at) for each in of.implied(slopes=False)]
    assert len(zeros) == 7 * 3 and np.abs(zeros).max() < 1e-12
    M = np.array([entry.evaluate(at) for entry in bicycle.equations().M.entries]).reshape(3, 3)
    assert pytest.approx(bicycle.mass_matrix(q), rel=1e-11) == M


@pytest.mark.parametrize("most", [0, coefficients.MOST_TERMS])
def test_quotients_and_linear_equations_define_the_same_coefficients(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With or without quotients, a delta's M is the same in the same names."""
    monkeypatch.setattr(coefficients, "MOST_TERMS", most)
    chain = qddot.load_closed_chain("delta", ("x", "y", "z"))
    eq = ReducedEquations(chain.model, chain._choice)
    assert len(eq.coefficients.implied_rows) == (0 if most else 3)
    assert [str(entry) for entry in eq.array("M").entries] == [str(entry) for entry in chain.equations().M.entries]
    assert ClosedEquations(eq).prove()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_cofactors_invert_a_matrix_up_to_its_determinant(n: int) -> None:
    A = np.random.default_rng(n).integers(-9, 10, (n, n)) * (1 - np.eye(n, k=1, dtype=int))
    rows = A.tolist()
    factors = np.array(Minors(rows).cofactors())
    assert np.array_equal(A @ factors.T, determinant(rows) * np.eye(n, dtype=int))
    assert determinant(rows) == round(np.linalg.det(A))
