"""Every route proves equal to every other, with the laws of mechanics, on every arm."""

from __future__ import annotations

from hypothesis import given, settings

import qddot
from qddot.equations.equations import EquationsOfMotion
from qddot.equations.prove import prove
from robots import robots


def test_every_identity_holds_on_the_zoo(zoo_arm: qddot.Robot) -> None:
    certificate = zoo_arm.prove()
    assert certificate, str(certificate)
    assert len(certificate.identities) == 14


@given(robots())
@settings(max_examples=60)
def test_every_identity_holds_on_random_trees(arm: qddot.Robot) -> None:
    certificate = arm.prove()
    assert certificate, str(certificate)


def test_a_wrong_sign_is_refuted_with_a_witness() -> None:
    """Newton–Euler with gravity reversed is not Lagrange: the certificate says where and by how much."""
    right = qddot.load("two_link")
    wrong = EquationsOfMotion(right.model)
    wrong._found.G[0] = -wrong._found.G[0]
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
    eq = EquationsOfMotion(qddot.load("planar_2r").model)
    eq._found.christoffel[0][1][1] = eq._found.christoffel[0][1][1] * 2
    failed = [identity.name for identity in prove(eq, ["screw"]).identities if identity.verdict != "proved"]
    assert "Ṁ − 2C is skew" in failed
    assert "Newton–Euler ≡ Lagrange, symbolic q̈" in failed


def test_the_certificate_is_json() -> None:
    import json

    content = json.loads(qddot.load("rp").prove().json())
    assert content["holds"] is True
    assert content["model"] == "rp"
    assert all(identity["verdict"] == "proved" for identity in content["identities"])
