"""Writes LaTeX for notebooks that MathJax and KaTeX accept: the first lines of long equations, and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from qddot.base.records import record
from qddot.base.words.message import Message
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.latex import Latex, lines
from qddot.exact.printing.layout import PAGE, extent
from qddot.exact.printing.legend import equations as short_names
from qddot.exact.printing.tree import Atom, Equation, Matrix, Product, Sum, Symbol
from qddot.exact.printing.writer import Array

MOST_LINES = 30
NARROW = 8  # letters that the factor before a bracket and an ellipsis take


@record()
class Head:
    """A head is the first of many equations as LaTeX; height: its number of lines; cut: whether something is
    missing."""

    latex: str
    equations: tuple[Equation, ...]
    height: int
    cut: bool

    def atoms(self) -> Iterator[Atom]:
        """Yields the names and functions in the equations."""
        for equation in self.equations:
            yield from equation.right.atoms()


def head(equations: Iterable[Equation], most: int = MOST_LINES, values: Mapping[str, float] | None = None) -> Head:
    """Returns as many equations as fit in `most` lines, and at least the beginning of the first.

    values: numbers that are written beside the equations, by the names on their left sides
    """
    written: list[str] = []
    equations_shown: list[Equation] = []
    height, cut, narrowed = 0, False, False
    for equation in equations:
        room = most - height
        narrow = _narrow(equation)
        new = lines(narrow)
        new[0] += _beside(equation, values or {})
        tall = len(equation.right.rows) if isinstance(equation.right, Matrix) else len(new)
        cut = tall > room
        if cut and (isinstance(equation.right, Matrix) or not room) and equations_shown:
            break
        equations_shown.append(narrow)
        narrowed = narrowed or narrow is not equation
        height += min(tall, room)
        written += [*new[: room - 1], f"{new[room - 1]} + \\cdots"] if len(new) > room else new
        if cut:
            break
    return Head(_aligned(written), tuple(equations_shown), height, cut or narrowed)


def _narrow(equation: Equation) -> Equation:
    """Returns the equation with its brackets, which cannot be broken, shortened to fit in a line."""
    right = equation.right
    if isinstance(right, Matrix):
        return equation
    products = tuple(_narrow_product(product, right.numbers, PAGE) for product in right.products)
    return Equation(equation.left, Sum(products, right.numbers)) if products != right.products else equation


def _narrow_product(product: Product, numbers: NumberForm, room: float) -> Product:
    brackets = sum(isinstance(base, Sum) for base, _ in product.factors)
    if not brackets or extent(Sum((product,), numbers)) <= room:
        return product
    each = (room - NARROW) / brackets
    factors = ((_beginning(base, each) if isinstance(base, Sum) else base, n) for base, n in product.factors)
    return Product(product.number, tuple(factors))


def _beginning(total: Sum, room: float) -> Sum:
    """Returns the terms of a bracket that fit, and an ellipsis for the others."""
    terms: list[Product] = []
    for product in total.products:
        size = extent(Sum((product,), total.numbers)) + 3
        if size > room:
            first = [] if terms or room < NARROW else [_narrow_product(product, total.numbers, room - NARROW)]
            return Sum((*terms, *first), total.numbers).with_ellipsis
        terms.append(product)
        room -= size
    return total


def _beside(equation: Equation, values: Mapping[str, float]) -> str:
    """Returns the LaTeX of the value to be written beside an equation, or ""."""
    if not isinstance(equation.left, Symbol) or equation.left.text not in values:
        return ""
    mantissa, _, exponent = f"{values[equation.left.text]:.6g}".partition("e")
    return f" &&\\approx {mantissa}" + (f" \\times 10^{{{int(exponent)}}}" if exponent else "")


def _aligned(written: Sequence[str]) -> str:
    gaps = ["\\\\[0.6ex] " if line.endswith("matrix}") else "\\\\ " for line in written[:-1]]
    rows = (f"{line} {gap}" for line, gap in zip(written, [*gaps, ""], strict=True))
    return f"\\begin{{aligned}} {''.join(rows)}\\end{{aligned}}"


def stacked(parts: Iterable[str]) -> str:
    """Returns one formula that has formulas and sentences below each other."""
    rows = [part for part in parts if part]
    return "$\\displaystyle \\begin{array}{l} " + " \\\\[1.2ex] ".join(rows) + " \\end{array}$"


def sentence(words: Message) -> str:
    """Returns a sentence as a part of a formula; of LaTeX's special characters it may contain underscores only."""
    return "\\text{" + str(words).replace("_", "}\\_\\text{") + "}"


def law(parts: Iterable[Array], accelerations: str, right: str) -> str:
    """Returns M q̈ + h + G = τ for the quantities M, h and G, the accelerations and the right side."""
    factors = {"M": f" {accelerations}"}
    return " + ".join(Latex().write(part.symbol) + factors.get(part.name, "") for part in parts) + f" = {right}"


def legend(atoms: Iterable[Atom]) -> str:
    """Returns the meaning of the short names of sines and cosines: c12 = cos(q1 + q2)."""
    latex, room = Latex(), float(PAGE)
    rows: list[list[str]] = [[]]
    for meaning in short_names(atoms):
        assert not isinstance(meaning.right, Matrix)
        size = extent(meaning.left) + extent(meaning.right) + 4
        if size > room and rows[-1]:
            rows.append([])
            room = PAGE
        rows[-1].append(f"{latex.write(meaning.left)} = {latex.write(meaning.right)}")
        room -= size
    return _aligned(["& " + ",\\; ".join(row) for row in rows]) if rows[0] else ""
