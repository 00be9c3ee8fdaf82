"""Says how quantities and their entries are named: M12, ⁰T₂, U_11, J̄_1, h_112, ∂L/∂q̇_1."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from typing import Any, Protocol, Self, TypeVar

from qddot.algebra.expressions.identifiers import spelled
from qddot.base.errors import QddotError, check_one_of, shortened
from qddot.base.words.message import Either, say
from qddot.exact.equations.notations import NOTATIONS, OURS, Notation
from qddot.exact.equations.quantity import Place, Style
from qddot.exact.equations.quantity_table import QUANTITIES, STEPS, STEPS_OF_CHAINS, record_of
from qddot.exact.printing.notation import rate, symbol, velocity
from qddot.exact.printing.tree import UNNAMED, Partial, Symbol

TABLES = QUANTITIES, STEPS, STEPS_OF_CHAINS
LAGRANGIAN = Symbol("L", "ℒ")
GENERAL = re.compile(r"(?P<letter>.+?)_?(?P<indices>[ijkmn]{1,3})")
INDICES = re.compile(r"(?P<indices>_?\d+(?:_\d+)*)?(?:\[(?P<cell>\d+(?:,\s*\d+)*)\])?")


class Parted(Protocol):
    """This is an array whose parts have names. places: those of its entries"""

    @property
    def places(self) -> Sequence[Place]: ...

    def part(self, place: Place) -> Self | None:
        """Returns the entry or the matrix at a place, or None if there is none."""


Parts = TypeVar("Parts", bound=Parted)


def letter_of(name: str, notation: Notation = OURS) -> str:
    """Returns the name of a quantity in a text: its own, or Γ for the Christoffel symbols; steps have their own."""
    known = name in QUANTITIES or name in notation.letters
    return notation.style(name).text if known else name


def matrix_axes(name: str) -> int:
    """Returns how many of the last axes of a quantity are written as one matrix or column."""
    return record_of(name).axes


@cache
def letters() -> frozenset[str]:
    """Returns the letters of all quantities and steps, and of their entries, in every notation."""
    notations, names = (OURS, *NOTATIONS.values()), [name for table in TABLES for name in table]
    return frozenset(each.style(name, entry).head for each in notations for name in names for entry in (False, True))


def styles() -> Iterator[tuple[str, Style]]:
    """Yields the names of quantities and steps, each with its style."""
    yield from ((name, each.style) for table in TABLES for name, each in table.items() if each.style)


def name_of(
    name: str,
    place: Sequence[int] = (),
    coordinates: Sequence[str] = (),
    inner: Sequence[int] = (),
    quasi: Collection[str] = (),
    notation: Notation = OURS,
) -> Symbol | Partial:
    """Returns the name of a quantity, or of one of its entries; places count from 0, and indices from 1.

    coordinates: the model's, for the denominators of the derivatives dL_dqd and dL_dq of the Lagrangian
    quasi: those that are quasi-velocities ν_i; the derivative along the field of ν_i is written as ∂/∂π_i
    inner: the row and the column within an entry that is a matrix
    """
    if name in ("dL_dqd", "dL_dq"):
        q = coordinates[place[0]] if place else "q"
        if q in quasi:
            index = str(place[0] + 1)
            return Partial(LAGRANGIAN, rate(q, 0) if name == "dL_dqd" else Symbol(f"pi_{index}", "pi", index))
        return Partial(LAGRANGIAN, rate(q) if name == "dL_dqd" else symbol(q))
    if not name:
        numbered = f"({', '.join(map(str, (*place, *inner)))})"
        return Symbol(numbered, numbered) if (*place, *inner) else UNNAMED
    if not any(name in table for table in TABLES):  # a velocity of a closed chain, by its name in a text
        for own in (velocity(coordinate, quasi) for coordinate in coordinates):
            if own.text == name:
                return own
    style = notation.style(name, bool(place))
    index = style.below + subscript(notation.ordered(name, place))
    if inner:
        index = f"{index},{subscript(inner)}".strip(",")
    text = text_of(name, place, inner, notation)
    return Symbol(text, style.head, index, style.above, style.frame, style.dots, style.bar)


def text_of(name: str, place: Sequence[int] = (), inner: Sequence[int] = (), notation: Notation = OURS) -> str:
    """Returns how a quantity or its entry is called in texts and on the command line: Gamma112, C2_12, T1[1,4]."""
    letter, numbers = notation.style(name, bool(place)).text, indices(notation.ordered(name, place))
    apart = "_" if letter[-1].isdigit() and numbers[:1].isdigit() else ""  # C2_12, not C212
    cell = f"[{','.join(str(k + 1) for k in inner)}]" if inner else ""
    return letter + apart + numbers + cell


def part_named(text: Any, names: Sequence[str], array: Callable[[str], Parts], notation: Notation = OURS) -> Parts:
    """Returns the entry, or the matrix or column of a link, that is called like this: M11 or M[1,1], U313, T2[1,4].

    names: those of the quantities that there are; array: returns one of them; notation: that of the letters
    Several quantities may have one letter; the first one with so many indices is meant, as U_ijk is by U313.
    raises QddotError: no quantity has this letter, or none has these indices
    """
    if not isinstance(text, str):
        check_one_of(text, names, say("no-quantity"), QddotError)
    others, asked = [], spelled(text)
    if (whole := _in_general(asked, names, array, notation)) is not None:
        return whole
    for name in names:
        own = (name,) if notation.quantity(name) == name else ()  # C is another quantity's letter in some notations
        spellings = dict.fromkeys((*_letters(name, notation), *own))
        letters = [letter for letter in spellings if asked.startswith(letter)]
        for read in filter(None, (INDICES.fullmatch(asked, len(letter)) for letter in letters)):
            whole = array(name)
            places = [place[: len(place) - matrix_axes(name)] for place in whole.places]
            if not places or (not places[0] and not read["cell"]):
                continue
            for written in _places(read, len(places[0])):
                if (part := whole.part(tuple(notation.place(name, written)))) is not None:
                    return part
            ends = (text_of(name, place, (), notation) for place in (places[0], places[-1]))
            first, last = ends
            others.append(first if first == last else say("entry-to-entry", first=first, last=last))
    if others:
        raise QddotError("no-entry", text=shortened(text), expected=Either(others))
    _refuse_other_steps(asked, names, notation)
    check_one_of(text, names, say("no-quantity"), QddotError)
    raise AssertionError("a quantity is no part of one")


def _refuse_other_steps(asked: str, names: Sequence[str], notation: Notation) -> None:
    """Raises QddotError if a name is that of a step, or of a part of one, but of another route."""
    for name in STEPS:
        letters = [letter for letter in (*_letters(name, notation), name) if asked.startswith(letter)]
        if name not in names and any(INDICES.fullmatch(asked, len(letter)) for letter in letters):
            raise QddotError("quantity-of-another-route", asked=shortened(asked))


def _letters(name: str, notation: Notation) -> list[str]:
    """Returns the letters of a quantity's entries and of the whole, in Latin letters."""
    return [spelled(notation.style(name, of_entry).text) for of_entry in (True, False)]


