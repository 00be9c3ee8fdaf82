"""Writes the files of a report, or of an exam, without the pictures that other packages draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.message import say
from qddot.exact.forms.textbook import Textbook
from qddot.faces.robot import Robot
from qddot.formats import writing
from qddot.papers.report import report_file
from qddot.papers.report.arm_report import ReportContents, base_of
from qddot.papers.report.arm_report import report as document_of
from qddot.papers.report.document import Document
from qddot.papers.report.finished_parts import FinishedParts
from qddot.teach.exam.exams import exam as exam_of

FORMATS = (".html", ".md", ".tex", ".ipynb")  # formats that need no other program


def report(arm: Robot, routes: Sequence[Textbook], suffix: str, lang: str) -> list[dict[str, str]]:
    """Returns the names and texts of a report's files, without pictures."""
    check_one_of(suffix, FORMATS, say("a-report"), QddotError)
    derivation = ReportContents(routes, arm.prove(), base_of(arm.model))
    document = document_of(derivation, lang, FinishedParts())._replace(robot=writing.in_its_frames(arm.model))
    return _files({f"{arm.name}{suffix}": document}, suffix)


def exam(arm: Robot, suffix: str, lang: str) -> list[dict[str, str]]:
    """Returns the names and texts of an exam's files, without pictures: the sheet, and its solution."""
    paper, stem = exam_of(arm.model, lang=lang), f"{arm.name}-exam"
    documents = {f"{stem}{suffix}": paper.sheet(), f"{stem}-solution{suffix}": paper.solution(stem)}
    return _files(documents, suffix)


def _files(documents: Mapping[str, Document], suffix: str) -> list[dict[str, str]]:
    files = import_module(report_file.FORMATS[suffix]).files
    return [
        {"name": str(place), "text": text}
        for name, document in documents.items()
        for place, text in files(document, Path(name)).items()
    ]
