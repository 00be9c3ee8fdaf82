"""Writes slides as one HTML file with a script for a lecturer's keys, which continues long slides on further ones."""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path

from qddot.papers.report import document as paper
from qddot.papers.report.formats.html_mathematics import row, text
from qddot.papers.report.formats.html_page import Page, beside, drawn_picture, font_face
from qddot.papers.report.slides import TITLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src 'sha256-{}'"
KEYS = {  # what the keys do, by the sentence that tells it
    "next slide": "→  ↓  Space  Page Down",
    "slide before": "←  ↑  Page Up",
    "first and last slide": "Home  End",
    "line by line": "N",
    "full screen": "F",
    "print slides": "P",
    "these keys": "?",
}


def files(document: paper.Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file."""
    return {place: page(document)}


def page(document: paper.Document) -> str:
    """Returns the text of the page; its script is the only one that the page may run."""
    writer, script = _Slides(document), beside("slides.js")
    body = "\n".join(writer.section(k, section) for k, section in enumerate(document.sections, 1))
    policy = POLICY.format(base64.b64encode(sha256(script.encode()).digest()).decode())
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{document.lang}">\n<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{text(document.title)}</title>",
            f"<style>{font_face(body)}{beside('slides.css')}</style></head>\n<body><main>",
            body,
            f"</main>\n{writer.help()}",
            f"<script>{script}</script></body></html>\n",
        ]
    )


class _Slides(Page):
    """This writes each section as a slide, whose body has a list of parts that may stand on different slides."""

    def section(self, number: int, section: paper.Section) -> str:
        body = f'<div class="body">{self.blocks(section.blocks)}</div>'
        if section.key == TITLE:
            return f'<section class="slide title" id="{TITLE}"><h1>{text(section.title)}</h1>{body}</section>'
        title = f'<header><h2>{text(section.title)}</h2><span class="part"></span></header>'
        foot = f'<footer><span>{text(self.document.title)}</span><span class="count"></span></footer>'
        return f'<section class="slide" id="{section.key}">{title}{body}{foot}</section>'

    def help(self) -> str:
        """Returns the list of keys."""
        rows = "".join(f"<dt>{keys}</dt><dd>{text(self.words(key))}</dd>" for key, keys in KEYS.items())
        return f'<dialog id="keys"><dl>{rows}</dl></dialog>'

    def equations(self, block: paper.EquationBlock, first: int) -> str:
        rows = "".join(
            f'<div class="row">{row(equation._replace(shares=()), number)}</div>'
            for number, equation in enumerate(block.listed, first)
        )
        zeros = self.line([self.words(said)]) if (said := self.zeros(block)) else ""
        return f'<div class="equations parts">{rows}</div>' + (f'<p class="zeros">{zeros}</p>' if zeros else "")

    def figure(self, figure: paper.Figure) -> str:
        return f"<figure>{drawn_picture(figure.picture)}<figcaption>{text(figure.caption)}</figcaption></figure>"

    def table(self, table: paper.Table) -> str:
        head = "".join(f"<th>{self.cell(title)}</th>" for title in table.titles)
        rows = "".join(f"<tr>{''.join(f'<td>{self.cell(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
        return f'<table><thead><tr>{head}</tr></thead><tbody class="parts">{rows}</tbody></table>'

    def code(self, code: paper.Code) -> str:
        lines = "".join(f"<div>{text(line) or ' '}</div>" for line in code.text.splitlines())
        return f'<pre class="parts">{lines}</pre>'
