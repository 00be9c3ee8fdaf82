"""Lays out exact arrays: matrices where they have room, else one equation an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Protocol, TypeAlias

from qddot.numbers.polynomials.exact import Ring
from qddot.printing import layout
from qddot.printing import text as text_of
from qddot.printing.quantity_names import matrix_axes, name_of
from qddot.printing.tree import ZERO, Atom, Equation, Matrix, Partial, Sum, Symbol

MOST_MATRIX_TERMS = 400  # of all entries: with more, some row is too long in any case
MOST_ZEROS = 6  # that are named
Name: TypeAlias = Symbol | Partial
Place: TypeAlias = tuple[int, ...]


class Displayed(Protocol):
    """This is what an array must have to be laid out."""

    ring: Ring
    name: str
    shape: tuple[int, ...]
    places: tuple[Place, ...]
    entries: tuple[Any, ...]
    symmetric: tuple[int, int] | None
    whole: bool

    @property
    def ndim(self) -> int: ...
    @property
    def terms(self) -> int: ...
    def labelled(self) -> Iterator[tuple[str, Place, Any]]:
        """Yields (name, place, entry) of every entry; of symmetric pairs only the first."""
        ...

    @property
    def identifier(self) -> str: ...
    def __bool__(self) -> bool: ...
    def brief(self) -> Displayed:
        """Returns the same array, which writes of an entry only so many terms as somebody looks at."""
        ...

    def written(self, entry: Any) -> Sum:
        """Returns an entry as it is written."""
        ...


def equations(array: Displayed, has_room: Callable[[Matrix], bool] = layout.fits) -> Iterator[Equation]:
    """Yields an equation for each entry, or for each matrix of an array of matrices that has room; zero ones, too."""
    axes = matrix_axes(array.name)
    if not 0 < axes <= array.ndim:
        yield from _entries(array)
        return
    coordinates = array.ring.coordinates
    cells = ((place, entry) for _, place, entry in array.labelled())
    for place, block in groupby(cells, key=lambda cell: cell[0][:-axes]):
        entries = [(inner[-axes:], array.written(entry)) for inner, entry in block]
        width = array.shape[-1] if axes == 2 else 1
        written = [total for _, total in entries]
        matrix = Matrix(tuple(tuple(written[k : k + width]) for k in range(0, len(written), width)))
        if has_room(matrix):
            yield Equation(name_of(array.name, place, coordinates), matrix)
        else:
            yield from (Equation(name_of(array.name, place, coordinates, inner), total) for inner, total in entries)


def _entries(array: Displayed) -> Iterator[Equation]:
    axes, coordinates = matrix_axes(array.name), array.ring.coordinates
    for name, place, entry in array.labelled():
        inner = place[len(place) - axes :] if axes else ()
        yield Equation(name_of(name, place[: len(place) - axes], coordinates, inner), array.written(entry))


def is_zero(equation: Equation) -> bool:
    """Returns whether the right side is zero."""
    if isinstance(equation.right, Sum):
        return not equation.right.products
    return not any(entry.products for row in equation.right.rows for entry in row)


def atoms(array: Displayed) -> Iterator[Atom]:
    """Yields all that the entries are written with."""
    for _, _, entry in array.labelled():
        yield from array.written(entry).atoms()


def legends(arrays: Iterable[Displayed]) -> list[list[Equation]]:
    """Returns what the short names of sines and cosines mean as one list of equations, or no list."""
    from qddot.printing import legend

    meant = legend.equations(atom for array in arrays for atom in atoms(array))
    return [meant] if meant else []


def text(array: Displayed, width: int) -> str:
    """Returns one equation a line; the zero entries of a matrix are summed up at the end."""
    text_of.check_width(width)
    plain = text_of.Text()
    all_of_them = list(equations(array, lambda matrix: _text_width(plain, matrix) <= width))
    if array.ndim < 2:
        return text_of.equations(all_of_them, width)
    shown = [equation for equation in all_of_them if not is_zero(equation)]
    zeros = [plain.write(equation.left) for equation in all_of_them if is_zero(equation)]
    lines = [text_of.equations(shown, width)] if shown else []
    return "\n".join([*lines, *([_zeros(array.name, zeros, bool(shown))] if zeros else [])])


def _text_width(plain: text_of.Text, matrix: Matrix) -> int:
    return 8 + max(map(len, plain.matrix(matrix).splitlines()))


def _zeros(name: str, zeros: list[str], some: bool) -> str:
    if not some:
        return f"{name} = 0" if name else "0"
    if len(zeros) <= MOST_ZEROS:
        return " = ".join([*zeros, "0"])
    return f"{len(zeros)} other entries{f' of {name}' if name else ''} are zero"


def latex(array: Displayed) -> str:
    """Returns a matrix if it fits, else one aligned line for each entry that is not zero."""
    from qddot.printing import latex as latex_of

    if not array.shape:
        return latex_of.Latex().write(array.written(array.entries[0]))
    whole = _matrix(array)
    if whole is not None and not 0 < matrix_axes(array.name) < array.ndim:
        return latex_of.Latex().matrix(whole)
    return latex_of.aligned(equation for equation in equations(array) if not is_zero(equation))


def latex_equation(array: Displayed) -> str:
    """Returns the name of an array and what it is equal to, or the equations of its entries."""
    whole = _matrix(array)
    if array.ndim > 0 and (whole is None or 0 < matrix_axes(array.name) < array.ndim):
        return latex(array)
    from qddot.printing.latex import Latex

    return f"{Latex().write(name_of(array.name))} = {latex(array)}"


def whole_equations(array: Displayed) -> Iterator[Equation]:
    """Yields the array as one matrix if that has room, else its entries that are not zero, or all of a column."""
    is_matrix = array.whole and array.ndim == 2 and matrix_axes(array.name) in (0, 2)
    whole = _matrix(array) if is_matrix or not array.name else None
    if whole is not None:
        yield Equation(name_of(array.name), whole)
    else:
        yield from listed_equations(array)


def listed_equations(array: Displayed, has_room: Callable[[Matrix], bool] = layout.fits) -> Iterator[Equation]:
    """Yields an equation for each entry that is not zero, or for each matrix of a single link."""
    some = False
    for equation in equations(array, has_room):
        if array.ndim < 2 or not is_zero(equation):
            some = True
            yield equation
    if not some:
        yield Equation(name_of(array.name), ZERO)


def _matrix(array: Displayed) -> Matrix | None:
    """Returns an array of one or two axes as a matrix, or None where it has no room."""
    if not 1 <= array.ndim <= 2 or array.terms > MOST_MATRIX_TERMS or not array.entries:
        return None
    width = array.shape[1] if array.ndim == 2 else 1
    written = [array.written(entry) for entry in array.entries]
    matrix = Matrix(tuple(tuple(written[k : k + width]) for k in range(0, len(written), width)))
    return matrix if layout.fits(matrix) else None
