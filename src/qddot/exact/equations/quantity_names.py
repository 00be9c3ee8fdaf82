"""Says how quantities and their entries are named: M12, ⁰T₂, U_11, J̄_1, h_112, ∂L/∂q̇_1."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from qddot.exact.equations.notations import NOTATIONS, OURS, Notation
from qddot.exact.equations.quantity import Style
from qddot.exact.equations.quantity_table import QUANTITIES, STEPS, STEPS_OF_CHAINS, record_of
from qddot.exact.printing.notation import rate, symbol
from qddot.exact.printing.tree import UNNAMED, Partial, Symbol

TABLES = QUANTITIES, STEPS, STEPS_OF_CHAINS
LAGRANGIAN = Symbol("L", "ℒ")


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
    if name in ("dL_dqd", "dL_dq") and place:
        q = coordinates[place[0]]
        if q in quasi:
            index = str(place[0] + 1)
            return Partial(LAGRANGIAN, rate(q, 0) if name == "dL_dqd" else Symbol(f"pi_{index}", "pi", index))
        return Partial(LAGRANGIAN, rate(q) if name == "dL_dqd" else symbol(q))
    if not name:
        return Symbol(str(tuple(place)), str(tuple(place))) if place else UNNAMED
    style = notation.style(name, bool(place))
    numbers = indices(place)
    apart = "_" if style.text[-1].isdigit() and numbers[:1].isdigit() else ""  # C2_12, not C212
    index = style.below + subscript(place)
    if inner:
        cell = [str(k + 1) for k in inner]
        numbers += f"[{','.join(cell)}]"
        index = f"{index},{subscript(inner)}".strip(",")
    return Symbol(style.text + apart + numbers, style.head, index, style.above, style.frame, style.dots, style.bar)


def general_name(name: str, indices: str, notation: Notation = OURS) -> Symbol:
    """Returns the name of all entries of a quantity, with letters for their indices: m_ijk."""
    style = notation.style(name, of_entry=True)
    index = f"{style.below},{indices}".strip(",")
    return Symbol(f"{style.text}_{indices}", style.head, index, style.above, style.frame, style.dots, style.bar)


def indices(place: Sequence[int]) -> str:
    """Returns a place's subscripts, which count from 1: 12 for the place (0, 1), _1_10 if one has two digits."""
    numbers = [str(int(k) + 1) for k in place]
    return "".join(numbers) if all(len(k) == 1 for k in numbers) else "_" + "_".join(numbers)


def subscript(place: Sequence[int]) -> str:
    """Returns a place as it is typeset: 12 for the place (0, 1), 1,10 if one has two digits."""
    return indices(place).replace("_", ",").strip(",")
