"""Defines claims and equations with their entries, trees after parsing and exact values after computing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from qddot.teach.check.reading.answer import Entry
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.statements.claims import Balance, Claim
from qddot.teach.check.reading.syntax import Tree

Each = TypeVar("Each")


class Array(NamedTuple, Generic[Each]):
    """This is a claim with its entries. shape: as written, None for zeros(…), which fills all entries"""

    claim: Claim
    shape: tuple[int, ...] | None
    entries: tuple[Each, ...]


class Rows(NamedTuple, Generic[Each]):
    """This is an equation as the differences of its sides, row by row.

    of_energy: whether it has derivatives of the arm's own K, P or L, so that it must follow from these
    rate: the rate V̇_1 that the equation may define otherwise than as the derivative of the answer's V_1, if it may
    """

    balance: Balance
    entries: tuple[Each, ...]
    of_energy: bool
    rate: Array[Each] | None = None


class Speeds(NamedTuple, Generic[Each]):
    """This is an equation for the rates of names, (ẋ, ẏ) = …; rows: its sides' differences, if both can be read"""

    balance: Balance
    names: tuple[Left, ...]
    rows: tuple[Each, ...]
    values: tuple[Each, ...]

    @property
    def entries(self) -> tuple[Each, ...]:
        return (*self.rows, *self.values)


Parsed: TypeAlias = Array[Tree]
Computed: TypeAlias = Array[Entry]
ParsedStatement: TypeAlias = Array[Tree] | Rows[Tree] | Speeds[Tree]
ComputedStatement: TypeAlias = Array[Entry] | Rows[Entry] | Speeds[Entry]


def computed(parsed: ParsedStatement, value: Callable[[Tree], Entry]) -> ComputedStatement:
    """Returns a claim or an equation with the values of its trees."""
    match parsed:
        case Speeds():
            return Speeds(
                parsed.balance, parsed.names, tuple(map(value, parsed.rows)), tuple(map(value, parsed.values))
            )
        case Rows():
            rate = parsed.rate and Array(parsed.rate.claim, parsed.rate.shape, tuple(map(value, parsed.rate.entries)))
            return Rows(parsed.balance, tuple(map(value, parsed.entries)), parsed.of_energy, rate)
    return Array(parsed.claim, parsed.shape, tuple(map(value, parsed.entries)))


def are_same(one: Computed, other: Computed) -> bool:
    """Returns whether two claims have the same shape and values."""
    pairs = zip(one.entries, other.entries, strict=False)
    same = all(not a.numerator * b.denominator - b.numerator * a.denominator for a, b in pairs)
    return one.shape == other.shape and same


def is_constant(each: Computed) -> bool:
    """Returns whether a claim has only symbols and numbers."""
    return all(value.kinds <= {"symbol"} for value in each.entries)


def is_coordinate(value: Entry) -> bool:
    """Returns whether a value is one coordinate, rate or acceleration."""
    generators = value.numerator.generators()
    return len(value.numerator) == 1 and len(generators) == 1 and generators[0].kind in ("q", "qd", "qdd")


def grouped(claims: Sequence[Computed]) -> list[list[Computed]]:
    """Returns the claims by letter and number of indices; zeros(…) go with the entries that are assigned."""
    groups: dict[tuple[object, ...], list[Computed]] = {}
    zeros = [each for each in claims if each.shape is None]
    for each in claims:
        if each.shape is not None:
            left = each.claim.left
            whole = any(size > 1 for size in each.shape)
            count = len(left.indices or left.cell)
            groups.setdefault((left.head, count, whole and not count), []).append(each)
    for each in zeros:
        head = each.claim.left.head
        same = next((key for key in groups if key[0] == head), (head,))
        groups.setdefault(same, []).append(each)
    return list(groups.values())
