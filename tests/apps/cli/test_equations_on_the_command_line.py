"""The commands that print equations, exact, short and abbreviated, say what the library computes."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run

import qddot


def test_derive_prints_the_equations(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "derive", "rp")
    assert code == 0
    assert "M11 = m1*l1**2 + Izz1 + Izz2 + m2*d2**2" in out
    assert "h1 = 2*m2*d2*qd1*dd2" in out
    assert "G2 = m2*g*s1" in out


@pytest.mark.parametrize("form", ["normal", "textbook"])
def test_lines_of_equations_are_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    asked = ("derive", "elbow_3r", "--form", form, "--only", "M,tau")
    longest = {}
    for width in (60, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = run(capsys, *asked)[1].splitlines()
        longest[width] = max(map(len, lines))
        if form == "normal":  # a factored term is not broken, and may be longer
            assert longest[width] <= width
    assert longest[60] < longest[100]
    monkeypatch.delenv("COLUMNS")
    assert run(capsys, *asked)[1].splitlines() == lines  # a pipe has 100 columns
    monkeypatch.setenv("COLUMNS", "5")
    assert run(capsys, *asked)[0] == 0


def test_a_table_in_a_pipe_heeds_columns_and_has_no_blanks_behind_its_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    widths = {}
    for columns in ("70", "120", ""):
        monkeypatch.setenv("COLUMNS", columns)
        lines = run(capsys, "list")[1].splitlines()
        assert all(line == line.rstrip() for line in lines)
        widths[columns] = max(map(len, lines))
    assert widths["70"] <= 70 < widths["120"] <= 120
    assert widths[""] <= 200


def test_derive_to_a_few_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        "G4 = 0.01778*g*s234" in run(capsys, "derive", "ur5", "--only", "G", "--form", "textbook", "--digits", "4")[1]
    )
    assert "G1 = 0.5*m1*g*l*c1 + m2" in run(capsys, "derive", "two_link", "--digits", "3")[1]
    assert "- 4.4 g c_{2}" in run(capsys, "derive", "ur5", "--only", "G", "--digits", "2", "--format", "latex")[1]
    for wrong in (["--digits", "0"], ["--digits", "9" * 20], ["--digits", "3", "--json"]):
        code, _, said = run(capsys, "derive", "two_link", *wrong)
        assert (code, "digits" in said) == (2, True)


@pytest.mark.parametrize("route", ["composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy"])
def test_derive_by_every_route(capsys: pytest.CaptureFixture[str], route: str) -> None:
    code, out, _ = run(capsys, "derive", "planar_2r", "--route", route, "--only", "M", "--json")
    assert code == 0
    content = json.loads(out)
    assert content["route"] == route
    assert content["quantities"]["M"][1][1] == "m2*l2**2/4 + I2zz"


def test_derive_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\\begin{bmatrix}" in run(capsys, "derive", "two_link", "--format", "latex")[1]
    assert "M = Matrix([[" in run(capsys, "derive", "two_link", "--format", "sympy")[1]
    assert "Jbar1 = [" in run(capsys, "derive", "two_link", "--route", "dh4x4", "--only", "pseudo_inertia,T")[1]


def test_derive_in_textbook_form(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "derive", "elbow_3r", "--form", "textbook")
    assert code == 0
    assert "G2 = -k7*c2 - k8*c23" in out
    assert "k7 = g*(m2*r1 + m3*l1)" in out
    assert "c_{23}" in run(capsys, "derive", "elbow_3r", "--form", "textbook", "--format", "latex")[1]
    content = json.loads(run(capsys, "derive", "elbow_3r", "--form", "textbook", "--json", "--only", "G")[1])
    assert content["quantities"] == {"G": ["0", "-k7*c2 - k8*c23", "-k8*c23"]}
    assert content["constants"]["k8"] == "m3*g*r2"
    assert content["before and after"]["G"] == {"terms": [6, 3], "operations": [26, 4]}
    assert "cos(q2 + q3)" in run(capsys, "derive", "elbow_3r", "--form", "textbook", "--format", "sympy")[1]
    out = run(capsys, "derive", "spatial_2r", "--form", "multiple-angle", "--no-constants", "--only", "M")[1]
    assert "m2*L**2" in out
    assert "cos(2*q2)" in out
    code, _, err = run(capsys, "derive", "elbow_3r", "--form", "textbook", "--only", "Z")
    assert code == 2
    assert "no quantity 'Z'" in err


def test_derive_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(capsys, "derive", "planar_2r", "--why", "M12, h1")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    for line in ("  term                     from              why", "M12 = m2*l2*(l2 + 2*l1*c2)/4 + I2zz"):
        assert line in out.splitlines()
    assert "These parts add up to h1: proved, term by term." in out
    monkeypatch.delenv("COLUMNS")
    assert 80 < max(map(len, run(capsys, "derive", "planar_2r", "--why", "M12")[1].splitlines())) <= 100  # in a pipe
    entries = json.loads(run(capsys, "derive", "planar_2r", "--why", "G", "--json")[1])["entries"]
    assert [(each["entry"], each["proved"], len(each["parts"])) for each in entries] == [
        ("G1", True, 2),
        ("G2", True, 1),
    ]
    assert entries[1]["parts"][0]["from"] == "mass of fore"
    out = run(capsys, "derive", "planar_2r", "--why", "D12", "--notation", "uicker")[1]
    assert "D12 = " in out
    out = run(capsys, "derive", "planar_2r", "--why", "M12", "--lang", "zh")[1]
    assert "fore 的质量" in out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["two_link", "--why", "M12", "--only", "M"], "--why with --only; expected only one of them"),
        (["two_link", "--why", "M12", "--format", "latex"], "--why with --format"),
        (["two_link", "--why", "M12", "--form", "textbook"], "--why with --form"),
        (["two_link", "--why", ","], "--why names nothing; expected entries such as M12"),
        (["two_link", "--why", "M13"], "no entry 'M13'; expected M11 to M22"),
        (["two_link", "--why", "T1"], "reasons for the terms of 'T'"),
        (["four_bar", "--why", "M11"], "--why"),
    ],
)
def test_mistakes_in_what_is_explained(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "derive", *options)
    assert (code, says in err) == (2, True), err


def test_abbreviate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "abbreviate", "two_link", "--significance", "0.2,G=0.3", "--region", "q2=-1:90deg")
    assert code == 0
    assert "operations in inverse dynamics" in out
    assert "q2 in [-1, 1.5708]" in out
    assert "terms below 20 % (M), 20 % (B), 20 % (C2), 30 % (G) of their entry" in out
    assert "M positive definite: proved" in out
    code, out, _ = run(capsys, "abbreviate", "two_link", "--json", "--set", "m2=2", "--region", "qd1=-2:2")
    content = json.loads(out)
    assert content["region"]["qd"]["q1"] == [-2.0, 2.0]
    first = content["entries"][0]
    assert first.pop("largest") == pytest.approx(5, rel=1e-3)  # as samples show
    assert first == {"entry": "M11", "form": "3 + 2*c2", "error": 0.0, "observed": 0.0}
    assert r"M_{11} &=" in run(capsys, "abbreviate", "two_link", "--format", "latex")[1]
    code, out, _ = run(capsys, "abbreviate", "two_link", "--code", "python", "--folder", str(tmp_path))
    assert Path(out.split()[-1]).is_file()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--significance", "2"], "significance of M = 2.0; expected a number above 0 and below 1"),
        (["--region", "q2"], "--region 'q2'; expected NAME=LOW:HIGH"),
        (["--region", "q2=1:0"], "the lower bound first"),
        (["--budget", "1"], "every abbreviation takes more than 1 operation;"),
        (["--set", "m7=1"], "no symbol 'm7'"),
        (["--set", "q=1"], "no symbol 'q'"),
        (["--set", "self=1"], "no symbol 'self'"),
        (["--set", "m1=1", "--set", "m1=2"], "--set gives m1 twice"),
        (["--region", "q1=0:1", "--region", "q1=0:2"], "--region gives q1 twice"),
        (["--significance", "0.01,0.5"], "one number for all, and at most one for each matrix"),
        (["--code", "rust"], "expected c or cpp or matlab or python or js"),
        (["--region", "q1=0:1e400"], "out of range"),
    ],
)
def test_abbreviate_says_what_is_wrong(capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    code, out, err = run(capsys, "abbreviate", "two_link", *options)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def told_proof(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code, out, err = run(capsys, "derive", *arguments, "--form", "textbook")
    assert code == 0, err
    return next(line for line in out.splitlines() if "proved" in line)


ODD = """
name = "odd"
convention = "dh"
gravity = [0, -1, 0]
[[link]]
dh = { theta = "q1", d = 0, a = 1, alpha = 0 }
mass = "MASS"
com = [0, 0, 0]
"""


@pytest.mark.parametrize(
    ("mass", "digits", "says"),
    [
        ("1.25", (), "textbook form, proved equal to the normal form"),
        ("1.25", ("--digits", "3"), "textbook form, proved equal to the normal form"),
        ("1.25", ("--digits", "2"), "textbook form, proved equal to the normal form before rounding to 2 digits"),
        ("12345/98765431", (), "textbook form, proved equal to the normal form before rounding to 12 digits"),
        ("1/3", ("--digits", "1"), "textbook form, proved equal to the normal form before rounding to 1 digit"),
        ("1/3", (), "textbook form, proved equal to the normal form"),
    ],
)
def test_of_rounded_numbers_nothing_is_said_to_be_proved(
    mass: str, digits: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(ODD.replace("MASS", mass), encoding="utf-8")
    assert told_proof(capsys, str(path), *digits) == says
    assert told_proof(capsys, str(path), *digits, "--only", "M") == says
    if not digits:
        code, out, _ = run(capsys, "derive", str(path), "--form", "textbook", "--json")
        assert code == 0
        assert json.loads(out)["rounded"] is ("before rounding" in says)


def test_a_constant_that_is_rounded_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """k2 = l²(0.333 m1 + 1.33 m2), though M11 = k2 + k1 c2 has no number."""
    says = told_proof(capsys, "two_link", "--digits", "3", "--only", "M")
    assert says == "textbook form, proved equal to the normal form before rounding to 3 digits"


def test_bounds_over_tolerances_are_those_of_interval(capsys: pytest.CaptureFixture[str]) -> None:
    arm = qddot.load("puma560_1986")
    at = "0,-45deg,90deg,0,0,0"
    out = run(capsys, "derive", "puma560_1986", "--only", "M,G", "--at", at, "--json")[1]
    q = [0, -np.pi / 4, np.pi / 2, 0, 0, 0]
    for name in ("M", "G"):
        for side, bound in zip(("lower", "upper"), arm.equations().interval(name, q), strict=True):
            np.testing.assert_allclose(json.loads(out)[name][side], bound, rtol=1e-12)
    lines = run(capsys, "derive", "puma560_1986", "--at", f"{at},0,1,0,0,0,0", "--only", "tau")[1]
    assert "tau2" in lines
    out = run(capsys, "derive", "four_bar", "--at", "1,0.5,-1", "--only", "M", "--json")[1]
    (lower,), (upper,) = (json.loads(out)["M"][side][0] for side in ("lower", "upper"))
    chain = qddot.load_closed_chain("four_bar")
    assert lower <= chain.mass_matrix(chain.assemble([1, 0.5, -1]).q).item() <= upper


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--at", "0,0", "--form", "textbook"], "--at with --form"),
        (["--at", "0"], "expected 2 or 4 or 6 numbers, in the order q1, q2, qd1, qd2, qdd1, qdd2"),
    ],
)
def test_mistakes_in_bounds_over_tolerances(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "derive", "two_link", *options)
    assert (code, says in err) == (2, True), err


@pytest.mark.parametrize(
    ("line", "is_chain", "name", "values"),
    [
        ("derive spatial_2r", False, "M", {"m1": "5", "L": "1/3"}),
        ("derive cart_pole", False, "h", {"mp": "0.1"}),
        ("derive slider_crank", True, "G", {"g": "9.81"}),
        ("closed five_bar", True, "M", {"m1": "5", "I2": "1/7"}),
        ("closed rolling_disc", True, "M", {"m": "3/2"}),
    ],
)
def test_numbers_that_are_set_stand_for_their_symbols(
    line: str, is_chain: bool, name: str, values: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*line.split(), "--only", name, "--set", ",".join(f"{key}={value}" for key, value in values.items())]
    told = json.loads(run(capsys, *words, "--json")[1])["quantities"][name]
    arm: Any = (qddot.load_closed_chain if is_chain else qddot.load)(line.split()[1])
    put = arm.equations().array(name).subs({key: Fraction(value) for key, value in values.items()})
    entries = (" ".join(str(put[place]).split()) for place in np.ndindex(put.shape))
    assert list(np.ravel(told)) == [text.rpartition(" = ")[2] for text in entries]
    assert not re.search(rf"\b({'|'.join(values)})\b", str(told))
