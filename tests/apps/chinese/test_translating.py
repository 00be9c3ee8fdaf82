"""Findings and judgements are told in Chinese on the Chinese page."""

from __future__ import annotations

import re

import pytest
from page_questions import told

from qddot.apps.chinese.sentences import SENTENCES
from qddot.apps.chinese.translating import chinese

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("name", ["xarm7", "two_link", "panda", "slider"])
def test_the_doctors_findings_are_chinese(name: str) -> None:
    robot = told("shipped", name=name)["result"]
    robot["gravity"] = [0, 0, 0]
    robot["symbols"] = {**robot.get("symbols", {}), "unused": 1}
    findings = told("diagnose", robot=robot, lang="zh")["result"]
    assert len(findings) >= 2
    assert all(CHINESE.search(each[part]) for each in findings for part in ("place", "found", "why"))


def test_every_sentence_has_a_meaning_with_the_same_holes_or_fewer() -> None:
    for english, meaning in SENTENCES:
        assert set(re.findall(r"\{\w\}", meaning)) <= set(re.findall(r"\{\w\}", english)), english
        told_of_x = chinese(re.sub(r"\{\w\}", "x", english))
        assert CHINESE.search(told_of_x), english


def test_what_has_no_chinese_stays_as_it_is() -> None:
    assert chinese("a sentence that nobody has translated") == "a sentence that nobody has translated"
    assert chinese("the text is empty", "en") == "the text is empty"


ALL = "M11 = m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q2)\nM12 = m2*l^2/3 + m2*l^2*cos(q2)/2\nM22 = m2*l^2/3"


@pytest.mark.parametrize(
    "text",
    [
        ALL,
        "M22 = m2*l^2/3",
        "M22 = 0.3333*m2*l^2",
        f"{ALL}\nM22 = 0.3333*m2*l^2",
        "M22 = m2*l^2/2",
        "M22 = m2*l^2/3\nM12 = 5 $",
        f"{ALL}\nM12 = 5 $\nM11 = 5 $",
    ],
)
def test_how_many_entries_are_right_is_told_in_chinese(text: str) -> None:
    robot = told("shipped", name="two_link")["result"]
    judgement = told("check", robot=robot, answer=text, rename={}, lang="zh")["result"]
    assert not re.search("[a-z]{3,}", judgement["summary"][0].replace("two_link", "")), judgement["summary"][0]
