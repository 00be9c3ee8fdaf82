"""Identities of arms too long to be expanded are verified modulo primes, and never called proved."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from flint import fmpz
from robots_by_size import chain_of_equals
from shipped import ZOO, robot

import qddot
from qddot.algebra.numbers.modular import COEFFICIENT_BITS, Modular
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.equations.proofs.modulo_primes import is_too_long, verify
from qddot.physics.algorithms import composite, newton_euler
from qddot.physics.lagrange import dh4x4
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model


@pytest.mark.parametrize("name", ["two_link", "rp", "slider", "elbow_3r", "spherical_pendulum", "puma560_akb"])
def test_what_is_proved_is_verified(name: str) -> None:
    arm = robot(name)
    certificate = verify(arm.model)
    assert certificate, str(certificate)
    assert {identity.name for identity in certificate.identities} == {
        identity.name for identity in arm.prove().identities
    }


def test_a_long_arm_is_verified_and_says_so() -> None:
    arm = chain_of_equals(10, "17deg")
    certificate = arm.prove(["dh4x4", "newton_euler"])
    assert certificate and {identity.verdict for identity in certificate.identities} == {"verified"}
    assert "proved" not in str(certificate)
    assert f"probability of error below 2^-{certificate.certainty}" in str(certificate)
    assert len(set(certificate.primes)) == 3 and all(
        fmpz(prime).is_prime() and str(prime) in str(certificate) for prime in certificate.primes
    )
    assert certificate.certainty > 100
    assert json.loads(certificate.to_json())["primes"] == list(certificate.primes)
    assert json.loads(certificate.to_json())["seed"] == certificate.seed and certificate.seed in str(certificate)


def test_primes_are_drawn_and_the_seed_repeats_them() -> None:
    model = qddot.load("two_link").model
    one, other = verify(model, []), verify(model, [])
    assert not set(one.primes) & set(other.primes)
    assert verify(model, [], seed=int(one.seed)).primes == one.primes
    assert min(one.primes) > 2**98


def chain_with_last_mass(mass: int) -> Model:
    rows = [{"theta": f"q{k}", "d": 0.1, "a": 0.2, "alpha": "90deg"} for k in range(1, 4)]
    return qddot.from_dh(rows, [{"mass": 1, "com": [0.1, 0, 0]}] * 2 + [{"mass": mass}]).model


def test_a_model_that_knows_the_primes_of_a_certificate_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mass that is a multiple of all primes hides what is wrong for it, where the same primes are taken again."""
    seen = verify(chain_with_last_mass(1), [])
    heavy = chain_with_last_mass(math.prod(seen.primes))
    right = newton_euler.inertial_wrench

    def wrong(body: Any, state: Any) -> Any:
        """Counts the mass of a link twice whose first moment is zero."""
        wrench = right(body, state)
        return type(wrench)(wrench.n, wrench.f + state.a * body.m) if tuple(body.h) == (0, 0, 0) else wrench

    def routes(certificate: Certificate) -> dict[str, str]:
        return {each.name: each.verdict for each in certificate.identities if "newton_euler" in each.name}

    monkeypatch.setattr(newton_euler, "inertial_wrench", wrong)
    again = routes(verify(heavy, ["newton_euler"], seed=int(seen.seed)))
    assert again and set(again.values()) == {"verified"}
    assert set(routes(verify(heavy, ["newton_euler"])).values()) == {"false"}


def test_the_error_counts_primes_that_divide_and_powers_of_residues() -> None:
    """The odds of 64 bits more or of a larger degree, computed here in whole numbers."""
    numbers = Modular.of(qddot.load("two_link").model)
    least, order = 2**99, 24  # primes of a hundred bits that are 1 modulo 24
    assert numbers.prime % order == 1 and numbers.prime >= least // 2
    dividing = order * COEFFICIENT_BITS // 98
    assert 2**-80 < dividing / (2**94 / 69) <= numbers.error(1) * 1.1 < 1e-20
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": "0.12345"}, {"theta": "q2", "d": 0, "a": 1, "alpha": 0}]
    odd = Modular.of(qddot.from_dh(rows, [{"mass": 1}] * 2).model)
    slope = (odd.error(2**60) - odd.error(2**59)) / (numbers.error(2**60) - numbers.error(2**59))
    assert slope == pytest.approx(2469, rel=0.01)  # 0.12345 = 2469/20000: e^{i/20000} to the power of 2469


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
    certificate = verify(qddot.load("elbow_3r").model)
    assert not certificate
    assert identity in {wrong.name for wrong in certificate.identities if wrong.verdict == "false"}
    assert "not zero modulo a prime" in str(certificate)
