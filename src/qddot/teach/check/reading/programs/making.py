"""Makes arrays as the functions of NumPy and SymPy do: of lists, filled, stacked, diagonal."""

from __future__ import annotations

import re
from itertools import product as all_pairs
from math import prod
from typing import Any

from qddot.teach.check.reading.programs.arrays import listed_part, number_of, values_of
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.values import (
    MOST_VALUES,
    Array,
    Formula,
    Interprets,
    Known,
    Stating,
    UnknownError,
    array_of,
    atom,
    is_listed,
    whole,
)


def is_symbolic(interpreter: Interprets) -> bool:
    """Returns whether a program uses SymPy, in which * multiplies matrices."""
    return re.search(r"\bsympy\b", interpreter.equations.written.text) is not None


def array(is_matrix: bool) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        if is_matrix and len(arguments) == 3:
            rows, columns = map(number_of, arguments[:2])
            if is_listed(arguments[2]):
                return Array((rows, columns), list(arguments[2]), True)
            pairs = all_pairs(range(rows), range(columns))
            entries = [interpreter.apply(arguments[2], [whole(i, at), whole(j, at)], at) for i, j in pairs]
            return Array((rows, columns), entries, True)
        value = arguments[0]
        if isinstance(value, Formula):
            return value if value.shape != () else Array((1, 1), [value], True) if is_matrix else value
        if is_listed(value) and any(isinstance(each, Formula) and each.shape for each in value):
            return array_of(
                [list(values_of(interpreter, each, at)) if each.shape else each for each in value], is_matrix
            )
        if is_listed(value) and any(isinstance(each, Stating) for each in value):
            return value
        return array_of(value, is_matrix)

    return function


def filled(text: str) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        sizes = list(map(number_of, arguments[0] if is_listed(arguments[0]) else arguments[:2]))
        is_of_numpy = is_listed(arguments[0])
        is_matrix = not is_of_numpy and len(sizes) == 2
        if text == "eye" and len(sizes) == 1:
            sizes *= 2
        if (
            len(sizes) == 1
            and not is_of_numpy
            and text != "eye"
            and by_name.get("dtype") is None
            and is_symbolic(interpreter)
        ):
            sizes, is_matrix = sizes * 2, True
        if any(size > MOST_VALUES for size in sizes) or len(sizes) > 2:
            raise UnknownError("the array is too large")
        places = list(all_pairs(*map(range, sizes)))
        one = {"zeros": 0, "ones": 1}.get(text)
        entries = [whole(one if one is not None else int(place[0] == place[-1]), at) for place in places]
        entries = [atom("unread", at) for _ in entries] if text == "empty" else entries
        filled_at = at if text in ("zeros", "empty") else None
        return Array(tuple(sizes), entries, is_matrix or is_symbolic(interpreter), filled_at=filled_at)

    return function


def concatenated(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    parts = arguments[0] if len(arguments) == 1 and is_listed(arguments[0]) else arguments
    entries = [each for part in parts for each in listed_part(interpreter, part, at)]
    if any(isinstance(each, Stating) or each.shape is None for each in entries):
        return entries
    return Array((len(entries),), entries)


def stacked(is_below: bool) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        parts = arguments[0] if len(arguments) == 1 and is_listed(arguments[0]) else arguments
        if not all(isinstance(each, Array) and len(each.shape) == 2 for each in parts):
            return concatenated(interpreter, list(parts), by_name, at)
        if is_below:
            rows = sum(each.shape[0] for each in parts)
            return Array(
                (rows, parts[0].shape[1]), [each for part in parts for each in part.entries], parts[0].is_matrix
            )
        rows_ = [[e for part in parts for e in part.rows()[i]] for i in range(parts[0].shape[0])]
        return Array((len(rows_), len(rows_[0])), [each for row in rows_ for each in row], parts[0].is_matrix)

    return function


def diagonal(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    parts = arguments[0] if len(arguments) == 1 else arguments
    values = list(values_of(interpreter, parts, at))
    size = len(values)
    entries = [values[i] if i == j else whole(0, at) for i, j in all_pairs(range(size), repeat=2)]
    return Array((size, size), entries, is_symbolic(interpreter))


def reshaped(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    sizes = list(map(number_of, arguments[1] if is_listed(arguments[1]) else arguments[1:]))
    own = arguments[0]
    if not isinstance(own, Array):
        raise UnknownError("this array is not reshaped")
    sizes = [len(own.entries) // max(-prod(sizes), 1) if size == -1 else size for size in sizes]
    return Array(tuple(sizes), [entry(own, k) for k in range(len(own.entries))], own.is_matrix)


def flat(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    own = arguments[0]
    if isinstance(own, Array):
        return Array((len(own.entries),), [entry(own, k) for k in range(len(own.entries))])
    return own
