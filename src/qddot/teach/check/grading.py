"""Grades the answers of a class: every file of a folder is judged, and an unreadable one does not stop the others."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from qddot.base.errors import FormatError, QddotError, shortened, visible
from qddot.base.records import record
from qddot.base.words.language import in_english, languages, or_in_use, speaking
from qddot.base.words.message import Following, Told, Words, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check import feedback
from qddot.teach.check.asked import required_entries
from qddot.teach.check.asked_numbers import MarkedNumber, besides, marked
from qddot.teach.check.checking import check
from qddot.teach.check.judging.judgement import BY_HAND, FALSE, PROVED, VERDICTS, Judgement, entries_missing
from qddot.teach.check.notes import Note
from qddot.teach.check.reading import answer_files
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.rubric import Marks, Rubric
from qddot.teach.check.unread_groups import TITLES as GROUP_TITLES
from qddot.teach.check.unread_groups import UnreadGroup, groups_of

TITLES: tuple[Words, ...] = ("", *map(say, ("title-answer", "title-right", "title-first-mistake")))
WITH_POINTS = (*TITLES[:-1], say("title-points"), TITLES[-1])
COLUMNS = ("student", "answer", "pile", "right", "of", "unread", "missing", "points", "most", "first mistake")
HINTS = 2  # feedback names the kinds of mistakes, without formulas
RIGHT, WRONG, UNREAD = "✓", "✗", "!"
DEEPEST_FOLDER = 40  # exported answers have fewer levels of folders
MOST_FILES = 10_000
MOODLES = re.compile(r"_\d+_assignsubmission_.*")  # what Moodle writes behind a student's name, with or without folders
IDLE_FOLDERS = ("__MACOSX", "__pycache__")


@record()
class Grade:
    """A grade has the name of an answer's file, and its judgement, or the reason why it cannot be read.

    marks: the points by a rubric, if there is one; numbers: the answer's numbers for the required ones
    fault: the whole answer with the reason if it cannot be read; listed: the student's name in the table of an exam
    """

    answer: str
    judgement: Judgement | None = None
    error: str = ""
    marks: Marks | None = None
    numbers: tuple[MarkedNumber, ...] = ()
    fault: Unread | None = None
    listed: str = ""

    @classmethod
    def unreadable(cls, path: Path, root: Path, error: QddotError, marks: Marks | None = None) -> Grade:
        """Returns the grade of a file in a folder that an error does not let be read."""
        name, where = path.relative_to(root).as_posix(), error.where.removeprefix(f"{path.parent}/")
        told = Told(error.to(type(error), where=where))
        return cls(name, error=told, marks=marks, fault=Unread.because(name, error.where or name, error))

    def __bool__(self) -> bool:
        return bool(self.judgement) and all(self.numbers)

    @property
    def pile(self) -> str:
        """Returns the pile of the judgement; a wrong number makes it "wrong", and an unreadable answer "by hand"."""
        return FALSE if self.wrong_numbers else self.judgement.pile if self.judgement is not None else BY_HAND

    @property
    def student(self) -> str:
        """Returns the student's name in an exam's table, or that of the folder or file, without Moodle's numbers."""
        first, *inner = self.answer.split("/")
        if self.listed or MOODLES.search(first):
            return self.listed or MOODLES.sub("", first)
        return first.split("_")[0] if inner else first.rpartition(".")[0] or first

    @property
    def right(self) -> int:
        """Returns how many entries and numbers are right."""
        entries = len(self.judgement.entries) - len(self.judgement.wrong) if self.judgement is not None else 0
        return entries + sum(map(bool, self.numbers))

    @property
    def total(self) -> int:
        """Returns how many entries and numbers are answered or asked; 0 for an unreadable answer."""
        entries = len(self.judgement.entries) + len(self.judgement.missing) if self.judgement is not None else 0
        return entries + len(self.numbers)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Returns the parts that are not read, or the whole answer."""
        return self.judgement.unread if self.judgement is not None else (self.fault,) if self.fault else ()

    @property
    def wrong_numbers(self) -> list[MarkedNumber]:
        """Returns the numbers that are wrong or missing; those that are not read are among what is not."""
        return [number for number in self.numbers if not number and not number.unread]

    @property
    def mistake(self) -> str:
        """Returns the likeliest mistake, or why a part cannot be read, or what is missing, or an empty text."""
        if self.judgement is None:
            return str(self.error)
        if self.judgement.mistakes:
            return str(self.judgement.mistakes[0])
        if self.judgement.wrong:
            first = self.judgement.wrong[0]
            return str(say("entry-is", name=first.name, verdict=VERDICTS[first.verdict]))
        if self.judgement.unread:
            return self.judgement.unread[0].sentence()
        if self.judgement.missing:
            return str(entries_missing(self.judgement.missing))
        return self.wrong_numbers[0].sentence() if self.wrong_numbers else ""

    def note(self, hints: int = 2, lang: str = "") -> str:
        """Returns a note to the student in English and Chinese, or in Chinese alone.

        hints: 1 names the wrong entries, 2 also the kinds of mistakes, 3 also says what they should be
        lang: "zh" for Chinese alone
        """
        return Note(self.judgement, self.error, self.marks, hints, tuple(self.wrong_numbers)).text(or_in_use(lang))

    def feedback(self, lang: str = "") -> str:
        """Returns what is right and wrong, how the answer was read, and what could not be read, as lines of text.

        raises QddotError: an unknown language
        """
        if lang and lang not in languages():
            raise QddotError("feedback-language", lang=shortened(lang))
        with speaking(lang):
            error = self.fault.reason if self.fault else self.error
            note = Note(self.judgement, error, self.marks, HINTS, tuple(self.wrong_numbers)).told()
            return feedback.text(self.answer, note, self.marks, self.judgement)

    def row(self) -> tuple[str, ...]:
        """Returns the row of a table with the TITLES."""
        if self.judgement is None:
            start: tuple[str, ...] = (UNREAD, visible(self.answer), "")
        else:
            right = say("right-of-total", right=self.right, total=self.total)
            if self.judgement.unread:
                right = say("not-judged-beside", right=right, count=len(self.judgement.unread))
            sign = RIGHT if self else UNREAD if self.judgement.unread and not self.judgement.wrong else WRONG
            start = (sign, visible(self.answer), str(right))
        return (*start, self.mistake)

    def points_of(self, questions: Sequence[str]) -> tuple[str, ...]:
        """Returns the cells of a row with all points and those of some questions."""
        if self.marks is None:
            return ("",) * (1 + len(questions))
        return (str(self.marks), *(str(self.marks.questions.get(name, "")) for name in questions))

    def columns(self, questions: Sequence[str] = ()) -> tuple[str, ...]:
        """Returns the cells below the COLUMNS, and the points of some questions."""
        judged = self.judgement
        unread, missing = (len(judged.unread), " ".join(judged.missing)) if judged is not None else ("", "")
        points = (f"{self.marks.points:g}", f"{self.marks.most:g}") if self.marks else ("", "")
        counts = (self.right, self.total, unread, missing)
        cells: list[object] = [self.student, self.answer, self.pile, *counts, *points, self.mistake]
        cells += [self.marks.cell(name) if self.marks else "" for name in questions]
        return tuple(_harmless(visible(str(cell))) for cell in cells)

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns the grade as data for JSON."""
        content: dict[str, Any] = {"student": self.student, "answer": self.answer, "error": self.error or None}
        if self.marks:
            questions = {
                name: {"points": each.points, "most": each.most} for name, each in self.marks.questions.items()
            }
            content |= {"points": self.marks.points, "most": self.marks.most, "questions": questions}
        content |= {"numbers": {each.name: each.answer for each in self.numbers}} if self.numbers else {}
        return (
            content
            | (self.judgement.as_json() if self.judgement is not None else {})
            | {"equal": bool(self), "pile": self.pile}
        )


