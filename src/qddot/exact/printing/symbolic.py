"""Converts written expressions to SymPy. SymPy is imported here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

from qddot.algebra.expressions.expression import MAGNITUDE
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.language import Language
from qddot.exact.printing.notation import DEGREE, PI
from qddot.exact.printing.text import WIDTH
from qddot.exact.printing.tree import Circular, Matrix, Partial, Root, Sign, Sum, Symbol
from qddot.exact.printing.writer import Array, Sheet, Writer


class SymPy(Language[Any]):
    """This makes SymPy's expressions; symbols are real, c12 becomes cos(q1 + q2), and brackets are not expanded."""

    short_names = False

    def symbol(self, symbol: Symbol) -> Any:
        if symbol is DEGREE:
            return sympy.pi / 180
        return sympy.pi if symbol is PI else sympy.Symbol(symbol.text, real=True)

    def circular(self, function: Circular, exponent: int) -> Any:
        written = sympy.Abs if function.kind == MAGNITUDE else getattr(sympy, function.kind)
        return written(self.write(function.argument)) ** exponent

    def sign(self, sign: Sign) -> Any:
        return sympy.sign(self.symbol(sign.of))

    def root(self, root: Root) -> Any:
        return sympy.sqrt(self.radicand(root))

    def partial(self, partial: Partial) -> Any:
        return sympy.Derivative(self.symbol(partial.of), self.symbol(partial.by))

    def chain(self, factors: Sequence[Any], traced: bool) -> Any:
        product = sympy.Mul(*(sympy.Symbol(str(each), commutative=False) for each in factors))
        return sympy.Function("Tr")(product) if traced else product

    def brackets(self, inner: Any) -> Any:
        return inner

    def quotient(self, top: Any, bottom: Any) -> Any:
        return top / bottom

    def raised(self, base: Any, exponent: int) -> Any:
        return base**exponent

    def product(self, number: Fraction, factors: Sequence[Any], numbers: NumberForm) -> Any:
        rational = sympy.Rational(number.numerator, number.denominator)
        # SymPy would multiply a number into a bracket if that is the only other factor
        evaluate = len(factors) != 1 or not isinstance(factors[0], sympy.Add)
        return sympy.Mul(rational, *factors, evaluate=evaluate)

    def terms(self, total: Sum) -> list[tuple[bool, Any]]:
        """Returns the terms, each with its sign in its number."""
        powers = map(self.factors, total.products)
        products = zip(total.products, powers, strict=True)
        return [(False, self.product(product.number, factors, total.numbers)) for product, factors in products]

    def total(self, terms: Sequence[tuple[bool, Any]]) -> Any:
        return sympy.Add(*(term for _, term in terms))

    def matrix(self, matrix: Matrix) -> Any:
        return sympy.Matrix([[self.write(entry) for entry in row] for row in matrix.rows])

    def transposed(self, matrix: Any) -> Any:
        return matrix.T


def array(of: Array) -> Any:
    """Returns an expression for a scalar, a Matrix for one or two dimensions, else an Array."""
    language, shape = SymPy(), of.shape
    written = [language.write(entry) for entry in of.written_entries()]
    if not shape:
        return written[0]
    if len(shape) <= 2:
        return sympy.Matrix(shape[0], shape[1] if len(shape) == 2 else 1, written)
    return sympy.ImmutableDenseNDimArray(written, shape)


def objects(sheet: Sheet) -> dict[str, Any]:
    """Returns definitions, by name within a dictionary for each kind, and arrays by name.

    Sums that are zero, by which further names are defined, are a list under "zeros".
    """
    language = SymPy()
    made: dict[str, Any] = {each.program_name: array(each) for each in sheet.arrays}
    for each in sheet.definitions:
        made[each.kind] = {name: language.write(total) for name, total in each.sums.items()}
        if each.zeros:
            made["zeros"] = [language.write(total) for total in each.zeros]
    return made


class SymPyWriter(Writer):
    """This writes SymPy's expressions as SymPy prints them."""

    sentence = "expressions of SymPy, as it prints them"
    comment = ("#", "")
    width = WIDTH
    exact = True

    def array(self, of: Array, width: int) -> str:
        return f"{of.program_name} = {array(of)}"

    def sheet(self, sheet: Sheet, width: int) -> str:
        language = SymPy()
        equations = [equation for each in sheet.definitions for equation in each.equations]
        definitions = (f"{each.name} = {language.write(each.right)}" for each in equations)
        return "\n".join([*definitions, *(self.array(each, width) for each in sheet.arrays)])


WRITER = SymPyWriter()
