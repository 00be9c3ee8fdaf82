"""Leaves the results out of a document, so that somebody can find them, and names the document that has them."""

from __future__ import annotations

import re
from math import ceil

from qddot.printing import layout
from qddot.printing.tree import Matrix, Sum
from qddot.report.document import (
    Blank,
    Block,
    Cell,
    Code,
    Column,
    Columns,
    Document,
    Equations,
    Figure,
    Folded,
    Numbered,
    Paragraph,
    Table,
)
from qddot.report.wording import Words

NUMBER = re.compile(r"−?\d[\d.]*(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
HIDDEN = ("code", "motion", "abbreviated")  # sections that are nothing but results
ROOM = 1.6  # how much wider a hand writes than a printer


def exercise(document: Document, words: Words) -> Document:
    """Returns the document with blanks of the right size in the place of its results."""
    sections = tuple(
        section._replace(blocks=_emptied(section.blocks)) for section in document.sections if section.key not in HIDDEN
    )
    title = words("exercise", title=document.title)
    return document._replace(title=title, subtitle=words("exercise subtitle"), sections=sections)


def solution(document: Document, words: Words) -> Document:
    """Returns the document under the title of an exercise's solution."""
    return document._replace(title=words("solution", title=document.title))


def _emptied(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(_empty(block) for block in blocks if not isinstance(block, Code) and not _is_result(block))


def _is_result(block: Block) -> bool:
    return (isinstance(block, Paragraph) and block.result) or (isinstance(block, Figure) and not block.given)


def _empty(block: Block) -> Block:
    """Returns a block without its results."""
    if isinstance(block, Equations):
        return block._replace(listed=tuple(map(_blank, block.listed)))
    if isinstance(block, Table) and not block.given:
        return block._replace(rows=tuple(tuple(map(_hidden, row)) for row in block.rows))
    if isinstance(block, Folded):
        return block._replace(blocks=_emptied(block.blocks))
    if isinstance(block, Columns):
        return Columns(tuple(Column(column.title, _emptied(column.blocks)) for column in block.columns))
    return block


def _hidden(cell: Cell) -> Cell:
    """Returns a blank for a number or for several."""
    return Blank(1) if isinstance(cell, Paragraph) or (isinstance(cell, str) and NUMBER.fullmatch(cell)) else cell


def _blank(equation: Numbered) -> Numbered:
    return Numbered(equation.left, Blank(_lines(equation.right)))


def _lines(right: Sum | Matrix | Blank) -> int:
    """Returns how many lines a result takes in handwriting."""
    if isinstance(right, Blank):
        return right.lines
    if isinstance(right, Matrix):
        return len(right.rows)
    return max(1, ceil(ROOM * layout.extent(right) / layout.PAGE))
