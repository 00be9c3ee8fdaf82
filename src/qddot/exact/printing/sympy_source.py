"""Writes expressions as statements of Python that make them in SymPy, with exact numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.python import RESERVED, Python
from qddot.exact.printing.source_text import ProgramWriter, SourceText, nested
from qddot.exact.printing.tree import Sign, Sum
from qddot.exact.printing.writer import LinearEquations, Sheet


class SymPy(Python):
    """This writes expressions of SymPy in which every number is exact."""

    reserved = frozenset((*RESERVED, "Array", "Matrix", "Rational", "sign", "symbols"))

    def sign(self, sign: Sign) -> str:
        return f"sign({self.symbol(sign.of)})"

    def product(self, number: Fraction, factors: Sequence[str], numbers: NumberForm) -> str:
        digits = written(number, numbers)
        if digits.isdecimal() or (factors and "/" in digits):
            return super().product(number, factors, numbers)
        return "*".join([f'Rational("{digits}")', *factors])

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statement that assigns an expression, a matrix or an array."""
        kind = ("", "Matrix", "Matrix")[len(shape)] if len(shape) < 3 else "Array"
        return f"{name} = {kind}({nested(shape, [self.write(entry) for entry in entries])})"

    def solution(self, system: LinearEquations) -> str:
        matrix, right = (self.rows(part) for part in (system.matrix, system.right))
        return f"{self.identified(system)} = Matrix({matrix}).LUsolve(Matrix({right})).tolist()"


class SymPyProgram(ProgramWriter):
    """This writes programs that make the symbols, then the quantities."""

    def names(self, sheet: Sheet) -> Iterator[str]:
        yield from sheet.variables()
        yield from super().names(sheet)

    def head(self, sheet: Sheet, language: SourceText) -> list[str]:
        used = sorted(sheet.variables())
        listed = ", ".join(language.identifiers[name] for name in used)
        return [
            *super().head(sheet, language),
            *([f'{listed} = symbols("{" ".join(used)}", real=True)'] if used else []),
        ]


SYMPY_PROGRAM = SymPyProgram(
    "programs that make expressions of SymPy",
    SymPy,
    ["from sympy import Array, Matrix, Rational, cos, exp, pi, sign, sin, sqrt, symbols, tan, tanh"],
)
