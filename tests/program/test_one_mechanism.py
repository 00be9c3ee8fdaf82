"""An arm's geometry is evaluated once for each kind of number in which it is needed."""

from __future__ import annotations

from typing import Any

import pytest

import qddot
from qddot.dynamics.mechanism import Mechanism
from qddot.errors import EvaluationError
from qddot.tracing.choice import LONG
from qddot.tracing.functions import FUNCTIONS
from robots_by_size import chain_in_numbers, pendulum


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The kinds of number in which mechanisms are made while a test runs."""
    made: list[Any] = []
    of = Mechanism.of

    def counted(model: Any, numbers: Any) -> Mechanism:
        made.append(numbers)
        return of(model, numbers)

    monkeypatch.setattr(Mechanism, "of", counted)
    return made


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", ["rp", "two_link", "puma560_1986", "puma560_akb"])
def test_a_trace_makes_one_mechanism(kinds: list[Any], name: str, function: str) -> None:
    arm = qddot.load(name)
    try:
        arm.program(function)
    except EvaluationError:  # there are no links with inertias, or fewer than six directions
        assert function in ("reactions", "regressor", "operational_space")
    assert len(kinds) <= 1  # none where G and P are given entry by entry


def test_a_long_program_s_frames_are_chosen_on_a_mechanism_with_other_inputs(kinds: list[Any]) -> None:
    """Forward dynamics have no q̈ among their inputs, which the inverse dynamics need that choose the frames."""
    assert chain_in_numbers(10).program("forward_dynamics_derivatives").total_operations > LONG
    assert [len(numbers.qdd) for numbers in kinds] == [0, 10]


@pytest.mark.parametrize(
    ("name", "runs"), [("spatial_2r", 0), ("two_link", 1), ("panda", 0), ("puma560", 1), ("long", 1)]
)
def test_a_derivation_makes_one_mechanism_for_each_ring(kinds: list[Any], name: str, runs: int) -> None:
    """In the joints' angles, where runs of parallel joints are found, and in the absolute angles of each of these."""
    eq = (pendulum(7) if name == "long" else qddot.load(name)).equations()
    assert eq.M.shape == (eq.n, eq.n)
    assert eq.G.shape == (eq.n,)
    assert len(kinds) == len({id(ring) for ring in kinds}) == 1 + runs
