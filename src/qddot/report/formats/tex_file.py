"""Writes a document as LaTeX: for pdflatex with its basic packages in English, for xelatex with ctex in Chinese."""

from __future__ import annotations

import re
from pathlib import Path

from qddot.report.document import Document
from qddot.report.formats.tex_source import TexSource
from qddot.report.formats.tex_text import escaped

CLASSES = {
    "en": "% !TEX program = pdflatex\n\\documentclass[11pt,a4paper]{article}\n\\setlength{\\parindent}{0pt}",
    "zh": "% !TEX program = xelatex\n\\documentclass[UTF8,zihao=5,a4paper]{ctexart}",
}


def files(document: Document, place: Path) -> dict[Path, bytes | str]:
    """Returns the content of the file, and of the pictures beside it."""
    # only letters that are not commands where LaTeX reads the name
    writer = TexSource(document, re.sub(r"[^A-Za-z0-9_-]", "-", place.stem))
    text = source(writer)
    return {place: text, **{place.with_name(name): picture for name, picture in writer.pictures.items()}}


def source(writer: TexSource) -> str:
    """Returns the text of the file."""
    document = writer.document
    title, subtitle = (escaped(text, document.lang) for text in (document.title, document.subtitle))
    return "\n".join(
        [
            CLASSES[document.lang],
            Path(__file__).with_name("paper.tex").read_text(encoding="utf-8").rstrip(),
            f"\\hypersetup{{pdftitle={{{title}}},pdflang={{{document.lang}}}}}",
            "\\begin{document}",
            f"{{\\noindent\\LARGE\\bfseries {title}\\par}}\\smallskip",
            f"{{\\noindent\\color{{faint}}{subtitle}\\par}}\\bigskip",
            *(["\\tableofcontents"] if document.contents else []),
            "",
            writer.body(),
            "\\end{document}",
            "",
        ]
    )
