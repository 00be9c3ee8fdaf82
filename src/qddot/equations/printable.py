"""Printed is what arrays share that are printed in the languages of papers and programs."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from qddot.equations import displayed
from qddot.equations.displayed import Displayed
from qddot.errors import QddotError
from qddot.printing.quantity_names import identifier_of
from qddot.printing.text import WIDTH

if TYPE_CHECKING:
    from qddot.printing.source_text import Matlab, Python


class Printed(Displayed):
    """A printed array says how one entry is written; each language writes all of them."""

    @abstractmethod
    def names(self) -> list[str]:
        """Returns the names of the variables, which a program may not use otherwise."""

    def text(self, width: int = WIDTH) -> str:
        """Returns one line per entry; the zero entries of a matrix are summed up at the end.

        Poses, Jacobians and other matrices of single links are written as matrices where these have room.
        """
        return displayed.text(self, width)

    def latex(self) -> str:
        """Returns a matrix if it fits, else one aligned line for each entry that is not zero."""
        return displayed.latex(self)

    def mathml(self) -> str:
        """Returns a `math` element of MathML Core, with a row for each entry that is not zero, or a matrix."""
        from qddot.printing import mathml

        return mathml.equations(displayed.whole_equations(self))

    def typst(self) -> str:
        """Returns a block of Typst's mathematics, with a line for each entry that is not zero, or a matrix."""
        from qddot.printing import typst

        return typst.equations(displayed.whole_equations(self))

    def python(self) -> str:
        """Returns a statement that assigns the array as nested lists; it needs cos, sin, sqrt and pi of math."""
        from qddot.printing.source_text import Python

        return self._statement(Python())

    def matlab(self) -> str:
        """Returns statements of MATLAB that assign the array."""
        from qddot.printing.source_text import Matlab

        return self._statement(Matlab())

    @property
    def identifier(self) -> str:
        """Returns the array's name in a program, which no symbol or coordinate has."""
        return identifier_of(self.name, self.names())

    def _statement(self, language: Python | Matlab) -> str:
        return language.statement(self.identifier, self.shape, [self.written(entry) for entry in self.entries])

    def sympy(self) -> Any:
        """Returns the array in SymPy, which is imported here: an expression, a Matrix or an Array.

        raises QddotError: SymPy is not installed
        """
        try:
            from qddot.printing import symbolic
        except ModuleNotFoundError:
            raise QddotError("SymPy is not installed", remedy='pip install "qddot[sympy]"') from None
        return symbolic.array(self.shape, [self.written(entry) for entry in self.entries])

    def __str__(self) -> str:
        return self.text()
