"""Writes a document as LaTeX: for pdflatex with its basic packages in English, for xelatex with ctex in Chinese."""

from __future__ import annotations

import re
from pathlib import Path

from qddot.papers.report.document import Document
from qddot.papers.report.formats.tex_source import TexSource
from qddot.papers.report.formats.tex_text import escaped

CLASSES = {
    "en": "% !TEX program = pdflatex\n\\documentclass[10pt,a4paper]{article}\n\\setlength{\\parindent}{0pt}"
    "\\setlength{\\parskip}{.4em}\\renewcommand{\\arraystretch}{1.1}",
    "zh": "% !TEX program = xelatex\n\\documentclass[UTF8,zihao=false,10pt,linespread=1.15,a4paper]{ctexart}\n"
    "\\setlength{\\parskip}{.2em}\\ctexset{section={format=\\Large\\bfseries\\raggedright,beforeskip=2.5ex,afterskip=1ex}}",
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
