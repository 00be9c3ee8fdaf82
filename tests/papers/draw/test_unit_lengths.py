"""An arm whose lengths have no values is drawn with unit lengths, and what shows the picture says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.papers.draw.posed import PosedArm
from qddot.teach.exam.exams import Asked, exam
from qddot.teach.exam.questions import DERIVE, SHOW

ROWS = [{"theta": "q1", "d": 0, "a": "l1", "alpha": 0}, {"theta": "q2", "d": 0, "a": "l2", "alpha": "90deg"}]
POINTS: list[dict[str, Any]] = [{"mass": f"m{k}", "com": [0, 0, 0]} for k in (1, 2)]


def arm(**values: Any) -> qddot.Robot:
    return qddot.from_dh(ROWS, POINTS, symbols={name: values.get(name, {}) for name in ("l1", "l2", "m1", "m2")})


def words_on(figure: Any) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def test_each_length_without_a_value_is_one() -> None:
    """By hand, the tip is at cos q1 + cos(q1 + q2), sin q1 + sin(q1 + q2)."""
    tip = PosedArm(arm().model, np.array([[0.3, 0.4]])).end[0]
    assert tip == pytest.approx([np.cos(0.3) + np.cos(0.7), np.sin(0.3) + np.sin(0.7), 0])
    tip = PosedArm(arm(l1=2.5).model, np.array([[0, 0]])).end[0]
    assert tip == pytest.approx([3.5, 0, 0])


def test_the_picture_says_which_lengths_are_assumed() -> None:
    assert "drawn with l1 = l2 = 1, as no values are given" in words_on(arm().plot())
    assert "未给出数值，作图时取 l1 = l2 = 1" in words_on(arm().plot(lang="zh"))
    assert "drawn with l2 = 1" in words_on(arm(l1=2.5).plot())
    assert "drawn with" not in words_on(arm(l1=1, l2=2).plot())
    assert "drawn with" not in words_on(robot("panda").plot())  # whose masses alone have no values


def test_many_lengths_are_not_all_named() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": f"a{k}", "alpha": 0} for k in range(1, 9)]
    long = qddot.from_dh(rows, [{"mass": 1, "com": [0, 0, 0]}] * 8, symbols=[f"a{k}" for k in range(1, 9)])
    assert "a1 = a2 = a3 = a4 = a5 = a6 = … = 1" in words_on(long.plot())


def test_an_exam_without_values_has_a_picture_with_a_caption_and_asks_no_numbers(tmp_path: Path) -> None:
    text = arm().exam(tmp_path / "exam.html", 2).read_text(encoding="utf-8")
    assert "<svg" in text and "drawn with l1 = l2 = 1, as no values are given</figcaption>" in text
    assert {part.question.kind for part in exam(arm().model).parts} == {DERIVE, SHOW}
    with refusal(qddot.QddotError, "value-missing", "l1"):
        exam(arm().model, 0, Asked("tau@"))


@pytest.mark.thorough
def test_a_report_without_values_has_a_picture_with_a_caption(tmp_path: Path) -> None:
    text = arm().report(tmp_path / "report.md").read_text(encoding="utf-8")
    assert "picture-1.svg" in text and "drawn with l1 = l2 = 1" in text
