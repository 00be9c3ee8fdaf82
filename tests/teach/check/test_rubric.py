"""Points by a rubric, notes to students, and tables of a class."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import commands
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

RIGHT = "M11 = m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*c2\nM12 = m2*l^2/3 + m2*l^2*c2/2\nM22 = m2*l^2/3"
SIGN = RIGHT.replace("+ m2*l^2*c2/2", "- m2*l^2*c2/2")
RUBRIC = "[points]\nM = 6\n[shares]\nsign = 0.25\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    answers = tmp_path / "class"
    for name, text in {"Ada_1_file": RIGHT, "Bo_2_file": SIGN, "Cy_3_file": "M22 = m2*l^2/3"}.items():
        (answers / name).mkdir(parents=True)
        (answers / name / "answer.txt").write_text(text, encoding="utf-8")
    (answers / "eve.txt").symlink_to("/etc/hostname")
    (answers / "=cmd.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    return answers


def test_points_are_given_by_a_rubric(folder: Path) -> None:
    grades = qddot.load("two_link").check_all(folder, rubric=folder.parent / "rubric.toml")
    points = {grade.student: grade.marks.points for grade in grades if grade.marks}
    assert points == {"Ada": 6, "Bo": 4.5, "Cy": 2, "eve": 0, "=cmd": 0}
    assert {grade.student: grade.total for grade in grades}["Cy"] == 3  # of which one is answered


def test_links_are_not_followed(folder: Path) -> None:
    grades = {grade.answer: grade for grade in qddot.load("two_link").check_all(folder)}
    assert grades["eve.txt"].error == "it is a symbolic link, which is not followed"
    assert grades["eve.txt"].judgement is None


def test_a_table_for_a_gradebook(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rubric = str(folder.parent / "rubric.toml")
    code, out, _ = commands.run(capsys, "check", "two_link", str(folder), "--rubric", rubric, "--csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 1
    assert {row["student"]: row["points"] for row in rows} == {
        "Ada": "6",
        "Bo": "4.5",
        "Cy": "2",
        "eve": "0",
        "'=cmd": "0",
    }
    assert [row["missing"] for row in rows if row["student"] == "Cy"] == ["M11 M12"]
    _, out, _ = commands.run(capsys, "check", "two_link", str(folder), "--rubric", rubric, "--json")
    assert {each["student"]: each["points"] for each in json.loads(out)["answers"]}["Bo"] == 4.5


def test_notes_say_no_more_than_they_are_asked_to(folder: Path) -> None:
    grades = {grade.student: grade for grade in qddot.load("two_link").check_all(folder)}
    first, second, third = (grades["Bo"].note(hints) for hints in (1, 2, 3))
    assert "M12 is not right" in first
    assert "M12 不正确" in first
    assert "sign" not in first
    assert "Likely mistake: a wrong sign" in second
    assert "符号有误" in second
    assert "m2" not in second
    assert "The right result is" in third
    assert "cannot be read" in grades["=cmd"].note(1)
    with refusal(QddotError, "hints-unknown", "4"):
        grades["Bo"].note(4)


def test_one_answer_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer, rubric = str(folder / "Bo_2_file" / "answer.txt"), str(folder.parent / "rubric.toml")
    code, out, _ = commands.run(capsys, "check", "two_link", answer, "--rubric", rubric)
    assert code == 1
    assert "points: 4.5 of 6" in out
    code, out, _ = commands.run(capsys, "check", "two_link", answer, "--only", "G")
    assert "missing: G1, G2" in out
    code, out, _ = commands.run(capsys, "check", "two_link", answer, "--hints", "2")
    assert "Likely mistake: a wrong sign" in out
    code, _, err = commands.run(capsys, "check", "two_link", answer, "--csv")
    assert (code, "--csv of one answer" in err) == (2, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((text, r"bad\.toml") for text in ("", "[points]", "points = 3", "x = [")),
        ("[points]\nM = -1", r"bad\.toml: -1 points"),
        ("[points]\nspeed = 1", r"bad\.toml: asked = 'speed'; expected quantities"),
        (RUBRIC + "carry=1", r"bad\.toml: the share carry = 1; expected carried or sign"),
    ],
)
def test_a_rubric_that_makes_no_sense_is_refused(text: str, says: str, folder: Path) -> None:
    (folder.parent / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(QddotError, match=says):
        qddot.load("two_link").check_all(folder, rubric=folder.parent / "bad.toml")
