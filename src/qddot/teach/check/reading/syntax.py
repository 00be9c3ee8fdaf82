"""Defines the tree of a written expression; each node has its span in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from qddot.algebra.expressions.angles import Angle
from qddot.base.records import record
from qddot.teach.check.reading.texts.written import Written

MOTIONS = ("coordinate", "rate", "acceleration")  # each is the time derivative of the one before
Span: TypeAlias = tuple[int, int]  # offsets of the first character and of the one after the last


NO_ANGLE = Angle()


@record(slots=True)
class Meaning:
    """This is the meaning of a name.

    kind: "symbol", "coordinate", "rate", "acceleration" or "drive" with that `name`; "vector": the column of all of the
    kind `name`; "cosines": the product of cosines and sines of `angle` that `name` lists, as "sc"; "function"; "pi";
    "degree"; "time"; "own": a name that the answer or a renaming defines; "own rate", "own acceleration": its time
    derivatives; "energy": K, P or L of the arm; "component": one of a link's force or the like; "matrix": an
    entry of a link's 4×4 matrix
    """

    kind: str
    name: str = ""
    angle: Angle = NO_ANGLE


def derived(meaning: Meaning) -> Meaning | None:
    """Returns the time derivative of a coordinate or a rate, or of the column of all of them; None for others."""
    kind = meaning.name if meaning.kind == "vector" else meaning.kind
    if kind not in MOTIONS[:-1]:
        return None
    after = MOTIONS[MOTIONS.index(kind) + 1]
    return Meaning("vector", after) if meaning.kind == "vector" else Meaning(after, meaning.name)


@record(slots=True)
class Number:
    """This is a number. half_unit: that of its last place if it is a decimal that may be rounded, else 0"""

    span: Span
    value: Fraction
    half_unit: Fraction = Fraction(0)


@record(slots=True)
class Name:
    span: Span
    text: str
    meaning: Meaning


@record(slots=True)
class Sum:
    """This is a sum of terms, each with its sign, 1 or −1."""

    span: Span
    terms: tuple[tuple[int, Node], ...]


@record(slots=True)
class Product:
    """This is a product of factors, each with 1, or with −1 if it divides. signs: what is written before each"""

    span: Span
    factors: tuple[tuple[int, Node], ...]
    signs: tuple[str, ...] = ()


@record(slots=True)
class Power:
    span: Span
    base: Node
    exponent: int


@record(slots=True)
class Call:
    """This is cos, sin, sqrt or sgn of an argument."""

    span: Span
    function: str
    argument: Node


@record(slots=True)
class Table:
    """This is a row, a matrix (of rows) or a deeper array."""

    span: Span
    parts: tuple[Node, ...]


@record(slots=True)
class Transposed:
    span: Span
    of: Node


@record(slots=True)
class Derivative:
    """This is the derivative of a tree with respect to time or a variable; for a column of variables it is a row."""

    span: Span
    of: Node
    by: Node


@record(slots=True)
class Zeros:
    """This is zeros(2, 2): every entry that is not assigned elsewhere is zero."""

    span: Span


@record(slots=True)
class Mirrored:
    """This stands for the entry of a symmetric matrix across the diagonal: a star, or "sym."."""

    span: Span


@record(slots=True)
class Reference:
    """This is another entry of the answer, such as D(1,2), by the key of its left side."""

    span: Span
    key: str


@record(slots=True)
class Part:
    """This is an entry or a row of an array, such as D(1,2), J[0] or (q' M q)[0]; its indices count from 1.

    by_columns: whether a single index counts the entries of a row, too, as in MATLAB
    """

    span: Span
    of: Node
    indices: tuple[int, ...]
    by_columns: bool


Node: TypeAlias = (
    Number | Name | Sum | Product | Power | Call | Table | Transposed | Derivative | Zeros | Mirrored | Reference | Part
)


class Tree(NamedTuple):
    """This is an expression as a tree, with the text in which its spans are."""

    node: Node
    written: Written


TIME = Name((0, 0), "t", Meaning("time"))


def is_zero(node: Node) -> bool:
    """Returns whether a tree is the number zero."""
    return isinstance(node, Number) and not node.value


def children(node: Node) -> tuple[Node, ...]:
    """Returns the trees one level below a tree."""
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
        case Transposed() | Part():
            return (node.of,)
        case Derivative():
            return node.of, node.by
    return ()


def with_children(node: Node, new: Sequence[Node]) -> Node:
    """Returns a tree with other trees one level below it, in the order of `children`."""
    match node:
        case Sum():
            return replace(node, terms=tuple((sign, term) for (sign, _), term in zip(node.terms, new, strict=True)))
        case Product():
            return replace(node, factors=tuple((e, factor) for (e, _), factor in zip(node.factors, new, strict=True)))
        case Power():
            return replace(node, base=new[0])
        case Call():
            return replace(node, argument=new[0])
        case Table():
            return replace(node, parts=tuple(new))
        case Transposed() | Part():
            return replace(node, of=new[0])
        case Derivative():
            return replace(node, of=new[0], by=new[1])
    return node


def walk(node: Node) -> Iterator[Node]:
    """Yields a tree and all trees inside it."""
    waiting = [node]
    while waiting:
        tree = waiting.pop()
        yield tree
        waiting += children(tree)


def mapped(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Returns a tree in which `change` has replaced trees, the outermost first; None from it changes nothing."""
    new = change(node)
    return with_children(node, [mapped(each, change) for each in children(node)]) if new is None else new


def diagonal(node: Node) -> Table:
    """Returns the diagonal matrix of some entries."""
    while isinstance(node, Table) and len(node.parts) == 1:
        node = node.parts[0]
    parts = node.parts if isinstance(node, Table) else (node,)
    zero = Number(node.span, Fraction(0))
    rows = (tuple(part if i == j else zero for j in range(len(parts))) for i, part in enumerate(parts))
    return Table(node.span, tuple(Table(node.span, row) for row in rows))
