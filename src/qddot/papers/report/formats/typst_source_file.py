"""Writes a document as a file of Typst, with its pictures beside it; the PDF is made from the same text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from qddot.papers.report.document import Document
from qddot.papers.report.formats.typst_source import Source, string

LATIN = ("New Computer Modern", "New Computer Modern Math")  # this font and the next one are part of Typst
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


def files(document: Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file, and of a file for each picture, whose name begins with that of the document.

    In Chinese, Typst takes the first of the fonts that is installed where the file is compiled.
    """
    return contents(document, place, CHINESE if document.lang == "zh" else ())


def contents(document: Document, place: Path, fonts: Sequence[str]) -> dict[Path, str]:
    """Returns the same with fonts for letters that are not Latin."""
    writer = Source(document, re.sub(r"[^A-Za-z0-9_-]", "-", place.stem))
    look = Path(__file__).with_name("paper.typ").read_text(encoding="utf-8")
    metadata = {"title": document.title, "subtitle": document.subtitle, "lang": document.lang}
    arguments = [f"{key}: {string(value)}" for key, value in metadata.items()]
    arguments.append(f"contents: {str(document.contents).lower()}")
    # the marks that both kinds of letters have, such as “, are those of the language
    latin = [f'(name: {string(name)}, covers: "latin-in-cjk")' if fonts else string(name) for name in LATIN]
    arguments.append(f"fonts: ({', '.join([*latin, *map(string, fonts)])},)")
    arguments.append(f"code-fonts: ({', '.join(map(string, (TYPEWRITER, *fonts)))},)")
    text = f"{look}\n#show: paper.with({', '.join(arguments)})\n\n{writer.body()}\n"
    return {place: text, **{place.with_name(name): svg for name, svg in writer.pictures.items()}}
