"""Finds where the lines, statements, values, bodies and operands of programs begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.teach.check.reading.texts.rewriting import opening


def end_of_statement(text: str, at: int) -> int:
    """Returns where a statement ends: at the end of its line or at its semicolon, outside brackets.

    An operator that begins the next line continues the statement.
    """
    for k, depth in _depths(text, at):
        goes_on = text[k] == "\n" and re.match(r"\s*[-+*/]", text[k:]) and not text[k:].lstrip().startswith("//")
        if depth < 0 or (depth <= 0 and text[k] in ";\n" and not goes_on):
            return k
    return len(text)


def end_of_value(text: str, at: int) -> int:
    """Returns where a value ends in C: at its semicolon, or at the end of the bracket around it."""
    return next((k for k, depth in _depths(text, at) if depth < 0 or (not depth and text[k] == ";")), len(text))


def start_of_operand(text: str, end: int) -> int:
    """Returns where the name, the call or the bracket that ends at a place begins."""
    at = end
    while at and text[at - 1] in ")]":
        at = opening(text, at - 1, "()" if text[at - 1] == ")" else "[]")
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_."):
        at -= 1
    return max(at, 0)


def _depths(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yields each place from one on, with the number of brackets that are open after it."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        yield k, depth
