"""What people type in a cell is read, and a slip is corrected."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page_questions import told
from refusals import refusal

from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.signs import correction
from qddot.base.errors import ExpressionError

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("π/2", "pi/2"),
        ("90°", "90deg"),
        ("90度", "90deg"),
        ("½", "1/2"),
        ("2½", "5/2"),
        ("L₁", "L1"),
        ("０．５", "0.5"),
        ("（l1）", "(l1)"),
        ("−m·l²", "-m*l**2"),
        ("3 × l ÷ 2", "3*l/2"),
        ("√2", "sqrt(2)"),
    ],
)
def test_signs_of_books_and_keyboards_are_read(typed: str, meant: str) -> None:
    assert expression(typed) == expression(meant)


@pytest.mark.parametrize("text", ["10₂", "2²²²²", "½½", "x½", "√", "90°°"])
def test_a_sign_that_may_mean_two_things_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        expression(text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("0,5", "0.5"),
        ("10cm", "0.1"),
        ("10 mm", "0.01"),
        ("1.5e3 mm", "1.5"),
        ("10 厘米", "0.1"),
        ("2 kg", "2"),
        ("2l", "2*l"),
        ("3(l+1)", "3*(l+1)"),
        ("½ l", "(1/2)*l"),
        ("2 m l^2", "2*m*l^2"),
        ("m l^2 a/2", "m*l^2*a/2"),
        ("m (a + b) c", "m*(a + b)*c"),
        ("g l cos (90 deg) m", "g*l*cos (90 deg)*m"),
        ("m sin alpha", "m*sin(alpha)"),
    ],
)
def test_a_slip_is_refused_with_its_correction(typed: str, meant: str) -> None:
    with refusal(ExpressionError, "token-after-end", meant):
        expression(typed)
    assert expression(meant) is not None


def test_a_number_before_a_declared_symbol_is_its_factor_rather_than_a_unit() -> None:
    assert correction("3 m") == "3"
    assert correction("3 m", {"m"}) == "3*m"


@pytest.mark.parametrize(
    ("text", "named", "corrected"), [("2*λ", "λ", ""), ("0,5", "", "0.5"), ("-1", "", ""), ("m1 +* 2", "", "")]
)
def test_a_mistake_in_a_cell_is_told_in_chinese_with_what_mends_it(text: str, named: str, corrected: str) -> None:
    robot = told("shipped", name="two_link")["result"]
    robot["link"][0]["mass"] = text
    error = told("examine", robot=robot, lang="zh")["error"]
    assert (error["undeclared"], error["correction"]) == (named, corrected)
    assert CHINESE.search(error["found"])
    assert "expected" not in error["text"]


def test_an_undeclared_length_of_a_row_can_be_declared() -> None:
    robot = told("shipped", name="two_link")["result"]
    robot["link"][0]["dh"]["d"] = "L₁"
    assert told("examine", robot=robot)["error"]["undeclared"] == "L1"


@pytest.mark.parametrize("content", [{"name": 5, "convention": {"a": 1}}, {"title": 5}, {"symbols": [1]}])
def test_odd_content_of_a_link_is_a_mistake_that_is_told(content: dict[str, Any]) -> None:
    error = told("examine", robot={"convention": "dh", "link": [{}], **content})["error"]
    assert error["expected"]


def test_an_answer_to_check_is_never_taken_for_a_file() -> None:
    robot = told("shipped", name="two_link")["result"]
    for text in ("", ".", "hello"):
        error = told("check", robot=robot, answer=text, rename={})["error"]
        assert "file" not in error["text"]
        assert "folder" not in error["text"]


def test_check_says_what_to_do_in_the_page() -> None:
    robot = told("shipped", name="two_link")["result"]
    answered = told("check", robot=robot, answer="M22 = m2*l**2/3\nM12 = alert", rename={})["result"]
    assert answered["unread"] == [2]
    assert "under Your names: alert = …" in " ".join(answered["summary"])
    assert "rename" not in " ".join(answered["summary"])


def test_a_greek_name_that_is_renamed_occurs_in_the_answer() -> None:
    robot = told("shipped", name="two_link")["result"]
    answered = told("check", robot=robot, answer="M22 = m2*l**2*cos(θ2)", rename={"θ2": "q2"})["result"]
    assert not any("does not occur" in line for line in answered["summary"])


def test_a_matrix_has_the_places_of_its_zeros() -> None:
    robot = told("shipped", name="spatial_2r")["result"]
    asked = {"robot": robot, "route": "composite", "form": "sums"}
    assert told("equations", **asked, name="M")["result"]["matrix"]["rows"] == [["M11", ""], ["", "M22"]]
    assert [len(row) for row in told("equations", **asked, name="G")["result"]["matrix"]["rows"]] == [1, 1]
    assert "matrix" not in told("equations", **asked, name="T")["result"]


def test_a_matrix_of_products_of_rates_has_a_column_for_each_pair() -> None:
    robot = told("shipped", name="elbow_3r")["result"]
    asked = {"robot": robot, "route": "composite", "form": "sums", "name": "B"}
    rows = told("equations", **asked)["result"]["matrix"]["rows"]
    assert rows == [["B112", "B113", ""], ["", "", "B223"], ["", "", ""]]
    single = told("equations", **asked | {"robot": told("shipped", name="one_link")["result"]})["result"]
    assert "matrix" not in single and single["terms"] == 0
