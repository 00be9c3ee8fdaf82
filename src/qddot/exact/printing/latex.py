"""Writes expressions as LaTeX that plain pdflatex with amsmath compiles and KaTeX parses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from qddot.algebra.expressions.expression import MAGNITUDE
from qddot.base.words.message import Listed, say
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.legend import shortened_functions
from qddot.exact.printing.notation import DEGREE, LETTERS, SCRIPT, index_parts
from qddot.exact.printing.text import Signed, continued, signed
from qddot.exact.printing.tree import ELLIPSIS, UNNAMED, Atom, Circular, Equation, Matrix, Partial, Root, Sign, Symbol
from qddot.exact.printing.typeset import Typeset, TypesetWriter
from qddot.exact.printing.writer import Array, Definitions, Sheet, Statement, check_width

DOTS = ("", "\\dot", "\\ddot")
FUNCTIONS = ("\\cos", "\\sin", "\\operatorname")
BARE = re.compile(r"[A-Za-z]|[0-9]+")


class Latex(Signed, Typeset[str]):
    """This writes mathematics without delimiters."""

    def symbol(self, symbol: Symbol) -> str:
        if symbol is DEGREE:
            return "{}^{\\circ}"
        if symbol is ELLIPSIS:
            return "\\cdots"
        head = _head(symbol.head)
        head = f"\\bar{{{head}}}" if symbol.bar else head
        head = f"{DOTS[symbol.dots]}{{{head}}}" if symbol.dots else head
        below = f"_{{{_index(symbol.below)}}}" if symbol.below else ""
        above = f"^{{{_index(symbol.above)}}}" if symbol.above else ""
        before = f"{{}}^{{{symbol.frame}}}" if symbol.frame else ""
        return f"{before}{head}{above}{below}"

    def circular(self, function: Circular, exponent: int) -> str:
        power = f"^{{{exponent}}}" if exponent > 1 else ""
        argument, bare = self.write(function.argument), len(function.argument.products) == 1
        if function.kind == MAGNITUDE:
            return f"\\left|{argument}\\right|{power}"
        inside = f"{{{argument}}}" if bare and function.argument.products[0].number == 1 else f"({argument})"
        return f"\\{function.kind}{power}{inside}"

    def sign(self, sign: Sign) -> str:
        return f"\\operatorname{{sgn}}{self.symbol(sign.of)}"

    def root(self, root: Root) -> str:
        return f"\\sqrt{{{self.radicand(root)}}}"

    def partial(self, partial: Partial) -> str:
        return f"\\frac{{\\partial {self.symbol(partial.of)}}}{{\\partial {self.symbol(partial.by)}}}"

    def chain(self, factors: Sequence[str], traced: bool) -> str:
        return f"\\operatorname{{Tr}}({' '.join(factors)})" if traced else " ".join(factors)

    def bracket(self, opens: bool) -> str:
        return "(" if opens else ")"

    def quotient(self, top: str, bottom: str) -> str:
        return f"\\frac{{{top}}}{{{bottom}}}"

    def raised(self, base: str, exponent: int) -> str:
        # LaTeX sets an index below an exponent: m_1^{2} needs no braces
        return f"{base}^{{{exponent}}}" if "^" not in base else f"{{{base}}}^{{{exponent}}}"

    def product(self, number: Fraction, factors: Sequence[str], numbers: NumberForm) -> str:
        first = [] if factors and number == 1 else [_number(number, numbers)]
        # a space ends the argument of a function that has no brackets
        parted = (
            f"{one} \\," if one.startswith(FUNCTIONS) and two and not two.startswith(FUNCTIONS) else one
            for one, two in pairwise([*factors, ""])
        )
        return " ".join([*first, *parted])

    def matrix(self, matrix: Matrix) -> str:
        rows = [" & ".join(map(self.write, row)) for row in matrix.rows]
        return "\\begin{bmatrix} " + " \\\\ ".join(rows) + " \\end{bmatrix}"

    def transposed(self, matrix: str) -> str:
        return f"{matrix}^{{T}}"


def _number(number: Fraction, numbers: NumberForm) -> str:
    digits = written(number, numbers)
    if "e" in digits:
        mantissa, exponent = digits.split("e")
        return f"{mantissa} \\times 10^{{{int(exponent)}}}"
    return f"\\tfrac{{{number.numerator}}}{{{number.denominator}}}" if "/" in digits else digits


def _head(head: str) -> str:
    if head in LETTERS:
        return f"\\{head}"
    if head in SCRIPT:
        return f"\\mathcal{{{SCRIPT[head]}}}"
    return head if BARE.fullmatch(head) else f"\\mathrm{{{escaped(head)}}}"


def _index(index: str) -> str:
    """Returns an index; words in it stand upright."""
    return "".join(_word(part) if is_word else part for part, is_word in index_parts(index))


def _word(part: str) -> str:
    return f"\\{part} " if part in LETTERS else f"\\mathrm{{{escaped(part)}}}"


def escaped(text: str) -> str:
    """Returns a user's text for LaTeX: special characters are escaped, and those outside ASCII become code points."""
    return "".join(_escaped_letter(letter) for letter in text)


