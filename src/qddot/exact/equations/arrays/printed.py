"""Defines how exact and written arrays are indexed, printed, and written in the languages of papers and programs.

Arrays are printed as matrices if there is room, else as one equation per entry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import groupby, product
from typing import Any, Self, TypeAlias

from qddot.algebra.expressions.identifiers import spelled
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.nested_lists import nested
from qddot.base.records import record
from qddot.exact.equations.arrays import indexing
from qddot.exact.equations.notations import OURS, Notation
from qddot.exact.equations.quantity_names import letter_of, matrix_axes, name_of, text_of
from qddot.exact.printing import layout
from qddot.exact.printing.paired import in_full, paired
from qddot.exact.printing.source_text import identifier_of
from qddot.exact.printing.text import WIDTH
from qddot.exact.printing.text import WRITER as TEXT
from qddot.exact.printing.tree import ZERO, Atom, Equation, Matrix, Partial, Sum, Symbol
from qddot.exact.printing.writer import Sheet
from qddot.exact.printing.writers import objects, writer

LONGEST_DISPLAY = 1_000  # terms of an entry, more than fit into the lines that a notebook shows
LONGEST_REPR, LONGEST_SCALAR = 12, 40  # terms of an array, and of a scalar, whose repr is its text
MOST_REPR_LINES = 8  # of the text of a matrix
MOST_MATRIX_TERMS = 400  # terms of all entries; with more, at least one row is too long

Place: TypeAlias = tuple[int, ...]


@record(slots=True)
class Display:
    """A display defines how numbers and long entries of an array are shown.

    digits: the number of significant digits, None for all; decimals: whether fractions are written as decimals
    longest: the number of terms of an entry that are written, None for all
    notation: the letters of quantities
    columns: whether the last axis of an array without a name is written as columns, and not the last two as matrices
    """

    digits: int | None = None
    decimals: bool = False
    longest: int | None = None
    notation: Notation = OURS
    columns: bool = False


WHOLE = Display()  # all digits and terms, in our letters


@record()
class Printed(ABC):
    """A printed array has entries over one ring, in row-major order, and defines how an entry is written.

    places: the indices of the entries in the original array, which determine their names
    symmetric: two axes that may be exchanged; only the first of two symmetric entries is printed
    whole: whether this is the original array and not a part of it
    """

    ring: Ring
    entries: tuple[Any, ...]
    shape: tuple[int, ...]
    name: str
    symmetric: tuple[int, int] | None
    places: tuple[Place, ...]
    whole: bool
    display: Display

    @property
    def exchanged(self) -> tuple[int, int] | None:
        """Returns the axes of `symmetric` as places of the indices in the names of entries."""
        if self.symmetric is None:
            return None
        written = self.display.notation.ordered(self.name, range(self.ndim))
        first, second = sorted(map(list(written).index, self.symmetric))
        return first, second

    def names(self) -> list[str]:
        """Returns the names that may be substituted, not all of which have derivatives."""
        quasi = self.ring.quasi
        c = [name for name in self.ring.coordinates if name not in quasi]
        rates = [rate_name(name, dots) for dots in (1, 2) for name in c]
        rates += [*quasi, *map(rate_name, quasi)]
        return [*c, *rates, *self.ring.symbols, *self.ring.extra, *self.ring.quasi_positions]

    @abstractmethod
    def expression(self, entry: Any) -> Sum:
        """Returns the written form of an entry, in our names of sines and cosines."""

    def written(self, entry: Any) -> Sum:
        """Returns the written form of an entry, in the notation's names of sines and cosines."""
        return self.in_notation(self.expression(entry))

    def in_notation(self, total: Sum) -> Sum:
        """Returns a sum of the array's sines and cosines in the notation's names."""
        notation = self.display.notation
        return paired(total) if notation.paired else in_full(total) if notation.has_sums_in_full else total

    def __getitem__(self, index: Any) -> Self:
        """Returns a part, by NumPy's rules for indices, from 0."""
        chosen, shape = indexing.picked(self.shape, index)
        entries, places = (tuple(of[k] for k in chosen) for of in (self.entries, self.places))
        if not self.name:  # what is computed has no entries with names of their own
            return replace(self, entries=entries, shape=shape, places=all_places(shape))
        return replace(self, entries=entries, shape=shape, places=places, symmetric=None, whole=False)

    def part(self, place: Place) -> Self | None:
        """Returns the entry at a place, or the matrix of a link at the first of its indices; None if there is none."""
        chosen = [k for k, each in enumerate(self.places) if each[: len(place)] == place]
        if not chosen:
            return None
        entries, places = (tuple(of[k] for k in chosen) for of in (self.entries, self.places))
        rest = len(places[0]) - len(place)
        shape = self.shape[self.ndim - rest :]
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
    def axes(self) -> int:
        """Returns how many of the last axes are written as one matrix or column."""
        if self.name:
            return matrix_axes(self.name)
        return min(self.ndim, 1 if self.display.columns else 2)

    @property
    def terms(self) -> int:
        """Returns the number of written terms; symmetric pairs of entries count once."""
        return sum(len(entry) for _, _, entry in self.labelled())

    def __bool__(self) -> bool:
        """Returns whether any entry is not zero."""
        return any(self.entries)

    def labelled(self) -> Iterator[tuple[str, Place, Any]]:
        """Yields (name, place, entry) of every entry, but only of the first in a symmetric pair."""
        for place, entry in zip(self.places, self.entries, strict=True):
            if self.symmetric is None or place[self.symmetric[0]] <= place[self.symmetric[1]]:
                yield self.name, place, entry

    def rounded(self, digits: int | None) -> Self:
        """Returns the array with coefficients printed to `digits` significant digits; None prints all."""
        return self if digits is None else replace(self, display=replace(self.display, digits=digits, decimals=True))

    @property
    def nested(self) -> Any:
        """Returns the entries as nested lists, or the single entry of a scalar."""
        return nested(self.entries, self.shape)

    def in_decimals(self) -> Self:
        """Returns the array with decimals in place of fractions."""
        return replace(self, display=replace(self.display, decimals=True))

    def brief(self, longest: int | None = LONGEST_DISPLAY) -> Self:
        """Returns the array with at most `longest` terms of each entry printed; None prints all."""
        return replace(self, display=replace(self.display, longest=longest))

    # layout

    def equations(
        self, has_room: Callable[[Matrix], bool] = layout.fits, chosen: Collection[Place] | None = None
    ) -> Iterator[Equation]:
        """Yields an equation for each entry, including zero entries, or for each matrix of a single link that fits.

        chosen: the places to be written, by default all; a matrix is written whole
        """
        labelled = {place: entry for _, place, entry in self.labelled() if chosen is None or place in chosen}
        axes = self.axes
        if not 0 < axes <= self.ndim:
            for place, entry in labelled.items():
                inner = place[len(place) - axes :] if axes else ()
                yield Equation(self.named(place[: len(place) - axes], inner), self.written(entry))
            return
        blocks = {place[:-axes] for place in labelled}
        cells = (
            (place, entry) for place, entry in zip(self.places, self.entries, strict=True) if place[:-axes] in blocks
        )
        for first, block in groupby(cells, key=lambda cell: cell[0][:-axes]):
            entries = {place: self.written(entry) for place, entry in block}
            matrix = _matrix(list(entries.values()), self.shape[-1] if axes == 2 else 1)
            if has_room(matrix):
                yield Equation(self.named(first), matrix)
                continue
            for place, total in entries.items():
                if place in labelled:
                    yield Equation(self.named(first, place[-axes:]), total)

    def listed_equations(self, has_room: Callable[[Matrix], bool] = layout.fits) -> Iterator[Equation]:
        """Yields equations of nonzero entries or matrices of links, or of all entries of a column; name = 0 if none."""
        some = False
        for equation in self.equations(has_room):
            if self.ndim < 2 or not equation.is_zero:
                some = True
                yield equation
        if not some:
            yield Equation(self.symbol, ZERO)

    def whole_equations(self) -> Iterator[Equation]:
        """Yields the array as one matrix if that fits, else its nonzero entries, or all entries of a column."""
        is_matrix = self.whole and self.ndim == 2 and self.axes in (0, 2)
        whole = self.as_matrix() if is_matrix or not self.name else None
        if whole is not None:
            yield Equation(self.symbol, whole)
        else:
            yield from self.listed_equations()

    def written_entries(self) -> list[Sum]:
        """Returns the written forms of all entries."""
        return list(map(self.written, self.entries))

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms of the written entries."""
        for _, _, entry in self.labelled():
            yield from self.written(entry).atoms()

    def as_matrix(self) -> Matrix | None:
        """Returns an array of one or two axes as a matrix, or None if it does not fit or has columns as entries."""
        if not 1 <= self.ndim <= 2 or self.terms > MOST_MATRIX_TERMS or not self.entries:
            return None
        if 0 < self.axes < self.ndim:
            return None
        matrix = _matrix(self.written_entries(), self.shape[1] if self.ndim == 2 else 1)
        return matrix if layout.fits(matrix) else None

    # output in the languages of papers and programs

    def printed(self, language: str, width: int | None = None) -> str:
        """Returns the array in a language: text, latex, mathml, typst, sympy, python or matlab.

        width: of a line, in characters or letters. raises QddotError: no such language
        """
        return writer(language).written(self, width)

    def text(self, width: int = WIDTH) -> str:
        """Returns one line per entry; the zero entries of a matrix are summed up at the end.

        Poses, Jacobians and other matrices of single links are written as matrices if they fit.
        """
        return TEXT.written(self, width)

    def latex(self) -> str:
        """Returns a matrix if it fits, else one aligned line for each nonzero entry."""
        return self.printed("latex")

    def latex_equation(self) -> str:
        """Returns an equation between the array's name and its value, or the equations of its entries."""
        return writer("latex").written(Sheet([self]))

    def mathml(self) -> str:
        """Returns a `math` element of MathML Core, with a row for each nonzero entry, or a matrix."""
        return self.printed("mathml")

    def typst(self) -> str:
        """Returns a block of Typst's mathematics, with a line for each nonzero entry, or a matrix."""
        return self.printed("typst")

    def python(self) -> str:
        """Returns a statement that assigns nested lists; it needs cos, sin, sqrt and pi from math."""
        return self.printed("python")

    def matlab(self) -> str:
        """Returns statements of MATLAB that assign the array, or each matrix of a link: T_1, T_2 …"""
        return self.printed("matlab")

    def sympy(self) -> Any:
        """Returns the array as a SymPy expression, Matrix or Array; SymPy is imported here.

        raises QddotError: SymPy is not installed
        """
        return objects(Sheet([self]))[self.label]

    @property
    def identifier(self) -> str:
        """Returns the array's name in a program, different from all symbols and coordinates."""
        return identifier_of(self.program_name, self.names())

    @property
    def program_name(self) -> str:
        """Returns the array's name in programs, in the letters of its notation."""
        return identifier_of(self.label) if self.place else self.display.notation.program_name(self.name)

    @property
    def label(self) -> str:
        """Returns the name by which the array is asked for: "christoffel", or that of a part, such as "Gamma112"."""
        return spelled(self.letter) if self.place else self.name

    @property
    def letter(self) -> str:
        """Returns the array's name in a text."""
        notation = self.display.notation
        is_part = self.name and self.place
        return text_of(self.name, *self._indices, notation) if is_part else letter_of(self.name, notation)

    @property
    def symbol(self) -> Symbol | Partial:
        """Returns the array's name as it is typeset."""
        return self.named(*self._indices)

    def named(self, place: Place = (), inner: Place = ()) -> Symbol | Partial:
        """Returns the name of an entry as it is typeset. inner: the row and column in an entry that is a matrix"""
        return name_of(self.name, place, self.ring.coordinates, inner, self.ring.quasi, self.display.notation)

    @property
    def place(self) -> Place:
        """Returns the indices of a single entry, or of the matrix of a link; another array has none."""
        outer, inner = self._indices
        return (*outer, *inner)

    @property
    def _indices(self) -> tuple[Place, Place]:
        """Returns the indices in the name of an entry or of a link's matrix, and those within a matrix."""
        axes = matrix_axes(self.name)
        if self.whole or not self.entries or self.ndim not in (0, axes):
            return (), ()
        first = self.places[0]
        outer = first[: len(first) - axes]
        shared = all(place[: len(outer)] == outer for place in self.places)
        return (outer, () if self.ndim else first[len(outer) :]) if shared else ((), ())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if self.terms <= (LONGEST_REPR if self.shape else LONGEST_SCALAR):
            return self.text()
        if 0 < self.axes == self.ndim and self.terms <= MOST_MATRIX_TERMS:
            text = self.text()
            if text.count("\n") < MOST_REPR_LINES:
                return text
        shape = " × ".join(str(size) for size in self.shape) or "scalar"
        return f"<{self.letter or 'array'}: {shape}, {self.terms} terms>"


def all_places(shape: tuple[int, ...]) -> tuple[Place, ...]:
    """Returns the places of an array's entries, in row-major order."""
    return tuple(product(*map(range, shape)))


def _matrix(entries: list[Sum], width: int) -> Matrix:
    return Matrix(tuple(tuple(entries[k : k + width]) for k in range(0, len(entries), width)))
