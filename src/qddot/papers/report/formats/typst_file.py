"""Writes a document as PDF by Typst, which sees no other files and no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from qddot.base.errors import QddotError
from qddot.base.system import chinese_font, parts, programs
from qddot.base.words.message import Listed, say
from qddot.papers.report.document import Document
from qddot.papers.report.formats import typst_source
from qddot.papers.report.formats.typst_source import CHINESE

if TYPE_CHECKING:
    import typst


def files(document: Document, place: Path) -> dict[Path, bytes]:
    """Returns the content of the file.

    raises QddotError: Typst or a font is missing, or a picture is not an SVG
    """
    return {place: pdf(document)}


def pdf(document: Document) -> bytes:
    """Returns the pages."""
    fonts = available(document.lang)
    import typst

    with TemporaryDirectory() as folder:
        main = write(document, Path(folder), fonts.families())
        # without these folders it would search for the user's packages, and in the network
        compiler = typst.Compiler(main, folder, fonts, package_path=folder, package_cache_path=folder)
        try:
            pages = compiler.compile(format="pdf")
        except typst.TypstError as error:
            raise QddotError("report-not-set", message=error.message) from error
    assert isinstance(pages, bytes)
    return pages


def available(lang: str) -> typst.Fonts:
    """Returns Typst's fonts, including those of a language. raises QddotError: Typst or a font is missing"""
    if not programs.has_module("typst"):
        raise QddotError("pdf-needs-typst", remedy=parts.remedy("report"))
    import typst

    packaged = chinese_font.file()
    fonts = typst.Fonts(font_paths=[] if packaged is None else [packaged.parent])
    _fonts(lang, fonts.families())
    return fonts


def write(document: Document, folder: Path, families: Sequence[str]) -> Path:
    """Writes the source and its pictures into a folder, and returns the source's path; families: the available fonts"""
    written = typst_source.contents(document, folder / "report.typ", _fonts(document.lang, families))
    for place, content in written.items():
        place.write_text(content, encoding="utf-8")
    return folder / "report.typ"


def _fonts(lang: str, families: Sequence[str]) -> list[str]:
    """Returns the fonts that a language needs besides the Latin ones."""
    if lang != "zh":
        return []
    chinese = next((family for family in CHINESE if family in families), None)
    if chinese is None:
        raise QddotError(
            chinese_font.MISSING, expected=say("one-such-as", names=Listed(CHINESE[:3])), remedy=chinese_font.INSTALL
        )
    return [chinese]
