"""A writer writes statements in one language: an array on its own, or a sheet of arrays and definitions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias

from qddot.base.checked import whole
from qddot.base.words.message import Message, Words
from qddot.exact.printing.notation import DEGREE, PI, symbol
from qddot.exact.printing.tree import NOTHING, Atom, Circular, Equation, Matrix, Partial, Root, Sign, Sum, Symbol

NARROWEST = 20  # characters of a line


class Array(Protocol):
    """An array is a statement that names expressions, in row-major order.

    name: that of the quantity; label: the name by which the array, perhaps a part of the quantity, is asked for
    letter: its name in a text; program_name: that in a program
    axes: how many of its last axes are one matrix or column
    exchanged: two indices in the names of its entries that may be exchanged; of two equal entries only the first is
    written
    """

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def letter(self) -> str: ...
    @property
    def program_name(self) -> str: ...
    @property
    def symbol(self) -> Symbol | Partial: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def axes(self) -> int: ...
    @property
    def exchanged(self) -> tuple[int, int] | None: ...

    def names(self) -> list[str]:
        """Returns all names that its expressions may have."""

    def written_entries(self) -> list[Sum]:
        """Returns all expressions."""

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms of the expressions."""

    def as_matrix(self) -> Matrix | None:
        """Returns the array as one matrix or column; None if it does not fit, or if its entries are matrices."""

    def equations(self, has_room: Callable[[Matrix], bool] = ...) -> Iterator[Equation]:
        """Yields an equation for each entry, or for each matrix of a single link for which there is room."""

    def listed_equations(self) -> Iterator[Equation]:
        """Yields the same without zeros, or name = 0 if there are no others."""

    def whole_equations(self) -> Iterator[Equation]:
        """Yields the array as one matrix if that fits, else its equations without zeros."""


def _none(_: object) -> None:
    """Returns None for each name or array."""


class Definition(NamedTuple):
    """A definition says what a name stands for."""

    name: str
    right: Sum


class LinearEquations(NamedTuple):
    """A system of linear equations, matrix · names = right, defines names, in rows and columns.

    zeros: its equations, column by column, as sums that are zero
    """

    names: Sequence[Sequence[str]]
    matrix: Sequence[Sequence[Sum]]
    right: Sequence[Sequence[Sum]]
    zeros: Sequence[Sum]


class Definitions(NamedTuple):
    """These define names that occur in arrays; each part uses only names that are defined before it.

    kind: what is defined, "constants" or "coefficients"; heading: a line before them in a text
    value: returns a name's number, which a text adds, or None
    """

    kind: str
    parts: Sequence[Definition | LinearEquations]
    heading: Words = ""
    value: Callable[[str], float | None] = _none

    @property
    def sums(self) -> dict[str, Sum]:
        """Returns what names stand for that have a definition of their own."""
        return {part.name: part.right for part in self.parts if isinstance(part, Definition)}

    @property
    def zeros(self) -> list[Sum]:
        """Returns the sums that are zero, by which the other names are defined."""
        return [total for part in self.parts if isinstance(part, LinearEquations) for total in part.zeros]

    @property
    def names(self) -> Iterator[str]:
        """Yields all names that are defined."""
        for part in self.parts:
            yield from (part.name,) if isinstance(part, Definition) else chain(*part.names)

    @property
    def equations(self) -> list[Equation]:
        """Returns all parts as equations."""
        listed: list[Equation] = []
        for part in self.parts:
            if isinstance(part, Definition):
                listed.append(Equation(symbol(part.name), part.right))
            else:
                listed += (Equation(NOTHING, total) for total in part.zeros)
        return listed

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms of the definitions."""
        for equation in self.equations:
            yield from equation.right.atoms()


Statement: TypeAlias = Array | Definitions


class Sheet(NamedTuple):
    """A sheet has statements that are written together, in the order in which a person reads them.

    explained: whether it is a page of a textbook, whose equations have numbers, and short names their meanings
    note: returns the line before an array in a text by the array's name, or None
    law: returns how an array follows from others in their names, which is written before it, or None
    """

    statements: Sequence[Statement]
    explained: bool = False
    note: Callable[[str], Message | None] = _none
    law: Callable[[Any], Equation | None] = _none

    @property
    def filled(self) -> list[Statement]:
        """Returns the statements without definitions of nothing."""
        return [each for each in self.statements if not isinstance(each, Definitions) or each.parts]

    @property
    def arrays(self) -> list[Array]:
        return [each for each in self.statements if not isinstance(each, Definitions)]

    @property
    def definitions(self) -> list[Definitions]:
        """Returns the definitions as a program needs them: what a person looks up later is defined first."""
        return [each for each in reversed(self.statements) if isinstance(each, Definitions)]

    def blocks(self) -> Iterator[list[Equation]]:
        """Yields the equations of each statement."""
        for each in self.filled:
            if isinstance(each, Definitions):
                yield each.equations
            else:
                law = self.law(each)
                values = each.listed_equations() if self.explained else each.whole_equations()
                yield [*([law] if law else []), *values]

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms of the statements."""
        for statement in self.statements:
            yield from statement.atoms()

    def variables(self) -> set[str]:
        """Returns the names of variables, also within sines and cosines, that have no definition."""
        return set(_names(self.atoms())).difference(*(each.sums for each in self.definitions))


def _names(atoms: Iterable[Atom]) -> Iterator[str]:
    for atom in atoms:
        if isinstance(atom, Circular):
            yield from _names(atom.argument.atoms())
        elif isinstance(atom, Root) and isinstance(atom.of, Sum):
            yield from _names(atom.of.atoms())
        elif isinstance(atom, Sign):
            yield atom.of.text
        elif isinstance(atom, Symbol) and atom not in (DEGREE, PI):
            yield atom.text


class Writer(ABC):
    """A writer is a language for statements.

    sentence: what it writes; comment: how a comment begins and ends, if the language has any
    width: of a line by default, in characters or letters; exact: whether its numbers always have all their digits
    """

    sentence: str
    comment: tuple[str, str] | None = None
    width: int
    exact = False

    @abstractmethod
    def array(self, array: Array, width: int) -> str:
        """Returns an array on its own."""

    @abstractmethod
    def sheet(self, sheet: Sheet, width: int) -> str:
        """Returns all statements of a sheet."""

    def written(self, what: Array | Sheet, width: int | None = None) -> str:
        """Returns an array or a sheet; width: of a line, by default that of the language"""
        width = self.width if width is None else check_width(width)
        return self.sheet(what, width) if isinstance(what, Sheet) else self.array(what, width)


def check_width(width: int) -> int:
    """Returns a number of characters in a line. raises QddotError: it is none"""
    return whole(width, "width", NARROWEST)
