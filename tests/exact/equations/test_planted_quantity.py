"""A quantity is one record: with it, the library, the command line, all languages, reports and proofs have it."""

from __future__ import annotations

import json
import pydoc
import re
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal

import qddot
from qddot.algebra.spatial import inner
from qddot.apps.cli import main
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantity import Others, Quantity, Style
from qddot.exact.equations.quantity_table import QUANTITIES, Attributes
from qddot.papers.report.languages import LANGUAGES

LINK = {"mass": 1, "com": [0, 0, 0]}
ARMS = {  # proved in absolute angles, and verified modulo primes
    "row": lambda: qddot.from_dh([{"theta": f"q{k}", "d": 0, "a": 1, "alpha": 0} for k in range(1, 8)], [LINK] * 7),
    "long": lambda: qddot.from_dh(
        [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": "90deg"} for k in range(1, 11)], [LINK] * 10
    ),
}
STATE = [0.3, -0.8], [0.5, 0.2], [-0.4, 1.0]


def momenta(of: Others) -> list[Any]:
    return [inner(row, of.qd) for row in of["M"]]


def planted(monkeypatch: pytest.MonkeyPatch, scale: int = 1) -> None:
    """Plants the momenta p = M q̇; scale: a factor that makes their formula wrong"""
    quantity = Quantity(
        sentence="The momenta M q̇.",
        entries=lambda eq: eq.dynamics.momentum(),
        follows=lambda of: [entry * scale for entry in momenta(of)],
        covariant=1,
        told="momenta",
        uses=("M",),
        style=Style("p", "p"),
    )
    quantity.__set_name__(Attributes, "momenta")
    monkeypatch.setattr(Attributes, "momenta", quantity, raising=False)
    monkeypatch.setitem(QUANTITIES, "momenta", quantity)
    for language in LANGUAGES.values():
        monkeypatch.setitem(language.sentences, "momenta", "PLANTED $p = M q̇$:")


def test_the_library_and_its_help_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch)
    eq = qddot.load("two_link").equations()
    p: ExactArray = eq.momenta  # type: ignore[attr-defined]
    assert p == eq.array("momenta")
    assert list(p) == [eq.K.diff("qd1"), eq.K.diff("qd2")]
    assert "momenta" in dir(eq)
    assert "The momenta M q̇." in pydoc.plain(pydoc.render_doc(type(eq)))
    with refusal(qddot.QddotError, "none-of-these"):
        eq.array("momentum")


def test_values_in_a_state_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch)
    values = qddot.load("two_link").equations().at(*STATE)
    assert values["momenta"] == pytest.approx(values["M"] @ STATE[1])
    assert "momenta" in list(values)
    assert "momenta" in values._repr_html_()


@pytest.mark.parametrize("language", ["text", "latex", "mathml", "typst", "python", "matlab"])
def test_every_language_writes_it(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch)
    eq = qddot.load("two_link").equations()
    for form in (eq, eq.textbook()):
        written = getattr(form, language)("momenta")
        assert re.search(r"momenta|\bp[_1]|p =|<mi>p</mi>", written), written


def test_it_has_a_textbook_form_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch)
    eq = qddot.load("elbow_3r").equations()
    short = eq.textbook()
    assert short.array("momenta").exact == eq.array("momenta")
    assert short.proved("momenta")
    assert short.shares("momenta")[0].terms


@pytest.mark.parametrize("scale", [1, 2])
def test_its_formula_is_proved(scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, scale)
    for arm in ("elbow_3r", *ARMS):
        robot = ARMS[arm]() if arm in ARMS else qddot.load(arm)
        (line,) = (each for each in robot.prove([]).identities if each.name == "momenta by its formula")
        assert line.verdict == ("false" if scale == 2 else "verified" if arm == "long" else "proved"), arm


def test_the_command_line_has_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    planted(monkeypatch)
    assert main(["derive", "two_link", "--only", "momenta"]) == 0
    assert "p2 = " in capsys.readouterr().out
    assert main(["derive", "two_link", "--only", "momenta", "--form", "textbook", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["quantities"]) == ["momenta"]
    assert main(["closed", "four_bar", "--only", "momenta"]) == 0
    assert "p1 = " in capsys.readouterr().out
    for command in ("derive", "closed"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "momenta" in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.thorough)])
def test_reports_have_it(lang: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planted(monkeypatch)
    path = tmp_path / "two_link.md"
    qddot.load("two_link").report(path, lang=lang)
    text = path.read_text(encoding="utf-8")
    assert text.index("PLANTED") < text.index("p_{2}")


def test_closed_chains_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch)
    eq = qddot.load_closed_chain("delta").equations()
    rates = [eq.reduced.ring.rate(name) for name in eq.reduced.independent]
    assert list(eq.array("momenta").entries) == [eq.reduced.ring.convert(inner(row, rates)) for row in eq.M.nested]
