"""Writes expressions as statements of Python, SymPy and MATLAB that compute them."""

from __future__ import annotations

import keyword
from abc import abstractmethod
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import product as places_of

from qddot.algebra.expressions.identifiers import compatible, distinct, latin
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.notation import DEGREE, PI
from qddot.exact.printing.text import WIDTH, Infix
from qddot.exact.printing.tree import Sign, Sum, Symbol

RESERVED = frozenset(
    {"pi", "sin", "cos", "sqrt", "sign", "zeros", "break", "case", "catch", "classdef", "continue", "else", "elseif"}
    | {"end", "for", "function", "global", "if"}
    | {"otherwise", "parfor", "persistent", "return", "spmd", "switch", "try", "while"}
)
LONGEST = 55  # letters of a name in MATLAB, which reads no more than 63
IMPORTS = "from math import cos, pi, sin, sqrt"
OF_PYTHON = frozenset((*keyword.kwlist, "cos", "pi", "sin", "sqrt"))
OF_SYMPY = frozenset((*OF_PYTHON, "Array", "Matrix", "Rational", "sign", "symbols"))


class SourceText(Infix):
    """This writes expressions of a programming language, in which different names have different identifiers."""

    short_names = False
    reserved: Collection[str] = ()  # names that the language or the statements use
    comment = "#"

    def __init__(self, names: Sequence[str] = ()) -> None:
        """names: all names that may occur"""
        super().__init__()
        names = [name for name in names if name != PI.text]
        self.identifiers = dict(zip(names, distinct(names, self.spelled, self.reserved.__contains__), strict=True))

    @abstractmethod
    def spelled(self, name: str) -> str:
        """Returns a name as the language writes it; names that it reads as one have one spelling."""

    @abstractmethod
    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statements that assign a number or an array."""

    def renamed(self) -> list[str]:
        """Returns comments on the names whose identifiers are others than their spelling."""
        pairs = self.identifiers.items()
        return [f"{self.comment} {new} is {name}" for name, new in pairs if new != self.spelled(name)]

    def symbol(self, symbol: Symbol) -> str:
        return "pi/180" if symbol is DEGREE else self.identifiers.get(symbol.text, symbol.text)


class Python(SourceText):
    """This writes expressions over names of Python's module math."""

    reserved = OF_PYTHON

    def spelled(self, name: str) -> str:
        return compatible(name)

    def sign(self, sign: Sign) -> str:
        rate = self.symbol(sign.of)
        return f"(({rate} > 0) - ({rate} < 0))"

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statement that assigns a number, or nested lists of numbers."""
        return f"{name} = {_nested(shape, [self.write(entry) for entry in entries])}"


class SymPy(Python):
    """This writes expressions of SymPy in which every number is exact."""

    reserved = OF_SYMPY

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
        return f"{name} = {kind}({_nested(shape, [self.write(entry) for entry in entries])})"


class Matlab(SourceText):
    """This writes expressions of MATLAB, in whose names all letters are Latin."""

    reserved = RESERVED
    comment = "%"
    to_the = "^"

    def spelled(self, name: str) -> str:
        plain = latin(name)[:LONGEST]
        return plain if plain[0].isalpha() else f"x{plain}"

    def sign(self, sign: Sign) -> str:
        return f"sign({self.symbol(sign.of)})"

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statements that assign a number, a column, a matrix, or an array entry by entry."""
        written = [self.write(entry) for entry in entries]
        if len(shape) > 2:
            sizes = ", ".join(map(str, shape))
            places = places_of(*(range(1, size + 1) for size in shape))
            lines = [
                f"{name}({', '.join(map(str, place))}) = {entry};"
                for place, entry, total in zip(places, written, entries, strict=True)
                if total.products
            ]
            return "\n".join([f"{name} = zeros({sizes});", *lines])
        if not shape:
            return f"{name} = {written[0]};"
        width = shape[1] if len(shape) == 2 else 1
        rows = [", ".join(written[k : k + width]) for k in range(0, len(written), width)] if width else []
        return f"{name} = [" + "; ...\n    ".join(rows) + "];"


def _nested(shape: tuple[int, ...], entries: Sequence[str], depth: int = 0) -> str:
    """Returns nested lists; a list that is too long for a line has one part per line."""
    if not shape:
        return entries[0]
    size = len(entries) // shape[0] if shape[0] else 0
    parts = [_nested(shape[1:], entries[k * size : (k + 1) * size], depth + 1) for k in range(shape[0])]
    line = f"[{', '.join(parts)}]"
    if len(line) <= WIDTH - 4 * depth and "\n" not in line:
        return line
    gap = "\n" + "    " * depth
    return "[" + "".join(f"{gap}    {part}," for part in parts) + f"{gap}]"
