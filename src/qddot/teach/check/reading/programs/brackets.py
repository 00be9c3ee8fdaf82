"""Joins the parts of a matrix in brackets, [A, b; c, d], as MATLAB and Julia do."""

from __future__ import annotations

from typing import Any

from qddot.teach.check.reading.programs.stating import entry_of
from qddot.teach.check.reading.programs.values import (
    Array,
    Formula,
    Interprets,
    Stating,
    UnknownError,
    array_of,
    is_listed,
    part_of,
)


def brackets(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Returns the matrix of some rows of numbers, columns and matrices; a list if a system's solution is a part."""
    rows = arguments[0]
    parts = [part for row in rows for part in row]
    if any(isinstance(part, Stating) for part in parts):
        return parts
    if len(parts) == len(rows) and any(_is_unknown(part) for part in parts) and any(_is_array(part) for part in parts):
        return parts  # [dq; ddq] with the solution ddq of a system
    blocks = [[_block(part, at) for part in row] for row in rows]
    if any(len(block) != len(row[0]) for row in blocks for block in row):
        raise UnknownError("parts of a matrix beside one another have different heights")
    joined = [[entry for block in row for entry in block[k]] for row in blocks for k in range(len(row[0]))]
    if len({len(row) for row in joined}) > 1:
        raise UnknownError("the rows have different lengths")
    width = len(joined[0]) if joined else 0
    return Array((len(joined), width), [entry for row in joined for entry in row], True)


def _block(part: Any, at: int) -> list[list[Any]]:
    """Returns the rows of a part; a formula of unknown shape is a number."""
    if is_listed(part):
        part = array_of(part)
    if isinstance(part, Array):
        width = part.shape[1] if len(part.shape) > 1 else 1
        entries = [entry_of(part, k) for k in range(len(part.entries))]
        return [entries[k : k + width] for k in range(0, len(entries), width)]
    if not isinstance(part, Formula):
        raise UnknownError("this is no part of a matrix")
    if not part.shape:
        return [[part]]
    if len(part.shape) == 1 or part.shape[1] == 1:
        return [[part_of(part, (k,), at)] for k in range(part.shape[0])]
    return [[part_of(part, (i, j), at) for j in range(part.shape[1])] for i in range(part.shape[0])]


def _is_unknown(part: Any) -> bool:
    return isinstance(part, Formula) and part.shape is None


def _is_array(part: Any) -> bool:
    return isinstance(part, Array) or (isinstance(part, Formula) and bool(part.shape))
