"""All routes are proved equal on every arm, and the laws of mechanics hold."""

from __future__ import annotations

from typing import Any
from unicodedata import combining

import pytest
from hypothesis import given, settings

import qddot
from qddot.dynamics.algorithms import energies, kinematics, newton_euler
from qddot.dynamics.lagrange import dh4x4
from qddot.equations.proofs.certificate import Identity
from qddot.equations.proofs.laws import LAWS
from qddot.equations.proofs.prove import prove
from qddot.equations.quantities import Quantities
from qddot.spatial import Force
from robots import orthogonal_robots, robots


def test_every_identity_holds_on_the_zoo(zoo_arm: qddot.Robot) -> None:
    certificate = zoo_arm.prove()
    assert certificate, str(certificate)
    assert len(certificate.identities) == 14


@given(orthogonal_robots())
@settings(max_examples=15)
def test_every_identity_holds_on_random_trees_of_up_to_five_joints(arm: qddot.Robot) -> None:
    certificate = arm.prove()
    assert certificate, str(certificate)


@pytest.mark.slow
@given(robots())
@settings(max_examples=100)
def test_every_identity_holds_on_random_trees(arm: qddot.Robot) -> None:
    certificate = arm.prove()
    assert certificate, str(certificate)


def test_a_wrong_sign_is_refuted_with_a_witness() -> None:
    """Newton–Euler with gravity reversed is not Lagrange: the certificate says where and by how much."""
    right = qddot.load("two_link")
    wrong = Quantities(right.model)
    wrong.derivation.G[0] = -wrong.derivation.G[0]
    certificate = prove(wrong, routes=["screw"])
    assert not certificate
    failed = {identity.name: identity for identity in certificate.identities if identity.verdict != "proved"}
    assert set(failed) == {
        "screw ≡ composite",
        "Newton–Euler ≡ Lagrange, symbolic q̈",
        "energy rate = power",
        "G = ∂P/∂q",
    }
    assert all(identity.verdict == "false" for identity in failed.values())
    assert failed["screw ≡ composite"].detail.startswith("G1 (composite − screw): the difference is ")
    assert " at c" not in failed["G = ∂P/∂q"].detail
    assert "q1 = " in failed["G = ∂P/∂q"].detail


def test_a_wrong_christoffel_symbol_breaks_skewness() -> None:
    eq = Quantities(qddot.load("planar_2r").model)
    eq.derivation.christoffel[0][1][1] = eq.derivation.christoffel[0][1][1] * 2
    failed = [identity.name for identity in prove(eq, ["screw"]).identities if identity.verdict != "proved"]
    assert "Ṁ − 2C is skew" in failed
    assert "Newton–Euler ≡ Lagrange, symbolic q̈" in failed


def test_a_wrong_christoffel_symbol_is_named_by_the_letter_that_is_printed() -> None:
    eq = Quantities(qddot.load("planar_2r").model)
    eq.derivation.christoffel[1][1][1] = eq.derivation.christoffel[0][1][1]
    details = [identity.detail for identity in prove(eq, ["screw"]).identities]
    assert any(detail.startswith("Γ222 (composite − screw): ") for detail in details)
    assert any(detail.startswith("Γ222: the difference is ") for detail in details)
    assert not any("christoffel" in detail for detail in details)


def test_a_certificate_fits_into_eighty_columns() -> None:
    laws = [
        Identity(law.name, law.sentence, "proved", seconds, 1)
        for law in LAWS
        for seconds in (0, 0.1234, 0.99999, 123.4)
    ]
    assert all(sum(not combining(letter) for letter in str(each)) < 80 for each in laws)
    assert {str(each).rpartition("  ")[2].strip() for each in laws[:1]} == {"0.0 ms"}


def test_the_certificate_is_json() -> None:
    import json

    content = json.loads(qddot.load("rp").prove().to_json())
    assert content["holds"] is True
    assert content["model"] == "rp"
    assert all(identity["verdict"] == "proved" for identity in content["identities"])


def failed(eq: Quantities, routes: list[str]) -> set[str]:
    return {identity.name for identity in prove(eq, routes).identities if identity.verdict == "false"}


def test_an_asymmetric_matrix_is_found_from_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong entry below the diagonal, in the equations or in another route."""
    model = qddot.load("planar_2r").model
    wrong = Quantities(model)
    wrong.derivation.M[1][0] = wrong.derivation.M[1][0] * 7
    assert "M is symmetric" in failed(wrong, ["screw"])
    right = dh4x4.inertia_coefficients
    monkeypatch.setattr(
        dh4x4, "inertia_coefficients", lambda *given: [right(*given)[0], [e * 7 for e in right(*given)[1]]]
    )
    assert failed(Quantities(model), ["dh4x4"]) == {"dh4x4 ≡ composite"}


MUTATIONS = {
    "Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ": (kinematics, "jacobian"),
    "kinetic energy": (energies, "kinetic_energy_in_base"),
    "power of the twists": (kinematics, "twist_rates"),
    "Newton–Euler ≡ Lagrange, symbolic q̈": (newton_euler, "inertial_wrench"),
}


@pytest.mark.parametrize(("name", "target"), MUTATIONS.items())
def test_each_identity_can_fail(name: str, target: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A function whose result is tripled is no longer what the identity says of it."""
    module, function = target
    right = getattr(module, function)

    def wrong(*given: Any) -> Any:
        found = right(*given)
        if isinstance(found, list):
            return [entry if entry is None else entry * 3 for entry in found]
        return Force(found.n * 3, found.f * 3) if isinstance(found, Force) else found * 3

    monkeypatch.setattr(module, function, wrong)
    assert name in failed(Quantities(qddot.load("spatial_2r").model), ["screw"])


def test_an_inertia_that_moves_with_its_own_joint_is_found() -> None:
    """Γ_iii = 0 and Γ_ijk = Γ_ikj."""
    model = qddot.load("planar_2r").model
    own, uneven = Quantities(model), Quantities(model)
    own.derivation.christoffel[0][0][0] = own.derivation.christoffel[0][0][1]
    uneven.derivation.christoffel[0][0][1] = uneven.derivation.christoffel[0][0][1] * 2
    for wrong in (own, uneven):
        assert "Christoffel symbols" in failed(wrong, ["screw"])