def _in_general(asked: str, names: Sequence[str], array: Callable[[str], Parts], notation: Notation) -> Parts | None:
    """Returns the quantity that is called by its letter, perhaps with letters for its indices: Γ, C_i, d_ijk."""
    read = GENERAL.fullmatch(asked)
    for name in names:
        letters = _letters(name, notation)
        if asked in letters:
            return array(name)
        if read and read["letter"] in letters:
            places = array(name).places
            if places and len(places[0]) - matrix_axes(name) == len(read["indices"]):
                return array(name)
    return None


def _places(read: re.Match[str], count: int) -> Iterator[Place]:
    """Yields the places that some indices may mean: 12 is the first and the second, or the twelfth; [1,2] has both."""
    cell = read["cell"].split(",") if read["cell"] else []
    numbers = (read["indices"] or "").strip("_")
    if not numbers and 0 < count <= len(cell):
        yield tuple(int(part) - 1 for part in cell)
    for parts in (numbers.split("_") if numbers else [], list(numbers)):
        if len(parts) == count:
            yield tuple(int(part) - 1 for part in (*parts, *cell))


def general_name(name: str, indices: str, notation: Notation = OURS) -> Symbol:
    """Returns the name of all entries of a quantity, with letters for their indices: m_ijk."""
    style = notation.style(name, of_entry=True)
    indices = "".join(notation.ordered(name, indices))
    index = f"{style.below},{indices}".strip(",")
    return Symbol(f"{style.text}_{indices}", style.head, index, style.above, style.frame, style.dots, style.bar)


def indices(place: Sequence[int]) -> str:
    """Returns a place's subscripts, which count from 1: 12 for the place (0, 1), _1_10 if one has two digits."""
    numbers = [str(int(k) + 1) for k in place]
    return "".join(numbers) if all(len(k) == 1 for k in numbers) else "_" + "_".join(numbers)


def subscript(place: Sequence[int]) -> str:
    """Returns a place as it is typeset: 12 for the place (0, 1), 1,10 if one has two digits."""
    return indices(place).replace("_", ",").strip(",")
