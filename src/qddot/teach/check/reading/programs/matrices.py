"""Makes arrays as NumPy, SymPy and MATLAB do: of lists, filled, stacked, in brackets, diagonal."""

from __future__ import annotations

from itertools import product as all_pairs
from math import prod
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs.arrays import listed, number_of, values_of
from qddot.teach.check.reading.programs.calls import Call, Known
from qddot.teach.check.reading.programs.stating import entries_of
from qddot.teach.check.reading.programs.values import (
    MOST_VALUES,
    Array,
    Formula,
    Stating,
    UnknownError,
    array_of,
    atom,
    is_listed,
    part_of,
    unlisted,
    whole,
)
from qddot.teach.check.reading.texts.written import UNREAD


def _is_symbolic(call: Call) -> bool:
    """Returns whether a program uses SymPy, in which * multiplies matrices."""
    return "sympy" in call.program.equations.written.text


def array(is_matrix: bool) -> Known:
    """Returns the function that makes an array of lists, or a matrix of its size and a function of its indices."""

    def function(call: Call) -> Any:
        value = call[0]
        if is_matrix and len(call) == 3:
            shape = (number_of(value), number_of(call[1]))
            if is_listed(call[2]):
                return Array(shape, list(call[2]), True)
            places = all_pairs(*map(range, shape))
            entries = [call.program.apply(call[2], [whole(k, call.at) for k in place], call.at) for place in places]
            return Array(shape, entries, True)
        if isinstance(value, Formula):
            return Array((1, 1), [value], True) if is_matrix and value.shape == () else value
        if is_listed(value) and any(isinstance(each, Stating) for each in value):
            return value
        if is_listed(value):
            are_rows = (isinstance(each, Formula) and bool(each.shape) for each in value)
            value = [list(values_of(v, call.at)) if is_row else v for v, is_row in zip(value, are_rows, strict=True)]
        return array_of(value, is_matrix)

    return function


def filled(text: str) -> Known:
    """Returns the function that makes an array of zeros, of ones, of ones on its diagonal, or of nothing yet."""

    def function(call: Call) -> Any:
        is_of_numpy = is_listed(call[0])
        sizes = list(map(number_of, call[0] if is_of_numpy else call.values[:2]))
        is_square = len(sizes) == 1 and not is_of_numpy and call.by_name.get("dtype") is None and _is_symbolic(call)
        is_matrix = len(sizes) == 2 and not is_of_numpy
        if len(sizes) == 1 and (text == "eye" or is_square):
            sizes, is_matrix = sizes * 2, text != "eye"
        if any(size > MOST_VALUES for size in sizes) or len(sizes) > 2:
            raise UnknownError(say("array-too-large"))
        places = list(all_pairs(*map(range, sizes)))
        numbers = (int(text == "ones" or (text == "eye" and place[0] == place[-1])) for place in places)
        entries = [atom(UNREAD, call.at) if text == "empty" else whole(number, call.at) for number in numbers]
        filled_at = call.at if text in ("zeros", "empty") else None
        return Array(tuple(sizes), entries, is_matrix or _is_symbolic(call), filled_at=filled_at)

    return function


def concatenated(call: Call) -> Any:
    """Returns a row of the entries of several arrays; a list if a system's solution is a part."""
    entries = [each for part in call.parts() for each in listed(part, call.at)]
    is_unknown = any(isinstance(each, Stating) or each.shape is None for each in entries)
    return entries if is_unknown else Array((len(entries),), entries)


def stacked(is_below: bool) -> Known:
    """Returns the function that puts matrices below or beside one another."""

    def function(call: Call) -> Any:
        parts = call.parts()
        if not all(isinstance(each, Array) and len(each.shape) == 2 for each in parts):
            return concatenated(call)
        return _joined([[part] for part in parts] if is_below else [parts], call.at, parts[0].is_matrix)

    return function


def brackets(call: Call) -> Any:
    """Returns the matrix of some rows of numbers, columns and matrices; a list if a system's solution is a part."""
    rows = call[0]
    parts = [part for row in rows for part in row]
    if any(isinstance(part, Stating) for part in parts):
        return parts
    are_unknown = [isinstance(part, Formula) and part.shape is None for part in parts]
    are_arrays = [isinstance(part, Array) or (isinstance(part, Formula) and bool(part.shape)) for part in parts]
    if len(parts) == len(rows) and any(are_unknown) and any(are_arrays):
        return parts  # [dq; ddq] with the solution ddq of a system
    return _joined(rows, call.at, is_matrix=True)


def _joined(rows: list[Any], at: int, is_matrix: bool) -> Array:
    """Returns the matrix of rows of parts."""
    blocks = [[_block(part, at) for part in row] for row in rows]
    if any(len(block) != len(row[0]) for row in blocks for block in row):
        raise UnknownError(say("parts-matrix-beside-another"))
    lines = [[entry for block in row for entry in block[k]] for row in blocks for k in range(len(row[0]))]
    if len({len(line) for line in lines}) > 1:
        raise UnknownError(say("rows-different-lengths"))
    width = len(lines[0]) if lines else 0
    return Array((len(lines), width), [entry for line in lines for entry in line], is_matrix)


def _block(part: Any, at: int) -> list[list[Any]]:
    """Returns the rows of a part; a formula of unknown shape is a number."""
    part = unlisted(part)
    if not isinstance(part, (Array, Formula)):
        raise UnknownError(say("no-part-matrix"))
    rows, *columns = part.shape or (1,)
    width = prod(columns)
    if isinstance(part, Array):
        entries = entries_of(part)
        return [entries[k : k + width] for k in range(0, len(entries), width or 1)]
    if not part.shape:
        return [[part]]
    return [[part_of(part, (i, j)[: 1 + (width > 1)], at) for j in range(width)] for i in range(rows)]


def diagonal(call: Call) -> Any:
    """Returns a matrix with some entries on its diagonal."""
    values = call.listed() if len(call) == 1 else call.values
    size = len(values)
    entries = [values[i] if i == j else whole(0, call.at) for i, j in all_pairs(range(size), repeat=2)]
    return Array((size, size), entries, _is_symbolic(call))


def reshaped(call: Call) -> Any:
    """Returns an array with its entries in other rows."""
    sizes = list(map(number_of, call[1] if is_listed(call[1]) else call.values[1:]))
    entries = entries_of(call[0])
    shape = tuple(len(entries) // max(-prod(sizes), 1) if size == -1 else size for size in sizes)
    return Array(shape, entries, call[0].is_matrix)


def flat(call: Call) -> Any:
    """Returns the entries of an array as one row."""
    return Array((len(call[0].entries),), entries_of(call[0])) if isinstance(call[0], Array) else call[0]
