"""Writes a document as one HTML file: mathematics as MathML, pictures within it, no scripts and no requests."""

from __future__ import annotations

import re
from html import escape
from xml.etree.ElementTree import tostring

from qddot.errors import visible
from qddot.printing import mathml
from qddot.printing.tree import Circular, Equation
from qddot.report.document import Block, Document, Equations, Figure, Inline, Paragraph, Section

STYLE = """
body { font: 17px/1.55 Georgia, "Noto Serif", "Noto Serif CJK SC", serif; color: #1b1f24; background: #fff;
  max-width: 58rem; margin: 2.5rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; margin: 0; } .subtitle { color: #57606a; margin: .2rem 0 1.5rem; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #d0d7de; padding-bottom: .2rem; }
nav ol { columns: 2; padding-left: 1.4rem; } a { color: #0a58a8; text-decoration: none; }
.equation { display: flex; align-items: center; margin: .35rem 0; overflow-x: auto; }
.equation > math { flex: 1; } .equation > a { color: #57606a; padding-left: 1rem; }
table.data { border-collapse: collapse; margin: .8rem 0; }
table.data th { text-align: left; border-bottom: 2px solid #57606a; }
table.data th, table.data td { padding: .2rem .9rem .2rem 0; vertical-align: top; }
table.data tr + tr td { border-top: 1px solid #eaeef2; }
figure { margin: 1rem 0; text-align: center; } figure svg { max-width: 100%; max-height: 34rem; height: auto; }
figcaption { color: #57606a; font-size: .9rem; }
@media print {
  body { margin: 0; max-width: none; } h2 { break-after: avoid; } .equation, figure { break-inside: avoid; }
}
"""


def page(document: Document) -> str:
    """Returns the whole file."""
    writer = _Writer()
    sections = [writer.section(k, section) for k, section in enumerate(document.sections, 1)]
    contents = "".join(
        f'<li><a href="#section-{k}">{_text(section.title)}</a></li>' for k, section in enumerate(document.sections, 1)
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{document.lang}">\n<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{_text(document.title)}</title><style>{STYLE}</style></head>\n<body>",
            f'<h1>{_text(document.title)}</h1><p class="subtitle">{_text(document.subtitle)}</p>',
            f"<nav><ol>{contents}</ol></nav>",
            *sections,
            "</body></html>\n",
        ]
    )


class _Writer:
    """This numbers the equations of one document as it writes them."""

    def __init__(self) -> None:
        self.count = 0

    def section(self, number: int, section: Section) -> str:
        blocks = "\n".join(map(self.block, section.blocks))
        return f'<section id="section-{number}">\n<h2>{number} {_text(section.title)}</h2>\n{blocks}\n</section>'

    def block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return f"<p>{''.join(map(inline, block.parts))}</p>"
        if isinstance(block, Equations):
            return "\n".join(map(self.equation, block.listed))
        if isinstance(block, Figure):
            return f"<figure>{_drawing(block.svg)}<figcaption>{_text(block.caption)}</figcaption></figure>"
        head = "".join(f"<th>{_text(title)}</th>" for title in block.titles)
        rows = "".join(f"<tr>{''.join(f'<td>{inline(cell)}</td>' for cell in row)}</tr>" for row in block.rows)
        return f'<table class="data"><tr>{head}</tr>{rows}</table>'

    def equation(self, equation: Equation) -> str:
        self.count += 1
        place = f"equation-{self.count}"
        number = f'<a href="#{place}">({self.count})</a>'
        return f'<div class="equation" id="{place}">{mathml.equations([equation])}{number}</div>'


def inline(part: Inline) -> str:
    """Returns text, escaped, or mathematics within a line."""
    if isinstance(part, str):
        return _text(part)
    language = mathml.MathML()
    content = language.circular(part, 1) if isinstance(part, Circular) else language.write(part)
    written = tostring(content, encoding="unicode")
    return f'<math xmlns="{mathml.NAMESPACE}">{written}</math>'


def _text(text: str) -> str:
    """Returns a text in which no letter is a tag, or hides."""
    return escape(visible(text))


def _drawing(svg: str) -> str:
    """Returns the svg element alone, without the head of its file."""
    found = re.search(r"<svg.*</svg>", svg, re.DOTALL)
    return found[0] if found else ""