def _escaped_letter(letter: str) -> str:
    if letter in SIGNS:
        return SIGNS[letter]
    return letter if letter.isascii() and letter.isprintable() else f"U{ord(letter):04X}"


SIGNS = {"\\": "\\backslash ", "^": "\\wedge ", "~": "\\sim ", **{sign: f"\\{sign}" for sign in "{}_%&#$ "}}


def aligned(equations: Iterable[Equation], width: int = PAGE) -> str:
    """Returns an `aligned` environment with one equation per line; long ones are broken before their signs."""
    written = [line for equation in equations for line in lines(equation, width)]
    return "\\begin{aligned} " + " \\\\\n".join(written or ["0"]) + " \\end{aligned}"


def numbered(equations: Iterable[Equation], width: int = PAGE) -> str:
    """Returns an `align` environment with one number per equation; long ones have several lines."""
    check_width(width)
    written = []
    for equation in equations:
        *first, last = lines(equation, width)
        written += [*(f"{line} \\notag" for line in first), last]
    return "\\begin{align}\n" + " \\\\\n".join(written) + "\n\\end{align}"


def lines(equation: Equation, width: int = PAGE) -> list[str]:
    """Returns the lines of an equation, with & where they are aligned."""
    latex = Latex()
    named = equation.left is not UNNAMED
    head = f"{latex.write(equation.left)} &= " if named else "& "
    if isinstance(equation.right, Matrix):
        return [f"{head}{latex.write(equation.right)}"]
    parts = [signed(part) for part in latex.rows(equation, width)]
    # braces keep a sign at the beginning from being a minus between two terms
    return [head + (parts[0] if named else f"{{{parts[0]}}}"), *(f"&\\quad {continued(part)}" for part in parts[1:])]


def legend(atoms: Iterable[Atom]) -> str:
    """Returns a sentence on the short names of sines and cosines, or nothing where no short name occurs."""
    maths = Latex()
    meanings = [f"${maths.symbol(short)} = {maths.write(function)}$" for short, function in shortened_functions(atoms)]
    return str(say("short-names-here", meanings=Listed(meanings))) if meanings else ""


class LatexWriter(TypesetWriter):
    """This writes an array as one matrix if it fits, else one aligned line for each nonzero entry."""

    def array(self, array: Array, width: int) -> str:
        return self._array("", array, width)

    def _array(self, head: str, array: Array, width: int) -> str:
        """Returns the value of an array after its head, or the equations of its entries."""
        latex = Latex()
        if not array.shape:
            return head + latex.write(array.written_entries()[0])
        matrix = array.as_matrix()
        if matrix is not None:
            return head + latex.matrix(matrix)
        return aligned((equation for equation in array.equations() if not equation.is_zero), width)

    def sheet(self, sheet: Sheet, width: int) -> str:
        if sheet.explained:
            meanings = legend(sheet.atoms())
            blocks = (numbered(block, width) for block in sheet.blocks())
            return "\n".join([*([meanings, ""] if meanings else []), *blocks])
        return "\n".join(self._statement(each, sheet, width) for each in sheet.filled)

    def _statement(self, statement: Statement, sheet: Sheet, width: int) -> str:
        if isinstance(statement, Definitions):
            return aligned(statement.equations, width)
        if law := sheet.law(statement):
            return aligned([law, *statement.whole_equations()], width)
        return self._array(f"{Latex().write(statement.symbol)} = ", statement, width)


WRITER = LatexWriter("LaTeX with amsmath, without delimiters", aligned, ("%", ""))
