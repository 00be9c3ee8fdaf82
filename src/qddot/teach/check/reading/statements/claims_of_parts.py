"""Turns values by name, such as those of a TOML file, into claims: texts, numbers, and nested lists of these."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any

from qddot.base.errors import ExpressionError, shortened
from qddot.base.words.message import Message, say
from qddot.teach.check.reading.dialects.formats import is_latex
from qddot.teach.check.reading.names.left_sides import is_left, left_of
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.statements.claims import MOST_CLAIMS, Claim, Leaf
from qddot.teach.check.reading.texts.written import Written

DEEPEST_LIST = 6
LONGEST_TEXT = 200_000  # characters of one expression


class Texts:
    """This finds the text of a value; a subclass for files also knows its place."""

    def written(self, name: str, place: tuple[int, ...], value: Any) -> Written:
        return Written(str(value), part=name + "".join(f"[{k}]" for k in place))


def claims_of_parts(parts: Mapping[str, Any], texts: Texts) -> list[Claim]:
    """Returns the claims of a mapping from names to texts, numbers and nested lists of them."""
    return [claim for name, value in parts.items() for claim in _of_part(str(name), value, texts)]


def _of_part(name: str, value: Any, texts: Texts) -> list[Claim]:
    key = Written(name, part="the name")
    side = lexemes(key)
    if not is_left(side):
        raise ExpressionError("names-no-quantity", name=shortened(name))
    left = left_of(side, key)
    leaves: list[Leaf] = []
    shape = _collect(name, value, (), texts, leaves)
    if len(leaves) > MOST_CLAIMS:
        raise ExpressionError("entries-too-many", name=name, count=len(leaves), most=MOST_CLAIMS)
    where = leaves[0].written.where(0) if leaves else name
    name_leaf = Leaf((), key, side, latex=False)
    return [Claim(left, tuple(leaves), shape, where, text=name, name=name_leaf)]


def _collect(name: str, value: Any, place: tuple[int, ...], texts: Texts, leaves: list[Leaf]) -> tuple[int, ...]:
    """Adds the texts of nested lists and returns the lists' shape."""
    value = value.tolist() if hasattr(value, "tolist") else value  # of NumPy and SymPy
    if not isinstance(value, list | tuple):
        _check_expressible(name, value)
        written = texts.written(name, place, value)
        if len(written.text) > LONGEST_TEXT:
            raise ExpressionError("formula-too-long", name=name, count=len(written.text), most=LONGEST_TEXT)
        latex = is_latex(written.text)
        leaves.append(Leaf(place, written, lexemes(written, comments="%" if latex else "#%"), latex))
        return ()
    if not value or len(place) >= DEEPEST_LIST:
        raise ExpressionError(
            "list-without-expressions", name=name, value=say("list-empty" if not value else "list-nested")
        )
    inner = [_collect(name, part, (*place, k), texts, leaves) for k, part in enumerate(value)]
    for k, each in enumerate(inner):
        if each != inner[0]:
            raise ExpressionError("rows-of-list-unequal", row=k + 1, name=name, size=size(each), first=size(inner[0]))
    return (len(value), *inner[0])


def _check_expressible(name: str, value: Any) -> None:
    """Raises ExpressionError for a value that is neither a text nor a number nor a SymPy expression."""
    is_expressible = isinstance(value, str | int | float | Fraction | Decimal) and not isinstance(value, bool)
    if not is_expressible and type(value).__module__.split(".")[0] != "sympy":
        raise ExpressionError("not-an-expression", name=name, value=shortened(value))


def size(shape: tuple[int, ...]) -> Message:
    """Returns a shape in words."""
    return say("size-entries", size=" × ".join(map(str, shape)), count=prod(shape)) if shape else say("size-one")
