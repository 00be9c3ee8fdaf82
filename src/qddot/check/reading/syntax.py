"""The tree of an expression as it was written, before it is computed; each part knows where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from qddot.expressions.angles import Angle

MOTIONS = ("coordinate", "rate", "acceleration")  # each is the derivative by time of the one before
Span: TypeAlias = tuple[int, int]  # offsets of the first character and of the one behind the last


NO_ANGLE = Angle()


@dataclass(frozen=True, slots=True)
class Meaning:
    """A meaning is what a name stands for.

    kind: "symbol", "coordinate", "rate", "acceleration", "drive" of that `name`; "vector": the column of all that are
    of the kind `name`; "cosines": the product of cosines and sines
    of `angle` that `name` lists, as "sc"; "function"; "pi"; "degree"; "time"; "own": what the answer itself defines or
    a renaming says; "own rate", "own acceleration": the derivatives by time of that; "energy": K, P or L of the arm
    """

    kind: str
    name: str = ""
    angle: Angle = NO_ANGLE


@dataclass(frozen=True, slots=True)
class Number:
    """A number; half_unit: of its last place, if it is a decimal with digits enough to be a rounded one, else 0."""

    span: Span
    value: Fraction
    half_unit: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Name:
    span: Span
    text: str
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of terms, each with its sign, 1 or −1."""

    span: Span
    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A product of factors, each with 1, or with −1 where it divides."""

    span: Span
    factors: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Power:
    span: Span
    base: Node
    exponent: int


@dataclass(frozen=True, slots=True)
class Call:
    """cos, sin, sqrt or sgn of something."""

    span: Span
    function: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Table:
    """A row, a matrix (of rows) or a deeper array."""

    span: Span
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Transposed:
    span: Span
    of: Node


@dataclass(frozen=True, slots=True)
class Derivative:
    """The derivative of a tree by time or by a variable; by a column, the row of those by each of its entries."""

    span: Span
    of: Node
    by: Node


@dataclass(frozen=True, slots=True)
class Zeros:
    """zeros(2, 2): every entry that is not assigned elsewhere is zero."""

    span: Span


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The entry of a symmetric matrix that stands on the other side of the diagonal: a star, or "sym."."""

    span: Span


@dataclass(frozen=True, slots=True)
class Reference:
    """Another entry of the answer, such as D(1,2), by the key of what it stands on the left of."""

    span: Span
    key: str


Node: TypeAlias = (
    Number | Name | Sum | Product | Power | Call | Table | Transposed | Derivative | Zeros | Mirrored | Reference
)


def children(node: Node) -> tuple[Node, ...]:
    """Returns the trees that a tree consists of, one level down."""
    match node:
        case Sum():
            return tuple(term for _, term in node.terms)
        case Product():
            return tuple(factor for _, factor in node.factors)
        case Power():
            return (node.base,)
        case Call():
            return (node.argument,)
        case Table():
            return node.parts
        case Transposed():
            return (node.of,)
        case Derivative():
            return node.of, node.by
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yields a tree and all trees inside it."""
    waiting = [node]
    while waiting:
        tree = waiting.pop()
        yield tree
        waiting += children(tree)


def mapped(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Returns a tree in which `change` has replaced the trees that it does not leave alone, the outermost first."""
    new = change(node)
    if new is not None:
        return new
    match node:
        case Sum():
            return replace(node, terms=tuple((sign, mapped(term, change)) for sign, term in node.terms))
        case Product():
            return replace(node, factors=tuple((e, mapped(factor, change)) for e, factor in node.factors))
        case Power():
            return replace(node, base=mapped(node.base, change))
        case Table():
            return replace(node, parts=tuple(mapped(part, change) for part in node.parts))
        case Transposed():
            return replace(node, of=mapped(node.of, change))
        case Derivative():
            return replace(node, of=mapped(node.of, change), by=mapped(node.by, change))
    return node
