"""Routes, laws and quantities stand in one table each, which everything walks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations import routes
from qddot.exact.equations.proofs import laws
from qddot.exact.equations.proofs.laws import Law
from qddot.exact.equations.proofs.subject import Subject
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.equations.routes import ROUTES, Route
from qddot.physics.derivation import Calculus
from qddot.physics.mechanism import Mechanism


def long_arm() -> qddot.Robot:
    """Returns ten turning joints in a row, which proofs do not expand."""
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": "90deg"} for k in range(1, 11)]
    return qddot.from_dh(rows, [{"mass": 1, "com": [0, 0, 0]}] * 10)


def planted(monkeypatch: pytest.MonkeyPatch, derive: Any) -> None:
    monkeypatch.setitem(ROUTES, "planted", Route("planted", "a false one", derive))


@pytest.mark.slow
@pytest.mark.parametrize("arm", ["elbow_3r", "long"])
def test_a_planted_route_is_called_and_compared(arm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot, asked = (long_arm(), ["planted"]) if arm == "long" else (qddot.load(arm), None)

    def false(arm: Mechanism, calculus: Calculus) -> Any:
        derivation = ROUTES["newton_euler"].derive(arm, calculus)
        if isinstance(derivation, list):
            return [derivation[0] * 2, *derivation[1:]]
        return derivation._replace(G=[derivation.G[0] + 1, *derivation.G[1:]])

    def raising(arm: Mechanism, calculus: Calculus) -> Any:
        raise ZeroDivisionError

    planted(monkeypatch, false)
    certificate = robot.prove(asked)
    assert [each.name for each in certificate.identities if each.verdict == "false"] == ["planted ≡ composite"]
    planted(monkeypatch, raising)
    with pytest.raises(ZeroDivisionError):
        robot.prove(asked)


@pytest.mark.parametrize("arm", ["elbow_3r", "long", "puma560_1986"])
def test_a_planted_law_is_asked_of_every_arm(arm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = long_arm() if arm == "long" else qddot.load(arm)

    def weightless(subject: Subject) -> Iterator[tuple[str, Any]]:
        yield "G1 + G2", subject["G"][0] + subject["G"][1] + 1

    monkeypatch.setattr(laws, "LAWS", (*laws.LAWS, Law("no weight", "G = 0", weightless)))
    certificate = robot.prove([])
    assert [each.name for each in certificate.identities if each.verdict == "false"] == ["no weight"]


def test_what_follows_from_others_is_the_same_in_every_kind_of_entry() -> None:
    eq = qddot.load("puma560_1986").equations()
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1, 1, (3, 6))
    values, short = eq.at(q, qd, qdd), eq.textbook()
    for name in (name for name, each in QUANTITIES.items() if each.follows):
        exact = eq.array(name)
        assert exact.values(values._numbers) == pytest.approx(values[name], rel=1e-9, abs=1e-9), name
        assert short.array(name).exact == exact, name


def test_equations_of_long_arms_are_verified_without_being_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    right = routes.derive

    def derive(name: str, ring: Any, *others: Any) -> Any:
        assert not isinstance(ring, Ring), "the equations were expanded"
        return right(name, ring, *others)

    monkeypatch.setattr(routes, "derive", derive)
    eq = long_arm().equations()
    certificate = eq.prove(["screw"])
    assert certificate
    assert certificate.primes
