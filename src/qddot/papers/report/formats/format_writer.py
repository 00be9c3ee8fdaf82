"""A format writes each kind of block, and each part of a line; this is the contract of all formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from qddot.papers.report import document as paper
from qddot.papers.report.wording import Words


class Writer(ABC):
    """A writer writes the parts of one document in its format."""

    between = "\n\n"  # blocks
    dash = "–"  # between two numbers

    def __init__(self, document: paper.Document) -> None:
        self.document, self.numbers, self.words = document, document.numbers(), Words(document.lang)

    @abstractmethod
    def paragraph(self, paragraph: paper.Paragraph) -> str:
        """Returns a paragraph."""

    @abstractmethod
    def equations(self, block: paper.EquationBlock, first: int) -> str:
        """Returns displayed equations; first: the number of the first one"""

    @abstractmethod
    def figure(self, figure: paper.Figure) -> str:
        """Returns a picture with its caption."""

    @abstractmethod
    def table(self, table: paper.Table) -> str:
        """Returns a table."""

    @abstractmethod
    def code(self, code: paper.Code) -> str:
        """Returns source code."""

    @abstractmethod
    def folded(self, folded: paper.Folded) -> str:
        """Returns folded blocks."""

    @abstractmethod
    def columns(self, columns: paper.Columns) -> str:
        """Returns columns."""

    @abstractmethod
    def room(self, blank: paper.Blank) -> str:
        """Returns room for writing, in a cell of a table."""

    @abstractmethod
    def text(self, content: str) -> str:
        """Returns a text in which no sign is a command."""

    @abstractmethod
    def mathematics(self, part: paper.Mathematics) -> str:
        """Returns mathematics within a line."""

    @abstractmethod
    def link(self, number: int) -> str:
        """Returns the number of an equation, as a link to it."""

    def blocks(self, blocks: Sequence[paper.Block]) -> str:
        """Returns blocks one after the other."""
        written = (self.placed(block, after) for block, after in pairwise([*blocks, None]) if block is not None)
        return self.between.join(filter(None, written))

    def placed(self, block: paper.Block, after: paper.Block | None) -> str:
        """Returns a block that precedes another one."""
        return self.block(block)

    def block(self, block: paper.Block) -> str:
        """Returns a block in the way of its kind."""
        match block:
            case paper.Paragraph():
                return self.paragraph(block)
            case paper.EquationBlock():
                return self.equations(block, self.numbers[block.key][0])
            case paper.Figure():
                return self.figure(block)
            case paper.Table():
                return self.table(block)
            case paper.Code():
                return self.code(block)
            case paper.Folded():
                return self.folded(block)
            case paper.Columns():
                return self.columns(block)

    def uses(self, block: paper.EquationBlock) -> str:
        """Returns a line with the equations that a block follows from, and with the zero entries, or nothing."""
        parts, said = self.words.uses(self._references(block.uses)), self.zeros(block)
        return self.line(
            [*parts, *([self.words("then")] if parts and said else []), *([self.words(said)] if said else [])]
        )

    def zeros(self, block: paper.EquationBlock) -> str:
        """Returns the key of the sentence on the entries of a block that are not listed, or nothing if all are."""
        sentence = "others zero or mirrored" if block.complete else "others mirrored"
        return sentence if block.mirrored else "others zero" if block.complete else ""

    def _references(self, keys: Iterable[str]) -> Iterator[paper.Reference]:
        """Yields references to blocks of equations, a single one to blocks that follow each other: (6)–(11)."""
        numbered = [key for key in dict.fromkeys(keys) if key in self.numbers]
        while numbered:
            first, last = numbered.pop(0), ""
            while numbered and self.numbers[numbered[0]][0] == self.numbers[last or first][1] + 1:
                last = numbered.pop(0)
            yield paper.Reference(first, last)

    def cell(self, cell: paper.Cell) -> str:
        """Returns the content of a cell of a table."""
        if isinstance(cell, paper.Blank):
            return self.room(cell)
        return self.line(cell.parts if isinstance(cell, paper.Paragraph) else (cell,))

    def line(self, parts: Iterable[paper.Inline]) -> str:
        """Returns text with mathematics in it."""
        return "".join(map(self.inline, parts))

    def inline(self, part: paper.Inline) -> str:
        """Returns a part of a line."""
        if isinstance(part, str):
            return self.text(part)
        if isinstance(part, paper.Reference):
            first, last = self.numbers[part.key][0], self.numbers[part.last or part.key][1]
            return self.dash.join(map(self.link, (first, last) if last > first else (first,)))
        return self.mathematics(part)


class PaperWriter(Writer):
    """This writes for paper, on which nothing is folded and mathematics needs the whole width of a page."""

    @abstractmethod
    def titled(self, title: str, blocks: Sequence[paper.Block]) -> str:
        """Returns blocks below their own title."""

    @abstractmethod
    def section(self, section: paper.Section) -> str:
        """Returns a section."""

    def body(self) -> str:
        """Returns all sections."""
        return "\n\n".join(map(self.section, self.document.sections))

    def folded(self, folded: paper.Folded) -> str:
        """Returns the blocks below their title."""
        return self.titled(folded.title, folded.blocks)

    def columns(self, columns: paper.Columns) -> str:
        """Returns columns one below the other."""
        return "\n\n".join(self.titled(column.title, column.blocks) for column in columns.columns)
