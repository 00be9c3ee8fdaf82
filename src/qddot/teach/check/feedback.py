"""Writes feedback to each student of a class: verdict, points, mistakes, how the answer was read, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from qddot.base.errors import QddotError, visible
from qddot.base.system import files
from qddot.base.words.message import say
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.rubric import Marks

LONGEST_NAME = 60  # letters of a student's name in the name of a file
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)  # files that Windows does not make


def write(of_students: Mapping[str, Sequence[str]], folder: str | Path, overwrite: bool) -> list[Path]:
    """Writes a file for each student, and returns their paths. of_students: the texts about each one's answers

    Feedback that is there already is replaced.
    raises QddotError: another file has its name, unless `overwrite` says that it may be replaced, or cannot be written
    """
    names = list(_file_names(of_students))
    texts = {name: "\n\n".join(own) + "\n" for name, own in zip(names, of_students.values(), strict=True)}
    return files.save_in(folder, texts, "check", overwrite, QddotError)


def _file_names(students: Iterable[str]) -> Iterator[str]:
    """Yields different names of files, also where capitals do not count, without signs that a system may forbid."""
    taken = set[str]()
    for student in students:
        stem = re.sub(r"[^\w-]+", "_", student)[:LONGEST_NAME].strip("_") or "answer"
        stem = f"{stem}_" if DEVICES.fullmatch(stem) else stem
        name, k = stem, 1
        while name.lower() in taken:
            k += 1
            name = f"{stem}-{k}"
        taken.add(name.lower())
        yield f"{name}.txt"


def text(answer: str, note: str, marks: Marks | None, judged: Judgement | None) -> str:
    """Returns the feedback on one answer in the language in use.

    answer: its name; note: what is right and wrong
    """
    heading = visible(answer)
    lines = [heading, "=" * len(heading), note]
    if marks is not None and len(marks.questions) > 1:
        for name, each in marks.questions.items():
            lines.append(str(say("feedback-points", name=name, points=f"{each.points:g}", most=f"{each.most:g}")))
    if judged is not None and judged.notes:
        lines += ["", str(say("feedback-read")), *(f"- {visible(str(each))}" for each in judged.notes)]
    if judged is not None and judged.unread:
        lines += ["", str(say("feedback-unread")), *(f"- {_without_folder(each).sentence()}" for each in judged.unread)]
    return "\n".join(lines)


def _without_folder(part: Unread) -> Unread:
    return part._replace(where=part.where.rpartition("/")[2])
