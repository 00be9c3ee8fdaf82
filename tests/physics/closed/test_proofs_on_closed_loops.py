"""Proofs are about configurations that exist: one is certified, and a wrong mobility or an empty proof is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from chains import GUESSES, TILTED, chain
from test_over_constrained import CLOSE, mechanism
from test_rolling import rolling
from test_undetermined import DOOR, sled

from qddot.apps.cli import main
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import Certificate, shown
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.closed_equations import ClosedEquations
from qddot.formats.toml import loop_tables
from qddot.physics.independent import Independents, chosen
from qddot.robot.closed_model import ClosedModel


def proved(model: ClosedModel, choice: Independents, near: dict[str, float] | None = None) -> Certificate:
    """The certificate of a choice that no chain would make."""
    guess = None if near is None else np.array([near[name] for name in model.tree.coordinates])
    return ClosedEquations(ReducedEquations(model, choice), guess).prove()


def verdicts(certificate: Certificate) -> dict[str, str]:
    return {each.name: each.verdict for each in certificate.identities}


@pytest.mark.parametrize("name", ["four_bar", "delta", "scara_parallelogram", "unicycle", "spatial", "bennett"])
def test_the_certificate_names_a_closed_configuration_and_the_determinant_there(name: str) -> None:
    of = mechanism(name) if name in CLOSE else chain(name)
    certificate = of.prove()
    q = np.array([value for _, value in certificate.configuration])
    phi, A = of.closure(q)
    assert np.abs(phi).max(initial=0.0) < 1e-15
    names = of.tree.model.coordinates
    part = A[list(of._choice.conditions)][:, [names.index(each) for each in of.dependent]]
    lower, upper = certificate.determinant
    assert np.linalg.det(part) == pytest.approx((lower + upper) / 2, rel=1e-12)
    assert lower * upper > 0 and upper - lower < 1e-12
    assert certificate.radius < 1e-15
    assert of.m == of.n - np.linalg.matrix_rank(A, tol=1e-9)
    first, second, third = str(certificate).splitlines()[:3]
    assert "identities proved" in first and f"{names[0]} = {shown(q[0])}" in second
    assert f"det A_d = {shown((lower + upper) / 2)}" in third
    assert json.loads(certificate.to_json())["configuration"][0] == [names[0], q[0]]


def test_each_branch_of_a_four_bar_has_its_own_proof() -> None:
    """det A_d = b c sin of the angle between coupler and rocker, which is opposite in the mirrored branch."""
    of = chain("four_bar")
    b, c = (of.model.tree.defaults()[name] for name in "bc")
    signs = set()
    for mode in of.assembly_modes({"q1": GUESSES["four_bar"]["q1"]}):
        certificate = of.prove(near=mode.q)
        q1, q2, q3 = (value for _, value in certificate.configuration)
        assert (q1, q2, q3) == pytest.approx(mode.q, abs=1e-14)
        assert abs(sum(certificate.determinant) / 2) == pytest.approx(b * c * abs(np.sin(q1 + q2 - q3)), rel=1e-12)
        signs.add(certificate.determinant[0] > 0)
    assert signs == {True, False}


@pytest.mark.parametrize(("name", "count"), [("bennett", "7 of 8"), ("cranks", "8 of 9")])
def test_what_is_verified_alone_is_told_from_what_is_proved(name: str, count: str) -> None:
    certificate = mechanism(name).prove()
    assert certificate
    assert [each for each, verdict in verdicts(certificate).items() if verdict == "verified"] == ["conditions left out"]
    assert f"{name}: {count} identities proved, 1 verified in " in str(certificate)
    assert f"rank A = {mechanism(name).n - 1}, m = " in str(certificate)
    assert "at 6 closed configurations" in str(certificate) and "verified in doubles, not proved" in str(certificate)


def test_conditions_that_follow_everywhere_are_proved() -> None:
    assert "rank A = 3, m = 5 − 3 = 2 for all q" in str(rolling("cart").prove())
    assert set(verdicts(rolling("cart").prove()).values()) == {"proved"}


def test_a_dropped_independent_condition_is_found() -> None:
    certificate = proved(chain("four_bar").model, Independents((0, 1), (2,), (0,)))
    assert not certificate
    assert verdicts(certificate)["conditions left out"] == "false"
    assert "pin, y does not follow from the others" in str(certificate)


def test_a_dropped_independent_condition_of_a_wheel_is_found() -> None:
    of = rolling("cart")
    dependent = of._choice.dependent[:2]
    others = tuple(k for k in range(of.n) if k not in dependent)
    certificate = proved(of.model, Independents(others, dependent, of._choice.conditions[:2]))
    assert verdicts(certificate)["conditions left out"] == "false"


def test_a_wrong_mobility_of_bennetts_linkage_is_found() -> None:
    of = mechanism("bennett")
    at = dict(zip(of.tree.model.coordinates, of.assemble(CLOSE["bennett"]).q, strict=True))
    certificate = proved(of.model, Independents((0, 1), (2,), of._choice.conditions[:1], near=True), at)
    assert verdicts(certificate)["conditions left out"] == "false"
    assert not certificate


def test_a_proof_about_no_closed_configuration_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sled on a plane cannot rise, which the exact rank in a random state does not know."""
    monkeypatch.setattr("qddot.machine.numeric.confirmed_choice.STARTS", 1)
    model = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw").model
    choice = chosen(model)
    assert "z" in [model.tree.coordinates[k] for k in choice.independent]
    certificate = proved(model, choice)
    assert not certificate
    assert verdicts(certificate)["A_d is regular"] == "undecided"
    assert "the proof may be empty" in str(certificate) and 'with_independent("x", "y", "yaw")' in str(certificate)
    assert not certificate.configuration


