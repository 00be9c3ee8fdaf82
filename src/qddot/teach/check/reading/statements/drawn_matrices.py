"""Finds matrices that are drawn over several lines of plain text, row below row, as the project prints poses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qddot.teach.check.reading.names.left_sides import left_of
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.statements.claims import Claim, Leaf
from qddot.teach.check.reading.syntax import Span
from qddot.teach.check.reading.texts.written import Written

ROW = re.compile(
    r"^[ \t]*(?:(?P<name>[^\s=]+(?:\([^()=\n]*\))?)[ \t]*=[ \t]*\n?[ \t]*)?(?:\[ |[|⎡⎢⎣⎛⎜⎝])[ \t]*"
    r"(?P<cells>[^\n|=⎤⎥⎦⎞⎟⎠]*?)[ \t]*"
    r"(?: \]|[|⎤⎥⎦⎞⎟⎠])[ \t]*$",
    re.MULTILINE,
)
# M = [ a   b
#       c   d ]
OPEN = re.compile(
    r"^[ \t]*(?P<name>[^\s=]+(?:\([^()=\n]*\))?)[ \t]*=[ \t]*\[[ \t]*"
    r"(?P<cells>[^\[\],&=]*\n[^\[\],&=]*?)[ \t]*\][ \t]*$",
    re.MULTILINE,
)
CELL = re.compile(r"\S+(?: \S+)*")  # two blanks, or commas outside of brackets, separate the cells
COMMA = re.compile(r"(?:[^,()\[\]]|\([^()]*(?:\([^()]*\)[^()]*)*\))+")


class Drawn(NamedTuple):
    """This is a drawn matrix: its span, that of its name, and those of its cells, row by row."""

    span: Span
    name: Span
    rows: tuple[tuple[Span, ...], ...]


def claims_of_drawn(written: Written) -> tuple[list[Claim], Written]:
    """Returns the claims of matrices that are drawn over several lines, and the text with blanks in their place."""
    claims, kept, behind = list[Claim](), list[str](), 0
    for drawn in _drawn_matrices(written.text):
        _check_rows([len(row) for row in drawn.rows], written, drawn.span[0])
        leaves = tuple(
            Leaf((i, j), written, lexemes(written, *cell), latex=False)
            for i, row in enumerate(drawn.rows)
            for j, cell in enumerate(row)
        )
        left = left_of(lexemes(written, *drawn.name), written)
        shape = (len(drawn.rows), len(drawn.rows[0]))
        claims.append(Claim(left, leaves, shape, written.where(drawn.name[0])))
        start, end = drawn.span
        kept += [written.text[behind:start], re.sub(r"[^\n]", " ", written.text[start:end])]
        behind = end
    text = "".join([*kept, written.text[behind:]])
    return claims, replace(written, text=text, file=written.file or written.text) if claims else written


def _check_rows(lengths: Sequence[int], written: Written, start: int) -> None:
    for length in lengths:
        if length != lengths[0]:
            raise written.error(start, "drawn-rows-unequal", first=lengths[0], other=length)


def _drawn_matrices(text: str) -> Iterator[Drawn]:
    """Yields the matrices with at least two rows, one of which has the name."""
    block: list[re.Match[str]] = []
    for row in ROW.finditer(text):
        if block and row.start() != block[-1].end() + 1:
            yield from _of_block(block)
            block = []
        block.append(row)
    yield from _of_block(block)
    for drawn in OPEN.finditer(text):
        start, rows = drawn.start("cells"), list[tuple[Span, ...]]()
        for line in re.finditer(r"[^\n]*[^\s;][^\n]*", drawn["cells"]):
            end = len(line[0].rstrip(" \t;"))
            rows.append(tuple(_spans(text, start + line.start(), start + line.start() + end)))
        if len(rows) > 1 and len({len(row) for row in rows}) == 1:
            yield Drawn(drawn.span(), drawn.span("name"), tuple(rows))


def _of_block(block: list[re.Match[str]]) -> Iterator[Drawn]:
    named = [row for row in block if row["name"]]
    if len(block) > 1 and len(named) == 1:
        every = (tuple(_spans(row.string, *row.span("cells"))) for row in block)
        rows = tuple(row for row in every if row)  # the lines between rows may be empty
        yield Drawn((block[0].start(), block[-1].end()), named[0].span("name"), rows)


def _spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yields the spans of a row's cells."""
    parted = list(COMMA.finditer(text, start, end))
    cells = parted if len(parted) > 1 else CELL.finditer(text, start, end)
    yield from (cell.span() for cell in cells if cell[0].strip())
