"""Writes a document as Markdown, as GitHub reads it, with mathematics between dollar signs and pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from qddot.errors import visible
from qddot.printing import latex
from qddot.printing.tree import UNNAMED, Equation
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
    Numbered,
    Paragraph,
    Section,
    Table,
)
from qddot.report.formats.markdown_inline import inert, line, place, text, within_html
from qddot.report.wording import Words

TO_WRITE_ON = "\\underline{{\\hspace{{{}em}}}}"
WIDE, NARROW = TO_WRITE_ON.format(20), TO_WRITE_ON.format(5)  # in an equation, and in a cell of a table


def files(document: Document, place: Path) -> dict[Path, bytes | str]:
    """Returns the content of the file, and of a file for each picture, whose name begins with that of the document."""
    markdown = Markdown(document, lambda name: quote(f"{place.stem}-{name}"))
    content = "\n\n".join([markdown.head(), *map(markdown.section, document.sections)])
    beside = {place.with_name(f"{place.stem}-{name}"): picture for name, picture in markdown.pictures.items()}
    return {place: f"{content}\n", **beside}


class Markdown:
    """This writes the parts of one document, and collects its pictures by their names.

    address: what stands in a link to the picture of some name
    """

    def __init__(self, document: Document, address: Callable[[str], str]) -> None:
        self.document, self.numbers, self.words = document, document.numbers(), Words(document.lang)
        self.address, self.pictures = address, dict[str, bytes | str]()

    def head(self) -> str:
        """Returns the title and the contents."""
        document = self.document
        contents = [f"{k}. [{text(part.title)}](#{part.key})" for k, part in enumerate(document.sections, 1)]
        return "\n\n".join([f"# {self._line(document.title)}", self._line(document.subtitle), "\n".join(contents)])

    def section(self, section: Section) -> str:
        """Returns a section, whose name is a place to which the contents lead."""
        number = self.document.sections.index(section) + 1
        title = f'<a id="{section.key}"></a>\n\n## {number} {text(section.title)}'
        return "\n\n".join([title, *self._blocks(section.blocks)])

    def _blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        for block in blocks:
            yield from filter(None, self._block(block))

    def _block(self, block: Block) -> Iterable[str]:
        if isinstance(block, Paragraph):
            return [line(block.parts, self.numbers)]
        if isinstance(block, Equations):
            return self._equations(block)
        if isinstance(block, Figure):
            return [self._figure(block)]
        if isinstance(block, Table):
            return [self._table(block)]
        if isinstance(block, Code):
            return [_code(block)]
        if isinstance(block, Folded):
            return [
                f"<details><summary>{within_html(block.title)}</summary>",
                *self._blocks(block.blocks),
                "</details>",
            ]
        return self._columns(block)

    def _columns(self, block: Columns) -> Iterator[str]:
        for column in block.columns:
            yield f"### {self._line(column.title)}"
            yield from self._blocks(column.blocks)

    def _equations(self, block: Equations) -> Iterator[str]:
        """Yields a line with the equations that these follow from, and one display an equation with its place."""
        yield line(self.words.uses(key for key in block.uses if key in self.numbers), self.numbers)
        for number, equation in enumerate(block.listed, self.numbers[block.key][0]):
            yield f'<a id="{place(number)}"></a>'
            yield f"$$\n{_equation(equation)} \\tag{{{number}}}\n$$"

    def _figure(self, figure: Figure) -> str:
        # what is said in place of a picture has no elements
        picture, said = figure.picture, re.sub("</?span>", "", text(figure.caption))
        name = f"picture-{len(self.pictures) + 1}.{'webp' if picture.moving else 'svg'}"
        self.pictures[name] = picture.moving or picture.svg
        return f"![{said}]({self.address(name)})\\\n{self._line(figure.caption)}"

    def _table(self, table: Table) -> str:
        rows = [
            map(self._line, table.titles),
            ["---"] * len(table.titles),
            *(map(self._cell, row) for row in table.rows),
        ]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def _cell(self, cell: Cell) -> str:
        if isinstance(cell, Blank):
            return f"${inert(NARROW)}$"
        return line(cell.parts, self.numbers) if isinstance(cell, Paragraph) else self._line(cell)

    def _line(self, part: Inline) -> str:
        return line((part,), self.numbers)


def _equation(equation: Numbered) -> str:
    """Returns an equation in one line of the file; what is wider than a page has lines that are aligned."""
    if isinstance(equation.right, Blank):
        head = "&" if equation.left is UNNAMED else f"{latex.Latex().write(equation.left)} &="
        lines = [f"{head} {WIDE}", *[f"&\\quad {WIDE}"] * (equation.right.lines - 1)]
    else:
        lines = latex.lines(Equation(equation.left, equation.right))
    if len(lines) == 1:
        return inert(lines[0].replace("&", "", 1))
    return inert("\\begin{aligned} " + " \\\\ ".join(lines) + " \\end{aligned}")


def _code(code: Code) -> str:
    """Returns source code between fences that are longer than any in it."""
    longest = max(map(len, re.findall("`+", code.text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = [visible(line.expandtabs(4)) for line in code.text.splitlines()]
    return "\n".join([f"{fence}{code.language}", *lines, fence])
