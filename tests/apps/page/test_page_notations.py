"""All that the page writes is in the notation of a course that is asked for."""

from __future__ import annotations

import re
from typing import Any

import page_questions
import pytest
from page_questions import told

import qddot
from qddot.apps.page.notation_list import notations
from qddot.exact.equations.notations import NOTATIONS

CHINESE = re.compile(r"[\u4e00-\u9fff]")
MASS = {"": "M", "uicker": "D", "khatib": "m", "murray": "M", "zju": "D", "akb": "a"}  # letters of the entries of M
MASS |= {"craig": "M", "siciliano": "b", "spong": "d"}
GRAVITY = {"": "G", "uicker": "C", "khatib": "G", "murray": "N", "zju": "G", "akb": "g"}
GRAVITY |= {"craig": "G", "siciliano": "g", "spong": "g"}


def result(question: str, robot: str = "two_link", **asked: Any) -> Any:
    return page_questions.result(question, robot=page_questions.shipped(robot), **asked)


@pytest.mark.parametrize("notation", MASS)
@pytest.mark.parametrize(("quantity", "letters"), [("M", MASS), ("G", GRAVITY)])
def test_equations_numbers_and_links_have_the_same_names(quantity: str, letters: dict[str, str], notation: str) -> None:
    letter = letters[notation]
    asked = {"robot": "elbow_3r", "route": "composite", "form": "sums", "name": quantity, "notation": notation}
    equations = {each["name"]: each["length"] for each in result("equations", **asked)["equations"]}
    assert {re.fullmatch(r"(\w)\d+", name)[1] for name in equations} == {letter}  # type: ignore[index]
    assert {each["name"]: each["values"] for each in result("values", **asked)["entries"]} == equations
    links = result("links", **asked)
    assert {name: len([term for term in links[name] if term]) for name in equations} == equations


@pytest.mark.parametrize("notation", MASS)
@pytest.mark.parametrize("robot", ["two_link", "spatial_2r"])
def test_an_example_is_written_and_judged_in_the_notation(robot: str, notation: str) -> None:
    answer = result("example", robot, notation=notation)
    judgement = result("check", robot, answer=answer, rename={}, notation=notation)
    *right, wrong = judgement["entries"]
    assert [each["verdict"] for each in right] == ["equal"] * (len(answer.splitlines()) - 1)
    assert (wrong["entry"], wrong["verdict"]) == (f"{GRAVITY[notation]}2", "different")
    assert all(each["entry"][0] in (MASS[notation], GRAVITY[notation]) for each in right)


def test_steps_copies_proofs_and_reports_are_in_the_notation() -> None:
    quantity = {"route": "dh4x4", "form": "sums", "name": "M", "notation": "uicker"}
    assert r"D_{11} &=" in result("copy", **quantity, language="latex")
    steps = str(result("steps", route="dh4x4", lang="en", notation="uicker"))
    assert "<mi>D</mi>" in steps and "<mi>M</mi>" not in steps
    laws = [each["name"] for each in result("prove", routes=None, lang="en", notation="uicker")["identities"]]
    assert any("<mi>D</mi>" in law and "<mi>H</mi>" in law for law in laws)  # Ḋ − 2 H is skew-symmetric
    (report,) = result("report", routes=["composite"], format=".tex", lang="zh", exam=False, notation="uicker")
    assert "D_{11} &=" in report["text"] and "M_{11} &=" not in report["text"]
    sheet, solution = result("report", "one_link", routes=[], format=".md", lang="en", exam=True, notation="uicker")
    assert "the mass matrix $D ( q )$" in sheet["text"] and "D_{11} =" in solution["text"]


def test_products_of_sines_and_cosines_that_are_copied_are_the_same_in_sympy() -> None:
    import sympy

    known: dict[str, Any] = {}
    asked = {"route": "composite", "form": "normal", "name": "M", "notation": "akb", "language": "sympy"}
    exec(result("copy", "elbow_3r", **asked), known)
    exact = qddot.load("elbow_3r").equations().M.sympy()
    real = {symbol: sympy.Symbol(symbol.name, real=True) for symbol in exact.free_symbols}
    assert sympy.simplify(sympy.expand_trig(known["A"] - exact.subs(real))) == sympy.zeros(3)


def test_a_robot_in_one_notation_leaves_those_in_others_as_they_are() -> None:
    asked = {"route": "composite", "form": "sums", "name": "M"}
    for notation in ("uicker", "", "akb", "uicker"):
        assert result("equations", **asked, notation=notation)["equations"][0]["name"][0] == MASS[notation]


def test_the_list_has_every_notation_in_both_languages() -> None:
    listed = {each["name"]: each for each in notations()}
    assert {name: each["sentences"]["en"] for name, each in listed.items()} == {
        name: str(each.sentence) for name, each in NOTATIONS.items()
    }
    assert all(CHINESE.search(each["sentences"]["zh"]) for each in listed.values())
    assert listed["uicker"]["letters"].items() >= {"M": "D", "christoffel": "h", "G": "C"}.items()
    assert listed["khatib"]["letters"].items() >= {"C": "Vₘ", "tau": "Γ", "P": "U"}.items()
    assert all("_" not in letter for each in listed.values() for letter in each["letters"].values())


def test_an_unknown_notation_is_refused() -> None:
    robot = told("shipped", name="two_link")["result"]
    error = told("example", robot=robot, notation="crag", lang="zh")["error"]
    assert (error["found"], error["expected"]) == ("没有记号 'crag'", "、".join(NOTATIONS))
