"""Writes the files of an exam: sheet, solution, the arm of its variant, its rubric; for a class those of each student.

The arm may be a closed chain. The students' files have the numbers of their variants, and a table has them, too.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from qddot.base.checked import whole
from qddot.base.errors import EvaluationError
from qddot.base.system import files, texts
from qddot.base.system.parts import installed
from qddot.base.words.language import or_in_use
from qddot.base.words.message import say
from qddot.papers.report import report_file
from qddot.papers.report.document import Picture
from qddot.teach.exam import moodle
from qddot.teach.exam.chain_variants import ChainVariants
from qddot.teach.exam.exams import Asked, Exam
from qddot.teach.exam.levelled import Papers
from qddot.teach.exam.variants import Variants

MOODLE = ".xml"
EXAM = "exam"  # the command that makes these files
MOST_STUDENTS = 1_000
FORMULA = ("=", "+", "-", "@", "\t")  # characters that spreadsheets take for the beginning of a formula
LONGEST_LIST = 1_000_000  # the largest file of names, in bytes
STUDENTS = say("list-of-students")


def write(
    variants: Variants | ChainVariants,
    path: str | Path,
    seed: int,
    request: Asked,
    lang: str,
    students: int | str | Path | None,
    overwrite: bool,
) -> Path:
    """Writes an exam, or those of a class; arguments are those of `Robot.exam`."""
    lang = or_in_use(lang)
    place = report_file.checked(path, lang, EXAM, overwrite or students is not None, say("an-exam"), (MOODLE,))
    papers = Papers(variants, request, lang)
    if students is None:
        _write(_documents(papers.of(seed), place, lang), overwrite)
        return place
    names, content, rows = _names(students), dict[Path, Any](), [("seed", "student", "sheet")]
    for k, name in enumerate(names):
        number = place.with_name(f"{place.stem}-{seed + k:03d}{place.suffix}")
        content |= _documents(papers.of(seed + k), number, lang)
        rows.append((str(seed + k), f"'{name}" if name[:1] in FORMULA else name, number.name))
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    _write(content | {place.with_name(f"{place.stem}-seeds.csv"): table.getvalue()}, overwrite)
    return place.with_name(f"{place.stem}-seeds.csv")


def _documents(paper: Exam, place: Path, lang: str) -> dict[Path, Any]:
    """Returns the contents of the files of one exam, by their paths."""
    beside = {place.with_name(f"{place.stem}-arm.toml"): paper.arm()}
    if paper.points or paper.numbers:
        beside[place.with_name(f"{place.stem}-rubric.toml")] = paper.rubric()
        beside[place.with_name(f"{place.stem}-answers.txt")] = paper.answers()
    if place.suffix.lower() == MOODLE:
        return {place: moodle.quiz(paper), **beside}
    picture = _picture(paper, lang, place.suffix.lower() == ".tex")
    solved = place.with_name(f"{place.stem}-solution{place.suffix}")
    documents = {place: paper.sheet(picture), solved: paper.solution(place.stem, picture)}
    return report_file.contents(documents) | beside


def _picture(paper: Exam, lang: str, pdf: bool) -> Picture | None:
    with installed():
        from qddot.faces import posed_picture
        from qddot.machine.numeric.arm import NumericArm
    arm, q = NumericArm(paper.of.eq.model), tuple(paper.state.numbers[0].values())
    try:
        return posed_picture.pose(arm, q, lang, pdf, paper.of.closed)
    except EvaluationError:
        return None


def _write(content: dict[Path, Any], overwrite: bool) -> None:
    files.save(content, say("the-exam", file=next(iter(content))), EXAM, overwrite)


def _names(students: int | str | Path) -> list[str]:
    """Returns the names of a class: the lines of a file, or numbers. raises QddotError: no file, or no names in it"""
    if isinstance(students, int) or (isinstance(students, str) and students.isdecimal()):
        count = whole(int(students), "students", 1, MOST_STUDENTS)
        return [""] * count
    text = texts.content(Path(students), LONGEST_LIST, STUDENTS)
    names = [line.strip() for line in text.splitlines() if line.strip()]
    whole(len(names), say("students-in", file=students), 1, MOST_STUDENTS)
    return names
