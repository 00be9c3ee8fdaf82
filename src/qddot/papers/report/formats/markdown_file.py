"""Writes a document as GitHub's Markdown: mathematics is between dollar signs, and pictures are files beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

from qddot.base.errors import visible
from qddot.exact.printing import latex
from qddot.exact.printing.tree import UNNAMED, Equation
from qddot.papers.report import document as paper
from qddot.papers.report.formats.format_writer import Writer
from qddot.papers.report.formats.markdown_inline import inert, joined, place, text, within_html
from qddot.papers.report.formula import Formula, in_latex

TO_WRITE_ON = "\\underline{{\\hspace{{{}em}}}}"
WIDE, NARROW = TO_WRITE_ON.format(20), TO_WRITE_ON.format(5)  # in an equation, and in a cell of a table


def files(document: paper.Document, place: Path) -> dict[Path, bytes | str]:
    """Returns the content of the file, and of a file for each picture, whose name begins with that of the document."""
    markdown = Markdown(document, lambda name: quote(f"{place.stem}-{name}"))
    content = "\n\n".join([markdown.head(), *map(markdown.section, document.sections)])
    beside = {place.with_name(f"{place.stem}-{name}"): picture for name, picture in markdown.pictures.items()}
    return {place: f"{content}\n", **beside}


class Markdown(Writer):
    """This writes the parts of one document, and collects its pictures by their names.

    address: the function from a picture's name to its address in a link
    """

    def __init__(self, document: paper.Document, address: Callable[[str], str]) -> None:
        super().__init__(document)
        self.address, self.pictures = address, dict[str, bytes | str]()

    def head(self) -> str:
        """Returns the title and the contents."""
        document = self.document
        contents = [f"{k}. [{text(part.title)}](#{part.key})" for k, part in enumerate(document.sections, 1)]
        title = [f"# {self.line([document.title])}", self.line([document.subtitle])]
        return "\n\n".join([*title, *(["\n".join(contents)] if document.contents else [])])

    def section(self, section: paper.Section) -> str:
        """Returns a section, whose name is the target of a link in the contents."""
        number = f"{self.document.sections.index(section) + 1} " if self.document.numbered else ""
        title = f'<a id="{section.key}"></a>\n\n## {number}{text(section.title)}'
        return f"{title}\n\n{self.blocks(section.blocks)}".strip()

    def paragraph(self, paragraph: paper.Paragraph) -> str:
        return self.line(paragraph.parts)

    def equations(self, block: paper.EquationBlock, first: int) -> str:
        """Returns a line with the equations that these follow from, and a display with a target for each equation."""
        displays = [
            f'<a id="{place(number)}"></a>\n\n$$\n{_equation(equation)} \\tag{{{number}}}\n$$'
            for number, equation in enumerate(block.listed, first)
        ]
        return "\n\n".join(filter(None, [self.uses(block), *displays]))

    def figure(self, figure: paper.Figure) -> str:
        # alternative texts of pictures have no elements
        picture, caption = figure.picture, re.sub("</?span>", "", text(figure.caption))
        name = f"picture-{len(self.pictures) + 1}.{'webp' if picture.moving else 'svg'}"
        self.pictures[name] = picture.moving or picture.svg
        return f"![{caption}]({self.address(name)})\\\n{self.line([figure.caption])}"

    def table(self, table: paper.Table) -> str:
        rows = [
            [self.cell(title) for title in table.titles],
            ["---"] * len(table.titles),
            *(map(self.cell, row) for row in table.rows),
        ]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def code(self, code: paper.Code) -> str:
        """Returns source code between fences that are longer than any in it."""
        longest = max(map(len, re.findall("`+", code.text)), default=0)
        fence = "`" * max(3, longest + 1)
        lines = [visible(line.expandtabs(4)) for line in code.text.splitlines()]
        return "\n".join([f"{fence}{code.language}", *lines, fence])

    def folded(self, folded: paper.Folded) -> str:
        summary = f"<details><summary>{within_html(folded.title)}</summary>"
        return "\n\n".join([summary, self.blocks(folded.blocks), "</details>"])

    def columns(self, columns: paper.Columns) -> str:
        return "\n\n".join(
            f"### {self.line([column.title])}\n\n{self.blocks(column.blocks)}" for column in columns.columns
        )

    def room(self, blank: paper.Blank) -> str:
        return f"${inert(NARROW)}$"

    def line(self, parts: Iterable[paper.Inline]) -> str:
        return joined(map(self.inline, parts))

    def text(self, content: str) -> str:
        return text(content)

    def mathematics(self, part: paper.Mathematics) -> str:
        return f"${inert(in_latex(part) if isinstance(part, Formula) else latex.Latex().write(part))}$"

    def link(self, number: int) -> str:
        return f"[({number})](#{place(number)})"


def _equation(equation: paper.Numbered) -> str:
    """Returns an equation in one line of the file; one that is wider than a page has aligned lines."""
    if isinstance(equation.right, paper.Blank):
        head = "&" if equation.left is UNNAMED else f"{latex.Latex().write(equation.left)} &="
        lines = [f"{head} {WIDE}", *[f"&\\quad {WIDE}"] * (equation.right.lines - 1)]
    else:
        lines = latex.lines(Equation(equation.left, equation.right))
    if len(lines) == 1:
        return inert(lines[0].replace("&", "", 1))
    return inert("\\begin{aligned} " + " \\\\ ".join(lines) + " \\end{aligned}")
