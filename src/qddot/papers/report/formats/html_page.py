"""Writes a document as one HTML file: mathematics as MathML, pictures within it, no scripts and no requests."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from pathlib import Path

from qddot.papers.report import document as paper
from qddot.papers.report.formats import math_font
from qddot.papers.report.formats.format_writer import Writer
from qddot.papers.report.formats.html_mathematics import equations, mathematics, reached, text

LIGHT = "#f59e0b"  # the colour of a link to which a term belongs
SHORT = 12  # letters of a cell that stay on one line, such as kg m²
GLUED = re.compile(  # mathematics with what must stand on its line
    r"<math[^>]*>(?:(?!</math>).)*</math>(?:\u00a0=\u00a0(?:[^\s<>,;]+|<math[^>]*>(?:(?!</math>).)*</math>))?"
    r"(?:[。，；：、）]+|(?:[.,;:)]+|(?<=\w))(?=[\s<]|$))"
)
VIEW = re.compile(r'viewBox="([\d. ]+)"')
TALLEST = 36  # rem of the arm's picture
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


def files(document: paper.Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file."""
    return {place: page(document)}


def page(document: paper.Document) -> str:
    """Returns the text of the page."""
    body = Page(document).body()
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{document.lang}">\n<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{text(document.title)}</title>",
            f"<style>{_style(body)}</style></head>\n<body><main>",
            body,
            "</main></body></html>\n",
        ]
    )


def _style(body: str) -> str:
    """Returns the style sheet, with the font of the mathematics, and a rule for each link."""
    links = sorted({int(k) for links in re.findall(r'class="term ([^"]*)"', body) for k in re.findall(r"\d+", links)})
    paint = f"{{ fill: {LIGHT} !important; stroke: {LIGHT} !important; }}"
    rules = [f'body:has(.l{k}:hover, .l{k}:focus) [id^="link-{k}-"] path {paint}' for k in links]
    return "\n".join([font_face(body), beside("page.css"), *rules])


def font_face(body: str) -> str:
    """Returns the style sheet's rule with the mathematical font, cut to the letters of a page."""
    formulas = "".join(re.findall(r">([^<>]+)</m", body))
    font = base64.b64encode(math_font.cut(formulas)).decode()
    return f'@font-face {{ font-family: "Report Math"; src: url(data:font/woff;base64,{font}); }}\n' if font else ""


