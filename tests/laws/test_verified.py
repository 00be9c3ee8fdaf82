"""Identities of arms too long to be expanded are verified modulo primes, and never called proved."""

from __future__ import annotations

import json

import pytest
from flint import fmpz

import qddot
from qddot.dynamics.algorithms import composite, newton_euler
from qddot.dynamics.lagrange import dh4x4
from qddot.dynamics.mechanism import Mechanism
from qddot.equations.proofs.modulo_primes import is_too_long, verify
from qddot.numbers.polynomials.exact import Ring
from robots_by_size import chain_of_equals
from shipped import ZOO, robot


@pytest.mark.parametrize("name", ["two_link", "rp", "slider", "elbow_3r", "spherical_pendulum", "puma560_akb"])
def test_what_is_proved_is_verified(name: str) -> None:
    arm = robot(name)
    found = verify(arm.model)
    assert found, str(found)
    assert {identity.name for identity in found.identities} == {identity.name for identity in arm.prove().identities}


def test_a_long_arm_is_verified_and_says_so() -> None:
    arm = chain_of_equals(10, "17deg")
    found = arm.prove(["dh4x4", "newton_euler"])
    assert found and {identity.verdict for identity in found.identities} == {"verified"}
    assert "proved" not in str(found) and f"probability of error below 2^-{found.certainty}" in str(found)
    assert len(set(found.primes)) == 3 and all(
        fmpz(prime).is_prime() and str(prime) in str(found) for prime in found.primes
    )
    assert found.certainty > 100
    assert json.loads(found.to_json())["primes"] == list(found.primes)


def too_long(arm: qddot.Robot) -> bool:
    return is_too_long(arm.model, Mechanism.of(arm.model, Ring.of(arm.model)))


def test_only_long_rows_of_joints_are_too_long() -> None:
    assert [too_long(chain_of_equals(n)) for n in (9, 10)] == [False, True]
    assert [too_long(chain_of_equals(n, "0deg")) for n in (30, 31)] == [False, True]
    assert [too_long(chain_of_equals(n, "0deg", across)) for n, across in ((14, 4), (14, 5))] == [False, True]
    assert [too_long(chain_of_equals(5, "0deg", across)) for across in (7, 8)] == [False, True]
    assert not any(too_long(robot(name)) for name in ZOO)
    assert chain_of_equals(9, "180deg").prove([]).primes == ()


@pytest.mark.parametrize(
    ("module", "function", "identity"),
    [
        (dh4x4, "inertia_coefficients", "dh4x4 ≡ composite"),
        (newton_euler, "joint_torques", "newton_euler ≡ composite"),
        (composite, "gravity_torques", "G = ∂P/∂q"),
    ],
)
def test_a_planted_falsehood_is_found(
    module: object, function: str, identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(module, function)
    monkeypatch.setattr(module, function, lambda *given: [right(*given)[0], *right(*given)[:0:-1]])
    found = verify(qddot.load("elbow_3r").model)
    assert not found
    assert identity in {wrong.name for wrong in found.identities if wrong.verdict == "false"}
    assert "not zero modulo a prime" in str(found)
