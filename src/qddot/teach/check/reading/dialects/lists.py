"""Writes and reads lists in programs of all languages: matrices by rows, and names with their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qddot.teach.check.reading.texts.rewriting import parted


def matrix_of(rows: Iterable[Iterable[str]]) -> str:
    """Returns rows as a list of lists: [[a, b], [c, d]]."""
    lists = (f"[{', '.join(row)}]" for row in rows)
    return f"[{', '.join(lists)}]"


def rows_of(entries: Sequence[str], columns: int) -> list[Sequence[str]]:
    """Returns the rows of a matrix whose entries are listed row by row."""
    columns = max(columns, 1)
    return [entries[k : k + columns] for k in range(0, len(entries), columns)]


def pairs_of(names: str, values: str) -> list[tuple[str, str]]:
    """Returns the names "a, b" with the values "x, y", one each, or nothing if one list is longer."""
    pairs = [[part.strip() for part in parted(text)] for text in (names, values)]
    return list(zip(*pairs, strict=True)) if len(pairs[0]) == len(pairs[1]) else []
