"""Makes blocks of a document from exact arrays: their equations, the legend of short names, tables of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Place, Printed
from qddot.exact.equations.quantity_names import general_name, matrix_axes
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.exact.printing import layout, legend
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.tree import ZERO, Atom, Equation, Matrix, Partial, Product, Root, Sum, Symbol
from qddot.papers.report import levels
from qddot.papers.report.document import Blank, Block, Columns, EquationBlock, Inline, Paragraph
from qddot.papers.report.formula import Formula, Operator
from qddot.papers.report.levels import WHOLE, Extent
from qddot.papers.report.wording import Words

INDICES = "ijk"
FORMULAS = {"dL_dqd": "∂ℒ/∂q̇", "dL_dq": "∂ℒ/∂q", "christoffel": "Γ_ijk"}  # names of whole quantities
NO_BREAK = "\u00a0"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DIGITS = 6  # significant digits of the numbers in a table
MOST_TERMS = 6_000  # the most terms of a quantity that is written
LONGEST = 15  # signs of a number in a table
TALLEST = 3  # rows of a column, beyond which it is written as a transposed row
ROW = 64  # letters of such a row, which has room beside its name and number
IN_ENTRIES = {"M", "m_ijk", "christoffel", "C", "B", "C2", "G"}  # quantities of which an excerpt shows one entry
WIDEST = layout.ON_PAPER  # letters of a matrix's row, beyond which the entries are listed in all formats


def is_shown(array: Printed) -> bool:
    """Returns whether an array is short enough to be read."""
    return array.terms <= MOST_TERMS


def equations(
    array: Printed,
    words: Words,
    key: str = "",
    uses: Iterable[str] = (),
    room: float = WIDEST,
    extent: Extent = WHOLE,
) -> list[Block]:
    """Returns an equation for each entry that is not zero, or for each matrix that has room, and says what is zero.

    A sentence replaces an array that is too long. key: by default the name of the quantity; room: letters of a row
    extent: what is shown of it
    """
    chosen = extent.places(array)
    if message := _too_long(array, chosen, extent, words):
        return [message]
    if chosen is not None and not matrix_axes(array.name) and array.name not in levels.OF_LINKS:
        # one entry seldom follows from the one that is shown of another quantity
        uses = [each for each in uses if each.rpartition(".")[2] not in IN_ENTRIES]
    if array.ndim > 1 and not array and array.entries:
        # the letter alone might be a symbol of the arm: m = 0 would be a mass
        zero = words.letters(general_name(array.name, INDICES[: len(array.places[0]) - matrix_axes(array.name)]))
        return [EquationBlock.of(key or array.name, [Equation(zero, ZERO)], uses)]
    if not array.entries:  # B of one coordinate has no columns
        return [EquationBlock.of(key or array.name, [Equation(words.letters.name(array.name), ZERO)], uses)]
    every = list(array.equations(lambda matrix: layout.fits(matrix, room), chosen))
    of_links = matrix_axes(array.name) == array.ndim - 1  # one matrix or column for each link
    if array.ndim >= 2:  # a zero matrix of a link is stated; for entries, that the others are zero
        listed = [each for each in every if not _is_zero(each.right) or (of_links and _whole(each))]
        listed = listed or every[:1]
    else:
        listed = every
    named = (each._replace(left=words.letters.instance(each.left), right=_short(each.right)) for each in listed)
    block = EquationBlock.of(key or array.name, named, uses, complete=len(listed) < len(every))
    return [block._replace(mirrored=of_links and array.symmetric is not None and not all(map(_whole, every)))]


def is_written(array: Printed, chosen: set[Place] | None, extent: Extent) -> bool:
    """Returns whether an extent has room for the chosen entries of an array, or for all of them if None is given."""
    if chosen is not None:
        return _terms_of(array, chosen) <= levels.MOST_TERMS[extent.level]
    return is_shown(array) and not (extent.excerpt and array.terms > levels.MOST_TERMS[extent.level])


def _terms_of(array: Printed, chosen: set[Place]) -> int:
    return sum(len(each) for _, place, each in array.labelled() if place in chosen)


def _too_long(array: Printed, chosen: set[Place] | None, extent: Extent, words: Words) -> Paragraph | None:
    """Returns how many terms an array, or its chosen entry, has if they are too many to be read."""
    if is_written(array, chosen, extent):
        return None
    terms, name = array.terms, called(array.name, words)
    if chosen is not None and len(chosen) == 1 and not matrix_axes(array.name):
        (place,) = chosen
        terms = _terms_of(array, chosen)
        name = words.letters.name(array.name, place, array.ring.coordinates, (), array.ring.quasi)
    told = extent.excerpt and extent.level == levels.LECTURE  # the derivation says at its beginning where all of it is
    return words.paragraph("too long here" if told else "too long", name=name, terms=f"{terms:,}")


def _whole(equation: Equation) -> bool:
    return isinstance(equation.right, Matrix)


def _is_zero(right: Sum | Matrix) -> bool:
    rows = right.rows if isinstance(right, Matrix) else ((right,),)
    return not any(entry.products for row in rows for entry in row)


def _short(right: Sum | Matrix) -> Sum | Matrix:
    """Returns 0 for a matrix of zeros, and a tall column as a transposed row; other right sides are unchanged."""
    if _is_zero(right):
        return ZERO
    return laid(right) if isinstance(right, Matrix) else right


def laid(matrix: Matrix) -> Matrix:
    """Returns a matrix, which is written as a transposed row if it is a tall column and the row has room."""
    is_column = all(len(row) == 1 for row in matrix.rows)
    tall = is_column and len(matrix.rows) > TALLEST
    return matrix._replace(lying=tall and layout.fits(matrix.transpose, ROW))


def constants(
    short: ShortEquations,
    words: Words,
    blocks: Iterable[Block],
    explained: Collection[Symbol | Partial] = (),
    key: str = "constants",
) -> list[Block]:
    """Returns the definitions of the constants in some blocks, except those that have been explained."""
    used = {symbol.text for symbol in _symbols_of(blocks)}
    new = (each for each in short.definitions() if each.left not in explained)
    listed = [each for each in new if isinstance(each.left, Symbol) and each.left.text in used]
    return [words.paragraph("constants"), EquationBlock.of(key, listed)] if listed else []


def _symbols_of(blocks: Iterable[Block]) -> Iterator[Symbol]:
    yield from (atom for atom in atoms_of(blocks) if isinstance(atom, Symbol))


def atoms_of(blocks: Iterable[Block]) -> Iterator[Atom]:
    """Yields the atoms of the right sides of equations."""
    for block in blocks:
        if isinstance(block, EquationBlock):
            for each in block.listed:
                if not isinstance(each.right, Blank):
                    yield from each.right.atoms()
        elif isinstance(block, Columns):
            yield from (atom for column in block.columns for atom in atoms_of(column.blocks))


def called(name: str, words: Words) -> Inline:
    """Returns the name of a whole quantity."""
    return words.formula(FORMULAS[name]) if name in FORMULAS else words.letters.name(name)


def legend_of(blocks: Iterable[Block], words: Words) -> list[Block]:
    """Returns the meaning of the short names of sines and cosines in some blocks, or nothing."""
    parts: list[Inline] = []
    for short, function in legend.shortened_functions(atoms_of(blocks)):
        parts += [words("listed" if parts else "legend"), short, "\u00a0=\u00a0", function]
    return [Paragraph((*parts, words("stop")))] if parts else []


def sums(short: Textbook, entries: Sequence[Any]) -> list[Sum]:
    """Returns numbers of the arm's ring, or plain ones, as they are written."""
    array = ExactArray.of(short.eq.ring, list(entries))
    return [array.written(entry) for entry in array.entries]


