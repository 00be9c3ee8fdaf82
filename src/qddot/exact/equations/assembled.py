"""Assembles the equations of motion as one equation of matrices, τ = M q̈ + B [q̇_j q̇_k] + C2 [q̇_j²] + G."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Generic, NamedTuple, TypeVar

from qddot.base.records import record
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.printing import layout
from qddot.exact.printing.notation import rate
from qddot.exact.printing.tree import ZERO, Atom, Equation, Matrix, Partial, Product, Sum, Symbol, alone
from qddot.physics.derivation import unchanged

ASSEMBLED = "equation"  # its name where quantities are chosen
ONE = Fraction(1)
BESIDE = 10  # letters beside a matrix: the name of the torques, and the column
A = TypeVar("A", bound=Printed)


def _on_paper(matrix: Matrix) -> bool:
    return layout.fits(matrix, layout.PAGE - BESIDE)


class Part(NamedTuple, Generic[A]):
    """This is a matrix with the entries of the column that it multiplies, or a column of torques without any."""

    array: A
    column: tuple[Product, ...] = ()

    def written(self, has_room: Callable[[Matrix], bool], letters: Callable[[Symbol], Symbol]) -> Product:
        """Returns the product; where there is no room for the matrix's entries, it has their names in some letters."""
        rows, entries = self.array.shape[0], self.array.written_entries()
        factors = [_matrix(entries, rows)]
        if not has_room(factors[0]):
            pairs = zip(self.array.places, entries, strict=True)
            factors = [
                _matrix([alone(letters(self._name(place))) if entry.products else ZERO for place, entry in pairs], rows)
            ]
        if self.column:
            factors.append(_matrix([Sum((each,)) for each in self.column], len(self.column)))
        return Product(ONE, tuple((factor, 1) for factor in factors))

    def _name(self, place: tuple[int, ...]) -> Symbol:
        """Returns the name of an entry; one of two that are equal by symmetry has one."""
        name = self.array.named(tuple(sorted(place)) if self.array.symmetric else place)
        assert isinstance(name, Symbol)
        return name


@record()
class Assembled(Generic[A]):
    """This is the equation of motion in matrices; a program assigns the torques.

    torques: τ; parts: what they are the sum of, without zeros
    """

    torques: A
    parts: tuple[Part[A], ...]

    @classmethod
    def of(cls, array: Callable[[str], A], there: Sequence[str], velocities: Sequence[str]) -> Assembled[A]:
        """Returns the equation of quantities. array: returns one by its name; there: the names of all"""
        quasi = array("M").ring.quasi
        rates = [rate(name, 1 - (name in quasi)) for name in velocities]
        columns = {
            "M": tuple(Product(ONE, ((rate(name, 2 - (name in quasi)), 1),)) for name in velocities),
            "B": tuple(Product(ONE, ((a, 1), (b, 1))) for a, b in combinations(rates, 2)),
            "C2": tuple(Product(ONE, ((each, 2),)) for each in rates),
        }
        names = (name for name in ("M", "B", "C2", "G", *JOINT_PARTS) if name in there)
        parts = (Part(array(name), columns.get(name, ())) for name in names)
        return cls(array("tau"), tuple(part for part in parts if part.array))

    def rounded(self, digits: int | None) -> Assembled[A]:
        """Returns the equation with numbers of so many significant digits; None prints all."""
        parts = (part._replace(array=part.array.rounded(digits)) for part in self.parts)
        return Assembled(self.torques.rounded(digits), tuple(parts))

    def in_decimals(self) -> Assembled[A]:
        """Returns the equation with decimals in place of fractions."""
        parts = (part._replace(array=part.array.in_decimals()) for part in self.parts)
        return Assembled(self.torques.in_decimals(), tuple(parts))

    def equations(
        self, has_room: Callable[[Matrix], bool] = _on_paper, letters: Callable[[Symbol], Symbol] = unchanged
    ) -> Iterator[Equation]:
        """Yields the equation; a matrix for which there is no room has the names of its entries.

        letters: returns a name as a document writes it
        """
        assert isinstance(self.symbol, Symbol)
        yield Equation(letters(self.symbol), Sum(tuple(part.written(has_room, letters) for part in self.parts)))

    def listed_equations(self) -> Iterator[Equation]:
        """Yields the equation."""
        return self.equations()

    def whole_equations(self) -> Iterator[Equation]:
        """Yields the equation."""
        return self.equations()

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms of the matrices."""
        for equation in self.equations():
            yield from equation.right.atoms()

    def as_matrix(self) -> None:
        """Returns None: it is no matrix."""

    def names(self) -> list[str]:
        """Returns all names that the torques may have."""
        return self.torques.names()

    def written_entries(self) -> list[Sum]:
        """Returns the torques."""
        return self.torques.written_entries()

    @property
    def name(self) -> str:
        return ASSEMBLED

    @property
    def label(self) -> str:
        return ASSEMBLED

    @property
    def letter(self) -> str:
        return self.torques.letter

    @property
    def program_name(self) -> str:
        return self.torques.program_name

    @property
    def symbol(self) -> Symbol | Partial:
        return self.torques.symbol

    @property
    def shape(self) -> tuple[int, ...]:
        return self.torques.shape

    @property
    def axes(self) -> int:
        return self.torques.axes

    @property
    def exchanged(self) -> tuple[int, int] | None:
        return self.torques.exchanged


def _matrix(entries: Sequence[Sum], rows: int) -> Matrix:
    width = len(entries) // rows
    return Matrix(tuple(tuple(entries[k : k + width]) for k in range(0, len(entries), width)))


def arrays_in(chosen: Iterable[A | Assembled[A]]) -> Iterator[A]:
    """Yields the arrays among chosen ones, and those of the equation of motion."""
    for each in chosen:
        yield from (part.array for part in each.parts) if isinstance(each, Assembled) else (each,)
