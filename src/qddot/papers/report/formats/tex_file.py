"""Writes a document as LaTeX: for pdflatex with its basic packages in English, for xelatex with ctex in Chinese.

A user's texts are escaped, so that no sign in them is a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from qddot.exact.printing import layout
from qddot.exact.printing.latex import Latex, lines
from qddot.exact.printing.tree import UNNAMED, Equation, Matrix, Partial, Sum, Symbol
from qddot.papers.report import document as paper
from qddot.papers.report.formats import paper_rows, table_room
from qddot.papers.report.formats.format_writer import PaperWriter
from qddot.papers.report.formats.paper_rows import Row, Zeros
from qddot.papers.report.formats.tex_text import escaped, typed
from qddot.papers.report.formula import Formula, in_latex

LINE = 68  # letters of a line of mathematics
CODE_LINE, TAB = 98, 4  # letters of a line of code, and of a tabulator
READABLE = 8  # letters of the narrowest column of running text, four of Chinese
END_OF_ROW = " \\\\\n"
END = "\\end{verbatim}"  # this must not occur within it
SIZES = ((1.0, "\\normalsize"), (0.91, "\\small"), (0.82, "\\footnotesize"), (0.0, "\\scriptsize"))
CLASSES = {
    "en": "% !TEX program = pdflatex\n\\documentclass[10pt,a4paper]{article}\n\\setlength{\\parindent}{0pt}"
    "\\setlength{\\parskip}{.4em}\\renewcommand{\\arraystretch}{1.1}",
    "zh": "% !TEX program = xelatex\n\\documentclass[UTF8,zihao=false,10pt,linespread=1.15,a4paper]{ctexart}\n"
    "\\setlength{\\parskip}{.2em}\\ctexset{section={format=\\Large\\bfseries\\raggedright,beforeskip=2.5ex,afterskip=1ex}}",
}


def files(document: paper.Document, place: Path) -> dict[Path, bytes | str]:
    """Returns the content of the file, and of the pictures beside it."""
    # only letters that are not commands where LaTeX reads the name
    writer = TexSource(document, re.sub(r"[^A-Za-z0-9_-]", "-", place.stem))
    text = source(writer)
    return {place: text, **{place.with_name(name): picture for name, picture in writer.pictures.items()}}


def source(writer: TexSource) -> str:
    """Returns the text of the file."""
    document = writer.document
    title, subtitle = (escaped(text, document.lang) for text in (document.title, document.subtitle))
    return "\n".join(
        [
            CLASSES[document.lang],
            Path(__file__).with_name("paper.tex").read_text(encoding="utf-8").rstrip(),
            f"\\hypersetup{{pdftitle={{{title}}},pdflang={{{document.lang}}}}}",
            "\\begin{document}",
            f"{{\\noindent\\LARGE\\bfseries {title}\\par}}\\smallskip",
            f"{{\\noindent\\color{{faint}}{subtitle}\\par}}\\bigskip",
            *(["\\tableofcontents"] if document.contents else []),
            "",
            writer.body(),
            "\\end{document}",
            "",
        ]
    )


class TexSource(PaperWriter):
    """This writes the parts of one document; `pictures` are the figures as PDF by the names of their files.

    stem: with which the names of pictures begin
    """

    between, dash = "", "--"

    def __init__(self, document: paper.Document, stem: str) -> None:
        super().__init__(document)
        self.stem, self.pictures = stem, dict[str, bytes]()

    def section(self, section: paper.Section) -> str:
        star = "" if self.document.numbered else "*"
        room = 10 if any(isinstance(block, paper.Table) for block in section.blocks[:2]) else 5  # lines at a page's end
        return f"\\withroom{{{room}}}\\section{star}{{{self.text(section.title)}}}\n{self.blocks(section.blocks)}"

    def placed(self, block: paper.Block, after: paper.Block | None) -> str:
        """Returns a block before another one: a paragraph continues in equations, and is on one page with a table."""
        text, introduces = self.block(block), isinstance(block, paper.Paragraph)
        if introduces and isinstance(after, paper.EquationBlock):
            return f"{text}\n"
        return f"\\withtable\n{text}\n\n" if introduces and isinstance(after, paper.Table) else f"{text}\n\n"

    def paragraph(self, paragraph: paper.Paragraph) -> str:
        return self.line(paragraph.parts)

    def equations(self, block: paper.EquationBlock, first: int) -> str:
        uses = self.uses(block)
        return (f"\\uses{{{uses}}}\n" if uses else "") + "\n".join(_displays(block, first))

    def figure(self, figure: paper.Figure) -> str:
        if not figure.picture.pdf:
            return self.text(self.words("left out", caption=figure.caption))
        name = f"{self.stem}-picture-{len(self.pictures) + 1}.pdf"
        self.pictures[name] = figure.picture.pdf
        return f"\\drawing{{{name}}}{{{self.text(figure.caption)}}}{{{figure.highest}}}"

    def table(self, table: paper.Table) -> str:
        return "\n\n".join(map(self._table, table_room.parted(table)))

    def _table(self, table: paper.Table) -> str:
        size = next(name for least, name in SIZES if table_room.size(table) >= least)
        head = _row_of(f"\\textbf{{{self.cell(title)}}}" for title in table.titles)
        rows = [_row_of(map(self.cell, row)) for row in table.rows]
        form = f"\\begin{{longtable}}[l]{{@{{}}{' '.join(_columns(table))}@{{}}}}"
        opening = (
            f"{{{size}\\setlength{{\\tabcolsep}}{{0.45em}}{form}\n\\hline\n{head}\\hline\\endhead\n\\hline\\endfoot\n"
        )
        # a small table stays on one page, and two rows of a long one show that it continues
        count = len(rows) - 1 if len(rows) <= table_room.SMALL else 1
        rows[:count] = (f"{row.removesuffix(END_OF_ROW)} \\\\*\n" for row in rows[:count])
        return f"{opening}{''.join(rows)}\\end{{longtable}}}}"

    def code(self, code: paper.Code) -> str:
        return program(code.text)

    def titled(self, title: str, blocks: Sequence[paper.Block]) -> str:
        return f"\\subsubsection*{{{self.text(title)}}}\n{self.blocks(blocks)}"

    def room(self, blank: paper.Blank) -> str:
        return f"\\rule{{0pt}}{{{blank.lines * 1.4:g}em}}\\rule{{4em}}{{0.4pt}}"

    def text(self, content: str) -> str:
        return escaped(content, self.document.lang)

    def mathematics(self, part: paper.Mathematics) -> str:
        return f"${in_latex(part) if isinstance(part, Formula) else Latex().write(part)}$"

    def link(self, number: int) -> str:
        return f"\\hyperref[equation-{number}]{{({number})}}"


def _row_of(cells: Iterable[str]) -> str:
    return " & ".join(cells) + END_OF_ROW


def program(text: str) -> str:
    """Returns a program as typed; long lines are broken at gaps."""
    typed_lines = [
        piece
        for line in text.splitlines()
        for piece in _broken(typed(line.expandtabs(TAB)).replace(END, "\\end {verbatim}"))
    ]
    return "\n".join(["{\\scriptsize\\begin{verbatim}", *typed_lines, "\\end{verbatim}}"])


def _broken(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return wrap(line, CODE_LINE, subsequent_indent=indent, drop_whitespace=False) if len(line) > CODE_LINE else [line]


def _columns(table: paper.Table) -> Iterator[str]:
    """Yields the form of each column: as wide as its cells, or of a width that makes the table fit the page."""
    widths = [max(map(table_room.whole, column)) for column in table_room.columns(table)]
    room = table_room.LINE / table_room.size(table) - table_room.GAP * len(widths)
    share = room / len(widths)
    words = [max(map(table_room.word, column)) for column in table_room.columns(table)]  # which cannot be broken
    long = {
        k: (width, max(one, min(width, READABLE)))
        for k, (width, one) in enumerate(zip(widths, words, strict=True))
        if width > max(share, one) and sum(widths) > room
    }
    parts = _shared(room - sum(width for k, width in enumerate(widths) if k not in long), long)
    for k in range(len(widths)):
        yield (f">{{\\raggedright\\arraybackslash}}p{{{0.88 * parts[k] / room:.3f}\\linewidth}}" if k in long else "l")


def _shared(room: float, columns: Mapping[int, tuple[float, float]]) -> dict[int, float]:
    """Returns how much room each column has: in proportion to its width, but at least its least width.

    columns: the width of the longest text of each column, and its least width, by the column's number
    """
    total = sum(width for width, _ in columns.values())
    narrow = {k: least for k, (width, least) in columns.items() if room * width < least * total}
    if not narrow:
        return {k: room * width / total for k, (width, _) in columns.items()}
    return narrow | _shared(room - sum(narrow.values()), {k: columns[k] for k in columns if k not in narrow})


def _displays(block: paper.EquationBlock, first: int) -> Iterator[str]:
    """Yields the displays of a block: each blank by itself, short definitions in pairs, others below each other."""
    for run, in_pairs in paper_rows.runs(block, first):
        for kind, group in groupby(run, key=_kind):
            yield from (_pairs if in_pairs else kind)(list(group))


def _kind(row: Row) -> Callable[[list[Row]], Iterator[str]]:
    if isinstance(row.right, paper.Blank):
        return _blanks
    return _matrices if isinstance(row.right, Matrix) else _sums


def _blanks(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        assert isinstance(row.right, paper.Blank)
        place = f"\\phantomsection\\label{{equation-{row.number}}}"
        yield f"{place}\\blank{{{_name(row.left)}}}{{{row.right.lines}}}{{{row.number}}}"


def _pairs(rows: list[Row]) -> Iterator[str]:
    """Yields a table of two equations a row."""
    cells = [f"\\cell{{${_name(row.left)} {_right(row)}$}} & \\numbered{{{row.number}}}" for row in rows]
    joined = [" & ".join(cells[k : k + 2]) for k in range(0, len(cells), 2)]
    yield "\n".join(["\\begin{pairs}", END_OF_ROW.join(joined), "\\end{pairs}"])


def _right(row: Row) -> str:
    assert isinstance(row.right, Sum)
    return Latex().write(row.right)


def _matrices(rows: list[Row]) -> Iterator[str]:
    fitted = [f"\\fitted{{{_name(row.left)}}}{{{_matrix(row.right)}}}{_tag(row.number)}" for row in rows]
    yield _display("gather", fitted, " \\\\[1ex]\n")


def _sums(rows: list[Row]) -> Iterator[str]:
    room = int(LINE - max(layout.extent(row.left) for row in rows))
    written = []
    for row in rows:
        *others, last = _lines(row, room)
        written += [*(f"{line} \\notag" for line in others), last + _tag(row.number)]
    yield _display("align", written, " \\\\\n")


def _lines(row: Row, room: int) -> list[str]:
    """Returns the lines of an equation with its marks of alignment."""
    if not isinstance(row.right, Zeros):
        assert isinstance(row.right, Sum)
        return lines(Equation(row.left, row.right), room)
    latex = Latex()
    names = [latex.write(row.left), *map(latex.symbol, row.right.names), "0"]
    few = max(1, int(room / (layout.extent(row.left) + 3)))
    parts = [" = ".join(names[k : k + few]) for k in range(1, len(names), few)]
    return [f"{names[0]} &= {parts[0]}", *(f"&= {part}" for part in parts[1:])]


def _display(environment: str, rows: list[str], end: str) -> str:
    return "\n".join([f"\\shown\\begin{{{environment}}}", end.join(rows), f"\\end{{{environment}}}"])


def _tag(number: int | None) -> str:
    return " \\notag" if number is None else f" \\tag{{{number}}}\\label{{equation-{number}}}"


def _name(left: Symbol | Partial) -> str:
    return "" if left is UNNAMED else f"{Latex().write(left)} = {{}}"


def _matrix(right: object) -> str:
    assert isinstance(right, Matrix)
    return Latex().write(right)