def times(factor: Sum, name: Symbol) -> Product:
    """Returns a factor times a quantity."""
    if len(factor.products) > 1:
        return Product(Fraction(1), ((factor, 1), (name, 1)))
    (product,) = factor.products
    return product._replace(factors=(*product.factors, (name, 1)))


def is_long(number: Sum) -> bool:
    """Returns whether a sum has a number with too many digits to be read."""
    return any(len(written(abs(product.number), number.numbers)) > LONGEST for product in number.products)


def in_decimals(number: Sum) -> Sum:
    """Returns a number with six digits, roots included; a sum with symbols keeps these."""
    total = 0.0
    for product in number.products:
        value = float(product.number)
        for base, power in product.factors:
            if not isinstance(base, Root) or not isinstance(base.of, int):
                return number._replace(numbers=NumberForm.MEASURED)
            value *= base.of ** (power / 2)
        total += value
    return _entry(total)


def symbols(names: Iterable[Symbol], sign: str = ",") -> Formula:
    """Returns symbols with a sign between them."""
    parts: list[Symbol | Operator] = []
    for name in names:
        parts += [*([Operator(sign)] if parts else []), name]
    return Formula(", ".join(part.text for part in parts if isinstance(part, Symbol)), tuple(parts))


def number(value: float, digits: int = DIGITS) -> str:
    """Returns a number with the digits that a table shows: 0.00012, 1.2 × 10⁻⁷."""
    shown, _, power = f"{value:.{digits}g}".replace("-", "−").partition("e")
    return f"{shown} × 10{str(int(power.replace('−', '-'))).translate(RAISED)}" if power else shown


def numbers(values: Iterable[float]) -> tuple[str, ...]:
    return tuple(map(number, values))


def measured(rows: Iterable[Iterable[float]]) -> Matrix:
    """Returns a matrix of numbers with the digits that tables show."""
    return Matrix(tuple(tuple(map(_entry, row)) for row in rows))


def _entry(value: float) -> Sum:
    product = Product(Fraction(value)) if value else None
    return Sum((product,) if product else (), NumberForm.MEASURED)


def in_unit(title: Inline, unit: str) -> Paragraph:
    """Returns the title of a column whose values have a unit."""
    return Paragraph((title, f" [{unit}]")) if unit else Paragraph((title,))


def quantity(value: float, unit: str = "") -> str:
    """Returns a number with its unit, between which no line ends."""
    return f"{number(value)} {unit}".rstrip().replace(" ", NO_BREAK)


def vector(values: Sequence[float], unit_of: Sequence[str]) -> str:
    """Returns numbers in brackets, with their unit after them if it is the same."""
    if len(set(unit_of)) == 1 and len(values) > 1:
        return f"({', '.join(map(number, values))}){NO_BREAK}{unit_of[0]}"
    each = ", ".join(quantity(value, unit) for value, unit in zip(values, unit_of, strict=True))
    return f"({each})" if len(values) > 1 else each
