"""The answers to an exam of many variants are marked by one command, each by its own variant."""

from __future__ import annotations

from pathlib import Path

import commands
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import FormatError, QddotError
from qddot.teach.exam.exams import Asked, exam
from qddot.teach.exam.variants import Variants

COUNT = 30


class Paper:
    """This is an exam of thirty variants with the right answer to each, and a folder for answers."""

    def __init__(self, place: Path) -> None:
        variants, rows, self.answers = Variants(qddot.load("two_link").model), ["seed,student,sheet"], list[str]()
        self.table = place / "exam-seeds.csv"
        for seed in range(COUNT):
            paper, stem = exam(variants.of(seed), seed, Asked("M=20,G=20")), f"exam-{seed:03d}"
            (place / f"{stem}-arm.toml").write_text(paper.arm(), encoding="utf-8")
            (place / f"{stem}-rubric.toml").write_text(paper.rubric(), encoding="utf-8")
            rows.append(f"{seed},Student {seed},{stem}.pdf")
            self.answers.append(paper.answers())
        self.table.write_text("\n".join([*rows, ""]), encoding="utf-8")


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    return Paper(tmp_path_factory.mktemp("exam"))


def test_the_right_answers_to_thirty_variants_are_accepted_by_one_command(
    paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed, answer in enumerate(paper.answers):
        (tmp_path / f"page-{chr(97 + seed % 26)}{chr(97 + seed // 26)}.txt").write_text(f"Variant {seed}\n{answer}")
    code, out, _ = commands.run(capsys, "check", str(paper.table), str(tmp_path))
    assert (code, f"{COUNT} of {COUNT} answers are right" in out) == (0, True)


def test_answers_that_are_copied_from_another_variant_are_not_accepted(paper: Paper, tmp_path: Path) -> None:
    for seed in range(COUNT):
        (tmp_path / f"variant-{seed}.txt").write_text(paper.answers[(seed + 1) % COUNT])
    grades = qddot.check_exam(paper.table, tmp_path)
    assert len(grades) == COUNT
    assert not any(grade.marks is None or grade.marks.points == grade.marks.most for grade in grades)
    assert not any(grades)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("answer.txt", "Variant 7 · 40 marks · 40 minutes"),
        ("answer.txt", "% seed: 7"),
        ("answer.txt", "第 7 号卷 · 满分 40 分"),
        ("exam-007.txt", ""),
        ("zoe_seed_7.txt", ""),
        ("variant 7/answer.txt", "Variant 7"),
        ("Student 7_123_assignsubmission_file_/answer.txt", ""),
        ("Student 7_123_assignsubmission_file_my_answer.txt", ""),
        ("Student 7.txt", ""),
    ],
)
def test_an_answer_says_which_variant_it_answers(paper: Paper, tmp_path: Path, name: str, head: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{head}\n{paper.answers[7]}", encoding="utf-8")
    assert qddot.check_exam(paper.table, tmp_path)


@pytest.mark.parametrize(
    ("name", "head", "error"),
    [
        ("answer.txt", "", "which variant it answers is not said"),
        ("answer.txt", "Variant 99", "no variant 99"),
        ("Student 3.txt", "Variant 7", "its text says variant 7, the table says variant 3: look at it by hand"),
        ("variant-4.txt", "Variant 7", "its name says variant 4"),
        ("answer.txt", "Variant 7, Variant 8", "variant 7 and 8"),
    ],
)
def test_an_answer_whose_variant_is_in_doubt_is_not_judged(
    paper: Paper, tmp_path: Path, name: str, head: str, error: str
) -> None:
    (tmp_path / name).write_text(f"{head}\n{paper.answers[7]}", encoding="utf-8")
    (grade,) = qddot.check_exam(paper.table, tmp_path)
    assert grade.judgement is None
    assert error in grade.error


def test_the_table_that_an_exam_writes_is_read(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Ada Lovelace\n李雷\n", encoding="utf-8")
    exams, answers = tmp_path / "exams", tmp_path / "answers"
    table = qddot.load("one_link").exam("final.md", 4, "M,G", students=tmp_path / "names.txt", folder=exams)
    answers.mkdir()
    for number in (4, 5):
        text = (exams / f"final-00{number}-answers.txt").read_text(encoding="utf-8")
        (answers / f"final-00{number}-zoe.txt").write_text(text, encoding="utf-8")
    grades = qddot.check_exam(table, answers)
    assert grades and [grade.student for grade in grades] == ["Ada Lovelace", "李雷"]


def test_a_class_does_not_get_the_arm_itself(tmp_path: Path) -> None:
    qddot.load("one_link").exam("final.md", questions="M", students=1, folder=tmp_path)
    assert (tmp_path / "final-001.md").is_file()


def test_a_folder_that_cannot_be_made_is_named_and_an_error_leaves_none(tmp_path: Path) -> None:
    arm = qddot.load("one_link")
    with refusal(QddotError, "place-unwritable", "'missing/exams'"):
        arm.exam("final.md", folder="missing/exams")
    with refusal(QddotError, "no-question", "'N'"):
        arm.exam("final.md", questions="N", folder=tmp_path / "exams")
    assert not (tmp_path / "exams").exists()


@pytest.mark.parametrize("text", ["", "a,b\n", "seed,student,sheet\n", "seed,student,sheet\n1,x,../../exam.pdf\n"])
def test_another_table_is_an_error(tmp_path: Path, text: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError):
        qddot.check_exam(table, tmp_path)
