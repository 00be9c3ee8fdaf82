"""Writes a document as one HTML file: mathematics as MathML, pictures within it, no scripts and no requests."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from pathlib import Path

from qddot.report.document import (
    Blank,
    Block,
    Cell,
    Code,
    Columns,
    Document,
    Equations,
    Figure,
    Folded,
    Inline,
    Paragraph,
    Picture,
    Section,
    Table,
)
from qddot.report.formats import math_font
from qddot.report.formats.html_mathematics import equations, inline, text
from qddot.report.wording import Words

LIGHT = "#f59e0b"  # of a link to which a term belongs
VIEW = re.compile(r'viewBox="([\d. ]+)"')
TALLEST = 36  # rem of the arm's picture
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


def files(document: Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file."""
    return {place: page(document)}


def page(document: Document) -> str:
    """Returns the text of the page."""
    writer = _Writer(document)
    body = writer.body()
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{document.lang}">\n<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{text(document.title)}</title>",
            f"<style>{_style(body)}</style></head>\n<body>",
            body,
            "</body></html>\n",
        ]
    )


def _style(body: str) -> str:
    """Returns the style sheet, with the mathematical font cut to what stands on the page, and a rule for each link."""
    formulas = "".join(re.findall(r">([^<>]+)</m", body))
    font = base64.b64encode(math_font.cut(formulas)).decode()
    face = f'@font-face {{ font-family: "Report Math"; src: url(data:font/woff;base64,{font}); }}\n' if font else ""
    links = sorted({int(k) for links in re.findall(r'class="term ([^"]*)"', body) for k in re.findall(r"\d+", links)})
    paint = f"{{ fill: {LIGHT} !important; stroke: {LIGHT} !important; }}"
    rules = [f'body:has(.l{k}:hover, .l{k}:focus) [id^="link-{k}-"] path {paint}' for k in links]
    return "\n".join([face, Path(__file__).with_name("page.css").read_text(encoding="utf-8"), *rules])


class _Writer:
    """This writes the parts of one document."""

    def __init__(self, document: Document) -> None:
        self.document, self.numbers, self.words = document, document.numbers(), Words(document.lang)
        self.hinted = False

    def body(self) -> str:
        document = self.document
        contents = "".join(
            f'<li><a href="#{section.key}">{text(section.title)}</a></li>' for section in document.sections
        )
        return "\n".join(
            [
                f'<h1>{text(document.title)}</h1><p class="subtitle">{text(document.subtitle)}</p>',
                f"<nav><ol>{contents}</ol></nav>",
                *(self.section(k, section) for k, section in enumerate(document.sections, 1)),
            ]
        )

    def section(self, number: int, section: Section) -> str:
        blocks = "\n".join(map(self.block, section.blocks))
        return f'<section id="{section.key}">\n<h2>{number} {text(section.title)}</h2>\n{blocks}\n</section>'

    def block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return f"<p>{self.line(block.parts)}</p>"
        if isinstance(block, Equations):
            return self.hint(block) + self.uses(block) + equations(block, self.numbers[block.key][0])
        if isinstance(block, Figure):
            return self.figure(block)
        if isinstance(block, Table):
            return self.table(block)
        if isinstance(block, Code):
            return f"<pre>{'<br>'.join(map(text, block.text.splitlines()))}</pre>"
        if isinstance(block, Folded):
            inner = "\n".join(map(self.block, block.blocks))
            return f"<details><summary>{text(block.title)}</summary>\n{inner}</details>"
        return self.columns(block)

    def hint(self, block: Equations) -> str:
        """Returns how terms are followed to their links, once, in front of the first ones that can be."""
        if self.hinted or not any(equation.shares for equation in block.listed):
            return ""
        self.hinted = True
        return f'<p class="hint">{text(self.words("follow terms"))}</p>'

    def columns(self, block: Columns) -> str:
        columns = [
            f"<div><h3>{text(column.title)}</h3>\n{''.join(map(self.block, column.blocks))}</div>"
            for column in block.columns
        ]
        return f'<div class="columns{" wide" * (len(columns) > 1)}">{"".join(columns)}</div>'

    def uses(self, block: Equations) -> str:
        """Returns a line with the numbers of the equations that a block follows from."""
        parts = self.words.uses(key for key in block.uses if key in self.numbers)
        return f'<p class="uses">{self.line(parts)}</p>' if parts else ""

    def table(self, table: Table) -> str:
        head = "".join(f"<th>{inline(title, self.numbers)}</th>" for title in table.titles)
        rows = "".join(f"<tr>{''.join(map(self.cell, row))}</tr>" for row in table.rows)
        return f'<table class="data"><tr>{head}</tr>{rows}</table>'

    def cell(self, cell: Cell) -> str:
        if isinstance(cell, Blank):
            return '<td><span class="blank">&nbsp;</span></td>'
        return f"<td>{self.line(cell.parts if isinstance(cell, Paragraph) else (cell,))}</td>"

    def line(self, parts: Iterable[Inline]) -> str:
        return "".join(inline(part, self.numbers) for part in parts)

    def figure(self, figure: Figure) -> str:
        caption = f"<figcaption>{text(figure.caption)}</figcaption>"
        if not figure.given:
            return f"<figure>{_drawn(figure.picture)}{caption}</figure>"
        # the arm goes into a corner of the window while a term is pointed at; its place is kept
        width, height = map(float, VIEW.search(figure.picture.svg)[1].split()[2:])  # type: ignore[index]
        place = f"width: min(100%, {TALLEST * width / height:.2f}rem); aspect-ratio: {width / height:.4f}"
        return f'<figure class="arm"><div style="{place}">{_drawn(figure.picture)}</div>{caption}</figure>'


def _drawn(picture: Picture) -> str:
    """Returns the svg element alone, without the head of its file, and the image that moves in its place on screens."""
    found = re.search(r"<svg.*</svg>", picture.svg, re.DOTALL)
    still = found[0] if found else ""
    if not picture.moving:
        return still
    data = base64.b64encode(picture.moving).decode()
    return f'<img class="moving" alt="" src="data:image/webp;base64,{data}"><div class="still">{still}</div>'
