"""One table has the languages: a language that a test adds is found wherever equations are written."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest
from shipped import robot

import qddot
from qddot.apps.cli import main
from qddot.exact.printing.tree import Product, Quotient, Sum, alone
from qddot.exact.printing.writer import Writer
from qddot.exact.printing.writers import WRITERS, writer


@cache
def closed_chain(name: str) -> qddot.ClosedChain:
    return qddot.load_closed_chain(name)


@pytest.fixture
def julia(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(str(__file__).rpartition("/")[0])
    monkeypatch.setitem(WRITERS, "julia", "julia")
    return "julia"


def test_each_language_is_in_the_table() -> None:
    assert list(WRITERS) == ["text", "latex", "mathml", "typst", "sympy", "python", "matlab"]
    for name in WRITERS:
        language = writer(name)
        assert isinstance(language, Writer) and language.sentence and language.width


def test_methods_and_names_give_the_same_texts() -> None:
    for of in (
        robot("two_link").equations(),
        robot("two_link").equations().textbook(),
        closed_chain("four_bar").equations(),
    ):
        for language in ("text", "latex", "mathml", "typst", "python", "matlab"):
            assert of.printed(language) == getattr(of, language)()
            assert of.array("M").printed(language) == getattr(of.array("M"), language)()


def test_a_planted_language_is_found_in_the_library(julia: str) -> None:
    eq = robot("two_link").equations()
    assert eq.M[1, 1].printed(julia).startswith("M22 = m2*l^2/3")
    assert eq.printed(julia, ["M"]).splitlines()[0] == "# Julia"
    assert "k1 = m2*l^2\n" in eq.textbook().printed(julia)
    chain = closed_chain("four_bar").equations()
    assert "\nr31 = a*sin(q2)/(" in chain.printed(julia, ["M"])
    assert "\nr31 = a*sin(q2)/(c*(" in chain.textbook().printed(julia, ["M"])


@pytest.mark.parametrize(
    "arguments",
    [["derive", "two_link"], ["closed", "four_bar"], ["derive", "two_link", "--form", "textbook"]],
    ids=" ".join,
)
def test_a_planted_language_is_found_on_the_command_line(
    julia: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--format", julia, "--only", "M"]) == 0
    assert capsys.readouterr().out.startswith("# Julia\n")
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    assert "matlab, julia" in " ".join(capsys.readouterr().out.split())


def test_a_language_that_is_none_is_refused(julia: str) -> None:
    with pytest.raises(qddot.QddotError, match=r"no language 'juli'; expected text, latex, .*, matlab, julia"):
        robot("two_link").equations().printed("juli")


@pytest.mark.slow
def test_a_language_without_linear_equations_refuses_these(julia: str) -> None:
    chain = closed_chain("delta_parallelograms").equations()
    with pytest.raises(qddot.QddotError, match=r"a program that solves linear equations for .*; expected text, latex"):
        chain.printed(julia, ["R"])


def test_a_quotient_is_a_fraction_in_each_language() -> None:
    eq = closed_chain("four_bar").equations()
    top, bottom = (eq.phi[k].written_entries()[0] for k in (0, 1))
    total = alone(Quotient(top, bottom))
    assert total.quotient == Quotient(top, bottom)
    assert total.operations == top.operations + bottom.operations + 1
    assert list(total.atoms()) == [*top.atoms(), *bottom.atoms()]
    assert Sum((*total.products, Product(total.products[0].number))).quotient is None
    latex = eq.latex(["R"])
    assert latex.count("\\frac{") == 2
    assert eq.typst(["R"]).count("frac(") == 2
    assert len(ElementTree.fromstring(eq.mathml(["R"]).splitlines()[0]).findall(".//{*}mfrac")) == 2
    assert "r31 = a*s2/(c*c3*s12 - c*c12*s3)\n" in eq.text(["R"])
