"""Writes a document as a file of Typst, with its pictures beside it; the PDF is made from the same text.

A user's texts are strings in it, in which no sign is a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from qddot.base.errors import visible
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.tree import UNNAMED, Matrix, Partial, Sum, Symbol
from qddot.exact.printing.typeset import Piece
from qddot.exact.printing.typst import Typst
from qddot.papers.report import document as paper
from qddot.papers.report.formats import paper_rows, table_room
from qddot.papers.report.formats.format_writer import PaperWriter
from qddot.papers.report.formats.paper_rows import Row, Zeros
from qddot.papers.report.formula import Formula, in_typst

SAFE = PAGE / 2  # letters of a part of a sum that has room on every line
CODE_LINE, TAB = 92, 4  # letters of a line of code, and of a tabulator
INTRODUCED = (
    paper.EquationBlock,
    paper.Table,
    paper.Figure,
    paper.Code,
)  # blocks that are not separated from the paragraph before them
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
MARKS = ",;+-*/=()[]{}"  # signs after which a long line of code may be broken
LATIN = ("New Computer Modern", "New Computer Modern Math")  # this font and the next one are part of Typst
TYPEWRITER = "DejaVu Sans Mono"
CHINESE = (  # fonts that textbooks in Chinese are set in, the first that is there
    "Noto Serif CJK SC",
    "Noto Serif SC",
    "Source Han Serif SC",
    "Source Han Serif CN",
    "Songti SC",
    "STSong",
    "SimSun",
    "NSimSun",
    "FandolSong",
    "AR PL UMing CN",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
)


def files(document: paper.Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file, and of a file for each picture, whose name begins with that of the document.

    In Chinese, Typst takes the first of the fonts that is installed where the file is compiled.
    """
    return contents(document, place, CHINESE if document.lang == "zh" else ())


def contents(document: paper.Document, place: Path, fonts: Sequence[str]) -> dict[Path, str]:
    """Returns the same with fonts for letters that are not Latin."""
    writer = Source(document, re.sub(r"[^A-Za-z0-9_-]", "-", place.stem))
    looks = ("paper", "slides") if document.slides else ("paper",)
    look = "\n".join(Path(__file__).with_name(f"{each}.typ").read_text(encoding="utf-8") for each in looks)
    metadata = {"title": document.title, "subtitle": document.subtitle, "lang": document.lang}
    arguments = [f"{key}: {string(value)}" for key, value in metadata.items()]
    arguments.append(f"contents: {str(document.contents).lower()}")
    # the marks that both kinds of letters have, such as “, are those of the language
    latin = [f'(name: {string(name)}, covers: "latin-in-cjk")' if fonts else string(name) for name in LATIN]
    arguments.append(f"fonts: ({', '.join([*latin, *map(string, fonts)])},)")
    arguments.append(f"code-fonts: ({', '.join(map(string, (TYPEWRITER, *fonts)))},)")
    text = f"{look}\n#show: {looks[-1]}.with({', '.join(arguments)})\n\n{writer.body()}\n"
    return {place: text, **{place.with_name(name): svg for name, svg in writer.pictures.items()}}