def _harmless(cell: str) -> str:
    """Returns the text of a cell so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


@record()
class Grades:
    """These are the grades of all files in a folder, in the order of their names; true if every answer is right."""

    model: str
    grades: tuple[Grade, ...]
    find_groups: Callable[[], tuple[UnreadGroup, ...]] = field(default=tuple, repr=False)

    def __bool__(self) -> bool:
        return all(self.grades)

    def __iter__(self) -> Iterator[Grade]:
        return iter(self.grades)

    def __len__(self) -> int:
        return len(self.grades)

    @cached_property
    def unread_groups(self) -> tuple[UnreadGroup, ...]:
        """Returns what could not be read, grouped by its cause, that of the most answers first."""
        return self.find_groups()

    @property
    def questions(self) -> tuple[str, ...]:
        """Returns the names of the questions of the rubric if there are several."""
        names = dict.fromkeys(name for grade in self.grades if grade.marks for name in grade.marks.questions)
        return tuple(names) if len(names) > 1 else ()

    def write_feedback(
        self,
        folder: str | Path,
        lang: str = "",
        overwrite: bool = False,
    ) -> list[Path]:
        """Writes a file for each student, with what is right and wrong and what could not be read; returns the paths.

        lang: en or zh; overwrite: whether files may be replaced that are there already and not from earlier feedback
        raises QddotError: such a file is there, or one cannot be written
        """
        of_students: dict[str, list[str]] = {}
        for grade in self.grades:
            of_students.setdefault(grade.student, []).append(grade.feedback(lang))
        return feedback.write(of_students, folder, overwrite)

    @property
    def pile(self) -> str:
        """Returns "wrong" if any answer is, else "by hand" if somebody must look at any, else "right"."""
        piles = {grade.pile for grade in self.grades}
        return next((pile for pile in (FALSE, BY_HAND) if pile in piles), PROVED)

    @property
    def titles(self) -> tuple[str, ...]:
        """Returns the titles of the rows in the language in use."""
        if not any(grade.marks for grade in self.grades):
            return tuple(map(str, TITLES))
        points = (say("points-of-question", question=name) for name in self.questions)
        return tuple(map(str, (*WITH_POINTS[:-1], *points, WITH_POINTS[-1])))

    @property
    def summary(self) -> str:
        """Returns how many answers are right, and how many cannot be read."""
        right, unread = sum(map(bool, self.grades)), sum(grade.judgement is None for grade in self.grades)
        in_part = sum(grade.judgement is not None and bool(grade.judgement.unread) for grade in self.grades)
        said = say("answers-right", count=right, total=len(self))
        said = say("answers-unread", summary=said, count=unread) if unread else said
        said = say("answers-in-part", summary=said, count=in_part) if in_part else said
        return str(say("said-of", subject=self.model, said=said))

    def rows(self) -> list[tuple[str, ...]]:
        """Returns the rows below the titles."""
        more = len(self.titles) - len(TITLES)
        return [
            (*start, *(grade.points_of(self.questions) if more else ()), mistake)
            for grade, (*start, mistake) in ((grade, grade.row()) for grade in self.grades)
        ]

    def text(self) -> str:
        """Returns the table as lines of text."""
        lines = []
        for sign, answer, right, *_, mistake in self.rows():
            said = say("answer-right", answer=answer, right=right) if right else answer
            lines.append(f"{sign} {Following((said, mistake)) if mistake else said}")
        groups = [each.sentence() for each in self.unread_groups]
        return "\n".join([self.summary, *lines, *groups])

    def __str__(self) -> str:
        return self.text()

    @in_english
    def __repr__(self) -> str:
        return f"<grades of {self.summary}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        groups = [html.table(GROUP_TITLES, [group.row() for group in self.unread_groups])] if self.unread_groups else []
        return html.block(html.lines([self.summary]), html.table(self.titles, self.rows()), *groups)

    @in_english
    def to_json(self) -> str:
        """Returns all judgements as JSON that begins with `equal`."""
        content: dict[str, Any] = {"equal": bool(self), "pile": self.pile, "model": self.model}
        content["answers"] = [grade.as_json() for grade in self.grades]
        content["unread groups"] = [group.as_json() for group in self.unread_groups]
        return json.dumps(content, indent=2, ensure_ascii=False)

    @in_english
    def to_csv(self) -> str:
        """Returns a table for a gradebook: a row for each answer, with commas between the cells."""
        table = io.StringIO()
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow((*COLUMNS, *(f"points {name}" for name in self.questions)))
        rows.writerows(grade.columns(self.questions) for grade in self.grades)
        return table.getvalue()


class Exercise(NamedTuple):
    """This is what answers are judged by.

    rename: meanings of the answers' own names; values: of symbols that are numbers in the answers
    asked: the required quantities, by default those with points in the rubric
    """

    rename: Mapping[str, str] | None = None
    asked: str | Sequence[str] | None = None
    rubric: Rubric | None = None
    values: Mapping[str, Any] | None = None

    def renaming(self, more: Mapping[str, str]) -> Exercise:
        """Returns the exercise with more meanings of the answers' own names."""
        return self._replace(rename={**(self.rename or {}), **more}) if more else self


