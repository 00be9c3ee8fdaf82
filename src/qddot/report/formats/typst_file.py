"""Writes a document as PDF by Typst, which sees no other files and no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from qddot.errors import QddotError
from qddot.report.document import Document
from qddot.report.formats.typst_source import Source, string
from qddot.system import chinese_font, programs

if TYPE_CHECKING:
    import typst

LATIN = ("New Computer Modern", "New Computer Modern Math")  # which Typst brings along, as it does the next one
TYPEWRITER = "DejaVu Sans Mono"
CHINESE = (  # fonts that textbooks in Chinese are set in, the first that is there
    "Noto Serif CJK SC",
    "Noto Serif SC",
    "Source Han Serif SC",
    "Source Han Serif CN",
    "Songti SC",
    "STSong",
    "SimSun",
    "NSimSun",
    "FandolSong",
    "AR PL UMing CN",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
)


def files(document: Document, place: Path) -> dict[Path, bytes]:
    """Returns the content of the file.

    raises QddotError: Typst or a font is missing, or a picture is no SVG
    """
    return {place: pdf(document)}


def pdf(document: Document) -> bytes:
    """Returns the pages."""
    fonts = available(document.lang)
    import typst

    with TemporaryDirectory() as folder:
        main = write(document, Path(folder), fonts.families())
        # without these folders it would look for packages of the user, and in the network
        compiler = typst.Compiler(main, folder, fonts, package_path=folder, package_cache_path=folder)
        try:
            pages = compiler.compile(format="pdf")
        except typst.TypstError as error:
            raise QddotError(f"the report cannot be set: {error.message}") from error
    assert isinstance(pages, bytes)
    return pages


def available(lang: str) -> typst.Fonts:
    """Returns Typst's fonts, those of a language among them. raises QddotError: Typst or a font is missing"""
    if not programs.has_module("typst"):
        raise QddotError("PDF needs the package typst", remedy='pip install "qddot[report]"')
    import typst

    packaged = chinese_font.file()
    found = typst.Fonts(font_paths=[] if packaged is None else [packaged.parent])
    _fonts(lang, found.families())
    return found


def write(document: Document, folder: Path, families: Sequence[str]) -> Path:
    """Writes the source and its pictures into a folder, and returns the source's path; families: the fonts there are"""
    fonts = _fonts(document.lang, families)
    look = Path(__file__).with_name("paper.typ").read_text(encoding="utf-8")
    writer = Source(document)
    told = {"title": document.title, "subtitle": document.subtitle, "lang": document.lang}
    arguments = [f"{key}: {string(value)}" for key, value in told.items()]
    arguments.append(f"contents: {str(document.contents).lower()}")
    # the marks that both kinds of letters have, such as “, are those of the language
    latin = [f'(name: {string(name)}, covers: "latin-in-cjk")' if fonts else string(name) for name in LATIN]
    arguments.append(f"fonts: ({', '.join([*latin, *map(string, fonts)])},)")
    arguments.append(f"code-fonts: ({', '.join(map(string, (TYPEWRITER, *fonts)))},)")
    main = folder / "report.typ"
    main.write_text(f"{look}\n#show: paper.with({', '.join(arguments)})\n\n{writer.body()}\n", encoding="utf-8")
    for name, svg in writer.pictures.items():
        (folder / name).write_text(svg, encoding="utf-8")
    return main


def _fonts(lang: str, families: Sequence[str]) -> list[str]:
    """Returns the fonts that a language needs beside the Latin ones."""
    if lang != "zh":
        return []
    chinese = next((family for family in CHINESE if family in families), None)
    if chinese is None:
        raise QddotError(
            chinese_font.MISSING, expected=f"one such as {', '.join(CHINESE[:3])}", remedy=chinese_font.INSTALL
        )
    return [chinese]
