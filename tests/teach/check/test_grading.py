"""The answers of a class are graded one by one; those that cannot be read stop no other."""

from __future__ import annotations

import json
from pathlib import Path

import commands
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import FormatError, QddotError

ANSWERS: dict[str, bytes] = {
    "right.txt": b"G2 = m2*g*l2*cos(q1 + q2)/2\nG1 = m1*g*l1*c1/2 + m2*g*(l1*c1 + l2*c12/2)",
    "wrong.txt": b"G2 = m2*g*l2*cos(q2)/2\nG1 = m1*g*l1*c1/2 + m2*g*(l1*c1 + l2*c12/2)",
    "broken.tex": b"G_2 = \\frac{m_2",
    "empty.txt": b"",
    "binary.txt": bytes(range(256)),
    "bomb.txt": b"G2 = " + b"(" * 5_000,
    "tower.txt": b"G2 = (m1 + m2 + l1 + l2)**1000000",
    ".hidden": b"no answer",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in ANSWERS.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return tmp_path


def test_each_file_has_a_row_and_its_own_error(folder: Path) -> None:
    grades = qddot.load("planar_2r").check_all(folder)
    assert not grades
    rows = {grade.answer: grade for grade in grades}
    assert sorted(rows) == sorted(set(ANSWERS) - {".hidden"})
    assert [name for name, grade in rows.items() if grade] == ["right.txt"]
    assert [name for name, grade in rows.items() if grade.judgement] == ["right.txt"]
    assert [name for name, grade in rows.items() if grade.judgement is not None] == ["right.txt", "wrong.txt"]
    assert (rows["wrong.txt"].right, rows["wrong.txt"].total) == (1, 2)
    assert rows["wrong.txt"].mistake == "an angle is not summed: q2 instead of q1 + q2"
    assert rows["broken.tex"].error.startswith("broken.tex:1:")
    assert "it is empty" in rows["empty.txt"].mistake
    assert "binary data" in rows["binary.txt"].mistake
    assert "1 of 7 answers is right, 5 cannot be read" in str(grades)
    assert repr(grades) == "<grades of planar_2r: 1 of 7 answers is right, 5 cannot be read>"
    assert grades._repr_html_().count("<tr>") == 1 + len(grades) + 1 + len(grades.unread_groups)


def test_a_folder_is_graded_on_the_command_line(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = commands.run(capsys, "check", "planar_2r", str(folder))
    assert code == 1
    assert "1 of 7 answers is right" in out
    assert "an angle is not summed" in out
    code, out, _ = commands.run(capsys, "check", "planar_2r", str(folder), "--json")
    content = json.loads(out)
    assert code == 1
    assert content["equal"] is False
    assert {each["answer"]: each["equal"] for each in content["answers"]}["right.txt"] is True


def test_a_class_that_is_right_exits_with_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(ANSWERS["right.txt"])
    (tmp_path / "b.txt").write_bytes(ANSWERS["right.txt"].replace(b"m2", b"mass"))
    assert commands.run(capsys, "check", "planar_2r", str(tmp_path))[0] == 3  # one has an unknown name
    assert commands.run(capsys, "check", "planar_2r", str(tmp_path), "--rename", "mass=m2")[0] == 0


def test_right_wrong_and_open_answers_are_on_three_piles(folder: Path) -> None:
    (folder / "part.txt").write_bytes(ANSWERS["right.txt"] + b"\nG2 = a*m2")
    (folder / "half.txt").write_bytes(b"G1 = m1*g*l1*c1/2 + m2*g*(l1*c1 + l2*c12/2)")
    grades = qddot.load("planar_2r").check_all(folder, only="G")
    piles = {grade.answer: grade.pile for grade in grades}
    expected = {"right.txt": "right", "wrong.txt": "wrong", "half.txt": "wrong", "part.txt": "by hand"}
    assert piles == {name: expected.get(name, "by hand") for name in piles}
    assert grades.pile == "wrong"
    assert grades.to_csv().splitlines()[0].split(",")[:3] == ["student", "answer", "pile"]
    assert {each["answer"]: each["pile"] for each in json.loads(grades.to_json())["answers"]} == piles


def test_a_folder_without_answers_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = commands.run(capsys, "check", "planar_2r", str(tmp_path))
    assert code == 2
    assert "no files" in err
    for absent in (tmp_path / "absent", "x" * 5_000, "\0"):
        with refusal(FormatError, "folder-of-answers-unreadable"):
            qddot.load("planar_2r").check_all(absent)


def test_folders_of_students_are_graded_and_no_link_is_followed(tmp_path: Path) -> None:
    home = tmp_path / "class"
    for depth in range(6):
        place = home.joinpath(*"abcde"[:depth])
        place.mkdir(parents=True)
        (place / "answer.txt").write_bytes(ANSWERS["right.txt"])
    (tmp_path / "elsewhere.txt").write_bytes(ANSWERS["right.txt"])
    (home / "link.txt").symlink_to(tmp_path / "elsewhere.txt")
    rows = {grade.answer: grade for grade in qddot.load("planar_2r").check_all(home)}
    inside = ["/".join([*"abcde"[:depth], "answer.txt"]) for depth in range(6)]
    assert sorted(rows) == sorted([*inside, "link.txt"])
    assert all(rows[name] for name in inside)
    assert rows["link.txt"].error == "it is a symbolic link, which is not followed"


@pytest.fixture
def unknown_names(tmp_path: Path) -> Path:
    home = tmp_path / "answers"
    home.mkdir()
    for k in range(3):
        (home / f"s{k}.txt").write_text("G2 = m2*g*b*cos(q1 + q2)/2", encoding="utf-8")
    (home / "other.txt").write_text("G1 = m1*foo(q1)\nG2 = m2*g*l2*cos(q1 + q2)/2", encoding="utf-8")
    return home


def test_a_name_unknown_in_many_answers_is_one_cause_with_the_renaming_that_mends_them(unknown_names: Path) -> None:
    arm = qddot.load("planar_2r")
    first, *others = arm.check_all(unknown_names).unread_groups
    assert first.cause == "no 'b' in this arm"
    assert first.answers == ("s0.txt", "s1.txt", "s2.txt")
    assert first.remedy == "--rename b=l2"
    assert [len(each.answers) for each in others] == [1]
    assert {grade.answer for grade in arm.check_all(unknown_names, {"b": "l2"}) if grade} == set(first.answers)


def test_causes_are_printed_below_the_table_and_in_json(
    capsys: pytest.CaptureFixture[str], unknown_names: Path
) -> None:
    assert "--rename b=l2" in commands.run(capsys, "check", "planar_2r", str(unknown_names))[1]
    content = json.loads(commands.run(capsys, "check", "planar_2r", str(unknown_names), "--json")[1])
    assert [len(each["answers"]) for each in content["unread groups"]] == [3, 1]


def test_each_question_of_a_rubric_has_its_points(folder: Path) -> None:
    grades = qddot.load("planar_2r").check_all(folder, rubric={"M": 6, "G": 4})
    rows = [line.split(",") for line in grades.to_csv().splitlines()]
    assert rows[0][-2:] == ["points M", "points G"]
    assert {row[1]: row[-2:] for row in rows}["right.txt"] == ["0", "4"]
    assert "points G" in grades.titles
    answers = {each["answer"]: each for each in json.loads(grades.to_json())["answers"]}
    assert answers["right.txt"]["questions"]["G"] == {"points": 4.0, "most": 4}


@pytest.mark.parametrize(("lang", "verdict"), [("en", "Points for G: 4 of 4."), ("zh", "G 得分：4 / 4")])
def test_each_student_gets_a_file_of_feedback(unknown_names: Path, tmp_path: Path, lang: str, verdict: str) -> None:
    (unknown_names / "Zoë: " / "x_12").mkdir(parents=True, exist_ok=True)
    (unknown_names / "Zoë: " / "x_12" / "a.txt").write_bytes(ANSWERS["right.txt"])
    grades = qddot.load("planar_2r").check_all(unknown_names, rubric={"M": 6, "G": 4})
    paths = grades.write_feedback(tmp_path / "feedback", lang)
    assert [path.name for path in paths] == ["Zoë.txt", "other.txt", "s0.txt", "s1.txt", "s2.txt"]
    assert verdict in paths[0].read_text(encoding="utf-8")
    assert "foo" in paths[1].read_text(encoding="utf-8")
    assert grades.write_feedback(tmp_path / "feedback", lang) == paths  # its own files
    paths[0].write_text("My notes", encoding="utf-8")
    with refusal(QddotError, "file-of-another-maker"):
        grades.write_feedback(tmp_path / "feedback", lang)
    assert paths[0].read_text(encoding="utf-8") == "My notes"
    assert grades.write_feedback(tmp_path / "feedback", lang, overwrite=True) == paths


def test_feedback_is_not_written_among_the_answers(capsys: pytest.CaptureFixture[str], unknown_names: Path) -> None:
    code, _, err = commands.run(
        capsys, "check", "planar_2r", str(unknown_names), "--feedback", str(unknown_names / "f")
    )
    assert (code, "outside that of the answers" in err) == (2, True)
