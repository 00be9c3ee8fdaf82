"""Documents with every kind of block, and with texts that try to be commands."""

from __future__ import annotations

from fractions import Fraction

from qddot.exact.printing.notation import rate, symbol
from qddot.exact.printing.tree import Matrix, Partial, Product, Sum
from qddot.papers.report.document import (
    Blank,
    Block,
    Code,
    Column,
    Columns,
    Document,
    EquationBlock,
    Figure,
    Folded,
    Numbered,
    Paragraph,
    Picture,
    Reference,
    Section,
    Table,
)
from qddot.papers.report.formula import formula

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M2 2 L38 18" stroke="red"/></svg>'
HOSTILE = (
    '#import "@preview/a:0.1.0": b',
    '#read("/etc/passwd") #panic()',
    "$ a $ *b* _c_ @d <label> = heading",
    "`raw` // comment /* more */ \\ \"quoted\" 'x' [y] {z} ~ -- --- ...",
    "\\input{/etc/passwd} \\immediate\\write18{id} ^^5cinput \\end{document}",
    "50 % & # $ } { ~ ^ _ \\\\ \\verb|x| \\csname x\\endcsname",
    "Grüße, élève, Łódź, Ærø, İ, ŋ, Ω τ q̇ J̄ ∂P/∂q ≠ M⁻¹ Jvᵀ ½ 机器人 Привет “so” – — …\u202e",
)


def total(*terms: tuple[int, str]) -> Sum:
    """Returns a sum of numbers times products of names."""
    return Sum(tuple(Product(Fraction(n), tuple((symbol(name), 1) for name in names.split())) for n, names in terms))


def long_sum(terms: int) -> Sum:
    """Returns a sum of many terms, some of them with wide brackets."""
    inner = total(*((k + 1, f"a{k} b{k} c{k}") for k in range(12)))
    simple = [product for k in range(terms) for product in total(((-1) ** k * (k + 2), f"m{k} l{k} qd{k}")).products]
    return Sum((*simple, Product(Fraction(-1), ((symbol("m"), 1), (inner, 1), (symbol("x"), 2)))))


def wide_matrix(columns: int) -> Matrix:
    """Returns a matrix with entries that are long, and zeros."""
    row = tuple(total((1, f"x{k} y{k}"), (-1, f"alpha{k} beta{k} gamma{k}")) for k in range(columns))
    return Matrix((row, (Sum(),) * columns))


def everything(lang: str = "en", hostile: tuple[str, ...] = HOSTILE) -> Document:
    """Returns a document with every kind of block and every kind of part of a line."""
    equations = EquationBlock(
        "M",
        (
            Numbered(symbol("M11"), long_sum(30)),
            Numbered(Partial(symbol("L"), rate("q1")), Sum()),
            *(Numbered(symbol(f"T{n}"), wide_matrix(n)) for n in (1, 4, 6, 8)),
            Numbered(symbol("M22"), Blank(3)),
            Numbered(symbol("h1"), total((-1, "a b"), (1, "c"))),
        ),
    )
    blocks: list[Block] = [
        Paragraph(("With ", symbol("m1"), ", ", formula("U_ij = ∂T_i/∂q_j"), " and ", Reference("M"), ".")),
        equations,
        EquationBlock("h", (Numbered(symbol("h"), total((1, "m g"))),), ("M", "h")),
        Folded("Folded", (Paragraph(("Within.",)), EquationBlock("P", (Numbered(symbol("P"), Sum()),), ("h",)))),
        Columns((Column("Left", (Paragraph(("One.",)),)), Column("Right", (Paragraph(("Two.",)),)))),
        Figure(Picture(SVG, moving=b"RIFF"), "A moving picture"),
        Figure(Picture(""), "A picture that was not handed in"),
        Code("python", "def f(x):\n\treturn '#x' + \"\\end{verbatim}\" + " + "x * (y + z) + " * 20 + "τ\n"),
        Code("c", "int main(void) { return 0; } // \\end{verbatim} ` #let"),
        Table(("symbol", "meaning", "blank"), tuple((symbol(f"m{k}"), "word " * k, Blank(2)) for k in range(60))),
        Table(tuple(f"title{k}" for k in range(20)), (tuple(f"{k}.23456789" for k in range(20)),)),
        Table(("M", *[""] * 8), (("-0.00123456",) * 9,) * 9),
        *(Paragraph((text,)) for text in hostile),
        Table(("a", "b"), tuple((text, text) for text in hostile)),
        Folded(hostile[0], (Figure(Picture(SVG), hostile[2]),)) if hostile else Paragraph(("End.",)),
    ]
    sections = (Section("one", "First", tuple(blocks)), *(Section(f"k{k}", text, ()) for k, text in enumerate(hostile)))
    return Document(hostile[1] if hostile else "Title", hostile[3] if hostile else "Subtitle", lang, sections)
