"""The values of programs: formulas that keep their places, arrays of them, functions, objects, and what is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from qddot.base.words.message import say
from qddot.teach.check.reading.programs import form

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)  # how tightly the last sign of a formula binds
LONGEST = 200_000  # characters of a formula
MOST_VALUES = 300  # of a range or an array


class UnknownError(Exception):
    """The value of an expression is not known; the text says why."""


class Formula(NamedTuple):
    """This is an expression as text, with the place of each character in the program.

    level: how tightly its last sign binds; whole: its value if that is a whole number
    shape: of an array, () of a number, None if that is not known
    is_number: whether it has no names
    """

    text: str
    origins: tuple[int, ...]
    level: int = ATOM
    whole: int | None = None
    shape: tuple[int, ...] | None = ()
    is_number: bool = False


def atom(text: str, at: int, shape: tuple[int, ...] | None = (), whole: int | None = None) -> Formula:
    """Returns a name or a number, all of whose characters have one place."""
    return Formula(text, (at,) * len(text), ATOM, whole, shape)


def whole(number: int, at: int) -> Formula:
    """Returns a whole number."""
    return atom(str(number), at, (), number)._replace(level=ATOM if number >= 0 else SIGN, is_number=True)


def joined(parts: Sequence[str | Formula], at: int, level: int = ATOM, shape: tuple[int, ...] | None = ()) -> Formula:
    """Returns the formula of some parts; signs between them have the place `at`."""
    text = "".join(part if isinstance(part, str) else part.text for part in parts)
    if len(text) > LONGEST:
        raise UnknownError(say("formula-of-program-too-long"))
    origins = (k for part in parts for k in ((at,) * len(part) if isinstance(part, str) else part.origins))
    return Formula(text, tuple(origins), level, None, shape)


def bound(value: Formula, least: int) -> Formula:
    """Returns a formula in brackets if its last sign binds less tightly than `least`."""
    if value.level >= least:
        return value
    return joined(["(", value, ")"], value.origins[0], ATOM, value.shape)._replace(whole=value.whole)


@dataclass(slots=True, eq=False)
class Array:
    """This is a matrix or a column with its entries, row by row.

    is_matrix: whether * multiplies it as a matrix, as in SymPy; name: under which it is stated
    stated: the entries as they were when it was stated; filled_at: the place of zeros(…), which has filled it
    """

    shape: tuple[int, ...]
    entries: list[Any]
    is_matrix: bool = False
    name: Formula | None = None
    stated: list[Any] | None = None
    filled_at: int | None = None
    pending: Pending | None = None

    def copy(self, **changes: Any) -> Array:
        unstated: dict[str, Any] = {"entries": list(self.entries), "name": None, "stated": None, "pending": None}
        return replace(self, **(unstated | changes))


class Pending(NamedTuple):
    """This is a name under which an array is stated when it is used, in the equations of a program."""

    equations: Any
    name: str
    scope: int
    at: int


@dataclass(slots=True, eq=False)
class Symbols:
    """This is a function of time before its argument is given, such as Function("q1")."""

    name: Formula


@dataclass(slots=True, eq=False)
class Stating:
    """This is an equation as a value, Eq(a, b), or a system that is solved, M x = b."""

    left: Formula
    right: Formula
    is_system: bool = False


@dataclass(slots=True, eq=False)
class Inverse:
    """This is the inverse of a matrix."""

    of: Formula


@dataclass(slots=True, eq=False)
class Function:
    """This is a function of the program with the variables around it; result: what it returned when it was stated."""

    name: str
    parameters: tuple[form.Parameter, ...]
    body: tuple[form.Statement, ...]
    around: Frame
    owner: Object | None = None
    state: str = "new"  # "stated", or "helper" if it is called with other arguments
    result: Any = None
    span: form.Span = form.NOWHERE


@dataclass(slots=True, eq=False)
class Library:
    """This is a function or a module of a library, by its last name; of: the value whose method it is."""

    name: str
    of: Any = None


@dataclass(slots=True, eq=False)
class Object:
    """This is an object with fields; one that is not known gives each field as the symbol of its name."""

    fields: dict[str, Any] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


class Missing:
    """This is a value that is not known."""


@dataclass(slots=True, eq=False)
class Frame:
    """These are the variables of a function that is called, or of the whole program.

    is_stated: whether assignments become equations; returned: what the function returns
    """

    number: int = 0
    variables: dict[str, Any] = field(default_factory=dict)
    around: Frame | None = None
    is_stated: bool = True
    function: Function | None = None
    returned: Any = None

    def find(self, name: str) -> Any:
        """Returns the value of a name here or around. raises KeyError: it has none"""
        if name in self.variables:
            return self.variables[name]
        if self.around is None:
            raise KeyError(name)
        return self.around.find(name)


def formulas(value: Any) -> Iterator[Any]:
    """Yields the entries of an array or a nested list, or the value itself."""
    if isinstance(value, Array):
        yield from value.entries
    elif is_listed(value):
        for each in value:
            yield from formulas(each)
    else:
        yield value


def is_listed(value: Any) -> bool:
    """Returns whether a value is a list or a tuple."""
    return isinstance(value, (list, tuple)) and not isinstance(value, Formula)


def array_of(value: Any, is_matrix: bool = False) -> Array:
    """Returns nested lists as an array. raises UnknownError: they are no array of formulas with rows of one length"""
    if isinstance(value, Array):
        return value.copy(is_matrix=is_matrix)
    rows = [array_of(each) if is_listed(each) or isinstance(each, Array) else each for each in value]
    if not any(isinstance(each, Array) for each in rows):
        if not all(isinstance(each, Formula) for each in rows):
            raise UnknownError(say("no-list-formulas"))
        return Array((len(rows), 1) if is_matrix else (len(rows),), rows, is_matrix)
    shapes = {each.shape if isinstance(each, Array) else () for each in rows}
    if len(shapes) != 1 or len(shape := next(iter(shapes))) > 3:
        raise UnknownError(say("rows-different-lengths"))
    is_column = is_matrix and len(shape) == 2 and shape[1] == 1  # columns below one another
    entries = [entry for row in rows for entry in row.entries]
    return Array((len(entries), 1) if is_column else (len(rows), *shape), entries, is_matrix)


def unlisted(value: Any) -> Any:
    """Returns a list as an array, and another value as it is."""
    return array_of(value) if is_listed(value) else value


def part_of(value: Formula, indices: tuple[int, ...], at: int) -> Formula:
    """Returns an entry of an array that is a formula."""
    sizes = value.shape or ()
    if len(sizes) == 2 and sizes[1] == 1 and len(indices) == 2:
        indices = indices[:1]
    if sizes:
        indices = tuple(k + size if k < 0 else k for k, size in zip(indices, sizes, strict=False))
    if any(k < 0 for k in indices):
        raise UnknownError(say("index-behind-array-unknown"))
    is_row = len(sizes) == 2 and len(indices) == 1 and sizes[1] > 1
    return joined([bound(value, ATOM), f"[{','.join(map(str, indices))}]"], at, ATOM, sizes[1:] if is_row else ())