def beside(name: str) -> str:
    """Returns the text of a file beside this module."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


class Page(Writer):
    """This writes the parts of one document."""

    between = "\n"

    def __init__(self, document: paper.Document) -> None:
        super().__init__(document)
        self.hinted = False

    def body(self) -> str:
        document = self.document
        contents = "".join(
            f'<li><a href="#{section.key}">{text(section.title)}</a></li>' for section in document.sections
        )
        return "\n".join(
            [
                f'<h1>{text(document.title)}</h1><p class="subtitle">{text(document.subtitle)}</p>',
                f"<nav><ol>{contents}</ol></nav>" if self.document.contents else "",
                *(self.section(k, section) for k, section in enumerate(document.sections, 1)),
            ]
        )

    def section(self, number: int, section: paper.Section) -> str:
        title = f"<h2>{f'{number} ' if self.document.numbered else ''}{text(section.title)}</h2>"
        return f'<section id="{section.key}">\n{title}\n{self.blocks(section.blocks)}\n</section>'

    def paragraph(self, paragraph: paper.Paragraph) -> str:
        return f"<p>{self.line(paragraph.parts)}</p>"

    def equations(self, block: paper.EquationBlock, first: int) -> str:
        uses = self.uses(block)
        return self.hint(block) + (f'<p class="uses">{uses}</p>' if uses else "") + equations(block, first)

    def hint(self, block: paper.EquationBlock) -> str:
        """Returns the hint on how to find the links of terms, once, before the first terms with links."""
        if self.hinted or not any(equation.shares for equation in block.listed):
            return ""
        self.hinted = True
        return f'<p class="hint">{text(self.words("follow terms"))}</p>'

    def figure(self, figure: paper.Figure) -> str:
        drawn, caption = drawn_picture(figure.picture), text(figure.caption)
        kind = ""
        if figure.given:
            # the arm moves to a corner of the window while a term is pointed at; its place stays free
            width, height = map(float, VIEW.search(figure.picture.svg)[1].split()[2:])  # type: ignore[index]
            place = f"width: min(100%, {TALLEST * width / height:.2f}rem); aspect-ratio: {width / height:.4f}"
            # where a window is narrower than the picture, its letters keep their size, and it is scrolled
            kind, drawn = ' class="arm"', f'<div style="{place}; min-width: {width:g}pt">{drawn}</div>'
        box = f'<div class="scroll" {reached(_spoken(caption))}>{drawn}</div>'
        return f"<figure{kind}>{box}<figcaption>{caption}</figcaption></figure>"

    def table(self, table: paper.Table) -> str:
        titles = [self.cell(title) for title in table.titles]
        rows = [[self.cell(cell) for cell in row] for row in table.rows]
        label = ", ".join(map(_spoken, filter(None, titles if any(titles) else rows[0])))
        head = "".join(map(_title, titles))
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
        return f'<div class="scroll" {reached(label)}><table class="data"><tr>{head}</tr>{body}</table></div>'

    def line(self, parts: Iterable[paper.Inline]) -> str:
        """Returns text with mathematics; no line ends between a formula and a stop or an equals sign after it."""
        return GLUED.sub(r'<span class="one">\g<0></span>', super().line(parts))

    def code(self, code: paper.Code) -> str:
        return f"<pre {reached(text(code.language))}>{'<br>'.join(map(text, code.text.splitlines()))}</pre>"

    def folded(self, folded: paper.Folded) -> str:
        return f"<details><summary>{text(folded.title)}</summary>\n{self.blocks(folded.blocks)}</details>"

    def columns(self, columns: paper.Columns) -> str:
        texts = [f"<div><h3>{text(each.title)}</h3>\n{self.blocks(each.blocks)}</div>" for each in columns.columns]
        return f'<div class="columns{" wide" * (len(texts) > 1)}">{"".join(texts)}</div>'

    def room(self, blank: paper.Blank) -> str:
        return '<span class="blank">&nbsp;</span>'

    def text(self, content: str) -> str:
        return text(content)

    def mathematics(self, part: paper.Mathematics) -> str:
        return mathematics(part)

    def link(self, number: int) -> str:
        return f'<a href="#equation-{number}">({number})</a>'


def _cell(content: str) -> str:
    """Returns a cell of a table; a short one without mathematics, such as a unit, is not broken."""
    is_short = len(content) <= SHORT and "<" not in content
    return f'<td class="one">{content}</td>' if is_short and " " in content else f"<td>{content}</td>"


def _title(title: str) -> str:
    """Returns the head of a column, whose mathematics is labelled by its letters; an empty cell without a title."""
    if "<math" in title:
        title = f'<span role="math" aria-label="{_spoken(title)}">{title}</span>'
    return f'<th scope="col">{title}</th>' if title else "<td></td>"


def _spoken(html: str) -> str:
    """Returns the text of a piece of HTML as an attribute."""
    return " ".join(re.findall(r"[^<>]+(?=<|$)", html)).replace('"', "&quot;")


def drawn_picture(picture: paper.Picture) -> str:
    """Returns the svg element without the head of its file, and the moving image that replaces it on screens."""
    match = re.search(r"<svg.*</svg>", picture.svg, re.DOTALL)
    still = match[0] if match else ""
    if not picture.moving:
        return still
    data = base64.b64encode(picture.moving).decode()
    return f'<img class="moving" alt="" src="data:image/webp;base64,{data}"><div class="still">{still}</div>'
