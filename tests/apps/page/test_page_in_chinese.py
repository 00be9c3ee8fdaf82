"""Findings and judgements are told in Chinese on the Chinese page."""

from __future__ import annotations

import re

import pytest
from page_questions import told

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("name", ["xarm7", "two_link", "panda", "slider"])
def test_the_doctors_findings_are_chinese(name: str) -> None:
    robot = told("shipped", name=name)["result"]
    robot["gravity"] = [0, 0, 0]
    robot["symbols"] = {**robot.get("symbols", {}), "unused": 1}
    findings = told("diagnose", robot=robot, lang="zh")["result"]
    assert len(findings) >= 2
    assert all(CHINESE.search(each[part]) for each in findings for part in ("place", "found", "why"))


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
