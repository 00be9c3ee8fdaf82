"""Writes the files of a report; none is moved to its place before all are completely written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from qddot.base.errors import QddotError, check_one_of, shortened
from qddot.base.system import files
from qddot.base.words.message import Either, Message, say
from qddot.papers.report.document import Document

# the module of each format: its function `files` returns the content of every file that belongs to a document
FORMATS = {
    ".html": "qddot.papers.report.formats.html_page",
    ".md": "qddot.papers.report.formats.markdown_file",
    ".ipynb": "qddot.papers.report.formats.notebook_file",
    ".pdf": "qddot.papers.report.formats.typst_file",
    ".tex": "qddot.papers.report.formats.tex_file",
    ".typ": "qddot.papers.report.formats.typst_source",
}

OF_SLIDES = {
    ".html": "qddot.papers.report.formats.slides_page",
    ".pdf": "qddot.papers.report.formats.typst_file",
    ".typ": "qddot.papers.report.formats.typst_source",
}
REPORT, SLIDES = "report", "slides"  # the first is also the command that makes most documents
KINDS = {REPORT: FORMATS, SLIDES: OF_SLIDES}  # of documents, by what --format calls them

A_REPORT = say("a-report")


def checked(
    path: str | Path,
    lang: str,
    maker: str,
    overwrite: bool,
    what: Message = A_REPORT,
    others: Sequence[str] = (),
    kind: str = REPORT,
) -> Path:
    """Returns the path of a report or of another document in a language; others: the suffixes of further formats.

    kind: one of KINDS; maker, overwrite: as in `files.save`
    raises QddotError: no such kind, another kind of file, a folder that cannot be written to, a file that may not be
        replaced, or PDF without Typst or a font for the language
    """
    check_one_of(kind, KINDS, say("a-kind-of-document"), QddotError, expected=Either(KINDS))
    place, suffixes = Path(path), (*KINDS[kind], *others)
    what = say("slides") if kind == SLIDES else what
    if place.suffix.lower() not in suffixes:
        raise QddotError("wrong-kind-of-file", what=what, path=shortened(str(path)), names=Either(suffixes))
    if not files.may_hold(place.parent):
        raise QddotError("file-in-no-folder", target=shortened(str(path)))
    files.check([place], maker, overwrite)
    if place.suffix.lower() == ".pdf":
        import_module(FORMATS[".pdf"]).available(lang)
    return place


def contents(documents: Mapping[Path, Document]) -> dict[Path, files.Content]:
    """Returns the contents of all files of some documents, in the formats of their names."""
    content: dict[Path, files.Content] = {}
    for place, document in documents.items():
        formats = OF_SLIDES if document.slides else FORMATS
        content |= import_module(formats[place.suffix.lower()]).files(document, place)
    return content


def write(documents: Mapping[Path, Document], maker: str = REPORT, overwrite: bool = False) -> None:
    """Writes documents in the formats of the files' names.

    maker, overwrite: as in `files.save`
    raises QddotError: one of them cannot be written, or may not be replaced
    """
    files.save(contents(documents), say("the-report", file=next(iter(documents))), maker, overwrite)
