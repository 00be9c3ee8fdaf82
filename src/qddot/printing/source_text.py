"""Writes expressions as statements of Python, SymPy and MATLAB that compute them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product as places_of

from qddot.printing.digits import NumberForm, written
from qddot.printing.notation import DEGREE, spelled
from qddot.printing.text import WIDTH, Infix
from qddot.printing.tree import Sign, Sum, Symbol

RESERVED = frozenset(
    {"break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function", "global", "if"}
    | {"otherwise", "parfor", "persistent", "return", "spmd", "switch", "try", "while"}
)
IMPORTS = "from math import cos, pi, sin, sqrt"


class Python(Infix):
    """This writes expressions over names of Python's module math."""

    short_names = False

    def symbol(self, symbol: Symbol) -> str:
        return "pi/180" if symbol is DEGREE else symbol.text

    def sign(self, sign: Sign) -> str:
        rate = self.symbol(sign.of)
        return f"(({rate} > 0) - ({rate} < 0))"

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statement that assigns a number, or nested lists of numbers."""
        return f"{name} = {_nested(shape, [self.write(entry) for entry in entries])}"


class SymPy(Python):
    """This writes expressions of SymPy in which every number is exact."""

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


class Matlab(Infix):
    """This writes expressions of MATLAB, in whose names all letters are Latin."""

    short_names = False
    to_the = "^"

    def symbol(self, symbol: Symbol) -> str:
        return "pi/180" if symbol is DEGREE else _matlab_name(symbol.text)

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


def _matlab_name(name: str) -> str:
    latin = "".join(letter if letter.isascii() else f"u{ord(letter):04X}" for letter in spelled(name))
    latin = latin if latin[0].isalpha() else f"x{latin}"
    return f"{latin}_" if latin in RESERVED else latin