def check_all(eq: Quantities, folder: str | Path, task: Exercise) -> Grades:
    """Returns the grades of all files in a folder and in the folders of students in it, except hidden ones.

    Symbolic links are not followed.
    raises FormatError: no such folder, or no file in it; QddotError: an unknown required quantity
    """
    required_entries(eq, task.asked)  # a mistake in the task is none of the answers
    root = Path(folder)
    return grades_of(
        eq.model.name, eq.model.symbols, root, lambda path, more: grade_of(eq, path, root, task.renaming(more))
    )


def grades_of(
    title: str, symbols: Iterable[str], root: Path, grade: Callable[[Path, Mapping[str, str]], Grade]
) -> Grades:
    """Returns the grades of the answers in a folder. grade: grades a file with more renamings of its names

    symbols: the arm's, one of which an unknown name may mean
    raises FormatError: no such folder, or no file in it
    """

    def is_right(answer: str, meaning: Mapping[str, str]) -> bool:
        judgement = grade(root / answer, meaning).judgement
        return judgement is not None and bool(judgement.entries) and not (judgement.wrong or judgement.unread)

    grades = tuple(grade(path, {}) for path in _answers_in(root))
    parts = [(each.answer, part) for each in grades for part in each.unread]
    return Grades(title, grades, lambda: groups_of(parts, symbols, is_right))


