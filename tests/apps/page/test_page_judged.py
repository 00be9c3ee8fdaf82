"""Python judges the answers that are typed in the page, and shows what each formula is read as."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_questions import result, shipped

from qddot.base.words.language import documents, languages
from qddot.teach.check.judging.judgement import MARKS


def test_a_derivation_is_judged() -> None:
    judgement = result("check", robot=shipped("two_link"), answer="M22 = m2*L**2/3\nM12 = 0", rename={"L": "l"})
    entries = {each["entry"]: each for each in judgement["entries"]}
    assert entries["M22"]["verdict"] == "equal"
    assert entries["M12"]["verdict"] == "different"
    assert entries["M12"]["differenceMath"].startswith("<math>")


@pytest.mark.parametrize(("lang", "said"), [("en", "no 'm9' in this arm"), ("zh", "该机械臂中没有 'm9'")])
def test_an_answer_is_shown_as_it_is_read_while_it_is_typed(lang: str, said: str) -> None:
    text = "M22 = m2*l**2/3\nM12 = m9\nm1*l*qdd1 = tau1 - tau2\nG2 = ("
    shown = result("readAs", robot=shipped("two_link"), answer=text, rename={}, lang=lang)
    assert {each["entry"]: each["math"].count("<mn>0</mn>") for each in shown["entries"]} == {
        "M22": 0,
        {"en": "an equation of motion", "zh": "运动方程"}[lang]: 1,
    }
    assert [each["entry"] for each in shown["unread"]] == ["M12", "G2"]
    assert said in shown["unread"][0]["reason"]


def test_what_is_typed_is_never_the_path_of_a_file() -> None:
    shown = result("readAs", robot=shipped("two_link"), answer="/etc/hostname", rename={})
    assert shown["entries"] == []
    assert [each["entry"] for each in shown["unread"]] == ["the answer"]


def test_the_page_has_words_and_a_sign_for_each_verdict() -> None:
    listed = re.search(r"MARKS = \{ (.*?) \}", Path("page/src/views/check.ts").read_text(encoding="utf-8"))
    assert listed
    assert {part.partition(":")[0].strip() for part in listed[1].split(", ")} == set(MARKS)
    assert all(set(documents(lang, "page")["check"]["verdicts"]) == set(MARKS) for lang in languages())


def test_a_judgement_has_points_and_a_note_by_choice() -> None:
    asked = {"robot": shipped("two_link"), "answer": "M22 = m2*l**2/3\nM12 = 0", "rename": {}}
    judgement = result("check", **asked, rubric={"M": 3, "G": 2}, hints=1)
    assert judgement["missing"] == ["M11", "G1", "G2"]
    assert judgement["points"] == {"points": 1, "most": 5}
    assert "M12" in judgement["note"]
    assert "m2*l" not in judgement["note"]
    assert result("check", **asked, wanted="M22")["missing"] == []
    assert result("check", **asked)["note"] == ""


@pytest.mark.parametrize("robot", ["spatial_2r", "two_link", "one_link", "elbow_3r", "rp"])
def test_an_example_to_be_judged_has_one_wrong_sign(robot: str) -> None:
    judgement = result("check", robot=shipped(robot), answer=result("example", robot=shipped(robot)), rename={})
    wrong = [each for each in judgement["entries"] if each["verdict"] == "different"]
    assert len(wrong) == 1 and wrong[0] == judgement["entries"][-1]
    assert any("sign" in mistake for mistake in wrong[0]["mistakes"])
    assert judgement["unread"] == []
