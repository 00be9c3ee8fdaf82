"""Equations of long arms with quasi-velocities are proved at unit rates and unit accelerations, without any rate."""

from __future__ import annotations

import pytest
from free_trees import TREES
from robots_by_size import chain_of_equals
from shipped import robot

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.equations.proofs.unit_rates import InUnitRates, prove, suits
from qddot.physics.algorithms import composite, coriolis, newton_euler
from qddot.physics.mechanism import Mechanism


def at_unit_rates(arm: qddot.Robot) -> Certificate:
    return prove(InUnitRates(arm.equations().quantities))


@pytest.mark.parametrize("name", TREES)
def test_what_is_proved_for_all_rates_is_proved_at_unit_rates(name: str) -> None:
    certificate = at_unit_rates(TREES[name])
    assert certificate, certificate
    assert {identity.verdict for identity in certificate.identities} == {"proved"}
    whole = {identity.name for identity in TREES[name].prove(["newton_euler"]).identities}
    assert {identity.name for identity in certificate.identities} < whole


@pytest.mark.parametrize(
    ("module", "function", "identity"),
    [
        (newton_euler, "joint_torques", "newton_euler ≡ composite"),
        (composite, "gravity_torques", "G = ∂P/∂q"),
        (coriolis, "koszul", "Ṁ − 2C is skew"),
    ],
)
def test_a_planted_falsehood_is_found(
    module: object, function: str, identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(module, function)
    monkeypatch.setattr(module, function, lambda *given: [right(*given)[0], *right(*given)[:0:-1]])
    certificate = at_unit_rates(qddot.load("quadrotor_arm"))
    assert not certificate
    assert identity in {wrong.name for wrong in certificate.identities if wrong.verdict == "false"}


def suiting(arm: qddot.Robot) -> bool:
    return suits(Mechanism.of(arm.model, Ring.of(arm.model)))


def test_humanoids_are_proved_so_and_neither_longer_nor_fixed_arms() -> None:
    assert suiting(robot("simple_humanoid"))
    assert not suiting(chain_of_equals(10))
    assert not suiting(chain_of_equals(12).free(mass=1, inertia=(1, 0, 0, 1, 0, 1)))
