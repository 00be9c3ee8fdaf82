"""Grades the answers of a class: every file of a folder is judged, and one that cannot be read stops no other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from qddot.check.checking import check
from qddot.check.judging.judgement import Judgement
from qddot.equations.quantities import Quantities
from qddot.errors import FormatError, QddotError, visible

TITLES = ("", "answer", "right", "first mistake")
RIGHT, WRONG, UNREAD = "✓", "✗", "!"


@dataclass(frozen=True)
class Grade:
    """A grade has the name of an answer's file, and its judgement, or the reason why it cannot be read."""

    answer: str
    judgement: Judgement | None = None
    error: str = ""

    def __bool__(self) -> bool:
        return bool(self.judgement)

    @property
    def right(self) -> int:
        """Returns how many entries are right."""
        return self.total - len(self.judgement.wrong) if self.judgement is not None else 0

    @property
    def total(self) -> int:
        """Returns how many entries are answered; 0 of what cannot be read."""
        return len(self.judgement.entries) if self.judgement is not None else 0

    @property
    def mistake(self) -> str:
        """Returns the likeliest mistake, or why the answer cannot be read, or nothing."""
        if self.judgement is None:
            return self.error
        if self.judgement.mistakes:
            return str(self.judgement.mistakes[0])
        return "" if self else f"{self.judgement.wrong[0].name} is {self.judgement.wrong[0].verdict}"

    def row(self) -> tuple[str, str, str, str]:
        """Returns a row below the TITLES."""
        if self.judgement is None:
            return UNREAD, visible(self.answer), "", self.error
        return RIGHT if self else WRONG, visible(self.answer), f"{self.right} of {self.total}", self.mistake


@dataclass(frozen=True)
class Grades:
    """Grades are those of all files in a folder, in the order of their names; true if every answer is right."""

    model: str
    grades: tuple[Grade, ...]

    def __bool__(self) -> bool:
        return all(self.grades)

    def __iter__(self) -> Iterator[Grade]:
        return iter(self.grades)

    def __len__(self) -> int:
        return len(self.grades)

    @property
    def summary(self) -> str:
        """Returns how many answers are right, and how many cannot be read."""
        right, unread = sum(map(bool, self.grades)), sum(grade.judgement is None for grade in self.grades)
        more = f", {unread} cannot be read" if unread else ""
        return f"{self.model}: {right} of {len(self)} answers {'is' if right == 1 else 'are'} right{more}"

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Returns the rows below the TITLES."""
        return [grade.row() for grade in self.grades]

    def text(self) -> str:
        """Returns the table as lines of text."""
        lines = [
            f"{mark} {answer}{f': {right} right' if right else ''}{f'; {why}' if why else ''}"
            for mark, answer, right, why in self.rows()
        ]
        return "\n".join([self.summary, *lines])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<grades of {self.summary}>"

    def _repr_html_(self) -> str:
        from qddot import html

        return html.shown(html.lines([self.summary]), html.table(TITLES, self.rows()))

    def to_json(self) -> str:
        """Returns all judgements as JSON that begins with `equal`."""
        answers = [
            {"answer": grade.answer, "error": grade.error or None}
            | (grade.judgement.as_json() if grade.judgement is not None else {"equal": False})
            for grade in self.grades
        ]
        return json.dumps({"equal": bool(self), "model": self.model, "answers": answers}, indent=2, ensure_ascii=False)


def check_all(eq: Quantities, folder: str | Path, rename: Mapping[str, str] | None = None) -> Grades:
    """Returns the grades of all files in a folder, but for hidden ones.

    raises FormatError: no such folder, or no file in it
    """
    try:
        files = sorted(path for path in Path(folder).iterdir() if path.is_file() and not path.name.startswith("."))
    except (OSError, ValueError, TypeError):
        raise FormatError(
            f"no folder that can be read: {visible(str(folder))[:200]}", expected="a folder of answers"
        ) from None
    if not files:
        raise FormatError("no files", where=str(folder), expected="answers, one a file")
    return Grades(eq.model.name, tuple(_grade(eq, path, rename) for path in files))


def _grade(eq: Quantities, path: Path, rename: Mapping[str, str] | None) -> Grade:
    try:
        return Grade(path.name, check(eq, path, rename, {}))
    except QddotError as error:
        return Grade(path.name, error=str(error).removeprefix(f"{path.parent}/"))
