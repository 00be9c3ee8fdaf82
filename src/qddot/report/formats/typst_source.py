"""Writes a document as Typst's source; whatever a user wrote is a string there, in which nothing is a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from qddot.errors import visible
from qddot.printing.layout import PAGE
from qddot.printing.tree import UNNAMED, Circular, Matrix, Partial, Sum, Symbol
from qddot.printing.typeset import Piece
from qddot.printing.typst import Typst
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
    Reference,
    Section,
    Table,
)
from qddot.report.formats import paper_rows, table_room
from qddot.report.formats.paper_rows import Row, Zeros
from qddot.report.formula import Formula, in_typst
from qddot.report.wording import Words

SAFE = PAGE / 2  # letters of a part of a sum that has room on every line
CODE_LINE, TAB = 92, 4  # letters of a line of code, and of a tabulator
INTRODUCED = (Equations, Table, Figure, Code)  # what is not parted from the paragraph before it
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
MARKS = ",;+-*/=()[]{}"  # in code, behind which a long line may be broken


class Source:
    """This writes the parts of one document; `pictures` are the figures' SVG texts by the names of their files."""

    def __init__(self, document: Document) -> None:
        self.document, self.numbers, self.words = document, document.numbers(), Words(document.lang)
        self.pictures: dict[str, str] = {}

    def body(self) -> str:
        """Returns the source of all sections."""
        return "\n\n".join(map(self.section, self.document.sections))

    def section(self, section: Section) -> str:
        return f"#heading({string(section.title)})\n\n{self.blocks(section.blocks)}"

    def blocks(self, blocks: Sequence[Block]) -> str:
        return "\n\n".join(self.block(block, after) for block, after in pairwise([*blocks, None]) if block is not None)

    def block(self, block: Block, after: Block | None = None) -> str:
        """Returns a block; after: the next one"""
        if isinstance(block, Paragraph):
            text = self.line(block.parts)
            return f"#introducing[{text}]" if isinstance(after, INTRODUCED) else text
        if isinstance(block, Equations):
            return self.uses(block) + "\n".join(_runs(block, self.numbers[block.key][0]))
        if isinstance(block, Figure):
            return self.figure(block)
        if isinstance(block, Table):
            return "\n\n".join(map(self.table, table_room.parted(block)))
        if isinstance(block, Code):
            return f"#raw({code(block.text)}, block: true, lang: {string(block.language)})"
        if isinstance(block, Folded):
            return self.titled(block.title, block.blocks)
        return self.columns(block)

    def columns(self, block: Columns) -> str:
        """Returns columns one below the other: mathematics needs the whole width of a page."""
        return "\n\n".join(self.titled(column.title, column.blocks) for column in block.columns)

    def titled(self, title: str, blocks: Sequence[Block]) -> str:
        return f"#subtitle({string(title)})\n\n{self.blocks(blocks)}"

    def uses(self, block: Equations) -> str:
        parts = self.words.uses(key for key in block.uses if key in self.numbers)
        return f"#uses[{self.line(parts)}]\n" if parts else ""

    def figure(self, figure: Figure) -> str:
        if "<svg" not in figure.picture.svg:
            return self.line((self.words("left out", caption=figure.caption),))
        name = f"picture-{len(self.pictures) + 1}.svg"
        self.pictures[name] = figure.picture.svg
        return f"#picture({string(name)}, {string(figure.caption)})"

    def table(self, table: Table) -> str:
        titles = "".join(f"[{self.line([title])}], " for title in table.titles)
        rows = ["".join(f"[{self.cell(cell)}], " for cell in row) for row in table.rows]
        return "\n  ".join([f"#data(({titles}), {table_room.size(table):.2f},", *rows]) + ")"

    def cell(self, cell: Cell) -> str:
        if isinstance(cell, Blank):
            return f"#room({cell.lines})"
        return self.line(cell.parts if isinstance(cell, Paragraph) else [cell])

    def line(self, parts: Iterable[Inline]) -> str:
        """Returns text with mathematics in it."""
        return "".join(map(self.inline, parts))

    def inline(self, part: Inline) -> str:
        if isinstance(part, str):
            return f"#{string(APOSTROPHE.sub('’', part))};"
        if isinstance(part, Reference):
            first, last = self.numbers[part.key]
            return _link(first) + (f"–{_link(last)}" if last > first else "")
        if isinstance(part, Formula):
            return f"${in_typst(part)}$"
        typst = Typst()
        return f"${typst.circular(part, 1) if isinstance(part, Circular) else typst.write(part)}$"


def string(text: str) -> str:
    """Returns a text as a literal of Typst, without letters that hide."""
    return f'"{_quoted(visible(text))}"'


def code(text: str) -> str:
    """Returns the lines of a program as a literal."""
    lines = (_breakable(visible(line.expandtabs(TAB))) for line in text.splitlines())
    joined = "\\n".join(map(_quoted, lines))
    return f'"{joined}"'


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _breakable(line: str) -> str:
    """Returns a line of code, with a place to break it behind each sign if it is long."""
    if len(line) <= CODE_LINE:
        return line
    return "".join(f"{letter}\u200b" if letter in MARKS else letter for letter in line)


def _link(number: int) -> str:
    return f"#link(label({string(f'equation-{number}')}))[({number})]"


def _runs(block: Equations, first: int) -> Iterator[str]:
    """Yields the calls that set a block of equations; a blank stands by itself."""
    for blank, run in groupby(paper_rows.rows(block, first), lambda row: isinstance(row.right, Blank)):
        if blank:
            yield from map(_left_out, run)
        else:
            yield "\n  ".join(["#equations(", *map(_row, run)]) + ")"


def _left_out(row: Row) -> str:
    assert isinstance(row.right, Blank)
    return f"#left-out({_name(row.left)}, {row.right.lines}, {row.number})"


def _row(row: Row) -> str:
    parts, wide = _parts(row.right)
    number = "none" if row.number is None else row.number
    return f"({_name(row.left)}, ({parts}), {number}, {'true' if wide else 'false'}),"


def _name(left: Symbol | Partial) -> str:
    return "[]" if left is UNNAMED else f"$display({Typst().write(left)} =)$"


def _parts(right: Sum | Matrix | Blank | Zeros) -> tuple[str, bool]:
    """Returns what a line may be broken between, and whether some of it may be wider than a line."""
    typst = Typst()
    if isinstance(right, Matrix):
        return f"$display({typst.matrix(right)})$,", True
    if isinstance(right, Zeros):
        return "".join(f"${typst.symbol(name)} =$, " for name in right.names) + "$0$,", False
    assert isinstance(right, Sum)
    pieces = list(typst.pieces(right, PAGE))
    if not pieces:
        return "$0$,", False
    wide = any(piece.extent > SAFE for piece in pieces)
    return " ".join(f"${_signed(piece, k == 0)}$," for k, piece in enumerate(pieces)), wide


def _signed(piece: Piece[str], leads: bool) -> str:
    """Returns a part of a sum with its sign, and the gap between them."""
    if leads:
        return f"-{piece.written}" if piece.negative else piece.written
    return f"{'minus' if piece.negative else 'plus'} med {piece.written}"
