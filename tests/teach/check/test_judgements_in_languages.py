"""What a judgement says is told in the language in use, and what programs read of it in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from messages import slots_in

import qddot
from qddot.base.words.language import catalogue, languages, speaking
from qddot.formats.confusions.confusion import named
from qddot.teach.check.judging.mistakes import KINDS
from qddot.teach.check.notes import LEVELS

ENGLISH = re.compile(r"[A-Za-z_]{3,}")
NAMES = {
    "two_link",
    "fore",
    "tau",
    "bias",
    "qdd",
    "cos",
    "sin",
    "set",
    "rename",
    "Python",
    "ada",
    "dee",
    "class",
    "txt",
}
ANSWERS = {
    "right": "M22 = m2*l^2/3",
    "all right": "M22 = m2*l^2/3\nM12 = m2*l^2/3 + m2*l^2*cos(q2)/2",
    "rounded": "M22 = 0.3333*m2*l^2",
    "wrong": "M12 = m2*l^2/3 - m2*l^2*cos(q2)/2\nM22 = m2*l^2/4",
    "transposed": "C12 = -m2*l^2*sin(q2)*qd1/2\nC21 = -m2*l^2*sin(q2)*(qd1 + qd2)/2",
    "unread": "M22 = m2*l^2/3\nM12 = m9",
    "two values": "M22 = m2*l^2/3\nM22 = m2*l^2/4",
    "without accelerations": "tau1 = m2*l^2*qd1\ntau2 = m1*qd1",
    "another L": "L = -m1*g*l*sin(q1)/2",
    "numbers": "M22 = 1/3",
    "another C": "C11 = 0\nC12 = -m2*l^2*sin(q2)*(qd1 + qd2/2)\nC21 = m2*l^2*sin(q2)*qd1/2\nC22 = 0",
}


def english_in(text: str) -> set[str]:
    return set(ENGLISH.findall(text)) - NAMES


@pytest.mark.parametrize("kind", KINDS)
def test_every_mistake_has_a_sentence_in_each_language(kind: str) -> None:
    key = named(kind, {}).key
    for lang in languages():
        entry = catalogue(lang)[key]
        for form in entry.values() if isinstance(entry, dict) else [entry]:
            said = named(kind, dict.fromkeys(slots_in(form), "Q1")).told(lang)
            assert "Q1" in said or not slots_in(form)
            assert lang == "en" or not english_in(said.replace("∫xy dm", ""))


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_judgement_is_told_in_chinese_and_its_json_in_english(answer: str) -> None:
    arm, asked = qddot.load("two_link"), "M22,equations" if "tau" in answer else None
    json = arm.check(answer, only=asked).to_json()
    with speaking("zh"):
        judged = arm.check(answer, only=asked)
        rows = [cell for entry in judged.entries for cell in entry.row()]
        assert judged.to_json() == json
        assert not english_in("\n".join([judged.text(), *judged.witnesses(), *rows]))


@pytest.mark.parametrize("hints", LEVELS)
def test_the_grades_of_a_class_are_told_in_chinese(hints: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x").mkdir()
    for name, answer in zip("abcd", ("", *list(ANSWERS.values())[3:6]), strict=True):
        Path(f"x/{name}.txt").write_text(answer, encoding="utf-8")
    read, notes = [], []
    for lang in languages():
        with speaking(lang):
            grades = qddot.load("two_link").check_all("x", rubric={"M": 4, "G": 2})
            read.append((grades.to_json(), grades.to_csv()))
            notes.append([text for each in grades for text in (each.note(hints, "zh"), each.feedback("zh"))])
            table = str(grades)
    assert read[0] == read[1] and notes[0] == notes[1]
    assert not english_in("\n".join([table, *notes[1]]))
