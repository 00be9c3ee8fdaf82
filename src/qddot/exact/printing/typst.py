"""Writes expressions as Typst's mathematics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction

from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import DEGREE, LETTERS, SCRIPT, index_parts
from qddot.exact.printing.text import Signed, continued, signed
from qddot.exact.printing.tree import NOTHING, UNNAMED, Circular, Equation, Matrix, Partial, Root, Sign, Symbol
from qddot.exact.printing.typeset import Typeset, TypesetWriter

DOTS = ("", "dot", "dot.double")


class Typst(Signed, Typeset[str]):
    """This writes mathematics without dollar signs; letters are separated, since a run of them is a name in Typst."""

    def symbol(self, symbol: Symbol) -> str:
        if symbol is DEGREE:
            return "degree"
        if symbol is NOTHING:
            return symbol.text
        head = _word(symbol.head)
        head = f"macron({head})" if symbol.bar else head
        head = f"{DOTS[symbol.dots]}({head})" if symbol.dots else head
        below, above = _index(symbol.below), _index(symbol.above)
        if symbol.frame:
            places = {"tl": _index(symbol.frame), "b": below, "t": above}
            return f"attach({head}, {', '.join(f'{k}: {v}' for k, v in places.items() if v)})"
        return head + (f"_({below})" if below else "") + (f"^({above})" if above else "")

    def circular(self, function: Circular, exponent: int) -> str:
        power = f"^{exponent}" if exponent > 1 else ""
        return f"{function.kind}{power}({self.write(function.argument)})"

    def sign(self, sign: Sign) -> str:
        return f'op("sgn") {self.symbol(sign.of)}'

    def root(self, root: Root) -> str:
        return f"sqrt({self.radicand(root)})"

    def partial(self, partial: Partial) -> str:
        return f"frac(partial {self.symbol(partial.of)}, partial {self.symbol(partial.by)})"

    def chain(self, factors: Sequence[str], traced: bool) -> str:
        return f'"Tr"paren.l {" ".join(factors)} paren.r' if traced else " ".join(factors)

    def bracket(self, opens: bool) -> str:
        return "paren.l" if opens else "paren.r"  # Typst would pair plain brackets

    def quotient(self, top: str, bottom: str) -> str:
        return f"frac({top}, {bottom})"

    def raised(self, base: str, exponent: int) -> str:
        return f"{base}^{exponent}" if exponent > 0 else f"{base}^({exponent})"

    def product(self, number: Fraction, factors: Sequence[str], numbers: NumberForm) -> str:
        first = [] if factors and number == 1 else [_number(number, numbers)]
        return " ".join([*first, *factors])

    def matrix(self, matrix: Matrix) -> str:
        rows = [", ".join(map(self.write, row)) for row in matrix.rows]
        return 'mat(delim: "[", ' + "; ".join(rows) + ")"

    def transposed(self, matrix: str) -> str:
        return f"{matrix}^T"


def equations(listed: Iterable[Equation], width: int = PAGE) -> str:
    """Returns one block of mathematics with one equation per line; long ones are broken before their signs."""
    lines = [line for equation in listed for line in _lines(equation, width)]
    return "$ " + " \\\n".join(lines) + " $"


def _lines(equation: Equation, width: int) -> list[str]:
    typst = Typst()
    head = "& " if equation.left is UNNAMED else f"{typst.write(equation.left)} &= "
    if isinstance(equation.right, Matrix):
        return [f"{head}{typst.write(equation.right)}"]
    first, *others = [signed(part) for part in typst.rows(equation, width)]
    return [f"{head}{first}", *(f"& quad {continued(part)}" for part in others)]


def _number(number: Fraction, numbers: NumberForm) -> str:
    digits = written(number, numbers)
    if "e" in digits:
        mantissa, exponent = digits.split("e")
        return f"{mantissa} times 10^({int(exponent)})"
    return f"{number.numerator}/{number.denominator}" if "/" in digits else digits


def _word(word: str) -> str:
    """Returns a letter by its name, or a word in quotes, which is set upright."""
    if word in SCRIPT:
        return f"cal({SCRIPT[word]})"
    if word in LETTERS or (len(word) == 1 and word.isascii() and word.isalpha()):
        return word
    return json.dumps(word, ensure_ascii=False)


def _index(index: str) -> str:
    parts: list[str] = []
    for part, is_word in index_parts(index):
        if part.isalpha() and not is_word:
            parts += part
        else:  # a comma or a bracket without quotes has a meaning in Typst
            parts.append(_word(part) if part != "-" and (is_word or not part.isalnum()) else part)
    # a space beside quotes would be visible
    return " ".join(parts).replace('" ', '"').replace(' "', '"')


WRITER = TypesetWriter("blocks of Typst's mathematics, one per quantity", equations, ("//", ""), gap="\n\n")
