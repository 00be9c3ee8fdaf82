"""Equations that are too long to be read begin within seconds, and say how all of them, or single ones, are printed."""

from __future__ import annotations

import pytest
from commands import run

import qddot
from qddot.apps.cli import long_equations


@pytest.fixture
def all_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_equations, "MOST_TERMS", 0)
    monkeypatch.setattr(long_equations, "MOST_OF_M", 0)
    monkeypatch.setattr(long_equations, "ENTRIES", 2)


@pytest.mark.usefixtures("all_are_long")
def test_an_arm_has_the_first_entries_and_the_numbers_of_terms(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "derive", "elbow_3r")
    assert code == 0
    assert [line.split(" = ")[0] for line in out.splitlines() if line[:1] in "MG" and " = " in line][1:] == [
        "M11",
        "M22",
        "G2",
        "G3",
    ]
    _, whole, _ = run(capsys, "derive", "elbow_3r", "--all")
    assert "h1 = " in whole and "h1 = " not in out
    assert run(capsys, "derive", "elbow_3r", "--only", "h")[0] == 0
    assert "--only G" in out and "--all" in out


@pytest.mark.usefixtures("all_are_long")
def test_other_forms_are_refused_with_the_ways_to_print_them(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--json"], ["--format", "latex"], ["--form", "textbook"]):
        for command in (["derive", "elbow_3r"], ["closed", "five_bar"]):
            code, _, reason = run(capsys, *command, *options)
            assert code == 2
            assert "too many to be written at once" in reason
    assert run(capsys, "derive", "elbow_3r", "--json", "--all")[0] == 0


@pytest.mark.usefixtures("all_are_long")
def test_a_chain_has_its_rates_and_g(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "closed", "five_bar")
    assert code == 0
    assert "G1 = " in out and "M11 = " not in out and "qd2 = " in out
    assert "left out: M and h" in out


@pytest.mark.usefixtures("all_are_long")
def test_the_rates_and_g_of_a_long_chain_are_those_of_all_its_equations(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "closed", "four_bar")
    _, whole, _ = run(capsys, "closed", "four_bar", "--all")
    rates = [line for line in out.splitlines() if line.startswith("qd")]
    assert len(rates) == 2
    assert {*rates} <= {*whole.splitlines()}
    eq = qddot.load_closed_chain("four_bar").equations()
    assert f"since M has {eq.tree.M.terms} terms even without the loops" in out


def test_g_of_a_chain_needs_no_christoffel_symbols_and_no_slopes() -> None:
    eq = qddot.load_closed_chain("delta_parallelograms").equations()
    rest = eq.reduced.at_rest
    names = rest.coefficients.slope_ring.extra
    assert rest.array("G").text() == eq.G.text()
    assert rest.coefficients.ring.extra == names
    assert rest.tree.derivation.christoffel == []
    assert rest.coefficients.second == []


@pytest.mark.usefixtures("all_are_long")
def test_a_system_whose_mass_matrix_is_no_function_of_q_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "lagrange", "--q", "x", "--K", "xd**4/4", "--P", "0")
    assert code == 0
    assert "3*xd**2" in out


@pytest.mark.thorough
def test_a_humanoid_begins_with_what_fits_on_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "derive", "simple_humanoid")
    assert code == 0
    assert len(out.splitlines()) < 80
    assert "M11 = 654/5" in out  # kg, the mass of all links
