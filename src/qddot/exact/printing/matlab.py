"""Writes expressions as statements of MATLAB."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as places_of
from math import prod

from qddot.algebra.expressions.identifiers import MATLAB_WORDS, in_matlab
from qddot.exact.printing.source_text import ProgramWriter, SourceText, identifier_of, wrapped
from qddot.exact.printing.text import WIDTH
from qddot.exact.printing.tree import Sign, Sum
from qddot.exact.printing.writer import Array, LinearEquations

RESERVED = MATLAB_WORDS | {"pi", "sin", "cos", "tan", "tanh", "exp", "sqrt", "sign", "zeros"}
MATRIX = 2  # axes


class Matlab(SourceText):
    """This writes expressions of MATLAB, in whose names all letters are Latin."""

    reserved = RESERVED
    comment = "%"
    to_the = "^"

    def spelled(self, name: str) -> str:
        return in_matlab(name)

    def sign(self, sign: Sign) -> str:
        return f"sign({self.symbol(sign.of)})"

    def assigned(self, array: Array) -> str:
        """Returns the statements that assign an array, or for matrices of links each of them: T_1, T_2 …"""
        if not len(array.shape) > array.axes == MATRIX:
            return super().assigned(array)
        places, shape = places_of(*(range(1, size + 1) for size in array.shape[:-MATRIX])), array.shape[-MATRIX:]
        names = ("_".join(map(str, (array.program_name or "value", *place))) for place in places)
        entries, size, taken = array.written_entries(), prod(shape), self.identifiers.values()
        return "\n".join(
            self.statement(identifier_of(name, taken), shape, entries[k * size : (k + 1) * size])
            for k, name in enumerate(names)
        )

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statements that assign a number, a column or a matrix.

        Entries are assigned one by one if rows are longer than a line, and in arrays of more axes.
        """
        if not shape:
            return _assigned(name, self.write(entries[0]))
        sizes = shape if len(shape) > 1 else (*shape, 1)
        if len(sizes) == 2:
            rows = [entries[k : k + sizes[1]] for k in range(0, len(entries), sizes[1] or 1)]
            matrix = f"{name} = [{self._rows(rows)}];"
            if max(map(len, matrix.splitlines())) <= WIDTH:
                return matrix
        places = places_of(*(range(1, size + 1) for size in sizes))
        lines = [
            _assigned(f"{name}({', '.join(map(str, place))})", self.write(entry))
            for place, entry in zip(places, entries, strict=True)
            if entry.products
        ]
        return "\n".join([f"{name} = zeros({', '.join(map(str, sizes))});", *lines])

    def solution(self, system: LinearEquations) -> str:
        """Returns the statements that solve the equations for a matrix, and assign its entries."""
        solved = identifier_of("solution", self.identifiers.values())
        matrix, right = (self._rows(part) for part in (system.matrix, system.right))
        entries = [
            f"{self.identifiers[name]} = {solved}({i}, {j});"
            for i, row in enumerate(system.names, 1)
            for j, name in enumerate(row, 1)
        ]
        return "\n".join([f"{solved} = [{matrix}] \\ [{right}];", *entries])

    def _rows(self, matrix: Sequence[Sequence[Sum]]) -> str:
        return "; ...\n    ".join(", ".join(map(self.write, row)) for row in matrix)


def _assigned(left: str, right: str) -> str:
    return wrapped(f"{left} = {right};", end=" ...")


WRITER = ProgramWriter("statements of MATLAB that assign numbers, columns and matrices", Matlab)
