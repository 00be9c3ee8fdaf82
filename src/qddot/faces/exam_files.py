"""Writes the files of an exam: sheet, solution, the arm of its variant, its rubric; for a class those of each student.

The arm may be a closed chain. The students' files have the numbers of their variants, and a table has them, too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from qddot.base.checked import whole
from qddot.base.errors import EvaluationError, FormatError, QddotError, shortened
from qddot.base.system import files, texts
from qddot.base.system.parts import installed
from qddot.base.words.language import or_in_use
from qddot.base.words.message import Message, say
from qddot.exact.equations.notations import notation_of
from qddot.formats.rows.dh_table import table_of
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


class Written(NamedTuple):
    """These are the files of an exam. main: the sheet, the quiz or the table of seeds; papers: those of each sheet

    notes: what whoever sets the exam may not expect
    """

    main: Path
    papers: tuple[tuple[Path, ...], ...]
    notes: tuple[Message, ...] = ()


def write(
    variants: Variants | ChainVariants,
    path: str | Path,
    seed: int,
    request: Asked,
    lang: str,
    students: int | str | Path | None,
    overwrite: bool,
    folder: str | Path | None = None,
) -> Written:
    """Writes an exam, or those of a class; arguments are those of `Robot.exam`."""
    lang = or_in_use(lang)
    names = None if students is None else _names(students)
    if names is not None and seed == 0:
        seed = 1  # the arm itself may be easier than its variants
    with _made(folder) as parent:
        place = report_file.checked(
            parent / path, lang, EXAM, overwrite or names is not None, say("an-exam"), (MOODLE,)
        )
        papers = Papers(variants, request, lang)
        exams = [papers.of(seed + k) for k in range(1 if names is None else len(names))]
        if names is None:
            groups = [_documents(exams[0], place, lang)]
            main = place
        elif place.suffix.lower() == MOODLE:
            groups = [{place: _quiz(exams, lang)}]
            main = place
        else:
            numbered = [place.with_name(f"{place.stem}-{seed + k:03d}{place.suffix}") for k in range(len(names))]
            groups = [_documents(paper, each, lang) for paper, each in zip(exams, numbered, strict=True)]
            main = place.with_name(f"{place.stem}-seeds.csv")
            groups.append({main: _table(seed, names, numbered)})
        content = {path: text for group in groups for path, text in group.items()}
        files.save(content, say("the-exam", file=next(iter(content))), EXAM, overwrite)
    return Written(main, tuple(map(tuple, groups)), tuple(_notes(exams, request)))


def _notes(exams: Sequence[Exam], request: Asked) -> Iterator[Message]:
    """Yields that the usual questions lack numbers, that exams of a class have the same formulas, and other rows than a
    book has.
    """
    first = exams[0]
    model = first.of.eq.model
    rows = notation_of(model.notation).rows
    if rows and not first.of.is_closed and table_of(model, rows) is None:
        yield say("rows-unlike-book", name=model.name, book=model.notation, rows=rows)
    if request.questions is None and not first.numbers:
        yield say("numbers-left-out", name=first.of.name)
    count = len({paper.formulas() for paper in exams})
    if first.points and count < len(exams):
        yield say("exams-alike", students=len(exams), count=count)


@contextmanager
def _made(folder: str | Path | None) -> Iterator[Path]:
    """Makes a folder, which is removed again if an error comes before it has files."""
    if folder is None:
        yield Path()
        return
    place = Path(folder)
    try:
        is_new = not place.exists()
        place.mkdir(exist_ok=True)
    except (OSError, ValueError) as problem:
        raise QddotError("place-unwritable", where=shortened(str(folder)), reason=problem) from None
    try:
        yield place
    except BaseException:
        if is_new:
            place.rmdir()
        raise


def _table(seed: int, names: Sequence[str], sheets: Sequence[Path]) -> str:
    """Returns the table of the seeds of a class."""
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("seed", "student", "sheet"))
    for k, (name, sheet) in enumerate(zip(names, sheets, strict=True)):
        rows.writerow((str(seed + k), f"'{name}" if name[:1] in FORMULA else name, sheet.name))
    return table.getvalue()


def _documents(paper: Exam, place: Path, lang: str) -> dict[Path, Any]:
    """Returns the contents of the files of one exam, by their paths."""
    beside = {place.with_name(f"{place.stem}-arm.toml"): paper.arm()}
    if paper.points or paper.numbers:
        beside[place.with_name(f"{place.stem}-rubric.toml")] = paper.rubric()
        beside[place.with_name(f"{place.stem}-answers.txt")] = paper.answers()
    if place.suffix.lower() == MOODLE:
        return {place: _quiz([paper], lang), **beside}
    picture = _picture(paper, lang, place.suffix.lower() == ".tex")
    solved = place.with_name(f"{place.stem}-solution{place.suffix}")
    documents = {place: paper.sheet(picture), solved: paper.solution(place.stem, picture)}
    return report_file.contents(documents) | beside


def _quiz(papers: Sequence[Exam], lang: str) -> str:
    return moodle.quiz(papers, [_picture(paper, lang, False) for paper in papers])


def _picture(paper: Exam, lang: str, pdf: bool) -> Picture | None:
    with installed():
        from qddot.faces import posed_picture
        from qddot.machine.numeric.arm import NumericArm
    arm, q = NumericArm(paper.of.eq.model), tuple(paper.state.numbers[0].values())
    try:
        return posed_picture.pose(arm, q, lang, pdf, paper.of.closed)
    except EvaluationError:
        return None


def _names(students: int | str | Path) -> list[str]:
    """Returns the names of a class: the lines of a file, or numbers.

    raises QddotError: no file, no names in it, or one of them twice
    """
    if isinstance(students, int) or (isinstance(students, str) and students.removeprefix("-").isdecimal()):
        count = whole(int(students), "students", 1, MOST_STUDENTS)
        return [""] * count
    text = texts.content(Path(students), LONGEST_LIST, STUDENTS)
    lines: dict[str, int] = {}
    for k, line in enumerate(text.splitlines(), 1):
        if (name := line.strip()) and lines.setdefault(name, k) != k:
            raise FormatError("student-twice", where=f"{students}:{k}", name=shortened(name), line=lines[name])
    whole(len(lines), say("students-in", file=students), 1, MOST_STUDENTS)
    return list(lines)
