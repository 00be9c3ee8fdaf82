"""Computes the room of a table on paper, and splits one that is too wide into several below each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.exact.printing import layout
from qddot.exact.printing.tree import Circular, Named, Partial, Sum, Symbol
from qddot.papers.report.document import Cell, Paragraph, Reference, Table
from qddot.papers.report.formula import Formula

WIDE = re.compile("[\u2e80-\u9fff\uff00-\uffef]")
LINE = 84  # letters of a line of text
SMALLEST = 0.73  # size of the letters in a wide table, compared with others
GAP = 2  # letters between columns
SMALL = 12  # rows of a table that stays on one page
CAPITAL = 0.4  # by which a capital is wider than a small letter
OF_BLANK = 8  # letters that a blank in a table has room for


def parted(table: Table) -> Iterator[Table]:
    """Yields a table, or as many as its columns need to be narrower than a page.

    The tables are about equally wide. Each has the first column if all columns have titles.
    """
    width = LINE / SMALLEST
    groups = list(_groups(table, width))
    while len(even := list(_groups(table, width - 1))) == len(groups) > 1 and width > LINE / 2:
        groups, width = even, width - 1
    yield from (_of(table, columns) for columns in groups)


def _groups(table: Table, width: float) -> Iterator[list[int]]:
    """Yields the columns of tables of at most this width in letters."""
    leads = [0] if all(table.titles) else []  # a first column without a title has no headings of rows
    chosen = list(leads)
    for k in range(len(leads), len(table.titles)):
        if len(chosen) > len(leads) and narrowest(_of(table, [*chosen, k])) > width:
            yield chosen
            chosen = list(leads)
        chosen.append(k)
    yield chosen


def _of(table: Table, columns: list[int]) -> Table:
    rows = tuple(tuple(row[k] for k in columns) for row in table.rows)
    return table._replace(titles=tuple(table.titles[k] for k in columns), rows=rows)


def size(table: Table) -> float:
    """Returns the size of its letters, relative to those of the text."""
    return max(SMALLEST, min(1.0, LINE / narrowest(table)))


def narrowest(table: Table) -> float:
    """Returns its width in letters if texts are broken at all their gaps."""
    return sum(max(map(word, column)) + GAP for column in columns(table))


def columns(table: Table) -> list[list[Cell]]:
    """Returns the cells of each column, below its title."""
    return [[title, *(row[k] for row in table.rows)] for k, title in enumerate(table.titles)]


def word(cell: Cell) -> float:
    """Returns the letters of the longest part of a cell that cannot be broken."""
    if isinstance(cell, Paragraph):
        return max(map(word, cell.parts), default=0)
    # Chinese is broken between any two letters
    return max(map(letters, WIDE.sub(" ", cell).split()), default=0) if isinstance(cell, str) else whole(cell)


def letters(text: str) -> float:
    """Returns the width of a text, counted in lower-case Latin letters; a Chinese character takes two."""
    return len(text) + len(WIDE.findall(text)) + CAPITAL * sum(map(str.isupper, text))


def whole(cell: Cell) -> float:
    """Returns the letters of a cell on one line."""
    if isinstance(cell, Paragraph):
        return sum(map(whole, cell.parts))
    if isinstance(cell, Sum):
        return layout.extent(cell) + sum(product.number < 0 for product in cell.products[:1])  # with its sign
    if isinstance(cell, Symbol | Partial | Circular | Named):
        return layout.extent(cell)
    if isinstance(cell, str | Formula):
        return letters(cell) if isinstance(cell, str) else len(cell.text)
    return len("(10)–(12)") if isinstance(cell, Reference) else OF_BLANK
