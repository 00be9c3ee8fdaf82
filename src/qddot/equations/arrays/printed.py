"""Printed is what arrays share that are printed in the languages of papers and programs, and picked from by places."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from qddot.equations.arrays import displayed, indexing
from qddot.equations.arrays.displayed import Displayed
from qddot.errors import QddotError
from qddot.expressions.names import rate_name
from qddot.numbers.polynomials.exact import Ring
from qddot.printing.quantity_names import identifier_of, indices
from qddot.printing.text import WIDTH
from qddot.printing.tree import Sum
from qddot.records import record

if TYPE_CHECKING:
    from qddot.printing.source_text import Matlab, Python

LONGEST_DISPLAY = 1_000  # terms of an entry, which fill more lines than a notebook shows
LONGEST_REPR, LONGEST_SCALAR = 12, 40  # terms of an array, and of a scalar, whose text is its repr

Place: TypeAlias = tuple[int, ...]


@record(slots=True)
class Shown:
    """This says how numbers and long entries of an array are shown.

    digits: how many significant ones, None for all; decimals: whether there are no fractions
    longest: how many terms of an entry are written, None for all
    """

    digits: int | None = None
    decimals: bool = False
    longest: int | None = None


@record()
class Printed(Displayed):
    """A printed array has entries over one ring, in row-major order, and says how one of them is written.

    places: those of the entries in the array that they were picked from, which their names come from
    symmetric: two axes that may be exchanged; of such a pair of entries the first alone is printed
    whole: whether nothing was picked
    """

    ring: Ring
    entries: tuple[Any, ...]
    shape: tuple[int, ...]
    name: str
    symmetric: tuple[int, int] | None
    places: tuple[Place, ...]
    whole: bool
    shown: Shown

    def names(self) -> list[str]:
        """Returns every name by which one may substitute or differentiate."""
        c = self.ring.coordinates
        rates = [rate_name(name, dots) for dots in (1, 2) for name in c]
        return [*c, *rates, *self.ring.symbols, *self.ring.extra]

    @abstractmethod
    def written(self, entry: Any) -> Sum:
        """Returns an entry as it is written."""

    def __getitem__(self, index: Any) -> Self:
        """Returns a part, by NumPy's rules for indices, from 0."""
        chosen, shape = indexing.picked(self.shape, index)
        entries, places = (tuple(of[k] for k in chosen) for of in (self.entries, self.places))
        return replace(self, entries=entries, shape=shape, places=places, symmetric=None, whole=False)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        return (self[k] for k in range(len(self)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def terms(self) -> int:
        """Returns the number of terms as they are written out; symmetric pairs of entries count once."""
        return sum(len(entry) for _, _, entry in self.labelled())

    def __bool__(self) -> bool:
        """Returns whether any entry is not zero."""
        return any(self.entries)

    def labelled(self) -> Iterator[tuple[str, Place, Any]]:
        """Yields (name, place, entry) of every entry; of symmetric pairs only the first."""
        for place, entry in zip(self.places, self.entries, strict=True):
            if self.symmetric is None or place[self.symmetric[0]] <= place[self.symmetric[1]]:
                yield self.name, place, entry

    def rounded(self, digits: int | None) -> Self:
        """Returns the same array, which prints its coefficients to so many significant digits. None: all."""
        return self if digits is None else replace(self, shown=replace(self.shown, digits=digits, decimals=True))

    def brief(self) -> Self:
        """Returns the same array, which prints of an entry only so many terms as somebody looks at."""
        return replace(self, shown=replace(self.shown, longest=LONGEST_DISPLAY))

    # in the languages of papers and programs

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

    def __repr__(self) -> str:
        if self.terms <= (LONGEST_REPR if self.shape else LONGEST_SCALAR):
            return self.text()
        shape = " × ".join(str(size) for size in self.shape) or "scalar"
        place = () if self.whole or self.shape else self.places[0]
        return f"<{self.name + indices(place) or 'array'}: {shape}, {self.terms} terms>"

    def _repr_latex_(self) -> str:
        from qddot.equations.arrays import in_notebooks as heads

        return heads.latex(self)


def all_places(shape: tuple[int, ...]) -> tuple[Place, ...]:
    """Returns the places of an array's entries, in row-major order."""
    return tuple(product(*map(range, shape)))