class Source(PaperWriter):
    """This writes the parts of one document; `pictures` are the figures' SVG texts by the names of their files.

    stem: with which the names of pictures begin
    """

    def __init__(self, document: paper.Document, stem: str) -> None:
        super().__init__(document)
        self.stem, self.pictures = stem, dict[str, str]()

    def section(self, section: paper.Section) -> str:
        plain = "" if self.document.numbered else ", numbering: none"
        return f"#heading({string(section.title)}{plain})\n\n{self.blocks(section.blocks)}"

    def placed(self, block: paper.Block, after: paper.Block | None) -> str:
        """Returns a block; a paragraph stays with what it introduces."""
        text = self.block(block)
        introduces = isinstance(block, paper.Paragraph) and isinstance(after, INTRODUCED)
        return f"#introducing[{text}]" if introduces else text

    def paragraph(self, paragraph: paper.Paragraph) -> str:
        return self.line(paragraph.parts)

    def equations(self, block: paper.EquationBlock, first: int) -> str:
        uses = self.uses(block)
        return (f"#uses[{uses}]\n" if uses else "") + "\n".join(_runs(block, first))

    def figure(self, figure: paper.Figure) -> str:
        if "<svg" not in figure.picture.svg:
            return self.text(self.words("left out", caption=figure.caption))
        name = f"{self.stem}-picture-{len(self.pictures) + 1}.svg"
        self.pictures[name] = figure.picture.svg
        return f"#picture({string(name)}, {string(figure.caption)}, {figure.highest})"

    def table(self, table: paper.Table) -> str:
        return "\n\n".join(map(self._table, table_room.parted(table)))

    def _table(self, table: paper.Table) -> str:
        titles = "".join(f"[{self.cell(title)}], " for title in table.titles)
        rows = ["".join(f"[{self.cell(cell)}], " for cell in row) for row in table.rows]
        small = "true" if len(rows) <= table_room.SMALL else "false"
        return "\n  ".join([f"#data(({titles}), {table_room.size(table):.2f}, {small},", *rows]) + ")"

    def code(self, code: paper.Code) -> str:
        return f"#raw({typed(code.text)}, block: true, lang: {string(code.language)})"

    def titled(self, title: str, blocks: Sequence[paper.Block]) -> str:
        return f"#subtitle({string(title)})\n\n{self.blocks(blocks)}"

    def room(self, blank: paper.Blank) -> str:
        return f"#room({blank.lines})"

    def text(self, content: str) -> str:
        return f"#{string(APOSTROPHE.sub('’', content))};"

    def mathematics(self, part: paper.Mathematics) -> str:
        return f"${in_typst(part) if isinstance(part, Formula) else Typst().write(part)}$"

    def link(self, number: int) -> str:
        return f"#link(label({string(f'equation-{number}')}))[({number})]"


def string(text: str) -> str:
    """Returns a text as a literal of Typst, without letters that hide."""
    return f'"{_quoted(visible(text))}"'


def typed(text: str) -> str:
    """Returns the lines of a program as a literal."""
    lines = (_breakable(visible(line.expandtabs(TAB))) for line in text.splitlines())
    joined = "\\n".join(map(_quoted, lines))
    return f'"{joined}"'


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _breakable(line: str) -> str:
    """Returns a line of code, which may be broken after each sign if it is long."""
    if len(line) <= CODE_LINE:
        return line
    return "".join(f"{letter}\u200b" if letter in MARKS else letter for letter in line)


def _runs(block: paper.EquationBlock, first: int) -> Iterator[str]:
    """Yields the calls that typeset a block of equations; a blank is separate, and short definitions are in pairs."""
    for run, in_pairs in paper_rows.runs(block, first):
        for is_blank, group in groupby(run, lambda row: isinstance(row.right, paper.Blank)):
            if is_blank:
                yield from map(_left_out, group)
            else:
                yield "\n  ".join([f"#{'pairs' if in_pairs else 'equations'}(", *map(_row, group)]) + ")"


def _left_out(row: Row) -> str:
    assert isinstance(row.right, paper.Blank)
    return f"#left-out({_name(row.left)}, {row.right.lines}, {row.number})"


def _row(row: Row) -> str:
    parts, wide = _parts(row.right)
    number = "none" if row.number is None else row.number
    return f"({_name(row.left)}, ({parts}), {number}, {'true' if wide else 'false'}),"


def _name(left: Symbol | Partial) -> str:
    return "[]" if left is UNNAMED else f"$display({Typst().write(left)} =)$"


def _parts(right: Sum | Matrix | paper.Blank | Zeros) -> tuple[str, bool]:
    """Returns the parts between which a line may be broken, and whether one of them may be wider than a line."""
    typst = Typst()
    if isinstance(right, Matrix):
        return f"$display({typst.write(right)})$,", True
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
