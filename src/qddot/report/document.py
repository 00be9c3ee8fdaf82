"""A document is data: sections of paragraphs, equations, tables and figures, which each format writes its own way."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from qddot.printing.tree import Circular, Equation, Partial, Sum, Symbol

Inline: TypeAlias = str | Symbol | Partial | Sum | Circular  # text, or mathematics within a line


class Paragraph(NamedTuple):
    """A paragraph is text with mathematics in it."""

    parts: tuple[Inline, ...]


class Equations(NamedTuple):
    """These are displayed equations, each with a number of its own."""

    listed: tuple[Equation, ...]


class Table(NamedTuple):
    """A table has titles and rows of cells."""

    titles: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]


class Figure(NamedTuple):
    """A figure is a picture, as SVG, with a caption."""

    svg: str
    caption: str


Block: TypeAlias = Paragraph | Equations | Table | Figure


class Section(NamedTuple):
    """A section has a title and blocks."""

    title: str
    blocks: tuple[Block, ...]


class Document(NamedTuple):
    """A document has a title, what it says of itself below it, and sections. lang: "en" or "zh" """

    title: str
    subtitle: str
    lang: str
    sections: tuple[Section, ...]
