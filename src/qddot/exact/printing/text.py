"""Writes expressions as plain text: `m1*l**2/3 + m2*l**2*c2`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.base.words.message import say
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.language import Language
from qddot.exact.printing.legend import shortened_functions
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import NOTHING, Atom, Circular, Equation, Matrix, Partial, Root, Sign, Sum, Symbol
from qddot.exact.printing.writer import Array, Definitions, Sheet, Statement, Writer, check_width

WIDTH = 100
MOST_ZEROS = 6  # the most zero entries that are named


class Signed(Language[str]):
    """This puts sums into plain brackets, since a line cannot be broken inside growing ones."""

    def brackets(self, inner: str) -> str:
        return f"({inner})"

    def total(self, terms: Sequence[tuple[bool, str]]) -> str:
        return signed(terms)


class Infix(Signed):
    """This writes expressions with operators on one line, as plain text and programming languages do."""

    to_the = "**"

    def symbol(self, symbol: Symbol) -> str:
        return symbol.text

    def circular(self, function: Circular, exponent: int) -> str:
        written = f"{function.kind}({self.write(function.argument)})"
        return written if exponent == 1 else self.raised(written, exponent)

    def sign(self, sign: Sign) -> str:
        return f"sgn({sign.of.text})"

    def root(self, root: Root) -> str:
        return f"sqrt({self.radicand(root)})"

    def partial(self, partial: Partial) -> str:
        return f"∂{partial.of.text}/∂{partial.by.text}"

    def quotient(self, top: str, bottom: str) -> str:
        """Returns a fraction, without brackets around a product above and a name below."""
        above = f"({top})" if " " in top else top
        return f"{above}/{bottom}" if bottom.isidentifier() else f"{above}/({bottom})"

    def chain(self, factors: Sequence[str], traced: bool) -> str:
        return f"Tr({' '.join(factors)})" if traced else " ".join(factors)

    def raised(self, base: str, exponent: int) -> str:
        return f"{base}{self.to_the}{exponent}"

    def product(self, number: Fraction, factors: Sequence[str], numbers: NumberForm) -> str:
        """Returns 3*m1*l1/2, or 1.5*m1*l1 in decimals."""
        digits = written(number, numbers)
        if not factors or "/" not in digits:
            return "*".join(factors if factors and number == 1 else [digits, *factors])
        top = factors if number.numerator == 1 else [str(number.numerator), *factors]
        return "*".join(top) + f"/{number.denominator}"

    def matrix(self, matrix: Matrix) -> str:
        """Returns the rows in brackets, one per line, with the columns aligned."""
        cells = [[self.write(entry) for entry in row] for row in matrix.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        rows = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        return "\n".join(f"[ {row} ]" for row in rows)

    def transposed(self, matrix: str) -> str:
        return f"{matrix}ᵀ"


class Text(Infix):
    """This writes c12 for the cosine of q1 + q2, and constant angles in degrees."""

    def circular(self, function: Circular, exponent: int) -> str:
        if not (function.angle.pi or function.angle.radians):
            return super().circular(function, exponent)
        written = f"{function.kind}({function.angle})"
        return written if exponent == 1 else self.raised(written, exponent)


def polynomial(value: Terms) -> str:
    """Returns all terms of a polynomial."""
    return Text().write(expanded(value))


def signed(terms: Iterable[tuple[bool, str]]) -> str:
    """Returns terms (negative, text) joined by their signs."""
    joined = "".join((" - " if negative else " + ") + written for negative, written in terms)
    return "0" if not joined else ("-" if joined.startswith(" - ") else "") + joined[3:]


def continued(line: str) -> str:
    """Returns a continuation line of a sum, which begins with its sign and a space."""
    return f"- {line[1:]}" if line.startswith("-") else f"+ {line}"


def equations(listed: Iterable[Equation], width: int = WIDTH) -> str:
    """Returns the equations, each beginning on a new line; long sums are broken before signs."""
    check_width(width)
    text, all_equations = Text(), list(listed)
    gap = "\n\n" if any(isinstance(equation.right, Matrix) for equation in all_equations) else "\n"
    return gap.join(_equation(text, equation, width) for equation in all_equations)


def _equation(text: Text, equation: Equation, width: int) -> str:
    left = text.write(equation.left)
    head = f"{left} = " if left else ""
    if isinstance(equation.right, Sum) and equation.right.has_matrices:
        return _of_matrices(head, text, equation.right)
    if isinstance(equation.right, Sum):
        if equation.right.quotient or equation.left is NOTHING:
            return _wrapped(equation, width)
        return broken(head, text.terms(equation.right), width)
    return _beside([head, text.matrix(equation.right)])


def _of_matrices(head: str, text: Text, total: Sum) -> str:
    """Returns a sum of products of matrices, each product on lines of its own after its sign."""
    heads = [head, *["+ ".rjust(len(head))] * (len(total.products) - 1)]
    products = (text.factors(product) for product in total.products)
    return "\n\n".join(_beside([sign, *matrices]) for sign, matrices in zip(heads, products, strict=True))


def _beside(blocks: Sequence[str]) -> str:
    """Returns a head and texts of several lines beside each other; a lower one stands at the middle."""
    lines = [block.splitlines() or [""] for block in blocks]
    height = max(map(len, lines))
    columns = []
    for block in lines:
        above, width = (height - len(block) + 1) // 2, max(map(len, block))
        below = height - len(block) - above
        columns.append([line.ljust(width) for line in [*[""] * above, *block, *[""] * below]])
    return "\n".join(f"{head}{' '.join(row)}".rstrip() for head, *row in zip(*columns, strict=True))


def broken(head: str, terms: Sequence[tuple[bool, str]], width: int) -> str:
    """Returns a sum on lines of at most `width` characters if its terms are short enough; a line begins with a sign."""
    lines, line = [], head
    for k, (negative, term) in enumerate(terms):
        sign = ("-" if negative else "") if k == 0 else (" - " if negative else " + ")
        if k and len(line) + len(sign) + len(term) > width:
            lines.append(line)
            line, sign = " " * min(len(head), 8), sign.lstrip()
        line += sign + term
    return "\n".join([*lines, line if terms else f"{head}0"])


class TextWriter(Writer):
    """This writes plain text: one line per entry, long lines broken before signs."""

    sentence = "plain text, one equation per entry"
    width = WIDTH

    def array(self, array: Array, width: int) -> str:
        """Returns one line per entry; the zero entries of a matrix are summed up at the end.

        Poses, Jacobians and other matrices of single links are written as matrices if they fit.
        """
        plain = Text()
        all_of_them = list(array.equations(lambda matrix: _extent(plain, matrix) <= width))
        if len(array.shape) < 2:
            return equations(all_of_them, width)
        nonzero = [equation for equation in all_of_them if not equation.is_zero]
        zeros = [plain.write(equation.left) for equation in all_of_them if equation.is_zero]
        lines = [equations(nonzero, width)] if nonzero else []
        return "\n".join([*lines, *([_zeros(array, zeros, bool(nonzero))] if zeros else [])])

    def sheet(self, sheet: Sheet, width: int) -> str:
        meanings = [_legend(sheet.atoms(), width)] if sheet.explained else []
        parts = [*meanings, *(self._statement(each, sheet, width) for each in sheet.filled)]
        return "\n\n".join(filter(None, parts))

    def _statement(self, statement: Statement, sheet: Sheet, width: int) -> str:
        if isinstance(statement, Definitions):
            return definitions(statement, width)
        law = sheet.law(statement)
        note = sheet.note(statement.label)
        before = [str(note) if note else None, equations([law], width) if law else None]
        return "\n".join(filter(None, [*before, self.array(statement, width)]))


def definitions(listed: Definitions, width: int = WIDTH) -> str:
    """Returns definitions, one per line, with values where they are known."""
    lines = [str(listed.heading)] if listed.heading and listed.parts else []
    for each in listed.equations:
        number = listed.value(each.name)
        lines.append(equations([each], width) + ("" if number is None else f"  # {number:.6g}"))
    return "\n".join(lines)


def _legend(atoms: Iterable[Atom], width: int) -> str:
    """Returns "c12 = cos(q1 + q2)" for each short name; no line is broken within an equation."""
    plain = Text()
    comma = str(say("comma-between"))
    mark = comma.strip()
    meanings = (f"{short.text} = {plain.write(function)}{mark}" for short, function in shortened_functions(atoms))
    lines = textwrap.wrap(" ".join(each.replace(" ", "\0") for each in meanings), width)
    return "\n".join(lines).replace(f"{mark} ", comma).replace("\0", " ").removesuffix(mark)


def _wrapped(equation: Equation, width: int) -> str:
    """Returns an equation broken between any two words, after the first line below its right side."""
    assert isinstance(equation.right, Sum)
    line = f"{equation.name} = {Text().write(equation.right)}"
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=" " * (len(equation.name) + 3)))


def _extent(plain: Text, matrix: Matrix) -> int:
    """Returns the characters of a matrix's rows with a short name."""
    return 8 + max(map(len, plain.matrix(matrix).splitlines()))


def _zeros(array: Array, zeros: Sequence[str], some: bool) -> str:
    """Returns a sentence about the entries that are zero; some: whether others are not."""
    name = array.letter
    if not some:
        return f"{name} = 0" if name else "0"
    if len(zeros) <= MOST_ZEROS:
        return " = ".join([*zeros, "0"])
    if not name:
        return str(say("other-entries-zero", count=len(zeros)))
    if not array.exchanged:
        return str(say("entries-of-zero", count=len(zeros), name=name))
    first = list("ijklm"[: len(array.shape)])
    second, (a, b) = [*first], array.exchanged
    second[a], second[b] = first[b], first[a]
    one, other = (f"{name}_{''.join(letters)}" for letters in (first, second))
    return str(say("entries-of-symmetric-zero", count=len(zeros), name=name, first=one, second=other))


WRITER = TextWriter()
