"""Follows brackets among lexemes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.teach.check.reading.signs.lexemes import Lexeme

OPENING, CLOSING = ("(", "[", "{", "begin"), (")", "]", "}", "end")
IDLE = ("newline", "wide")


def nested(signs: Sequence[Lexeme]) -> Iterator[tuple[int, Lexeme]]:
    """Yields each lexeme with the number of brackets that are open after it."""
    depth = 0
    for lexeme in signs:
        depth += (lexeme.kind in OPENING) - (lexeme.kind in CLOSING)
        yield depth, lexeme


def length_of(signs: Sequence[Lexeme]) -> int:
    """Returns the number of lexemes from the first one to the end of the bracket that it opens."""
    return next((k for k, (depth, _) in enumerate(nested(signs), 1) if depth <= 0), len(signs))
