"""Marks the answers to an exam of many variants: each one is judged by the arm and the rubric of its own variant."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from qddot.base.errors import FormatError, QddotError, shortened
from qddot.base.system import texts
from qddot.base.words.message import Both, Listed, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.grading import Exercise, Grade, Grades, grade_of, grades_of, refuse_link
from qddot.teach.check.reading import answer_files
from qddot.teach.check.rubric import Rubric

TABLE = say("exam-table")
LARGEST_TABLE = 1_000_000  # bytes
HEADER = ["seed", "student", "sheet"]
MOST_LISTED = 12  # variants in an error
HEAD = 20  # lines at the beginning of an answer, one of which may say which variant it answers
STATED = re.compile(
    r"\b(?:variant|seed)[\s_:=#-]*(?:no\.?|number)?[\s_:=#-]*(\d{1,9})(?!\d)|第\s*(\d{1,9})\s*号卷", re.I
)


class Sheet(NamedTuple):
    """This is one variant of an exam: its seed, the student who gets it or "", and what its files' names begin with."""

    seed: int
    student: str
    stem: Path

    @property
    def arm(self) -> Path:
        """Returns the file of the variant's arm."""
        return self.stem.with_name(f"{self.stem.name}-arm.toml")

    @property
    def rubric(self) -> Path:
        """Returns the file of the variant's marks, which an exam without formulas and numbers lacks."""
        return self.stem.with_name(f"{self.stem.name}-rubric.toml")


def sheets_in(table: str | Path) -> tuple[Sheet, ...]:
    """Returns the variants of an exam; raises FormatError for anything but the table of an exam."""
    path = Path(table)
    rows = list(csv.reader(io.StringIO(texts.content(path, LARGEST_TABLE, TABLE))))
    if not rows or rows[0] != HEADER:
        raise FormatError("no-seed-columns", where=str(path), expected=TABLE)
    sheets = []
    for k, row in enumerate(rows[1:], 2):
        if len(row) != len(HEADER) or not re.fullmatch(r"\d{1,9}", row[0]) or Path(row[2]).name != row[2]:
            raise FormatError("seed-row", where=f"{path}:{k}", row=shortened(",".join(row)))
        sheets.append(Sheet(int(row[0]), row[1].removeprefix("'"), path.with_name(Path(row[2]).stem)))
    if not sheets:
        raise FormatError("no-variants", where=str(path), expected=TABLE)
    return tuple(sheets)


def check_exam(
    table: str | Path,
    folder: str | Path,
    quantities_of: Callable[[Path], Quantities],
    rename: Mapping[str, str] | None = None,
) -> Grades:
    """Returns the grades of all answers in a folder, each by its variant. quantities_of: those of an arm's file

    raises QddotError: no such table or folder, or an answer's variant whose files cannot be read
    """
    sheets, root = sheets_in(table), Path(folder)

    @cache
    def task_of(sheet: Sheet) -> tuple[Quantities, Exercise]:
        eq = quantities_of(sheet.arm)
        rubric = Rubric.read(eq, sheet.rubric) if sheet.rubric.exists() else None
        return eq, Exercise(rename, rubric=rubric)

    def grade(path: Path, more: Mapping[str, str]) -> Grade:
        try:
            sheet = sheet_of(path, root, sheets)
            eq, task = task_of(sheet)
        except QddotError as error:
            return Grade.unreadable(path, root, error)
        return replace(grade_of(eq, path, root, task.renaming(more)), listed=sheet.student)

    first, _ = task_of(sheets[0])
    return grades_of(Path(table).stem, first.model.symbols, root, grade)


def sheet_of(path: Path, root: Path, sheets: Sequence[Sheet]) -> Sheet:
    """Returns the variant that an answer's head, its name and its student's row in the table agree on.

    raises QddotError: they differ, none of them says which variant it is, or there is no such variant
    """
    refuse_link(path)
    name = path.relative_to(root).as_posix()
    sources = {
        "text-says": _stated("\n".join(answer_files.text_of(path)[0].splitlines()[:HEAD])),
        "name-says": _named(name, sheets),
        "table-says": {each.seed for each in sheets if each.student and each.student == Grade(name).student},
    }
    seeds = set[int]().union(*sources.values())
    if not seeds:
        raise QddotError("variant-not-said", where=name)
    if len(seeds) > 1:
        said = Listed(
            say("source-says-variant", source=say(source), seeds=Both(sorted(each)))
            for source, each in sources.items()
            if each
        )
        raise QddotError("variants-differ", where=name, said=said)
    sheet = next((each for each in sheets if each.seed in seeds), None)
    if sheet is None:
        listed = ", ".join(str(each.seed) for each in sheets[:MOST_LISTED]) + " …" * (len(sheets) > MOST_LISTED)
        raise QddotError("no-variant", where=name, seed=seeds.pop(), known=listed)
    return sheet


def _stated(text: str) -> set[int]:
    return {int(match[1] or match[2]) for match in STATED.finditer(text)}


def _named(name: str, sheets: Sequence[Sheet]) -> set[int]:
    """Returns the seeds that a file's name has, as in variant-7.txt, or in the name of a sheet, as in exam-003.tex."""
    stems = {each.seed for each in sheets if re.search(rf"(?<!\w){re.escape(each.stem.name)}(?!\d)", name)}
    return stems | _stated(name.replace("_", " "))
