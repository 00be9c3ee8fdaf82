"""Writes expressions as statements of Python."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from qddot.algebra.expressions.identifiers import compatible
from qddot.exact.printing.source_text import ProgramWriter, SourceText, nested
from qddot.exact.printing.tree import Sign, Sum
from qddot.exact.printing.writer import LinearEquations

IMPORTS = "from math import cos, exp, pi, sin, sqrt, tan, tanh"
RESERVED = frozenset((*keyword.kwlist, "cos", "exp", "numpy", "pi", "sin", "sqrt", "tan", "tanh"))


class Python(SourceText):
    """This writes expressions over names of Python's module math."""

    reserved = RESERVED

    def spelled(self, name: str) -> str:
        return compatible(name)

    def sign(self, sign: Sign) -> str:
        rate = self.symbol(sign.of)
        return f"(({rate} > 0) - ({rate} < 0))"

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statement that assigns a number, or nested lists of numbers."""
        return f"{name} = {nested(shape, [self.write(entry) for entry in entries])}"

    def solution(self, system: LinearEquations) -> str:
        """Returns the statements that assign the solution, which NumPy finds."""
        matrix, right = (self.rows(part) for part in (system.matrix, system.right))
        return f"import numpy\n{self.identified(system)} = numpy.linalg.solve({matrix}, {right})"

    def identified(self, system: LinearEquations) -> str:
        """Returns the names that a system defines as nested lists."""
        shape = (len(system.names), len(system.names[0]))
        return nested(shape, [self.identifiers[name] for row in system.names for name in row])

    def rows(self, matrix: Sequence[Sequence[Sum]]) -> str:
        """Returns a matrix as nested lists."""
        return nested((len(matrix), len(matrix[0])), [self.write(entry) for row in matrix for entry in row])


WRITER = ProgramWriter("statements of Python that assign numbers and nested lists", Python, (IMPORTS,))
