"""A document is data: sections of paragraphs, equations, tables and figures; each format writes it in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from qddot.exact.printing.tree import Circular, Equation, Matrix, Named, Partial, Sum, Symbol
from qddot.papers.report.formula import Formula


class Reference(NamedTuple):
    """This is a reference to the numbers of some equations, by the key of their block, or of the first and the last."""

    key: str
    last: str = ""


class Blank(NamedTuple):
    """A blank is room for a reader's own result. lines: its height"""

    lines: int


Mathematics: TypeAlias = Symbol | Partial | Sum | Circular | Named | Formula
Inline: TypeAlias = str | Mathematics | Reference  # a part of a line


class Paragraph(NamedTuple):
    """A paragraph is text with mathematics in it. result: whether it contains a result"""

    parts: tuple[Inline, ...]
    result: bool = False


Cell: TypeAlias = Inline | Paragraph | Blank


class Share(NamedTuple):
    """A share is one link's contribution to a term.

    link: the link's index, from 1; name: what contributes, in words, such as the link or its rotor; value: the
    contribution, None if it is unknown
    """

    link: int
    name: str
    value: Sum | None


class Numbered(NamedTuple):
    """This is a numbered equation; shares: those of the links in each of its terms, if they are known."""

    left: Symbol | Partial
    right: Sum | Matrix | Blank
    shares: tuple[tuple[Share, ...], ...] = ()


class EquationBlock(NamedTuple):
    """These are displayed equations, each with its own number.

    key: the quantity that they give; uses: the keys of the equations that they follow from
    complete: whether a sentence has to say that all entries that are not listed are zero
    mirrored: whether entries of symmetric matrices are listed, each once, which a sentence has to say
    """

    key: str
    listed: tuple[Numbered, ...]
    uses: tuple[str, ...] = ()
    complete: bool = False
    mirrored: bool = False

    @classmethod
    def of(
        cls, key: str, listed: Iterable[Equation], uses: Iterable[str] = (), complete: bool = False
    ) -> EquationBlock:
        """Returns equations without the shares of links."""
        return cls(key, tuple(Numbered(*equation) for equation in listed), tuple(uses), complete)


class Table(NamedTuple):
    """A table has titles and rows of cells. given: whether it is given data rather than a result"""

    titles: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    given: bool = False


class Picture(NamedTuple):
    """This is a finished picture: as SVG, as PDF, and if it moves as an animated image (WebP)."""

    svg: str
    pdf: bytes = b""
    moving: bytes = b""


class Figure(NamedTuple):
    """A figure is a picture with a caption. given: whether it is given data rather than a result

    highest: its greatest height on paper, in widths of the text
    """

    picture: Picture
    caption: str
    given: bool = False
    highest: float = 0.8


class Code(NamedTuple):
    """This is generated source code. language: "python", "c", "js" """

    language: str
    text: str


class Folded(NamedTuple):
    """These blocks are folded until a reader opens them; a format without folding shows them below their title."""

    title: str
    blocks: tuple[Block, ...]


class Column(NamedTuple):
    """A column has a title and blocks."""

    title: str
    blocks: tuple[Block, ...]


class Columns(NamedTuple):
    """Columns are side by side if there is room, else one below the other."""

    columns: tuple[Column, ...]


Block: TypeAlias = Paragraph | EquationBlock | Table | Figure | Code | Folded | Columns


class Section(NamedTuple):
    """A section has a title and blocks."""

    key: str
    title: str
    blocks: tuple[Block, ...]


TextbookForm: TypeAlias = tuple[str, bool]  # the arguments of `textbook`: the form, and whether constants get names
IN_SUMS: TextbookForm = ("sums", True)  # those by default


class Document(NamedTuple):
    """A document has a title, a subtitle and sections. lang: "en" or "zh"

    robot: the arm as the text of a robot file; routes: those of its derivation, in the form `written`; a notebook
    derives them again
    contents: whether the sections are listed below the title; numbered: whether they have numbers
    slides: whether each section is a slide
    """

    title: str
    subtitle: str
    lang: str
    sections: tuple[Section, ...]
    robot: str = ""
    routes: tuple[str, ...] = ()
    written: TextbookForm = IN_SUMS
    contents: bool = True
    numbered: bool = True
    slides: bool = False

    def blocks(self) -> Iterator[Block]:
        """Yields all blocks in their order, also those within others."""
        for section in self.sections:
            yield from _within(section.blocks)

    def numbers(self) -> dict[str, tuple[int, int]]:
        """Returns the numbers of the first and the last equation of each block of equations, by its key."""
        numbers, count = dict[str, tuple[int, int]](), 0
        for block in self.blocks():
            if isinstance(block, EquationBlock):
                numbers[block.key] = (count + 1, count + len(block.listed))
                count += len(block.listed)
        return numbers


def _within(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Folded):
            yield from _within(block.blocks)
        elif isinstance(block, Columns):
            for column in block.columns:
                yield from _within(column.blocks)