def test_a_mobility_that_is_too_small_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cart and trailer on one plane have 4 degrees of freedom, and 3 by the exact rank in a random state."""
    monkeypatch.setattr("qddot.machine.numeric.confirmed_choice.STARTS", 1)
    model = loop_tables.loads(DOOR, "door")
    choice = chosen(model)
    assert len(choice.independent) == 3
    certificate = proved(model, choice)
    assert not certificate and verdicts(certificate)["A_d is regular"] == "undecided"


def test_loops_that_cannot_close_have_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.machine.numeric.confirmed_choice.STARTS", 0)
    certificate = chain("four_bar").with_values(a=2).prove()
    assert not certificate
    assert "no configuration with closed loops was found" in str(certificate)


def without_value(text: str, name: str) -> ClosedChain:
    """The tilted four-bar with a symbol that has no value."""
    head = 'coordinates = ["q1"'
    return ClosedChain(loop_tables.loads(text.replace(head, f"symbols = {{ {name} = {{}} }}\n{head}"), "tilted"))


def test_a_length_without_a_value_leaves_no_configuration() -> None:
    certificate = without_value(TILTED.replace("xyz = [0.5, 0, 0]", 'xyz = ["b", 0, 0]'), "b").prove()
    assert certificate and "A_d is regular" not in verdicts(certificate)
    assert "no configuration: b has no value" in str(certificate)


def test_a_mass_without_a_value_moves_nothing() -> None:
    certificate = without_value(TILTED.replace("mass = 2.0", 'mass = "m"'), "m").prove()
    assert certificate and verdicts(certificate)["A_d is regular"] == "proved"
    assert not certificate.note


def test_the_command_prints_where_the_proof_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["closed", "slider_crank", "--prove"]) == 0
    printed = capsys.readouterr().out
    assert "8 of 8 identities proved" in printed
    assert "for closed q with det A_d ≠ 0, near q1 = 0, q2 = 0, x = 0.25" in printed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.3, "0.3"), (-0.031299, "-0.03129…"), (12.5, "12.5"), (1 / 3, "0.3333…"), (0.0, "0"), (2e-7, "2e-07")],
)
def test_numbers_that_are_cut_off_say_so(value: float, text: str) -> None:
    assert shown(value) == text
