"""Writes expressions as plain text: `m1*l**2/3 + m2*l**2*c2`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.base.checked import whole
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.language import Language
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import Circular, Equation, Matrix, Partial, Root, Sign, Sum, Symbol

NARROWEST = 20  # characters of a line
WIDTH = 100


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
        return f"sqrt({root.of})"

    def partial(self, partial: Partial) -> str:
        return f"∂{partial.of.text}/∂{partial.by.text}"

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
    if isinstance(equation.right, Sum):
        return broken(head, text.terms(equation.right), width)
    rows = text.matrix(equation.right).splitlines()
    return "\n".join((head if k == len(rows) // 2 else " " * len(head)) + row for k, row in enumerate(rows))


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


def check_width(width: int) -> None:
    """Raises QddotError unless `width` is a possible number of characters in a line."""
    whole(width, "width", NARROWEST)
