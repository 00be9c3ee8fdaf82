"""An arm's geometry is evaluated once for each kind of number in which it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from robots_by_size import chain_in_numbers, pendulum

import qddot
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import EvaluationError
from qddot.machine.tracing.choice import LONG
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.physics.mechanism import Mechanism


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


@pytest.mark.parametrize(
    ("name", "function", "made"),
    [
        *(("rp", function.name, 1) for function in FUNCTIONS.values() if not function.of_loops),
        *(("puma560_akb", function, 1) for function in ("operational_space", "inverse_dynamics_derivatives")),
        *(("puma560_1986", function, 1) for function in ("inverse_dynamics", "coriolis_matrix")),
        *(("puma560_1986", function, 0) for function in ("gravity", "reactions")),  # its entries are given
    ],
)
def test_a_trace_makes_one_mechanism(kinds: list[Any], name: str, function: str, made: int) -> None:
    arm = qddot.load(name)
    try:
        arm.program(function)
    except EvaluationError:  # there are no links with inertias, or fewer than six directions
        assert function in ("reactions", "regressor", "operational_space")
    assert len(kinds) == made


def test_a_long_program_s_frames_are_chosen_on_a_mechanism_with_other_inputs(kinds: list[Any]) -> None:
    """Forward dynamics have no q̈ among their inputs; the inverse dynamics, by which frames are chosen, need it."""
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


def variables(kinds: list[Any]) -> list[Any]:
    """The variables of the rings in which mechanisms were made; two rings of the same variables are one kind."""
    return [ring.generators for ring in kinds]


@pytest.mark.parametrize(("name", "runs"), [("spatial_2r", 0), ("two_link", 1), ("elbow_3r", 1), ("planar_2r", 1)])
def test_short_forms_and_proofs_take_the_mechanisms_of_the_derivation(kinds: list[Any], name: str, runs: int) -> None:
    """The mechanism in the joints' own angles is the one in which runs of parallel joints were found."""
    eq = qddot.load(name).equations()
    assert eq.in_joint_angles.M == eq.M
    for form in ("sums", "multiple-angle"):
        short = eq.textbook(form)
        assert short.proved("M", "tau", "T")
        assert short.M.subs(q1=0).exact == eq.in_joint_angles.M.subs(q1=0)
    assert eq.prove([])
    assert len(kinds) == len(set(variables(kinds))) == 1 + runs


def test_base_parameters_take_one_mechanism_in_each_kind_of_number(kinds: list[Any]) -> None:
    """One in polynomials; of residues one decides, one asks if defaults make the set smaller, and one checks."""
    base = qddot.load("two_link").base_parameters(armature=True, friction=True)
    assert base.regressor.shape == (2, len(base))
    residues = [numbers for numbers in kinds if isinstance(numbers, Modular)]
    assert len(residues) == 3 and [type(numbers) for numbers in kinds if numbers not in residues] == [Ring]
    assert len({numbers.prime for numbers in residues}) == 3


def test_equations_that_are_read_take_the_mechanisms_in_which_their_angles_are_chosen(
    kinds: list[Any], tmp_path: Path
) -> None:
    eq = qddot.load("two_link").equations()
    eq.save(tmp_path / "equations.json")
    kinds.clear()
    read = qddot.EquationsOfMotion.load(tmp_path / "equations.json")
    assert (read.M, read.T) == (eq.M, eq.T)
    assert read.prove([])
    assert len(kinds) == len(set(variables(kinds))) == 2