def _answers_in(root: Path) -> list[Path]:
    try:
        files = sorted(_files(root, 0))
    except (OSError, ValueError, TypeError):
        raise FormatError("folder-of-answers-unreadable", folder=visible(str(root))[:200]) from None
    if not files:
        raise FormatError("no-answers", where=str(root))
    if len(files) > MOST_FILES:
        raise FormatError("answers-too-many", where=str(root), count=len(files), most=MOST_FILES)
    return files


def _files(folder: Path, depth: int) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name in IDLE_FOLDERS:
            continue
        if path.is_symlink() or path.is_file():
            yield path
        elif path.is_dir() and depth < DEEPEST_FOLDER:
            yield from _files(path, depth + 1)


def grade_of(eq: Quantities, path: Path, root: Path, task: Exercise) -> Grade:
    """Returns the grade of a file in a folder, or the reason why it cannot be read."""
    nothing = task.rubric.nothing if task.rubric is not None else None
    try:
        refuse_link(path)
        return replace(graded(eq, path, task), answer=path.relative_to(root).as_posix())
    except QddotError as error:
        return Grade.unreadable(path, root, error, nothing)


def refuse_link(path: Path) -> None:
    """Raises QddotError for a symbolic link."""
    if os.path.islink(path):
        raise QddotError("link-not-followed")


def graded(eq: Quantities, path: Path, task: Exercise) -> Grade:
    """Returns the grade of the answer in a file; raises QddotError if no part of it can be read."""
    rename, asked, rubric, values = task
    if rubric is None:
        return Grade(path.name, check(eq, path, rename, {}, asked, values))
    numbers = marked(rubric.numbers, answer_files.text_of(path)[0], rubric.points) if rubric.numbers else ()
    asked = asked or tuple(rubric.points)
    if asked or not numbers:
        judgement = check(eq, path, rename, {}, asked, values, besides(rubric.numbers, rubric.points))
    else:
        judgement = Judgement(eq.model.name, ())
    unread = [_unread(each, path) for each in numbers if each.unread]
    judgement = replace(judgement, unread=(*judgement.unread, *unread)) if unread else judgement
    return Grade(path.name, judgement, marks=rubric.marks(judgement, numbers), numbers=numbers)


def _unread(number: MarkedNumber, path: Path) -> Unread:
    error = QddotError("number-not-read", number=shortened(number.unread))
    return Unread.because(f"{number.name} = {number.unread}", f"{path}:{number.line}", error)
