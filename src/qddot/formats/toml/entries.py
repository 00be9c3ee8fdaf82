"""Reads and writes the robot file's [equations]: M, B, C2, G and P entry by entry.

[equations.names] gives short names to parts, in order: c23 = "cos(q2 + q3)". Names for constants, such as
I1 = "m1*l1**2/3", stay in the model's entries; all others are replaced. The tables M, B, C2 and G have keys
such as 12 (or 1_12 with more than nine joints): M has the entries on and above the diagonal; 112 in B is the
coefficient of q̇1 q̇2 in joint 1. Entries that are not listed are zero. An entry is a text, or a list of texts to be
added; it may refer to earlier entries: 134 = "B124".
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, combinations
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import RESERVED
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import FormatError, located, shortened
from qddot.base.words.message import say
from qddot.formats.toml.link_table import check_keys
from qddot.robot.explicit import ExplicitEquations

TABLES = {"M": 2, "B": 3, "C2": 2, "G": 1}  # the number of indices of an entry
KEYS = (*TABLES, "P", "names")
KEY = re.compile(r"[1-9]+|[1-9][0-9]*(_[1-9][0-9]*)+", re.ASCII)
LONGEST_PART = 1_000  # the most characters of one text in a list


def read(data: Mapping[str, Any], n: int, declared: Collection[str], coordinates: Collection[str]) -> ExplicitEquations:
    """Returns the equations of n joints.

    declared: the model's symbols and coordinates
    raises FormatError: a key is unknown or repeated, or P is missing; ExpressionError: an entry is not arithmetic
    """
    check_keys(data, KEYS, "equations")
    short_names: dict[str, Expression] = {}
    constants: dict[str, Expression] = {}
    for name, value in _table(data, "names").items():
        if name in declared or name in RESERVED:
            raise FormatError("equations-name-taken", name=repr(name))
        meaning = _sum(value, f"names.{name}", short_names | constants)
        (short_names if meaning.symbols() & set(coordinates) else constants)[name] = meaning
    tables: dict[str, dict[tuple[int, ...], Expression]] = {name: {} for name in TABLES}
    for name in TABLES:
        for key, value in _table(data, name).items():
            entry, place = _sum(value, f"{name}{key}", short_names), _place(key, name, n)
            if place in tables[name]:
                raise FormatError("equations-entry-twice", name=name, key=repr(key))
            tables[name][place] = entry
            if f"{name}{key}" not in declared:
                short_names[f"{name}{key}"] = entry
    zero, each = Expression.constant(0), range(n)
    if "P" not in data:
        raise FormatError("equations-without-p")
    return ExplicitEquations(
        M=tuple(tuple(tables["M"].get((min(i, j), max(i, j)), zero) for j in each) for i in each),
        B=tuple(tuple(tables["B"].get((i, j, k), zero) for j, k in combinations(each, 2)) for i in each),
        C2=tuple(tuple(tables["C2"].get((i, j), zero) for j in each) for i in each),
        G=tuple(tables["G"].get((i,), zero) for i in each),
        P=_sum(data["P"], "P", short_names),
        names=constants,
    )


def table(explicit: ExplicitEquations) -> dict[str, Any]:
    """Returns the content of [equations], without entries that are zero."""
    n = len(explicit.G)
    pairs = list(combinations(range(n), 2))
    listed: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    for i in range(n):
        rows: dict[str, dict[tuple[int, ...], Expression]] = {
            "M": {(i, j): explicit.M[i][j] for j in range(i, n)},
            "B": {(i, *pair): entry for pair, entry in zip(pairs, explicit.B[i], strict=True)},
            "C2": {(i, j): entry for j, entry in enumerate(explicit.C2[i])},
            "G": {(i,): explicit.G[i]},
        }
        for name, entries in rows.items():
            listed[name].update({_key(place): texts(entry) for place, entry in entries.items() if entry})
    names = {"names": {name: texts(entry) for name, entry in explicit.names.items()}} if explicit.names else {}
    return {**names, **{name: entries for name, entries in listed.items() if entries}, "P": texts(explicit.P)}


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, Mapping):
        raise FormatError("equations-not-table", name=name, table=shortened(table))
    return table


def _place(key: str, name: str, n: int) -> tuple[int, ...]:
    """Returns the indices, from 0, of a key such as 112 or 1_1_12."""
    parts = key.split("_") if "_" in key else list(key)
    place = tuple(int(part) - 1 for part in parts) if KEY.fullmatch(key) else ()
    ordered = name == "C2" or list(place[-2:]) == sorted(place[-2:])
    strictly = name != "B" or len(set(place[1:])) == 2
    if len(place) != TABLES[name] or not all(0 <= k < n for k in place) or not ordered or not strictly:
        keys = {"M": "joints-in-order", "B": "joints-last-two-in-order"}
        places = say(keys.get(name, "joints-from-first"), number=TABLES[name], last=n)
        raise FormatError("equations-entry-wrong", name=name, key=shortened(key), places=places)
    return place


def _sum(value: Any, where: str, short_names: Mapping[str, Expression]) -> Expression:
    """Returns the expression of a text or a number, or the sum of a list of them, with the short names replaced."""
    with located(f"equations.{where}"):
        parts = map(expression, value if isinstance(value, list) else [value])
        return Expression.sum(chain.from_iterable(_terms(part, short_names) for part in parts))


def _terms(value: Expression, short_names: Mapping[str, Expression]) -> Iterator[Expression]:
    """Yields the terms of a sum, with short names replaced by their expressions."""
    for monomial, c in value.terms.items():
        factors = tuple((atom, e) for atom, e in monomial if atom not in short_names)
        replaced = (short_names[atom] ** e for atom, e in monomial if isinstance(atom, str) and atom in short_names)
        yield math.prod(replaced, start=Expression({factors: c}))


def _key(place: tuple[int, ...]) -> str:
    numbers = [str(k + 1) for k in place]
    return ("" if all(len(number) == 1 for number in numbers) else "_").join(numbers)


def texts(entry: Expression) -> str | list[str]:
    """Returns one text if it is short, else a list of texts to be added."""
    text = str(entry)
    if len(text) <= LONGEST_PART:
        return text
    parts: list[str] = []
    for monomial, c in entry.terms.items():
        term = str(Expression({monomial: c}))
        if parts and len(parts[-1]) + len(term) < LONGEST_PART:
            parts[-1] += f" + {term}".replace("+ -", "- ")
        else:
            parts.append(term)
    return parts
